"""What each metric is, said in cases that one can check by hand, and in laws that hold for every list."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankedu import metrics

grades_lists = st.lists(st.integers(0, 4), max_size=12)
cutoffs = st.none() | st.integers(1, 15)
gains = st.sampled_from(metrics.GAINS)


# ---------------------------------------------------------------------------------------------------
# Values. The right side is arithmetic on paper, not a call of ours.

L3, L5, L6 = math.log2(3), math.log2(5), math.log2(6)

VALUES = [
    ("cg of a whole list", metrics.cumulative_gain, [[3, 2, 0, 1, 4]], {}, 10),
    ("cg at 3", metrics.cumulative_gain, [[3, 2, 0, 1, 4], 3], {}, 5),
    ("cg, exponential", metrics.cumulative_gain, [[3, 2, 0]], {"gain": "exponential"}, 10),
    ("cg beyond the list", metrics.cumulative_gain, [[3, 2], 9], {}, 5),
    ("dcg", metrics.dcg, [[2, 0, 1, 2, 1]], {}, 2 + 1 / 2 + 2 / L5 + 1 / L6),
    ("dcg at 3", metrics.dcg, [[5, 4, 1, 3, 0], 3], {}, 5 + 4 / L3 + 1 / 2),
    ("dcg of a flat list", metrics.dcg, [[2, 2, 2]], {}, 2 + 2 / L3 + 1),
    ("dcg of a peak", metrics.dcg, [[3, 0, 0]], {}, 3),
    ("the flat list, exponential", metrics.dcg, [[2, 2, 2]], {"gain": "exponential"}, 3 + 3 / L3 + 1.5),
    ("the peak, exponential: now ahead", metrics.dcg, [[3, 0, 0]], {"gain": "exponential"}, 7),
    ("dcg of nothing", metrics.dcg, [[]], {}, 0),
    ("ideal dcg", metrics.ideal_dcg, [[2, 0, 1, 2, 1]], {}, 2 + 2 / L3 + 1 / 2 + 1 / L5),
    ("ideal: sorted, then cut", metrics.ideal_dcg, [[0, 0, 3], 1], {}, 3),
    ("ndcg", metrics.ndcg, [[2, 0, 1, 2, 1]], {}, (2.5 + 2 / L5 + 1 / L6) / (2.5 + 2 / L3 + 1 / L5)),
    ("ndcg at 3", metrics.ndcg, [[5, 4, 1, 3, 0], 3], {}, (5.5 + 4 / L3) / (6.5 + 4 / L3)),
    ("ndcg: one relevant of two found", metrics.ndcg, [[1]], {"judged": [1, 1]}, 1 / (1 + 1 / L3)),
    ("ndcg: an unreturned grade 3 is in the ideal", metrics.ndcg, [[0, 1], 2],
     {"judged": [3, 1, 0]}, (1 / L3) / (3 + 1 / L3)),
    ("ndcg: the ideal is cut at k too", metrics.ndcg, [[1], 1], {"judged": [1, 1, 1]}, 1),
    ("ndcg of nothing returned", metrics.ndcg, [[]], {"judged": [1, 2]}, 0),
    ("ndcg falls as k grows", metrics.ndcg, [[1, 0, 0], 2], {"judged": [1, 1, 1]}, 1 / (1 + 1 / L3)),
    ("ndcg: fractional grades are not truncated", metrics.ndcg, [[0.5, 1.5]], {},
     (0.5 + 1.5 / L3) / (1.5 + 0.5 / L3)),
    ("ndcg: 2**64 does not wrap", metrics.ndcg, [[1, 64]], {"gain": "exponential"}, 1 / L3),
    ("p at 3", metrics.precision_at_k, [[1, 0, 1, 0, 1], 3], {}, 2 / 3),
    ("p divides by k, also for short lists", metrics.precision_at_k, [[1, 1], 5], {}, 2 / 5),
    ("p of nothing", metrics.precision_at_k, [[], None], {}, 0),
    ("p with a threshold", metrics.precision_at_k, [[1, 2, 3, 0], 4], {"threshold": 2}, 1 / 2),
    ("p: grade 0.5 is not relevant", metrics.precision_at_k, [[0.5, 1], 2], {}, 1 / 2),
    ("r", metrics.recall_at_k, [[1, 0, 1], 3], {"judged": [1, 1, 1, 1]}, 1 / 2),
    ("r: only the top k", metrics.recall_at_k, [[0, 1], 1], {}, 0),
    ("f1", metrics.f1_at_k, [[1, 0, 1, 0, 0], 5], {"judged": [1, 1, 1]}, 2 * 2 / (5 + 3)),
    ("f1 of no hit", metrics.f1_at_k, [[0, 0], 2], {"judged": [1]}, 0),
    ("hit", metrics.hit_rate_at_k, [[0, 0, 1], 3], {}, 1),
    ("no hit within k", metrics.hit_rate_at_k, [[0, 0, 1], 2], {}, 0),
    ("ap", metrics.average_precision, [[1, 0, 1, 0, 1]], {}, (1 + 2 / 3 + 3 / 5) / 3),
    ("ap of the other list", metrics.average_precision, [[0, 1, 1, 1, 0]], {}, (1 / 2 + 2 / 3 + 3 / 4) / 3),
    ("ap divides by R, not by hits", metrics.average_precision, [[1, 0]], {"judged": [1, 1, 0]}, 1 / 2),
    ("ap at k divides by R, not by min(R, k)", metrics.average_precision, [[1, 1], 2],
     {"judged": [1] * 5}, 2 / 5),
    ("rr", metrics.reciprocal_rank, [[0, 0, 1, 1]], {}, 1 / 3),
    ("rr of no hit", metrics.reciprocal_rank, [[0, 0, 0]], {}, 0),
    ("rr: rank 4 is outside the top 3", metrics.reciprocal_rank, [[0, 0, 0, 1], 3], {}, 0),
    ("map", metrics.mean_average_precision, [[[1, 0, 1, 0, 1], [0, 1, 1, 1, 0]]], {},
     ((1 + 2 / 3 + 3 / 5) / 3 + (1 / 2 + 2 / 3 + 3 / 4) / 3) / 2),
    ("mrr keeps the query without a hit", metrics.mean_reciprocal_rank,
     [[[1, 0], [0, 1], [0, 0]]], {}, (1 + 1 / 2 + 0) / 3),
    ("mean ndcg counts a query with nothing relevant as zero", metrics.mean_ndcg,
     [[[1], [0]]], {}, 1 / 2),
    ("mean ndcg skips it", metrics.mean_ndcg, [[[1], [0]]], {"undefined": "nan"}, 1),
    ("mean ndcg with what was judged", metrics.mean_ndcg, [[[1], [1]]],
     {"judged": [[1], [1, 1]]}, (1 + 1 / (1 + 1 / L3)) / 2),
]  # fmt: skip


@pytest.mark.parametrize(
    ("function", "args", "options", "value"), [c[1:] for c in VALUES], ids=[c[0] for c in VALUES]
)
def test_value(function, args, options, value):
    got = function(*args, **options)
    assert got == pytest.approx(value, abs=1e-9)
    assert type(got) is float


def test_the_discount_of_the_first_five_ranks():
    assert metrics.discount(np.arange(1, 6)).round(3).tolist() == [1, 0.631, 0.5, 0.431, 0.387]


@pytest.mark.parametrize(("undefined", "value"), [("zero", 0.0), ("one", 1.0), ("nan", math.nan)])
@pytest.mark.parametrize(
    "metric",
    [metrics.ndcg, metrics.recall_at_k, metrics.f1_at_k, metrics.average_precision],
    ids=lambda metric: metric.__name__,
)
@pytest.mark.parametrize("grades", [[0, 0], []], ids=["nothing relevant", "nothing judged"])
def test_what_0_over_0_is(metric, grades, undefined, value):
    assert metric(grades, 2, undefined=undefined) == pytest.approx(value, nan_ok=True)


def test_a_mean_over_none_is_nan_and_says_so():
    with pytest.warns(RuntimeWarning, match="nothing relevant was judged"):
        assert math.isnan(metrics.mean_ndcg([[0, 0]], undefined="nan"))


# ---------------------------------------------------------------------------------------------------
# Kinds of input


@pytest.mark.parametrize(
    "grades",
    [
        (2, 0, 1),
        np.array([2, 0, 1]),
        np.array([2, 0, 1], dtype=np.uint8),
        np.array([2, 0, 1], dtype=np.float32),
        [Fraction(2), 0, 1.0],
    ],
    ids=["tuple", "int array", "unsigned array", "float32 array", "fractions"],
)
def test_every_kind_of_sequence_gives_the_same_score(grades):
    assert metrics.ndcg(grades, gain="exponential") == metrics.ndcg([2, 0, 1], gain="exponential")


def test_booleans_count_as_0_and_1():
    assert metrics.average_precision([True, False, True]) == metrics.average_precision([1, 0, 1])


def test_small_integers_do_not_wrap_round():
    assert metrics.dcg(np.array([8], dtype=np.int8), gain="exponential") == 255
    assert metrics.cumulative_gain(np.array([200, 200], dtype=np.uint8)) == 400


def test_the_input_is_not_changed():
    grades = np.array([1, 3, 2])
    metrics.ndcg(grades, judged=grades)
    assert grades.tolist() == [1, 3, 2]


BAD = [
    ("k = 0", metrics.ndcg, [[1], 0], {}, ValueError, "k must be"),
    ("k below 0", metrics.dcg, [[1], -1], {}, ValueError, "k must be"),
    ("k with a fraction", metrics.precision_at_k, [[1], 2.5], {}, TypeError, "k must be"),
    ("k a whole float", metrics.recall_at_k, [[1], 2.0], {}, TypeError, "k must be"),
    ("k a bool", metrics.hit_rate_at_k, [[1], True], {}, TypeError, "k must be"),
    ("k a text", metrics.reciprocal_rank, [[1], "3"], {}, TypeError, "k must be"),
    ("a nan grade", metrics.ndcg, [[1, math.nan]], {}, ValueError, "grades must be finite"),
    ("an infinite grade", metrics.dcg, [[math.inf]], {}, ValueError, "grades must be finite"),
    ("a negative grade", metrics.ndcg, [[-1, 1]], {}, ValueError, "grades must not be negative"),
    ("two dimensions", metrics.ndcg, [[[1, 0], [0, 1]]], {}, ValueError, "grades must be one flat list"),
    ("a ragged list", metrics.ndcg, [[[1, 0], [0]]], {}, ValueError, "grades must be one flat list"),
    ("one number", metrics.dcg, [3], {}, ValueError, "grades must be one flat list"),
    ("text", metrics.ndcg, ["210"], {}, TypeError, "grades must be numbers"),
    ("text in the list", metrics.ndcg, [[1, "2"]], {}, TypeError, "grades must be numbers"),
    ("None in the list", metrics.ndcg, [[1, None]], {}, TypeError, "grades must be numbers"),
    ("a set", metrics.ndcg, [{1, 2}], {}, TypeError, "grades must be numbers"),
    ("an unknown gain", metrics.ndcg, [[1]], {"gain": "cubic"}, ValueError, "gain must be one of"),
    ("an unknown policy", metrics.ndcg, [[1]], {"undefined": "skip"}, ValueError, "undefined must be one of"),
    ("threshold 0", metrics.precision_at_k, [[1], 1], {"threshold": 0}, ValueError, "threshold"),
    ("threshold a text", metrics.reciprocal_rank, [[1]], {"threshold": "2"}, TypeError, "threshold"),
    ("a grade of 1024", metrics.dcg, [[1024]], {"gain": "exponential"}, ValueError, "below 1024"),
    ("three of 1023", metrics.dcg, [[1023] * 3], {"gain": "exponential"}, ValueError, "not a finite"),
    ("judged lacks a grade", metrics.ndcg, [[3, 1]], {"judged": [1, 1]}, ValueError, "judged must hold"),
    ("judged has it once", metrics.recall_at_k, [[1, 1], 2], {"judged": [1]}, ValueError, "judged must hold"),
    ("a negative judged grade", metrics.ndcg, [[1]], {"judged": [1, -1]}, ValueError, "judged must not"),
    ("no rankings", metrics.mean_ndcg, [[]], {}, ValueError, "rankings must hold at least one"),
    ("one flat ranking", metrics.mean_ndcg, [[1, 0]], {}, TypeError, "rankings must be a list of lists"),
    ("a bad second ranking", metrics.mean_ndcg, [[[1], [-1]]], {}, ValueError, r"rankings\[1\]"),
    ("judged for one of two", metrics.mean_average_precision, [[[1], [1]]], {"judged": [[1]]},
     ValueError, "one list for each ranking"),
    ("rank 0", metrics.discount, [0], {}, ValueError, "rank must be at least 1"),
    ("an unknown kind", metrics.gain, [[1], "log"], {}, ValueError, "kind must be one of"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("function", "args", "options", "error", "says"), [c[1:] for c in BAD], ids=[c[0] for c in BAD]
)
def test_bad_input_is_refused_by_name(function, args, options, error, says):
    with pytest.raises(error, match=says):
        function(*args, **options)


# ---------------------------------------------------------------------------------------------------
# Laws


@given(grades_lists, cutoffs, gains)
def test_ndcg_is_a_share_and_exactly_1_for_the_best_order(grades, k, gain):
    assert 0 <= metrics.ndcg(grades, k, gain=gain) <= 1
    if any(grades):
        assert metrics.ndcg(sorted(grades, reverse=True), k, gain=gain) == 1


@given(grades_lists, grades_lists, cutoffs, gains)
def test_no_order_beats_the_ideal(grades, missed, k, gain):
    assert metrics.dcg(grades, k, gain=gain) <= metrics.ideal_dcg(grades + missed, k, gain=gain) + 1e-9


@given(grades_lists.filter(lambda grades: len(grades) > 1), st.data(), cutoffs)
def test_moving_a_better_document_up_never_lowers_a_score(grades, data, k):
    i = data.draw(st.integers(0, len(grades) - 2))
    better = grades.copy()
    better[i], better[i + 1] = max(grades[i : i + 2]), min(grades[i : i + 2])
    for metric in (metrics.dcg, metrics.ndcg, metrics.average_precision, metrics.reciprocal_rank):
        assert metric(better, k) >= metric(grades, k) - 1e-12


@given(grades_lists, cutoffs, st.integers(0, 5))
def test_documents_of_grade_0_at_the_end_change_nothing(grades, k, zeros):
    for metric in (metrics.ndcg, metrics.average_precision, metrics.reciprocal_rank, metrics.dcg):
        assert metric(grades + [0] * zeros, k) == metric(grades, k)


@given(grades_lists, grades_lists, st.integers(1, 15))
def test_precision_recall_and_f1_count_the_same_hits(grades, missed, k):
    judged = grades + missed
    p, r = metrics.precision_at_k(grades, k), metrics.recall_at_k(grades, k, judged=judged)
    total = sum(grade >= 1 for grade in judged)
    assert p * k == pytest.approx(r * total)
    if total:
        assert metrics.f1_at_k(grades, k, judged=judged) == pytest.approx(2 * p * k / (k + total))


@given(grades_lists, grades_lists, cutoffs)
def test_what_was_not_returned_lowers_recall_ap_and_ndcg(grades, missed, k):
    for metric in (metrics.ndcg, metrics.average_precision, metrics.recall_at_k):
        assert metric(grades, k, judged=grades + missed) <= metric(grades, k) + 1e-12


@given(st.lists(grades_lists, min_size=1, max_size=5), cutoffs)
def test_a_mean_counts_each_query_once(rankings, k):
    each = [metrics.ndcg(grades, k) for grades in rankings]
    assert metrics.mean_ndcg(rankings, k) == pytest.approx(sum(each) / len(each))


@given(grades_lists, grades_lists, cutoffs, gains)
def test_ndcg_agrees_with_scikit_learn_where_it_knows_every_judged_document(grades, missed, k, gain):
    from sklearn.metrics import dcg_score

    judged = grades + missed
    if len(judged) < 2 or not any(judged):
        return
    worth = metrics.gain(judged, gain)
    order = -np.arange(len(judged), dtype=float)
    returned = np.where(np.arange(len(judged)) < len(grades), worth, 0)
    ours = metrics.ndcg(grades, k, judged=judged, gain=gain)
    theirs = dcg_score([returned], [order], k=k, ignore_ties=True) / dcg_score([worth], [worth], k=k)
    assert ours == pytest.approx(theirs, abs=1e-9)
