"""The report on one run or on two: for a notebook, as plain text, and as a page to send to someone."""

from __future__ import annotations

import datetime
import html
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

import rankedu
from rankedu.trec._compare import Comparison, thinned
from rankedu.trec._evaluate import TIES, Result
from rankedu.trec._measures import parse_measure
from rankedu.trec._show import STYLE, Listing, fragment, query_texts
from rankedu.trec._tables import count

EXTREMES = 5  # queries shown at either end of a comparison
SHORT = 12  # rows of a table that stays on one sheet of paper; a longer one begins a new sheet


class MeasureRow(NamedTuple):
    """One measure of one run, as the report shows it."""

    measure: str
    mean: float
    median: float
    zeros: int
    conventions: str


class Report:
    """What a run is worth, and on which conventions and data that rests.

    title : heading; left out, one is made from the names of the runs
    notes : text of your own, such as the decision; an empty line starts a new paragraph
    queries : {query_id: text}, to show what was asked beside the ids
    date : of the page; left out, the day on which it is saved

    A notebook shows it, `str()` is plain text, `save` writes a page that needs nothing else, on screen or on
    paper.
    """

    def __init__(
        self,
        results: Sequence[Result],
        comparison: Comparison | None = None,
        *,
        title: str | None = None,
        notes: str | None = None,
        queries: Mapping | None = None,
        date: str | datetime.date | None = None,
    ):
        for name, text in (("title", title), ("notes", notes)):
            if text is not None and not isinstance(text, str):
                raise TypeError(f"{name} must be text; got {text!r}")
        self.results, self.comparison = list(results), comparison
        self.notes, self.queries, self.date = notes, query_texts(queries), date
        self.title = title or (comparison.title if comparison else f"Evaluation of {results[0].name}")

    def save(self, path) -> Path:
        """Writes the page to this path, as UTF-8, and returns the path."""
        path = Path(path)
        # half a surrogate pair, which JSON lets through, is no UTF-8
        path.write_text(self.page(), encoding="utf-8", errors="xmlcharrefreplace")
        return path

    def page(self) -> str:
        """The whole page as HTML."""
        date = html.escape(str(self.date or datetime.date.today()))
        title = html.escape(self.title)
        sections = [*self._opening(), *self._findings(), *self._every_query(), *self._conventions()]
        return "\n".join(
            [
                '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">',
                f"<title>{title}</title>",
                '<meta name="viewport" content="width=device-width,initial-scale=1">',
                f"<style>{STYLE}{PAGE}</style></head>",
                f'<body><main class="rt"><h1>{title}</h1><p class="quiet">{self._sources()} · {date}</p>',
                *sections,
                f'<p class="quiet end">Made with rankedu {rankedu.__version__}.</p></main></body></html>\n',
            ]
        )

    def _repr_html_(self) -> str:
        heading = f"<h2>{html.escape(self.title)}</h2>"
        return fragment(heading + "".join([*self._opening(), *self._findings()]))

    def __repr__(self) -> str:
        return str(self)

    def __str__(self) -> str:
        parts = [self.title]
        if self.notes:
            parts.append(self.notes.strip())
        parts += [str(self.summary(result)) for result in self.results]
        if self.comparison:
            parts.append(str(self.comparison))
            parts += [self.comparison.conclusion(measure) for measure in self.comparison.measures]
        for result in self.results:
            named = f" of {result.name}" if len(self.results) > 1 else ""
            parts.append(f"Diagnosis{named}: {result.diagnosis}")
        return "\n\n".join(parts)

    def summary(self, result: Result) -> Listing:
        """The measures of one result with the conventions that each number rests on, as a table."""
        rows = []
        for measure, values in result.per_query.items():
            numbers = np.array(list(values.values()))
            conventions = result.describe(measure).removeprefix(f"{measure}, ")
            median = float(np.nanmedian(numbers)) if not np.isnan(numbers).all() else float("nan")
            rows.append(
                MeasureRow(measure, result.means[measure], median, int((numbers == 0).sum()), conventions)
            )
        columns = {
            "measure": ("measure", str),
            "mean": ("mean", "{:.4f}".format),
            "median": ("median", "{:.4f}".format),
            "zeros": ("at 0", str),
            "conventions": ("conventions", str),
        }
        if any(parse_measure(row.measure).kind.total for row in rows):
            columns["mean"] = ("mean or total", lambda value: f"{value:,.4f}".removesuffix(".0000"))
        answered = result.n_queries - len(result.missing_queries)
        title = f"{result.name}: {count(result.n_queries, 'query')} judged, {answered:,} of them answered"
        return Listing(columns, rows, title)

    # ------------------------------------------------------------ the parts of the page

    def _sources(self) -> str:
        names = [f"run {result.name}" for result in self.results]
        paths = [result.run.source for result in self.results] + [self.results[0].qrels.source]
        files = [Path(path).name for path in paths if path]
        return html.escape(" · ".join([*names, *files]))

    def _opening(self):
        if self.notes:
            paragraphs = [text.strip() for text in self.notes.split("\n\n") if text.strip()]
            yield "".join(f'<p class="notes">{html.escape(text)}</p>' for text in paragraphs)
        if self.comparison:
            yield from self._compared()
            return
        (result,) = self.results
        yield self.summary(result).element()
        measure = result.measures[0]
        yield f"<h2>{html.escape(measure)}, query by query</h2>{value_bars(result, measure)}"

    def _compared(self):
        comparison = self.comparison
        yield "".join(f"<p>{html.escape(comparison.conclusion(m))}</p>" for m in comparison.measures)
        yield comparison.element()
        measure = comparison.measures[0]
        yield f"<h2>{html.escape(measure)}, query by query</h2>{difference_bars(comparison, measure)}"
        listing = comparison.queries(measure)
        ends = [
            ("Largest gains", [row for row in listing if row.difference > 0][:EXTREMES]),
            ("Largest losses", [row for row in reversed(listing) if row.difference < 0][:EXTREMES]),
        ]
        for heading, rows in ends:
            if rows:
                yield self._query_rows(f"{heading} of {comparison.name_b}", rows).element()
        yield "<h2>The two runs</h2>" + "".join(self.summary(result).element() for result in self.results)

    def _query_rows(self, title: str, rows) -> Listing:
        number, signed = "{:.4f}".format, "{:+.4f}".format
        text = [("text", str)] if self.queries else []
        names = [(self.comparison.name_a, number), (self.comparison.name_b, number), ("difference", signed)]
        columns = dict(enumerate([("query", str), *text, *names]))
        shown = [(row[0], *self._text_of(row[0]), *row[1:]) for row in rows]
        return Listing(columns, shown, title)

    def _text_of(self, query_id: str) -> tuple:
        return (self.queries.get(query_id, ""),) if self.queries else ()

    def _findings(self):
        for result in self.results:
            named = f" of {html.escape(result.name)}" if len(self.results) > 1 else ""
            yield f"<h2>Diagnosis{named}</h2>{result.diagnosis.element()}"

    def _every_query(self):
        if self.comparison:
            measure = self.comparison.measures[0]
            listing = self._query_rows(f"{measure}, largest gain first", self.comparison.queries(measure))
        else:
            listing = self.results[0].table(self.queries)
            place = 2 if self.queries else 1
            listing.rows.sort(key=lambda row: (row[place] != row[place], row[place]))  # nan last
            listing.title += ", the weakest first"
        apart = ' class="apart"' if len(listing) > SHORT else ""
        yield f"<h2{apart}>Every query</h2>{listing.element()}"

    def _conventions(self):
        result = self.results[0]
        measures = dict.fromkeys(measure for each in self.results for measure in each.measures)
        lines = [f"{measure}: {_in_words(measure)}." for measure in measures]
        lines += [
            f"Equal scores: {TIES[result.ties]}.",
            "A query judged and not answered counts 0; one answered and not judged is left out.",
            "A document that nobody judged counts as not relevant and holds its rank.",
            f"Where nothing relevant was judged, a measure that is 0/0 is {_undefined(result)}.",
        ]
        if self.comparison:
            lines.append(self.comparison.method)
        items = "".join(f"<li>{html.escape(line)}</li>" for line in lines)
        yield f"<h2>How these numbers are made</h2><ul>{items}</ul>"


