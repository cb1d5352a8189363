"""Runs and judgments: read them, find what is wrong with them, evaluate them.

A *run* is what a system returned: for each query the documents with their scores. *Judgments* (qrels) say how
relevant a document is to a query. Both come from TREC files here and act as dictionaries, {query_id: {doc_id:
number}}.
"""

from rankedu.trec._read import QRELS, RUN, read_trec
from rankedu.trec._tables import Qrels, Run

__all__ = ["Qrels", "Run", "read_qrels", "read_run"]


def read_run(path) -> Run:
    """The run in a TREC file, one line for each document: `query Q0 document rank score tag`.

    Gzip, a byte-order mark, tabs, blank lines, Windows line ends and further columns are read through; scores
    may be inf or nan (`evaluate` refuses nan). A line that cannot be read is a ValueError with file, line
    number and text.
    """
    return read_trec(path, RUN)


def read_qrels(path) -> Qrels:
    """The judgments in a TREC file, one line for each document: `query iteration document grade`.

    Grades may be fractions; a negative one means judged and not relevant. Reads through what `read_run` reads
    through. A line that cannot be read is a ValueError with file, line number and text.
    """
    return read_trec(path, QRELS)
