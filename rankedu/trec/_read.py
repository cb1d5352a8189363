"""Reading runs and judgments from TREC files: fast where the file is regular, line by line where it is not.

The file is taken in blocks of about a megabyte. Within a block numpy finds the white space, from it the
columns of every line, and reads the numbers digit by digit for all lines at once. Whatever that cannot vouch
for (a line with too few columns, a number it cannot read, a control character) is left to `_read_lines`,
which reads the same file one line at a time and is the only place that knows how to complain.
"""

from __future__ import annotations

import gzip
import os
import zlib
from pathlib import Path
from typing import NamedTuple

import numpy as np

from rankedu.trec._tables import Qrels, Run, Table
from rankedu.trec._texts import Texts, padded

BLOCK = 1 << 20  # bytes read at a time: they and what is made of them stay in the processor's cache
_SPACES = np.array([byte in b" \t\n\v\f" for byte in range(33)])


class BadLine(NamedTuple):
    """A line that cannot be read: its number (the first is 1), its text, and why."""

    line: int
    text: str
    reason: str


class _Layout(NamedTuple):
    """Which columns hold what (from 0), how many a line must have, and how a message calls them."""

    table: type[Table]
    doc: int
    value: int
    width: int
    columns: str


RUN = _Layout(Run, 2, 4, 6, "query Q0 document rank score tag")
QRELS = _Layout(Qrels, 2, 3, 4, "query iteration document grade")


def read_trec(path, layout: _Layout, bad: list[BadLine] | None = None) -> Table:
    """The table in a TREC file. Lines that cannot be read go to `bad`, else the first is a ValueError."""
    source = os.fspath(path)
    raw = read_bytes(path)
    data = padded(raw)
    parts = _read_blocks(raw, data, layout)
    if parts is None:
        parts = _read_lines(raw, layout, source, bad)
    query_ids, query_index, starts, lengths, values = parts
    facts = {"name": _stem(path), "source": source, "lines": True}
    if layout is RUN:
        facts["name"] = _tag(raw) or facts["name"]
        facts["read_ranks"] = lambda: _read_ranks(raw)
    return layout.table(query_ids, query_index, Texts(data, starts, lengths), values, **facts)


def read_bytes(path) -> bytes:
    """The bytes of a file of UTF-8 text: unpacked, without byte-order mark, every line ended by a newline."""
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
    raw = raw.removeprefix(b"\xef\xbb\xbf")
    if b"\r" in raw:
        raw = raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if raw and not raw.endswith(b"\n"):
        raw += b"\n"
    if b"\0" in raw:
        line, text = _line_at(raw, raw.index(b"\0"))
        raise ValueError(f"{source}, line {line}: a NUL byte in {text!r}; the file must be text in UTF-8")
    if not raw.isascii():
        try:
            raw.decode()
        except UnicodeDecodeError as error:
            line, text = _line_at(raw, error.start)
            raise ValueError(f"{source}, line {line}: not UTF-8: {text!r}") from None
    return raw


def _line_at(raw: bytes, position: int) -> tuple[int, str]:
    """The number and the text of the line that holds the byte at this position."""
    start = raw.rfind(b"\n", 0, position) + 1
    return raw.count(b"\n", 0, start) + 1, _shown(raw[start : raw.index(b"\n", start)])


def _shown(line: bytes) -> str:
    """A line as a message shows it: decoded, and cut where it would fill the screen."""
    text = line.decode("utf-8", "backslashreplace")
    return text if len(text) <= 200 else text[:200] + "..."


def _stem(path) -> str:
    name = Path(path).name
    return name.removesuffix(".gz").rsplit(".", 1)[0] or name


def _tag(raw: bytes) -> str | None:
    """The tag (sixth column) of the first line of a run."""
    fields = raw.lstrip()[:4096].split(b"\n", 1)[0].split()
    return fields[5].decode("utf-8", "replace") if len(fields) > 5 else None


