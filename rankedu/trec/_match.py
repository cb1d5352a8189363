"""Which documents of a run were judged: the two tables joined by query and document."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from rankedu.trec._tables import Qrels, Run, Table
from rankedu.trec._texts import pieces

_MIX = np.uint64(0xD6E8FEB86659FD93)
_SHIFT = np.uint64(32)


class Match:
    """A run beside judgments.

    query_ids : the queries of the judgments in their order, then those that only the run has
    qrels_query, run_query : (n_rows,) int64, the position in query_ids of each row's query
    judgment : (n_run_rows,) int64, the row of the judgments with the same query and document, -1 if there is
    none qrels_duplicates, run_duplicates : rows whose query and document stand in an earlier row
    """

    def __init__(self, qrels: Qrels, run: Run):
        self.qrels, self.run = qrels, run
        positions = {query_id: position for position, query_id in enumerate(qrels.query_ids)}
        new = [positions.setdefault(query_id, len(positions)) for query_id in run.query_ids]
        self.query_ids = list(positions)
        self.qrels_query = qrels.query_index.astype(np.int64)
        self.run_query = np.array(new, dtype=np.int64)[run.query_index]
        judged, returned = _Keys(qrels, self.qrels_query), _Keys(run, self.run_query)
        self.qrels_duplicates, self.run_duplicates = judged.duplicates, returned.duplicates
        self.judgment = returned.rows_in(judged)

    @cached_property
    def judged(self) -> np.ndarray:
        """Whether each row of the run was judged: (n_run_rows,) bool."""
        return self.judgment >= 0

    @cached_property
    def grades(self) -> np.ndarray:
        """The grade of each row of the run: 0 where it was not judged, and for a negative one."""
        grades = np.maximum(self.qrels.grades, 0.0)
        if not len(grades):
            return np.zeros(len(self.judgment))
        return np.where(self.judged, grades[self.judgment], 0.0)

    @cached_property
    def rows_judged(self) -> np.ndarray:
        """The number of judgments of each query of query_ids."""
        return np.bincount(self.qrels_query, minlength=len(self.query_ids))

    @cached_property
    def rows_returned(self) -> np.ndarray:
        """The number of documents that the run returned for each query of query_ids."""
        return np.bincount(self.run_query, minlength=len(self.query_ids))

    @cached_property
    def fingerprints(self) -> dict[str, tuple[int, int]]:
        """{query_id: (number of judgments, a sum over them)}: equal for equal judgments in whatever order."""
        grades = np.asarray(self.qrels.grades, dtype=np.float64) + 0.0  # the zero of -0.0
        rows = _mixed(self.qrels.docs.hashes(), grades.view(np.uint64))
        sums = np.zeros(len(self.query_ids), dtype=np.uint64)
        np.add.at(sums, self.qrels_query, rows)
        both = zip(self.query_ids, zip(self.rows_judged.tolist(), sums.tolist(), strict=True), strict=True)
        return {query_id: judged for query_id, judged in both if judged[0]}

    def queries_where(self, condition: np.ndarray) -> list[str]:
        """The ids of the queries for which the condition, one bool each, holds."""
        return [self.query_ids[position] for position in np.flatnonzero(condition)]

    @property
    def missing_queries(self) -> list[str]:
        """Queries with judgments for which the run returned nothing."""
        return self.queries_where((self.rows_judged > 0) & (self.rows_returned == 0))

    @property
    def extra_queries(self) -> list[str]:
        """Queries of the run without judgments."""
        return self.queries_where((self.rows_judged == 0) & (self.rows_returned > 0))


def _mixed(hashes: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """A uint64 for each pair of a hash and a number, both uint64: equal for equal pairs, hardly ever else."""
    mixed = (hashes ^ (numbers * _MIX)) * _MIX
    return mixed ^ (mixed >> _SHIFT)


class _Keys:
    """One 64-bit key for each (query, document) row of a table, sorted, so that equal rows are neighbours.

    Different rows may share a key, though hardly ever: rows count as equal when their ids are, never by key
    alone.
    """

    def __init__(self, table: Table, query: np.ndarray):
        self.table, self.query = table, query
        key = table.docs.hashes()
        for rows in pieces(len(key)):  # mixes in the query
            key[rows] = _mixed(key[rows], query[rows].astype(np.uint64))
        self.order = np.argsort(key)
        self.key = key[self.order]
        self.collision = False
        self.duplicates = np.empty(0, dtype=np.int64)
        if (self.key[1:] == self.key[:-1]).any():
            self.order = np.argsort(key, kind="stable")  # slower, and the first of equal rows comes first
            self._find_duplicates()

    def _find_duplicates(self) -> None:
        """Sets `duplicates`, rows that repeat an earlier one, and `collision`: different rows share a key."""
        second = np.flatnonzero(self.key[1:] == self.key[:-1]) + 1
        rows = self.order[second]
        same = self._equal(rows, self, self.order[second - 1])
        self.collision = not same.all()
        if self.collision:
            first = self._rows_in_exactly(self)
            rows, same = np.arange(len(first)), first < np.arange(len(first))
        self.duplicates = np.sort(rows[same])

    def _equal(self, rows: np.ndarray, other: _Keys, other_rows: np.ndarray) -> np.ndarray:
        same = self.query[rows] == other.query[other_rows]
        return same & self.table.docs.take(rows).equals(other.table.docs.take(other_rows))

    def rows_in(self, other: _Keys) -> np.ndarray:
        """For each row, the first row of the other table with the same query and document, or -1."""
        found = np.full(len(self.key), -1, dtype=np.int64)
        if not len(other.key) or not len(self.key):
            return found
        place = np.minimum(np.searchsorted(other.key, self.key), len(other.key) - 1)
        here = np.flatnonzero(other.key[place] == self.key)
        rows, other_rows = self.order[here], other.order[place[here]]
        same = self._equal(rows, other, other_rows)
        if not same.all() or self.collision or other.collision:
            return self._rows_in_exactly(other)
        found[rows] = other_rows
        return found

    def _rows_in_exactly(self, other: _Keys) -> np.ndarray:
        """The same by way of a dictionary: slower, and blind to how the keys were made."""
        known: dict[tuple[int, str], int] = {}
        for row, key in enumerate(zip(other.query.tolist(), other.table.doc_ids, strict=True)):
            known.setdefault(key, row)
        mine = zip(self.query.tolist(), self.table.doc_ids, strict=True)
        return np.array([known.get(key, -1) for key in mine], dtype=np.int64)
