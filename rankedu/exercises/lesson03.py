"""Lesson 03: what a rank is worth, and the sum of gains that weighs each by its rank."""

import math

from rankedu.exercises.authoring import exercise
from rankedu.exercises.inputs import rank as any_rank
from rankedu.exercises.inputs import ranking_and_k


@exercise(
    "03/discount",
    title="What a rank is worth",
    prompt="Write `discount(rank)`: `1 / log2(rank + 1)`, where the first rank is 1.",
    hints=[
        "`math.log2` is the logarithm to base 2. Rank 1 must be worth exactly 1, so ask yourself whose "
        "logarithm is 1.",
        "log2(2) = 1, so at rank 1 you need log2(rank + 1). The weight is 1 divided by it.",
    ],
    shown=[(1,), (3,)],
    inputs=any_rank,
)
def discount(rank):
    """Return the weight of a rank: 1 at the first, then less.

    >>> discount(3)    # 1 / log2(4)
    0.5
    """
    return 1 / math.log2(rank + 1)


discount.mistakes(
    (
        "log-of-rank",
        {"rank + 1": "rank"},
        "You take log2(rank). That is 0 at rank 1, and nothing can be divided by 0: take log2(rank + 1).",
    ),
    (
        "one-rank-late",
        {"rank + 1": "rank + 2"},
        "Every weight is that of the next rank. `log2(i + 2)` is for positions counted from 0; ranks start "
        "at 1.",
    ),
    (
        "natural-log",
        {"math.log2": "math.log"},
        "You take the natural logarithm. `math.log` has base e: take `math.log2`.",
    ),
    ("log-10", {"math.log2": "math.log10"}, "You take the logarithm to base 10: take `math.log2`."),
    (
        "reciprocal-of-rank",
        {"math.log2(rank + 1)": "rank"},
        "You divide by the rank itself, which is reciprocal rank's rule. DCG falls more slowly: log2(rank + "
        "1).",
    ),
    (
        "not-inverted",
        {"1 / math": "math"},
        "Your weight grows with the rank. The logarithm stands below the line: 1 / log2(rank + 1).",
    ),
    (
        "form-of-2002",
        {"math.log2(rank + 1)": "max(1, math.log2(rank))"},
        "This is the form of 2002, in which ranks 1 and 2 weigh the same. Here it is log2(rank + 1) at "
        "every rank.",
    ),
    (
        "one-outside-the-log",
        [
            {"math.log2(rank + 1)": "(math.log2(rank) + 1)"},
            {"1 / math.log2(rank + 1)": "1 / (1 + math.log2(rank))"},
        ],
        "The + 1 belongs inside the logarithm: log2(rank + 1), not log2(rank) + 1.",
    ),
)


WEIGHTS_AND_CUT_GO_WRONG = [
    (
        "form-of-2002",
        {"math.log2(rank + 1)": "max(1, math.log2(rank))"},
        "You divide by log2(rank) and spare rank 1: the form of 2002, in which ranks 1 and 2 weigh the "
        "same. Here rank 2 is divided by log2(3).",
    ),
    (
        "natural-log",
        {"math.log2": "math.log"},
        "You take the natural logarithm. `math.log` has base e: take `math.log2`.",
    ),
    ("log-10", {"math.log2": "math.log10"}, "You take the logarithm to base 10: take `math.log2`."),
    (
        "divided-by-rank",
        {"math.log2(rank + 1)": "rank"},
        "You divide by the rank itself. The discount is log2(rank + 1), which grows more slowly.",
    ),
    (
        "multiplied",
        {"/ math.log2": "* math.log2"},
        "You multiply by log2(rank + 1), so that late ranks count more. Divide.",
    ),
    (
        "cut-one-early",
        {"[:k]": "[:max(k - 1, 0)]"},
        "You stop one rank early. `range(1, k)` ends at k - 1; rank k counts too.",
    ),
    ("cut-one-late", {"[:k]": "[:k + 1]"}, "You go one rank too far: rank k is the last that counts."),
    (
        "return-in-loop",
        [{"return sum(": "return next(iter([", "in ranked)": f"in ranked]), {end})"} for end in (None, 0)],
        "You return after the first document. Is your `return` inside the loop? It belongs below it, to the "
        "left.",
    ),
    (
        "overwritten",
        {"return sum(": "return ([0] + [", "in ranked)": "in ranked])[-1]"},
        "Each round overwrites the one before: `=`, or `=+`, where `+=` adds.",
    ),
]


