"""The metrics of `rankedu.metrics` with their work shown: a row for each rank, and the formula with the
numbers put in.

Each function here has the name and the arguments of its twin in `metrics`, plus `items`, the titles of the
documents in rank order. It returns an `Explanation`, which a notebook shows as a table, the ideal beside it
where there is one, and which `print` and `str` give as plain text. The number itself always comes from
`metrics`: nothing is scored a second time.

>>> work = ndcg([2, 0, 1, 2, 1])
>>> round(work.value, 3)
0.894
>>> work.rows[2]
GainRow(rank=3, grade=1.0, gain=1.0, discount=0.5, contribution=0.5, total=2.5)
>>> print(work.formula)
DCG@5 = 2×1 + 1×0.5 + 2×0.431 + 1×0.387 = 3.748
IDCG@5 = 2×1 + 2×0.631 + 1×0.5 + 1×0.431 = 4.193
NDCG@5 = 3.748 / 4.193 = 0.894
"""

import difflib
import html
import math
from collections import Counter
from dataclasses import dataclass
from typing import NamedTuple

from rankedu import metrics

__all__ = [
    "METRICS",
    "Explanation",
    "average_precision",
    "by_name",
    "cumulative_gain",
    "dcg",
    "f1_at_k",
    "hit_rate_at_k",
    "ndcg",
    "precision_at_k",
    "recall_at_k",
    "reciprocal_rank",
]


class GainRow(NamedTuple):
    """One rank under CG, DCG or NDCG. Below the cut-off the contribution is 0 and the total stands still."""

    rank: int
    grade: float
    gain: float
    discount: float
    contribution: float
    total: float


class HitRow(NamedTuple):
    """One rank under a metric that knows only relevant and not relevant."""

    rank: int
    grade: float
    relevant: bool
    hits: int
    precision: float
    contribution: float
    total: float


