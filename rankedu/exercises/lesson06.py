"""Lesson 06: how much of what was returned is relevant, and how much of what is relevant was returned."""

from rankedu.exercises.authoring import exercise
from rankedu.exercises.inputs import ranking_and_k, ranking_k_and_relevant, rankings_and_k

# What the first three share: how the relevant ones in the top k are counted
HITS_GO_WRONG = [
    ("no-cut", {"grades[:k]": "grades"}, "You count in the whole list. Only ranks 1 to k count."),
    (
        "grades-added-up",
        {"sum(grade >= 1 for grade in grades[:k])": "sum(grades[:k])"},
        "You add up the grades. A document is relevant or not here: a grade of 3 counts once.",
    ),
    (
        "grade-one-only",
        {"grade >= 1": "grade == 1"},
        "You count only the grade 1. Every grade of 1 or more is relevant.",
    ),
    (
        "above-one",
        {"grade >= 1": "grade > 1"},
        "You count only grades above 1. A grade of 1 is relevant too.",
    ),
    (
        "non-relevant-counted",
        [{"grade >= 1": "grade == 0"}, {"sum(grade >= 1 for grade in grades[:k])": "len(grades[:k])"}],
        "You count documents that are not relevant. Relevant means a grade of 1 or more.",
    ),
    (
        "cut-one-early",
        {"[:k]": "[:max(k - 1, 0)]"},
        "You stop one rank early. `range(1, k)` ends at k - 1; rank k counts too.",
    ),
    ("cut-one-late", {"[:k]": "[:k + 1]"}, "You go one rank too far: rank k is the last that counts."),
    (
        "beyond-the-end",
        {"for grade in grades[:k]": "for grade in (grades[i] for i in range(k))"},
        "You read rank k also where the list has ended. What is not there is not relevant.",
    ),
    (
        "filtered-before-cut",
        {"in grades[:k])": "in [grade for grade in grades if grade][:k])"},
        "You pick the relevant ones before you cut, so later ones move up into the top k. Cut first.",
    ),
]


def returned_in_loop(line):
    """Return the mistake of a `return` in the loop: after the first document, or at the first hit."""
    counted = "sum(grade >= 1 for grade in grades[:k])"
    first = line.replace(counted, "any(grade >= 1 for grade in grades[:1])")
    hit = line.replace(counted, "any(grade >= 1 for grade in grades[:k])")
    no_first, no_hit = (f"    if not any({x}):\n        return None\n" for x in ("[grades]", "grades[:k]"))
    return (
        "return-in-loop",
        [{line: way} for way in (first, hit, no_first + first, no_hit + hit)],
        "You return before everything is counted. Is your `return` inside the loop? It belongs below it, to "
        "the left.",
    )


@exercise(
    "06/precision_at_k",
    title="Precision at k",
    prompt="Write `precision_at_k(grades, k)`: the relevant documents at ranks 1 to k, divided by k. "
    "Relevant is a grade of 1 or more. It is divided by k also where the list is shorter: an empty place "
    "helps nobody.",
    hints=[
        "Count the grades of 1 or more in `grades[:k]`. What do you divide by when a list of 3 is judged at "
        "k = 5?",
        "`sum(grade >= 1 for grade in grades[:k])` counts, for True is 1. Divide it by `k`, whatever the "
        "length.",
    ],
    shown=[([2, 0, 1, 0], 2), ([1, 1], 4), ([], 3)],
    inputs=ranking_and_k,
)
def precision_at_k(grades, k):
    """Return P@k of grades in rank order.

    >>> precision_at_k([1, 3], 4)    # 2 of 4 places
    0.5
    """
    return sum(grade >= 1 for grade in grades[:k]) / k


