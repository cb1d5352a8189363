"""Lesson 05: DCG as a share of the best that was possible, for one query and over many."""

import math

from rankedu.exercises.authoring import exercise
from rankedu.exercises.inputs import queries_and_k, ranking_k_and_judged

IDEAL_GOES_WRONG = [
    (
        "ideal-from-returned",
        {"dcg(sorted(judged": "dcg(sorted(grades"},
        "Your ideal comes from the list that was returned. What it missed counts against it: sort `judged`.",
    ),
    (
        "ideal-from-returned-top-k",
        {"dcg(sorted(judged": "dcg(sorted(grades[:k]"},
        "Your ideal is the returned top k in a better order. A good document that stands below k, or was "
        "never returned, must count against the list: sort all of `judged`.",
    ),
    (
        "returned-counted-twice",
        {"dcg(sorted(judged": "dcg(sorted(grades + judged"},
        "Your ideal holds what was returned twice. `judged` is every grade judged, the returned ones among "
        "them.",
    ),
    (
        "cut-before-sort",
        {"dcg(sorted(judged": "dcg(sorted(judged[:k]"},
        "You cut `judged` at k before you sort it, so a good grade that comes late is lost. Sort, then cut.",
    ),
    (
        "ideal-not-sorted",
        {"sorted(judged, reverse=True)": "judged"},
        "Your ideal takes `judged` as it comes. It is in no order: sort it, best first.",
    ),
    (
        "ideal-worst-first",
        {", reverse=True": ""},
        "Your ideal has the smallest grades in front. The best order has the largest first: `reverse=True`.",
    ),
    (
        "ideal-as-long-as-returned",
        {"sorted(judged, reverse=True)": "sorted(judged, reverse=True)[:len(grades)]"},
        "Your ideal is only as long as the returned list. A list that stops early must lose by it: cut the "
        "ideal at k alone.",
    ),
    (
        "equal-grades-once",
        {"sorted(judged": "sorted(set(judged)"},
        "`set` drops equal grades from the ideal. Two documents of grade 2 are two documents.",
    ),
    (
        "zero-by-zero",
        [
            {" if ideal else 0.0": ""},
            {"if ideal else": "if judged else"},
            {"if ideal else": "if grades else"},
        ],
        "Where nothing relevant was judged, the ideal is 0 and you divide 0 by 0. Say that this is 0.0 here.",
    ),
    (
        "nothing-relevant-is-one",
        {"else 0.0": "else 1.0"},
        "You give 1 where nothing relevant was judged. That is one of the conventions; here it is 0.0.",
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
        "no-discount",
        {"grade / math.log2(rank + 1)": "grade"},
        "You compare sums of plain grades, so order does not matter. Divide each grade by log2(rank + 1).",
    ),
    (
        "one-rank-late",
        {"rank + 1": "rank + 2"},
        "Every grade is discounted as if it stood one rank lower. The first rank is 1 and keeps its whole "
        "gain.",
    ),
    (
        "ranks-from-zero",
        [{"ranking[:k], 1)": "ranking[:k])"}, {"math.log2(rank + 1)": "math.log2(rank)"}],
        "You divide by log2(1) = 0 at the first rank: your ranks start at 0, or the + 1 is not within the "
        "brackets. The first rank is 1 and is divided by log2(2) = 1.",
    ),
    (
        "form-of-2002",
        {"math.log2(rank + 1)": "max(1, math.log2(rank))"},
        "You divide by log2(rank) and spare rank 1: the form of 2002, in which ranks 1 and 2 weigh the "
        "same. Here rank 2 is divided by log2(3).",
    ),
    (
        "divided-by-rank",
        {"math.log2(rank + 1)": "rank"},
        "You divide by the rank itself. The discount is log2(rank + 1), which grows more slowly.",
    ),
    (
        "cut-one-early",
        {"[:k]": "[:max(k - 1, 0)]"},
        "You stop one rank early. `range(1, k)` ends at k - 1; rank k counts too.",
    ),
    ("cut-one-late", {"[:k]": "[:k + 1]"}, "You go one rank too far: rank k is the last that counts."),
    (
        "beyond-the-end",
        {"enumerate(ranking[:k], 1)": "((i, ranking[i - 1]) for i in range(1, k + 1))"},
        "You read rank k also where the list has ended. A list shorter than k gives all it has.",
    ),
]


