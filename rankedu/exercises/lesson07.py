"""Lesson 07: the precision at every relevant document, and its mean over queries."""

from rankedu.exercises.authoring import exercise
from rankedu.exercises.inputs import counted_queries, ranking_and_relevant

AVERAGE_GOES_WRONG = [
    (
        "divided-by-hits",
        [{"/ n_relevant if": "/ max(1, hits) if"}, {"/ n_relevant if n_relevant else 0.0": "/ hits"}],
        "You divide by the relevant documents that were found. Those that were missed count 0: divide by "
        "`n_relevant`.",
    ),
    (
        "divided-by-length",
        [
            {"/ n_relevant if": "/ max(1, len(grades)) if"},
            {"/ n_relevant if n_relevant else 0.0": "/ len(grades)"},
        ],
        "You divide by the length of the list. Divide by `n_relevant`, all there was to find.",
    ),
    (
        "divided-by-smaller",
        {"/ n_relevant if": "/ max(1, min(n_relevant, len(grades))) if"},
        "You divide by the length of the list where it is shorter than `n_relevant`. A list that stops "
        "early must lose by it: divide by `n_relevant`.",
    ),
    (
        "zero-by-zero",
        [{" if n_relevant else 0.0": ""}, {"if n_relevant else": "if grades else"}],
        "Where nothing is relevant you divide 0 by 0. Say that AP is 0.0 there.",
    ),
    (
        "nothing-relevant-is-one",
        {"else 0.0": "else 1.0"},
        "You give 1 where nothing is relevant. That is one of the conventions; here it is 0.0.",
    ),
    (
        "every-rank-counts",
        {"            total += hits / rank": "        total += hits / rank"},
        "You add the precision at every rank. Add it only at the ranks that hold a relevant document.",
    ),
    (
        "hit-counted-late",
        {"hits += 1\n            total += hits / rank": "total += hits / rank\n            hits += 1"},
        "You take the precision before you count the hit. The relevant document at a rank is part of that "
        "rank's precision.",
    ),
    (
        "ranks-from-zero",
        {"enumerate(grades, 1)": "enumerate(grades)"},
        "Your ranks start at 0. The first rank is 1: precision there is divided by 1.",
    ),
    (
        "one-rank-late",
        {"enumerate(grades, 1)": "enumerate(grades, 2)"},
        "You divide by one rank too many. The first rank is 1.",
    ),
    (
        "graded",
        {"hits += 1": "hits += grade"},
        "You add up grades. A document is relevant or not in AP: a grade of 3 counts once.",
    ),
    (
        "grade-times-precision",
        {"total += hits / rank": "total += grade * hits / rank"},
        "You weigh each precision by the grade. A document is relevant or not in AP.",
    ),
    (
        "reciprocal-ranks",
        {"total += hits / rank": "total += 1 / rank"},
        "You add up 1 / rank. The precision at a rank is the hits so far, divided by the rank.",
    ),
    (
        "above-one",
        {"grade >= 1": "grade > 1"},
        "You count only grades above 1. A grade of 1 is relevant too.",
    ),
    (
        "grade-one-only",
        {"grade >= 1": "grade == 1"},
        "You count only the grade 1. Every grade of 1 or more is relevant.",
    ),
    (
        "recall-added",
        {"total += hits / rank": "total += hits / max(1, n_relevant)"},
        "You add up recall. AP adds the precision at each relevant rank: hits so far, divided by the rank.",
    ),
]


@exercise(
    "07/average_precision",
    title="Average precision",
    prompt="Write `average_precision(grades, n_relevant)`: at each rank that holds a relevant document take "
    "the precision (the relevant ones so far, divided by the rank), add these up, and divide by "
    "`n_relevant`, the number of all relevant documents, returned or not. Relevant is a grade of 1 or more. "
    "Where nothing is relevant, AP is 0.0.",
    hints=[
        "Go down the list with the rank and keep a count of the hits so far. At a relevant document raise "
        "the count, then add hits / rank to a total.",
        "At the end divide the total by `n_relevant`, not by the hits: a relevant document that was never "
        "returned adds nothing above the line and still counts below it. Ask first whether `n_relevant` is "
        "0.",
    ],
    shown=[([1, 0, 1, 0, 1], 3), ([0, 1, 1, 1, 0], 3), ([2, 0, 1], 5), ([0, 0], 0)],
    inputs=ranking_and_relevant,
)
def average_precision(grades, n_relevant):
    """Return AP of grades in rank order, n_relevant to be found.

    >>> round(average_precision([1, 0, 1], 3), 3)    # (1 + 2/3) / 3
    0.556
    """
    hits, total = 0, 0.0
    for rank, grade in enumerate(grades, 1):
        if grade >= 1:
            hits += 1
            total += hits / rank
    return total / n_relevant if n_relevant else 0.0