def discounted_sum_goes_wrong(ranked):
    """Return what every discounted sum shares, the ideal one too; `ranked` is the list it counts, as text."""
    return [
        (
            "ranks-from-zero",
            [{f"{ranked}, 1)": f"{ranked})"}, {"math.log2(rank + 1)": "math.log2(rank)"}],
            "You divide by log2(1) = 0 at the first rank: your ranks start at 0, or the + 1 is not within "
            "the brackets. The first rank is 1 and is divided by log2(2) = 1.",
        ),
        (
            "one-rank-late",
            [{"rank + 1": "rank + 2"}, {f"{ranked}, 1)": f"{ranked}, 2)"}],
            "Every grade is discounted as if it stood one rank lower. The first rank is 1 and keeps its "
            "whole gain.",
        ),
        *WEIGHTS_AND_CUT_GO_WRONG,
    ]


# What the two sums over the list as it was returned share: they differ only in the gain
SUM_GOES_WRONG = [
    (
        "no-cut",
        {"grades[:k]": "grades"},
        "You add up the whole list. Only ranks 1 to k count.",
    ),
    *discounted_sum_goes_wrong("grades[:k]"),
    (
        "first-rank-left-out",
        [{"grades[:k], 1)": "grades[1:k], 2)"}, {"grades[:k], 1)": "grades[1:k], 1)"}],
        "You leave out the first document. Lists are counted from 0 in Python: `grades[0]` is at rank 1.",
    ),
    (
        "beyond-the-end",
        {"enumerate(grades[:k], 1)": "((i, grades[i - 1]) for i in range(1, k + 1))"},
        "You read rank k also where the list has ended. A list shorter than k gives all it has.",
    ),
    (
        "sorted-first",
        {"grades[:k]": "sorted(grades, reverse=True)[:k]"},
        "You sort the grades first. DCG is about the order that was returned; best first would be the ideal.",
    ),
    (
        "filtered-before-cut",
        [
            {"grades[:k]": "[grade for grade in grades if grade][:k]"},
            {"grades[:k]": "[grade for grade in grades[:k] if grade]"},
        ],
        "You drop the documents of grade 0, and those below move up. Each keeps the rank that it has.",
    ),
    (
        "divided-by-k",
        {"in ranked)": "in ranked) / k"},
        "You divide the sum by k. DCG is the sum itself, not a mean.",
    ),
]


@exercise(
    "03/dcg",
    title="Discounted cumulative gain",
    prompt="Write `dcg(grades, k)`: `grade / log2(rank + 1)`, added up over ranks 1 to k, where the first "
    "rank is 1. A list shorter than k gives all it has; an empty list gives 0.",
    hints=[
        "The first k grades are `grades[:k]`, also where the list is shorter. You need each grade with its "
        "rank: `enumerate(..., 1)` counts from 1.",
        "Add up `grade / math.log2(rank + 1)`. At rank 1 that divides by log2(2) = 1, at rank 3 by log2(4) "
        "= 2.",
    ],
    shown=[([3, 2, 0, 1, 4], 5), ([3, 2, 0, 1, 4], 2), ([2, 0, 1, 2, 1], 10)],
    inputs=ranking_and_k,
)
def dcg(grades, k):
    """Return DCG@k of grades in rank order.

    >>> round(dcg([3, 2, 0], 2), 3)    # 3 / log2(2) + 2 / log2(3)
    4.262
    """
    ranked = enumerate(grades[:k], 1)
    return sum(grade / math.log2(rank + 1) for rank, grade in ranked)


