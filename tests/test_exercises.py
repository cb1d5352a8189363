"""What a learner may rely on: every submission gets one of four verdicts, and none can harm the kernel."""

import html
import inspect
import linecache
import math
import os
import signal
import subprocess
import sys
import threading
import time
from decimal import Decimal

import numpy as np
import pytest

from rankedu import exercises, progress
from rankedu.exercises import judge as judging
from rankedu.exercises import sandbox
from rankedu.exercises.inputs import simpler, size
from rankedu.exercises.judge import TOLERANCE, judge, same
from rankedu.exercises.sandbox import Fork, Outcome, Sandbox, Thread
from rankedu.exercises.verdict import SHAPES

EX = exercises.get("03/dcg")
SECONDS = 1.0

IDS = [
    "01/to_binary",
    "01/grade_from_events",
    "02/cumulative_gain",
    "03/discount",
    "03/dcg",
    "03/exponential_dcg",
    "04/ideal_dcg",
    "05/ndcg",
    "05/mean_ndcg",
    "06/precision_at_k",
    "06/recall_at_k",
    "06/f1_at_k",
    "06/hit_rate",
    "07/average_precision",
    "07/mean_average_precision",
    "08/reciprocal_rank",
    "08/mean_reciprocal_rank",
    "09/weighted_score",
    "09/auc",
    "10/ranked_grades",
    "10/evaluate_users",
]


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(sandbox, "SECONDS_A_CALL", SECONDS)


def right(grades, k):
    return sum(grade / math.log2(i + 2) for i, grade in enumerate(grades[:k]))


# --- the catalogue -----------------------------------------------------------------------------------


def test_all_exercises_are_there_in_the_order_of_the_lessons():
    found = [ex.id for ex in exercises.all()]
    assert [id for id in found if id[:2].isdigit()] == IDS
    assert exercises.get("03/dcg") is exercises.get("03/dcg")


def test_an_unknown_id_suggests_the_nearest():
    with pytest.raises(ValueError, match=r"such as '05/ndcg'; got '05/nDCG'"):
        exercises.get("05/nDCG")


@pytest.mark.parametrize("id", IDS)
def test_an_exercise_reads_well(id):
    ex = exercises.get(id)
    signature = f"{ex.name}({', '.join(ex.parameters)})"
    assert signature in ex.prompt
    assert ex.prompt.count("`") % 2 == 0
    assert ex.prompt in inspect.cleandoc(repr(ex)).replace("\n", " ")
    assert ex.title in ex._repr_html_()
    assert len(ex.hints) >= 2
    assert ex.stub.startswith(f"def {signature}:\n")
    assert ">>>" in ex.stub
    assert ex.stub.endswith('"""\n    ...')
    assert max(map(len, ex.stub.splitlines())) <= 70  # no scroll bar in a narrow window
    assert len(ex.stub.splitlines()) <= 14
    body = set(ex.solution().splitlines()) - set(ex.stub.splitlines())
    assert not body & set("\n".join(ex.hints).splitlines())


def test_hints_come_one_by_one_and_the_solution_when_asked_for():
    assert "hint(2)" in EX.hint()
    assert EX.hint() == EX.hint(1) != EX.hint(2)
    with pytest.raises(ValueError, match="n must be a whole number from 1 to 2"):
        EX.hint(3)
    assert EX.solution().startswith("import math\n")
    assert "```python" in EX.solution()._repr_markdown_()
    assert repr(EX.solution()) == str(EX.solution())
    assert "<code>" in EX.hint()._repr_html_()


@pytest.mark.parametrize("id", IDS)
def test_a_solution_imports_nothing_of_the_package(id):
    assert "rankedu" not in exercises.get(id).solution()


# --- four verdicts -----------------------------------------------------------------------------------


def stub_of(ex):
    names = {}
    exec(ex.stub, names)
    return names[ex.name]


