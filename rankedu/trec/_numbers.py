"""Reading numbers out of bytes, thousands at a time.

Eight characters are one 64-bit word, and three multiplications turn a word of eight digits into their number
(Lemire 2018, "Quickly parsing eight digits"). A number is at most a sign, some digits, a point and some
digits, so a few words hold it. Exponents, inf, nan and everything else go through float(), one by one.
"""

from __future__ import annotations

import numpy as np

from rankedu.trec._texts import words_at

_MOST_DIGITS = 18  # of which every number fits an int64
_TENS = np.array([10**n for n in range(_MOST_DIGITS + 1)], dtype=np.int64)
_EXACT = 1 << 53  # whole numbers up to here are float64 without rounding
_SPLIT = 134217729.0  # 2**27 + 1: parts a float64 into two halves whose products are exact


def _everywhere(byte: int) -> np.uint64:
    return np.uint64(byte * 0x0101010101010101)


_ZEROS, _POINTS, _ONES, _HIGH = map(_everywhere, (ord("0"), ord("."), 0x01, 0x80))
_LOW7, _ABOVE_NINE = _everywhere(0x7F), _everywhere(0x76)  # 0x76 + 10 reaches the high bit


def read_numbers(data: np.ndarray, starts: np.ndarray, lengths: np.ndarray) -> np.ndarray | None:
    """The numbers written at these places as float64, each the nearest; None if one is no number."""
    if len(starts) == 0:
        return np.empty(0)
    if (lengths == 1).all():
        digits = data[starts] - np.uint8(ord("0"))  # below "0" wraps round
        return digits.astype(np.float64) if (digits < 10).all() else None
    negative = data[starts] == ord("-")
    first, count = starts + negative, lengths - negative
    point = _find_point(words_at(data, first), count)
    whole, good = _digits(data, first, point)
    decimals = np.maximum(count - point - 1, 0)
    good &= (point + decimals > 0) & (point + decimals <= _MOST_DIGITS)
    after = first + point + 1
    for begin in range(0, min(int(decimals.max()), _MOST_DIGITS), 8):
        size = np.clip(decimals - begin, 0, 8)
        part, part_good = _digits(data, after + begin, size)
        whole = whole * _TENS[size] + part
        good &= part_good
    numbers = _quotient(whole, _TENS[np.minimum(decimals, _MOST_DIGITS)])
    np.negative(numbers, out=numbers, where=negative)
    odd = np.flatnonzero(~good | np.isnan(numbers))
    if len(odd):
        slow = _one_by_one(data, starts[odd], lengths[odd])
        if slow is None:
            return None
        numbers[odd] = slow
    return numbers


def _find_point(word: np.ndarray, count: np.ndarray) -> np.ndarray:
    """How many characters stand before a point among the first 8; all `count` of them if there is none."""
    differs = word ^ _POINTS
    found = (differs - _ONES) & ~differs & _HIGH  # the lowest bit set marks the first byte that is a point
    place = (
        np.bitwise_count((found - np.uint64(1)) & ~found).astype(np.int64) >> 3
    )  # 8 where nothing was found
    return np.where(place < np.minimum(count, 8), place, count)


def _digits(data: np.ndarray, starts: np.ndarray, count: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The whole number that `count` digits write, 0 for none; and whether they are digits, at most 8."""
    missing = np.clip(8 - count, 0, 7).astype(np.uint64) << np.uint64(3)
    word = (words_at(data, starts) ^ _ZEROS) << missing  # the missing digits become zeros in front
    word = np.where(count > 0, word, np.uint64(0))
    good = ((((word & _LOW7) + _ABOVE_NINE) | word) & _HIGH == 0) & (count <= 8)
    word = (word * np.uint64(2561)) >> np.uint64(8)
    word = ((word & np.uint64(0x00FF00FF00FF00FF)) * np.uint64(6553601)) >> np.uint64(16)
    word = ((word & np.uint64(0x0000FFFF0000FFFF)) * np.uint64(42949672960001)) >> np.uint64(32)
    return word.astype(np.int64), good


def _quotient(whole: np.ndarray, power: np.ndarray) -> np.ndarray:
    """whole / power rounded once to float64; nan where it lies too near the middle of two for this to say.

    Up to 2**53 both are exact in float64 and the division rounds once (Clinger 1990, "How to read floating
    point numbers accurately"). Above, the quotient is carried in two float64, good to some 100 bits (Dekker
    1971).
    """
    divisor = power.astype(np.float64)
    quotient = whole / divisor
    large = np.flatnonzero(whole > _EXACT)
    if len(large):
        whole, divisor, rough = whole[large], divisor[large], quotient[large]
        high = whole.astype(np.float64)
        low = (whole - high.astype(np.int64)).astype(np.float64)
        product = rough * divisor
        rest = (high - product) - _rounded_off(rough, divisor, product) + low
        correction = rest / divisor
        exact = rough + correction
        error = (rough - exact) + correction
        half = np.spacing(exact) / 2
        unsure = np.abs(np.abs(error) - half) < half * 2.0**-30
        power_of_two = np.frexp(exact)[0] == 0.5  # where the spacing below is half of that above
        quotient[large] = np.where(unsure | power_of_two, np.nan, exact)
    return quotient


def _rounded_off(a: np.ndarray, b: np.ndarray, product: np.ndarray) -> np.ndarray:
    """a * b - product, exactly, where product is a * b rounded."""
    a_high, b_high = (x * _SPLIT - (x * _SPLIT - x) for x in (a, b))
    a_low, b_low = a - a_high, b - b_high
    return ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low


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
    if isinstance(token, bytes):
        token = token.decode()  # float() reads fewer digits in bytes than in text
    if "_" in token:  # float() takes 1_000, no other program does
        raise ValueError(f"not a number: {token!r}")
    return float(token)
