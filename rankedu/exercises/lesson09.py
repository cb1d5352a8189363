"""Lesson 09: several metrics in one number, and a metric that does not care for the top."""

import math

from rankedu.exercises.authoring import exercise
from rankedu.exercises.inputs import ranking_of_both, scores_and_weights


@exercise(
    "09/weighted_score",
    title="A weighted score",
    prompt="Write `weighted_score(scores, weights)`: the sum of weight times score over all names. Both are "
    "dicts with the same names, in any order, and the weights sum to 1, to rounding. Where the names differ "
    "or the weights do not sum to 1, raise a `ValueError`.",
    hints=[
        "Look up both dicts by name. Before that, two questions: are the names the same (`scores.keys()`), "
        "and do the weights sum to 1?",
        "0.7 + 0.2 + 0.1 is not exactly 1 in floating point: `math.isclose(sum(weights.values()), 1)` is "
        'the question to ask. `raise ValueError("...")` says no.',
    ],
    shown=[
        ({"MAP": 0.5, "MRR": 1.0}, {"MRR": 0.25, "MAP": 0.75}),
        ({"MAP": 0.5, "NDCG@10": 0.25, "MRR": 1.0}, {"MAP": 0.7, "NDCG@10": 0.2, "MRR": 0.1}),
        ({"MAP": 0.5, "MRR": 1.0}, {"MAP": 0.5, "MRR": 0.4}),
    ],
    inputs=scores_and_weights,
)
def weighted_score(scores, weights):
    """Return the sum of weight times score, by name.

    >>> weighted_score({"P": 0.5, "R": 1.0}, {"R": 0.25, "P": 0.75})
    0.625
    """
    if scores.keys() != weights.keys():
        raise ValueError("scores and weights must have the same names")
    if not math.isclose(sum(weights.values()), 1):
        raise ValueError("the weights must sum to 1")
    return sum(weights[name] * scores[name] for name in scores)


NAMES_CHECKED = """\
    if scores.keys() != weights.keys():
        raise ValueError("scores and weights must have the same names")
"""
SUM_CHECKED = """\
    if not math.isclose(sum(weights.values()), 1):
        raise ValueError("the weights must sum to 1")
"""
OTHERS = ("AssertionError", "KeyError", "TypeError", "Exception")
BY_NAME = "sum(weights[name] * scores[name] for name in scores)"