@dataclass(frozen=True, repr=False)
class Explanation:
    """A score with the work that led to it.

    name: the metric with its cut-off, "NDCG@5". value: the score.
    rows: one GainRow or HitRow for each rank; their contributions add up to `total`.
    total, best: the value is total / best where there is an ideal (NDCG); elsewhere it is the total, and best
    is None. ideal: the rows of the best order, None where the metric has no ideal.
    missing: grades of the relevant documents that were judged and are not in the list, best first.
    formula, latex: the definition with this list's numbers put in.
    conventions: what else the number depends on.
    """

    metric: str
    name: str
    value: float
    rows: tuple
    k: int
    formula: str
    latex: str
    conventions: str
    ideal: tuple | None = None
    missing: tuple = ()
    items: tuple | None = None
    columns: tuple = ()

    @property
    def total(self):
        return self.rows[-1].total if self.rows else 0.0

    @property
    def best(self):
        return None if self.ideal is None else (self.ideal[-1].total if self.ideal else 0.0)

    def __str__(self):
        table = [[heading for _, heading in self._columns()], *self._cells()]
        widths = [max(len(line[i]) for line in table) for i in range(len(table[0]))]
        left = {"item"}
        lines = [
            "  ".join(
                cell.ljust(width) if table[0][i] in left else cell.rjust(width)
                for i, (cell, width) in enumerate(zip(line, widths, strict=True))
            ).rstrip()
            for line in table
        ]
        if len(self.rows) > self.k:
            lines.insert(self.k + 1, f"{'-' * len(lines[0])}  cut at {self.k}")
        return "\n".join([self.formula, f"({self.conventions})", "", *lines, *self._notes()])

    def __repr__(self):
        return f"<{self.name} = {number(self.value)}; {self.conventions}>"

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"text/plain": str(self), "text/html": self._repr_html_()}

    def _repr_html_(self):
        return f"{STYLE}{self.table_html()}<div>$${self.latex}$$</div>"

    @property
    def largest(self):
        """The largest contribution, of the list or of its ideal."""
        return max([row.contribution for row in self.rows + (self.ideal or ())], default=0.0)

    def table_html(self, full=None):
        """The score and its table alone, for a page that has the style and no need of the formula.

        full: the contribution whose bar fills its track, where several tables are compared; the table's own
        largest if left out.
        """
        top = self.largest if full is None else full
        head = "".join(
            f'<th scope="col"{TITLE_CLASS if field == "item" else ""}>{html.escape(heading)}</th>'
            for field, heading in self._columns()
        )
        body = "".join(
            f'<tr class="{self._row_class(rank)}">{"".join(self._cells_html(rank, cells, top))}</tr>'
            for rank, cells in enumerate(self._cells(), start=1)
        )
        notes = "".join(f"<p>{html.escape(note)}</p>" for note in self._notes())
        return (
            f'<div class="rk"><p class="rk-head">{html.escape(self.name)} '
            f"<strong>{self._score()}</strong> <small>{html.escape(self.conventions)}</small></p>"
            f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{notes}</div>"
        )

    def _score(self):
        return number(self.value) if self.metric == "cumulative_gain" else f"{self.value:.3f}"

    def _columns(self):
        """(field, heading) of the columns in order; those of the ideal come last, named so."""
        columns = [("rank", "rank")]
        if self.items is not None:
            columns.append(("item", "item"))
        columns += self.columns
        if self.ideal is not None:
            columns += [
                ("ideal grade", "ideal grade"),
                ("ideal contribution", "ideal contribution"),
                ("ideal total", "ideal total"),
            ]
        return columns

    def _cells(self):
        """The text of every row of the table; CG is in whole numbers where all of its gains are."""
        ideal = self.ideal or ()
        whole = self.metric == "cumulative_gain" and all(
            r.contribution == int(r.contribution) for r in self.rows
        )
        decimals = 0 if whole else 3
        for i in range(max(len(self.rows), len(ideal) if self.ideal is not None else 0)):
            row = self.rows[i] if i < len(self.rows) else None
            best = ideal[i] if i < len(ideal) else None
            yield [self._cell(field, i, row, best, decimals) for field, _ in self._columns()]

    def _cell(self, field, i, row, best, decimals):
        if field == "rank":
            return str(i + 1)
        if field.startswith("ideal "):
            field, row = field.removeprefix("ideal "), best
        if row is None:
            return ""
        if field == "item":
            return str(self.items[i])
        if field == "relevant":
            return "yes" if row.relevant else "no"
        if field == "precision":
            return f"{row.hits}/{row.rank} = {row.precision:.3f}" if row.relevant else ""
        if field == "reciprocal":
            return f"1/{row.rank}" if row.contribution else ""
        if field == "discount":
            return f"{row.discount:.3f}"
        if field in ("contribution", "total"):
            return f"{getattr(row, field):.{decimals}f}"
        return number(getattr(row, field))

    def _cells_html(self, rank, cells, top):
        for (field, _), cell in zip(self._columns(), cells, strict=True):
            if field == "item":
                yield f"<td{TITLE_CLASS}>{html.escape(cell)}</td>"
            elif field == "contribution" and cell and top:
                share = self.rows[rank - 1].contribution / top
                yield f'<td class="rk-n">{bar(share)}{cell}</td>'
            elif field.startswith("ideal "):
                yield f'<td class="rk-n rk-ideal">{cell}</td>'
            else:
                yield f'<td class="rk-n">{cell}</td>'

    def _row_class(self, rank):
        return "rk-cut" if rank == self.k and len(self.rows) > self.k else "rk-off" if rank > self.k else ""

    def _notes(self):
        if not self.missing:
            return []
        grades = ", ".join(map(number, self.missing))
        return [f"Judged relevant and not in this list: {len(self.missing)} (grade {grades})"]


# ---------------------------------------------------------------------------------------------------
# Graded relevance


