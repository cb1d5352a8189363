"""Every published fault can be exposed and can hide, is refused as it was, and can be mended in any style."""

import doctest
import math
from collections import defaultdict

import numpy as np
import pytest

from rankedu import exercises, metrics, progress
from rankedu.exercises.authoring import compiled, edited
from rankedu.exercises.bug_hunt import AS_PUBLISHED, Hunt
from rankedu.exercises.inputs import size
from rankedu.exercises.judge import alike
from rankedu.exercises.sandbox import call_once

HUNTS = [made for made in exercises.all() if isinstance(made, Hunt)]
EVERY = pytest.mark.parametrize("hunt", HUNTS, ids=lambda hunt: hunt.id)


@pytest.fixture(autouse=True)
def place(tmp_path, monkeypatch):
    monkeypatch.setenv("RANKEDU_PROGRESS", str(tmp_path / "progress.json"))


def published(hunt):
    """The program as a learner has it after running its cell."""
    names = {"math": math}
    exec(hunt.stub, names)
    return names[hunt.name]


def exposing(hunt):
    """The inputs on which the program goes wrong, smallest first."""
    faulty = published(hunt)
    wrong = [
        args for args in hunt.fixed if not alike(call_once(hunt.reference, args), call_once(faulty, args))
    ]
    return sorted(wrong, key=size)


def hiding(hunt):
    faulty = published(hunt)
    return [args for args in hunt.fixed if alike(call_once(hunt.reference, args), call_once(faulty, args))]


def test_there_are_at_least_ten_with_ids_in_order():
    assert len(HUNTS) >= 10
    assert [hunt.id for hunt in HUNTS] == [f"bug/{n:02d}" for n in range(1, len(HUNTS) + 1)]
    assert len({hunt.name for hunt in HUNTS}) == len(HUNTS)  # each can stand in the same notebook


@EVERY
def test_a_program_is_short_enough_to_be_read(hunt):
    lines = hunt.stub.splitlines()
    assert len(lines) <= 14
    assert max(map(len, lines)) <= 70
    assert len(hunt.prompt.split()) <= 40
    assert len(hunt.hints) == 2


@EVERY
def test_the_worked_number_is_right_with_the_fault_and_without(hunt):
    for f, text in ((published(hunt), hunt.stub), (hunt.reference, hunt.source)):
        (test,) = doctest.DocTestFinder().find(f, hunt.name, globs={hunt.name: f, "math": math}) or [None]
        if test is None or not test.examples:
            test = doctest.DocTestParser().get_doctest(text, {hunt.name: f, "math": math}, hunt.name, None, 0)
        assert test.examples
        assert doctest.DocTestRunner().run(test).failed == 0


@EVERY
def test_nothing_in_the_published_program_names_the_fault(hunt):
    assert "#" not in hunt.stub.replace("# 2 / 4", "").replace("# 2.262", "").replace("# 2 + 0", "")
    assert "bug" not in hunt.stub.lower()
    assert "fault" not in hunt.stub.lower()


# --- find it ---


@EVERY
def test_an_exposing_input_is_found_and_both_results_are_shown(hunt):
    assert hunt.example == exposing(hunt)[0]
    verdict = hunt.find(*hunt.example)
    assert verdict.status == "correct"
    shown = dict(verdict.shows)
    assert hunt.name in shown["input"]
    assert shown["the program"] != shown["by definition"]


@EVERY
def test_an_input_that_hides_the_fault_is_said_to(hunt):
    for args in hiding(hunt)[:3]:
        verdict = hunt.find(*args)
        assert verdict.status == "incorrect"
        assert "hides the fault" in verdict.message
        assert dict(verdict.shows)["the program"] == dict(verdict.shows)["by definition"]


@EVERY
def test_the_fault_hides_and_shows_often_enough_to_be_a_hunt(hunt):
    share = len(exposing(hunt)) / len(hunt.fixed)
    assert 0.03 < share < 0.8


@EVERY
def test_the_cell_as_it_stands_is_no_attempt(hunt):
    for args in ((), (...,), (*hunt.fixed[-1][:-1], ...)):
        verdict = hunt.find(*args)
        assert verdict.status == "not attempted"
        assert hunt.takes not in verdict.message  # it stands above the program; a bad input is told again
    assert progress.records() == []


BAD = [
    "text",
    -1,
    1.5,
    None,
    [[[1]]],
    [5],
    [-1],
    ["a", 1],
    [0.5],
    [True],
    {"a": 1},
    np.array([1, 0]),
    lambda: 1,
    [1] * 100_000,
]


@EVERY
@pytest.mark.parametrize("bad", BAD, ids=lambda bad: repr(bad)[:20])
def test_what_is_no_input_is_an_error_that_says_what_one_is(hunt, bad):
    good = hunt.fixed[-1]
    verdict = hunt.find(bad, *good[1:])
    assert verdict.status == "error"
    assert hunt.takes in verdict.says


@EVERY
def test_too_many_arguments(hunt):
    verdict = hunt.find(*hunt.fixed[-1], 1)
    assert verdict.status == "error"
    assert f"takes {len(hunt.parameters)} argument" in verdict.message


@pytest.mark.parametrize(
    ("id", "args"),
    [
        ("bug/01", ([1, 0], 0)),
        ("bug/02", ([3], 2, [1, 1])),
        ("bug/07", ([1, 1], 2, 1)),
        ("bug/09", (["a"], ["a", "a"])),
        ("bug/11", ([], 2)),
        ("bug/14", ({"q1": ["a"]}, {"q2": ["a"]})),
    ],
)
def test_inputs_that_contradict_themselves_are_refused(id, args):
    assert exercises.get(id).find(*args).status == "error"


