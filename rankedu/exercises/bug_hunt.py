"""The bug hunt: programs of the kind that are published, each with one fault to expose and to mend.

A hunt is an exercise whose stub is a whole program. It is written as its solution and one edit, `fault`, that
puts the fault in. The docstring says what the program should do; its worked number comes out right with the
fault as well, as it did for whoever published such a program.

    hunt = exercises.get("bug/01")
    hunt.find([3, 0, 2], 2)      # does this input expose the fault?
    hunt.check(ndcg)             # is it mended?
"""

import math
import textwrap
from functools import cached_property

from rankedu import progress
from rankedu.exercises.authoring import Exercise, compiled, edited
from rankedu.exercises.inputs import (
    Inputs,
    counted_queries,
    item_records,
    lists,
    ranking_and_k,
    ranking_and_relevant,
    ranking_k_and_judged,
    ranking_k_and_relevant,
    rankings_and_k,
    some_grades,
)
from rankedu.exercises.judge import alike, judge, text_of
from rankedu.exercises.sandbox import call_once
from rankedu.exercises.verdict import Verdict

AS_PUBLISHED = "as-published"
LONGEST = 1000  # of a list that a learner may hand to `find`


class Hunt(Exercise):
    """One faulty program: `.find(*input)` tells if an input exposes the fault, `.check(f)` if f mends it.

    `fault` is the edit of the solution that puts the fault in; `takes` says what an input is.
    """

    def __init__(self, id, solution, *, fault, takes, **facts):
        super().__init__(id, solution, **facts)
        self.fault, self.takes = fault, takes
        self.mistakes()

    def mistakes(self, *table):
        unmended = (AS_PUBLISHED, self.fault, "The fault of the program as it was published is still there.")
        super().mistakes(unmended, *table)

    @property
    def stub(self):
        """The program as it was published."""
        return edited(self.text, self.fault)

    @cached_property
    def example(self):
        """The smallest input that exposes the fault."""
        faulty = self._faulty
        pairs = zip(self.fixed, self.right, strict=True)
        return next(args for args, expected in pairs if not alike(expected, call_once(faulty, args)))

    @cached_property
    def _faulty(self):
        return compiled(edited(self.code, self.fault), self.name)

    def find(self, *args):
        """Return the Verdict on an input: correct if the program goes wrong on it."""
        call = textwrap.shorten(f"{self.name}({', '.join(map(repr, args))})", 400)
        if not args or any(arg is ... for arg in args):
            return self._said("not attempted", "Put an input of your own in place of the `...`.")
        if problem := self._problem(args):
            return self._said("error", problem, self.takes)
        got = call_once(self._faulty, args)
        expected = call_once(self.reference, args)
        found = not alike(expected, got)
        status = "correct" if found else "incorrect"
        progress.record("find", self.id, status=status)
        shows = (("input", call), ("the program", text_of(got)), ("by definition", text_of(expected)))
        if found:
            return self._said(status, "This input exposes the fault. Now mend the program.", shows=shows)
        return self._said(status, "This input hides the fault: the program is right here.", shows=shows)

    def check(self, f, *, seed=0):
        """Return the Verdict on the mended program f; "not attempted" while it does what it did."""
        verdict = judge(self, f, seed=seed)
        if verdict.mistake == AS_PUBLISHED:
            return self._said(
                "not attempted", "It still does what it did. Mend it, run its cell, then this one."
            )
        progress.record("exercise", self.id, status=verdict.status, mistake=verdict.mistake)
        return verdict

    def _said(self, status, *says, shows=()):
        return Verdict(self.id, status, says, shows)

    def _problem(self, args):
        """What is wrong with an input, or None."""
        if len(args) != len(self.parameters):
            return f"`{self.name}({', '.join(self.parameters)})` takes {len(self.parameters)} argument(s)."
        kinds = self.inputs.small[-1]
        if not all(fits(arg, kind) for arg, kind in zip(args, kinds, strict=True)):
            return "This is not an input that the program has to deal with."
        if not self.inputs.allowed(*args):
            return "These do not go together."
        return None


def hunt(id, **facts):
    """Return the decorator that makes a hunt of its solution; see Hunt for the facts."""
    return lambda solution: Hunt(id, solution, **facts)