@pytest.mark.parametrize("id", IDS)
def test_an_untouched_stub_is_not_attempted(id):
    ex = exercises.get(id)
    verdict = ex.check(stub_of(ex))
    assert (verdict.status, verdict.mistake) == ("not attempted", None)


def unwritten(grades, k):
    raise NotImplementedError


def only_pass(grades, k):
    """Still to do."""
    pass


def only_dots(grades, k):
    return ...


@pytest.mark.parametrize("f", [unwritten, only_pass, only_dots, lambda grades, k: None])
def test_other_ways_to_leave_a_function_unwritten(f):
    assert EX.check(f).status == "not attempted"


def test_a_function_that_does_something_and_returns_nothing_was_attempted():
    def forgot_return(grades, k):
        total = sum(grades[:k])
        total += 1

    assert EX.check(forgot_return).status == "incorrect"


@pytest.mark.parametrize(
    "convert",
    [int, float, np.float64, np.float32, np.int64, np.array, Decimal, lambda x: np.array(x).sum()],
    ids=["int", "float", "float64", "float32", "int64", "0-d array", "Decimal", "numpy sum"],
)
def test_a_number_may_be_of_any_kind(convert):
    ex = exercises.get("02/cumulative_gain")
    assert ex.check(lambda grades, k: convert(sum(grades[:k]))).status == "correct"


@pytest.mark.parametrize(("off", "status"), [(0.9e-6, "correct"), (1.2e-6, "incorrect")])
def test_the_tolerance_is_absolute(off, status):
    verdict = EX.check(lambda grades, k: right(grades, k) + off)
    assert verdict.status == status
    assert TOLERANCE == 1e-6
    if status == "incorrect":
        shown = dict(verdict.shows)
        assert shown["expected"] != shown["got"]


def test_a_correct_verdict_states_the_tolerance_and_is_true():
    verdict = EX.check(right)
    assert verdict.status == "correct"
    assert "1e-06" in verdict.message
    assert verdict
    assert not EX.check(unwritten)


# --- what is not a number ----------------------------------------------------------------------------


def generator(grades, k):
    yield right(grades, k)


async def coroutine(grades, k):
    return right(grades, k)


async def async_generator(grades, k):
    yield right(grades, k)


class Class:
    def __init__(self, grades, k):
        self.value = right(grades, k)


class Shy:
    def __repr__(self):
        raise RuntimeError


NOT_NUMBERS = [
    (lambda grades, k: [right(grades, k)], "returns a list; the answer is one number"),
    (lambda grades, k: (right(grades, k), k), "returns a tuple"),
    (lambda grades, k: np.array([right(grades, k)]), "returns a numpy array; the answer is one number"),
    (lambda grades, k: np.zeros((2, 2)), "a numpy array of 2 dimensions"),
    (lambda grades, k: 2**10000 + k, "a whole number of about 3000 digits"),
    (lambda grades, k: str(right(grades, k)), "returns text"),
    (lambda grades, k: {"dcg": right(grades, k)}, "returns a dict"),
    (lambda grades, k: (g for g in grades), "yield"),
    (lambda grades, k: right, "returns a function"),
    (lambda grades, k: map(float, grades), "returns a map"),
    (lambda grades, k: complex(right(grades, k)), "returns a complex"),
    (lambda grades, k: Class, "returns a class"),
    (lambda grades, k: float("nan"), "nan"),
    (lambda grades, k: float("inf"), "inf"),
    (lambda grades, k: [0] * 10**6, "returns a list"),
    (generator, "Use `return`"),
    (coroutine, "Write `def`"),
    (async_generator, "Write `def`"),
    (Class, "class"),
    (Shy, "class"),
]


@pytest.mark.parametrize(("f", "words"), NOT_NUMBERS, ids=[words for _, words in NOT_NUMBERS])
@pytest.mark.parametrize("isolation", [Fork, Thread])
def test_anything_but_a_number_is_incorrect_and_told_so(f, words, isolation):
    verdict = judge(EX, f, isolation=isolation)
    assert (verdict.status, verdict.mistake) == ("incorrect", None)
    assert words in verdict.message