weighted_score.mistakes(
    (
        "paired-by-position",
        {BY_NAME: "sum(w * s for w, s in zip(weights.values(), scores.values()))"},
        "You pair the first weight with the first score. The two dicts may be in different order: look up "
        "by name.",
    ),
    (
        "weights-ignored",
        [{BY_NAME: "sum(scores.values()) / len(scores)"}, {BY_NAME: "sum(scores.values())"}],
        "You do not use the weights. Multiply each score by the weight of its name.",
    ),
    (
        "names-not-checked",
        [
            {NAMES_CHECKED: ""},
            {NAMES_CHECKED: "", BY_NAME: "sum(weights[name] * scores[name] for name in weights)"},
            {NAMES_CHECKED: "", BY_NAME: "sum(weights.get(name, 0) * scores[name] for name in scores)"},
            {NAMES_CHECKED: "", BY_NAME: "sum(weights[name] * scores.get(name, 0) for name in weights)"},
            {NAMES_CHECKED: "", BY_NAME: "sum(w * scores[n] for n, w in weights.items() if n in scores)"},
        ],
        "Where the names differ you leave one out, or end in a `KeyError`. Compare the names first, and "
        "raise a `ValueError`.",
    ),
    (
        "names-checked-one-way",
        [
            {"scores.keys() != weights.keys()": "not scores.keys() <= weights.keys()"},
            {
                "scores.keys() != weights.keys()": "not weights.keys() <= scores.keys()",
                BY_NAME: "sum(weights[name] * scores[name] for name in weights)",
            },
            {"scores.keys() != weights.keys()": "not weights.keys() <= scores.keys()"},
        ],
        "You check that each name of one dict is in the other, and not the reverse. Both must have the same "
        "names.",
    ),
    (
        "names-counted",
        {"scores.keys() != weights.keys()": "len(scores) != len(weights)"},
        "You compare how many names there are. Two dicts of the same size can have different names.",
    ),
    (
        "sum-not-checked",
        {SUM_CHECKED: ""},
        "You take any weights. Where they do not sum to 1, raise a `ValueError`.",
    ),
    (
        "sum-exactly-one",
        {"not math.isclose(sum(weights.values()), 1)": "sum(weights.values()) != 1"},
        "You ask for a sum of exactly 1, and 0.7 + 0.2 + 0.1 is 0.9999999999999999. Use `math.isclose`.",
    ),
    (
        "sum-checked-coarsely",
        [
            {"not math.isclose(sum(weights.values()), 1)": "round(sum(weights.values()), 1) != 1"},
            {"not math.isclose(sum(weights.values()), 1)": "abs(sum(weights.values()) - 1) > 0.09"},
        ],
        "You let pass a sum that is off by some hundredths. Only rounding is allowed for: `math.isclose`.",
    ),
    (
        "sum-checked-above",
        {"not math.isclose(sum(weights.values()), 1)": "sum(weights.values()) > 1 + 1e-9"},
        "You refuse weights that sum to more than 1, but not to less. Both are a `ValueError`.",
    ),
    (
        "sum-checked-below",
        {"not math.isclose(sum(weights.values()), 1)": "sum(weights.values()) < 1 - 1e-9"},
        "You refuse weights that sum to less than 1, but not to more. Both are a `ValueError`.",
    ),
    (
        "weights-scaled",
        {SUM_CHECKED: "", BY_NAME: f"{BY_NAME} / sum(weights.values())"},
        "You scale the weights so that they sum to 1. That hides somebody's slip: raise a `ValueError`.",
    ),
    (
        "return-in-loop",
        [
            {BY_NAME: f"next(weights[name] * scores[name] for name in {names})"}
            for names in ("scores", "weights")
        ],
        "You return after the first name. Is your `return` inside the loop? It belongs below it, to the "
        "left.",
    ),
    (
        "overwritten",
        [
            {BY_NAME: f"[weights[name] * scores[name] for name in {names}][-1]"}
            for names in ("scores", "weights")
        ],
        "Each round overwrites the one before: `=`, or `=+`, where `+=` adds.",
    ),
    (
        "divided-by-count",
        {BY_NAME: f"{BY_NAME} / len(scores)"},
        "You divide by the number of scores. The weights sum to 1, so the sum is the mean already.",
    ),
    (
        "answer-for-error",
        [
            {
                'raise ValueError("scores and weights must have the same names")': f"return {answer}",
                'raise ValueError("the weights must sum to 1")': f"return {answer}",
            }
            for answer in ("None", "0.0", "float('nan')", "'error'", "ValueError('no')")
        ],
        "Where the input is wrong you return something. Then nobody notices: `raise ValueError(...)`.",
    ),
    (
        "other-exception",
        [
            {
                'raise ValueError("scores and weights must have the same names")': f"raise {kind}",
                'raise ValueError("the weights must sum to 1")': f"raise {kind}",
            }
            for kind in OTHERS
        ]
        + [
            {check: check.replace("ValueError", kind)}
            for check in (NAMES_CHECKED, SUM_CHECKED)
            for kind in OTHERS
        ]
        + [
            {NAMES_CHECKED + SUM_CHECKED: SUM_CHECKED + NAMES_CHECKED.replace("ValueError", kind)}
            for kind in OTHERS
        ],
        "Where the input is wrong you raise another exception. A wrong value is a `ValueError`.",
    ),
    (
        "geometric",
        {BY_NAME: "math.prod(scores[name] ** weights[name] for name in scores)"},
        "You multiply powers of the scores, the weighted geometric mean. Add up weight times score.",
    ),
)


@exercise(
    "09/auc",
    title="AUC of a ranking",
    prompt="Write `auc(grades)`: of all pairs of one relevant and one other document, the share in which "
    "the relevant one stands first. `grades` is in rank order, relevant is a grade of 1 or more, and there "
    "is at least one document of each kind.",
    hints=[
        "Collect the ranks of the relevant documents in one list and the ranks of the others in a second "
        "one.",
        "With r relevant documents and n others there are r * n pairs. Count those in which the relevant "
        "rank is the smaller one, and divide.",
    ],
    shown=[([1, 0, 0],), ([0, 2, 0, 1],), ([3, 3, 0, 0],)],
    inputs=ranking_of_both,
)
def auc(grades):
    """Return the share of (relevant, other) pairs in the right order.

    >>> auc([0, 2, 0, 1])    # of 4 pairs, 1 is in the right order
    0.25
    """
    relevant = [rank for rank, grade in enumerate(grades) if grade >= 1]
    others = [rank for rank, grade in enumerate(grades) if grade < 1]
    right = sum(one < other for one in relevant for other in others)
    return right / (len(relevant) * len(others))


