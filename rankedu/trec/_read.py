"""Reading runs and judgments from files: fast where the file is regular, line by line where it is not.

The file is taken in blocks of about a megabyte. Within a block numpy finds the separators, from them the
columns of every line, and reads the numbers digit by digit for all lines at once. Whatever that cannot vouch
for (a line with too few columns, a number it cannot read, a control character, a quote) is left to
`_read_lines`, which reads the same file one line at a time and is the only place that knows how to complain.
"""

from __future__ import annotations

import csv
import gzip
import os
import re
import string
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from rankedu.trec._numbers import read_number, read_numbers
from rankedu.trec._progress import Progress
from rankedu.trec._tables import Qrels, Run, Table, count, not_a_number
from rankedu.trec._texts import PADDING, Texts

BLOCK = 1 << 20  # bytes read at a time: they and what is made of them stay in the processor's cache
_SPACES = np.array([byte in b" \t\n\v\f" for byte in range(33)])
_NUMBER_BEGINS = np.array([byte in b"0123456789+-.iInN" for byte in range(256)])
_NOT_TEXT = {  # how files begin that hold no text, and what to do with them
    rb"PK\x03\x04": "an Excel or zip file; save the sheet as CSV in UTF-8, or unpack the archive",
    rb"PAR1.*PAR1\Z": "a parquet file; read it with pandas or polars and pass the data frame",
    rb"BZh[1-9]1AY&SY": "a bzip2 file; unpack it",
    rb"\xfd7zXZ\x00": "an xz file; unpack it",
    rb"\x28\xb5\x2f\xfd": "a zstd file; unpack it",
}


class BadRow(NamedTuple):
    """A row that cannot be read: where it stands ("line 7"), its text, and why."""

    place: str
    text: str
    reason: str


class Layout(NamedTuple):
    """How the lines of a file are made: where the columns stand (from 0), and how many a line must have."""

    query: int
    doc: int
    number: int
    width: int
    names: str  # of the columns, for a message
    delimiter: str | None = None  # None: white space, and further columns are allowed


RUN = Layout(0, 2, 4, 6, "query Q0 document rank score tag")
QRELS = Layout(0, 2, 3, 4, "query iteration document grade")


def read_trec(raw: bytes, table: type[Table], source: str, bad: list[BadRow] | None = None) -> Table:
    """The table in a TREC file. Lines that cannot be read go to `bad`, or the first is an error."""
    facts = {"name": _stem(source)}
    if table is Run:
        first = first_line(raw).split()
        if len(first) > 5:
            facts["name"] = first[5].decode()
        facts["read_ranks"] = partial(read_ranks, raw)
    return _read(raw, 0, RUN if table is Run else QRELS, table, source, bad, facts)


def read_delimited(
    raw: bytes, delimiter: str, roles: list[int], width: int, table: type[Table], source: str, bad=None
) -> Table:
    """The table in a file with a header and a delimiter; `roles` says which columns hold what."""
    names = delimiter.join(delimited_header(raw, delimiter))
    body = raw.index(b"\n", raw.index(first_line(raw))) + 1
    layout = Layout(*roles, width, names, delimiter)
    return _read(raw, body, layout, table, source, bad, {"name": _stem(source)})


def _read(raw: bytes, body: int, layout: Layout, table: type[Table], source: str, bad, facts: dict) -> Table:
    parts = _read_blocks(raw, body, layout, table, source)
    if parts is None:
        parts = _read_lines(raw, body, layout, table, source, bad)
    return table(*parts[:4], line_of=parts[4], source=source, **facts)


def read_bytes(path) -> bytes:
    """The bytes of a UTF-8 file: unpacked, without byte-order mark, ended by newlines."""
    source = os.fspath(path)
    with open(path, "rb") as file:
        raw = file.read()
    if raw.startswith(b"\x1f\x8b"):
        try:
            raw = gzip.decompress(raw)
        except (OSError, EOFError, zlib.error) as error:
            raise ValueError(f"{source}: a gzip file that cannot be unpacked ({error})") from None
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise ValueError(f"{source}: the file is UTF-16; save it as UTF-8")
    for magic, what in _NOT_TEXT.items():
        if re.match(magic, raw, re.DOTALL):
            raise ValueError(f"{source}: {what}")
    raw = raw.removeprefix(b"\xef\xbb\xbf")
    if b"\r" in raw:
        raw = raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    raw += b"\n" * (PADDING + 1)
    if b"\0" in raw:
        line, text = _line_at(raw, raw.index(b"\0"))
        raise ValueError(f"{source}, line {line}: a NUL byte in {text!r}; the file must be text in UTF-8")
    if not raw.isascii():
        try:
            raw.decode()
        except UnicodeDecodeError as error:
            line, text = _line_at(raw, error.start)
            raise ValueError(f"{source}, line {line}: not UTF-8: {text!r}; save the file as UTF-8") from None
    return raw


