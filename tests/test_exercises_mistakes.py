"""What goes wrong is named: each mistake as itself, two together, and in code that learners write."""

import math
import statistics
from functools import partial

import numpy as np
import pytest

from rankedu import exercises
from rankedu.exercises.authoring import compiled
from rankedu.exercises.inputs import size
from rankedu.exercises.judge import alike
from rankedu.exercises.sandbox import call_once
from tests.judging import verdict_on

LESSONS = [ex for ex in exercises.all() if ex.id[:2].isdigit()]  # the bug hunt has tests of its own
ALL = [pytest.param(ex, id=ex.id) for ex in LESSONS]
NAMED = [
    pytest.param(ex, mistake, id=f"{ex.id}:{mistake.id}")
    for ex in LESSONS
    for mistake in ex.named
    if "+" not in mistake.id
]


# --- the named mistakes ------------------------------------------------------------------------------


@pytest.mark.parametrize("ex", ALL)
def test_an_exercise_names_at_least_six_mistakes_with_a_sentence_each(ex):
    ids = [id for id, _, _ in ex.table]
    assert len(ids) >= 6
    assert len(set(ids)) == len(ids)
    for _, _, says in ex.table:
        assert says[0].isupper() or says[0] == "`"
        assert says[-1] in ".?"
        assert says.count("`") % 2 == 0


@pytest.mark.parametrize(("ex", "mistake"), NAMED)
def test_a_named_mistake_is_recognised_as_itself_and_as_no_other(ex, mistake):
    # The first one that fits is told: were two alike, the second of them would fail here
    for seed, way in enumerate(mistake.ways):
        verdict = verdict_on(ex, compiled(way, ex.name), seed)
        assert verdict.mistake == mistake.id
        assert verdict.status in ("incorrect", "error")
        assert mistake.says[0] in verdict.message


@pytest.mark.parametrize(("ex", "mistake"), NAMED)
def test_no_named_mistake_is_a_slip_of_its_own_edit(ex, mistake):
    # A name that the edit got wrong would fit every submission that lacks a name
    for way in mistake.ways:
        wrong = compiled(way, ex.name)
        raised = {call_once(wrong, args).error[:1] for args in ex.fixed}
        assert not raised & {("NameError",), ("UnboundLocalError",), ("AttributeError",)}


@pytest.mark.parametrize("ex", ALL)
def test_a_helper_that_was_never_run_is_no_named_mistake(ex):
    source = f"def {ex.name}({', '.join(ex.parameters)}):\n    return helper()"
    verdict = verdict_on(ex, compiled(source, ex.name))
    assert (verdict.status, verdict.mistake) == ("error", None)


@pytest.mark.parametrize(("ex", "mistake"), NAMED[::4])
def test_no_verdict_on_a_mistake_depends_on_the_seed(ex, mistake):
    f = compiled(mistake.ways[0], ex.name)
    first, *others = [verdict_on(ex, f, seed) for seed in (0, 1, 2)]
    assert others == [first, first]


@pytest.mark.parametrize(("ex", "mistake"), NAMED)
def test_the_input_shown_is_the_smallest_that_shows_it(ex, mistake):
    f = compiled(mistake.ways[0], ex.name)
    verdict = verdict_on(ex, f)
    shown = dict(verdict.shows)
    args = eval(shown["input"], {ex.name: lambda *args: args})
    right, got = call_once(ex.reference, args), call_once(f, args)
    assert not alike(right, got)
    assert (got.kind == "returned") == (verdict.status == "incorrect")
    assert shown["expected"] != shown["got"]
    for smaller, right in zip(ex.fixed, ex.right, strict=True):
        if size(smaller) >= size(args):
            break
        other = call_once(f, smaller)
        assert alike(right, other) or other.kind != got.kind


@pytest.mark.parametrize("ex", ALL)
def test_two_mistakes_together_are_named(ex):
    pairs = [mistake for mistake in ex.named if "+" in mistake.id]
    assert pairs
    alone = {mistake.id for mistake in ex.named if "+" not in mistake.id}
    told_both = 0
    for mistake in pairs[::10]:
        f = compiled(mistake.ways[0], ex.name)
        verdict = verdict_on(ex, f)
        if verdict.status == "correct":  # the two undo each other
            continue
        assert verdict.mistake, mistake.id
        told_both += verdict.mistake == mistake.id
        if verdict.mistake != mistake.id:  # one hides the other, or two others do the same
            assert verdict.mistake in alone or "+" in verdict.mistake
    assert told_both


