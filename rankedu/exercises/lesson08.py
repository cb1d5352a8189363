"""Lesson 08: how soon the first relevant document comes, for one query and over many."""

from rankedu.exercises.authoring import exercise
from rankedu.exercises.inputs import ranking_and_k, rankings_and_k


@exercise(
    "08/reciprocal_rank",
    title="Reciprocal rank",
    prompt="Write `reciprocal_rank(grades, k)`: 1 divided by the rank of the first relevant document, or "
    "0.0 if there is none at ranks 1 to k. Relevant is a grade of 1 or more; the first rank is 1.",
    hints=[
        "Go down the top k with the rank, and return as soon as you meet a relevant grade.",
        "What is returned when the loop ends without having met one? That line stands after the loop, not "
        "in it.",
    ],
    shown=[([0, 0, 2, 1], 5), ([0, 0, 2, 1], 2), ([], 3)],
    inputs=ranking_and_k,
)
def reciprocal_rank(grades, k):
    """Return RR@k of grades in rank order.

    >>> reciprocal_rank([0, 2, 1], 5)    # the first is at rank 2
    0.5
    """
    for rank, grade in enumerate(grades[:k], 1):
        if grade >= 1:
            return 1 / rank
    return 0.0


reciprocal_rank.mistakes(
    ("no-cut", {"grades[:k]": "grades"}, "You look down the whole list. Below rank k a hit counts 0."),
    (
        "ranks-from-zero",
        {"[:k], 1)": "[:k])"},
        "Your ranks start at 0, and 1 / 0 is nothing. The first rank is 1.",
    ),
    (
        "one-rank-late",
        [{"[:k], 1)": "[:k], 2)"}, {"1 / rank": "1 / (rank + 1)"}],
        "You divide by one rank too many. A hit at rank 1 gives 1 / 1.",
    ),
    (
        "rank-itself",
        {"1 / rank": "rank"},
        "You return the rank. The reciprocal rank is 1 divided by it.",
    ),
    (
        "nothing-without-hit",
        {"    return 0.0": "    return None"},
        "Where nothing is relevant your function reaches its end without a `return`. Put `return 0.0` after "
        "the loop.",
    ),
    (
        "gives-up-at-once",
        [
            {"            return 1 / rank\n": "            return 1 / rank\n        return 0.0\n"},
            {
                "            return 1 / rank\n": "            return 1 / rank\n        else:\n            "
                "return 0.0\n"
            },
        ],
        "You return 0 as soon as the first document is not relevant. That `return` stands inside the loop: "
        "move it to the left, after it.",
    ),
    (
        "last-hit",
        {
            "return 1 / rank\n    return 0.0": "last = 1 / rank\n    return last",
            "    for": "    last = 0.0\n    for",
        },
        "You take the last relevant document: each one overwrites the one before. Return at the first.",
    ),
    (
        "hits-added-up",
        {
            "return 1 / rank\n    return 0.0": "total += 1 / rank\n    return total",
            "    for": "    total = 0.0\n    for",
        },
        "You add up 1 / rank over all relevant documents. Only the first counts.",
    ),
    (
        "best-grade",
        {"if grade >= 1:": "if grade >= 1 and grade == max(grades[:k]):"},
        "You look for the highest grade. The first relevant document counts, whatever its grade.",
    ),
    (
        "grade-one-only",
        {"grade >= 1": "grade == 1"},
        "You look for the grade 1 itself (as `.index(1)` does). Every grade of 1 or more is relevant.",
    ),
    ("above-one", {"grade >= 1": "grade > 1"}, "You pass over a grade of 1. It is relevant too."),
    (
        "grade-above-the-line",
        {"1 / rank": "grade / rank"},
        "You divide the grade by the rank. Above the line stands 1, whatever the grade.",
    ),
    (
        "cut-one-early",
        {"[:k]": "[:max(k - 1, 0)]"},
        "You stop one rank early. `range(1, k)` ends at k - 1; rank k counts too.",
    ),
    ("cut-one-late", {"[:k]": "[:k + 1]"}, "You go one rank too far: rank k is the last that counts."),
    (
        "beyond-the-end",
        {"enumerate(grades[:k], 1)": "((i, grades[i - 1]) for i in range(1, k + 1))"},
        "You read on to rank k also where the list has ended. What is not there is not relevant.",
    ),
    (
        "no-hit-is-nan",
        {"    return 0.0": '    return float("nan")'},
        "Where nothing is relevant your function returns nan or inf. That is a list like any other, with the "
        "score 0.0.",
    ),
    (
        "no-hit-raises",
        [
            {"    return 0.0": f"    raise {name}"}
            for name in ("ValueError", "StopIteration", "IndexError", "ZeroDivisionError")
        ],
        "Your function fails where nothing is relevant. That is a list like any other, with the score 0.0.",
    ),
    (
        "no-hit-is-one-below",
        [{"return 0.0": "return 1 / (k + 1)"}, {"return 0.0": "return 1 / (len(grades) + 1)"}],
        "Without a hit you act as if one came just below the list. Nobody saw one: 0.0.",
    ),
    ("no-hit-is-one", {"return 0.0": "return 1.0"}, "You give 1 where nothing is relevant. It is 0.0 there."),
    (
        "discounted",
        {"    for": "    import math\n    for", "1 / rank": "1 / math.log2(rank + 1)"},
        "You discount as DCG does. Reciprocal rank divides 1 by the rank itself.",
    ),
)


