"""Lesson 04: the best DCG that a query allows."""

import math

from rankedu.exercises.authoring import exercise
from rankedu.exercises.inputs import ranking_and_k
from rankedu.exercises.lesson03 import discounted_sum_goes_wrong


@exercise(
    "04/ideal_dcg",
    title="Ideal DCG",
    prompt="Write `ideal_dcg(judged, k)`: the DCG@k of the best order of `judged`, which holds every grade "
    "judged for the query, in any order. Discount as before: `grade / log2(rank + 1)`. Without any grade it "
    "is 0.",
    hints=[
        "Two steps: put all judged grades in the best order, then take the DCG of the first k. `sorted(..., "
        "reverse=True)` gives a new list, largest first.",
        "`best = sorted(judged, reverse=True)[:k]`, then the sum of `grade / math.log2(rank + 1)` over "
        "`best`, ranks from 1. Cutting before sorting would lose good documents that come late in `judged`.",
    ],
    shown=[([0, 3, 1, 2], 2), ([1, 0, 0, 0, 0, 0, 0, 1, 1, 1], 3), ([0, 0], 5)],
    inputs=ranking_and_k,
)
def ideal_dcg(judged, k):
    """Return the largest DCG@k that any order of judged can have.

    >>> round(ideal_dcg([0, 3, 1, 2], 2), 3)    # 3 + 2 / log2(3)
    4.262
    """
    best = sorted(judged, reverse=True)[:k]
    ranked = enumerate(best, 1)
    return sum(grade / math.log2(rank + 1) for rank, grade in ranked)


ideal_dcg.mistakes(
    (
        "cut-before-sort",
        {"sorted(judged, reverse=True)[:k]": "sorted(judged[:k], reverse=True)"},
        "You cut at k before you sort, so a good grade beyond k is lost. Sort everything judged, then cut.",
    ),
    (
        "not-sorted",
        {"sorted(judged, reverse=True)[:k]": "judged[:k]"},
        "You take the judged grades as they come. `judged` is in no order: sort it, best first.",
    ),
    (
        "worst-first",
        {", reverse=True": ""},
        "You sort the smallest grade to the front. The ideal has the largest first: `reverse=True`.",
    ),
    (
        "best-but-ascending",
        {"sorted(judged, reverse=True)[:k]": "sorted(judged)[-k:]"},
        "You take the k best, but the smallest of them stands at rank 1. Turn them round.",
    ),
    (
        "only-reversed",
        {"sorted(judged, reverse=True)": "judged[::-1]"},
        "You turn the list round without sorting it: `[::-1]` and `reversed` know nothing of sizes.",
    ),
    (
        "no-cut",
        {"[:k]": ""},
        "You add up all judged grades. The ideal is cut at k as well, or no list of length k could reach it.",
    ),
    (
        "equal-grades-once",
        {"sorted(judged": "sorted(set(judged)"},
        "`set` drops equal grades. Two documents of grade 2 are two documents.",
    ),
    (
        "best-grade-everywhere",
        {"sorted(judged, reverse=True)[:k]": "[max(judged, default=0)] * k"},
        "You fill all k ranks with the best grade. The ideal can only use the documents there are.",
    ),
    (
        "relevant-or-not",
        {"grade / math": "(grade >= 1) / math"},
        "You count every relevant grade as 1. A grade of 3 gains 3.",
    ),
    (
        "exponential-gain",
        {"grade / math": "(2**grade - 1) / math"},
        "You take 2**grade - 1 as the gain. Here the gain is the grade itself.",
    ),
    (
        "no-discount",
        {"grade / math.log2(rank + 1)": "grade"},
        "You add up the grades as they are. Divide each by log2(rank + 1).",
    ),
    *discounted_sum_goes_wrong("best"),
    (
        "beyond-the-end",
        {"enumerate(best, 1)": "((i, best[i - 1]) for i in range(1, k + 1))"},
        "You read rank k also where fewer than k grades were judged. The ideal then ends early.",
    ),
)