def fits(value, model):
    """Is the value built as the model is, from grades, names and short lists?"""
    if isinstance(model, bool | int):
        return type(value) is int and 0 <= value <= LONGEST
    if isinstance(model, float):
        return type(value) in (int, float) and math.isfinite(value)
    if isinstance(model, str):
        return isinstance(value, str)
    if isinstance(model, dict):
        return isinstance(value, dict) and all(
            isinstance(name, str) and fits(item, next(iter(model.values()))) for name, item in value.items()
        )
    if isinstance(model, tuple):
        right = isinstance(value, tuple | list) and len(value) == len(model)
        return right and all(map(fits, value, model))
    if not isinstance(value, list) or len(value) > LONGEST:
        return False
    item = model[0] if model else 0
    if type(item) is int:
        return all(type(grade) is int and 0 <= grade <= 4 for grade in value)
    return all(fits(one, item) for one in value)


# --- what the hunts take that no exercise does -------------------------------------------------------

GRADES = "`grades` is a list of whole numbers from 0 to 4, in rank order"
K = "`k` a whole number of at least 1"
NAMES = "abcd"


def _named(grades):
    """A ranking of names, and those that are relevant, for grades whose size says which name."""
    return [NAMES[grade] for grade in grades]


names_and_relevant = Inputs(
    small=[
        (_named(ranked), list(relevant))
        for ranked in lists(4, of=(0, 1, 2))
        for relevant in ("", "a", "ab", "ad", "bcd")
    ],
    draw=lambda rng: (
        _named(rng.choices(range(4), k=rng.randint(0, 8))),
        rng.sample(NAMES, rng.randint(0, 4)),
    ),
    allowed=lambda ranked, relevant: len(set(relevant)) == len(relevant),
)


def _answers(rng):
    """What a system returned for some queries, and what is relevant for them, not in one order."""
    queries = rng.sample(["q1", "q2", "q3", "q4"], rng.randint(1, 4))
    returned = {query: _named(min(grade, 3) for grade in some_grades(rng, 4)) for query in queries}
    judged = {query: rng.sample(NAMES, rng.randint(0, 3)) for query in rng.sample(queries, len(queries))}
    return {query: list(dict.fromkeys(names)) for query, names in returned.items()}, judged


answers_and_relevant = Inputs(
    small=[
        (dict([("q1", first), ("q2", second)][::step]), {"q1": ["a"], "q2": relevant})
        for first in (["a"], ["b", "a"], ["c"])
        for second in (["a"], ["b"], ["a", "b"])
        for relevant in (["b"], ["a"])
        for step in (1, -1)
    ],
    draw=_answers,
    allowed=lambda returned, judged: len(judged) > 0 and set(returned) == set(judged),
)


# --- the hunts ---------------------------------------------------------------------------------------


@hunt(
    "bug/01",
    title="An ideal in two steps",
    prompt="NDCG@k of a list that holds all there is. It gives 1.0 to more lists than it should.",
    hints=[
        "When is a list as good as it can be in its first k, but not as good as it could have been?",
        "The best k of the whole list may stand below rank k. Which comes first, the sort or the cut?",
    ],
    shown=[([4, 3, 1, 2, 0], 3)],
    inputs=ranking_and_k,
    takes=f"{GRADES}; {K}.",
    fault={"sorted(grades, reverse=True)[:k]": "sorted(grades[:k], reverse=True)"},
)
def ndcg_of_list(grades, k):
    """Return NDCG@k of a list that holds every judged grade.

    Gain is the grade. Nothing relevant at all: 0.0.

    >>> round(ndcg_of_list([1, 2], 2), 3)    # 2.262 / 2.631
    0.86
    """
    best = sorted(grades, reverse=True)[:k]
    dcg = sum(g / math.log2(i + 2) for i, g in enumerate(grades[:k]))
    ideal = sum(g / math.log2(i + 2) for i, g in enumerate(best))
    return dcg / ideal if ideal else 0.0


ndcg_of_list.mistakes(
    (
        "ideal-not-cut",
        {"reverse=True)[:k]": "reverse=True)"},
        "Sorted first, but no longer cut: the ideal has k ranks too.",
    ),
    ("ideal-worst-first", {", reverse=True": ""}, "The ideal begins with the best: `reverse=True`."),
)