# ---------------------------------------------------------------- whole blocks at once


def _blocks(raw: bytes):
    """(start, end) of consecutive pieces of about BLOCK bytes, each ending behind a newline."""
    start = 0
    while start < len(raw):
        end = raw.rfind(b"\n", start, start + BLOCK) + 1 or raw.index(b"\n", start) + 1
        yield start, end
        start = end


def _columns(data: np.ndarray, start: int, end: int, wanted: tuple[int, ...], width: int):
    """Where each wanted column starts and how long it is, for every line from start to end that is not blank.

    A list of (starts, lengths), one pair a wanted column; None if a line has fewer than `width` columns or
    the block holds a control character.
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
    behind = np.cumsum(ends_token)[character == 10]  # tokens up to the end of each line
    counts = np.diff(behind, prepend=0)
    if (counts == width).all():
        token_starts, token_lengths = token_starts.reshape(-1, width), token_lengths.reshape(-1, width)
        return [(token_starts[:, column], token_lengths[:, column]) for column in wanted]
    filled = counts > 0
    if (counts[filled] < width).any():
        return None
    first = (behind - counts)[filled]
    return [(token_starts[first + column], token_lengths[first + column]) for column in wanted]


def _read_blocks(raw: bytes, data: np.ndarray, layout: _Layout):
    """Query ids and the columns of the table, or None if some line needs the careful reader."""
    positions: dict[bytes, int] = {}
    pieces = []
    for start, end in _blocks(raw):
        columns = _columns(data, start, end, (0, layout.doc, layout.value), layout.width)
        if columns is None:
            return None
        (query_starts, query_lengths), (doc_starts, doc_lengths), number = columns
        values = read_numbers(data, *number)
        if values is None:
            return None
        index = _query_index(data, query_starts, query_lengths, positions)
        pieces.append((index, doc_starts.copy(), doc_lengths.astype(np.int32), values))
    if layout is QRELS and _looks_like_run(raw):
        return None
    if not pieces:
        return None
    columns = (np.concatenate(column) for column in zip(*pieces, strict=True))
    return [query.decode() for query in positions], *columns


def _query_index(
    data: np.ndarray, starts: np.ndarray, lengths: np.ndarray, positions: dict[bytes, int]
) -> np.ndarray:
    """The position of each line's query in `positions`, to which new queries are added in order."""
    if len(starts) == 0:
        return np.empty(0, dtype=np.int32)
    queries = Texts(data, starts, lengths)
    new = np.ones(len(starts), dtype=bool)
    new[1:] = ~queries.take(slice(1, None)).equals(queries.take(slice(None, -1)))
    heads = np.flatnonzero(new)
    ends = starts[heads] + lengths[heads]
    found = [
        positions.setdefault(data[start:end].tobytes(), len(positions))
        for start, end in zip(starts[heads].tolist(), ends.tolist(), strict=True)
    ]
    return np.repeat(np.array(found, dtype=np.int32), np.diff(heads, append=len(starts)))


def read_numbers(data: np.ndarray, starts: np.ndarray, lengths: np.ndarray) -> np.ndarray | None:
    """The numbers at these places as float64, each the nearest to what is written; None if one is no number.

    Up to 15 digits with a point among them are read as a whole number over a power of ten: both are exact in
    float64, so their quotient is rounded once and therefore right (Clinger 1990). Other forms go through
    float().
    """
    count = len(starts)
    if count == 0:
        return np.empty(0)
    longest = min(int(lengths.max()), 17)
    whole = np.zeros(count, dtype=np.int64)
    decimals = np.zeros(count, dtype=np.int64)
    digits = np.zeros(count, dtype=np.int64)
    after_point = np.zeros(count, dtype=bool)
    odd = lengths > longest
    negative = data[starts] == ord("-")
    for place in range(longest):
        inside = lengths > place
        character = data[starts + np.minimum(place, lengths - 1)] - np.uint8(48)  # below "0" wraps round
        digit = inside & (character < 10)
        point = inside & (character == 254)
        expected = digit | (point & ~after_point)
        if place == 0:
            expected |= negative
        odd |= inside & ~expected
        whole = np.where(digit, whole * 10 + character, whole)
        digits += digit
        decimals += digit & after_point
        after_point |= point
    odd |= (digits == 0) | (digits > 15)
    values = whole / 10.0**decimals
    np.negative(values, out=values, where=negative)
    if odd.any():
        rows = np.flatnonzero(odd)
        slow = _slow_numbers(data, starts[rows], lengths[rows])
        if slow is None:
            return None
        values[rows] = slow
    return values