def cumulative_gain(grades, k=None, *, gain="linear", items=None):
    """CG@k with a row for each rank: grade, gain, contribution, running total.

    Arguments, range and errors as in `metrics.cumulative_gain`.

    >>> print(cumulative_gain([3, 2, 0, 1, 4], k=3).formula)
    CG@3 = 3 + 2 = 5
    """
    value = metrics.cumulative_gain(grades, k, gain=gain)
    rows, cut = _gain_rows(grades, k, gain, discounted=False)
    name = f"CG@{cut}"
    return Explanation(
        metric="cumulative_gain",
        name=name,
        value=value,
        rows=rows,
        k=cut,
        formula=f"{name} = {_sum_text(rows, gain, discounted=False)} = {number(value)}",
        latex=rf"\text{{{name}}} = {_sum_latex(rows, gain, discounted=False)} = {number(value)}",
        conventions=f"{gain} gain",
        items=_titles(items, rows),
        columns=_gain_columns(gain, discounted=False),
    )


def dcg(grades, k=None, *, gain="linear", items=None):
    """DCG@k with a row for each rank: grade, gain, discount, contribution, running total.

    Arguments, range and errors as in `metrics.dcg`.

    >>> print(dcg([3, 0, 0], gain="exponential").formula)
    DCG@3 = (2^3 − 1)×1 = 7
    """
    value = metrics.dcg(grades, k, gain=gain)
    rows, cut = _gain_rows(grades, k, gain)
    name = f"DCG@{cut}"
    return Explanation(
        metric="dcg",
        name=name,
        value=value,
        rows=rows,
        k=cut,
        formula=f"{name} = {_sum_text(rows, gain)} = {number(value)}",
        latex=rf"\text{{{name}}} = {_sum_latex(rows, gain)} = {number(value)}",
        conventions=f"{gain} gain",
        items=_titles(items, rows),
        columns=_gain_columns(gain),
    )


def ndcg(grades, k=None, *, judged=None, gain="linear", undefined="zero", items=None):
    """NDCG@k with a row for each rank, and the ideal order beside it.

    Arguments, range and errors as in `metrics.ndcg`.

    >>> print(ndcg([1], k=10, judged=[1] * 10).formula.splitlines()[-1])
    NDCG@10 = 1 / 4.544 = 0.220
    """
    value = metrics.ndcg(grades, k, judged=judged, gain=gain, undefined=undefined)
    rows, _ = _gain_rows(grades, k, gain)
    best_first = sorted(map(float, grades if judged is None else judged), reverse=True)
    # A whole list that is longer than the judged grades (or shorter) is cut nowhere: not in the ideal either.
    cut = k or max(len(rows), len(best_first) if judged is not None else 0)
    ideal, _ = _gain_rows(best_first[:cut], cut, gain)
    total, best = (rows[-1].total if rows else 0.0), (ideal[-1].total if ideal else 0.0)
    name = f"NDCG@{cut}"
    result = _ratio(number(total), number(best), value, undefined)
    return Explanation(
        metric="ndcg",
        name=name,
        value=value,
        rows=rows,
        k=cut,
        formula=f"DCG@{cut} = {_sum_text(rows, gain)} = {number(total)}\n"
        f"IDCG@{cut} = {_sum_text(ideal, gain)} = {number(best)}\n{name} = {result}",
        latex=r"\begin{aligned}"
        rf"\text{{DCG@{cut}}} &= {_sum_latex(rows, gain)} = {number(total)} \\ "
        rf"\text{{IDCG@{cut}}} &= {_sum_latex(ideal, gain)} = {number(best)} \\ "
        rf"\text{{{name}}} &= {_ratio_latex(number(total), number(best), value, undefined)}"
        r"\end{aligned}",
        conventions=f"{gain} gain; ideal from {_judged_text(judged)}",
        ideal=ideal,
        missing=_missing(grades, judged, 0),
        items=_titles(items, rows),
        columns=_gain_columns(gain),
    )


