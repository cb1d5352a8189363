"""A column of texts (query or document ids) in one block of UTF-8 bytes.

A million ids as Python strings are a million objects; as one block with a start and a length each they are
three arrays, and comparing, hashing or sorting them is arithmetic on the 8-byte words they are made of.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

PIECE = 1 << 14  # rows
WIDEST = 1 << 26  # bytes that texts of one width may always take
PADDING = 8  # bytes kept free behind the last text, so that every text may be read in whole words
_MASKS = np.array([(1 << 8 * n) - 1 for n in range(8)] + [(1 << 64) - 1], dtype=np.uint64)
_MIX = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(32)


def padded(data: bytes) -> np.ndarray:
    """The bytes as an array of uint8 with the padding that Texts needs."""
    return np.frombuffer(data + bytes(PADDING), dtype=np.uint8)


def words_at(data: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """The 8 bytes from each start on as one uint64, first byte lowest; the last 8 for a start beyond them."""
    at_every_byte = np.ndarray((len(data) - 7,), dtype="<u8", buffer=data, strides=(1,))
    return at_every_byte[np.minimum(starts, len(data) - 8)]


def pieces(n: int) -> Iterator[slice]:
    """Slices that part n rows into pieces whose arrays stay in the processor's cache."""
    return (slice(start, start + PIECE) for start in range(0, n, PIECE))


class Texts:
    """A read-only column of n texts: `data[starts[i] : starts[i] + lengths[i]]` is the UTF-8 of text i.

    Two columns may share one `data`. `data` ends in PADDING bytes that belong to no text.
    """

    __slots__ = ("data", "lengths", "starts")

    def __init__(self, data: np.ndarray, starts: np.ndarray, lengths: np.ndarray):
        self.data, self.starts, self.lengths = data, starts, lengths

    @classmethod
    def from_strings(cls, texts: list[str]) -> Texts:
        """The column that holds these strings."""
        joined = "".join(texts)
        if joined.isascii():
            data = joined.encode()
            lengths = np.fromiter(map(len, texts), dtype=np.int64, count=len(texts))
        else:
            encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
            data = b"".join(encoded)
            lengths = np.fromiter(map(len, encoded), dtype=np.int64, count=len(texts))
        return cls(padded(data), np.cumsum(lengths) - lengths, lengths)

    def __len__(self) -> int:
        return len(self.starts)

    def __getitem__(self, row):
        """The text of one row as str; for an array of rows, their texts as an array of bytes."""
        if isinstance(row, np.ndarray):
            return self.take(row).to_bytes()
        start, length = int(self.starts[row]), int(self.lengths[row])
        return self.data[start : start + length].tobytes().decode("utf-8", "surrogatepass")

    def take(self, rows) -> Texts:
        """The column of the texts at these rows (indices, a slice, or a boolean mask)."""
        return Texts(self.data, self.starts[rows], self.lengths[rows])

    def tolist(self) -> list[str]:
        """The texts as a list of str."""
        ends = (self.starts + self.lengths).tolist()
        if not ends:
            return []
        low, high = int(self.starts.min()), max(ends)
        block = self.data[low:high].tobytes()
        if block.isascii():
            text = block.decode()
            return [
                text[start - low : end - low] for start, end in zip(self.starts.tolist(), ends, strict=True)
            ]
        pieces = (
            block[start - low : end - low] for start, end in zip(self.starts.tolist(), ends, strict=True)
        )
        return [piece.decode("utf-8", "surrogatepass") for piece in pieces]

    def to_bytes(self) -> np.ndarray:
        """The texts as an array of bytes, which sorts as they do.

        They have one width (dtype S), unless a few long texts among many short ones would make that array far
        larger than the texts are; then they are objects (dtype O).
        """
        width = max(1, -(-int(self.lengths.max(initial=0)) // 8))
        if 8 * width * len(self) > max(WIDEST, 8 * int(self.lengths.sum())):
            objects = np.empty(len(self), dtype=object)
            ends = self.starts + self.lengths
            objects[:] = [
                self.data[start:end].tobytes()
                for start, end in zip(self.starts.tolist(), ends.tolist(), strict=True)
            ]
            return objects
        words = np.empty((len(self), width), dtype="<u8")
        for number in range(width):
            words[:, number] = self.words(number)
        return words.view(f"S{8 * width}").ravel()

    def words(self, number: int) -> np.ndarray:
        """The 8 bytes from 8 * number on of every text as one uint64: first byte lowest, 0 beyond the end."""
        return (
            words_at(self.data, self.starts + 8 * number) & _MASKS[np.clip(self.lengths - 8 * number, 0, 8)]
        )

    def hashes(self) -> np.ndarray:
        """A uint64 for every text: equal texts have equal hashes, others nearly always differ."""
        result = np.empty(len(self), dtype=np.uint64)
        for rows in pieces(len(self)):
            result[rows] = self.take(rows)._hash_piece()
        return result

    def _hash_piece(self) -> np.ndarray:
        result = self.lengths.astype(np.uint64) * _MIX
        for number, rows, column in self._word_columns():
            word = column.words(number)
            mixed = ((result if rows is None else result[rows]) ^ word) * _MIX
            mixed ^= mixed >> _SHIFT
            if rows is None:
                result = mixed
            else:
                result[rows] = mixed
        return result

    def equals(self, other: Texts) -> np.ndarray:
        """Whether text i of this column is text i of the other: n bools."""
        same = np.empty(len(self), dtype=bool)
        for rows in pieces(len(self)):
            same[rows] = self.take(rows)._equals_piece(other.take(rows))
        return same

    def _equals_piece(self, other: Texts) -> np.ndarray:
        same = self.lengths == other.lengths
        for number, rows, column in self._word_columns():
            if rows is None:
                same &= column.words(number) == other.words(number)
            else:
                same[rows] &= column.words(number) == other.take(rows).words(number)
        return same

    def sort_keys(self) -> list[np.ndarray]:
        """Arrays that order texts by code point, most significant first (np.lexsort wants the reverse)."""
        longest = int(self.lengths.max(initial=0))
        return [self.words(number).byteswap() for number in range(-(-longest // 8))] + [self.lengths]

    def _word_columns(self):
        """(number, rows, their column) for every word in which some text has bytes; rows None means all."""
        rows, column, number = None, self, 0
        while len(column):
            yield number, rows, column
            number += 1
            longer = np.flatnonzero(column.lengths > 8 * number)
            if len(longer) < len(column):
                rows = longer if rows is None else rows[longer]
                column = column.take(longer)