def delimited_header(raw: bytes, delimiter: str) -> list[str]:
    """The fields of the first line that is not blank."""
    line = first_line(raw).decode()
    with _long_fields(len(line)):
        return [field.strip() for field in next(csv.reader([line], delimiter=delimiter), [])]


def first_line(raw: bytes) -> bytes:
    """The first line that is not blank, from its first letter on."""
    found = re.search(rb"\S[^\n]*", raw)
    return found[0] if found else b""


def _line_at(raw: bytes, position: int) -> tuple[int, str]:
    """The number and the text of the line that holds the byte at this position."""
    start = raw.rfind(b"\n", 0, position) + 1
    return raw.count(b"\n", 0, start) + 1, _shown(raw[start : raw.index(b"\n", start)])


def _shown(line: bytes | str) -> str:
    """A line as a message shows it: decoded, and cut where it would fill the screen."""
    text = line.decode("utf-8", "backslashreplace") if isinstance(line, bytes) else line
    return text if len(text) <= 200 else text[:200] + "..."


def _stem(source: str) -> str:
    name = Path(source).name
    return name.removesuffix(".gz").rsplit(".", 1)[0] or name


# ---------------------------------------------------------------- whole blocks at once


def _read_blocks(raw: bytes, body: int, layout: Layout, table: type[Table], source: str):
    """Query ids, the columns of the table, and how to find a row's line; None if a line needs care."""
    if layout.delimiter and b'"' in raw:
        return None
    split = partial(_split_delimited, layout.delimiter) if layout.delimiter else _split_spaces
    data = np.frombuffer(raw, dtype=np.uint8)
    positions: dict[bytes, int] = {}
    pieces = []
    with Progress(f"reading {Path(source).name}", len(raw), "B") as progress:
        for start, end in _blocks(raw, body):
            fields = split(data, start, end, layout)
            if fields is None:
                return None
            queries, docs, numbers = fields
            values = read_numbers(data, *numbers)
            if values is None:
                return None
            index = _query_index(Texts(data, *queries), positions)
            pieces.append((index, docs[0].copy(), docs[1].astype(np.int32), values))
            progress.step(end - start)
    index, starts, lengths, values = (np.concatenate(column) for column in zip(*pieces, strict=True))
    query_ids = [query.decode() for query in positions]
    return query_ids, index, Texts(data, starts, lengths), values, partial(_line_of_start, raw, starts)


def _line_of_start(raw: bytes, starts: np.ndarray, row: int) -> int:
    return raw.count(b"\n", 0, int(starts[row])) + 1


def _blocks(raw: bytes, start: int) -> Iterator[tuple[int, int]]:
    """(start, end) of consecutive pieces of about BLOCK bytes, each ending behind a newline."""
    while start < len(raw):
        end = raw.rfind(b"\n", start, start + BLOCK) + 1 or raw.index(b"\n", start) + 1
        yield start, end
        start = end


def _split_spaces(data: np.ndarray, start: int, end: int, layout: Layout):
    """Where query, document and number stand in every line from start to end that is not blank.

    Three pairs (starts, lengths); None if a line has too few columns or the block holds a control character.
    """
    block = data[start:end]
    space = np.flatnonzero(block <= 32)
    character = block[space]
    if not _SPACES[character].all():
        return None
    before = np.empty_like(space)
    before[0], before[1:] = -1, space[:-1]
    ends_token = space - before > 1
    token_starts = before[ends_token] + (start + 1)
    token_lengths = space[ends_token] + start - token_starts
    behind = np.cumsum(ends_token)[character == ord("\n")]  # tokens up to the end of each line
    counts = np.diff(behind, prepend=0)
    wanted = layout[:3]
    if (counts == layout.width).all():
        token_starts, token_lengths = (a.reshape(-1, layout.width) for a in (token_starts, token_lengths))
        return [(token_starts[:, column], token_lengths[:, column]) for column in wanted]
    filled = counts > 0
    counts, first = counts[filled], (behind - counts)[filled]
    if (counts < layout.width).any():
        return None
    wide = first[counts > layout.width]
    if len(wide) and not _fit_though_wide(data, token_starts, token_lengths, wide, layout):
        return None
    return [(token_starts[first + column], token_lengths[first + column]) for column in wanted]