@hunt(
    "bug/02",
    title="As good as it gets",
    prompt=(
        "NDCG@k against everything judged. Users of it wonder why a list that misses the best documents "
        "scores 1.0."
    ),
    hints=[
        "Try a list that is in perfect order and leaves something out.",
        "Which argument does the program never use?",
    ],
    shown=[([1], 10, [1] * 10), ([0, 1], 2, [3, 1, 0])],
    inputs=ranking_k_and_judged,
    takes=f"{GRADES}; {K}; `judged` every grade judged for the query, those of the list included.",
    fault={"sorted(judged, reverse=True)": "sorted(grades, reverse=True)"},
)
def ndcg_of_query(grades, k, judged):
    """Return NDCG@k of a ranking; judged is every grade judged.

    Gain is the grade. Nothing relevant judged: 0.0.

    >>> round(ndcg_of_query([1, 2], 2, [2, 1, 0]), 3)
    0.86
    """
    perfect = sorted(judged, reverse=True)[:k]
    dcg = sum(g / math.log2(i + 2) for i, g in enumerate(grades[:k]))
    ideal = sum(g / math.log2(i + 2) for i, g in enumerate(perfect))
    return dcg / ideal if ideal else 0.0


ndcg_of_query.mistakes(
    (
        "cut-before-sort",
        {"sorted(judged, reverse=True)[:k]": "sorted(judged[:k], reverse=True)"},
        "You cut before you sort: the best of all that was judged is wanted.",
    ),
    (
        "not-sorted",
        {"sorted(judged, reverse=True)[:k]": "judged[:k]"},
        "What was judged comes in any order: sort it, best first.",
    ),
    (
        "only-missed",
        {"sorted(judged, reverse=True)[:k]": "sorted(judged[len(grades):], reverse=True)[:k]"},
        "You leave out the first of the judged grades, as if they were those returned. They come in any "
        "order.",
    ),
)


@hunt(
    "bug/03",
    title="A worked example of five ranks",
    prompt=(
        "The divisors of a worked example, turned into code. Its readers get the same numbers, unless the "
        "last document is good."
    ),
    hints=[
        "Ranks 1 to 4 are right. Which list makes the fifth matter?",
        "Rank i is divided by log2(i + 1). What is i + 1 for the last rank?",
    ],
    shown=[([2, 0, 1, 2, 1],)],
    inputs=Inputs(
        small=[(grades,) for grades in lists(3)] + [([0, 0, 0, g, h],) for g in range(5) for h in range(5)],
        draw=lambda rng: (some_grades(rng),),
    ),
    takes=f"{GRADES}.",
    fault={"math.log2(6)": "math.log2(5)"},
)
def dcg_at_5(grades):
    """Return DCG@5: each grade times 1 / log2(rank + 1).

    >>> round(dcg_at_5([2, 0, 1, 2]), 3)    # 2 + 0 + 0.5 + 0.861
    3.361
    """
    total = 0.0
    divisors = [1, math.log2(3), 2, math.log2(5), math.log2(6)]
    for grade, divisor in zip(grades, divisors, strict=False):
        total += grade / divisor
    return total


dcg_at_5.mistakes(
    ("log-7", {"math.log2(6)": "math.log2(7)"}, "Rank 5 is divided by log2(5 + 1)."),
    ("four-ranks", {", math.log2(6)]": "]"}, "The fifth rank is gone now. DCG@5 has five."),
    (
        "one-late",
        {"[1, math.log2(3), 2, math.log2(5), math.log2(6)]": "[1, 1, math.log2(3), 2, math.log2(5)]"},
        "That divides rank i by log2(i). Rank i is divided by log2(i + 1).",
    ),
)


@hunt(
    "bug/04",
    title="Above one",
    prompt="NDCG@k with the exponential gain. Someone reports a score above 2.",
    hints=[
        "With grades 0 and 1 nothing is wrong. Try higher ones.",
        "Above and below the line the same gain has to stand.",
    ],
    shown=[([3, 1], 2)],
    inputs=ranking_and_k,
    takes=f"{GRADES}; {K}.",
    fault={"ideal += (2**g - 1)": "ideal += g"},
)
def ndcg_exponential(grades, k):
    """Return NDCG@k of a list that holds every judged grade.

    Gain is 2**grade - 1. Nothing relevant at all: 0.0.

    >>> round(ndcg_exponential([0, 1, 0, 1], 4), 3)
    0.651
    """
    dcg = ideal = 0.0
    for i, g in enumerate(grades[:k]):
        dcg += (2**g - 1) / math.log2(i + 2)
    for i, g in enumerate(sorted(grades, reverse=True)[:k]):
        ideal += (2**g - 1) / math.log2(i + 2)
    return dcg / ideal if ideal else 0.0