# ---------------------------------------------------------------------------------------------------
# Binary relevance


def precision_at_k(grades, k, *, threshold=1, items=None):
    """P@k with a row for each rank: relevant or not, hits so far, 1/k for each hit.

    Arguments, range and errors as in `metrics.precision_at_k`.

    >>> print(precision_at_k([1, 0, 1, 0, 1], k=3).formula)
    P@3 = 2 / 3 = 0.667
    """
    value = metrics.precision_at_k(grades, k, threshold=threshold)
    rows, cut, hits = _hit_rows(grades, k, threshold, lambda hit: 1 / hit.k)
    return _of_hits(
        "precision_at_k", f"P@{cut}", value, rows, cut, threshold, _ratio(hits, cut, value), items
    )


def recall_at_k(grades, k, *, judged=None, threshold=1, undefined="zero", items=None):
    """R@k with a row for each rank: relevant or not, hits so far, 1/R for each hit.

    Arguments, range and errors as in `metrics.recall_at_k`.

    >>> print(recall_at_k([1, 0, 1], k=3, judged=[1, 1, 1, 1]).formula)
    R@3 = 2 / 4 = 0.500
    """
    value = metrics.recall_at_k(grades, k, judged=judged, threshold=threshold, undefined=undefined)
    total = _count_relevant(grades if judged is None else judged, threshold)
    rows, cut, hits = _hit_rows(grades, k, threshold, lambda hit: 1 / total)
    result = _ratio(hits, total, value, undefined)
    return _of_hits("recall_at_k", f"R@{cut}", value, rows, cut, threshold, result, items, grades, judged)


def f1_at_k(grades, k, *, judged=None, threshold=1, undefined="zero", items=None):
    """F1@k with a row for each rank: each hit adds 2 / (k + R), which is where the harmonic mean ends up.

    Arguments, range and errors as in `metrics.f1_at_k`.

    >>> print(f1_at_k([1, 0, 1, 0, 0], k=5, judged=[1, 1, 1]).formula)
    F1@5 = 2 × 0.400 × 0.667 / (0.400 + 0.667) = 0.500
    """
    value = metrics.f1_at_k(grades, k, judged=judged, threshold=threshold, undefined=undefined)
    total = _count_relevant(grades if judged is None else judged, threshold)
    rows, cut, hits = _hit_rows(grades, k, threshold, lambda hit: 2 / (hit.k + total))
    precision, recall = hits / cut if cut else 0.0, hits / total if total else 0.0
    p, r = f"{precision:.3f}", f"{recall:.3f}"
    if hits:
        result = f"2 × {p} × {r} / ({p} + {r}) = {number(value)}"
    else:
        result = f"{number(value)}, because P@{cut} and R@{cut} are both 0"
    if not total:
        result = _ratio(0, 0, value, undefined)
    return _of_hits("f1_at_k", f"F1@{cut}", value, rows, cut, threshold, result, items, grades, judged)


def hit_rate_at_k(grades, k, *, threshold=1, items=None):
    """The hit of one query within k, with a row for each rank: the first hit is worth 1, the others nothing.

    Arguments, range and errors as in `metrics.hit_rate_at_k`.

    >>> print(hit_rate_at_k([0, 0, 1], k=3).formula)
    Hit@3 = 1, because rank 3 is relevant
    """
    value = metrics.hit_rate_at_k(grades, k, threshold=threshold)
    rows, cut, hits = _hit_rows(grades, k, threshold, lambda hit: 1.0 if hit.hits == 1 else 0.0)
    first = next((row.rank for row in rows if row.contribution), None)
    result = (
        f"1, because rank {first} is relevant" if hits else f"0, because nothing in the top {cut} is relevant"
    )
    return _of_hits("hit_rate_at_k", f"Hit@{cut}", value, rows, cut, threshold, result, items)