def _undefined(result: Result) -> str:
    return {"zero": "0", "one": "1", "nan": "left out of the mean"}[result.undefined]


def _in_words(name: str) -> str:
    measure = parse_measure(name)
    depth = f" in the top {measure.k}" if measure.k else ""
    return f"{measure.kind.words}{depth}, {measure.convention}"


# ---------------------------------------------------------------- pictures, as SVG in the page

_WIDTH, _HEIGHT, _LEFT, _TOP, _BOTTOM = 720, 180, 44, 14, 8


def value_bars(result: Result, measure: str) -> str:
    """Every query's value as a bar, the best first, with the mean as a dashed line: an SVG element."""
    values = sorted((v for v in result.per_query[measure].values() if v == v), reverse=True)
    mean, highest = result.means[measure], max([1.0, *values])
    text = (
        f"{measure} of {result.name} for {count(len(values), 'query')}, best first: from {values[0]:.4f} "
        f"down to {values[-1]:.4f}, mean {mean:.4f}, {sum(v == 0 for v in values):,} at 0"
        if values
        else f"{measure} of {result.name}: no query has a value"
    )
    axis, marks = _Axis(0.0, highest), [0.0, highest / 2, highest]
    bars = _bars(thinned(values), axis)
    height = axis.y(mean)
    # above the line, or below it where one of the axis would run through the words
    words = height + (13 if any(0 < height - axis.y(mark) < 18 for mark in marks) else -5)
    line = (
        f'<path d="M{_LEFT} {height:.1f}H{_WIDTH}" stroke="currentColor" stroke-dasharray="5 4"/>'
        f'<text x="{_WIDTH - 4}" y="{words:.1f}" text-anchor="end">mean {mean:.3f}</text>'
    )
    return _svg(text, axis.lines(marks, "{:.2f}") + bars + line)