ndcg_exponential.mistakes(
    (
        "both-linear",
        {" dcg += (2**g - 1)": " dcg += g", "ideal += (2**g - 1)": "ideal += g"},
        "The same gain in both now, but it is the linear one. The docstring says 2**grade - 1.",
    ),
    (
        "clipped",
        {"ideal += (2**g - 1)": "ideal += g", "dcg / ideal if ideal": "min(1.0, dcg / ideal) if ideal"},
        "No score is above 1 any more, but those that were are all 1 now. Mend the gain, not the symptom.",
    ),
    (
        "base-turned-round",
        {"ideal += (2**g - 1)": "ideal += (g**2 - 1)"},
        "The gain is `2**g - 1`, two to the power of the grade, not `g**2`.",
    ),
)


@hunt(
    "bug/05",
    title="Precision of 1.4",
    prompt="Precision for lists with grades. It was tested with 0 and 1.",
    hints=[
        "What does `sum` do to a grade of 3?",
        "Relevant is a grade of 1 or more, whatever its height: count them.",
    ],
    shown=[([4, 0, 2, 1, 0], 5)],
    inputs=ranking_and_k,
    takes=f"{GRADES}; {K}.",
    fault={"grade >= 1 for grade in grades[:k]": "grades[:k]"},
)
def precision_of_grades(grades, k):
    """Return P@k; a grade of 1 or more is relevant.

    >>> precision_of_grades([1, 0, 1], 4)    # 2 / 4
    0.5
    """
    return sum(grade >= 1 for grade in grades[:k]) / k


precision_of_grades.mistakes(
    ("above-one", {"grade >= 1": "grade > 1"}, "A grade of 1 is relevant too: `>=`."),
    ("exactly-one", {"grade >= 1": "grade == 1"}, "A grade of 2 is relevant as well: `>=`, not `==`."),
    ("by-length", {"/ k": "/ max(1, len(grades[:k]))"}, "The divisor is k, also where the list is shorter."),
)


@hunt(
    "bug/06",
    title="Rewarding silence",
    prompt="Another precision. A system that returns one safe document wins every comparison made with it.",
    hints=[
        "How long is the list in your input, and how large is k?",
        "The places that a list leaves empty are wasted too.",
    ],
    shown=[([1, 1], 5)],
    inputs=ranking_and_k,
    takes=f"{GRADES}; {K}.",
    fault={"hits / k": "hits / len(top)"},
)
def precision_at_k(grades, k):
    """Return P@k, also for a list shorter than k.

    >>> precision_at_k([1, 0, 2, 0, 1], 4)    # 2 / 4
    0.5
    """
    top = grades[:k]
    hits = sum(1 for grade in top if grade >= 1)
    return hits / k


precision_at_k.mistakes(
    (
        "by-length",
        [
            {"hits / k": "hits / len(top) if top else 0.0"},
            {"hits / k": "hits / max(1, min(k, len(grades)))"},
        ],
        "An empty list no longer raises, but a short one still counts as if it were full. Divide by k.",
    ),
    (
        "by-whole-length",
        {"hits / k": "hits / max(1, len(grades))"},
        "That is the length of the whole list. The top k has k places.",
    ),
)


@hunt(
    "bug/07",
    title="The query with no answer",
    prompt="Recall, tried on a thousand queries; on the thousand and first it stops with an error.",
    hints=[
        "Which number of relevant documents can nothing be divided by?",
        "Nothing relevant exists: the course counts 0/0 as 0.0.",
    ],
    shown=[([0, 0], 2, 0)],
    inputs=ranking_k_and_relevant,
    takes=f"{GRADES}; {K}; `n_relevant` the number of all relevant documents, at least those in the list.",
    fault={" if n_relevant else 0.0": ""},
)
def recall_at_k(grades, k, n_relevant):
    """Return R@k, the share of all relevant in the top k.

    n_relevant counts all there are, returned or not. Where
    there are none, recall is 0.0.

    >>> recall_at_k([1, 0, 1], 3, 4)    # 2 / 4
    0.5
    """
    hits = sum(grade >= 1 for grade in grades[:k])
    return hits / n_relevant if n_relevant else 0.0