def test_finding_is_recorded_and_is_not_mending():
    hunt = exercises.get("bug/05")
    hunt.find([1, 0], 2)
    hunt.find([2, 0], 2)
    rows = [(row["kind"], row["id"], row["status"]) for row in progress.records()]
    assert rows == [("find", "bug/05", "incorrect"), ("find", "bug/05", "correct")]
    (row,) = [row for row in progress.show().rows if row.lesson == "bug"]
    assert (row.exercises_done, row.exercises) == (0, len(HUNTS))


# --- mend it ---


@EVERY
def test_the_published_program_is_refused_without_giving_the_input_away(hunt):
    verdict = hunt.check(published(hunt))
    assert verdict.status == "not attempted"
    assert verdict.shows == ()
    assert progress.records() == []


@EVERY
def test_the_solution_mends_it(hunt):
    names = {}
    exec(hunt.solution(), names)
    assert hunt.check(names[hunt.name]).status == "correct"


@EVERY
def test_every_wrong_repair_is_recognised_as_itself(hunt):
    repairs = [mistake for mistake, _ in hunt.wrong if "+" not in mistake.id and mistake.id != AS_PUBLISHED]
    assert len(repairs) >= 2
    for mistake, f in hunt.wrong:
        if "+" not in mistake.id and mistake.id != AS_PUBLISHED:
            verdict = hunt.check(f)
            assert (verdict.status in ("incorrect", "error"), verdict.mistake) == (True, mistake.id)


def test_a_repair_is_recorded():
    hunt = exercises.get("bug/05")
    wrong = compiled(edited(hunt.code, {"grade >= 1": "grade > 1"}), hunt.name)
    hunt.check(wrong)
    hunt.check(hunt.reference)
    rows = [(row["kind"], row["id"], row["status"], row.get("mistake")) for row in progress.records()]
    assert rows == [
        ("exercise", "bug/05", "incorrect", "above-one"),
        ("exercise", "bug/05", "correct", None),
    ]


# Each repaired in another style than the solution's.


def with_own_ideal(grades, k):
    return metrics.ndcg(grades, k)


def with_judged(grades, k, judged):
    discounts = 1 / np.log2(np.arange(2, k + 2))
    best = np.array(sorted(judged)[::-1][:k], dtype=float)
    ideal = best @ discounts[: len(best)]
    own = np.array(grades[:k], dtype=float)
    return own @ discounts[: len(own)] / ideal if ideal else 0


def first_five(grades):
    return sum(grades[i] / math.log2(i + 2) for i in range(min(5, len(grades))))


def exponential(grades, k):
    def total(ranking):
        return np.sum((2.0 ** np.array(ranking) - 1) / np.log2(np.arange(len(ranking)) + 2)) if ranking else 0

    best = total(sorted(grades)[::-1][:k])
    return total(grades[:k]) / best if best > 0 else 0.0


def counted(grades, k):
    return len([g for g in grades[:k] if g]) / k


def padded(grades, k):
    return float(np.mean([*(g > 0 for g in grades[:k]), *[False] * max(0, k - len(grades))]))


def early_return(grades, k, n_relevant):
    if n_relevant == 0:
        return 0
    return sum(1 for g in grades[:k] if g > 0) / n_relevant


def precision_at_hits(grades, n_relevant):
    ranks = [i for i, g in enumerate(grades, 1) if g]
    return sum(n / i for n, i in enumerate(ranks, 1)) / n_relevant if n_relevant else 0.0


def with_a_set(ranked, relevant):
    seen, hits, total = set(), 0, 0.0
    for i, name in enumerate(ranked):
        if name in relevant and name not in seen:
            hits += 1
            total += hits / (i + 1)
        seen.add(name)
    return total / len(relevant) if relevant else 0.0


def next_of(grades, k):
    return next((1 / i for i, g in enumerate(grades[:k], 1) if g > 0), 0)


def mean_of_rr(rankings, k):
    return np.mean([metrics.reciprocal_rank(grades, k) for grades in rankings])


def nested(queries):
    return sum(precision_at_hits(*query) for query in queries) / len(queries)


def by_index(records):
    order = sorted(range(len(records)), key=lambda i: (-records[i][2], i))
    return [records[i][1] for i in order]


def by_id(returned, relevant):
    found = defaultdict(int, {q: int(names[0] in relevant[q]) for q, names in returned.items() if names})
    return sum(found[q] for q in relevant) / len(returned)


REPAIRS = {
    "bug/01": with_own_ideal,
    "bug/02": with_judged,
    "bug/03": first_five,
    "bug/04": exponential,
    "bug/05": counted,
    "bug/06": padded,
    "bug/07": early_return,
    "bug/08": precision_at_hits,
    "bug/09": with_a_set,
    "bug/10": next_of,
    "bug/11": mean_of_rr,
    "bug/12": nested,
    "bug/13": by_index,
    "bug/14": by_id,
}


@EVERY
def test_a_repair_in_another_style_passes(hunt):
    verdict = hunt.check(REPAIRS[hunt.id])
    assert verdict.status == "correct", verdict.message


@EVERY
@pytest.mark.parametrize("seed", [1, 2])
def test_no_verdict_depends_on_the_seed(hunt, seed):
    assert hunt.check(REPAIRS[hunt.id], seed=seed).status == "correct"
    assert hunt.check(published(hunt), seed=seed).status == "not attempted"