@exercise(
    "08/mean_reciprocal_rank",
    title="Mean reciprocal rank",
    prompt="Write `mean_reciprocal_rank(rankings, k)`: the mean over `rankings`, a list of lists of grades, "
    "one per query, of 1 / rank of the first relevant document, or 0.0 if there is none at ranks 1 to k. "
    "Relevant is a grade of 1 or more. A query without a hit, or with an empty list, stays in the mean.",
    hints=[
        "Reciprocal rank first, mean second. You may call the `reciprocal_rank` that you wrote above.",
        "Add up the reciprocal ranks of all rankings and divide by `len(rankings)`.",
    ],
    shown=[([[1, 0], [0, 0, 1], [0, 0]], 5), ([[0, 0, 1], [2]], 2)],
    inputs=rankings_and_k,
    uses=[reciprocal_rank],
)
def mean_reciprocal_rank(rankings, k):
    """Return MRR@k over a list of rankings.

    >>> mean_reciprocal_rank([[1, 0], [0, 1]], 5)    # 1 and 1/2
    0.75
    """
    scores = [reciprocal_rank(grades, k) for grades in rankings]
    return sum(scores) / len(scores)


mean_reciprocal_rank.mistakes(
    (
        "queries-cut",
        [
            {"in rankings]": "in rankings[:k]]", "grades[:k]": cut, "len(scores)": number}
            for cut in ("grades", "grades[:k]")
            for number in ("len(scores)", "len(rankings)")
        ],
        "You cut the queries at k. Cut each ranking.",
    ),
    (
        "no-hit-dropped",
        [
            {"/ len(scores)": "/ max(1, sum(score > 0 for score in scores))"},
            {"/ len(scores)": "/ sum(score > 0 for score in scores)"},
        ],
        "You leave out the queries without a hit, so failing altogether costs nothing. They count 0 and "
        "stay in the mean.",
    ),
    (
        "empty-rankings-dropped",
        [
            {
                "in rankings]": "in rankings if grades]",
                "/ len(scores)": "/ len(scores) if scores else 0.0",
            },
            {"in rankings]": "in rankings if grades]"},
        ],
        "You leave out the empty rankings. Someone asked and got nothing: that counts 0 and stays in the "
        "mean.",
    ),
    (
        "reciprocal-of-mean-rank",
        [
            {
                "sum(scores) / len(scores)": (
                    "(sum(s > 0 for s in scores) / sum(1 / s for s in scores if s) if any(scores) else 0.0)"
                )
            },
            {
                "sum(scores) / len(scores)": (
                    "(len(scores) / sum(1 / s for s in scores if s) if any(scores) else 0.0)"
                )
            },
        ],
        "You take the mean of the ranks and then 1 divided by it. Take 1 / rank for each query, then the "
        "mean.",
    ),
    (
        "mean-rank",
        {"1 / rank": "rank"},
        "You take the mean of the ranks. Take 1 / rank for each query, then the mean.",
    ),
    (
        "not-divided",
        {" / len(scores)": ""},
        "You add up the reciprocal ranks. Divide by the number of rankings.",
    ),
    ("divided-by-k", {"/ len(scores)": "/ k"}, "You divide by k. Divide by the number of rankings."),
    (
        "first-ranking-only",
        [
            {"sum(scores) / len(scores)": "scores[0]"},
            {"sum(scores) / len(scores)": "scores[0] / len(scores)"},
        ],
        "You answer after the first ranking. Is your `return` inside the loop?",
    ),
    (
        "last-ranking-only",
        {"sum(scores) / len(scores)": "scores[-1]"},
        "Only the last ranking counts: each one overwrites the one before. Add them up.",
    ),
    (
        "best-query",
        {"sum(scores) / len(scores)": "max(scores)"},
        "You return the best query's score. The mean takes all.",
    ),
    ("no-cut", {"grades[:k]": "grades"}, "You look down the whole list. Below rank k a hit counts 0."),
    (
        "ranks-from-zero",
        {"[:k], 1)": "[:k])"},
        "Your ranks start at 0, and 1 / 0 is nothing. The first rank is 1.",
    ),
    (
        "one-rank-late",
        [{"[:k], 1)": "[:k], 2)"}, {"1 / rank": "1 / (rank + 1)"}],
        "You divide by one rank too many. A hit at rank 1 gives 1 / 1.",
    ),
    (
        "gives-up-at-once",
        [{"            return 1 / rank\n": "            return 1 / rank\n        return 0.0\n"}],
        "You return 0 as soon as the first document is not relevant. That `return` stands inside the loop.",
    ),
    (
        "hits-added-up",
        {
            "return 1 / rank\n    return 0.0": "total += 1 / rank\n    return total",
            "    for rank": "    total = 0.0\n    for rank",
        },
        "You add up 1 / rank over all relevant documents. Only the first of each ranking counts.",
    ),
    (
        "grade-one-only",
        {"grade >= 1": "grade == 1"},
        "You look for the grade 1 itself (as `.index(1)` does). Every grade of 1 or more is relevant.",
    ),
    ("above-one", {"grade >= 1": "grade > 1"}, "You pass over a grade of 1. It is relevant too."),
    (
        "cut-one-early",
        {"[:k]": "[:max(k - 1, 0)]"},
        "You stop one rank early. `range(1, k)` ends at k - 1; rank k counts too.",
    ),
    ("cut-one-late", {"[:k]": "[:k + 1]"}, "You go one rank too far: rank k is the last that counts."),
)