# --- in the words of learners: written without a look at the table -----------------------------------


def dcg(grades, k=None):
    return sum(grade / math.log2(i + 2) for i, grade in enumerate(grades[:k]))


def over(top, bottom):
    return top / bottom if bottom else 0.0


def log_of_index(grades, k):
    total = 0
    for i in range(min(k, len(grades))):
        total += grades[i] / math.log2(i + 1)
    return total


def numpy_log_of_index(grades, k):
    top = np.array(grades[:k], dtype=float)
    return np.sum(top / np.log2(np.arange(len(top)) + 1))


def first_rank_spared(grades, k):
    total = 0
    for i, grade in enumerate(grades[:k]):
        total += grade if i == 0 else grade / math.log2(i + 1)
    return total


def reads_beyond_the_end(grades, k):
    total = 0
    for i in range(k):
        total += grades[i] / math.log2(i + 2)
    return total


def ideal_of_the_returned(grades, k, judged):
    return over(dcg(grades, k), dcg(sorted(grades, reverse=True), k))


def no_guard(grades, k, judged):
    return dcg(grades, k) / dcg(sorted(judged, reverse=True), k)


def numpy_no_guard(grades, k, judged):
    return np.float64(dcg(grades, k)) / np.float64(dcg(sorted(judged, reverse=True), k))


def no_guard_and_ideal_of_the_returned(grades, k, judged):
    return dcg(grades, k) / dcg(sorted(grades, reverse=True), k)


def average_precision_by_hits(grades, n_relevant):
    found = []
    for i, grade in enumerate(grades):
        if grade > 0:
            found.append((len(found) + 1) / (i + 1))
    return sum(found) / len(found) if found else 0.0


def average_precision_by_hits_unguarded(grades, n_relevant):
    precisions = [
        sum(g > 0 for g in grades[:rank]) / rank for rank, grade in enumerate(grades, 1) if grade > 0
    ]
    return sum(precisions) / len(precisions)


def mean_precision(grades, n_relevant):
    total = 0
    for rank in range(1, len(grades) + 1):
        total += sum(g > 0 for g in grades[:rank]) / rank
    return total / n_relevant if n_relevant else 0


def no_hit_forgotten(grades, k):
    for i in range(min(k, len(grades))):
        if grades[i] > 0:
            return 1 / (i + 1)


def index_of_one(grades, k):
    top = grades[:k]
    return 1 / (top.index(1) + 1) if 1 in top else 0.0


def index_of_any(grades, k):
    return 1 / ([grade > 0 for grade in grades[:k]].index(True) + 1)


def reciprocal_rank(grades, k):
    return no_hit_forgotten(grades, k) or 0.0


def mean_of_those_with_hits(rankings, k):
    scores = [reciprocal_rank(grades, k) for grades in rankings]
    scores = [score for score in scores if score > 0]
    return sum(scores) / len(scores) if scores else 0.0


def users(records, k, keep=None, empty=None, ties=None, ideal_of=None):
    by_user = {}
    for user, item, grade, score in records:
        by_user.setdefault(user, {})
        if keep == "first" and item in by_user[user]:
            continue
        if keep is None:
            by_user[user].pop(item, None)
        by_user[user][item] = (score, grade)
    scores = []
    for items in by_user.values():
        rows = list(items.values())
        rows.sort(key=(lambda row: row) if ties == "grade" else (lambda row: row[0]), reverse=True)
        grades = [grade for _, grade in rows]
        ideal = dcg(sorted(grades[:ideal_of], reverse=True), k)
        if any(grades) or empty == "counted":
            scores.append(over(dcg(grades, k), ideal))
    return (sum(scores) / len(scores), len(scores)) if scores else (0.0, 0)


def f1(grades, k, n, guard):
    if guard:
        return 0.0
    hits = sum(g > 0 for g in grades[:k])
    p, r = hits / k, hits / n
    return 2 * p * r / (p + r)


def auc(grades, is_good, is_bad):
    good = [i for i, grade in enumerate(grades) if is_good(grade)]
    bad = [i for i, grade in enumerate(grades) if is_bad(grade)]
    return sum(a < b for a in good for b in bad) / (len(good) * len(bad))


def users_by_numpy(records, k):
    mean, n = users(records, k)
    return (mean, n) if n else (np.mean([]), 0)


