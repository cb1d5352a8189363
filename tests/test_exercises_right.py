"""Right answers pass, however they are written; damaged ones do not, and no verdict depends on the seed."""

import ast
import copy
import doctest
import heapq
import math
import statistics
from collections import OrderedDict, defaultdict
from fractions import Fraction
from functools import partial, reduce
from itertools import accumulate, groupby, islice, takewhile, zip_longest

import numpy as np
import pytest

from rankedu import exercises, metrics
from rankedu.exercises.authoring import compiled
from rankedu.exercises.inputs import size
from rankedu.exercises.judge import alike
from rankedu.exercises.sandbox import call_once
from tests.judging import verdict_on

LESSONS = [ex for ex in exercises.all() if ex.id[:2].isdigit()]  # the bug hunt has tests of its own
ALL = [pytest.param(ex, id=ex.id) for ex in LESSONS]


# --- the solution ------------------------------------------------------------------------------------


@pytest.mark.parametrize("ex", ALL)
def test_the_solution_is_correct_also_as_a_learner_would_paste_it(ex):
    names = {}
    exec(ex.solution(), names)
    assert ex.check(names[ex.name]).status == "correct"


@pytest.mark.parametrize("ex", ALL)
def test_the_worked_number_in_the_stub_is_what_the_solution_gives(ex):
    names = {}
    exec(ex.solution(), names)
    (found,) = doctest.DocTestFinder().find(names[ex.name], ex.name, globs=names)
    assert found.examples
    assert doctest.DocTestRunner().run(found).failed == 0


# The same definition elsewhere in the package: exercise, and the call with the same arguments
METRICS = {
    "02/cumulative_gain": metrics.cumulative_gain,
    "03/discount": metrics.discount,
    "03/dcg": metrics.dcg,
    "03/exponential_dcg": lambda grades, k: metrics.dcg(grades, k, gain="exponential"),
    "04/ideal_dcg": metrics.ideal_dcg,
    "05/ndcg": lambda grades, k, judged: metrics.ndcg(grades, k, judged=judged),
    "05/mean_ndcg": lambda queries, k: metrics.mean_ndcg(
        [grades for grades, _ in queries], k, judged=[judged for _, judged in queries]
    ),
    "06/precision_at_k": metrics.precision_at_k,
    "06/recall_at_k": lambda grades, k, n: metrics.recall_at_k(grades, k, judged=with_missed(grades, n)),
    "06/f1_at_k": lambda grades, k, n: metrics.f1_at_k(grades, k, judged=with_missed(grades, n)),
    "06/hit_rate": lambda rankings, k: np.mean([metrics.hit_rate_at_k(grades, k) for grades in rankings]),
    "07/average_precision": lambda grades, n: metrics.average_precision(
        grades, judged=with_missed(grades, n)
    ),
    "07/mean_average_precision": lambda queries: metrics.mean_average_precision(
        [grades for grades, _ in queries], judged=[with_missed(*query) for query in queries]
    ),
    "08/reciprocal_rank": metrics.reciprocal_rank,
    "08/mean_reciprocal_rank": metrics.mean_reciprocal_rank,
}


def with_missed(grades, n_relevant):
    return grades + [1] * (n_relevant - sum(grade >= 1 for grade in grades))


@pytest.mark.parametrize("id", METRICS)
def test_an_exercise_and_the_package_define_the_same_metric(id):
    assert verdict_on(exercises.get(id), METRICS[id]).status == "correct"


# --- the inputs keep what is promised ----------------------------------------------------------------


@pytest.mark.parametrize("ex", ALL)
def test_inputs_are_what_a_submission_may_rely_on(ex):
    inputs = ex.fixed + ex.drawn(1) + ex.drawn(2)
    assert len(ex.fixed) > 60
    for args in inputs:
        assert len(args) == len(ex.parameters)
        assert ex.inputs.allowed(*args)
        for name, value in zip(ex.parameters, args, strict=True):
            if name == "k":
                assert type(value) is int
                assert value >= 1
            if name in ("grades", "judged"):
                assert all(type(grade) is int and 0 <= grade <= 4 for grade in value)
            if name in ("queries", "rankings", "records"):
                assert value
    assert ex.fixed == sorted(ex.fixed, key=size)