average_precision.mistakes(
    *AVERAGE_GOES_WRONG,
    (
        "not-divided",
        {"total / n_relevant if n_relevant else 0.0": "total"},
        "You return the sum. Divide it by `n_relevant`.",
    ),
    (
        "interpolated",
        {
            "total += hits / rank": (
                "total += max(sum(g >= 1 for g in grades[:r]) / r for r in range(rank, len(grades) + 1))"
            )
        },
        "At each relevant rank you take the best precision from there on: interpolated precision. Take the "
        "precision at the rank itself.",
    ),
    (
        "first-hit-only",
        [
            {"            total += hits / rank": "            total += hits / rank\n            break"},
            {
                "            total += hits / rank": (
                    "            total += hits / rank\n            return total / n_relevant"
                ),
                "    return total / n_relevant if n_relevant else 0.0": "",
            },
        ],
        "You stop at the first relevant document. Every one adds its precision.",
    ),
    (
        "return-in-loop",
        [
            {
                "    return total / n_relevant if n_relevant else 0.0": (
                    f"        return total / n_relevant if n_relevant else 0.0\n    return {end}"
                )
            }
            for end in (None, 0)
        ],
        "You return after the first document. Is your `return` inside the loop? It belongs below it, to the "
        "left.",
    ),
    (
        "overwritten",
        {"total += hits / rank": "total = hits / rank"},
        "Each round overwrites the one before: `=`, or `=+`, where `+=` adds.",
    ),
)


@exercise(
    "07/mean_average_precision",
    title="Mean average precision",
    prompt="Write `mean_average_precision(queries)`: the mean AP over `queries`, a list of `(grades, "
    "n_relevant)` pairs, each query counting once. A query without anything relevant counts 0.0 and stays "
    "in the mean.",
    hints=[
        "Take AP query by query, then the plain mean. You may call the `average_precision` that you wrote "
        "above.",
        "`for grades, n_relevant in queries` gives both. Divide by `len(queries)`: a query that scores 0 is "
        "still a query.",
    ],
    shown=[([([1, 0, 1, 0, 1], 3), ([0, 1, 1, 1, 0], 3)],), ([([1], 1), ([0, 0], 0)],)],
    inputs=counted_queries,
    uses=[average_precision],
)
def mean_average_precision(queries):
    """Return MAP over a list of (grades, n_relevant) pairs.

    >>> mean_average_precision([([1, 0], 1), ([0, 1], 1)])
    0.75
    """
    scores = [average_precision(grades, n) for grades, n in queries]
    return sum(scores) / len(scores)


mean_average_precision.mistakes(
    (
        "empty-queries-dropped",
        [
            {
                "in queries]": "in queries if n]",
                "/ len(scores)": "/ len(scores) if scores else 0.0",
            },
            {"in queries]": "in queries if n]"},
        ],
        "You leave out the queries without anything relevant. That is one of the conventions; here they "
        "count 0.0 and stay in the mean.",
    ),
    (
        "zeros-dropped",
        [
            {"/ len(scores)": "/ max(1, sum(score > 0 for score in scores))"},
            {"/ len(scores)": "/ sum(score > 0 for score in scores)"},
        ],
        "You divide by the number of queries that scored above 0. A query with a bad list is still a query: "
        "divide by all.",
    ),
    ("not-averaged", {" / len(scores)": ""}, "You add up the scores. Divide by the number of queries."),
    (
        "first-query-only",
        [
            {"sum(scores) / len(scores)": "scores[0]"},
            {"sum(scores) / len(scores)": "scores[0] / len(scores)"},
        ],
        "You answer after the first query. Is your `return` inside the loop?",
    ),
    (
        "last-query-only",
        {"sum(scores) / len(scores)": "scores[-1]"},
        "Only the last query counts: each one overwrites the score of the one before. Add them up.",
    ),
    (
        "weighted-by-relevant",
        {
            "[average_precision(grades, n) for": "[average_precision(grades, n) * n for",
            "/ len(scores)": "/ max(1, sum(n for _, n in queries))",
        },
        "A query with more relevant documents weighs more in your mean. Each query counts once.",
    ),
    (
        "one-long-list",
        {
            "sum(scores) / len(scores)": (
                "average_precision(sum((grades for grades, _ in queries), []), sum(n for _, n in queries))"
            )
        },
        "You join all queries into one list. Ranks start again with each query: score one at a time.",
    ),
    (
        "mean-precision",
        {
            "average_precision(grades, n) for": (
                "sum(grade >= 1 for grade in grades) / max(1, len(grades)) for"
            )
        },
        "You take the mean of plain precision. MAP is the mean of AP, which looks at every relevant rank.",
    ),
    (
        "median",
        {"return sum(scores) / len(scores)": "import statistics\n    return statistics.median(scores)"},
        "You take the median. MAP is the mean.",
    ),
    *AVERAGE_GOES_WRONG,
)