recall_at_k.mistakes(
    (
        "by-k",
        {"hits / n_relevant if n_relevant else 0.0": "hits / k"},
        "That is precision. Recall is divided by the number of relevant documents.",
    ),
    ("one", {"else 0.0": "else 1.0"}, "0/0 is 0.0 here, as the docstring says."),
    (
        "plus-one",
        {"hits / n_relevant if n_relevant else 0.0": "hits / (n_relevant + 1)"},
        "Nothing is divided by 0 any more, and every other recall has become smaller.",
    ),
)


@hunt(
    "bug/08",
    title="Nothing lost by missing",
    prompt="Average precision from a well-read article. Systems that return little do remarkably well in it.",
    hints=[
        "Leave a relevant document out of the list: `n_relevant` is then more than the hits.",
        "What is the sum of precisions divided by, and what should it be?",
    ],
    shown=[([1, 0], 2), ([1, 0, 1, 0, 1], 3)],
    inputs=ranking_and_relevant,
    takes=f"{GRADES}; `n_relevant` the number of all relevant documents, at least those in the list.",
    fault={"total / max(n_relevant, 1)": "total / max(hits, 1)"},
)
def average_precision(grades, n_relevant):
    """Return AP; n_relevant counts all relevant documents.

    >>> round(average_precision([1, 0, 1, 0, 1], 3), 3)
    0.756
    """
    hits, total = 0, 0.0
    for rank, grade in enumerate(grades, start=1):
        if grade >= 1:
            hits += 1
            total += hits / rank
    return total / max(n_relevant, 1)


average_precision.mistakes(
    (
        "by-length",
        {"max(n_relevant, 1)": "max(len(grades), 1)"},
        "That divides by the length of the list. The divisor is the number of all relevant documents.",
    ),
    (
        "by-smaller",
        {"max(n_relevant, 1)": "max(min(n_relevant, len(grades)), 1)"},
        "That is the smaller of R and the length of the list, a rule that some libraries use. Here it is R, "
        "also for a short list.",
    ),
    (
        "unguarded",
        {"total / max(n_relevant, 1)": "total / n_relevant"},
        "Now a query with nothing relevant stops the program. There AP is 0.0.",
    ),
)


@hunt(
    "bug/09",
    title="The same one again",
    prompt=(
        "Average precision from ids. After a change that returns some documents twice, AP went up, in one "
        "case above 1."
    ),
    hints=[
        "Return a relevant document two times.",
        "A document can help once. Where is it remembered that it was there already?",
    ],
    shown=[(["a", "a"], ["a"])],
    inputs=names_and_relevant,
    takes="`ranked` is a list of names in rank order; `relevant` the names that are relevant, each once.",
    fault={"name in relevant and name not in ranked[: rank - 1]": "name in relevant"},
)
def average_precision_of_ids(ranked, relevant):
    """Return AP; a document counts where it comes first.

    Returned again it is not relevant, and keeps its rank.

    >>> average_precision_of_ids(["a", "c", "b", "d"], ["a", "d"])
    0.75
    """
    hits, total = 0, 0.0
    for rank, name in enumerate(ranked, start=1):
        if name in relevant and name not in ranked[: rank - 1]:
            hits += 1
            total += hits / rank
    return total / max(len(relevant), 1)


average_precision_of_ids.mistakes(
    (
        "ranks-close-up",
        {
            "enumerate(ranked, start=1)": "enumerate(dict.fromkeys(ranked), start=1)",
            " and name not in ranked[: rank - 1]": "",
        },
        "The second copy is gone, and what follows moved up a rank. A copy keeps its rank.",
    ),
    (
        "clipped",
        {
            "total / max(len(relevant), 1)": "min(1.0, total / max(len(relevant), 1))",
            " and name not in ranked[: rank - 1]": "",
        },
        "No score is above 1 any more, but copies still count.",
    ),
    (
        "never-twice",
        {"name not in ranked[: rank - 1]": "ranked.count(name) == 1"},
        "Now a document that comes twice counts nowhere. It counts where it comes first.",
    ),
)