def difference_bars(comparison: Comparison, measure: str) -> str:
    """Every query's difference as a bar, the largest gain first: an SVG element."""
    values = [difference for _, difference in comparison.drawn(measure)]
    reach = max([abs(value) for value in values] + [1e-9])
    row = comparison[measure]
    axis = _Axis(-reach, reach)
    bars = _bars(values, axis)
    name = html.escape(comparison.name_b)
    words = (
        f'<text x="{_WIDTH - 4}" y="{_TOP + 10}" text-anchor="end">{name} better: {row.wins:,}</text>'
        f'<text x="{_LEFT + 6}" y="{_HEIGHT - _BOTTOM - 6}">{name} worse: {row.losses:,}</text>'
    )
    return _svg(
        comparison.in_words(measure),
        axis.lines([-reach, reach], "{:+.2f}") + axis.lines([0.0], "{:.0f}") + bars + words,
    )


class _Axis:
    """The vertical axis from low to high."""

    def __init__(self, low: float, high: float):
        self.low, self.high = low, high

    def y(self, value: float) -> float:
        span = _HEIGHT - _TOP - _BOTTOM
        return _TOP + span * (self.high - value) / (self.high - self.low)

    def lines(self, values: Sequence[float], form: str) -> str:
        """A line with its number at each of these values."""
        return "".join(
            f'<path d="M{_LEFT} {self.y(value):.1f}H{_WIDTH}" stroke="var(--line)"/>'
            f'<text x="{_LEFT - 6}" y="{self.y(value) + 4:.1f}" text-anchor="end">{form.format(value)}</text>'
            for value in values
        )


def _bars(values: Sequence[float], axis: _Axis) -> str:
    step = (_WIDTH - _LEFT) / max(len(values), 1)
    gap = min(3.0, step * 0.25)
    bars = []
    for place, value in enumerate(values):
        top, bottom = sorted((axis.y(value), axis.y(0.0)))
        bars.append(
            f'<rect x="{_LEFT + place * step + gap / 2:.2f}" y="{top:.2f}" width="{step - gap:.2f}" '
            f'height="{max(bottom - top, 0.5):.2f}" fill="{_colour(value)}"/>'
        )
    return "".join(bars)


def _colour(value: float) -> str:
    return "var(--a)" if value > 0 else "var(--b)" if value < 0 else "currentColor"


def _svg(text: str, body: str) -> str:
    label = html.escape(text, quote=True)
    size = f'viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}"'
    picture = f'<svg {size} role="img" aria-label="{label}">{body}</svg>'
    return f'{picture}<p class="quiet">{html.escape(text)}.</p>'


PAGE = """
:root{color-scheme:light}
body{margin:0;background:#fff;color:#1c1c1c;
 font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main.rt{max-width:60rem;margin:0 auto;padding:2.2rem 1.4rem 3rem;font-size:15px;color:#1c1c1c}
h1{font-size:1.75rem;line-height:1.2;margin:0 0 .2rem}
.rt h2{font-size:1.2rem;margin:2rem 0 .5rem;padding-top:.7rem;border-top:1px solid var(--line)}
.rt table{width:100%;font-size:14px}
.rt svg{width:100%}
.rt caption{font-size:15px}
.rt .notes{border-left:3px solid var(--a);padding:.1rem 0 .1rem .9rem}
.rt ul{margin:.2rem 0;padding-left:1.2rem}
.rt .end{margin-top:2.5rem;font-size:12px}
.rt tr.error td:first-child,.rt tr.warning td:first-child{font-weight:700}
@media screen and (prefers-color-scheme:dark){
 :root{color-scheme:dark} body{background:#15181d} main.rt{color:#e4e6ea;--a:#5ab4ec;--b:#ff9a4d}
}
@page{size:A4;margin:14mm 15mm}
@media print{
 body{font-size:10.5pt} main.rt{max-width:none;padding:0;font-size:10.5pt}
 .rt table{font-size:9pt} .rt.rt.rt td,.rt.rt.rt th{padding-top:.13em;padding-bottom:.13em}
 .rt .scroll{overflow:visible} .rt h2{margin-top:1.3rem}
 thead{display:table-header-group} h1,h2,caption,svg{break-after:avoid}
 .rt h2.apart{break-before:page;margin-top:0;padding-top:0;border-top:0}
 tr,svg,ul,.notes,.scroll:not(:has(tbody tr:nth-child(13))){break-inside:avoid}
 .rt ul{font-size:9.5pt;line-height:1.4} .rt .end{margin-top:.8rem;break-before:avoid}
 *{print-color-adjust:exact;-webkit-print-color-adjust:exact}
}
"""