def average_precision(grades, k=None, *, judged=None, threshold=1, undefined="zero", items=None):
    """AP with a row for each rank: the precision at each hit, divided by R.

    Arguments, range and errors as in `metrics.average_precision`.

    >>> print(average_precision([1, 0, 1, 0, 1]).formula)
    AP = (1/1 + 2/3 + 3/5) / 3 = 0.756
    >>> [round(row.contribution, 3) for row in average_precision([1, 0, 1, 0, 1]).rows]
    [0.333, 0.0, 0.222, 0.0, 0.2]
    """
    value = metrics.average_precision(grades, k, judged=judged, threshold=threshold, undefined=undefined)
    total = _count_relevant(grades if judged is None else judged, threshold)
    rows, cut, hits = _hit_rows(grades, k, threshold, lambda hit: hit.hits / hit.rank / total)
    terms = " + ".join(_few([f"{row.hits}/{row.rank}" for row in rows if row.relevant and row.rank <= cut]))
    result = _ratio(f"({terms})" if hits else 0, total, value, undefined)
    name = "AP" if k is None else f"AP@{cut}"
    return _of_hits("average_precision", name, value, rows, cut, threshold, result, items, grades, judged)


def reciprocal_rank(grades, k=None, *, threshold=1, items=None):
    """RR with a row for each rank: 1/rank at the first hit, nothing after it.

    Arguments, range and errors as in `metrics.reciprocal_rank`.

    >>> print(reciprocal_rank([0, 0, 1, 1]).formula)
    RR = 1 / 3 = 0.333
    """
    value = metrics.reciprocal_rank(grades, k, threshold=threshold)
    rows, cut, hits = _hit_rows(grades, k, threshold, lambda hit: 1 / hit.rank if hit.hits == 1 else 0.0)
    first = next((row.rank for row in rows if row.contribution), None)
    result = _ratio(1, first, value) if hits else f"0, because nothing in the top {cut} is relevant"
    name = "RR" if k is None else f"RR@{cut}"
    return _of_hits("reciprocal_rank", name, value, rows, cut, threshold, result, items)


METRICS = {
    function.__name__: (function, options)
    for function, options in [
        (cumulative_gain, {"gain"}),
        (dcg, {"gain"}),
        (ndcg, {"judged", "gain", "undefined"}),
        (precision_at_k, {"threshold"}),
        (recall_at_k, {"judged", "threshold", "undefined"}),
        (f1_at_k, {"judged", "threshold", "undefined"}),
        (hit_rate_at_k, {"threshold"}),
        (average_precision, {"judged", "threshold", "undefined"}),
        (reciprocal_rank, {"threshold"}),
    ]
}