def test_a_list_is_asked_for_where_a_list_is_the_answer():
    ex = exercises.get("01/to_binary")
    for lazy in ((1 for _ in "ab"), map(int, "12"), {1, 2}, "10"):
        verdict = ex.check(lambda ratings, threshold, lazy=lazy: lazy)
        assert (verdict.status, verdict.mistake) == ("incorrect", None)
        assert f"returns {sandbox.a(type(lazy).__name__)}" in verdict.message.replace("text", "a str")
    assert "a list" in ex.check(lambda ratings, threshold: 1).message
    pair = exercises.get("10/evaluate_users").check(lambda records, k: "0.5 of 2")
    assert "returns text; the answer is 2 values" in pair.message


# --- what cannot be called ---------------------------------------------------------------------------


UNCALLABLE = [
    (Shy(), "This is a Shy."),
    (0.5, "without brackets: `check(dcg)`. This is a float: 0.5"),
    (None, "This is a NoneType: None"),
    (lambda grades: 0, "must take 2 arguments, `grades, k`"),
    (lambda: 0, "must take 2 arguments"),
    (lambda grades, k, judged: 0, "missing a required argument: 'judged'"),
    (lambda grades, *, k: 0, "must take 2 arguments, `grades, k`, and it cannot: what follows `*`"),
    (lambda grades, *, k: 0, "Take `k` without the `*`"),
]


@pytest.mark.parametrize(("f", "words"), UNCALLABLE, ids=[words for _, words in UNCALLABLE])
def test_what_cannot_be_called_is_an_error_in_clear_words(f, words):
    verdict = EX.check(f)
    assert verdict.status == "error"
    assert words in verdict.message


def test_more_arguments_are_welcome_if_they_may_be_left_out():
    assert EX.check(lambda grades, k, gain="linear", **options: right(grades, k)).status == "correct"


# --- what raises -------------------------------------------------------------------------------------


def divides(grades, k):
    return right(grades, k) / len(grades)


def calls_itself(grades, k):
    return calls_itself(grades, k)


def interrupts(grades, k):
    raise KeyboardInterrupt


def exits(grades, k):
    exit()


def exits_by_sys(grades, k):
    sys.exit("bye")


def asks(grades, k):
    return float(input("what is it?"))


def swallows_memory(grades, k):
    return [0] * 10**12


class Rude(Exception):
    def __str__(self):
        raise RuntimeError


def raises_rudely(grades, k):
    raise Rude


RAISES = [
    (divides, "ZeroDivisionError"),
    (calls_itself, "calls itself without end"),
    (interrupts, "KeyboardInterrupt"),
    (exits, "use `return`"),
    (exits_by_sys, "use `return`"),
    (asks, "input from the keyboard"),
    (swallows_memory, "memory"),
    (raises_rudely, "Rude"),
    (lambda grades, k: math.log3(2), "log3"),
    (lambda grades, k: np_missing.sum(grades), "np_missing"),  # noqa: F821
]


@pytest.mark.parametrize(("f", "words"), RAISES, ids=[words for _, words in RAISES])
@pytest.mark.parametrize("isolation", [Fork, Thread])
def test_an_exception_is_an_error_that_names_the_input(f, words, isolation):
    verdict = judge(EX, f, isolation=isolation)
    assert verdict.status == "error"
    assert words in verdict.message
    assert dict(verdict.shows)["input"] == "dcg([], 1)"


def written(source, name):
    """Return the function that source defines, as a cell of a notebook would."""
    file = f"cell {abs(hash(source))}"
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)
    names = {"math": math}
    exec(compile(source, file, "exec"), names)
    return names[name]


def test_an_exception_points_at_the_learners_line():
    source = "def dcg(grades, k):\n    top = grades[:k]\n    return sum(top) / len(top)\n"
    assert "line 3: `return sum(top) / len(top)`" in EX.check(written(source, "dcg")).message