@hunt(
    "bug/10",
    title="Found at once",
    prompt="Reciprocal rank with a look-up in place of a loop. Queries without any hit do surprisingly well.",
    hints=[
        "What is `max(hits)` when all of them are False, and where does `index` find it?",
        "Whether there is a hit at all has to be asked first.",
    ],
    shown=[([0, 0, 0], 3)],
    inputs=ranking_and_k,
    takes=f"{GRADES}; {K}.",
    fault={"if True not in hits": "if not hits"},
)
def reciprocal_rank(grades, k):
    """Return 1 / the rank of the first hit in the top k.

    A grade of 1 or more is a hit. No hit: 0.0.

    >>> reciprocal_rank([0, 2, 1], 3)
    0.5
    """
    hits = [grade >= 1 for grade in grades[:k]]
    if True not in hits:
        return 0.0
    return 1 / (hits.index(max(hits)) + 1)


reciprocal_rank.mistakes(
    ("cut-forgotten", {"grades[:k]": "grades"}, "A hit below rank k does not count: the cut has gone."),
    (
        "index-from-0",
        {"hits.index(max(hits)) + 1": "max(hits.index(max(hits)), 1)"},
        "`index` counts from 0, ranks from 1.",
    ),
    (
        "last-place",
        {"return 0.0": "return 1 / k"},
        "Without a hit the score is 0.0, not that of the last rank.",
    ),
)


@hunt(
    "bug/11",
    title="The mean of the lucky ones",
    prompt="MRR@k over a log of queries. The worse the system, the more of its queries the mean leaves out.",
    hints=[
        "Have one query without a hit among your rankings.",
        "A query without a hit has RR 0, and the mean is over all queries.",
    ],
    shown=[([[1, 0], [0, 1], [0, 0]], 2)],
    inputs=rankings_and_k,
    takes=f"`rankings` is a list of at least one list of grades from 0 to 4; {K}.",
    fault={"sum(found) / len(rankings)": "sum(found) / max(len(found), 1)"},
)
def mean_reciprocal_rank(rankings, k):
    """Return MRR@k; a query without a hit counts 0.0.

    >>> mean_reciprocal_rank([[1, 0], [0, 1]], 2)
    0.75
    """
    found = []
    for grades in rankings:
        for rank, grade in enumerate(grades[:k], start=1):
            if grade >= 1:
                found.append(1 / rank)
                break
    return sum(found) / len(rankings)


mean_reciprocal_rank.mistakes(
    (
        "every-hit",
        {"                break\n": ""},
        "Without the `break` every hit is counted. RR looks at the first.",
    ),
    ("sum", {" / len(rankings)": ""}, "That is the sum over the queries, not yet their mean."),
    (
        "unguarded",
        {"sum(found) / len(rankings)": "sum(found) / len(found)"},
        "That still leaves out the queries without a hit, and stops where there is none with one.",
    ),
)


@hunt(
    "bug/12",
    title="One long list",
    prompt=(
        "MAP over several queries, made short by joining them. Its value depends on the order of the queries."
    ),
    hints=[
        "Take two queries, and let neither begin with a hit, or one of them miss something.",
        "Each query is scored by itself, from rank 1, with its own number of relevant documents. Then comes "
        "the mean.",
    ],
    shown=[([([1, 0, 1, 0, 1], 3), ([0, 1, 1, 1, 0], 3)],)],
    inputs=counted_queries,
    takes=(
        "`queries` is a list of at least one pair: a list of grades from 0 to 4, and the number of all "
        "relevant documents of that query."
    ),
    fault={
        "    for grades, n_relevant in queries:": """\
    joined = [g for grades, _ in queries for g in grades]
    everything = sum(n for _, n in queries)
    for grades, n_relevant in [(joined, everything)]:"""
    },
)
def mean_average_precision(queries):
    """Return MAP over (grades, n_relevant) pairs.

    >>> mean_average_precision([([1, 1, 0], 2)])
    1.0
    """
    scores = []
    for grades, n_relevant in queries:
        ranks = [i for i, g in enumerate(grades, start=1) if g >= 1]
        total = sum(n / i for n, i in enumerate(ranks, start=1))
        scores.append(total / max(n_relevant, 1))
    return sum(scores) / len(scores)