auc.mistakes(
    (
        "upside-down",
        {"one < other for": "one > other for"},
        "You count the pairs in the wrong order, so the best list gets 0. The relevant one must stand first.",
    ),
    (
        "graded-pairs",
        {
            "sum(one < other for one in relevant for other in others)": (
                "sum(a > b for i, a in enumerate(grades) for b in grades[i + 1:])"
            ),
            "(len(relevant) * len(others))": (
                "sum(a != b for i, a in enumerate(grades) for b in grades[i + 1:])"
            ),
        },
        "You compare relevant documents by their grades as well. AUC knows two kinds only: relevant and not.",
    ),
    (
        "grades-above-two-kinds",
        {
            "sum(one < other for one in relevant for other in others)": (
                "sum(a > b for i, a in enumerate(grades) for b in grades[i + 1:])"
            )
        },
        "You also count pairs of two relevant documents of different grades. One of each pair must be not "
        "relevant.",
    ),
    (
        "all-pairs",
        {"(len(relevant) * len(others))": "(len(grades) * (len(grades) - 1) / 2)"},
        "You divide by all pairs of documents. Only pairs of a relevant and another one count: there are r "
        "* n.",
    ),
    (
        "length-squared",
        {"(len(relevant) * len(others))": "len(grades) ** 2"},
        "You divide by the square of the length. The pairs are r * n: relevant ones times others.",
    ),
    (
        "divided-by-relevant",
        {"(len(relevant) * len(others))": "len(relevant)"},
        "You divide by the relevant documents alone. The pairs are r * n: relevant ones times others.",
    ),
    (
        "divided-by-others",
        {"(len(relevant) * len(others))": "len(others)"},
        "You divide by the other documents alone. The pairs are r * n: relevant ones times others.",
    ),
    (
        "brackets",
        {"(len(relevant) * len(others))": "len(relevant) * len(others)"},
        "You divide by one number and then multiply by the other. Put the product below the line in "
        "brackets.",
    ),
    (
        "not-divided",
        {" / (len(relevant) * len(others))": ""},
        "You count the pairs in the right order. Divide by all pairs, r * n.",
    ),
    (
        "first-relevant-only",
        {"for one in relevant for": "for one in relevant[:1] for", "len(relevant)": "1"},
        "You look at the first relevant document alone. Every one is paired with every other document.",
    ),
    (
        "neighbours-only",
        {
            "sum(one < other for one in relevant for other in others)": (
                "sum(a >= 1 > b for a, b in zip(grades, grades[1:]))"
            ),
            "(len(relevant) * len(others))": (
                "max(1, sum((a >= 1) != (b >= 1) for a, b in zip(grades, grades[1:])))"
            ),
        },
        "You compare neighbours only. Every relevant document is paired with every other one, however far "
        "apart.",
    ),
    (
        "gini",
        {
            "return right / (len(relevant) * len(others))": "return 2 * right / (len(relevant) * "
            "len(others)) - 1"
        },
        "You return 2 * AUC - 1 (Gini's measure), which is 0 for a list in random order. AUC itself is 0.5 "
        "there.",
    ),
    (
        "above-one",
        [
            {
                "grade >= 1": "grade > 1",
                "grade < 1": "grade <= 1",
                "right /": "right if not relevant else right /",
            },
            {"grade >= 1": "grade > 1", "grade < 1": "grade <= 1"},
            {"grade >= 1": "grade > 1"},
        ],
        "You take a grade of 1 for not relevant. Every grade of 1 or more is relevant.",
    ),
    (
        "grade-one-only",
        [
            {"grade >= 1": "grade == 1", "grade < 1": other, "right /": guard}
            for other in ("grade != 1", "grade < 1")
            for guard in ("right if not relevant else right /", "right /")
        ],
        "You take only the grade 1 for relevant. Every grade of 1 or more is.",
    ),
    (
        "average-precision",
        {
            "    others = [rank for rank, grade in enumerate(grades) if grade < 1]\n": "",
            "sum(one < other for one in relevant for other in others)": (
                "sum(i / (rank + 1) for i, rank in enumerate(relevant, 1))"
            ),
            "(len(relevant) * len(others))": "len(relevant)",
        },
        "You compute average precision. AUC is a share of pairs and weighs every place alike.",
    ),
)