@exercise(
    "05/ndcg",
    title="NDCG",
    prompt="Write `ndcg(grades, k, judged)`: the DCG@k of `grades`, in rank order, divided by the DCG@k of "
    "the best order of `judged`, which holds every grade judged for the query, in any order. The gain is "
    "the grade, the discount `1 / log2(rank + 1)`. Where nothing relevant was judged, NDCG is 0.0.",
    hints=[
        "You need the same sum twice, so write it once: a small `dcg(ranking)` inside your function, then "
        "call it on `grades` and on the best order of `judged`.",
        "The best order is `sorted(judged, reverse=True)`, and `dcg` cuts both lists at k, after the "
        "sorting. Before you divide, ask whether the ideal is 0.",
    ],
    shown=[
        ([2, 0, 1, 2, 1], 5, [2, 0, 1, 2, 1]),
        ([3, 2, 0, 1, 4], 5, [3, 2, 0, 1, 4]),
        ([1, 0, 0, 0, 0, 0, 0, 0, 0, 0], 10, [1] * 10),
        ([0, 0], 5, [0, 0, 0]),
    ],
    inputs=ranking_k_and_judged,
)
def ndcg(grades, k, judged):
    """Return NDCG@k of grades in rank order, out of all judged.

    >>> round(ndcg([2, 0, 1], 3, [2, 0, 1, 2]), 3)    # 2.5 / 3.762
    0.665
    """

    def dcg(ranking):
        ranked = enumerate(ranking[:k], 1)
        return sum(grade / math.log2(rank + 1) for rank, grade in ranked)

    ideal = dcg(sorted(judged, reverse=True))
    return dcg(grades) / ideal if ideal else 0.0


ndcg.mistakes(
    *IDEAL_GOES_WRONG,
    (
        "ideal-not-cut",
        {
            "def dcg(ranking)": "def dcg(ranking, k=k)",
            "dcg(sorted(judged, reverse=True))": "dcg(sorted(judged, reverse=True), None)",
        },
        "Your ideal adds up everything judged, while your DCG stops at k. Cut both at k.",
    ),
    (
        "dcg-not-cut",
        {"def dcg(ranking)": "def dcg(ranking, k=k)", "return dcg(grades)": "return dcg(grades, None)"},
        "Your DCG adds up the whole list, while your ideal stops at k. Cut both at k.",
    ),
    (
        "no-cut",
        {"ranking[:k]": "ranking"},
        "You never cut: only ranks 1 to k count, in the list and in the ideal.",
    ),
    (
        "not-divided",
        {"return dcg(grades) / ideal if ideal else 0.0": "return dcg(grades)"},
        "You return the DCG. Divide it by the ideal DCG.",
    ),
    (
        "upside-down",
        {"dcg(grades) / ideal if ideal else 0.0": "ideal / dcg(grades) if dcg(grades) else 0.0"},
        "You divide the ideal by the DCG. NDCG is DCG / ideal and never above 1.",
    ),
    (
        "graded-above-the-line-only",
        {
            "def dcg(ranking)": "def dcg(ranking, gain=lambda grade: grade)",
            "grade / math": "gain(grade) / math",
            "dcg(grades) /": "dcg(grades, lambda grade: 2**grade - 1) /",
        },
        "Your DCG has the gain 2**grade - 1 and your ideal the grade itself. Both need the same gain: the "
        "grade.",
    ),
    (
        "graded-below-the-line-only",
        {
            "def dcg(ranking)": "def dcg(ranking, gain=lambda grade: grade)",
            "grade / math": "gain(grade) / math",
            "reverse=True))": "reverse=True), lambda grade: 2**grade - 1)",
        },
        "Your ideal has the gain 2**grade - 1 and your DCG the grade itself. Both need the same gain: the "
        "grade.",
    ),
    (
        "returned-list-sorted",
        {"return dcg(grades)": "return dcg(sorted(grades, reverse=True))"},
        "You sort the returned list as well. Its order is what NDCG is about: sort only `judged`.",
    ),
)


