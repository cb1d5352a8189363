"""Runs and judgments: read them, find what is wrong with them, evaluate them, compare two of them.

A *run* is what a system returned: for each query the documents with their scores. *Judgments* (qrels) say how
relevant a document is to a query. Both come from TREC files, CSV, data frames, dictionaries or rows, and act
as dictionaries, {query_id: {doc_id: number}}. `rankedu.batch` does the ranking and the arithmetic.
"""

from rankedu.trec._compare import Comparison, Difference, compare
from rankedu.trec._diagnose import Diagnosis, Finding, diagnose
from rankedu.trec._evaluate import Result, evaluate
from rankedu.trec._measures import Measure, parse_measure
from rankedu.trec._report import Report
from rankedu.trec._sources import as_qrels, as_run
from rankedu.trec._tables import Qrels, Run

__all__ = ["Comparison", "Diagnosis", "Difference", "Finding", "Measure", "Qrels", "Report", "Result", "Run"]
__all__ += ["compare", "diagnose", "evaluate", "parse_measure", "read_qrels", "read_run"]


def read_run(source, *, columns: dict | None = None) -> Run:
    """The run that a source holds, usable as {query_id: {doc_id: score}}.

    Parameters
    ----------
    source
        The path of a TREC file, one line for each document, `query Q0 document rank score tag`; the path of a
        CSV or TSV file with a header; a data frame (pandas, polars); {query: {document: score}}; or rows
        (query, document, score). Gzip, a byte-order mark, tabs, blank lines, Windows line ends and further
        columns of a TREC file are read through. Scores may be inf or nan (`evaluate` refuses nan).
    columns : dict, optional
        Which named column of a file, a frame or a dictionary of columns, or which named field of rows, holds
        what, where the names do not say: {"query_id": ..., "doc_id": ..., "score": ...}.

    Raises
    ------
    ValueError, TypeError
        For a line that cannot be read: with file, line number and text. For a row: with its number and
        content.

    Examples
    --------
    >>> run = read_run([("q1", "d1", 0.9), ("q1", "d2", 0.8)])
    >>> run["q1"]
    {'d1': 0.9, 'd2': 0.8}
    """
    return as_run(source, columns)


def read_qrels(source, *, columns: dict | None = None) -> Qrels:
    """The judgments that a source holds, usable as {query_id: {doc_id: grade}}.

    The source is as in `read_run`, with a grade for the score; a line of a TREC file is
    `query iteration document grade`. Grades may be fractions; a negative one means judged and not relevant.
    columns: {"query_id": ..., "doc_id": ..., "grade": ...}.

    >>> read_qrels({"q1": {"d1": 2, "d2": 0}})["q1"]
    {'d1': 2, 'd2': 0}
    """
    return as_qrels(source, columns)