@pytest.mark.parametrize("ex", [p for p in ALL if "grades" in p.values[0].parameters])
def test_inputs_of_rankings_go_to_the_edges(ex):
    named = [dict(zip(ex.parameters, args, strict=True)) for args in ex.fixed]
    lists = [args["grades"] for args in named]
    assert any(max(grades, default=0) > 1 for grades in lists)
    if ex.id != "09/auc":  # AUC needs both kinds
        assert [] in lists
        assert any(grades and not any(grades) for grades in lists)
    if "k" in ex.parameters:
        assert any(args["k"] > len(args["grades"]) > 0 for args in named)
        assert any(args["k"] < len(args["grades"]) for args in named)
    if "judged" in ex.parameters:
        assert any(sum(args["judged"]) > sum(args["grades"]) for args in named)
        assert any(not any(args["judged"]) for args in named)
    if "n_relevant" in ex.parameters:
        assert any(args["n_relevant"] > sum(g >= 1 for g in args["grades"]) for args in named)
        assert any(args["n_relevant"] == 0 for args in named)


def test_records_have_equal_scores_and_duplicates():
    records = [records for records, _ in exercises.get("10/evaluate_users").fixed]
    assert any(len({(user, item) for user, item, *_ in rows}) < len(rows) for rows in records)
    assert any(len({score for *_, score in rows}) < len(rows) for rows in records)
    for (rows,) in exercises.get("10/ranked_grades").fixed:
        assert len({item for item, *_ in rows}) == len(rows)


# --- right in other styles ---------------------------------------------------------------------------


def discounts(n):
    return 1 / np.log2(np.arange(n) + 2)


def np_dcg(grades, k):
    top = np.array(grades[:k], dtype=float)
    return (top * discounts(len(top))).sum()


def loop_dcg(grades, k):
    total = 0
    i = 0
    while i < k and i < len(grades):
        total += grades[i] / math.log(i + 2, 2)
        i += 1
    return total


def recursive_dcg(grades, k, rank=1):
    if not grades or rank > k:
        return 0
    return grades[0] / math.log2(rank + 1) + recursive_dcg(grades[1:], k, rank + 1)


def py_ndcg(grades, k, judged):
    if sum(judged) == 0:
        return 0
    return loop_dcg(grades, k) / loop_dcg(sorted(judged)[::-1], k)


def np_ndcg(grades, k, judged):
    best = np.sort(np.array(judged, dtype=int))[::-1]
    ideal = np_dcg(best, k)
    return np.float32(0) if ideal == 0 else np_dcg(grades, k) / ideal


def natural_ndcg(grades, k, judged):
    """The base of the logarithm cancels."""
    ideal = sum(g / math.log(i + 2) for i, g in enumerate(heapq.nlargest(k, judged)))
    return sum(g / math.log(i + 2) for i, g in enumerate(islice(grades, k))) / ideal if ideal > 0 else 0.0


def counting_ndcg(grades, k, judged):
    """The ideal by counting grades instead of sorting them."""
    best = [grade for grade in (4, 3, 2, 1) for _ in range(judged.count(grade))]
    try:
        return recursive_dcg(grades, k) / recursive_dcg(best, k)
    except ZeroDivisionError:
        return 0


def loop_average_precision(grades, n_relevant):
    if n_relevant == 0:
        return 0
    total = 0
    for i in range(len(grades)):
        if grades[i] > 0:
            total += len([g for g in grades[: i + 1] if g > 0]) / (i + 1)
    return total / n_relevant


def np_average_precision(grades, n_relevant):
    hits = np.array(grades, dtype=int) >= 1
    ranks = np.flatnonzero(hits) + 1
    return np.sum(np.arange(1, len(ranks) + 1) / ranks) / max(n_relevant, 1)


def exact_average_precision(grades, n_relevant):
    ranks = [rank for rank, grade in enumerate(grades, 1) if grade]
    return sum((Fraction(i, rank) for i, rank in enumerate(ranks, 1)), Fraction()) / (n_relevant or 1)


def recursive_reciprocal_rank(grades, k, rank=1):
    if k == 0 or not grades:
        return 0
    return 1 / rank if grades[0] else recursive_reciprocal_rank(grades[1:], k - 1, rank + 1)