precision_at_k.mistakes(
    *HITS_GO_WRONG,
    returned_in_loop("    return sum(grade >= 1 for grade in grades[:k]) / k"),
    (
        "divided-by-returned",
        [{"/ k": "/ max(1, len(grades[:k]))"}, {"/ k": "/ len(grades[:k])"}],
        "You divide by the number of documents in the top k, so a list that returns one good document and "
        "stops looks perfect. Divide by k.",
    ),
    (
        "divided-by-length",
        [{"/ k": "/ max(1, len(grades))"}, {"/ k": "/ len(grades)"}],
        "You divide by the length of the whole list. Divide by k.",
    ),
    (
        "divided-by-relevant",
        [
            {"/ k": "/ max(1, sum(grade >= 1 for grade in grades))"},
            {"/ k": "/ sum(grade >= 1 for grade in grades)"},
        ],
        "You divide by the relevant documents: that is recall. Precision divides by k.",
    ),
    ("not-divided", {" / k": ""}, "You return how many are relevant. Divide by k."),
    (
        "yes-or-no",
        {"sum(grade >= 1 for grade in grades[:k]) / k": "float(any(grade >= 1 for grade in grades[:k]))"},
        "You say whether anything is relevant, which is the hit rate. Precision counts how much of the top "
        "k is.",
    ),
)


@exercise(
    "06/recall_at_k",
    title="Recall at k",
    prompt="Write `recall_at_k(grades, k, n_relevant)`: the relevant documents at ranks 1 to k, divided by "
    "`n_relevant`, the number of all relevant documents, returned or not. Relevant is a grade of 1 or more. "
    "Where nothing is relevant, recall is 0.0.",
    hints=[
        "The counting is that of precision; only what you divide by changes, and it is given to you.",
        "Nothing may be divided by 0: ask first whether `n_relevant` is 0.",
    ],
    shown=[([2, 0, 1, 0], 2, 4), ([1, 1], 5, 2), ([0, 0], 2, 0)],
    inputs=ranking_k_and_relevant,
)
def recall_at_k(grades, k, n_relevant):
    """Return R@k of grades in rank order, n_relevant to be found.

    >>> recall_at_k([2, 0, 1, 0], 2, 4)    # 1 of 4 is in the top 2
    0.25
    """
    hits = sum(grade >= 1 for grade in grades[:k])
    return hits / n_relevant if n_relevant else 0.0


recall_at_k.mistakes(
    *HITS_GO_WRONG,
    returned_in_loop("    hits = sum(grade >= 1 for grade in grades[:k])"),
    (
        "zero-by-zero",
        [{" if n_relevant else 0.0": ""}, {"if n_relevant else": "if grades else"}],
        "Where nothing is relevant you divide 0 by 0. Say that recall is 0.0 there.",
    ),
    (
        "nothing-relevant-is-one",
        {"else 0.0": "else 1.0"},
        "You give 1 where nothing is relevant. That is one of the conventions; here it is 0.0.",
    ),
    (
        "divided-by-found",
        [
            {"/ n_relevant if n_relevant": "/ max(1, sum(g >= 1 for g in grades)) if n_relevant"},
            {"/ n_relevant if n_relevant else 0.0": "/ sum(g >= 1 for g in grades)"},
        ],
        "You divide by the relevant documents in the list. Those that were never returned are what recall "
        "is about: divide by `n_relevant`.",
    ),
    (
        "divided-by-k",
        [{"/ n_relevant": "/ k"}, {"/ n_relevant if n_relevant else 0.0": "/ k"}],
        "You divide by k: that is precision. Recall divides by `n_relevant`.",
    ),
    (
        "ceiling-lifted",
        [{"/ n_relevant": "/ min(k, n_relevant)"}],
        "You divide by k where there are more relevant documents than k. Recall keeps its ceiling: 10 of "
        "100 is 0.1.",
    ),
    (
        "divided-by-length",
        [
            {"/ n_relevant if n_relevant": "/ max(1, len(grades)) if n_relevant"},
            {"/ n_relevant if n_relevant else 0.0": "/ len(grades)"},
        ],
        "You divide by the length of the list. Recall divides by `n_relevant`.",
    ),
    (
        "not-divided",
        {" / n_relevant if n_relevant else 0.0": ""},
        "You return how many were found. Divide by `n_relevant`.",
    ),
)