def weighted(scores, weights, names=ValueError, total=ValueError, wrong=lambda s: not math.isclose(s, 1)):
    if set(scores) != set(weights):
        raise names("names")
    if wrong(sum(weights.values())):
        raise total("sum")
    return sum(weights[name] * scores[name] for name in scores)


# A running total that goes wrong, for each exercise: what is added, over what, and what is returned
RUNNING = {
    "02/cumulative_gain": ("grades, k", "g in grades[:k]", "g", "s"),
    "03/dcg": ("grades, k", "i, g in enumerate(grades[:k])", "g / math.log2(i + 2)", "s"),
    "03/exponential_dcg": (
        "grades, k",
        "i, g in enumerate(grades[:k])",
        "(2**g - 1) / math.log2(i + 2)",
        "s",
    ),
    "04/ideal_dcg": (
        "judged, k",
        "i, g in enumerate(sorted(judged, reverse=True)[:k])",
        "g / math.log2(i + 2)",
        "s",
    ),
    "06/precision_at_k": ("grades, k", "g in grades[:k]", "g >= 1", "s / k"),
    "06/recall_at_k": ("grades, k, n", "g in grades[:k]", "g >= 1", "s / n if n else 0.0"),
    "05/mean_ndcg": ("queries, k", "g, j in queries", "helper(g, k, j)", "s / len(queries)"),
    "06/hit_rate": ("rankings, k", "g in rankings", "any(g[:k])", "s / len(rankings)"),
    "07/mean_average_precision": ("queries", "g, n in queries", "helper(g, n)", "s / len(queries)"),
    "08/mean_reciprocal_rank": ("rankings, k", "g in rankings", "helper(g, k)", "s / len(rankings)"),
}
FIRST = {
    "05/mean_ndcg": "first-query-only",
    "06/hit_rate": "first-ranking-only",
    "07/mean_average_precision": "first-query-only",
    "08/mean_reciprocal_rank": "first-ranking-only",
}


def running(id, then):
    """Return the function that adds up with `+=`, or with what `then` puts in its place."""
    arguments, over, added, answer = RUNNING[id]
    source = f"def f({arguments}):\n    s = 0\n    for {over}:\n        s += {added}\n    return {answer}\n"
    uses = exercises.get(id).uses
    names = {"math": math, "helper": uses[0].reference if uses else None}
    exec(source.replace(*then), names)
    return names["f"]


@pytest.mark.parametrize("id", RUNNING)
def test_a_running_total_is_right(id):
    assert exercises.get(id).check(running(id, ("", ""))).status == "correct"


@pytest.mark.parametrize("id", RUNNING)
def test_a_return_in_the_loop_is_named(id):
    verdict = exercises.get(id).check(running(id, ("    return", "        return")))
    assert verdict.mistake == FIRST.get(id, "return-in-loop")
    assert "Is your `return` inside the loop?" in verdict.message


@pytest.mark.parametrize("sign", ["=", "=+"])
@pytest.mark.parametrize("id", [id for id in RUNNING if id[:2] in ("02", "03", "04")])
def test_an_equals_sign_for_plus_equals_is_named(id, sign):
    verdict = exercises.get(id).check(running(id, ("+=", sign)))
    assert verdict.mistake == "overwritten"
    assert "`+=` adds" in verdict.message


def return_among_the_hits(grades, k):
    hits = 0
    for grade in grades[:k]:
        if grade >= 1:
            hits += 1
            return hits / k


def f1_in_the_loop(grades, k, n):
    hits = 0
    for grade in grades[:k]:
        hits += grade >= 1
        return 2 * hits / (k + n)


def average_precision_in_the_loop(grades, n_relevant):
    hits = total = 0
    for i, grade in enumerate(grades, 1):
        if grade >= 1:
            hits += 1
            total += hits / i
        return total / n_relevant if n_relevant else 0.0


def average_precision_of_the_last(grades, n_relevant):
    hits = total = 0
    for i, grade in enumerate(grades, 1):
        if grade >= 1:
            hits += 1
            total = hits / i
    return total / n_relevant if n_relevant else 0.0


def weighted_in_the_loop(scores, weights):
    weighted(scores, weights)
    total = 0
    for name in scores:
        total += scores[name] * weights[name]
        return total


def hit_in_the_loop(rankings, k):
    hits = 0
    for grades in rankings:
        if any(grades[:k]):
            hits += 1
            return hits / len(rankings)


def ndcg_cut(grades, judged, k):
    return over(dcg(grades, k), dcg(sorted(judged, reverse=True), k))


