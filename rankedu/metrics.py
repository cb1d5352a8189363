"""The metrics of a ranked list, each written as its textbook defines it.

One function is one definition: a list of *grades*, in rank order, goes in and one number comes out.
A grade says how good the document at that rank is (0: not relevant). Ranks start at 1.

    grades      the ranking: grades in rank order, best rank first
    k           the cut-off: only the first k ranks count; None is the whole list
    judged      every grade judged for the query, returned or not, in any order; left out, the ranking
                is taken to hold them all, which hides every relevant document that was not returned
    threshold   the least grade that counts as relevant where a metric knows only yes and no
    undefined   what 0/0 is when nothing relevant was judged: "zero", "one" or "nan" (a mean skips it)

Nothing here is fast; many queries at once are the job of `rankedu.batch`, and the same numbers with
their work shown are in `rankedu.explain`.

>>> ndcg([2, 0, 1, 2, 1]).__round__(3)
0.894
>>> ndcg([2, 0, 1, 2, 1], judged=[2, 0, 1, 2, 1, 2, 2]).__round__(3)    # two more were judged, not found
0.639

Sources: Järvelin and Kekäläinen (2002), "Cumulated gain-based evaluation of IR techniques", ACM TOIS 20(4);
Burges et al. (2005), "Learning to rank using gradient descent", ICML; Manning, Raghavan and Schütze (2008),
"Introduction to Information Retrieval", chapter 8; Voorhees (1999), "The TREC-8 question answering track".
"""

import math
import numbers
import warnings
from collections import Counter

import numpy as np

__all__ = [
    "average_precision",
    "cumulative_gain",
    "dcg",
    "discount",
    "f1_at_k",
    "gain",
    "hit_rate_at_k",
    "ideal_dcg",
    "mean_average_precision",
    "mean_ndcg",
    "mean_reciprocal_rank",
    "ndcg",
    "precision_at_k",
    "recall_at_k",
    "reciprocal_rank",
]

GAINS = ("linear", "exponential")
UNDEFINED = {"zero": 0.0, "one": 1.0, "nan": math.nan}


# ---------------------------------------------------------------------------------------------------
# Graded relevance: gain, discount, DCG and NDCG


def gain(grades, kind="linear"):
    """What each grade is worth: the grade itself, or 2**grade - 1.

    grades: one grade or a one-dimensional sequence of them, each a finite number >= 0.
    kind: "linear" (Järvelin and Kekäläinen, 2002) or "exponential" (Burges et al., 2005), which pulls the
    high grades apart.
    Returns a float for one grade, else a float64 array of the same length.
    Raises ValueError for an unknown kind and for a grade whose gain is not finite (1024 and more).

    >>> gain([0, 1, 2, 3], "exponential")
    array([0., 1., 3., 7.])
    """
    _one_of("kind", kind, GAINS)
    if np.ndim(grades) == 0:
        return float(gain([grades], kind)[0])
    grades = _as_grades("grades", grades)
    if kind == "linear":
        return grades
    if grades.size and grades.max() >= 1024:
        raise ValueError(
            "grades must be below 1024 for exponential gain, where 2**grade - 1 is no longer a finite "
            f"number; got {grades.max():g}"
        )
    return 2.0**grades - 1


def discount(rank):
    """The weight of a rank: 1 / log2(rank + 1).

    rank: a number >= 1, or an array of them; ranks start at 1.
    Returns a float in (0, 1] for a number, else a float64 array of the same shape.
    Source: the form in common use, with b = 2; Järvelin and Kekäläinen (2002) discounted only after rank b.

    >>> discount(3)
    0.5
    >>> discount([1, 2, 3, 4, 5]).round(3)
    array([1.   , 0.631, 0.5  , 0.431, 0.387])
    """
    ranks = _as_floats("rank", rank)
    if not np.all(ranks >= 1) or np.isinf(ranks).any():
        raise ValueError(f"rank must be at least 1, because ranks start at 1; got {rank!r}")
    weights = 1 / np.log2(ranks + 1)
    return float(weights) if weights.ndim == 0 else weights