def np_reciprocal_rank(grades, k):
    hits = np.flatnonzero(np.array(grades[:k], dtype=int))
    return np.float64(1) / (hits[0] + 1) if hits.size else np.int64(0)


def two_dicts_users(records, k):
    users = defaultdict(OrderedDict)
    for user, item, grade, score in records:
        if item in users[user]:
            del users[user][item]
        users[user][item] = (score, grade)
    values = []
    for items in users.values():
        rows = list(items.values())
        order = sorted(range(len(rows)), key=lambda i: (-rows[i][0], i))
        grades = [rows[i][1] for i in order]
        if max(grades) >= 1:
            values.append(py_ndcg(grades, k, grades))
    return [statistics.fmean(values), len(values)] if values else [0, 0]


def from_behind_users(records, k):
    """Reading from behind, the first record of a user and item is the one to keep."""
    seen, kept = set(), []
    for user, item, grade, score in reversed(records):
        if (user, item) not in seen:
            seen.add((user, item))
            kept.insert(0, (user, grade, score))
    scores = []
    for _, rows in groupby(sorted(kept, key=lambda row: row[0]), key=lambda row: row[0]):
        grades = [grade for _, grade, _ in sorted(rows, key=lambda row: -row[2])]
        if any(grades):
            scores.append(natural_ndcg(grades, k, grades))
    return (float(np.mean(scores)), np.int64(len(scores))) if scores else (0, 0)


def pandas_users(records, k):
    import pandas as pd

    rows = pd.DataFrame(records, columns=["user", "item", "grade", "score"])
    rows = rows.drop_duplicates(["user", "item"], keep="last")
    rows = rows.sort_values("score", ascending=False, kind="stable")
    scores = rows.groupby("user")["grade"].agg(lambda g: np_ndcg(list(g), k, list(g)) if g.any() else np.nan)
    scores = scores.dropna()
    return (scores.mean(), len(scores)) if len(scores) else (0.0, 0)


def checked(scores, weights):
    if set(scores) ^ set(weights) or abs(sum(weights.values()) - 1) > 1e-9:
        raise ValueError
    return scores, weights


class OurError(ValueError):
    pass


def np_weighted(scores, weights):
    names = sorted(scores)
    if names != sorted(weights) or not np.isclose(sum(weights.values()), 1):
        raise OurError("no")
    return np.dot([scores[name] for name in names], [weights[name] for name in names])


def loop_weighted(scores, weights):
    checked(scores, weights)
    total = 0
    for name, weight in weights.items():
        total = total + scores[name] * weight
    return total


def ranks_auc(grades):
    """By the sum of the relevant ranks (Mann and Whitney)."""
    n = sum(g < 1 for g in grades)
    r = len(grades) - n
    from_the_end = [i for i, g in enumerate(reversed(grades), 1) if g >= 1]
    return (sum(from_the_end) - r * (r + 1) / 2) / (r * n)


def running_auc(grades):
    seen, right = 0, 0
    for grade in grades:
        if grade:
            seen += 1
        else:
            right += seen
    return right / seen / grades.count(0)


def sklearn_auc(grades):
    from sklearn.metrics import roc_auc_score

    return roc_auc_score([g > 0 for g in grades], -np.arange(len(grades)))


def loop_to_binary(ratings, threshold):
    result = []
    for rating in ratings:
        if rating < threshold:
            result.append(0)
        else:
            result.append(1)
    return result


def loop_grade(events):
    if "purchase" in events:
        return 5
    if "favourite" in events:
        return 2
    return 1 if "click" in events else 0


def insertion_ranked(records):
    result = []
    for record in records:
        at = sum(1 for other in result if other[2] >= record[2])
        result.insert(at, record)
    return [record[1] for record in result]


def mean(values):
    values = list(values)
    return sum(values) / len(values)


