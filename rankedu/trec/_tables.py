"""Run and Qrels: rows of (query, document, number) in columns that act as a dictionary of dictionaries."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

import numpy as np

from rankedu.trec._texts import Texts


class Table(Mapping):
    """Rows of (query, document, number) in columns; as a mapping, {query_id: {doc_id: number}}.

    query_ids : list of str, each query once, in the order of its first row
    query_index : (n_rows,) ints, the position in query_ids of each row's query
    docs : Texts, the document id of each row
    numbers : (n_rows,) float64, the scores of a run or the grades of judgments

    Rows stay in the order in which they were given. A document given twice for one query is kept twice in the
    columns, where `evaluate` and `diagnose` find it; the mapping shows the last.
    """

    kind = "table"  # what an error message calls it
    number_name = "number"

    def __init__(
        self,
        query_ids: list[str],
        query_index: np.ndarray,
        docs: Texts,
        numbers: np.ndarray,
        *,
        name: str | None = None,
        source: str | None = None,
        line_of: Callable[[int], int] | None = None,
    ):
        self.query_ids = query_ids
        self.query_index = query_index
        self.docs = docs
        self.numbers = numbers
        self.name = name or self.kind
        self.source = source
        self._line_of = line_of
        self._positions: dict[str, int] | None = None
        self._grouped: tuple[np.ndarray, np.ndarray] | None = None

    @property
    def n_rows(self) -> int:
        """The number of (query, document) rows."""
        return len(self.numbers)

    @property
    def doc_ids(self) -> list[str]:
        """The document id of each row, as a list of str (made anew at each call)."""
        return self.docs.tolist()

    def line_of(self, row: int) -> int | None:
        """The line of the file on which this row stands (the first is 1), or None if it came from no file."""
        return None if self._line_of is None else self._line_of(row)

    def rows_of(self, query_id: str) -> np.ndarray:
        """The rows of one query, in the order in which they were given."""
        position = self._position(query_id)
        if position is None:
            raise KeyError(query_id)
        order, bounds = self.grouped()
        return order[bounds[position] : bounds[position + 1]]

    def _position(self, query_id) -> int | None:
        if self._positions is None:
            self._positions = {query: position for position, query in enumerate(self.query_ids)}
        return self._positions.get(as_id(query_id))

    def grouped(self) -> tuple[np.ndarray, np.ndarray]:
        """The rows query by query, and where each query of query_ids begins (and the last one ends)."""
        if self._grouped is None:
            index = self.query_index
            if len(index) and (index[1:] < index[:-1]).any():
                order = np.argsort(index, kind="stable")
            else:
                order = np.arange(len(index))
            counts = np.bincount(index, minlength=len(self.query_ids))
            self._grouped = order, np.concatenate([[0], np.cumsum(counts)])
        return self._grouped

    def subset(self, keep: np.ndarray) -> Table:
        """The table of the rows where `keep`, one bool each, is true."""
        rows = np.flatnonzero(keep)
        line_of = None if self._line_of is None else lambda row: self._line_of(int(rows[row]))
        return type(self)(
            self.query_ids,
            self.query_index[rows],
            self.docs.take(rows),
            self.numbers[rows],
            name=self.name,
            source=self.source,
            line_of=line_of,
        )

    def __contains__(self, query_id) -> bool:
        try:
            return self._position(query_id) is not None
        except TypeError:
            return False

    def __getitem__(self, query_id: str) -> dict:
        rows = self.rows_of(query_id)
        return dict(zip(self.docs.take(rows).tolist(), self._plain(self.numbers[rows]), strict=True))

    def __iter__(self) -> Iterator[str]:
        return iter(self.query_ids)

    def __len__(self) -> int:
        return len(self.query_ids)

    def to_dict(self) -> dict[str, dict]:
        """The whole table as plain dictionaries, as pytrec_eval and ranx take them."""
        return {query_id: self[query_id] for query_id in self.query_ids}

    def _plain(self, values: np.ndarray) -> list:
        return values.tolist()

    def __repr__(self) -> str:
        origin = f", from {self.source}" if self.source else ""
        return f"<{self.kind}: {count(len(self), 'query')}, {count(self.n_rows, 'row')}{origin}>"


class Run(Table):
    """What a system returned: {query_id: {doc_id: score}}. The scores decide the order, the highest first.

    `name` is the tag of a TREC file (its last column), else the file's name. `ranks` holds the rank column of
    a TREC file as float64 (nan where it is not a number), or None: no metric uses it, the diagnosis compares
    it.
    """

    kind = "run"
    number_name = "score"

    def __init__(self, *columns, read_ranks=None, **facts):
        super().__init__(*columns, **facts)
        self._read_ranks = read_ranks
        self._ranks: np.ndarray | None = None

    def subset(self, keep: np.ndarray) -> Run:
        result = super().subset(keep)
        if self.ranks is not None:
            result._ranks = self.ranks[np.flatnonzero(keep)]
        return result

    @property
    def scores(self) -> np.ndarray:
        """The score of each row: (n_rows,) float64."""
        return self.numbers

    @property
    def ranks(self) -> np.ndarray | None:
        """The rank column of each row, read when first asked for, or None where there is none."""
        if self._ranks is None and self._read_ranks is not None:
            self._ranks = self._read_ranks()
        return self._ranks


class Qrels(Table):
    """What was judged: {query_id: {doc_id: grade}}. Whole grades come out of the mapping as int."""

    kind = "judgments"
    number_name = "grade"

    @property
    def grades(self) -> np.ndarray:
        """The grade of each row: (n_rows,) float64."""
        return self.numbers

    def _plain(self, values: np.ndarray) -> list:
        whole = np.isfinite(values) & (values == np.floor(values))
        if whole.all():
            return list(map(int, values.tolist()))  # an int64 ends at 2**63
        return values.tolist()


def as_id(value) -> str:
    """The id as text: str as it is, whole numbers written out; anything else is a TypeError."""
    if isinstance(value, str):
        return str(value)
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool):
        return str(int(value))
    hint = ""
    if isinstance(value, (float, np.floating)):
        hint = (
            " (a pandas column of whole numbers with a gap becomes floats: convert it with .astype('Int64'))"
        )
    raise TypeError(
        f"an id must be text or a whole number; got {brief(value)}, a {type(value).__name__}{hint}"
    )


def brief(value) -> str:
    """The repr of a value, cut where it would fill the screen."""
    text = repr(value)
    return text if len(text) <= 120 else text[:117] + "..."


def not_a_number(name: str, value) -> str:
    """Why a value is refused where a number is wanted."""
    comma = isinstance(value, str) and re.fullmatch(r"\s*[-+]?\d*,\d+\s*", value)
    return f"the {name} {brief(value)} is not a number{': write a decimal point' if comma else ''}"


def count(number: int, noun: str) -> str:
    """'1 query', '1,500 queries': the number with the noun in the right form."""
    if number != 1:
        noun = noun[:-1] + "ies" if noun.endswith("ry") else noun + "s"
    return f"{number:,} {noun}"