def cumulative_gain(grades, k=None, *, gain="linear"):
    """The sum of the gains in the top k: it does not see their order.

    grades: sequence of grades in rank order. Returns a float >= 0, in units of gain.
    Source: Järvelin and Kekäläinen (2002), eq. 1.

    >>> cumulative_gain([3, 2, 0, 1, 4]), cumulative_gain([4, 3, 2, 1, 0])
    (10.0, 10.0)
    >>> cumulative_gain([3, 2, 0, 1, 4], k=3)
    5.0
    """
    return _sum(_gains(_as_grades("grades", grades), gain)[: _as_cutoff(k)])


def dcg(grades, k=None, *, gain="linear"):
    """The sum of gain x discount over the top k.

    grades: sequence of grades in rank order. Returns a float >= 0, in units of gain.
    Raises ValueError where the sum is not a finite number.
    Source: Järvelin and Kekäläinen (2002), with the discount 1 / log2(rank + 1) from rank 1 on.

    >>> round(dcg([2, 0, 1, 2, 1]), 3)         # 2 + 0 + 1 x 0.5 + 2 x 0.431 + 1 x 0.387
    3.748
    >>> round(dcg([3, 0, 0], gain="exponential"), 3)
    7.0
    """
    gains = _gains(_as_grades("grades", grades), gain)[: _as_cutoff(k)]
    return _sum(gains * discount(_ranks(gains)))


def ideal_dcg(judged, k=None, *, gain="linear"):
    """The DCG@k of the judged grades in the best order: sort, then cut.

    judged: every grade judged for the query, returned or not, in any order.
    Returns a float >= 0, the most that any ranking can reach at k; 0.0 when nothing relevant was judged.
    Source: Järvelin and Kekäläinen (2002), the ideal vector.

    >>> round(ideal_dcg([2, 0, 1, 2, 1]), 3)   # the DCG of [2, 2, 1, 1, 0]
    4.193
    >>> round(ideal_dcg([1] * 10, k=10), 3)
    4.544
    """
    best_first = np.sort(_as_grades("judged", judged))[::-1]
    return dcg(best_first, k, gain=gain)


def ndcg(grades, k=None, *, judged=None, gain="linear", undefined="zero"):
    """DCG@k as a share of the ideal DCG@k, with the same k and gain in both.

    grades: sequence of grades in rank order. judged: every grade judged for the query; when it is left out,
    the ranking is its own ideal, and what was not returned costs nothing.
    Returns a float in [0, 1]: 1 is the best order, 0 means nothing relevant in the top k; `undefined`
    where nothing relevant was judged.
    Source: Järvelin and Kekäläinen (2002).

    >>> round(ndcg([2, 0, 1, 2, 1]), 3)
    0.894
    >>> round(ndcg([5, 4, 1, 3, 0], k=3), 3)   # 8.024 / 9.024
    0.889
    >>> ndcg([1], k=10), round(ndcg([1], k=10, judged=[1] * 10), 3)    # one found; one found of ten
    (1.0, 0.22)
    """
    when_undefined = _when_undefined(undefined)
    grades, judged = _as_ranking_and_judged(grades, judged)
    ideal = ideal_dcg(judged, k, gain=gain)
    if ideal == 0:
        return when_undefined
    # Rounding in the last bit must not lift a ranking above its own ideal.
    return min(dcg(grades, k, gain=gain) / ideal, 1.0)


# ---------------------------------------------------------------------------------------------------
# Binary relevance, the top k as a set: precision, recall, F1, hit rate