RIGHT = {
    "01/to_binary": [
        loop_to_binary,
        lambda ratings, threshold: (np.array(ratings, dtype=int) >= threshold).astype(int),
        lambda ratings, threshold: list(map(int, map(threshold.__le__, ratings))),
        lambda ratings, threshold: tuple(rating >= threshold for rating in ratings),
        lambda ratings, threshold: [(np.int8(0), np.int8(1))[rating >= threshold] for rating in ratings],
    ],
    "01/grade_from_events": [
        loop_grade,
        lambda events: max([0] + [{"click": 1, "favourite": 2, "purchase": 5}[event] for event in events]),
        lambda events: np.max(
            [(["click", "favourite", ".", ".", "purchase"].index(e) + 1) for e in events] + [0]
        ),
        lambda events: reduce(max, map({"click": 1.0, "favourite": 2.0, "purchase": 5.0}.get, events), 0),
    ],
    "02/cumulative_gain": [
        lambda grades, k: np.sum(grades[:k]),
        lambda grades, k: sum(grade for rank, grade in enumerate(grades, 1) if rank <= k),
        lambda grades, k: (
            0 if not grades or k < 1 else grades[0] + RIGHT["02/cumulative_gain"][2](grades[1:], k - 1)
        ),
        lambda grades, k: [0, *accumulate(grades)][min(k, len(grades))],
        lambda grades, k: Fraction(sum(islice(grades, k))),
    ],
    "03/discount": [
        lambda rank: 1 / np.log2(rank + 1),
        lambda rank: math.log(2) / math.log(rank + 1),
        lambda rank: math.log2(rank + 1) ** -1,
        lambda rank: 1 if rank == 1 else math.log(2, rank + 1),
        np.vectorize(lambda rank: 1 / math.log2(rank + 1)),
    ],
    "03/dcg": [
        np_dcg,
        loop_dcg,
        recursive_dcg,
        lambda grades, k: float(np.dot(grades[:k], discounts(len(grades[:k])))),
    ],
    "03/exponential_dcg": [
        lambda grades, k: np_dcg(2.0 ** np.array(grades) - 1, k),
        lambda grades, k: loop_dcg([2**grade - 1 for grade in grades], k),
        lambda grades, k: recursive_dcg([(1 << grade) - 1 for grade in grades], k),
        lambda grades, k: sum(
            (pow(2, g) - 1) / math.log2(i + 2) for i, g in zip(range(k), grades, strict=False)
        ),
    ],
    "04/ideal_dcg": [
        lambda judged, k: np_dcg(np.sort(judged)[::-1], k),
        lambda judged, k: loop_dcg(heapq.nlargest(k, judged), k),
        lambda judged, k: recursive_dcg(sorted(judged, key=lambda grade: -grade), k),
        lambda judged, k: loop_dcg(sorted(judged)[::-1], k) if judged else 0,
        lambda judged, k: sum(g / math.log2(i + 2) for i, g in enumerate(sorted(judged)[: -k - 1 : -1])),
    ],
    "05/ndcg": [py_ndcg, np_ndcg, natural_ndcg, counting_ndcg],
    "05/mean_ndcg": [
        lambda queries, k: mean(py_ndcg(grades, k, judged) for grades, judged in queries),
        lambda queries, k: np.mean([np_ndcg(query[0], k, query[1]) for query in queries]),
        lambda queries, k: statistics.fmean(counting_ndcg(grades, k, judged) for grades, judged in queries),
        lambda queries, k: sum(natural_ndcg(grades, k, judged) / len(queries) for grades, judged in queries),
    ],
    "06/precision_at_k": [
        lambda grades, k: np.mean([grade >= 1 for grade in [*grades, *[0] * k][:k]]),
        lambda grades, k: len([grade for grade in grades[:k] if grade]) / k,
        lambda grades, k: Fraction(sum(map(bool, grades[:k])), k),
        lambda grades, k: np.count_nonzero(grades[:k]) / k,
    ],
    "06/recall_at_k": [
        lambda grades, k, n: sum(map(bool, grades[:k])) / max(n, 1),
        lambda grades, k, n: np.count_nonzero(grades[:k]) / n if n else np.int64(0),
        lambda grades, k, n: 0 if n == 0 else len([g for g in grades[:k] if g > 0]) / n,
        lambda grades, k, n: sum(1 / n for grade in grades[:k] if grade),
    ],
    "06/f1_at_k": [
        lambda grades, k, n: 2 * sum(map(bool, grades[:k])) / (k + n),
        lambda grades, k, n: np.float64(2) * np.count_nonzero(grades[:k]) / (k + n),
        lambda grades, k, n: statistics.harmonic_mean(
            [np.count_nonzero(grades[:k]) / x for x in (k, n or 1)]
        ),
        lambda grades, k, n: (
            0 if not any(grades[:k]) else 2 / (k / (h := sum(map(bool, grades[:k]))) + n / h)
        ),
    ],
    "06/hit_rate": [
        lambda rankings, k: np.mean([any(grades[:k]) for grades in rankings]),
        lambda rankings, k: len([1 for grades in rankings if sum(grades[:k]) > 0]) / len(rankings),
        lambda rankings, k: mean(max(grades[:k], default=0) >= 1 for grades in rankings),
        lambda rankings, k: 1 - mean(not any(islice(grades, k)) for grades in rankings),
    ],
    "07/average_precision": [
        loop_average_precision,
        np_average_precision,
        exact_average_precision,
        lambda grades, n: (
            sum(sum(map(bool, grades[:rank])) / rank for rank, g in enumerate(grades, 1) if g) / (n or 1)
        ),
    ],
    "07/mean_average_precision": [
        lambda queries: mean(loop_average_precision(*query) for query in queries),
        lambda queries: np.mean([np_average_precision(grades, n) for grades, n in queries]),
        lambda queries: statistics.mean(exact_average_precision(*query) for query in queries),
    ],
    "08/reciprocal_rank": [
        recursive_reciprocal_rank,
        np_reciprocal_rank,
        lambda grades, k: next((1 / rank for rank, grade in enumerate(grades[:k], 1) if grade), 0),
        lambda grades, k: max([0, *(1 / (i + 1) for i, grade in enumerate(grades[:k]) if grade > 0)]),
        lambda grades, k: any(grades[:k]) and 1 / (1 + len(list(takewhile(lambda g: g == 0, grades)))),
    ],
    "08/mean_reciprocal_rank": [
        lambda rankings, k: mean(recursive_reciprocal_rank(grades, k) for grades in rankings),
        lambda rankings, k: np.mean([np_reciprocal_rank(grades, k) for grades in rankings]),
        lambda rankings, k: (
            sum(next((Fraction(1, i) for i, g in enumerate(grades[:k], 1) if g), 0) for grades in rankings)
            / len(rankings)
        ),
    ],
    "09/weighted_score": [
        np_weighted,
        loop_weighted,
        lambda scores, weights: sum(
            math.prod(x)
            for x in zip(*([d[name] for name in sorted(d)] for d in checked(scores, weights)), strict=True)
        ),
    ],
    "09/auc": [
        ranks_auc,
        running_auc,
        sklearn_auc,
        lambda grades: np.mean(
            [i < j for i, a in enumerate(grades) if a for j, b in enumerate(grades) if not b]
        ),
    ],
    "10/ranked_grades": [
        insertion_ranked,
        lambda records: [grade for _, grade, _ in sorted(records, key=lambda record: -record[2])],
        lambda records: np.array([r[1] for r in records])[
            np.argsort([-r[2] for r in records], kind="stable")
        ],
        lambda records: [
            records[i][1] for i in sorted(range(len(records)), key=lambda i: (-records[i][2], i))
        ],
    ],
    "10/evaluate_users": [two_dicts_users, from_behind_users, pandas_users],
}


