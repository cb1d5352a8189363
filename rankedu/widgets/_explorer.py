"""MetricExplorer: the lists of several queries under NDCG, MAP and MRR, and what each of them notices."""

import html
from collections.abc import Mapping

import ipywidgets
import numpy as np
import traitlets

from rankedu import data, explain, pictures

from ._look import (
    CARDS_STYLE,
    STYLE,
    Picture,
    choice,
    cut_off,
    gain_choice,
    layout,
    least_relevant,
    ranking_table,
    score,
    score_line,
)
from ._order import OrderSliders, missing_documents

# Each mode: the metric of one query and its short name, that of the mean, what it does, its own setting.
MODES = {
    "NDCG": (
        "ndcg",
        "NDCG",
        "mean NDCG",
        "counts every grade, less the further down, as a share of the best order",
        "gain",
    ),
    "MAP": (
        "average_precision",
        "AP",
        "MAP",
        "takes the precision at every relevant result, over all that are relevant",
        "threshold",
    ),
    "MRR": (
        "reciprocal_rank",
        "RR",
        "MRR",
        "looks for the first relevant result, and at nothing after it",
        "threshold",
    ),
}
SETTINGS = ("k", "gain", "threshold")
MOST_PICTURES = 40

# Three queries of the search task that tell the modes apart: a good answer, a mixed one, and one whose only
# hit is below the cut.
EXAMPLE = ("stdlib_search", "bm25", ("q04", "q01", "q27"), 6)