def precision_at_k(grades, k, *, threshold=1):
    """The share of the top k that is relevant: relevant in the top k / k.

    grades: sequence of grades in rank order. k: the divisor also when the list is shorter than k; None is the
    length of the list. Returns a float in [0, 1].
    Source: Manning, Raghavan and Schütze (2008), section 8.4.

    >>> precision_at_k([1, 0, 1, 0, 1], k=3).__round__(3)
    0.667
    >>> precision_at_k([1, 1], k=5)
    0.4
    """
    relevant = _relevant(_as_grades("grades", grades), threshold)
    k = len(relevant) if k is None else _as_cutoff(k)
    return float(relevant[:k].sum() / k) if k else 0.0


def recall_at_k(grades, k, *, judged=None, threshold=1, undefined="zero"):
    """The share of everything relevant that the top k holds: relevant in the top k / R.

    R is the number of relevant grades in `judged`; when it is left out, R counts only what was returned, and
    recall over the whole list is always 1.
    Returns a float in [0, 1]; at most k / R; `undefined` where R is 0.
    Source: Manning, Raghavan and Schütze (2008), section 8.3.

    >>> recall_at_k([1, 0, 1], k=3, judged=[1, 1, 1, 1])
    0.5
    """
    when_undefined = _when_undefined(undefined)
    grades, judged = _as_ranking_and_judged(grades, judged)
    found = _relevant(grades, threshold)[: _as_cutoff(k)].sum()
    total = _relevant(judged, threshold).sum()
    return float(found / total) if total else when_undefined


def f1_at_k(grades, k, *, judged=None, threshold=1, undefined="zero"):
    """The harmonic mean of precision@k and recall@k.

    Returns a float in [0, 1]: 0 when the top k holds nothing relevant, `undefined` where R is 0.
    Source: van Rijsbergen (1979), "Information Retrieval", chapter 7, with equal weights.

    >>> f1_at_k([1, 0, 1, 0, 0], k=5, judged=[1, 1, 1]).__round__(3)   # P 0.4, R 0.667
    0.5
    """
    when_undefined = _when_undefined(undefined)
    grades, judged = _as_ranking_and_judged(grades, judged)
    precision = precision_at_k(grades, k, threshold=threshold)
    recall = recall_at_k(grades, k, judged=judged, threshold=threshold)
    if not _relevant(judged, threshold).any():
        return when_undefined
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def hit_rate_at_k(grades, k, *, threshold=1):
    """1.0 if anything in the top k is relevant, else 0.0; its mean over queries is the hit rate (success@k).

    >>> hit_rate_at_k([0, 0, 1], k=3), hit_rate_at_k([0, 0, 1], k=2)
    (1.0, 0.0)
    """
    return float(_relevant(_as_grades("grades", grades), threshold)[: _as_cutoff(k)].any())


# ---------------------------------------------------------------------------------------------------
# Binary relevance, the order counts: average precision, reciprocal rank


def average_precision(grades, k=None, *, judged=None, threshold=1, undefined="zero"):
    """The sum of precision@i at each relevant rank i <= k, divided by R.

    R is the number of relevant grades in `judged`, found or not: never the hits found, never min(R, k). When
    `judged` is left out, R counts only what was returned, and a missed document costs nothing.
    Returns a float in [0, 1]; `undefined` where R is 0.
    Source: Manning, Raghavan and Schütze (2008), eq. 8.8; the cut at k is trec_eval's map_cut.

    >>> round(average_precision([1, 0, 1, 0, 1]), 3)                   # (1/1 + 2/3 + 3/5) / 3
    0.756
    >>> average_precision([1, 0], judged=[1, 1])
    0.5
    """
    when_undefined = _when_undefined(undefined)
    grades, judged = _as_ranking_and_judged(grades, judged)
    relevant = _relevant(grades, threshold)[: _as_cutoff(k)]
    precision = relevant.cumsum() / _ranks(relevant)
    total = _relevant(judged, threshold).sum()
    return float(_sum(precision[relevant]) / total) if total else when_undefined