def by_name(metric, grades, k=None, *, items=None, **options):
    """The explanation by the metric called `metric`, given those of the options that it knows.

    metric: a name of this module, such as "ndcg" or "average_precision".
    options: judged, gain, threshold, undefined. Raises ValueError for an unknown metric, naming the nearest.

    >>> by_name("reciprocal_rank", [0, 1], gain="linear", threshold=1).value
    0.5
    """
    if metric not in METRICS:
        near = difflib.get_close_matches(str(metric), METRICS, n=1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise ValueError(f"metric must be one of {', '.join(map(repr, METRICS))}; got {metric!r}{hint}")
    function, known = METRICS[metric]
    return function(grades, k, items=items, **{name: options[name] for name in options if name in known})


# ---------------------------------------------------------------------------------------------------
# Rows


def _gain_rows(grades, k, kind, discounted=True):
    """The rows of a list of grades, and the rank after which nothing counts."""
    cut = k or len(grades)
    rows, total = [], 0.0
    for rank, (grade, gain) in enumerate(
        zip(grades, metrics.gain(grades, kind).tolist(), strict=True), start=1
    ):
        weight = metrics.discount(rank) if discounted else 1.0
        contribution = gain * weight if rank <= cut else 0.0
        total += contribution
        rows.append(GainRow(rank, float(grade), gain, weight, contribution, total))
    return tuple(rows), cut


class _Hit(NamedTuple):
    rank: int
    hits: int
    k: int


def _hit_rows(grades, k, threshold, worth):
    """The rows, the cut-off and the hits within it; `worth` says what a hit contributes."""
    cut = k or len(grades)
    rows, hits, total, hits_within = [], 0, 0.0, 0
    for rank, grade in enumerate(grades, start=1):
        relevant = bool(grade >= threshold)
        hits += relevant
        contribution = worth(_Hit(rank, hits, cut)) if relevant and rank <= cut else 0.0
        total += contribution
        hits_within += relevant and rank <= cut
        rows.append(HitRow(rank, float(grade), relevant, hits, hits / rank, contribution, total))
    return tuple(rows), cut, hits_within


def _of_hits(metric, name, value, rows, cut, threshold, result, items, grades=(), judged=None):
    conventions = f"relevant: grade {number(threshold)} or more"
    if "judged" in METRICS[metric][1]:
        relevant = _count_relevant(grades if judged is None else judged, threshold)
        conventions += f"; R = {relevant}, from {_judged_text(judged)}"
    middle = {
        "average_precision": [("precision", "precision here")],
        "reciprocal_rank": [("reciprocal", "1 / rank")],
    }.get(metric, [("hits", "hits so far")])
    return Explanation(
        metric=metric,
        name=name,
        value=value,
        rows=rows,
        k=cut,
        formula=f"{name} = {result}",
        latex=rf"\text{{{name}}} = {_latex(result)}",
        conventions=conventions,
        missing=_missing(grades, judged, threshold),
        items=_titles(items, rows),
        columns=(
            ("grade", "grade"),
            ("relevant", "relevant"),
            *middle,
            ("contribution", "contribution"),
            ("total", "running total"),
        ),
    )


def _gain_columns(kind, discounted=True):
    gain = [("gain", "gain 2^grade − 1")] if kind == "exponential" else []
    weight = [("discount", "×\N{NO-BREAK SPACE}discount")] if discounted else []
    return (
        ("grade", "grade"),
        *gain,
        *weight,
        ("contribution", "= contribution"),
        ("total", "running total"),
    )


def _count_relevant(grades, threshold):
    return sum(grade >= threshold for grade in grades)


def _missing(grades, judged, threshold):
    """The relevant grades that were judged and are not in the list, best first."""
    if judged is None:
        return ()
    left = Counter(map(float, judged)) - Counter(map(float, grades))
    return tuple(sorted((g for g in left.elements() if g > 0 and g >= threshold), reverse=True))


def _titles(items, rows):
    if items is None:
        return None
    items = tuple(items)
    if len(items) != len(rows):
        raise ValueError(f"items must hold one title for each of the {len(rows)} grades; got {len(items)}")
    return items


# ---------------------------------------------------------------------------------------------------
# Words, formulas and the look that the widgets share


def number(value):
    """A number as the course prints it: whole numbers as they are, others to three decimals."""
    if math.isnan(value):
        return "nan"
    return f"{value:.0f}" if value == int(value) and abs(value) < 1e6 else f"{value:.3f}"


def short(value):
    """A number as it stands in a sum: three decimals at most, no zeros at the end."""
    return f"{value:.3f}".rstrip("0").rstrip(".")


def _judged_text(judged):
    return "the ranking itself" if judged is None else f"{len(judged)} judged"


def _ratio(top, bottom, value, undefined="zero"):
    if bottom in (0, "0"):
        return (
            f'{top} / {bottom}: nothing relevant was judged, undefined="{undefined}" makes it {number(value)}'
        )
    return f"{top} / {bottom} = {number(value) if value in (0, 1) else f'{value:.3f}'}"


def _ratio_latex(top, bottom, value, undefined):
    if bottom == "0":
        return rf"\frac{{0}}{{0}} \rightarrow {number(value)} \text{{ (undefined=“{undefined}”)}}"
    return rf"\frac{{{top}}}{{{bottom}}} = {number(value) if value in (0, 1) else f'{value:.3f}'}"


def _latex(text):
    """Plain text of a formula as LaTeX: words as words, × as times."""
    if any(word in text for word in ("because", "nothing")):
        return rf"\text{{{text}}}".replace('"', "”")
    return text.replace("×", r"\times")


def _term(row, kind, discounted, power, times):
    gain = power.format(short(row.grade)) if kind == "exponential" else short(row.grade)
    return f"{gain}{times}{short(row.discount)}" if discounted else gain


def _sum_text(rows, kind, discounted=True):
    terms = [_term(row, kind, discounted, "(2^{} − 1)", "×") for row in rows if row.contribution]
    return " + ".join(_few(terms)) or "0"


def _sum_latex(rows, kind, discounted=True):
    terms = [_term(row, kind, discounted, "(2^{{{}}}-1)", r" \cdot ") for row in rows if row.contribution]
    return " + ".join(r"\cdots" if term == "…" else term for term in _few(terms)) or "0"


def _few(terms):
    """The terms, the middle of a long sum left out."""
    return terms if len(terms) <= 7 else [*terms[:5], "…", terms[-1]]


def bar(share):
    """A horizontal bar of the given share of its track, 0 to 1; the number beside it says the same."""
    return f'<span class="rk-track"><span class="rk-bar" style="width:{100 * share:.1f}%"></span></span>'


TITLE_CLASS = ' class="rk-t"'

# The colours are taken from the theme, so that a table reads in light and in dark.
STYLE = """<style>
.rk{font-family:var(--jp-ui-font-family,system-ui,sans-serif);font-size:13px;line-height:1.35;
 color:var(--jp-ui-font-color1,currentColor);--rk-line:color-mix(in srgb,currentColor 16%,transparent);
 --rk-quiet:color-mix(in srgb,currentColor 72%,transparent)}
:is(.rk,.rk-widget){--rk-accent:#2f74c0}
[data-jp-theme-light="false"] :is(.rk,.rk-widget){--rk-accent:#6ab0f3}
.rk .rk-head{margin:0 0 6px;display:flex;flex-wrap:wrap;gap:2px 14px;align-items:baseline}
.rk .rk-head strong{font-size:22px;font-weight:650;font-variant-numeric:tabular-nums}
.rk .rk-head small{font-size:12px;color:var(--rk-quiet)}
.rk table{border-collapse:collapse;margin:0;font-size:13px;border:0;table-layout:auto}
.rk table tr,.rk table tbody tr:nth-child(even),.rk table tbody tr:nth-child(odd){background:none}
.rk table tbody tr:hover{background:none}
.rk th,.rk td{padding:2px 5px;border:0;border-bottom:1px solid var(--rk-line);
 vertical-align:middle;max-width:none}
.rk th{font-weight:600;font-size:12px;color:var(--rk-quiet);text-align:right}
.rk .rk-n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.rk th.rk-t,.rk td.rk-t{text-align:left}
.rk .rk-ideal{color:var(--rk-quiet)}
.rk tr.rk-cut td{border-bottom-color:transparent}
.rk table tbody tr.rk-cut{background:left bottom/100% 2px no-repeat
 repeating-linear-gradient(90deg,var(--rk-quiet) 0 6px,transparent 6px 10px)}
.rk tr.rk-off td{opacity:.7}
.rk .rk-track{display:inline-block;width:60px;height:10px;margin-right:6px;
 vertical-align:-1px;text-align:left}
.rk .rk-bar{display:block;height:10px;border-radius:2px;background:var(--rk-accent)}
.rk p{margin:6px 0 0;color:inherit}
[data-jp-theme-light="false"] :is(.rk-picture,.rk-said img,.jp-needs-light-background){
 filter:invert(.933) hue-rotate(180deg)}
</style>"""