def test_a_forgotten_import_is_told_with_the_line_to_run():
    names = {}
    exec("def dcg(grades, k):\n    return math.log2(k)", names)
    assert "`import math`" in EX.check(names["dcg"]).message


IN_WORDS = [
    (
        "05/mean_ndcg",
        "(queries, k):\n    return sum(ndcg(g, k, j) for g, j in queries)",
        "`ndcg` is not defined here: run",
    ),
    ("04/ideal_dcg", "(judged, k):\n    return sum(jugded[:k])", "`jugded` is not defined here. Is it spelt"),
    (
        "02/cumulative_gain",
        "(grades, k):\n    for g in grades[:k]:\n        s += g\n    return s",
        "before it has a value",
    ),
    (
        "04/ideal_dcg",
        "(judged, k):\n    best = list(judged).sort(reverse=True)\n    return sum(best[:k])",
        "`x.sort()` returns None, for it changes `x` itself. Use `sorted(x, reverse=True)`.",
    ),
    (
        "01/to_binary",
        "(ratings, threshold):\n    out = []\n    for r in ratings:\n"
        "        out = out.append(r)\n    return out",
        "`x.append()` returns None, for it changes `x` itself. Write it on a line of its own.",
    ),
    ("10/ranked_grades", "(records):\n    return list(records).sort()", "`x.sort()` returns None"),
    (
        "02/cumulative_gain",
        "(grades, k):\n    x = sorted(grades)\n    x.sort()\n    return sum(None)",
        "raises an",
    ),
]


@pytest.mark.parametrize(("id", "rest", "words"), IN_WORDS, ids=[words for *_, words in IN_WORDS])
def test_what_python_says_is_said_in_words(id, rest, words):
    ex = exercises.get(id)
    verdict = ex.check(written(f"def {ex.name}{rest}\n", ex.name))
    assert words in verdict.message
    assert not verdict


def test_a_mistake_that_shows_as_an_exception_is_an_error_with_its_name():
    verdict = exercises.get("07/average_precision").check(lambda grades, n: 0 / n)
    assert verdict.status == "error"
    verdict = exercises.get("06/recall_at_k").check(lambda grades, k, n: sum(map(bool, grades[:k])) / n)
    assert (verdict.status, verdict.mistake) == ("error", "zero-by-zero")
    assert "recall_at_k([], 1, 0)" in verdict.message


# --- what does not end -------------------------------------------------------------------------------


def loops(grades, k):
    while True:
        pass


def loops_and_swallows(grades, k):
    while True:
        try:
            k += 1
        except:  # noqa: E722 - as learners write it
            k -= 1


def loops_in_finally(grades, k):
    try:
        while True:
            pass
    finally:
        while True:
            pass


def sleeps(grades, k):
    time.sleep(60)


def loops_in_c(grades, k):
    return sum(range(10**13))


def prints_without_end(grades, k):
    while True:
        print("flood" * 100)


def dies(grades, k):
    os.kill(os.getpid(), signal.SIGKILL)


def leaves(grades, k):
    os._exit(0)


def leaves_a_process_behind(grades, k):
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    time.sleep(60)


ENDLESS = [loops, loops_and_swallows, loops_in_finally, sleeps, prints_without_end]


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("f", [*ENDLESS, loops_in_c, leaves_a_process_behind])
def test_what_does_not_end_is_ended(f):
    verdict = EX.check(f)
    assert verdict.status == "error"
    assert "had not come to its end" in verdict.message
    assert dict(verdict.shows)["input"] == "dcg([], 1)"


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("f", ENDLESS)
def test_without_fork_what_does_not_end_is_ended_too(f):
    before = threading.active_count()
    verdict = judge(EX, f, isolation=Thread)
    assert verdict.status == "error"
    if f is not sleeps:  # a sleeping thread is left to sleep
        assert threading.active_count() <= before