def reciprocal_rank(grades, k=None, *, threshold=1):
    """1 / the rank of the first relevant document, 0.0 when the top k holds none.

    Returns a float in [0, 1]; whatever comes after the first hit does not count.
    Source: Voorhees (1999), the TREC-8 question answering track.

    >>> reciprocal_rank([0, 0, 1, 1]).__round__(3), reciprocal_rank([0, 0, 1, 1], k=2)
    (0.333, 0.0)
    """
    relevant = _relevant(_as_grades("grades", grades), threshold)[: _as_cutoff(k)]
    return float(1 / _ranks(relevant)[relevant][0]) if relevant.any() else 0.0


# ---------------------------------------------------------------------------------------------------
# Many queries: each counts once


def mean_ndcg(rankings, k=None, *, judged=None, gain="linear", undefined="zero"):
    """The mean NDCG@k over queries, each query counting once.

    rankings: a list of lists of grades, one for each query. judged: a list of as many lists, or None.
    Returns a float in [0, 1]. Queries with nothing relevant count as `undefined` says; "nan" leaves them
    out, and where that leaves nothing the mean is nan, with a RuntimeWarning.

    >>> mean_ndcg([[1, 0, 1], [0, 0, 0]]).__round__(3)
    0.46
    >>> mean_ndcg([[1, 0, 1], [0, 0, 0]], undefined="nan").__round__(3)
    0.92
    """
    pairs = _pair_up(rankings, judged)
    return _mean([ndcg(grades, k, judged=all_, gain=gain, undefined=undefined) for grades, all_ in pairs])


def mean_average_precision(rankings, k=None, *, judged=None, threshold=1, undefined="zero"):
    """MAP: the mean of average precision over queries, each query counting once.

    rankings: a list of lists of grades, one for each query. judged: a list of as many lists, or None.
    Returns a float in [0, 1]; `undefined` as in `mean_ndcg`.

    >>> round(mean_average_precision([[1, 0, 1, 0, 1], [0, 1, 1, 1, 0]]), 3)   # (0.756 + 0.639) / 2
    0.697
    """
    pairs = _pair_up(rankings, judged)
    return _mean(
        [
            average_precision(grades, k, judged=all_, threshold=threshold, undefined=undefined)
            for grades, all_ in pairs
        ]
    )


def mean_reciprocal_rank(rankings, k=None, *, threshold=1):
    """MRR: the mean reciprocal rank over queries; a query without a hit counts 0 and stays in the mean.

    rankings: a list of lists of grades, one for each query. Returns a float in [0, 1].

    >>> mean_reciprocal_rank([[1, 0, 0], [0, 1, 1], [0, 0, 0]])
    0.5
    """
    pairs = _pair_up(rankings, None)
    return _mean([reciprocal_rank(grades, k, threshold=threshold) for grades, _ in pairs])


# ---------------------------------------------------------------------------------------------------
# The pieces that the definitions above share


def _ranks(values):
    return np.arange(1, len(values) + 1)


def _gains(grades, kind):
    _one_of("gain", kind, GAINS)
    return gain(grades, kind)


def _relevant(grades, threshold):
    if isinstance(threshold, bool | np.bool_) or not isinstance(threshold, numbers.Real):
        raise TypeError(f"threshold must be a number above 0; got {threshold!r}")
    if not 0 < threshold < math.inf:
        raise ValueError(f"threshold must be a finite number above 0; got {threshold!r}")
    return grades >= threshold


def _sum(values):
    """The sum, correctly rounded, so that neither the order nor a tail of zeros can move a score."""
    try:
        return math.fsum(values)
    except OverflowError:
        raise ValueError("grades are too large: their sum is not a finite number") from None


def _mean(values):
    values = [value for value in values if not math.isnan(value)]
    if not values:
        warnings.warn(
            "nothing relevant was judged for any query: the mean over none is nan",
            RuntimeWarning,
            stacklevel=3,
        )
        return math.nan
    return math.fsum(values) / len(values)


