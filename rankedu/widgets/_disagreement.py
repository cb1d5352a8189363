"""Disagreement: two orders of one list, and whether two metrics prefer different ones."""

import html

import ipywidgets
import traitlets

from rankedu import explain

from ._look import CARDS_STYLE, STYLE, conventions, layout, ranking_table, score, score_line
from ._order import OrderSliders

# Scores closer than this are the same score: an order is not better for the last bit of a sum.
SAME = 1e-9


class Disagreement(ipywidgets.VBox):
    """Two orders of one list, A and B, each with its sliders, and a check: do two metrics disagree on them?

    items, grades: the list, as in `RankingSliders`; A and B both start from it. metrics: two names of
    `explain.METRICS`. k: the cut-off, None for the whole list. gain, threshold, judged: as in `metrics`.

    Two metrics disagree when one gives A the higher score and the other B; a tie under either is not enough.

    a, b: the two lists, with `order`, `grades`, `move`, `reset`, `undo`, `sliders` and `boxes` as
    `RankingSliders` has them. prefers: {metric's name: "A", "B" or None}. disagree: whether they do.
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

    def __init__(
        self,
        items,
        grades,
        metrics=("ndcg", "average_precision"),
        k=None,
        *,
        gain="linear",
        threshold=1,
        judged=None,
    ):
        self.metrics = (metrics,) if isinstance(metrics, str) else tuple(metrics)
        if len(self.metrics) != 2 or self.metrics[0] == self.metrics[1]:
            raise ValueError(f"metrics must be two different names; got {metrics!r}")
        self._k, self._settings = k, {"gain": gain, "threshold": threshold, "judged": judged}
        self.a, self.b = (OrderSliders(items, grades) for _ in range(2))
        self._pairs()  # wrong input is told before anything is built
        super().__init__()
        self.verdict = ipywidgets.HTML(layout=layout(margin="6px 0"))
        self.view = ipywidgets.HTML(layout=layout(width="100%"))
        columns = [ipywidgets.VBox([_title(letter), ranking]) for letter, ranking in self._lists()]
        self.children = [
            ipywidgets.HTML(
                explain.STYLE + STYLE + CARDS_STYLE + VERDICT_STYLE, layout=layout(display="none")
            ),
            ipywidgets.Box(columns, layout=layout(flex_flow="row wrap", grid_gap="0 30px")),
            self.verdict,
            self.view,
        ]
        self.add_class("rk-widget")
        for _, ranking in self._lists():
            ranking.observe(self._look, "order")
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

    def _lists(self):
        return (("A", self.a), ("B", self.b))

    def _works(self, ranking):
        return [
            explain.by_name(name, ranking.grades, self._k, items=ranking.titles, **self._settings)
            for name in self.metrics
        ]

    def _pairs(self):
        """For each metric the explanations of A and of B."""
        return list(zip(self._works(self.a), self._works(self.b), strict=True))

    def _look(self, _=None):
        """Show the present orders: the verdict and the numbers first, then the other sliders."""
        if self.disagree:
            pair = tuple(self.a.grades), tuple(self.b.grades)
            if pair not in self.found and pair[::-1] not in self.found:
                self.found = (*self.found, pair)
        self.verdict.value, self.view.value = self._verdict_html(), self._lists_html()
        for _, ranking in self._lists():
            ranking.follow()

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

    def _lists_html(self):
        cards = "".join(
            f'<section class="rk-card" '
            f'aria-label="{letter}: {", ".join(html.escape(work.name) for work in works)}">'
            f'<div><p class="rk-query">{letter}</p>'
            + "".join(map(score_line, works))
            + f"</div>{ranking_table(works)}</section>"
            for letter, works in ((letter, self._works(ranking)) for letter, ranking in self._lists())
        )
        return (
            f'<div class="rk rk-live rk-many"><div class="rk-cards rk-wide">{cards}</div>'
            f"<p><small>{html.escape(conventions(self._works(self.a)))}</small></p></div>"
        )

    def __repr__(self):
        lines = [
            f"{letter}: {', '.join(f'{work.name} {score(work.value)}' for work in self._works(ranking))}; "
            f"grades {', '.join(map(explain.number, ranking.grades))}"
            for letter, ranking in self._lists()
        ]
        return "\n".join([*lines, self._says()])

    def _repr_mimebundle_(self, **kwargs):
        """The widget where there is a kernel; both orders, the scores and the verdict where there is none."""
        bundle = super()._repr_mimebundle_(**kwargs)
        if bundle is not None:
            bundle["text/plain"] = repr(self)
            bundle["text/html"] = (
                f"{explain.STYLE}{STYLE}{CARDS_STYLE}{VERDICT_STYLE}"
                f"{self._verdict_html()}{self._lists_html()}"
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
.rk-live .rk-cards.rk-wide{grid-template-columns:repeat(auto-fit,minmax(340px,1fr))}
</style>"""