def _fit_though_wide(
    data: np.ndarray, starts: np.ndarray, lengths: np.ndarray, first: np.ndarray, layout: Layout
) -> bool:
    """Whether lines with further columns are beyond doubt; `first` is each one's first token."""
    third = data[starts[first + 2]]
    if layout is RUN:
        if ((lengths[first + 2] == 2) & ((third == ord("Q")) | (third == ord("q")))).any():
            return False
        checked = first + 3
    else:
        begins_number = _NUMBER_BEGINS[data[starts[np.minimum(first + 4, len(starts) - 1)]]]
        if begins_number.any():  # perhaps a run's score behind its rank
            return False
        checked = first + 1
    return read_numbers(data, starts[checked], lengths[checked]) is not None


def _split_delimited(delimiter: str, data: np.ndarray, start: int, end: int, layout: Layout):
    """The same with a delimiter; None if a field is empty or padded, or a line has not its columns."""
    block = data[start:end]
    newline = block == ord("\n")
    stops = np.flatnonzero(newline | (block == ord(delimiter)))
    before = np.empty_like(stops)
    before[0], before[1:] = -1, stops[:-1]
    blank = (stops - before == 1) & newline[stops] & ((before < 0) | newline[before])
    if blank.any():
        stops, before = stops[~blank], before[~blank]
    lines = int(newline[stops].sum())
    if len(stops) != lines * layout.width or not newline[stops[layout.width - 1 :: layout.width]].all():
        return None
    field_starts = (before + (start + 1)).reshape(-1, layout.width)
    field_lengths = (stops - before - 1).reshape(-1, layout.width)
    columns = [(field_starts[:, column], field_lengths[:, column]) for column in layout[:3]]
    for starts, lengths in columns:
        if (lengths == 0).any() or (data[starts] <= 32).any() or (data[starts + lengths - 1] <= 32).any():
            return None
    return columns


def _query_index(queries: Texts, positions: dict[bytes, int]) -> np.ndarray:
    """The position of each line's query in `positions`, to which new queries are added in order."""
    new = np.ones(len(queries), dtype=bool)
    new[1:] = ~queries.take(slice(1, None)).equals(queries.take(slice(None, -1)))
    heads = np.flatnonzero(new)
    starts, lengths = queries.starts[heads], queries.lengths[heads]
    found = [
        positions.setdefault(queries.data[start:end].tobytes(), len(positions))
        for start, end in zip(starts.tolist(), (starts + lengths).tolist(), strict=True)
    ]
    return np.repeat(np.array(found, dtype=np.int32), np.diff(heads, append=len(queries)))


def read_ranks(raw: bytes) -> np.ndarray:
    """The rank column of the bytes of a run that has been read: float64, nan where it is not a number."""
    ranks = []
    for line in raw.split(b"\n"):
        fields = line.split()
        if len(fields) >= RUN.width and isinstance(_line_number(fields, RUN, Run), float):
            ranks.append(fields[3])
    return np.array([_number_or_nan(rank) for rank in ranks], dtype=np.float64)


def _number_or_nan(token: bytes) -> float:
    try:
        return read_number(token)
    except ValueError:
        return float("nan")


# ---------------------------------------------------------------- one line at a time

_END = "\0"  # a line below the last; no file that is read holds it


def _is_q0(field: bytes | str) -> bool:
    return field in (b"Q0", b"q0", "Q0", "q0")


def _is_number(field: bytes | str) -> bool:
    try:
        read_number(field)
    except ValueError:
        return False
    return True


def _is_line_of_run(fields: list) -> bool:
    """Whether these are a run's six columns, whose rank would pass for a grade."""
    if len(fields) >= RUN.width and _is_q0(fields[1]):
        return True
    return len(fields) == RUN.width and _is_number(fields[3]) and _is_number(fields[4])


def _shifted(fields: list[str], layout: Layout) -> str | None:
    """Why a line with further columns looks as if a space in an id had moved them; None if it does not."""
    if layout is RUN and _is_q0(fields[2]) and not _is_q0(fields[1]):
        return "Q0 stands in column 3"
    if layout is RUN and not _is_number(fields[3]):
        return f"the rank {_shown(fields[3])!r} is not a number"
    if layout is QRELS and not _is_q0(fields[1]) and not _is_number(fields[1]):
        return f"the iteration {_shown(fields[1])!r} is not a number"
    if layout is QRELS and not _is_number(fields[3]):
        return f"the grade {_shown(fields[3])!r} is not a number"
    return None