mean_average_precision.mistakes(
    (
        "by-hits",
        {"max(n_relevant, 1)": "max(len(ranks), 1)"},
        "Divided by the hits, what was missed costs nothing. Divide by all relevant documents.",
    ),
    (
        "weighted",
        {
            "scores.append(total / max(n_relevant, 1))": "scores.append(total)",
            "sum(scores) / len(scores)": "sum(scores) / max(sum(n for _, n in queries), 1)",
        },
        "That weighs the queries by their number of relevant documents. Each query counts once.",
    ),
    (
        "empty-left-out",
        {
            "scores.append(total / max(n_relevant, 1))": "scores += [total / n] if (n := n_relevant) else []",
            "sum(scores) / len(scores)": "sum(scores) / max(len(scores), 1)",
        },
        "That leaves out the queries with nothing relevant. Here they count 0.0 and stay in the mean.",
    ),
)


@hunt(
    "bug/13",
    title="A ranker that has no opinion",
    prompt="Brings records into rank order. A ranker that gives every item the same score comes out perfect.",
    hints=[
        "Give several items the same score, and let the better one come later.",
        "What does Python compare when the first parts of two pairs are equal?",
    ],
    shown=[([("m", 0, 0.5), ("z", 2, 0.5)],)],
    inputs=item_records,
    takes="`records` is a list of at least one (name, grade, score); the grade from 0 to 4.",
    fault={
        "sorted(pairs, key=lambda pair: pair[0], reverse=True)": "sorted(pairs, reverse=True)",
    },
)
def grades_in_order(records):
    """Return the grades, highest score first.

    records are (item, grade, score). Equal scores keep the
    order in which they came.

    >>> grades_in_order([("a", 0, 0.2), ("b", 3, 0.9)])
    [3, 0]
    """
    pairs = [(score, grade) for _, grade, score in records]
    ranked = sorted(pairs, key=lambda pair: pair[0], reverse=True)
    return [grade for _, grade in ranked]


grades_in_order.mistakes(
    ("lowest-first", {", reverse=True": ""}, "The highest score comes first: `reverse=True`."),
    (
        "ties-turned-round",
        {", reverse=True)": ")[::-1]"},
        "Turning the list round turns equal scores round as well. `reverse=True` keeps their order.",
    ),
    (
        "worst-of-equals",
        {"key=lambda pair: pair[0], reverse=True": "key=lambda pair: (-pair[0], pair[1])"},
        "Among equal scores the lowest grade comes first now. The grade must not decide at all.",
    ),
    (
        "by-grade",
        {"pair: pair[0]": "pair: pair[1]"},
        "That sorts by grade, which is what the ranking is to be judged by.",
    ),
)


@hunt(
    "bug/14",
    title="Side by side",
    prompt="The hit rate at 1 from two dictionaries. It was right until someone sorted one of the files.",
    hints=[
        "Give the same queries in another order.",
        "`zip` pairs what stands at the same place. What says which query a list belongs to?",
    ],
    shown=[({"q2": ["b"], "q1": ["a"]}, {"q1": ["a"], "q2": ["b"]})],
    inputs=answers_and_relevant,
    takes=(
        "`returned` and `relevant` are dictionaries with the same queries: names in rank order, and the "
        "names that are relevant."
    ),
    fault={
        "for query in relevant:": "pairs = zip(returned.values(), relevant.values(), strict=True)",
        "        names, wanted = returned[query], relevant[query]": "    for names, wanted in pairs:",
    },
)
def hit_rate_at_1(returned, relevant):
    """Return the share of queries with a hit at rank 1.

    Both are {query: names}, with the same queries.

    >>> hit_rate_at_1({"q": ["a", "b"]}, {"q": ["a"]})
    1.0
    """
    hits = 0
    for query in relevant:
        names, wanted = returned[query], relevant[query]
        hits += any(name in wanted for name in names[:1])
    return hits / len(relevant)


hit_rate_at_1.mistakes(
    ("any-rank", {"names[:1]": "names"}, "A hit at rank 2 counts now as well. Only rank 1 is asked about."),
    (
        "only-answered",
        {"hits / len(relevant)": "hits / max(sum(map(bool, returned.values())), 1)"},
        "A query with an empty answer has no hit, and stays in the mean.",
    ),
)
