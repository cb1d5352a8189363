"""Lesson 02: the sum of what is in the top k."""

from rankedu.exercises.authoring import exercise
from rankedu.exercises.inputs import ranking_and_k


@exercise(
    "02/cumulative_gain",
    title="Cumulative gain",
    prompt="Write `cumulative_gain(grades, k)`: the sum of the grades at ranks 1 to k. A list shorter than "
    "k gives all it has; an empty list gives 0.",
    hints=[
        "The first k items of a list are `grades[:k]`, also where the list is shorter.",
        "`sum` adds up a list, and the sum of an empty one is 0.",
    ],
    shown=[([3, 2, 0, 1, 4], 5), ([3, 2, 0, 1, 4], 2), ([1, 2], 10)],
    inputs=ranking_and_k,
)
def cumulative_gain(grades, k):
    """Return CG@k of grades in rank order.

    >>> cumulative_gain([3, 2, 0, 1, 4], 2)    # 3 + 2
    5
    """
    return sum(grades[:k])


cumulative_gain.mistakes(
    ("no-cut", {"[:k]": ""}, "You add up the whole list. Only ranks 1 to k count."),
    ("cut-one-late", {"[:k]": "[:k + 1]"}, "You go one rank too far: rank k is the last that counts."),
    (
        "cut-one-early",
        {"[:k]": "[:max(k - 1, 0)]"},
        "You stop one rank early. `range(1, k)` ends at k - 1; rank k counts too.",
    ),
    (
        "first-rank-left-out",
        [
            {"[:k]": "[1:k]"},
            {"[:k]": "[1:k + 1]"},
            {"sum(grades[:k])": "sum(grades[i] for i in range(1, k))"},
        ],
        "You leave out the first rank. A list is counted from 0 in Python: rank 1 is `grades[0]`.",
    ),
    (
        "last-k",
        {"[:k]": "[-k:]"},
        "You take the last k grades. The top of the list is at its beginning: `grades[:k]`.",
    ),
    (
        "beyond-the-end",
        {"sum(grades[:k])": "sum(grades[i] for i in range(k))"},
        "You read rank k also where the list has ended. A list shorter than k gives all it has.",
    ),
    (
        "return-in-loop",
        [{"sum(grades[:k])": f"next(iter(list(grades[:k])), {end})"} for end in (None, 0)],
        "You return after the first document. Is your `return` inside the loop? It belongs below it, to the "
        "left.",
    ),
    (
        "overwritten",
        {"sum(grades[:k])": "([0] + list(grades[:k]))[-1]"},
        "Each round overwrites the one before: `=`, or `=+`, where `+=` adds.",
    ),
    (
        "filtered-before-cut",
        {"grades[:k]": "[grade for grade in grades if grade][:k]"},
        "You drop the zeros before you cut, so later grades move up into the top k. Cut first.",
    ),
    (
        "sorted-first",
        {"grades[:k]": "sorted(grades, reverse=True)[:k]"},
        "You take the k best grades. CG@k takes the k first, as they were returned.",
    ),
    (
        "relevant-counted",
        {"grades[:k]": "grade >= 1 for grade in grades[:k]"},
        "You count the relevant ones. CG adds up their grades: a 3 gives 3.",
    ),
    (
        "divided-by-k",
        {"sum(grades[:k])": "sum(grades[:k]) / k"},
        "You divide by k. CG is the sum, not a mean.",
    ),
    (
        "divided-by-length",
        [
            {"sum(grades[:k])": "sum(grades[:k]) / max(1, len(grades[:k]))"},
            {"sum(grades[:k])": "sum(grades[:k]) / len(grades[:k])"},
        ],
        "You take the mean of the top k. CG is their sum.",
    ),
    (
        "kth-grade-alone",
        [
            {"sum(grades[:k])": "grades[k - 1]"},
            {"sum(grades[:k])": "grades[k - 1] if k <= len(grades) else 0"},
        ],
        "You return the grade at rank k alone. Add up all ranks from 1 to k.",
    ),
    (
        "discounted",
        {
            "return sum(grades[:k])": """import math
    return sum(grade / math.log2(rank + 1) for rank, grade in enumerate(grades[:k], 1))"""
        },
        "You discount by rank, which is DCG. CG adds up the grades as they are.",
    ),
    (
        "running-total",
        {"sum(grades[:k])": "[sum(grades[:i + 1]) for i in range(len(grades[:k]))]"},
        "You return the running total at every rank. CG@k is the last of these numbers alone.",
    ),
)