class MetricExplorer(ipywidgets.VBox):
    """The lists of several queries, scored by NDCG, MAP or MRR, with every rank's part and the mean.

    queries: {query text: (items, grades)} for 1 to 6 queries, items and grades as in `RankingSliders`. Left
    out, it is three queries of the course's search task with all that was judged for them.
    k: the cut-off, None for the whole list. mode: "NDCG", "MAP" or "MRR". gain, threshold: as in
    `rankedu.metrics`; the gain matters to NDCG alone, the threshold to MAP and MRR alone.
    judged: {query text: every grade judged for it}, for any of the queries; or, with titles,
    not_returned: {query text: {title: grade}} of the judged documents that the query's list lacks.
    k, mode, gain, threshold and active can be changed later by assigning them: `ex.mode = "MRR"`.

    active: the query whose items the sliders move. lists: {query text: its list}, which has `order`,
    `grades`, `move`, `reset`, `undo`, `sort_best_first`, `sliders` and `boxes` as `RankingSliders` has them.
    works: {mode: {query text: explain.Explanation}}. means: {mode: mean over the queries}.
    value: the mean of the present mode (a traitlet).
    Raises ValueError or TypeError, naming the argument, for input that cannot be shown or scored.

    >>> ex = MetricExplorer({"parse json": (["json.tool", "json.loads"], [0, 3]),
    ...                      "read csv": (["csv", "io", "csv.reader"], [1, 0, 3])}, k=3)
    >>> ex.mode, ex.active = "MRR", "parse json"
    >>> round(ex.value, 3)
    0.75
    >>> ex.lists["parse json"].sliders[1].value = 1       # json.loads to rank 1
    >>> ex
    mean NDCG@3 = 0.844, MAP@3 = 0.917, MRR@3 = 1.000 over 2 queries (linear gain; relevant: grade 1 or more)
    """

    k = traitlets.Any(help="the cut-off, None for the whole list")
    mode = traitlets.Any(help='"NDCG", "MAP" or "MRR"')
    gain = traitlets.Any(help='"linear" or "exponential"')
    threshold = traitlets.Any(help="the least grade that counts as relevant")
    active = traitlets.Any(help="the query whose items the sliders move")
    value = traitlets.Float(help="the mean over the queries in the present mode")

    def __init__(
        self,
        queries=None,
        k=5,
        mode="NDCG",
        *,
        gain="linear",
        threshold=1,
        judged=None,
        not_returned=None,
    ):
        if queries is None:
            if judged is not None or not_returned is not None:
                raise ValueError("judged and not_returned belong to queries; queries was left out")
            queries, judged = _example()
        self.lists = _check_queries(queries)
        self._titled = _by_query("not_returned", not_returned, self.lists)
        self._judged = _by_query("judged", judged, self.lists)
        for query, titled in self._titled.items():
            if query in self._judged:
                raise ValueError(f"give judged or not_returned for {query!r}, not both")
            self._judged[query] = [*self.lists[query].grades, *dict(titled).values()]
        self._ready = False
        first = next(iter(self.lists))
        super().__init__(k=k, mode=mode, gain=gain, threshold=threshold, active=first)
        self._pictures = {}
        self._score()  # wrong input is told before anything is built
        self._build()
        self._ready = True
        self._redraw()
        for query, ranking in self.lists.items():
            ranking.observe(lambda _, query=query: self._moved(query), "order")

    @property
    def queries(self):
        """The texts of the queries, in the order given."""
        return list(self.lists)

    @property
    def means(self):
        """{mode: the mean over the queries, each counting once}."""
        return {mode: _mean(works) for mode, works in self.works.items()}

    @property
    def sliders(self):
        """The sliders of the query whose items are being moved."""
        return self.lists[self.active].sliders

    def reset(self):
        """Bring back every query's order of the start."""
        for ranking in self.lists.values():
            ranking.reset()

    # -------------------------------------------------------------------------------------------
    # State

    @traitlets.validate("mode", "active")
    def _check_choice(self, proposal):
        name, value = proposal["trait"].name, proposal["value"]
        allowed = MODES if name == "mode" else self.lists
        if value not in allowed:
            raise ValueError(f"{name} must be one of {', '.join(map(repr, allowed))}; got {value!r}")
        return value

    @traitlets.validate(*SETTINGS)
    def _check_setting(self, proposal):
        if self._ready:
            self._explain(**{proposal["trait"].name: proposal["value"]})
        return proposal["value"]

    @traitlets.observe(*SETTINGS)
    def _set(self, change):
        if self._ready:
            self._score()
            self._redraw()

    @traitlets.observe("mode", "active")
    def _chosen(self, change):
        if self._ready:
            self._redraw()

    def _moved(self, query):
        for mode in MODES:
            self.works[mode][query] = self._explain_one(mode, query)
        self._redraw(query)

    def _score(self):
        """Score every list as it stands, and as it was at the start, which is what it is compared with."""
        self.works = self._explain()
        self._at_start = self._explain(start=True)

    def _explain(self, start=False, **changed):
        return {mode: {query: self._explain_one(mode, query, start, **changed) for query in self.lists}
                for mode in MODES}  # fmt: skip

    def _explain_one(self, mode, query, start=False, **changed):
        settings = {name: getattr(self, name) for name in SETTINGS} | changed
        ranking = self.lists[query]
        grades, titles = (ranking._grades, ranking.items) if start else (ranking.grades, ranking.titles)
        return explain.by_name(
            MODES[mode][0],
            grades,
            settings.pop("k"),
            items=titles,
            judged=self._judged.get(query),
            **settings,
        )

    # -------------------------------------------------------------------------------------------
    # The page

    def _build(self):
        wrap = {"flex_flow": "row wrap"}
        longest = max(len(ranking.items) for ranking in self.lists.values())
        grades = [grade for ranking in self.lists.values() for grade in ranking.grades]
        mode, modes = choice(self, "mode", list(MODES), [f"{m}: {MODES[m][3]}" for m in MODES], 84, "mode")
        gain, gains = gain_choice(self, "gain (NDCG)")
        queries, which = choice(
            self,
            "active",
            [(_short(query), query) for query in self.lists],
            [f"Move the items of: {query}" for query in self.lists],
            None,
            "move the items of",
        )
        self.controls = {
            "mode": mode,
            "k": cut_off(self, max(longest, min(self.k or 0, 20))),
            "gain": gain,
            "threshold": least_relevant(self, grades, "relevant from grade (MAP, MRR)", 380),
            "active": queries,
        }
        self.head = ipywidgets.HTML(layout=layout(width="100%", margin="0 0 4px"))
        self.view = ipywidgets.HTML(layout=layout(flex="1 1 100%", margin="4px 0 0"))
        self.board = ipywidgets.HTML(layout=layout(max_width="100%", margin="0 0 6px"))
        self.image = Picture(460)
        self.image.layout.margin = "6px 0 0"
        self._place = ipywidgets.Box(layout=layout(margin="0 22px 0 0"))
        right = ipywidgets.VBox([self.board, self.image], layout=layout(flex="1 1 400px"))
        flow = ipywidgets.Box(
            [self._place, right, self.view], layout=layout(**wrap, align_items="flex-start")
        )
        mode.add_class("rk-modes")
        right.add_class("rk-right")
        self.children = [
            ipywidgets.HTML(
                explain.STYLE + STYLE + CARDS_STYLE + EXPLORER_STYLE, layout=layout(display="none")
            ),
            ipywidgets.HBox([modes, self.controls["k"]], layout=layout(**wrap)),
            ipywidgets.HBox([gains, self.controls["threshold"]], layout=layout(**wrap)),
            self.head,
            which,
            flow,
        ]
        self.add_class("rk-widget")
        self.add_class("rk-explorer")

    def _redraw(self, moved=None):
        """Show the present state: numbers and bars first, then sliders and controls, the picture last."""
        work = self.works[self.mode][self.active]
        self.head.value, self.view.value, self.board.value = self._head(), self._cards(), self._board()
        self.value = self.means[self.mode]
        for query in [moved] if moved else self.lists:
            self.lists[query].follow()
        for name in ("gain", "threshold"):
            self.controls[name].disabled = MODES[self.mode][4] != name
        self._place.children = [self.lists[self.active]]
        self.image.show(self._picture(work), work)

    def _picture(self, work):
        """The kept figure for this list, mode and settings: going to and fro draws no axes a second time."""
        key = (self.active, self.mode, *(getattr(self, name) for name in SETTINGS))
        if key not in self._pictures:
            if len(self._pictures) == MOST_PICTURES:
                del self._pictures[next(iter(self._pictures))]
            self._pictures[key] = pictures.RankingPicture(work, 4.6, 1.9, of=_short(self.active))
        return self._pictures[key]

    def _head(self):
        """The mean of the present mode, and what the mode does."""
        works = self.works[self.mode]
        parts = " + ".join(score(work.value) for work in works.values())
        formula = f"= ({parts}) / {len(works)}" if len(works) > 1 else "one query, which is its own mean"
        return (
            f'<div class="rk rk-live"><p class="rk-head rk-mean" role="status">'
            f"<span>{html.escape(self._mean_name(self.mode))}</span> "
            f"<strong>{score(_mean(works))}</strong> <span>{formula}</span></p>"
            f"<p><small><b>{self.mode}</b> {MODES[self.mode][3]}. "
            f"Here: {html.escape(self._conventions(self.mode))}.</small></p></div>"
        )

    def _cards(self):
        """The list of each query under the present mode."""
        cards = "".join(
            f'<section class="rk-card{" rk-active" if query == self.active else ""}" '
            f'aria-label="{html.escape(query)}"><div><p class="rk-query">{html.escape(query)}</p>'
            f"{score_line(work)}</div>"
            f"{ranking_table([work], self._missing(query))}</section>"
            for query, work in self.works[self.mode].items()
        )
        return f'<div class="rk rk-live"><div class="rk-cards">{cards}</div></div>'

    def _missing(self, query):
        return missing_documents(
            self._judged.get(query), dict(self._titled.get(query, {})), self.lists[query].grades
        )

    def _board(self):
        """Every query under all three modes, with the change since the start where a list was moved."""
        head = "".join(
            f'<th scope="col"{self._mark(mode)}>{html.escape(self._name(mode))}</th>' for mode in MODES
        )
        rows = "".join(
            f'<tr><th scope="row" class="rk-t">{html.escape(_short(query, 34))}</th>'
            f"{self._board_cells(query)}</tr>"
            for query in self.lists
        )
        mean = "".join(
            f"<td{self._mark(mode, True)}><b>{score(value)}</b>"
            f"{_change(value, _mean(self._at_start[mode]), self._any_moved())}</td>"
            for mode, value in self.means.items()
        )
        return (
            '<div class="rk rk-live rk-board"><table>'
            f'<thead><tr><th scope="col" class="rk-t">query</th>{head}</tr></thead>'
            f'<tbody>{rows}<tr class="rk-sum"><th scope="row" class="rk-t">mean</th>{mean}</tr></tbody>'
            f"</table><p><small>{_count(self.lists)}, each counting once; "
            "▲ ▼ since the start</small></p></div>"
        )

    def _board_cells(self, query):
        moved = self._is_moved(query)
        return "".join(
            f"<td{self._mark(mode, True)}>{score(works[query].value)}"
            f"{_change(works[query].value, self._at_start[mode][query].value, moved)}</td>"
            for mode, works in self.works.items()
        )

    def _mark(self, mode, number=False):
        kinds = ["rk-n"] * number + ["rk-on"] * (mode == self.mode)
        return f' class="{" ".join(kinds)}"' if kinds else ""

    def _is_moved(self, query):
        return self.lists[query].order != self.lists[query]._start

    def _any_moved(self):
        return any(map(self._is_moved, self.lists))

    # -------------------------------------------------------------------------------------------
    # Names and words

    def _name(self, mode):
        return MODES[mode][1] + (f"@{self.k}" if self.k else "")

    def _mean_name(self, mode):
        return MODES[mode][2] + (f"@{self.k}" if self.k else "")

    def _conventions(self, *modes):
        settings = {MODES[mode][4] for mode in modes}
        parts = [f"{self.gain} gain"] if "gain" in settings else []
        if "threshold" in settings:
            parts.append(f"relevant: grade {explain.number(self.threshold)} or more")
        if self._judged and set(modes) != {"MRR"}:
            of = {"NDCG": "ideal", "MAP": "R"}
            what = " and ".join(of[mode] for mode in modes if mode in of)
            parts.append(f"{what} from all that was judged")
        return "; ".join(parts)

    # -------------------------------------------------------------------------------------------
    # Without a page

    def __repr__(self):
        means = ", ".join(f"{self._mean_name(mode)} = {score(value)}" for mode, value in self.means.items())
        return f"{means} over {_count(self.lists)} ({self._conventions(*MODES)})"

    def __str__(self):
        """Every number of the three modes as a table, and each list in its present order."""
        names = [self._name(mode) for mode in MODES]
        lines = [["query", *names]]
        lines += [
            [query, *(score(works[query].value) for works in self.works.values())] for query in self.lists
        ]
        lines.append([f"mean over {_count(self.lists)}", *map(score, self.means.values())])
        widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
        table = [
            "  ".join(
                [line[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(line[1:], widths[1:], strict=True))]
            )
            for line in lines
        ]
        rankings = [
            f"{query}: "
            + ", ".join(f"{t} {explain.number(g)}" for t, g in zip(r.titles, r.grades, strict=True))
            + "".join(f"; not in this list: {t} {explain.number(g)}" for t, g in self._missing(query))
            for query, r in self.lists.items()
        ]
        return "\n".join([*table, f"({self._conventions(*MODES)})", "", *rankings])

    def _repr_mimebundle_(self, **kwargs):
        """The widget where there is a kernel; its numbers in all modes and its lists where there is none."""
        bundle = super()._repr_mimebundle_(**kwargs)
        if bundle is not None:
            bundle["text/plain"] = str(self)
            bundle["text/html"] = (
                f'{explain.STYLE}{STYLE}{CARDS_STYLE}{EXPLORER_STYLE}<div class="rk-explorer">'
                f"{self._head()}{self._cards()}{self._board()}</div>"
            )
        return bundle