def _slow_numbers(data: np.ndarray, starts: np.ndarray, lengths: np.ndarray) -> list[float] | None:
    try:
        return [
            read_number(data[start : start + length].tobytes())
            for start, length in zip(starts.tolist(), lengths.tolist(), strict=True)
        ]
    except ValueError:
        return None


def read_number(token: bytes) -> float:
    """The number that a column holds, inf and nan included; ValueError if it holds none."""
    if b"_" in token:  # float() takes 1_000, no other program does
        raise ValueError(f"not a number: {token!r}")
    return float(token)


def _read_ranks(raw: bytes) -> np.ndarray:
    """The rank column of a run that has been read, nan where it is not a number."""
    ranks = [line.split()[3] for line in raw.split(b"\n") if line.strip()]
    return np.array([_number_or_nan(rank) for rank in ranks])


def _number_or_nan(token: bytes) -> float:
    try:
        return read_number(token)
    except ValueError:
        return float("nan")


# ---------------------------------------------------------------- one line at a time


def _looks_like_run(raw: bytes) -> bool:
    """Whether the first line has a run's six columns, Q0 second: its rank column would pass for grades."""
    fields = raw.lstrip()[:4096].split(b"\n", 1)[0].split()
    return len(fields) >= 6 and fields[1].upper() == b"Q0"


def _read_lines(raw: bytes, layout: _Layout, source: str, bad: list[BadLine] | None):
    """What `_read_blocks` gives, line by line. Lines that cannot be read go to `bad`, or are a ValueError."""
    positions: dict[bytes, int] = {}
    index, starts, lengths, values = [], [], [], []
    offset = 0
    for number, line in enumerate(raw.split(b"\n"), start=1):
        fields = line.split()
        if fields:
            value = _line_value(fields, layout)
            if isinstance(value, str):
                problem = BadLine(number, _shown(line), value)
                if bad is None:
                    raise ValueError(f"{source}, line {problem.line}: {problem.reason}: {problem.text!r}")
                bad.append(problem)
            else:
                place = 0
                for field in fields[: layout.doc]:
                    place = line.index(field, place) + len(field)
                index.append(positions.setdefault(fields[0], len(positions)))
                starts.append(offset + line.index(fields[layout.doc], place))
                lengths.append(len(fields[layout.doc]))
                values.append(value)
        offset += len(line) + 1
    return (
        [query.decode() for query in positions],
        np.array(index, dtype=np.int32),
        np.array(starts, dtype=np.int64),
        np.array(lengths, dtype=np.int32),
        np.array(values, dtype=np.float64),
    )


def _line_value(fields: list[bytes], layout: _Layout) -> float | str:
    """The number on a line, or what is wrong with the line."""
    if layout is QRELS and len(fields) >= 6 and fields[1].upper() == b"Q0":
        return "a line of a run, not of judgments (six columns, Q0 second)"
    if len(fields) < layout.width:
        reason = f"{len(fields)} of the {layout.width} columns ({layout.columns})"
        if layout is RUN and len(fields) == 4:
            reason += ", as in a file of judgments"
        return reason
    token = fields[layout.value]
    try:
        return read_number(token)
    except ValueError:
        return f"the {layout.table.value_name} {_shown(token)!r} is not a number"
