"""Reading numbers out of bytes, thousands at a time."""

from __future__ import annotations

import numpy as np

_LONGEST = 17  # characters read digit by digit: a sign, a point and the 15 digits that float64 holds exactly
_TENS = 10.0 ** np.arange(_LONGEST)


def read_numbers(data: np.ndarray, starts: np.ndarray, lengths: np.ndarray) -> np.ndarray | None:
    """The numbers written at these places as float64, each the nearest; None if one is no number.

    Up to 15 digits with a point among them are read as a whole number over a power of ten. Both are exact in
    float64, so their quotient is rounded once and therefore right (Clinger 1990, "How to read floating point
    numbers accurately"). Other forms go through float().
    """
    if len(starts) == 0:
        return np.empty(0)
    longest = min(int(lengths.max()), _LONGEST)
    if longest == 1:
        digit = data[starts] - np.uint8(48)
        return digit.astype(np.float64) if (digit < 10).all() else None
    whole = np.zeros(len(starts), dtype=np.int64)
    digits = np.zeros(len(starts), dtype=np.int8)
    decimals = np.zeros(len(starts), dtype=np.int8)
    after_point = np.zeros(len(starts), dtype=bool)
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
    numbers = whole / _TENS[decimals]
    np.negative(numbers, out=numbers, where=negative)
    if odd.any():
        rows = np.flatnonzero(odd)
        slow = _one_by_one(data, starts[rows], lengths[rows])
        if slow is None:
            return None
        numbers[rows] = slow
    return numbers


def _one_by_one(data: np.ndarray, starts: np.ndarray, lengths: np.ndarray) -> list[float] | None:
    low = int(starts.min())
    block = data[low : int((starts + lengths).max())].tobytes()
    try:
        return [
            read_number(block[start : start + length])
            for start, length in zip((starts - low).tolist(), lengths.tolist(), strict=True)
        ]
    except ValueError:
        return None


def read_number(token: bytes | str) -> float:
    """The number that a text writes, inf and nan included; ValueError if it writes none."""
    if ("_" if isinstance(token, str) else b"_") in token:  # float() takes 1_000, no other program does
        raise ValueError(f"not a number: {token!r}")
    return float(token)