dcg.mistakes(
    *SUM_GOES_WRONG,
    (
        "no-discount",
        {"grade / math.log2(rank + 1)": "grade"},
        "You add up the grades as they are, which is CG. Divide each by log2(rank + 1) first.",
    ),
    (
        "exponential-gain",
        {"grade / math": "(2**grade - 1) / math"},
        "You take 2**grade - 1 as the gain. Here the gain is the grade itself.",
    ),
    (
        "relevant-or-not",
        {"grade / math": "(grade >= 1) / math"},
        "You count every relevant grade as 1. A grade of 3 gains 3.",
    ),
    (
        "sum-discounted-once",
        {
            "sum(grade / math.log2(rank + 1)": "sum(grade",
            "in ranked)": "in ranked) / math.log2(k + 1)",
        },
        "You discount the whole sum once, by log2(k + 1). Discount each grade by its own rank, then add up.",
    ),
)


@exercise(
    "03/exponential_dcg",
    title="DCG with exponential gain",
    prompt="Write `exponential_dcg(grades, k)`: the sum over ranks 1 to k of `(2**grade - 1) / log2(rank + "
    "1)`, where the first rank is 1. A list shorter than k gives all it has; an empty list gives 0.",
    hints=[
        "Only the gain changes: what was the grade in `dcg` is now 2**grade - 1. In Python `**` is the "
        "power, and `^` is something else.",
        "A grade of 0 must gain 2**0 - 1 = 0, and a grade of 3 gains 2**3 - 1 = 7. Mind the brackets: "
        "`(2**grade - 1) / math.log2(rank + 1)`.",
    ],
    shown=[([3, 2, 0, 1, 4], 5), ([2, 2, 2], 3), ([3, 0, 0], 3)],
    inputs=ranking_and_k,
)
def exponential_dcg(grades, k):
    """Return DCG@k of grades in rank order, gain 2**grade - 1.

    >>> round(exponential_dcg([2, 3], 2), 3)    # 3 + 7 / log2(3)
    7.417
    """
    ranked = enumerate(grades[:k], 1)
    return sum((2**grade - 1) / math.log2(rank + 1) for rank, grade in ranked)


exponential_dcg.mistakes(
    *SUM_GOES_WRONG,
    (
        "linear-gain",
        {"(2**grade - 1)": "grade"},
        "Your gain is the grade itself. Here it is 2**grade - 1, so that a 3 gains 7 and a 2 gains 3.",
    ),
    (
        "no-minus-one",
        {"(2**grade - 1)": "2**grade"},
        "Your gain is 2**grade, which gives 1 to a grade of 0. Take 2**grade - 1.",
    ),
    (
        "minus-one-in-exponent",
        {"(2**grade - 1)": "2 ** (grade - 1)"},
        "Your gain is 2**(grade - 1). The 1 is taken off the power, not off the grade: (2**grade) - 1.",
    ),
    (
        "minus-one-after-division",
        {"(2**grade - 1) / math.log2(rank + 1)": "2**grade / math.log2(rank + 1) - 1"},
        "You take off the 1 after dividing. Division comes first unless brackets say otherwise: (2**grade - "
        "1) / ...",
    ),
    (
        "one-divided-alone",
        {"(2**grade - 1) / math.log2(rank + 1)": "2**grade - 1 / math.log2(rank + 1)"},
        "You divide the 1 alone. Division comes first unless brackets say otherwise: (2**grade - 1) / ...",
    ),
    (
        "caret-for-power",
        [{"(2**grade - 1)": "((2 ^ grade) - 1)"}, {"(2**grade - 1)": "(2 ^ grade - 1)"}],
        "`^` is not the power in Python but an operation on bits. Write `2**grade`.",
    ),
    (
        "squared",
        [{"2**grade - 1": "grade**2"}, {"2**grade - 1": "grade**2 - 1"}],
        "You square the grade. The grade is the exponent: `2**grade`, not `grade**2`.",
    ),
    (
        "base-e",
        {"2**grade - 1": "math.exp(grade) - 1"},
        "You raise e to the grade. The base is 2.",
    ),
    (
        "no-discount",
        {"(2**grade - 1) / math.log2(rank + 1)": "2**grade - 1"},
        "You add up the gains as they are. Divide each by log2(rank + 1) first.",
    ),
    (
        "power-of-discounted",
        {"(2**grade - 1) / math.log2(rank + 1)": "2 ** (grade / math.log2(rank + 1)) - 1"},
        "You discount the grade and then raise 2 to it. Take the gain first, then discount it.",
    ),
)