def test_a_loop_that_is_endless_on_some_inputs_is_shown_the_smallest(impatient):
    def until_a_hit(grades, k):
        i = 0
        while grades and not grades[i]:
            i = (i + 1) % len(grades)
        return right(grades, k)

    assert dict(EX.check(until_a_hit).shows)["input"] == "dcg([0], 1)"


def test_the_input_shown_for_an_endless_loop_is_one_on_which_it_was_endless(impatient):
    def endless_on_long_lists(grades, k):
        while len(grades) > 5:
            pass
        return right(grades, k)

    verdict = EX.check(endless_on_long_lists)
    assert "had not come to its end" in verdict.message
    grades, _ = eval(dict(verdict.shows)["input"], {"dcg": lambda *args: args})
    assert len(grades) > 5


@pytest.mark.parametrize(
    "beyond", [lambda g, k: sum(2 ** (10**i) for i in g), lambda g, k: (sum(g) + 2) ** 2000]
)
def test_a_number_beyond_every_float_is_incorrect(beyond):
    for id in ("02/cumulative_gain", "03/dcg"):
        assert exercises.get(id).check(beyond).status == "incorrect"


def test_many_slow_calls_are_too_slow_in_all(monkeypatch):
    # The time is up among the shown inputs; smaller ones, which were never tried, are not called endless.
    monkeypatch.setattr(sandbox, "SECONDS_IN_ALL", 0.12)

    def slow(grades, k):
        time.sleep(0.05)
        return right(grades, k)

    verdict = EX.check(slow)
    assert verdict.status == "error"
    assert "too slow" in verdict.message


@pytest.mark.parametrize("f", [dies, leaves])
def test_a_submission_that_ends_python_ends_only_its_own(f):
    verdict = EX.check(f)
    assert verdict.status == "error"
    assert "ended Python" in verdict.message


def test_no_process_is_left_behind():
    def children():
        return subprocess.run(
            ["ps", "--ppid", str(os.getpid()), "-o", "pid="], capture_output=True
        ).stdout.split()

    before = set(children())
    EX.check(right)
    EX.check(leaves)
    assert len(set(children()) - before) <= 1  # ps itself


# --- printing ----------------------------------------------------------------------------------------


def test_what_is_printed_on_the_input_shown_is_shown_and_a_flood_is_cut_off(capfd):
    def chatty(grades, k):
        for i in range(1000):
            print("step", i)
        return 7

    verdict = EX.check(chatty)
    printed = dict(verdict.shows)["printed"]
    assert printed.startswith("step 0\nstep 1\n")
    assert printed.endswith("(cut off)")
    assert len(printed) < 700
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("isolation", [Fork, Thread])
def test_printing_does_not_make_a_right_answer_wrong(isolation, capfd):
    def chatty(grades, k):
        print("so far so good")
        sys.stderr.write("careful\n")
        return right(grades, k)

    assert judge(EX, chatty, isolation=isolation).status == "correct"
    assert capfd.readouterr() == ("", "")


# --- nothing comes back ------------------------------------------------------------------------------

REMEMBERED = []


def test_what_a_submission_does_to_its_surroundings_stays_with_it():
    def untidy(grades, k):
        REMEMBERED.append(grades)
        os.environ["UNTIDY"] = "1"
        math.log2 = None
        raise ValueError

    EX.check(untidy)
    assert REMEMBERED == []
    assert "UNTIDY" not in os.environ
    assert math.log2(8) == 3


def test_the_inputs_are_never_changed():
    before = repr(EX.fixed)
    judge(EX, lambda grades, k: grades.clear(), isolation=Thread)
    assert repr(EX.fixed) == before


@pytest.mark.parametrize("isolation", [Fork, Thread])
def test_checking_works_outside_the_main_thread(isolation, impatient):
    verdicts = []
    worker = threading.Thread(
        target=lambda: verdicts.extend(
            [judge(EX, right, isolation=isolation), judge(EX, loops, isolation=isolation)]
        )
    )
    worker.start()
    worker.join()
    assert [verdict.status for verdict in verdicts] == ["correct", "error"]