@exercise(
    "06/f1_at_k",
    title="F1 at k",
    prompt="Write `f1_at_k(grades, k, n_relevant)`: `2 * P * R / (P + R)`, the harmonic mean of precision "
    "and recall at k, with P divided by k and R by `n_relevant`, the number of all relevant documents, "
    "returned or not. Relevant is a grade of 1 or more. Where nothing relevant is in the top k, F1 is 0.0.",
    hints=[
        "Count the relevant ones in the top k once, as `hits`. If there are none, the answer is 0.0 and you "
        "are done.",
        "Otherwise precision is `hits / k`, recall is `hits / n_relevant`, and both are above 0.",
    ],
    shown=[([2, 0, 1, 0], 2, 4), ([1, 1], 5, 2), ([0, 0], 2, 3)],
    inputs=ranking_k_and_relevant,
)
def f1_at_k(grades, k, n_relevant):
    """Return F1@k of grades in rank order, n_relevant to be found.

    >>> round(f1_at_k([2, 0, 1, 0], 2, 4), 3)    # P = 1/2, R = 1/4
    0.333
    """
    hits = sum(grade >= 1 for grade in grades[:k])
    if hits == 0:
        return 0.0
    precision = hits / k
    recall = hits / n_relevant
    return 2 * precision * recall / (precision + recall)


f1_at_k.mistakes(
    *HITS_GO_WRONG,
    returned_in_loop("    hits = sum(grade >= 1 for grade in grades[:k])"),
    (
        "zero-by-zero",
        [
            {"    if hits == 0:\n        return 0.0\n": ""},
            {"if hits == 0:": "if n_relevant == 0:"},
            {"if hits == 0:": "if not grades:"},
        ],
        "Where nothing is found, precision and recall are 0 and you divide 0 by 0. Say that F1 is 0.0 there.",
    ),
    (
        "plain-mean",
        {"2 * precision * recall / (precision + recall)": "(precision + recall) / 2"},
        "You take the plain mean of the two. The harmonic mean, 2 * P * R / (P + R), stays near the smaller "
        "one.",
    ),
    (
        "geometric-mean",
        {"2 * precision * recall / (precision + recall)": "(precision * recall) ** 0.5"},
        "You take the geometric mean, the root of P * R. F1 is the harmonic one: 2 * P * R / (P + R).",
    ),
    (
        "no-two",
        {"2 * precision": "precision"},
        "The 2 is missing: 2 * P * R / (P + R). Where P and R are 1, F1 is 1.",
    ),
    (
        "product",
        {"2 * precision * recall / (precision + recall)": "precision * recall"},
        "You multiply the two. F1 is 2 * P * R / (P + R).",
    ),
    (
        "smaller-one",
        {"2 * precision * recall / (precision + recall)": "min(precision, recall)"},
        "You return the smaller of the two. F1 is 2 * P * R / (P + R).",
    ),
    (
        "brackets",
        {"(precision + recall)": "precision + recall"},
        "Division comes before the plus. Put P + R in brackets: 2 * P * R / (P + R).",
    ),
    (
        "precision-by-returned",
        {"hits / k": "hits / len(grades[:k])"},
        "Your precision divides by the documents in the top k. Divide by k, also where the list is shorter.",
    ),
    (
        "recall-by-found",
        {"hits / n_relevant": "hits / sum(grade >= 1 for grade in grades)"},
        "Your recall divides by the relevant documents in the list. Divide by `n_relevant`: the list may "
        "have missed some.",
    ),
    (
        "recall-ceiling-lifted",
        {"hits / n_relevant": "hits / min(k, n_relevant)"},
        "Your recall divides by k where more than k are relevant. It keeps its ceiling: divide by "
        "`n_relevant`.",
    ),
)


@exercise(
    "06/hit_rate",
    title="Hit rate",
    prompt="Write `hit_rate(rankings, k)`: the share of rankings with at least one relevant document at "
    "ranks 1 to k. Relevant is a grade of 1 or more; `rankings` is a list of lists of grades, one per "
    "query, and an empty one counts as a query without a hit.",
    hints=[
        "For one ranking the answer is yes or no: is any grade of the top k at least 1? `any(...)` says so.",
        "Count the rankings for which it is yes, and divide by the number of rankings.",
    ],
    shown=[([[0, 2, 0], [0, 0, 1], [0, 0, 0]], 2), ([[1, 1], []], 5)],
    inputs=rankings_and_k,
)
def hit_rate(rankings, k):
    """Return the share of rankings with a relevant one in the top k.

    >>> hit_rate([[0, 2, 0], [0, 0, 1]], 2)    # 1 of 2
    0.5
    """
    hits = [any(grade >= 1 for grade in grades[:k]) for grades in rankings]
    return sum(hits) / len(hits)


