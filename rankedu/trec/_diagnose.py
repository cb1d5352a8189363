"""Finding what is wrong with a run and judgments before believing a score."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np

from rankedu.trec._evaluate import rank
from rankedu.trec._match import Match
from rankedu.trec._read import BadRow
from rankedu.trec._show import Listing
from rankedu.trec._sources import as_qrels, as_run
from rankedu.trec._tables import Qrels, Run, Table, brief, count
from rankedu.trec._texts import Texts

SHOWN = 3  # examples of a finding
HIGHEST_GRADE = 10  # scales of relevance end at 4 or 5, ratings at 10; beyond, another column is likely
SEVERITIES = ("error", "warning", "note")


class Finding(NamedTuple):
    """One thing found.

    severity : "error" (`evaluate` refuses the data), "warning" (the scores may not mean what they seem to) or
    "note" kind : what it is, in one or two words joined by hyphens count : how many rows, documents or
    queries it concerns message : what was found and what it does to the scores examples : a few of them, as
    text
    """

    severity: str
    kind: str
    count: int
    message: str
    examples: tuple[str, ...]


class Diagnosis(Listing):
    """The findings about a run and judgments, gravest first: a sequence of `Finding`, shown as a table."""

    def __init__(self, findings: Iterable[Finding]):
        rows = sorted(findings, key=lambda finding: SEVERITIES.index(finding.severity))
        columns = {
            "severity": ("", str),
            "message": ("finding", str),
            "examples": ("for example", "; ".join),
        }
        super().__init__(columns, rows)
        self.title = self.summary

    @property
    def summary(self) -> str:
        """One sentence: how many findings of which severity."""
        if not self.rows:
            return "Nothing found: the run and the judgments fit each other."
        counts = [
            count(number, severity)
            for severity in SEVERITIES
            if (number := sum(row.severity == severity for row in self.rows))
        ]
        refused = ": evaluate() refuses this data until the errors are mended."
        return ", ".join(counts) + (refused if self.refused else ", no error.")

    @property
    def refused(self) -> bool:
        """Whether `evaluate` refuses the data."""
        return any(row.severity == "error" for row in self.rows)

    @property
    def kinds(self) -> list[str]:
        """The kind of each finding."""
        return [row.kind for row in self.rows]

    def __str__(self) -> str:
        lines = [self.summary]
        for row in self.rows:
            lines.append(f"{row.severity:<8} {row.message}")
            if row.examples:
                lines.append(f"{'':<8} for example {'; '.join(row.examples)}")
        return "\n".join(lines)

    def element(self, row_class=None) -> str:
        return (
            super().element(row_class or (lambda row: row.severity)) if self.rows else f"<p>{self.title}</p>"
        )


def diagnose(qrels, run, k: int = 10) -> Diagnosis:
    """Everything that is wrong or odd about a run and judgments, the gravest first.

    Takes what `evaluate` takes and never raises on what they hold: lines that cannot be read, duplicates,
    nan, ids that do not match are findings. Rows that are faulty are left out of the findings below them.

    k : the depth to which unjudged documents and short lists are looked for, a whole number of at least 1.

    >>> print(diagnose({"q1": {"D1": 1}}, {"q1": {"d1": 0.5, "d2": 0.5}}))
    3 warnings, 1 note, no error.
    ...
    """
    if isinstance(k, bool) or not isinstance(k, (int, np.integer)):
        raise TypeError(f"k must be a whole number of at least 1; got {k!r}")
    if k < 1:
        raise ValueError(f"k must be a whole number of at least 1; got {k!r}")
    findings: list[Finding] = []
    judgments = _read(as_qrels, qrels, Qrels, findings)
    returned = _read(as_run, run, Run, findings)
    if judgments is not None and returned is not None:
        findings += inspect(Match(judgments, returned), k)
    return Diagnosis(findings)


def inspect(match: Match, k: int) -> Diagnosis:
    """The findings about a run and judgments that could be read."""
    findings = [*_faults(match)]
    match = _without_faults(match)
    findings += [*_grades(match.qrels), *_scores(match.run), *_order(match.run)]
    if match.qrels.n_rows and match.run.n_rows:
        findings += [*_queries(match), *_ids(match), *_documents(match, k)]
    return Diagnosis(findings)


# ---------------------------------------------------------------- what makes evaluate refuse


def _read(read: Callable, source, table: type[Table], findings: list[Finding]) -> Table | None:
    bad: list[BadRow] = []
    try:
        result = read(source, bad=bad)
    except ValueError as error:
        findings.append(Finding("error", f"unreadable-{table.kind}", 1, str(error), ()))
        return None
    if bad:
        examples = tuple(f"{row.place}: {row.reason}: {row.text}" for row in bad[:SHOWN])
        message = f"{count(len(bad), 'row')} of the {table.kind} cannot be read; what follows leaves them out"
        findings.append(Finding("error", f"unreadable-{table.kind}", len(bad), message, examples))
    return result


def _faults(match: Match) -> Iterable[Finding]:
    for table, duplicates in ((match.qrels, match.qrels_duplicates), (match.run, match.run_duplicates)):
        if len(duplicates):
            message = (
                f"{count(len(duplicates), 'duplicate')} in the {table.kind}: a document that its query has "
                "already; each copy would be credited"
            )
            yield _about_rows("error", f"duplicate-in-{table.kind}", message, table, duplicates)
    bad = np.flatnonzero(~np.isfinite(match.qrels.grades))
    if len(bad):
        message = f"{count(len(bad), 'grade')} nan or infinite: a grade is a number of at least 0"
        yield _about_rows("error", "grade-not-a-number", message, match.qrels, bad, numbers=True)
    bad = np.flatnonzero(np.isnan(match.run.scores))
    if len(bad):
        message = f"{count(len(bad), 'score')} nan: no place in an order"
        yield _about_rows("error", "nan-score", message, match.run, bad)
    if not match.qrels.n_rows:
        yield Finding(
            "error", "empty-judgments", 0, "the judgments are empty: nothing to evaluate against", ()
        )
    if not match.run.n_rows:
        yield Finding("warning", "empty-run", 0, "the run is empty: every query counts 0", ())


def _about_rows(
    severity: str, kind: str, message: str, table: Table, rows: np.ndarray, numbers: bool = False
) -> Finding:
    examples = []
    for row in rows[:SHOWN].tolist():
        line = table.line_of(row)
        text = f"query {brief(table.query_ids[table.query_index[row]])}, document {brief(table.docs[row])}"
        if numbers:
            text += f": {table.numbers[row]:g}"
        examples.append(text + (f" (line {line})" if line else ""))
    return Finding(severity, kind, len(rows), message, tuple(examples))


def _without_faults(match: Match) -> Match:
    qrels_good = np.isfinite(match.qrels.grades)
    qrels_good[match.qrels_duplicates] = False
    run_good = ~np.isnan(match.run.scores)
    run_good[match.run_duplicates] = False
    if qrels_good.all() and run_good.all():
        return match
    return Match(match.qrels.subset(qrels_good), match.run.subset(run_good))


# ---------------------------------------------------------------- the judgments alone


def _grades(qrels: Qrels) -> Iterable[Finding]:
    grades = qrels.grades
    if not len(grades):
        return
    negative = np.flatnonzero(grades < 0)
    if len(negative):
        message = f"{count(len(negative), 'grade')} out of range, below 0: judged and not relevant"
        yield _about_rows("note", "negative-grade", message, qrels, negative, numbers=True)
    high = np.flatnonzero(grades > HIGHEST_GRADE)
    if len(high):
        message = (
            f"{count(len(high), 'grade')} out of range, above {HIGHEST_GRADE} and up to {grades.max():g}: is "
            "this column the grade? Such a document outweighs all others, the more under exponential gain"
        )
        yield _about_rows("warning", "high-grade", message, qrels, high, numbers=True)
    if not (grades >= 1).any():
        message = f"no grade reaches 1 (the highest is {grades.max():g}): no document counts as relevant"
        yield Finding("warning", "nothing-relevant", len(grades), message, ())
    elif (grades >= 1).all() and grades.max() > 1:
        message = (
            f"every grade is 1 or more (up to {grades.max():g}): in P, R, AP and RR every judged document "
            "counts as relevant. Ratings need a threshold, such as AP(rel=4)"
        )
        yield Finding("warning" if grades.max() > 3 else "note", "all-relevant", len(grades), message, ())
    fractions = np.flatnonzero((grades > 0) & (grades < 1))
    if len(fractions):
        message = (
            f"{count(len(fractions), 'grade')} between 0 and 1: gain in nDCG, not relevant in P, R, AP, RR"
        )
        yield _about_rows("note", "grade-below-1", message, qrels, fractions, numbers=True)


# ---------------------------------------------------------------- the run alone


def _scores(run: Run) -> Iterable[Finding]:
    """Scores that do not order the documents."""
    order = np.lexsort((run.scores, run.query_index))
    query, score = run.query_index[order], run.scores[order]
    tied = (query[1:] == query[:-1]) & (score[1:] == score[:-1])
    if not tied.any():
        return
    n_queries = len(run.query_ids)
    sizes = np.bincount(query, minlength=n_queries)
    ties = np.bincount(query[1:][tied], minlength=n_queries)
    constant = (sizes > 1) & (ties == sizes - 1)
    if constant.any():
        message = (
            f"constant scores in {count(int(constant.sum()), 'query')} of {n_queries:,}, the same for all "
            "documents: the order is that of the ids, not the system's; ties='mean' gives the chance value"
        )
        yield Finding("warning", "constant-scores", int(constant.sum()), message, _named(run, constant))
    some = (ties > 0) & ~constant
    if some.any():
        rows = int(ties[some].sum())
        message = (
            f"{count(rows, 'document')} in {count(int(some.sum()), 'query')} with the score of another one: "
            "ordered by document id, or as ties= says"
        )
        yield Finding("note", "tied-scores", rows, message, _named(run, some))


def _order(run: Run) -> Iterable[Finding]:
    """Scores that contradict the rank column, or the order of the rows where there is none."""
    ranks = run.ranks
    by_rank = ranks is not None and not np.isnan(ranks).any()
    order = np.lexsort((ranks if by_rank else np.arange(run.n_rows), run.query_index))
    query, score = run.query_index[order], run.scores[order]
    same = query[1:] == query[:-1]
    n_queries = len(run.query_ids)
    rises, falls = (
        np.bincount(query[1:][same & change], minlength=n_queries)
        for change in (score[1:] > score[:-1], score[1:] < score[:-1])
    )
    ascending = (rises > 0) & (falls == 0)
    ordered = (rises + falls) > 0
    enough = 2 if by_rank else 10  # the order of rows is weaker evidence than a rank column
    if ascending.sum() > 0.9 * ordered.sum() and rises.sum() >= enough:
        towards = "with the rank" if by_rank else "from each query's first row to its last"
        what = "they are the ranks themselves" if by_rank and (run.scores == ranks).all() else "distances?"
        message = (
            f"the scores rise {towards} in {count(int(ascending.sum()), 'query')} ({what}). The highest "
            "score ranks first, so these rankings are upside down: negate the scores"
        )
        yield Finding("warning", "ascending-scores", int(ascending.sum()), message, _named(run, ascending))
    elif by_rank and (rises > 0).any():
        message = (
            f"the rank column disagrees with the scores in {count(int((rises > 0).sum()), 'query')}: "
            "the scores decide"
        )
        yield Finding("warning", "ranks-disagree", int((rises > 0).sum()), message, _named(run, rises > 0))


def _named(table: Table, queries: np.ndarray) -> tuple[str, ...]:
    return tuple(f"query {brief(table.query_ids[i])}" for i in np.flatnonzero(queries)[:SHOWN])


# ---------------------------------------------------------------- the two together


def _queries(match: Match) -> Iterable[Finding]:
    judged, returned = match.rows_judged > 0, match.rows_returned > 0
    missing, extra = match.missing_queries, match.extra_queries
    if not (judged & returned).any():
        message = "no query is in both the run and the judgments"
        examples = (f"run: {', '.join(map(brief, extra[:SHOWN]))}",)
        examples += (f"judgments: {', '.join(map(brief, missing[:SHOWN]))}",)
        yield Finding("error", "no-common-query", 0, message, examples)
        return
    if missing:
        missed = f"{count(len(missing), 'query')} of {judged.sum():,}"
        message = f"{missed} missing from the run, judged but not answered: counts 0"
        yield Finding("warning", "missing-queries", len(missing), message, _ids_shown(missing))
    if extra:
        message = f"{count(len(extra), 'query')} extra, answered but not judged: left out of every mean"
        yield Finding("note", "extra-queries", len(extra), message, _ids_shown(extra))
    best = np.zeros(len(match.query_ids))
    np.maximum.at(best, match.qrels_query, match.qrels.grades)
    nothing = match.queries_where(judged & (best < 1))
    if nothing:
        message = (
            f"{count(len(nothing), 'query')} without a relevant judgment (grade 1 or more): recall, AP and "
            "F1 are 0/0 there, and undefined= says what that counts"
        )
        yield Finding("note", "nothing-relevant-in-query", len(nothing), message, _ids_shown(nothing))


def _ids_shown(ids: list[str]) -> tuple[str, ...]:
    return tuple(map(brief, ids[:SHOWN]))


def _documents(match: Match, k: int) -> Iterable[Finding]:
    """Unjudged documents and short lists, over the queries that are both judged and answered."""
    shared = (match.rows_judged > 0) & (match.rows_returned > 0)
    if not shared.any():
        return
    records = rank(match, "docid")
    returned = np.minimum(records.num_retrieved(), k)
    unjudged = records.total_at_k(~match.judged, k)
    share = unjudged.sum() / returned.sum()
    if not match.judged.any():
        message = "not one document of the run was judged: every score is 0. Do the document ids match?"
        examples = (f"run: {brief(match.run.docs[0])}", f"judgments: {brief(match.qrels.docs[0])}")
        yield Finding("warning", "unjudged", int(unjudged.sum()), message, examples)
    elif share > 0:
        message = (
            f"{share:.1%} of the top {k} unjudged, {int(unjudged.sum()):,} of {int(returned.sum()):,}: "
            "every metric counts them not relevant, so the run may be better than its scores"
        )
        worst = np.argsort(-unjudged, kind="stable")[:SHOWN]
        examples = tuple(
            f"query {brief(records.query_ids[i])}: {unjudged[i]:.0f} of {returned[i]}"
            for i in worst
            if unjudged[i]
        )
        severity = "warning" if share >= 0.1 else "note"
        yield Finding(severity, "unjudged", int(unjudged.sum()), message, examples)
    short = (returned > 0) & (returned < k)
    if short.any():
        message = (
            f"{count(int(short.sum()), 'query')} with fewer than {k} documents: P@{k} still divides by {k}"
        )
        examples = tuple(
            f"query {brief(records.query_ids[i])}: {returned[i]}" for i in np.flatnonzero(short)[:SHOWN]
        )
        yield Finding("note", "short-lists", int(short.sum()), message, examples)


# ---------------------------------------------------------------- ids that nearly match


def _unpadded(text: str) -> str:
    """Without white space around and without leading zeros of a number."""
    return re.sub(r"(?<![\d.])0+(?=\d)", "", " ".join(text.split()))


def _untyped(text: str) -> str:
    """Without what other types leave behind when they become text: 12.0, b'x', "x"."""
    text = re.sub(r"^b?(['\"])(.*)\1$", r"\2", text)
    return re.sub(r"^(\d+)\.0+$", r"\1", text)


def _composed(text: str) -> str:
    return unicodedata.normalize("NFKC", text)


def _plainest(text: str) -> str:
    return _unpadded(_untyped(_composed(text).strip())).casefold()


DIFFERENCES: dict[str, Callable[[str], str]] = {
    "case": str.casefold,
    "padding (white space, leading zeros)": _unpadded,
    "type (12 and 12.0, quotes)": _untyped,
    "how their letters are coded (Unicode)": _composed,
    "case, padding, type and coding together": _plainest,
}


def _ids(match: Match) -> Iterable[Finding]:
    shared = set(match.run.query_ids) & set(match.qrels.query_ids)
    yield from _near_misses("query", set(match.extra_queries), set(match.qrels.query_ids) - shared)
    known = _unique(match.qrels.docs)
    unknown = _unique(match.run.docs.take(~match.judged)) - known
    yield from _near_misses("document", unknown, known)


def _unique(docs: Texts) -> set[str]:
    return set(docs.tolist())


def _near_misses(what: str, returned: set[str], judged: set[str]) -> Iterable[Finding]:
    """Ids of the run that are not in the judgments but would be if one kind of difference did not count."""
    left = returned
    for difference, plain in DIFFERENCES.items():
        if not left or not judged:
            return
        forms = {plain(judged_id): judged_id for judged_id in sorted(judged)}
        pairs = {run_id: forms[plain(run_id)] for run_id in sorted(left) if plain(run_id) in forms}
        if pairs:
            ids = count(len(pairs), f"{what} id")
            message = f"{ids} of the run that would match a judged one but for {difference}"
            examples = tuple(
                f"{brief(mine)} in the run, {brief(theirs)} judged" for mine, theirs in pairs.items()
            )
            yield Finding("warning", f"{what}-ids-differ", len(pairs), message, examples[:SHOWN])
        left = left - set(pairs)