def _example():
    name, run, chosen, length = EXAMPLE
    task = data.load(name)
    queries = {
        task.queries[query]: (task.ranking(run, query)[:length], task.grades(run, query)[:length])
        for query in chosen
    }
    return queries, {task.queries[query]: task.judged(query) for query in chosen}


def _check_queries(queries):
    if not isinstance(queries, Mapping):
        raise TypeError(f"queries must be a dict {{query text: (items, grades)}}; got {queries!r}")
    if not 1 <= len(queries) <= 6:
        raise ValueError(f"queries must hold 1 to 6 queries, one list each; got {len(queries)}")
    lists = {}
    for query, pair in queries.items():
        if not isinstance(pair, tuple | list) or len(pair) != 2:
            raise TypeError(f"queries: {query!r} must have a pair (items, grades); got {pair!r}")
        try:
            lists[str(query)] = OrderSliders(*pair)
        except (TypeError, ValueError) as error:
            raise type(error)(f"queries: {query!r}: {error}") from None
    if len(lists) < len(queries):
        raise ValueError("queries must have different texts; two of them are the same as text")
    return lists


def _by_query(name, given, lists):
    if not isinstance(given or {}, Mapping):
        raise TypeError(f"{name} must be a dict with a query's text for each key; got {given!r}")
    given = {str(query): value for query, value in (given or {}).items()}
    for query in given:
        if query not in lists:
            raise ValueError(f"{name} names the query {query!r}, which queries does not have")
    return given


