"""Runs and judgments from whatever holds them: files, data frames, dictionaries, rows."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from itertools import chain, repeat

import numpy as np

from rankedu.trec._numbers import read_number
from rankedu.trec._read import BadRow, delimited_header, first_line, read_bytes, read_delimited, read_trec
from rankedu.trec._tables import Qrels, Run, Table, as_id, brief, not_a_number
from rankedu.trec._texts import Texts

# What the columns of a table may be called; the first of a line is its proper name and wins over the others.
QUERY_NAMES = ("query_id", "qid", "query", "topic_id", "topic", "user_id", "user", "session_id")
DOC_NAMES = (
    *("doc_id", "docid", "docno", "doc", "document_id", "document"),
    *("corpus_id", "passage_id", "pid", "item_id", "item"),
)
SCORE_NAMES = ("score", "prediction", "pred", "similarity", "sim")
GRADE_NAMES = ("grade", "relevance", "rel", "label", "judgment", "rating")


def as_run(source, columns: Mapping | None = None, bad: list[BadRow] | None = None) -> Run:
    """The run that a source holds. Rows that cannot be read go to `bad`; without it the first is an error."""
    return _as_table(source, Run, columns, bad)


def as_qrels(source, columns: Mapping | None = None, bad: list[BadRow] | None = None) -> Qrels:
    """The judgments that a source holds. Rows that cannot be read go to `bad`, else the first is an error."""
    return _as_table(source, Qrels, columns, bad)


def _as_table(source, table: type[Table], columns: Mapping | None, bad: list[BadRow] | None) -> Table:
    if isinstance(source, table):
        return source
    if isinstance(source, Table):
        raise TypeError(f"{source.kind} given as the {table.kind}: are the two arguments swapped?")
    if columns is not None:
        _check_columns(columns, table)
    if isinstance(source, (str, os.PathLike)):
        return _from_file(source, table, columns, bad)
    if type(source).__name__ == "LazyFrame":
        raise TypeError(f"the {table.kind}: a LazyFrame holds no rows yet; give what its .collect() returns")
    names = _column_names(source, columns)
    if names is not None:
        return _from_frame(source, names, table, columns, bad)
    if isinstance(source, Mapping):
        if columns is not None:
            raise _without_names("a dictionary of dictionaries")
        return _from_mapping(source, table, bad)
    if isinstance(source, Iterable) and not isinstance(source, (bytes, bytearray)):
        return _from_rows(source, table, columns, bad)
    raise TypeError(
        f"the {table.kind} must be a path, a data frame, {{query: {{document: {table.number_name}}}}}, "
        f"or rows (query, document, {table.number_name}); got {type(source).__name__}"
    )


def _check_columns(columns, table: type[Table]) -> None:
    roles = ("query_id", "doc_id", table.number_name)
    if not isinstance(columns, Mapping):
        example = ", ".join(f"{role!r}: ..." for role in roles)
        raise TypeError(f"columns must be a dictionary such as {{{example}}}; got {brief(columns)}")
    unknown = [role for role in columns if role not in roles]
    if unknown:
        raise ValueError(f"columns may name {', '.join(map(repr, roles))}; got {brief(unknown[0])}")


def _without_names(what: str) -> ValueError:
    return ValueError(
        "columns names the columns of a file, a data frame or a dictionary of columns, or the fields of "
        f"rows that have names; got {what}"
    )


# ---------------------------------------------------------------- files


def _from_file(path, table: type[Table], columns: Mapping | None, bad: list[BadRow] | None) -> Table:
    source = os.fspath(path)
    raw = _without_sep(read_bytes(path))
    if re.match(rb"\s*[{\[]\s*[\"{\[}\]]", raw):
        raise ValueError(f"{source}: looks like JSON: load it, with json.load, and pass the dictionary")
    for delimiter in ("\t", ",", ";"):
        header = delimited_header(raw, delimiter)
        if len(header) > 1:
            roles = _roles(header, table, columns, source, required=False)
            if roles is not None:
                return read_delimited(raw, delimiter, roles, len(header), table, source, bad)
    if source.lower().removesuffix(".gz").endswith((".csv", ".tsv")):
        _refuse_without_header(raw, table, source)
    if columns is not None or _has_named_columns(source, raw):
        header = max((delimited_header(raw, delimiter) for delimiter in "\t,;"), key=len)
        _roles(header, table, columns, source, required=True)
    return read_trec(raw, table, source, bad)


def _without_sep(raw: bytes) -> bytes:
    """The file with an empty line in place of the first, if that is the `sep=;` which Excel understands."""
    found = re.match(rb"\"?sep=.\"?(?=\n)", raw)
    return raw[found.end() :] if found else raw


def _refuse_without_header(raw: bytes, table: type[Table], source: str) -> None:
    """Raises if a .csv or .tsv is empty, or begins with a row that is no line of a TREC file either."""
    first = first_line(raw).decode()
    needs = f"it needs a first line with column names, such as query_id,doc_id,{table.number_name}"
    if not first:
        raise ValueError(f"{source}: the file is empty; {needs}")
    if len(first.split()) < 4 and any(map(str.isdigit, first)):
        raise ValueError(f"{source}: {needs}; its first line is {brief(first)}")


def _has_named_columns(source: str, raw: bytes) -> bool:
    """Whether a file is a .csv or .tsv whose first line holds no number, and so must be a header."""
    name = source.lower().removesuffix(".gz")
    first = raw.lstrip().split(b"\n", 1)[0]
    return name.endswith((".csv", ".tsv")) and not any(byte in b"0123456789" for byte in first)


# ---------------------------------------------------------------- data frames, dictionaries, rows


def _column_names(source, columns: Mapping | None) -> list | None:
    """The column names of a data frame or of a structured array; None for others."""
    names = getattr(getattr(source, "dtype", None), "names", None)
    if names is None and not isinstance(source, Mapping):
        names = getattr(source, "column_names", None)
        if names is None:
            names = getattr(source, "columns", None)
    if (
        isinstance(source, Mapping)
        and source
        and all(map(_is_column, source.values()))
        and (columns is not None or set(map(_plain, source)).intersection(DOC_NAMES))
    ):
        names = source.keys()  # {"query_id": [...], "doc_id": [...], "score": [...]}
    return None if names is None or callable(names) else list(names)


def _plain(name) -> str:
    """The name of a column without the differences that nobody means."""
    return str(name).strip().lower().replace("-", "_").replace(" ", "_")


def _is_column(value) -> bool:
    return isinstance(value, (list, tuple, np.ndarray))


def _from_frame(frame, names: list, table: type[Table], columns: Mapping | None, bad) -> Table:
    query, doc, number = (names[i] for i in _roles(names, table, columns, f"the {table.kind}"))
    queries, docs = _as_list(frame[query]), _as_list(frame[doc])
    numbers = _as_list(frame[number])
    if not len(queries) == len(docs) == len(numbers):
        raise ValueError(
            f"the columns of the {table.kind} must have one length; "
            f"got {len(queries)}, {len(docs)} and {len(numbers)}"
        )
    return _from_columns(queries, docs, numbers, table, bad, lambda row: f"row {row + 1}")


def _as_list(column) -> list:
    for method in ("to_list", "to_pylist", "tolist"):
        if hasattr(column, method):
            return getattr(column, method)()
    return list(column)


def _from_mapping(source: Mapping, table: type[Table], bad: list[BadRow] | None) -> Table:
    per_query = []
    for query, documents in source.items():
        if isinstance(documents, Mapping):
            per_query.append((query, documents))
        else:
            reason = f"must be {{document: {table.number_name}}}; got a {type(documents).__name__}"
            if _is_column(documents):
                reason += " (of a dictionary of columns say which is which: columns={'doc_id': ...})"
            _complain(bad, BadRow(f"query {brief(query)}", brief(documents), reason), table, TypeError)
    queries = list(chain.from_iterable(repeat(query, len(documents)) for query, documents in per_query))
    docs = list(chain.from_iterable(documents for _, documents in per_query))
    numbers = list(chain.from_iterable(documents.values() for _, documents in per_query))
    place = lambda row: f"query {brief(queries[row])}, document {brief(docs[row])}"  # noqa: E731
    empty = []
    for query, documents in per_query:
        if not documents:
            try:
                empty.append(as_id(query))
            except TypeError as error:
                _complain(
                    bad, BadRow(f"query {brief(query)}", brief(documents), str(error)), table, TypeError
                )
    return _from_columns(queries, docs, numbers, table, bad, place, empty)


def _from_rows(
    rows: Iterable, table: type[Table], columns: Mapping | None, bad: list[BadRow] | None
) -> Table:
    """Rows (query, document, number), or with these as named fields: dictionaries, named tuples."""
    triples, places = [], []
    read = None
    for position, row in enumerate(rows, start=1):
        try:
            if read is None:
                read = _row_reader(row, table, columns)
            triples.append(read(row))
            places.append(position)
        except (TypeError, ValueError, KeyError, AttributeError) as error:
            reason = f"must be (query, document, {table.number_name})"
            if read is None:
                reason = str(error)
            elif isinstance(error, (KeyError, AttributeError)):
                reason = f"no field {error}"
            _complain(bad, BadRow(f"row {position}", brief(row), reason), table, type(error))
    queries, docs, numbers = ([triple[i] for triple in triples] for i in range(3))
    return _from_columns(queries, docs, numbers, table, bad, lambda row: f"row {places[row]}")


def _row_reader(row, table: type[Table], columns: Mapping | None) -> Callable:
    """How to take (query, document, number) from rows like this one."""
    if isinstance(row, Mapping):
        names = list(row)
        wanted = [names[i] for i in _roles(names, table, columns, f"a row of the {table.kind}")]
        return lambda row: tuple(row[name] for name in wanted)
    fields = getattr(row, "_fields", None) or getattr(row, "__dataclass_fields__", None)
    if fields:
        names = list(fields)
        wanted = [names[i] for i in _roles(names, table, columns, f"a row of the {table.kind}")]
        return lambda row: tuple(getattr(row, name) for name in wanted)
    if columns is not None:
        raise _without_names(f"a {type(row).__name__}")
    return _triple


def _triple(row) -> tuple:
    if isinstance(row, (str, bytes)):
        raise TypeError("a row must not be text")
    query, doc, number = row
    return query, doc, number


def _from_columns(
    queries: list, docs: list, numbers: list, table: type[Table], bad, place, empty=()
) -> Table:
    """The table with these columns, one list each; `empty` are ids of queries without rows."""
    try:
        query_ids, doc_ids = _as_ids(queries), _as_ids(docs)
        values = _as_numbers(numbers)
    except (TypeError, ValueError):
        query_ids, doc_ids, values = _one_by_one(queries, docs, numbers, table, bad, place)
    positions: dict[str, int] = {}
    index = [positions.setdefault(query, len(positions)) for query in query_ids]
    for query in empty:
        positions.setdefault(query, len(positions))
    return table(list(positions), np.array(index, dtype=np.int32), Texts.from_strings(doc_ids), values)


def _as_ids(ids: list) -> list[str]:
    types = set(map(type, ids))
    if types <= {str}:
        return ids
    if types == {int}:
        return list(map(str, ids))
    return [as_id(value) for value in ids]


def _as_numbers(numbers: list) -> np.ndarray:
    if set(map(type, numbers)) <= {float, int, bool}:
        try:
            return np.array(numbers, dtype=np.float64)
        except OverflowError:
            pass
    return np.array([as_number(value) for value in numbers], dtype=np.float64)


def as_number(value) -> float:
    """The number as float; text that writes one is read, a missing value is nan, the rest a TypeError."""
    if isinstance(value, str):
        return read_number(value)
    if value is None or type(value).__name__ == "NAType":  # pandas.NA
        return float("nan")
    if isinstance(value, (bool, int, float, np.bool_, np.integer, np.floating, Decimal)):
        try:
            return float(value)
        except OverflowError:
            raise ValueError("too large for a float") from None
    raise TypeError(f"not a number: {brief(value)}")


def _one_by_one(queries, docs, numbers, table: type[Table], bad, place):
    """The columns without the rows that cannot be read, which go to `bad`, or the first is an error."""
    kept = []
    for row, (query, doc, number) in enumerate(zip(queries, docs, numbers, strict=True)):
        text = brief((query, doc, number))
        try:
            ids = as_id(query), as_id(doc)
        except TypeError as error:
            _complain(bad, BadRow(place(row), text, str(error)), table, TypeError)
            continue
        try:
            kept.append((*ids, as_number(number)))
        except (TypeError, ValueError) as error:
            reason = not_a_number(table.number_name, number)
            _complain(bad, BadRow(place(row), text, reason), table, type(error))
    query_ids, doc_ids, values = ([row[i] for row in kept] for i in range(3))
    return query_ids, doc_ids, np.array(values, dtype=np.float64)


def _complain(bad: list[BadRow] | None, problem: BadRow, table: type[Table], error: type[Exception]) -> None:
    if bad is None:
        kind = TypeError if error is TypeError else ValueError
        raise kind(f"the {table.kind}, {problem.place}: {problem.reason}: {problem.text}")
    bad.append(problem)


# ---------------------------------------------------------------- which column is which


def _roles(names: list, table: type[Table], columns: Mapping | None, where: str, required=True):
    """Positions of query, document and number among these names; None if not there and not required."""
    number_role = table.number_name
    wanted = {
        "query_id": QUERY_NAMES,
        "doc_id": DOC_NAMES,
        number_role: SCORE_NAMES if table is Run else GRADE_NAMES,
    }
    plain = list(map(_plain, names))
    found = []
    for role, known in wanted.items():
        if columns is not None and role in columns:
            matches = [i for i, name in enumerate(names) if name == columns[role]]
            missing = f"no column {columns[role]!r}"
        else:
            matches = [i for i, name in enumerate(plain) if name in known]
            proper = [i for i in matches if plain[i] == known[0]]
            matches = proper or matches
            if not matches and table is Qrels and role == number_role:
                matches = [i for i, name in enumerate(plain) if name == "score"]  # as in BEIR's files
            missing = f"no column for the {role} (such as {', '.join(map(repr, known[:3]))})"
        if not matches:
            if not required:
                return None
            raise ValueError(
                f"{where}: {missing} among {brief(list(names))}; say which: columns={{{role!r}: ...}}"
            )
        if len(matches) > 1:
            several = " and ".join(repr(names[i]) for i in matches)
            advice = f"say which: columns={{{role!r}: ...}}"
            if len({names[i] for i in matches}) == 1:
                advice = "rename one"
            raise ValueError(f"{where}: {several} may all be the {role}; {advice}")
        if matches[0] in found:
            other = list(wanted)[found.index(matches[0])]
            raise ValueError(
                f"{where}: the column {names[matches[0]]!r} cannot be both the {other} and the {role}; "
                f"say which is which: columns={{{other!r}: ..., {role!r}: ...}}"
            )
        found.append(matches[0])
    return found