IN_THE_WILD = [
    ("06/precision_at_k", return_among_the_hits, "return-in-loop"),
    ("06/f1_at_k", f1_in_the_loop, "return-in-loop"),
    ("06/hit_rate", hit_in_the_loop, "first-hit-only"),
    ("07/average_precision", average_precision_in_the_loop, "return-in-loop"),
    ("07/average_precision", average_precision_of_the_last, "overwritten"),
    ("09/weighted_score", weighted_in_the_loop, "return-in-loop"),
    ("05/ndcg", lambda grades, k, judged: ndcg_cut(grades, judged, k - 1), "cut-one-early"),
    ("05/ndcg", lambda grades, k, judged: ndcg_cut(grades, judged, k + 1), "cut-one-late"),
    ("06/hit_rate", lambda rankings, k: sum(map(any, rankings[:k])) / len(rankings), "queries-cut"),
    ("06/hit_rate", lambda rankings, k: np.mean([any(g) for g in rankings[:k]]), "queries-cut"),
    (
        "08/mean_reciprocal_rank",
        lambda rankings, k: sum(reciprocal_rank(g, k) for g in rankings[:k]) / len(rankings),
        "queries-cut",
    ),
    ("02/cumulative_gain", lambda grades, k: sum([g for g in grades if g][:k]), "filtered-before-cut"),
    ("03/dcg", lambda grades, k: dcg([g for g in grades if g], k), "filtered-before-cut"),
    ("03/dcg", lambda grades, k: dcg([g for g in grades[:k] if g]), "filtered-before-cut"),
    ("06/precision_at_k", lambda grades, k: len([g for g in grades if g][:k]) / k, "filtered-before-cut"),
    ("06/f1_at_k", lambda grades, k, n: f1(grades, k, n, n == 0), "zero-by-zero"),
    ("06/f1_at_k", lambda grades, k, n: f1(grades, k, n, not grades), "zero-by-zero"),
    (
        "06/recall_at_k",
        lambda grades, k, n: sum(g > 0 for g in grades[:k]) / n if grades else 0.0,
        "zero-by-zero",
    ),
    ("05/ndcg", lambda grades, k, judged: no_guard(grades, k, judged) if grades else 0.0, "zero-by-zero"),
    ("08/reciprocal_rank", lambda grades, k: reciprocal_rank(grades, k) or math.nan, "no-hit-is-nan"),
    ("08/reciprocal_rank", lambda grades, k: reciprocal_rank(grades, k) or math.inf, "no-hit-is-nan"),
    ("08/reciprocal_rank", lambda grades, k: int(reciprocal_rank(grades, k)), "whole-numbers"),
    ("08/reciprocal_rank", lambda grades, k: 1 / 1 if grades[:1] > [0] else 0.0, "gives-up-at-once"),
    ("09/weighted_score", partial(weighted, names=KeyError), "other-exception"),
    ("09/weighted_score", partial(weighted, total=AssertionError), "other-exception"),
    ("09/weighted_score", partial(weighted, wrong=lambda s: round(s, 1) != 1), "sum-checked-coarsely"),
    ("09/weighted_score", partial(weighted, wrong=lambda s: abs(s - 1) > 0.09), "sum-checked-coarsely"),
    ("09/auc", lambda grades: auc(grades, lambda g: g > 1, lambda g: g <= 1), "above-one"),
    ("09/auc", lambda grades: auc(grades, lambda g: g > 1, lambda g: g == 0), "above-one"),
    ("09/auc", lambda grades: auc(grades, lambda g: g == 1, lambda g: g == 0), "grade-one-only"),
    ("10/evaluate_users", users_by_numpy, "nobody"),
    ("10/evaluate_users", lambda records, k: users(records, k + 1), "cut-one-late"),
    ("10/evaluate_users", lambda records, k: users(records, k - 1), "cut-one-early"),
    (
        "10/ranked_grades",
        lambda records: [r[1] for r in sorted(records, key=lambda r: int(r[2]), reverse=True)],
        "scores-cut",
    ),
    ("01/to_binary", lambda ratings, t: [int(r > t) for r in ratings], "threshold-left-out"),
    ("01/to_binary", lambda ratings, t: np.where(np.array(ratings) > t, 1, 0), "threshold-left-out"),
    ("01/to_binary", lambda ratings, t: [1 for r in ratings if r >= t], "others-dropped"),
    ("01/to_binary", lambda ratings, t: len([r for r in ratings if r >= t]), "counted"),
    ("01/grade_from_events", lambda events: sum(len(e) // 4 for e in events), None),
    ("01/grade_from_events", lambda events: 1 if events else 0, "any-event"),
    (
        "01/grade_from_events",
        lambda events: sum({"click": 1, "favourite": 2, "purchase": 5}[e] for e in events),
        "added-up",
    ),
    ("02/cumulative_gain", lambda grades, k: sum(grades), "no-cut"),
    ("02/cumulative_gain", lambda grades, k: sum(grades[1:k]), "first-rank-left-out"),
    ("02/cumulative_gain", lambda grades, k: sum(grades[i] for i in range(k)), "beyond-the-end"),
    ("02/cumulative_gain", lambda grades, k: sum(grades[: k - 1]), "cut-one-early"),
    ("02/cumulative_gain", lambda grades, k: sum(grades[: k + 1]), "cut-one-late"),
    ("02/cumulative_gain", lambda grades, k: dcg(grades, k), "discounted"),
    ("02/cumulative_gain", lambda grades, k: np.mean(grades[:k]), "divided-by-length"),
    ("03/discount", lambda rank: 1 / math.log2(rank), "log-of-rank"),
    ("03/discount", lambda rank: 1 / np.log2(rank), "log-of-rank"),
    ("03/discount", lambda rank: 1 / np.log(rank + 1), "natural-log"),
    ("03/discount", lambda rank: 1 / rank, "reciprocal-of-rank"),
    ("03/dcg", log_of_index, "ranks-from-zero"),
    ("03/dcg", numpy_log_of_index, "ranks-from-zero"),
    ("03/dcg", first_rank_spared, "form-of-2002"),
    ("03/dcg", reads_beyond_the_end, "beyond-the-end"),
    ("03/dcg", lambda grades, k: dcg(grades), "no-cut"),
    ("03/dcg", lambda grades, k: dcg([0, *grades], k + 1), "one-rank-late"),
    ("03/dcg", lambda grades, k: dcg([0, *grades]), "no-cut+one-rank-late"),
    ("03/dcg", lambda grades, k: log_of_index(grades, 99), "ranks-from-zero"),
    ("03/dcg", lambda grades, k: first_rank_spared(grades, 99), "no-cut+form-of-2002"),
    ("03/dcg", lambda grades, k: dcg([2**grade - 1 for grade in grades], k), "exponential-gain"),
    ("03/dcg", lambda grades, k: dcg([2**grade - 1 for grade in grades]), "no-cut+exponential-gain"),
    ("03/dcg", lambda grades, k: sum(grades), "no-cut+no-discount"),
    ("03/dcg", lambda grades, k: dcg(grades, k) / math.log(2), "natural-log"),
    ("03/exponential_dcg", dcg, "linear-gain"),
    ("03/exponential_dcg", lambda grades, k: dcg([2**grade for grade in grades], k), "no-minus-one"),
    ("03/exponential_dcg", lambda grades, k: dcg([2 ^ grade - 1 for grade in grades], k), "caret-for-power"),
    ("03/exponential_dcg", lambda grades, k: dcg([grade**2 for grade in grades], k), "squared"),
    ("04/ideal_dcg", dcg, "not-sorted"),
    ("04/ideal_dcg", lambda judged, k: dcg(sorted(judged[:k], reverse=True), k), "cut-before-sort"),
    ("04/ideal_dcg", lambda judged, k: dcg(sorted(judged, reverse=True)), "no-cut"),
    ("04/ideal_dcg", lambda judged, k: dcg(sorted(judged), k), "worst-first"),
    ("04/ideal_dcg", lambda judged, k: dcg(list(reversed(judged)), k), "only-reversed"),
    ("05/ndcg", ideal_of_the_returned, "ideal-from-returned"),
    ("05/ndcg", no_guard, "zero-by-zero"),
    ("05/ndcg", numpy_no_guard, "zero-by-zero"),
    ("05/ndcg", no_guard_and_ideal_of_the_returned, "ideal-from-returned+zero-by-zero"),
    (
        "05/ndcg",
        lambda grades, k, judged: over(dcg(grades, k), dcg(sorted(judged[:k], reverse=True), k)),
        "cut-before-sort",
    ),
    (
        "05/ndcg",
        lambda grades, k, judged: over(dcg(grades, k), dcg(sorted(judged, reverse=True))),
        "ideal-not-cut",
    ),
    (
        "05/ndcg",
        lambda grades, k, judged: over(dcg(grades), dcg(sorted(judged, reverse=True), k)),
        "dcg-not-cut",
    ),
    ("05/ndcg", lambda grades, k, judged: dcg(grades, k), "not-divided"),
    (
        "05/mean_ndcg",
        lambda queries, k: over(
            sum(over(dcg(g, k), dcg(sorted(j)[::-1], k)) for g, j in queries if any(j)),
            sum(any(j) for g, j in queries),
        ),
        "empty-queries-dropped",
    ),
    (
        "05/mean_ndcg",
        lambda queries, k: over(
            sum(dcg(g, k) for g, _ in queries), sum(dcg(sorted(j)[::-1], k) for _, j in queries)
        ),
        "sums-divided",
    ),
    (
        "06/precision_at_k",
        lambda grades, k: sum(g > 0 for g in grades[:k]) / len(grades[:k]),
        "divided-by-returned",
    ),
    ("06/precision_at_k", lambda grades, k: np.mean(np.array(grades[:k]) > 0), "divided-by-returned"),
    ("06/precision_at_k", lambda grades, k: sum(grades[:k]) / k, "grades-added-up"),
    ("06/precision_at_k", lambda grades, k: grades[:k].count(1) / k, "grade-one-only"),
    ("06/recall_at_k", lambda grades, k, n: sum(g > 0 for g in grades[:k]) / n, "zero-by-zero"),
    ("06/recall_at_k", lambda grades, k, n: sum(g > 0 for g in grades[:k]) / k, "divided-by-k"),
    (
        "06/recall_at_k",
        lambda grades, k, n: over(sum(g > 0 for g in grades[:k]), min(n, k)),
        "ceiling-lifted",
    ),
    (
        "06/recall_at_k",
        lambda grades, k, n: over(sum(g > 0 for g in grades[:k]), sum(g > 0 for g in grades)),
        "divided-by-found",
    ),
    ("06/f1_at_k", lambda grades, k, n: over(sum(g > 0 for g in grades[:k]), k + n), "no-two"),
    ("06/hit_rate", lambda rankings, k: sum(sum(g[:k]) > 0 for g in rankings) / k, "divided-by-k"),
    ("06/hit_rate", lambda rankings, k: np.mean([g > 0 for r in rankings for g in r[:k]]), None),
    ("07/average_precision", average_precision_by_hits, "divided-by-hits"),
    ("07/average_precision", average_precision_by_hits_unguarded, "divided-by-hits"),
    ("07/average_precision", mean_precision, "every-rank-counts"),
    (
        "07/mean_average_precision",
        lambda qs: statistics.mean(average_precision_by_hits(*q) for q in qs),
        "divided-by-hits",
    ),
    ("08/reciprocal_rank", no_hit_forgotten, "nothing-without-hit"),
    ("08/reciprocal_rank", index_of_one, "grade-one-only"),
    ("08/reciprocal_rank", index_of_any, "no-hit-raises"),
    ("08/reciprocal_rank", lambda grades, k: reciprocal_rank(grades, 99), "no-cut"),
    ("08/mean_reciprocal_rank", mean_of_those_with_hits, "no-hit-dropped"),
    (
        "08/mean_reciprocal_rank",
        lambda rankings, k: sum(reciprocal_rank(g, 99) for g in rankings) / len(rankings),
        "no-cut",
    ),
    (
        "09/weighted_score",
        lambda scores, weights: sum(scores[n] * weights[n] for n in scores),
        "names-not-checked+sum-not-checked",
    ),
    ("09/auc", lambda grades: 1 - exercises.get("09/auc").reference(grades), "upside-down"),
    (
        "10/ranked_grades",
        lambda records: [r[1] for r in sorted(records, key=lambda r: r[2])][::-1],
        "ties-turned-round",
    ),
    (
        "10/ranked_grades",
        lambda records: [g for s, g in sorted(((r[2], r[1]) for r in records), reverse=True)],
        "ties-by-grade",
    ),
    ("10/ranked_grades", lambda records: [r[1] for r in sorted(records, key=lambda r: r[2])], "lowest-first"),
    ("10/evaluate_users", lambda records, k: users(records, k, keep="first"), "earlier-kept"),
    ("10/evaluate_users", lambda records, k: users(records, k, keep="place"), "place-of-the-earlier"),
    ("10/evaluate_users", lambda records, k: users(records, k, ideal_of=k), "ideal-from-top-k"),
    ("10/evaluate_users", lambda records, k: users(records, k, empty="counted"), "empty-users-counted"),
    ("10/evaluate_users", lambda records, k: users(records, k, ties="grade"), "ties-by-grade"),
    (
        "10/evaluate_users",
        lambda records, k: users(records, k, "first", "counted"),
        "earlier-kept+empty-users-counted",
    ),
]


@pytest.mark.parametrize(
    ("id", "f", "mistake"),
    [pytest.param(*case, id=f"{case[0]}:{case[2]}-{n}") for n, case in enumerate(IN_THE_WILD)],
)
def test_wrong_answers_in_the_wild_are_named(id, f, mistake):
    verdict = exercises.get(id).check(f)
    assert verdict.mistake == mistake
    assert not verdict


# --- slips that any exercise can meet ----------------------------------------------------------------


def returns_nothing(grades, k):
    dcg(grades, k)


def prints(grades, k):
    print(dcg(grades, k))


def sorts_in_place(judged, k):
    judged.sort(reverse=True)
    return dcg(judged, k)


def keeps_adding(grades, k, seen=[]):  # noqa: B006 - the slip itself
    seen.extend(grades[:k])
    return dcg(seen, len(seen))


GENERAL = [
    ("03/dcg", returns_nothing, "no-return", "return"),
    ("03/dcg", prints, "prints-instead", "prints the answer"),
    ("03/dcg", lambda grades, k: round(dcg(grades, k), 2), "rounded", "rounded"),
    ("03/dcg", lambda grades, k: int(dcg(grades, k)), "whole-numbers", "whole number"),
    (
        "06/precision_at_k",
        lambda grades, k: 100 * sum(g > 0 for g in grades[:k]) / k,
        "percent",
        "percentage",
    ),
    ("06/precision_at_k", lambda grades, k: sum(g > 0 for g in grades[:k]) // k, "whole-numbers", "//"),
    ("04/ideal_dcg", sorts_in_place, "changes-input", "changes the list"),
    ("03/dcg", keeps_adding, "keeps-state", "from one call to the next"),
    ("05/ndcg", lambda grades, k, judged: 1.0, "always-the-same", "the same for every input"),
    ("02/cumulative_gain", lambda grades, k: sum(grades[:k]) or None, "path-without-return", "`None`"),
]


@pytest.mark.parametrize(("id", "f", "mistake", "words"), GENERAL, ids=[case[2] for case in GENERAL])
def test_slips_of_every_exercise_are_named(id, f, mistake, words):
    verdict = exercises.get(id).check(f)
    assert (verdict.status, verdict.mistake) == ("incorrect", mistake)
    assert words in verdict.message


CHANGES = [
    ("04/ideal_dcg", sorts_in_place, "`sorted(x)` makes one, `x.sort()` does not"),
    ("02/cumulative_gain", lambda grades, k: (sum(grades[:k]), grades.append(0))[0], "`list(x)` makes one"),
    ("09/weighted_score", lambda s, w: (weighted(s, w), w.clear())[0], "changes the dict it is given"),
]


@pytest.mark.parametrize(("id", "f", "words"), CHANGES, ids=[words for *_, words in CHANGES])
def test_what_is_changed_and_how_is_told(id, f, words):
    verdict = exercises.get(id).check(f)
    assert verdict.mistake == "changes-input"
    assert words in verdict.message
    assert ("sort" in verdict.message) == ("sort" in words)


def test_single_precision_is_told():
    def in_float32(grades, k):
        top = np.array(grades[:k], dtype=np.float32)
        return np.sum(top / np.log2(np.arange(2, len(top) + 2, dtype=np.float32)))

    verdict = exercises.get("03/dcg").check(in_float32)
    assert (verdict.status, verdict.mistake) == ("incorrect", "single-precision")
    assert "float64" in verdict.message


def test_nan_is_told_as_nan():
    def nan_for_nothing(grades, k, judged):
        return no_guard(grades, k, judged) if any(judged) else math.nan

    verdict = exercises.get("05/ndcg").check(nan_for_nothing)
    assert verdict.mistake == "zero-by-zero"
    assert "your function returns `nan`" in verdict.message
    assert "you divide 0 by 0" not in verdict.message


def test_arguments_in_another_order_are_told():
    verdict = exercises.get("02/cumulative_gain").check(lambda k, grades: sum(grades[:k]))
    assert (verdict.status, verdict.mistake) == ("error", "arguments-swapped")
    assert "in another order, `k, grades`. The exercise gives them as `grades, k`" in verdict.message


def test_what_is_printed_beside_no_answer_is_told():
    def prints_its_steps(grades, k):
        print("step", k)

    verdict = exercises.get("03/dcg").check(prints_its_steps)
    assert verdict.mistake == "prints-instead"
    assert "prints something" in verdict.message


def test_an_exception_of_the_wrong_kind_is_not_said_to_be_the_only_one():
    class Unlike(Exception):
        pass

    verdict = exercises.get("09/weighted_score").check(partial(weighted, names=Unlike))
    assert "raises an exception whenever" not in verdict.message
    assert "It goes wrong whenever the names differ, and only then" in verdict.message


def test_changing_the_input_shows_what_became_of_it():
    verdict = exercises.get("04/ideal_dcg").check(sorts_in_place)
    shown = dict(verdict.shows)
    assert shown["input"] == "ideal_dcg([0, 1], 1)"
    assert shown["afterwards"] == "[1, 0], 1"


def test_an_input_that_contains_itself_afterwards_was_changed():
    def puts_the_list_in_itself(grades, k):
        total = sum(grades[:k])
        grades.append(grades)
        return total

    assert exercises.get("02/cumulative_gain").check(puts_the_list_in_itself).mistake == "changes-input"


def test_changing_the_input_is_also_said_beside_another_mistake():
    def sorts_the_ranking(grades, k):
        grades.sort(reverse=True)
        return dcg(grades, k)

    verdict = exercises.get("03/dcg").check(sorts_the_ranking)
    assert verdict.mistake == "sorted-first"
    assert "changes the list" in verdict.message


# --- no name fits ------------------------------------------------------------------------------------


def test_the_smallest_failing_input_is_searched_for_beyond_the_fixed_ones():
    def wrong_from_the_ninth_rank_on(grades, k):
        return dcg(grades, min(k, 8))

    verdict = exercises.get("03/dcg").check(wrong_from_the_ninth_rank_on)
    assert (verdict.status, verdict.mistake) == ("incorrect", None)
    assert dict(verdict.shows)["input"] == "dcg([0, 0, 0, 0, 0, 0, 0, 0, 1], 9)"


def test_of_several_failing_inputs_the_smallest_is_shown():
    verdict = exercises.get("05/ndcg").check(lambda grades, k, judged: 0.3 + k)
    assert verdict.mistake is None
    assert dict(verdict.shows) == {"input": "ndcg([], 1, [])", "expected": "0.0", "got": "1.3"}


def test_an_exception_of_python_is_not_taken_for_two_mistakes():
    verdict = exercises.get("05/mean_ndcg").check(lambda queries, k: sum(queries))
    assert (verdict.status, verdict.mistake) == ("error", None)
    assert "TypeError" in verdict.message


TRAITS = [
    (
        "05/ndcg",
        lambda ex, grades, k, judged: 0.5 if k > len(grades) else ex.reference(grades, k, judged),
        "`k` is beyond",
    ),
    ("02/cumulative_gain", lambda ex, grades, k: -1 if not grades else sum(grades[:k]), "the list is empty"),
    (
        "06/hit_rate",
        lambda ex, rankings, k: 9 if [] in rankings else ex.reference(rankings, k),
        "a ranking is empty",
    ),
    ("06/recall_at_k", lambda ex, grades, k, n: 1 / 0 if n > k else ex.reference(grades, k, n), "than `k`"),
]


@pytest.mark.parametrize(("id", "f", "words"), TRAITS, ids=[case[2] for case in TRAITS])
def test_what_the_failing_inputs_have_in_common_is_said(id, f, words):
    ex = exercises.get(id)
    verdict = ex.check(partial(f, ex))
    assert verdict.mistake is None
    assert words in verdict.message
    assert "and only then" in verdict.message


def test_what_makes_it_raise_is_said_even_if_it_is_wrong_elsewhere():
    verdict = exercises.get("07/average_precision").check(lambda grades, n: (sum(grades) + 7) / n)
    assert (verdict.status, verdict.mistake) == ("error", None)
    assert "raises an exception whenever nothing is relevant, and only then" in verdict.message


def test_what_passing_inputs_have_too_is_not_said():
    verdict = exercises.get("05/ndcg").check(lambda grades, k, judged: 0.3 + k)
    assert "only then" not in verdict.message
