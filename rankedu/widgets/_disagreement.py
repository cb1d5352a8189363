"""Disagreement: two orders of one list, and whether two metrics prefer different ones."""

import html

import ipywidgets
import traitlets

from rankedu import explain

from ._look import STYLE, layout, score
from ._sliders import RankingSliders

# Scores closer than this are the same score: an order is not better for the last bit of a sum.
SAME = 1e-9


class Disagreement(ipywidgets.VBox):
    """Two orders of one list, A and B, each with its sliders, and a check: do two metrics disagree on them?

    items, grades: the list, as in `RankingSliders`; A and B both start from it. metrics: two names of
    `explain.METRICS`. k: the cut-off, None for the whole list. settings: gain, threshold, judged,
    not_returned, as in `RankingSliders`, for both lists.

    Two metrics disagree when one gives A the higher score and the other B; a tie under either is not enough.

    a, b: the two `RankingSliders`. prefers: {metric's name: "A", "B" or None}. disagree: whether they do.
    found: the pairs (grades of A, grades of B) on which they did so far, each once (a traitlet).
    Raises ValueError or TypeError, naming the argument, for input that cannot be shown or scored.

    >>> d = Disagreement(["csv", "io", "json", "re"], [1, 0, 0, 1], ["reciprocal_rank", "recall_at_k"], k=2)
    >>> d.b.sliders[3].value = 1                    # re to rank 1
    >>> d.b.sliders[1].value = 1                    # io above it
    >>> d
    A: RR@2 1.000, R@2 0.500; grades 1, 0, 0, 1
    B: RR@2 0.500, R@2 0.500; grades 0, 1, 1, 0
    Not yet: RR@2 prefers A, R@2 sees no difference.
    """

    found = traitlets.Tuple(help="the pairs of orders on which the metrics disagreed so far")

    def __init__(self, items, grades, metrics=("ndcg", "average_precision"), k=None, **settings):
        metrics = (metrics,) if isinstance(metrics, str) else tuple(metrics)
        if len(metrics) != 2 or metrics[0] == metrics[1]:
            raise ValueError(f"metrics must be two different names; got {metrics!r}")
        self.a, self.b = (
            RankingSliders(items, grades, k, metrics, picture=False, **settings) for _ in range(2)
        )
        super().__init__()
        self.verdict = ipywidgets.HTML(layout=layout(margin="2px 0 8px"))
        self.children = [
            ipywidgets.HTML(explain.STYLE + STYLE + VERDICT_STYLE, layout=layout(display="none")),
            _title("A"),
            self.a,
            self.verdict,
            _title("B"),
            self.b,
        ]
        self.add_class("rk-widget")
        for ranking in (self.a, self.b):
            ranking.observe(self._look, ["order", "k", "gain", "threshold", "judged"])
        self._look()

    @property
    def prefers(self):
        """{metric's name: "A" or "B", whichever it scores higher, None for a tie}."""
        return {
            one.name: None if abs(one.value - two.value) < SAME else "A" if one.value > two.value else "B"
            for one, two in self._pairs()
        }

    @property
    def disagree(self):
        """Whether one metric prefers A and the other B."""
        return set(self.prefers.values()) == {"A", "B"}

    def _pairs(self):
        return list(zip(self.a.explanations, self.b.explanations, strict=True))

    def _look(self, _=None):
        if self.disagree:
            pair = tuple(self.a.grades), tuple(self.b.grades)
            if pair not in self.found and pair[::-1] not in self.found:
                self.found = (*self.found, pair)
        self.verdict.value = self._verdict_html()

    def _says(self):
        opinions = ", ".join(
            f"{name} prefers {which}" if which else f"{name} sees no difference"
            for name, which in self.prefers.items()
        )
        if self.disagree:
            return f"✓ Found: {opinions}. Pairs found so far: {len(self.found)}."
        return f"Not yet: {opinions}."

    def _verdict_html(self):
        rows = "".join(
            f'<tr><th scope="row" class="rk-t">{html.escape(one.name)}</th>'
            + "".join(
                f'<td class="rk-n{" rk-best" if prefers == letter else ""}">{score(work.value)}'
                f"{' ◂' if prefers == letter else ''}</td>"
                for letter, work in (("A", one), ("B", two))
            )
            + "</tr>"
            for (one, two), prefers in zip(self._pairs(), self.prefers.values(), strict=True)
        )
        return (
            f'<div class="rk rk-verdict{" rk-found" if self.disagree else ""}"><table><thead><tr><td></td>'
            f'<th scope="col">A</th><th scope="col">B</th></tr></thead><tbody>{rows}</tbody></table>'
            f'<p role="status">{html.escape(self._says())}</p></div>'
        )

    def __repr__(self):
        lines = [
            f"{letter}: {', '.join(f'{work.name} {score(work.value)}' for work in ranking.explanations)}; "
            f"grades {', '.join(map(explain.number, ranking.grades))}"
            for letter, ranking in (("A", self.a), ("B", self.b))
        ]
        return "\n".join([*lines, self._says()])

    def _repr_mimebundle_(self, **kwargs):
        """The widget where there is a kernel; both orders, the scores and the verdict where there is none."""
        bundle = super()._repr_mimebundle_(**kwargs)
        if bundle is not None:
            bundle["text/plain"] = repr(self)
            bundle["text/html"] = (
                f"{explain.STYLE}{STYLE}{VERDICT_STYLE}<h4>A</h4>{self.a.view.value}"
                f"{self._verdict_html()}<h4>B</h4>{self.b.view.value}"
            )
        return bundle


def _title(letter):
    return ipywidgets.HTML(f'<div class="rk rk-letter">{letter}</div>')


VERDICT_STYLE = """<style>
.rk.rk-letter{font-size:18px;font-weight:700}
.rk.rk-verdict{display:flex;flex-wrap:wrap;gap:4px 22px;align-items:center;padding:6px 12px;
 border-left:4px solid var(--rk-quiet);background:color-mix(in srgb,currentColor 5%,transparent)}
.rk.rk-verdict.rk-found{border-left-color:var(--rk-accent)}
.rk.rk-verdict p{margin:0;font-size:14px}
.rk.rk-verdict.rk-found p{font-weight:650}
.rk.rk-verdict .rk-best{font-weight:700}
</style>"""