def _read_lines(raw: bytes, body: int, layout: Layout, table: type[Table], source: str, bad):
    """What `_read_blocks` gives, line by line. Lines that cannot be read go to `bad`, or are a ValueError."""
    queries, docs, numbers, lines = [], [], [], []
    split = _delimited_lines if layout.delimiter else _spaced_lines
    with (
        Progress(f"reading {Path(source).name}", raw.count(b"\n"), "line") as progress,
        closing(split(raw, body, layout)) as rows,
    ):
        for line, text, fields in rows:
            number = fields if isinstance(fields, str) else _line_number(fields, layout, table)
            if isinstance(number, float):
                queries.append(fields[layout.query])
                docs.append(fields[layout.doc])
                numbers.append(number)
                lines.append(line)
            elif bad is None:
                raise ValueError(f"{source}, line {line}: {number}: {_shown(text)!r}")
            else:
                bad.append(BadRow(f"line {line}", _shown(text), number))
            if line % 10_000 == 0:
                progress.step(10_000)
    positions: dict[str, int] = {}
    index = np.array([positions.setdefault(query, len(positions)) for query in queries], dtype=np.int32)
    values = np.array(numbers, dtype=np.float64)
    return list(positions), index, Texts.from_strings(docs), values, lines.__getitem__


def _spaced_lines(raw: bytes, body: int, layout: Layout) -> Iterator[tuple[int, str, list[str]]]:
    """(number, text, fields) of every line that is not blank. Fields are parted by ASCII white space only."""
    for number, line in enumerate(raw[body:].split(b"\n"), start=1):
        fields = line.split()
        if fields:
            yield number, line.decode(), [field.decode() for field in fields]


def _delimited_lines(raw: bytes, body: int, layout: Layout) -> Iterator[tuple[int, str, list[str] | str]]:
    """(number, text, fields) of every record below the header, without quotes and padding.

    Instead of the fields a text that says why they cannot be trusted: a quote that is not closed takes the
    rows below it into its field.
    """
    lines = raw[body:].decode().split("\n")
    lines.append(_END)
    first = raw.count(b"\n", 0, body) + 1  # the number of lines[0]
    with _long_fields(len(raw)):
        reader = csv.reader((line + "\n" for line in lines), delimiter=layout.delimiter)
        start = 0
        for record in reader:
            stop = reader.line_num
            number = first + start
            if stop == len(lines) and record != [_END]:
                opened = stop - record[-1].count("\n")
                yield first + opened, lines[opened], "a quote opens here that nothing closes"
                return
            fields = [field.strip(string.whitespace) for field in record]
            if stop - start > 1 and (span := _swallowed_rows(record, lines[start:stop], layout)):
                opened, closed = (number + offset for offset in span)
                reason = f"a quoted text runs from line {opened} to line {closed}: is a quote missing?"
                yield opened, lines[opened - first], reason
            elif any(fields) and stop < len(lines):
                yield number, layout.delimiter.join(record), fields
            start = stop


def _swallowed_rows(record: list[str], lines: list[str], layout: Layout) -> tuple[int, int] | None:
    """The lines, from 0, between which a quoted text seems to hold whole rows; None for a text of its own."""
    try:
        for _ in csv.reader([line + "\n" for line in lines], delimiter=layout.delimiter, strict=True):
            pass
        sound = True
    except csv.Error:  # text behind a closing quote: that quote was meant to open
        sound = False
    line = 0
    for field in record:
        height = field.count("\n")
        rows = (piece.split(layout.delimiter) for piece in field.split("\n")[1:])
        if height and (not sound or any(isinstance(_line_number(row, layout, Run), float) for row in rows)):
            return line, line + height
        line += height
    return None


@contextmanager
def _long_fields(size: int) -> Iterator[None]:
    """Lets csv read fields of up to `size` characters; its own limit is 131,072."""
    before = csv.field_size_limit(min(max(size, csv.field_size_limit()), 2**31 - 1))
    try:
        yield
    finally:
        csv.field_size_limit(before)


def _line_number(fields: list, layout: Layout, table: type[Table]) -> float | str:
    """The number on a line, or what is wrong with it."""
    if table is Qrels and layout is QRELS and _is_line_of_run(fields):
        return f"a line of a run, not of judgments (six columns: {RUN.names})"
    if len(fields) < layout.width or (layout.delimiter and len(fields) > layout.width):
        reason = f"{count(len(fields), 'column')} where {layout.width} are needed ({layout.names})"
        if layout is RUN and len(fields) == QRELS.width:
            reason += ", as in a file of judgments"
        elif not layout.delimiter and len(fields) == 1 and re.search("[,;]", str(fields[0])):
            reason += "; a file with commas needs a first line with column names, such as query_id,doc_id,"
            reason += table.number_name
        return reason
    if not (fields[layout.query] and fields[layout.doc]):
        return f"no {'document' if fields[layout.query] else 'query'} id"
    if len(fields) > layout.width and (reason := _shifted(fields, layout)):
        return (
            f"{len(fields)} columns where {layout.width} are expected ({layout.names}), and {reason}: "
            "an id with a space in it? Ids must be without"
        )
    try:
        return read_number(fields[layout.number])
    except ValueError:
        return not_a_number(table.number_name, fields[layout.number])