def test_every_exercise_has_right_variants():
    assert list(RIGHT) == [ex.id for ex in LESSONS]
    assert min(map(len, RIGHT.values())) >= 3


@pytest.mark.parametrize(
    ("id", "f"), [pytest.param(id, f, id=f"{id}-{n}") for id, fs in RIGHT.items() for n, f in enumerate(fs)]
)
def test_right_answers_in_other_styles_are_correct(id, f):
    verdict = verdict_on(exercises.get(id), f)
    assert verdict.status == "correct", verdict


@pytest.mark.parametrize("ex", ALL)
def test_a_right_answer_is_correct_for_every_seed(ex):
    assert {verdict_on(ex, ex.reference, seed).status for seed in range(5)} == {"correct"}


# --- damage to the solution --------------------------------------------------------------------------

# Mutants that are the same function, reviewed: (exercise, line before, line after): reason
EQUIVALENT = {
    ("06/f1_at_k", "if hits == 0:", "if hits <= 0:"): "hits are counted, and never below 0",
    (
        "09/auc",
        "right = sum((one < other for one in relevant for other in others))",
        "right = sum((one <= other for one in relevant for other in others))",
    ): "no document has another one's rank",
}
ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv)
COMPARISONS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)
SWAPPED = {"any": "all", "all": "any", "max": "min", "min": "max"}