# ---------------------------------------------------------------------------------------------------
# Checking the input


def _one_of(name, value, allowed):
    if not isinstance(value, str) or value not in allowed:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, allowed))}; got {value!r}")


def _when_undefined(policy):
    _one_of("undefined", policy, tuple(UNDEFINED))
    return UNDEFINED[policy]


def _as_cutoff(k):
    """None, or k as an int of at least 1: what a slice takes as its end."""
    if k is None:
        return None
    allowed = "k must be a whole number of at least 1, or None for the whole list"
    if isinstance(k, bool | np.bool_) or not isinstance(k, numbers.Integral):
        raise TypeError(f"{allowed}; got {k!r}")
    if k < 1:
        raise ValueError(f"{allowed}; got {k!r}")
    return int(k)


def _as_floats(name, values):
    """The values as a float64 array of their own; text, None, sets and the like are refused."""
    if isinstance(values, str | bytes | dict | set | frozenset) or not (
        hasattr(values, "__array__") or isinstance(values, list | tuple | range | numbers.Real)
    ):
        raise TypeError(f"{name} must be numbers in a list, tuple or numpy array; got {_short(values)}")
    try:
        array = np.asarray(values)
    except ValueError:
        raise ValueError(
            f"{name} must be one flat list of numbers; got {_short(values)}, which is ragged"
        ) from None
    if array.dtype.kind == "O" and all(isinstance(value, numbers.Real) for value in array.flat):
        try:
            return array.astype(np.float64)
        except OverflowError:
            raise ValueError(f"{name} must be finite numbers; got {_short(values)}") from None
    if array.dtype.kind not in "buif":
        raise TypeError(f"{name} must be numbers; got {_short(values)}")
    return array.astype(np.float64)


def _as_grades(name, values):
    """The grades as a one-dimensional float64 array, each of them finite and not negative."""
    grades = _as_floats(name, values)
    if grades.ndim != 1:
        raise ValueError(f"{name} must be one flat list of numbers, one for each rank; got {_short(values)}")
    if not np.isfinite(grades).all():
        raise ValueError(
            f"{name} must be finite numbers, and each grade must be judged; got {_short(values)}"
        )
    if (grades < 0).any():
        raise ValueError(
            f"{name} must not be negative, because a grade of 0 is the worst; got {_short(values)}"
        )
    return grades


def _as_ranking_and_judged(grades, judged):
    grades = _as_grades("grades", grades)
    if judged is None:
        return grades, grades
    judged = _as_grades("judged", judged)
    missing = Counter(grades[grades > 0].tolist()) - Counter(judged.tolist())
    if missing:
        raise ValueError(
            "judged must hold every judged grade of the query, those of the ranking among them; "
            f"the ranking has {sum(missing.values())} that judged lacks, such as a grade of {max(missing):g}"
        )
    return grades, judged


def _pair_up(rankings, judged):
    """One (ranking, judged) for each query, errors naming the query by its position."""
    rankings = _as_lists("rankings", rankings)
    if not rankings:
        raise ValueError("rankings must hold at least one ranking; got none")
    if judged is None:
        return [(_as_grades(f"rankings[{i}]", grades), None) for i, grades in enumerate(rankings)]
    judged = _as_lists("judged", judged)
    if len(judged) != len(rankings):
        raise ValueError(
            f"judged must hold one list for each ranking; got {len(judged)} for {len(rankings)} rankings"
        )
    return [
        (_as_grades(f"rankings[{i}]", grades), _as_grades(f"judged[{i}]", all_))
        for i, (grades, all_) in enumerate(zip(rankings, judged, strict=True))
    ]


def _as_lists(name, lists):
    if not isinstance(lists, list | tuple | np.ndarray) or np.ndim(lists[0] if len(lists) else ()) == 0:
        raise TypeError(f"{name} must be a list of lists of grades, one for each query; got {_short(lists)}")
    return lists


def _short(value):
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."