def _mean(works):
    return float(np.mean([work.value for work in works.values()]))


def _change(now, before, moved):
    """How a score has changed, in a sign and a number; empty where no list was moved."""
    text = ""
    if moved:
        by = f"{abs(now - before):.3f}"
        text = "no change" if float(by) == 0 else f"{'▲' if now > before else '▼'} {by}"
    return f' <span class="rk-change">{text}</span>'


def _count(lists):
    return f"{len(lists)} quer{'y' if len(lists) == 1 else 'ies'}"


def _short(text, most=28):
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


EXPLORER_STYLE = """<style>
.rk-live .rk-mean strong{font-size:28px}
.rk-explorer{container:explorer/inline-size}
.rk-explorer .rk-modes .widget-toggle-button{font-size:15px;font-weight:600}
.rk-live.rk-board table{width:auto}
.rk-live.rk-board th[scope=row]{font-weight:400;color:inherit}
.rk-live.rk-board .rk-on{background:color-mix(in srgb,var(--rk-accent) 13%,transparent);font-weight:700}
.rk-live.rk-board thead .rk-on{box-shadow:inset 0 3px 0 var(--rk-accent)}
.rk-live.rk-board thead th:not(.rk-t){text-align:left}
.rk.rk-board td.rk-n{text-align:left;padding:0 4px 0 6px}
.rk-live .rk-change{display:inline-block;width:54px;margin-left:4px;font-size:11px;font-weight:400}
.rk-live.rk-board .rk-sum td,.rk-live.rk-board .rk-sum th{border-top:2px solid var(--rk-line)}
@container explorer (max-width:700px){.rk-live .rk-card.rk-active{order:-1}
.rk-explorer .rk-right.jupyter-widgets{display:contents}.rk-explorer .rk-right>:last-child{order:1}}
</style>"""