# --- how a verdict looks -----------------------------------------------------------------------------


def test_a_verdict_says_its_status_by_word_and_shape_in_text_and_html():
    assert len(set(SHAPES.values())) == 4
    for f, status in [
        (right, "correct"),
        (lambda g, k: 1, "incorrect"),
        (divides, "error"),
        (unwritten, "not attempted"),
    ]:
        verdict = EX.check(f)
        assert str(verdict).startswith(f"{SHAPES[status]} 03/dcg: {status}\n")
        assert repr(verdict) == str(verdict)
        assert verdict.message in str(verdict)
        shown = verdict._repr_html_()
        assert SHAPES[status] in shown
        assert status.capitalize() in shown


def test_html_takes_its_colours_from_the_theme_and_escapes_what_a_learner_wrote():
    verdict = EX.check(lambda grades, k: "<script>alert(1)</script>" if grades else 0)
    shown = verdict._repr_html_()
    assert "<script>" not in shown
    assert html.escape("<script>") in shown
    assert "background:#" not in shown.replace("background:none", "")
    assert "color:#000" not in shown
    assert "color:black" not in shown


# --- progress ----------------------------------------------------------------------------------------


def test_every_check_hint_and_solution_is_recorded(monkeypatch):
    records = []
    monkeypatch.setattr(progress, "record", lambda kind, id, **facts: records.append((kind, id, facts)))
    EX.check(right)
    EX.check(lambda grades, k: sum(grades[:k]))
    EX.hint(2)
    EX.solution()
    assert records == [
        ("exercise", "03/dcg", {"status": "correct", "mistake": None}),
        ("exercise", "03/dcg", {"status": "incorrect", "mistake": "no-discount"}),
        ("hint", "03/dcg", {"number": 2}),
        ("solution", "03/dcg", {}),
    ]


# --- the parts ---------------------------------------------------------------------------------------


def test_an_empty_list_is_not_nothing():
    sizes = [size(args) for args in [([[1, 1]], 2), ([[1, 1], []], 2), ([[1, 1], [], []], 2)]]
    assert sizes == sorted(sizes)
    verdict = exercises.get("06/hit_rate").check(
        lambda rankings, k: sum(sum(map(bool, g[:k])) for g in rankings) / len(rankings)
    )
    assert dict(verdict.shows)["input"] == "hit_rate([[1, 1]], 2)"


def test_simpler_inputs_have_one_thing_less():
    assert list(simpler(([1], 2))) == [([], 2), ([0], 2), ([1], 1), ([0], 1)] or all(
        size(less) < size(([1], 2)) for less in simpler(([1], 2))
    )
    assert ([], 1, []) in list(simpler(([3], 1, [3])))  # from both lists at once


@pytest.mark.parametrize(
    ("expected", "got", "is_same"),
    [
        (0.5, 0.5 + 5e-7, True),
        (0.5, 0.5 + 2e-6, False),
        (0.0, False, True),
        (1, "1", False),
        (1, None, False),
        ([1, 0], (1, 0), True),
        ([1, 0], [1], False),
        ([1, 0], [1, 0, 0], False),
        ((0.5, 2), [0.5, 2], True),
        ((0.5, 2), (0.5, 3), False),
        (0.5, float("nan"), False),
        (0.5, math.inf, False),
    ],
)
def test_what_counts_as_the_same_answer(expected, got, is_same):
    assert same(expected, got) is is_same


def test_a_spent_sandbox_calls_nothing_more(impatient):
    with Sandbox(loops) as call:
        assert call(([], 1)).kind == "stuck"
        worker, call.worker = call.worker, None  # whoever asked it now would fail
        assert call(([], 1)) == Outcome("stuck")
        call.worker = worker


def test_the_messages_that_name_seconds_say_the_truth():
    assert f"{sandbox.SECONDS_A_CALL:g} seconds" in judging.STUCK
    assert f"{sandbox.SECONDS_IN_ALL:g} seconds" in judging.SLOW