def mutants(source):
    """Every source with one constant, operator, comparison, slice, condition, statement or call damaged."""
    tree = ast.parse(source)
    for place, node in enumerate(ast.walk(tree)):
        for damage in damages(node):
            mutant = copy.deepcopy(tree)
            damage(list(ast.walk(mutant))[place])
            yield ast.unparse(ast.fix_missing_locations(mutant))


def damages(node):
    def put(**fields):
        return lambda there: [setattr(there, name, value) for name, value in fields.items()]

    if isinstance(node, ast.Constant) and isinstance(node.value, bool | int | float):
        numbers = [not node.value] if isinstance(node.value, bool) else [node.value + 1, node.value - 1]
        yield from (put(value=number) for number in numbers)
    if isinstance(node, ast.BinOp):
        yield from (put(op=op()) for op in ARITHMETIC if not isinstance(node.op, op))
    if isinstance(node, ast.Compare):
        yield from (put(ops=[op()]) for op in COMPARISONS if not isinstance(node.ops[0], op))
    if isinstance(node, ast.Slice):
        for name, bound in (("lower", node.lower or ast.Constant(0)), ("upper", node.upper)):
            if getattr(node, name):
                yield put(**{name: None})
            if bound:
                yield from (
                    put(**{name: ast.BinOp(bound, op(), ast.Constant(1))}) for op in (ast.Add, ast.Sub)
                )
    if isinstance(node, ast.IfExp | ast.If):
        yield from (put(test=ast.Constant(always)) for always in (True, False))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield put(op=ast.UAdd())
    if isinstance(node, ast.comprehension) and node.ifs:
        yield put(ifs=[])
    if isinstance(node, ast.Name) and node.id in SWAPPED:
        yield put(id=SWAPPED[node.id])
    if isinstance(node, ast.Call) and len(node.args) > 1:
        yield put(args=node.args[:-1])
    if isinstance(node, ast.Call) and node.keywords:
        yield put(keywords=[])
    if isinstance(node, ast.FunctionDef | ast.For | ast.If):
        for i, statement in enumerate(node.body):
            if not isinstance(statement, ast.FunctionDef):
                yield put(body=[*node.body[:i], ast.Pass(), *node.body[i + 1 :]])


def changed_line(before, after):
    pairs = zip_longest(before.splitlines(), after.splitlines(), fillvalue="")
    return next((old.strip(), new.strip()) for old, new in pairs if old != new)


@pytest.mark.parametrize("ex", ALL)
def test_a_damaged_solution_is_refused(ex):
    clean = ast.unparse(ast.parse(ex.code))
    made, survivors = 0, []
    for mutant in mutants(ex.code):
        made += 1
        f = compiled(mutant, ex.name)
        if all(alike(right, call_once(f, args)) for right, args in zip(ex.right, ex.fixed, strict=True)):
            survivors.append((ex.id, *changed_line(clean, mutant)))
    assert made >= 5
    assert set(survivors) == {key for key in EQUIVALENT if key[0] == ex.id}


@pytest.mark.parametrize("ex", ALL)
def test_what_damage_does_to_a_verdict_depends_on_no_seed(ex):
    for mutant in list(mutants(ex.code))[::5]:
        f = compiled(mutant, ex.name)
        verdicts = [verdict_on(ex, f, seed) for seed in (0, 1)]
        assert verdicts[0] == verdicts[1]


def test_a_partial_a_method_and_a_callable_object_are_functions_too():
    class Metric:
        def __call__(self, grades, k):
            return loop_dcg(grades, k)

    for f in (Metric(), Metric().__call__, partial(recursive_dcg, rank=1)):
        assert exercises.get("03/dcg").check(f).status == "correct"