@exercise(
    "05/mean_ndcg",
    title="NDCG over many queries",
    prompt="Write `mean_ndcg(queries, k)`: the mean NDCG@k over `queries`, a list of `(grades, judged)` "
    "pairs, each query counting once. A query for which nothing relevant was judged counts 0.0 and stays in "
    "the mean.",
    hints=[
        "Score each query on its own, against its own ideal, then take the plain mean of the scores. You "
        "may call the `ndcg` that you wrote above.",
        "`for grades, judged in queries` gives both lists of a query. The sum of the scores is divided by "
        "`len(queries)`: a query that scores 0 is still a query.",
    ],
    shown=[
        ([([2, 0, 1, 2, 1], [2, 0, 1, 2, 1]), ([0, 1], [0, 1])], 5),
        ([([3, 2, 0], [3, 2, 0, 4]), ([0, 0], [0, 0, 0])], 2),
    ],
    inputs=queries_and_k,
    uses=[ndcg],
)
def mean_ndcg(queries, k):
    """Return the mean NDCG@k over a list of (grades, judged) pairs.

    >>> mean_ndcg([([2, 1], [1, 2]), ([0], [0])], 2)    # 1.0 and 0.0
    0.5
    """
    scores = [ndcg(grades, k, judged) for grades, judged in queries]
    return sum(scores) / len(scores)


mean_ndcg.mistakes(
    (
        "empty-queries-dropped",
        [
            {
                "in queries]": "in queries if any(judged)]",
                "/ len(scores)": "/ len(scores) if scores else 0.0",
            },
            {"in queries]": "in queries if any(judged)]"},
        ],
        "You leave out the queries for which nothing relevant was judged. That is one of the conventions; "
        "here they count 0.0 and stay in the mean.",
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
    ("not-divided", {" / len(scores)": ""}, "You add up the scores. Divide by the number of queries."),
    (
        "divided-by-k",
        {"/ len(scores)": "/ k"},
        "You divide by k. The mean is over the queries: divide by their number.",
    ),
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
        "best-query",
        {"sum(scores) / len(scores)": "max(scores)"},
        "You return the best query's score. The mean takes all.",
    ),
    (
        "median",
        {"return sum(scores) / len(scores)": "import statistics\n    return statistics.median(scores)"},
        "You take the median. The mean is the sum, divided by the number of queries.",
    ),
    (
        "sums-divided",
        {
            "sum(scores) / len(scores)": "total / ideal if ideal else 0.0",
            "    scores = [ndcg(grades, k, judged) for grades, judged in queries]": """\
    def dcg(ranking):
        return sum(grade / math.log2(rank + 1) for rank, grade in enumerate(ranking[:k], 1))

    total = sum(dcg(grades) for grades, judged in queries)
    ideal = sum(dcg(sorted(judged, reverse=True)) for grades, judged in queries)""",
        },
        "You divide the sum of all DCGs by the sum of all ideals, so a query with many good documents "
        "weighs more. Divide query by query, then take the mean.",
    ),
    (
        "one-long-list",
        {
            "sum(scores) / len(scores)": "ndcg(sum((g for g, _ in queries), []), k, sum((j for _, j in "
            "queries), []))",
        },
        "You join all queries into one list. Ranks start again with each query: score one at a time.",
    ),
    (
        "weighted-by-judged",
        {
            "[ndcg(grades, k, judged) for": "[len(judged) * ndcg(grades, k, judged) for",
            "/ len(scores)": "/ max(1, sum(len(judged) for _, judged in queries))",
        },
        "A query with more judgments weighs more in your mean. Each query counts once.",
    ),
    *IDEAL_GOES_WRONG,
)