hit_rate.mistakes(
    (
        "queries-cut",
        [
            {"in rankings]": "in rankings[:k]]", "grades[:k]": cut, "len(hits)": number}
            for cut in ("grades", "grades[:k]")
            for number in ("len(hits)", "len(rankings)")
        ],
        "You cut the queries at k. Cut each ranking.",
    ),
    (
        "first-hit-only",
        [{"sum(hits) / len(hits)": f"1 / len(hits) if any(hits) else {end}"} for end in ("None", "0")],
        "You return at the first ranking with a hit. Is your `return` inside the loop?",
    ),
    ("no-cut", {"grades[:k]": "grades"}, "You look at the whole list. Only ranks 1 to k count."),
    (
        "all-for-any",
        {"any(": "all("},
        "You ask whether all of the top k are relevant. One is enough for a hit: `any`.",
    ),
    (
        "hits-counted-many-times",
        {"any(grade >= 1 for": "sum(grade >= 1 for"},
        "You count every relevant document. A ranking with three of them is still one ranking with a hit.",
    ),
    (
        "mean-precision",
        [
            {"any(grade >= 1 for": "sum(grade >= 1 for", "len(hits)": "(k * len(rankings))"},
            {
                "any(grade >= 1 for grade in grades[:k])": "sum(grade >= 1 for grade in grades[:k]) / k",
            },
        ],
        "You take the mean of precision. A ranking counts 1 if anything in its top k is relevant, else 0.",
    ),
    (
        "empty-rankings-dropped",
        [
            {"len(hits)": "max(1, sum(len(grades) > 0 for grades in rankings))"},
            {"len(hits)": "sum(len(grades) > 0 for grades in rankings)"},
        ],
        "You leave empty rankings out. Someone asked and got nothing: that is a query without a hit.",
    ),
    (
        "no-hit-dropped",
        [
            {"len(hits)": "max(1, sum(any(g >= 1 for g in grades) for grades in rankings))"},
            {"len(hits)": "sum(any(g >= 1 for g in grades) for grades in rankings)"},
        ],
        "You divide by the rankings that hold something relevant. Divide by all of them.",
    ),
    (
        "not-divided",
        {" / len(hits)": ""},
        "You count the rankings with a hit. Divide by the number of rankings.",
    ),
    ("divided-by-k", {"/ len(hits)": "/ k"}, "You divide by k. Divide by the number of rankings."),
    (
        "hit-anywhere",
        {"sum(hits) / len(hits)": ("float(any(grade >= 1 for grades in rankings for grade in grades[:k]))")},
        "You ask whether any ranking has a hit. Count how many have one, and divide by the number of "
        "rankings.",
    ),
    (
        "first-ranking-only",
        [
            {"sum(hits) / len(hits)": "float(any(grade >= 1 for grade in rankings[0][:k]))"},
            {"sum(hits) / len(hits)": "hits[0] / len(hits)"},
        ],
        "You answer after the first ranking. Is your `return` inside the loop?",
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
        "cut-one-early",
        {"[:k]": "[:max(k - 1, 0)]"},
        "You stop one rank early. `range(1, k)` ends at k - 1; rank k counts too.",
    ),
    ("cut-one-late", {"[:k]": "[:k + 1]"}, "You go one rank too far: rank k is the last that counts."),
    (
        "first-rank-alone",
        [
            {"grades[:k]": "grades[:1]"},
            {"any(grade >= 1 for grade in grades[:k])": "grades[0] >= 1"},
        ],
        "You look at the first document alone. A hit may stand at any rank from 1 to k.",
    ),
    (
        "kth-rank-alone",
        [
            {"grades[:k]": "grades[k - 1:k]"},
            {"any(grade >= 1 for grade in grades[:k])": "grades[k - 1] >= 1"},
        ],
        "You look at rank k alone. A hit may stand at any rank from 1 to k.",
    ),
    (
        "beyond-the-end",
        {"for grade in grades[:k]": "for grade in (grades[i] for i in range(k))"},
        "You read rank k also where the list has ended. What is not there is not relevant.",
    ),
)
