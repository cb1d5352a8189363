"""Evaluating a run: every query's value of every measure, and their means."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from rankedu import batch
from rankedu.trec._match import Match
from rankedu.trec._measures import ByMeasure, Measure, parse_measure
from rankedu.trec._progress import Progress
from rankedu.trec._show import Listing, query_texts
from rankedu.trec._sources import as_qrels, as_run
from rankedu.trec._tables import Table, brief, count

if TYPE_CHECKING:
    from rankedu.trec._diagnose import Diagnosis
    from rankedu.trec._report import Report

MEASURES = ("nDCG@10", "AP", "RR@10")
TIES = {
    "docid": "ties by document id, descending",
    "input": "ties in input order",
    "mean": "ties at their mean over every order",
}
UNDEFINED = {"zero": "counted 0", "one": "counted 1", "nan": "left out"}


def evaluate(qrels, run, measures=MEASURES, *, ties: str = "docid", undefined: str = "zero") -> Result:
    """The run's value of each measure: for every query with judgments, and on average over these queries.

    Parameters
    ----------
    qrels, run
        Judgments and run: paths of TREC files or of CSV or TSV files with named columns, data frames (pandas,
        polars), {query: {document: number}}, rows (query, document, number), or what `read_qrels` and
        `read_run` gave. Ids are compared as text; ints are turned into text.
    measures : str, or a sequence of str
        As ir_measures writes them: nDCG@10, AP, RR@10, P@5, R@100, Success@1, P(rel=2)@5,
        nDCG(dcg='exp-log2')@10; also F1@5, DCG@10, NumRet, NumRel, NumRelRet (these three are totals over the
        queries, as in trec_eval).
    ties : "docid", "input" or "mean"
        Documents with equal scores: by id, descending (trec_eval's rule); as they came; or the exact mean of
        every measure over every order of them.
    undefined : "zero", "one" or "nan"
        The value of a query for which nothing relevant was judged, where the measure is 0/0. A mean skips
        nan.

    Returns
    -------
    Result
        .means {measure: value}, .per_query {measure: {query_id: value}}, .report(), .table().

    Raises
    ------
    ValueError
        A document twice in one query, a nan score, a grade that is nan or infinite, empty judgments, no query
        in common, an unknown measure. The message names query and document. `diagnose` lists everything at
        once.

    Notes
    -----
    A query that was judged and not answered counts 0, as under trec_eval's -c; a query that was answered and
    not judged is left out and reported. Unjudged documents count as not relevant and hold their rank. A
    negative grade counts as judged and not relevant.

    Examples
    --------
    >>> qrels = {"q1": {"d1": 2, "d2": 1}, "q2": {"d1": 1}}
    >>> run = {"q1": {"d2": 0.9, "d3": 0.8, "d1": 0.7}}
    >>> result = evaluate(qrels, run, ["nDCG@10", "RR"])
    >>> result.per_query["nDCG@10"]
    {'q1': 0.76..., 'q2': 0.0}
    >>> result.means["RR"]
    0.5
    >>> result.missing_queries
    ['q2']
    """
    measures = _parse_measures(measures)
    for name, value, allowed in (("ties", ties, TIES), ("undefined", undefined, UNDEFINED)):
        if not isinstance(value, str):
            raise TypeError(f"{name} must be one of {', '.join(map(repr, allowed))}; got {value!r}")
        if value not in allowed:
            raise ValueError(f"{name} must be one of {', '.join(map(repr, allowed))}; got {value!r}")
    qrels, run = as_qrels(qrels), as_run(run)
    with Progress("evaluating", len(measures) + 2, "step") as progress:
        match = Match(qrels, run)
        refuse_bad_data(match)
        progress.step()
        records = rank(match, ties)
        progress.step()
        values = {}
        for measure in measures:
            values[measure] = measure.values(records, undefined)
            progress.step()
    return Result(match, records, values, undefined)


def _parse_measures(measures) -> list[Measure]:
    if isinstance(measures, (str, Measure)) or not hasattr(measures, "__iter__"):
        measures = [measures]
    parsed = [parse_measure(measure) for measure in measures]
    if not parsed:
        raise ValueError("measures must name at least one measure, such as 'nDCG@10'; got none")
    return list(dict.fromkeys(parsed))


def refuse_bad_data(match: Match) -> None:
    """Raises the first fault that leaves no right score; warns of an empty run."""
    qrels, run = match.qrels, match.run
    if not qrels.n_rows:
        raise ValueError(f"the judgments are empty{_of(qrels)}; there is nothing to evaluate against")
    for table, duplicates in ((qrels, match.qrels_duplicates), (run, match.run_duplicates)):
        if len(duplicates):
            raise ValueError(_duplicate(table, int(duplicates[0]), len(duplicates)))
    bad = np.flatnonzero(~np.isfinite(qrels.grades))
    if len(bad):
        raise ValueError(
            f"the judgments give {_where(qrels, bad[0])} the grade {qrels.grades[bad[0]]}; a grade must be a "
            "finite number: leave out what was not judged"
        )
    bad = np.flatnonzero(np.isnan(run.scores))
    if len(bad):
        raise ValueError(f"the run gives {_where(run, bad[0])} the score nan, which has no place in an order")
    if not run.n_rows:
        warnings.warn(
            f"the run{_of(run)} is empty: each of its {count(len(qrels), 'query')} counts 0", stacklevel=3
        )
    elif not ((match.rows_judged > 0) & (match.rows_returned > 0)).any():
        raise ValueError(
            f"no query is in both the run and the judgments: the run has {_some(match.extra_queries)}, "
            f"the judgments have {_some(match.missing_queries)}"
        )


def _of(table: Table) -> str:
    return f" ({table.source})" if table.source else ""


def _where(table: Table, row: int) -> str:
    """'document 'd1' of query 'q1' (line 7 of run.txt)'."""
    query = table.query_ids[table.query_index[row]]
    line = table.line_of(int(row))
    place = f" (line {line} of {table.source})" if line else ""
    return f"document {brief(table.docs[row])} of query {brief(query)}{place}"


def _duplicate(table: Table, row: int, several: int) -> str:
    query, doc = table.query_ids[table.query_index[row]], table.docs[row]
    rows = [other for other in table.rows_of(query).tolist() if table.docs[other] == doc]
    lines = [str(line) for other in rows if (line := table.line_of(other))]
    place = f" (lines {' and '.join(lines)} of {table.source})" if lines else ""
    more = f"; {several - 1:,} more such rows" if several > 1 else ""
    return (
        f"document {brief(doc)} stands {len(rows)} times in query {brief(query)} of the {table.kind}{place}"
        f"{more}: each copy would be credited"
    )


def _some(ids: list[str]) -> str:
    return ", ".join(map(brief, ids[:3])) + (f" ... ({len(ids):,})" if len(ids) > 3 else "")


def rank(match: Match, ties: str) -> batch.Records:
    """The run's documents with their grades, ranked query by query."""
    judged = match.qrels_query, np.maximum(match.qrels.grades, 0.0)
    return batch.Records(
        match.run_query,
        match.grades,
        match.run.scores,
        judged=judged,
        names=match.query_ids,
        doc_ids=match.run.docs if ties == "docid" else None,
        ties=ties,
    )


class Result:
    """What `evaluate` found.

    means : {measure: mean over the queries}; totals for NumRet, NumRel and NumRelRet
    per_query : {measure: {query_id: value}}
    query_ids : the queries with judgments, in the order of the judgments: those averaged over
    undefined_queries : {measure: [query_id]}, those that are 0/0 under the measure
    missing_queries : judged and not answered; each counts 0
    extra_queries : answered and not judged; left out
    ties, undefined : the conventions asked for
    run, qrels : the tables evaluated
    name : the run's name

    In a notebook it shows its report.
    """

    def __init__(
        self, match: Match, records: batch.Records, values: dict[Measure, np.ndarray], undefined: str
    ):
        self._match, self._records, self._values = match, records, values
        self.run, self.qrels = match.run, match.qrels
        self.ties, self.undefined = records.ties, undefined
        self.name = match.run.name
        self.query_ids = list(records.query_ids)
        self.missing_queries = match.missing_queries
        self.extra_queries = match.extra_queries
        self.undefined_queries = ByMeasure()
        self.means, self.per_query = ByMeasure(), ByMeasure()
        for measure, numbers in values.items():
            zero_by_zero = measure.undefined_queries(records)
            self.undefined_queries[str(measure)] = [self.query_ids[i] for i in np.flatnonzero(zero_by_zero)]
            self.means[str(measure)] = float(numbers.sum()) if measure.kind.total else batch.mean(numbers)
            self.per_query[str(measure)] = dict(zip(self.query_ids, numbers.tolist(), strict=True))

    @property
    def measures(self) -> list[str]:
        """The names of the measures, in the order in which they were asked for."""
        return list(self.means)

    @property
    def n_queries(self) -> int:
        """The number of queries with judgments."""
        return len(self.query_ids)

    def describe(self, measure: str) -> str:
        """The measure with every convention that its number rests on, in one line.

        >>> result = evaluate({"q": {"d": 1}, "r": {"d": 0}}, {"q": {"d": 1.0}, "r": {"d": 1.0}}, "nDCG@10")
        >>> result.describe("nDCG@10")
        'nDCG@10, linear gain, ties by document id, descending, mean over 2 queries, 1 counted 0'
        """
        measure = parse_measure(measure)
        self.means[str(measure)]
        touched = len(self.undefined_queries[str(measure)])
        averaged = self.n_queries - (touched if self.undefined == "nan" else 0)
        parts = [str(measure), measure.convention, TIES[self.ties]]
        parts.append(f"{'total' if measure.kind.total else 'mean'} over {count(averaged, 'query')}")
        if touched:
            parts.append(f"{touched:,} {UNDEFINED[self.undefined]}")
        return ", ".join(parts)

    @cached_property
    def diagnosis(self) -> Diagnosis:
        """What is odd about the run and the judgments, though not so odd that `evaluate` refuses them."""
        from rankedu.trec._diagnose import inspect

        cutoffs = [measure.k for measure in self._values if measure.k]
        return inspect(self._match, cutoffs[0] if cutoffs else 10)

    def table(self, queries: Mapping | None = None) -> Listing:
        """Every query with its values, as a table; queries: {query_id: text}, to show what was asked.

        A sequence of tuples: the query id, its text if there is one, and a value for each measure.
        """
        number, queries = "{:.4f}".format, query_texts(queries)
        columns = [("query", str), *([("text", str)] if queries else [])]
        columns += [
            (str(measure), "{:.0f}".format if measure.kind.total else number) for measure in self._values
        ]
        rows = [
            (query, *([queries.get(query, "")] if queries else []), *values)
            for query, *values in zip(
                self.query_ids, *(v.tolist() for v in self._values.values()), strict=True
            )
        ]
        return Listing(dict(enumerate(columns)), rows, f"{self.name}, query by query")

    def report(self, **choices) -> Report:
        """Means, conventions, diagnosis and every query, for a notebook, as text or to save.

        Arguments as in `Report`: title, notes, queries. `print(result.report())` gives plain text,
        `result.report().save("report.html")` a page to send.
        """
        from rankedu.trec._report import Report

        return Report([self], **choices)

    def to_html(self, path, **choices) -> Path:
        """Writes the report to a file that can be sent: one page of HTML that needs nothing else."""
        return self.report(**choices).save(path)

    def __repr__(self) -> str:
        return str(self.report())

    def _repr_html_(self) -> str:
        return self.report()._repr_html_()
