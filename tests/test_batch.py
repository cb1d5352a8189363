"""Many queries at once: the numbers of `rankedu.metrics`, exact means over tied orders, every convention."""

import functools
import itertools
import math
import tracemalloc
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankedu import batch, metrics

GRADED = ("cumulative_gain", "dcg", "ndcg")
BINARY = ("precision_at_k", "recall_at_k", "f1_at_k", "hit_rate_at_k", "average_precision", "reciprocal_rank")
WITH_JUDGED = ("ndcg", "recall_at_k", "f1_at_k", "average_precision")
EVERY_METRIC = GRADED + BINARY

# Every metric with the choices that change what it counts: a gain for the graded, a threshold for the others.
CHOICES = [(name, {"gain": gain}) for name in GRADED for gain in batch.GAINS]
CHOICES += [(name, {"threshold": threshold}) for name in BINARY for threshold in (1, 2, 1.5)]
CHOICE_IDS = [f"{name}-{next(iter(choice.values()))}" for name, choice in CHOICES]


def as_records(grades, scores=None, judged=None, **options):
    """A matrix, or a list of lists of any length, as `Records`; queries are called q0, q1, ..."""

    def flat(lists):
        ids = [f"q{number}" for number, row in enumerate(lists) for _ in row]
        return ids, [value for row in lists for value in row]

    ids, flat_grades = flat(grades)
    flat_scores = None if scores is None else flat(scores)[1]
    return batch.Records(ids, flat_grades, flat_scores, judged=judged and flat(judged), **options)


# ---------------------------------------------------------------------------------------------------
# Values that can be checked by hand

VALUES = [
    ("rows are queries, not one list", batch.ndcg,
     [[0, 1, 0], [1, 0, 0]], [[0.9, 0.8, 0.7], [0.8, 0.1, 0.05]], {}, [1 / math.log2(3), 1]),
    ("a constant scorer gets the chance value", batch.ndcg, [[10, 0, 0, 1, 5]], [[1, 1, 1, 1, 1]],
     {}, [0.6909785334518438]),
    ("one document", batch.ndcg, [[1]], [[0.0]], {}, [1]),
    ("already in rank order", batch.dcg, [[2, 0, 1, 2, 1]], None,
     {}, [2 + 1 / 2 + 2 / math.log2(5) + 1 / math.log2(6)]),
    ("P@2 of two relevant among four tied", batch.precision_at_k, [[1, 1, 0, 0]], [[0, 0, 0, 0]],
     {"k": 2}, [1 / 2]),
    ("P@5 of a row of two divides by five", batch.precision_at_k, [[1, 1]], None, {"k": 5}, [2 / 5]),
    ("R@1 of one relevant among three tied", batch.recall_at_k, [[0, 1, 0]], [[7, 7, 7]], {"k": 1}, [1 / 3]),
    ("F1@2, hits 1, R 3: P 1/2, R 1/3", batch.f1_at_k, [[1, 0, 1, 1]], None, {"k": 2}, [2 / 5]),
    ("hit rate@2 of one relevant among four tied", batch.hit_rate_at_k, [[0, 0, 1, 0]], [[3, 3, 3, 3]],
     {"k": 2}, [1 / 2]),
    ("AP of one relevant among four tied", batch.average_precision, [[1, 0, 0, 0]], [[0, 0, 0, 0]],
     {}, [(1 + 1 / 2 + 1 / 3 + 1 / 4) / 4]),
    ("AP, two relevant tied behind a hit", batch.average_precision, [[1, 1, 1]], [[2, 1, 1]], {}, [1]),
    ("AP divides by all judged, not by k or hits", batch.average_precision, [[1, 1]], None,
     {"k": 2, "judged": [[1, 1, 1, 1, 1]]}, [2 / 5]),
    ("RR of one relevant tied for ranks 2 and 3", batch.reciprocal_rank, [[0, 1, 0]], [[2, 1, 1]],
     {}, [(1 / 2 + 1 / 3) / 2]),
    ("RR@2 of the same", batch.reciprocal_rank, [[0, 1, 0]], [[2, 1, 1]], {"k": 2}, [1 / 4]),
    ("RR of two relevant among three tied", batch.reciprocal_rank, [[0, 1, 1]], [[1, 1, 1]],
     {}, [2 / 3 + 1 / 3 * 1 / 2]),
    ("NDCG ideal from the judgments", batch.ndcg, [[1]], None, {"k": 10, "judged": [[1, 1]]},
     [1 / (1 + 1 / math.log2(3))]),
    ("infinite scores are legal", batch.reciprocal_rank, [[0, 1, 0]], [[-math.inf, 0, math.inf]],
     {}, [1 / 2]),
    ("negative scores", batch.reciprocal_rank, [[1, 0]], [[-1.0, -2.0]], {}, [1]),
    ("a gap of 1e-9 is no tie", batch.reciprocal_rank, [[1, 0]], [[0.900000001, 0.9]], {}, [1]),
    ("0.0 and -0.0 tie", batch.precision_at_k, [[1, 0]], [[-0.0, 0.0]], {"k": 1}, [1 / 2]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("metric", "grades", "scores", "options", "expected"), [v[1:] for v in VALUES], ids=[v[0] for v in VALUES]
)
def test_value(metric, grades, scores, options, expected):
    assert metric(grades, scores, **options) == pytest.approx(expected, abs=1e-12)


# ---------------------------------------------------------------------------------------------------
# ties="mean" is the mean over every order of the tied documents: all of them, counted one by one


@functools.cache
def rank_orders(scores, grades):
    """{grades in rank order: in how many of the orders that the scores allow}"""
    groups = [
        [grade for grade, score in zip(grades, scores, strict=True) if score == level]
        for level in sorted(set(scores), reverse=True)
    ]
    orders = itertools.product(*(itertools.permutations(group) for group in groups))
    return Counter(tuple(itertools.chain(*order)) for order in orders)


def mean_over_orders(name, scores, grades, judged, k, **choice):
    orders = rank_orders(scores, grades)
    options = choice | ({"judged": judged} if name in WITH_JUDGED else {})
    metric = getattr(metrics, name)
    total = math.fsum(times * metric(list(order), k, **options) for order, times in orders.items())
    return total / orders.total()


TIED_LISTS = [
    ((1, 1, 1, 1, 1), (0, 1, 2, 0, 1), ()),
    ((1, 1, 1, 1, 1), (0, 0, 3, 0, 0), (3, 2)),
    ((2, 1, 1, 1, 0), (0, 2, 0, 1, 1), (2,)),
    ((2, 2, 1, 1, 1), (0, 0, 2, 0, 1), ()),
    ((2, 2, 2, 1, 1), (1, 0, 0, 2, 2), (1, 1, 1)),
    ((0, 1, 1, 0, 1), (0.5, 1.5, 0, 2.5, 1), ()),
    ((5, 4, 3, 2, 1), (0, 1, 0, 2, 1), (1,)),
    ((3, 3, 3, 3), (2, 2, 2, 2), ()),
    ((3, 3, 3, 3), (0, 0, 0, 0), (1,)),
    ((1, 1, 0, 0, 0, 0), (0, 0, 0, 1, 2, 0), (2, 1)),
    ((-math.inf, -math.inf, math.inf, math.inf), (1, 0, 0, 2), ()),
    ((0,), (1,), (2,)),
]


@pytest.mark.parametrize(("name", "choice"), CHOICES, ids=CHOICE_IDS)
@pytest.mark.parametrize("shape", ["matrix", "records"])
def test_mean_over_every_order(name, choice, shape):
    for k in (None, *range(1, 9)):
        if shape == "records":
            run = as_records(
                [grades for _, grades, _ in TIED_LISTS],
                [scores for scores, _, _ in TIED_LISTS],
                [grades + missed for _, grades, missed in TIED_LISTS],
            )
            found = getattr(run, name)(k, **choice)
        else:
            found = [
                getattr(batch, name)(
                    [grades],
                    [scores],
                    k,
                    **choice,
                    **({"judged": [grades + missed]} if name in WITH_JUDGED else {}),
                )[0]
                for scores, grades, missed in TIED_LISTS
            ]
        expected = [
            mean_over_orders(name, scores, grades, list(grades + missed), k, **choice)
            for scores, grades, missed in TIED_LISTS
        ]
        assert found == pytest.approx(expected, abs=1e-12), k


@settings(max_examples=60)
@given(st.data())
def test_mean_over_every_order_of_any_short_list(data):
    n = data.draw(st.integers(1, 6))
    scores = tuple(data.draw(st.lists(st.integers(0, 2), min_size=n, max_size=n)))
    grades = tuple(data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n)))
    judged = list(grades) + data.draw(st.lists(st.integers(0, 3), max_size=3))
    k = data.draw(st.none() | st.integers(1, 8))
    run = as_records([grades], [scores], [judged])
    for name, choice in CHOICES:
        expected = mean_over_orders(name, scores, grades, judged, k, **choice)
        assert getattr(run, name)(k, **choice)[0] == pytest.approx(expected, abs=1e-12), (name, choice)


def ways(relevant, size):
    return math.comb(size, relevant)


@pytest.mark.parametrize("relevant", [1, 3, 150, 299, 300])
@pytest.mark.parametrize("ahead", [0, 1000])
def test_long_tie_group(relevant, ahead):
    """300 tied documents behind `ahead` others without a hit: too many orders to count, so fractions."""
    size, k = 300, ahead + 40
    scores = np.concatenate([np.full(ahead, 2.0), np.ones(size)])
    grades = np.zeros(ahead + size)
    grades[ahead : ahead + relevant] = 1
    # the first hit stands at place j: all others stand behind it
    first = [Fraction(ways(relevant - 1, size - j), ways(relevant, size)) for j in range(1, size + 1)]
    rr = sum(chance / (ahead + j) for j, chance in enumerate(first, 1))
    rr_at_k = sum(chance / (ahead + j) for j, chance in enumerate(first[:40], 1))
    slope = Fraction(relevant - 1, size - 1)
    ap = sum((1 + (j - 1) * slope) / (ahead + j) for j in range(1, size + 1)) / size
    run = as_records([grades], [scores])
    assert run.reciprocal_rank()[0] == pytest.approx(float(rr), rel=1e-12)
    assert run.reciprocal_rank(k)[0] == pytest.approx(float(rr_at_k), rel=1e-12)
    assert run.hit_rate_at_k(k)[0] == pytest.approx(float(sum(first[:40])), rel=1e-12)
    assert run.average_precision()[0] == pytest.approx(float(ap), rel=1e-12)
    for name in ("reciprocal_rank", "average_precision"):
        assert getattr(batch, name)([grades], [scores]) == pytest.approx(getattr(run, name)(), rel=1e-12)


# ---------------------------------------------------------------------------------------------------
# Without ties: the definitions of rankedu.metrics, query by query

lists_of_grades = st.lists(st.lists(st.integers(0, 4), min_size=1, max_size=9), min_size=1, max_size=6)


@given(lists_of_grades, st.none() | st.integers(1, 12), st.randoms(use_true_random=False))
def test_definition(rankings, k, random):
    """Records of queries of any length, shuffled, with judgments of their own."""
    judged = [[*row, *random.choices(range(4), k=2)] for row in rankings]
    records = [
        (f"q{number}", grade, -rank) for number, row in enumerate(rankings) for rank, grade in enumerate(row)
    ]
    random.shuffle(records)
    all_judged = [(f"q{number}", grade) for number, row in enumerate(judged) for grade in row]
    random.shuffle(all_judged)
    run = batch.Records(*zip(*records, strict=True), judged=tuple(zip(*all_judged, strict=True)))
    for name, choice in CHOICES:
        found = dict(zip(run.query_ids, getattr(run, name)(k, **choice), strict=True))
        for number, row in enumerate(rankings):
            options = choice | ({"judged": judged[number]} if name in WITH_JUDGED else {})
            expected = getattr(metrics, name)(row, k, **options)
            assert found[f"q{number}"] == pytest.approx(expected, abs=1e-12), (name, choice)


@pytest.mark.parametrize(("name", "choice"), CHOICES, ids=CHOICE_IDS)
def test_matrices_records_and_definition_agree(name, choice):
    rng = np.random.default_rng(1)
    grades = rng.integers(0, 5, (200, 30)) * rng.random((200, 1)).round()
    scores = rng.random((200, 30))
    in_order = np.take_along_axis(grades, np.argsort(-scores, axis=1), axis=1)
    run = as_records(grades, scores)
    for k in (None, 1, 3, 10, 30, 50):
        expected = [getattr(metrics, name)(row, k, **choice) for row in in_order]
        for found in (
            getattr(batch, name)(grades, scores, k, **choice),
            getattr(batch, name)(grades, scores, k, ties="input", **choice),
            getattr(batch, name)(in_order, None, k, **choice),
            getattr(run, name)(k, **choice),
        ):
            assert found.shape == (200,)
            assert found == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("k", [None, 1, 4, 9])
@pytest.mark.parametrize("gain", batch.GAINS)
def test_ideal(k, gain):
    judged = [[0, 0.5, 3, 1], [], [2], [0, 0]]
    expected = [metrics.ideal_dcg(row, k, gain=gain) for row in judged]
    grades = np.zeros((4, 0))
    assert batch.ideal_dcg(grades, k, judged=judged, gain=gain) == pytest.approx(expected, abs=1e-12)
    run = batch.Records(
        [], [], [], judged=([0, 0, 0, 0, 2, 3, 3], [0, 0.5, 3, 1, 2, 0, 0]), names=list("abcd")
    )
    assert run.query_ids == ["a", "c", "d"]
    assert run.ideal_dcg(k, gain=gain) == pytest.approx([expected[0], *expected[2:]], abs=1e-12)


@pytest.mark.parametrize("cells", [1, 7, 64])
@pytest.mark.parametrize("short_row", [1, 256])
@pytest.mark.parametrize("lowest", [0, -math.inf], ids=["finite", "infinite"])
def test_how_work_is_cut_into_blocks_changes_nothing(monkeypatch, cells, short_row, lowest):
    rng = np.random.default_rng(2)
    lengths = rng.integers(1, 14, 40)
    grades = [rng.integers(0, 3, length).tolist() for length in lengths]
    scores = [[lowest, 1, 2, 3, 4, 5][: rng.integers(1, 7)] for _ in lengths]
    scores = [rng.choice(levels, length).tolist() for levels, length in zip(scores, lengths, strict=True)]
    width = max(lengths)
    mask = np.arange(width) < lengths[:, None]
    padded = [np.full((40, width), np.nan) for _ in range(2)]
    for matrix, lists in zip(padded, (grades, scores), strict=True):
        matrix[mask] = list(itertools.chain(*lists))

    def everything():
        run = as_records(grades, scores, [[*row, 2] for row in grades])
        for name, choice in CHOICES:
            for k in (None, 1, 3, 5):
                yield getattr(run, name)(k, **choice)
                options = choice | ({"judged": [[*row, 2] for row in grades]} if name in WITH_JUDGED else {})
                yield getattr(batch, name)(*padded, k, mask=mask, **options)

    whole = list(everything())
    for by_records, by_matrix in zip(whole[::2], whole[1::2], strict=True):
        assert by_records == pytest.approx(by_matrix, abs=1e-12)
    monkeypatch.setattr(batch, "_CELLS", cells)
    monkeypatch.setattr(batch, "_SHORT_ROW", short_row)
    for in_one, in_blocks in zip(whole, everything(), strict=True):
        assert in_one == pytest.approx(in_blocks, abs=1e-12)


# ---------------------------------------------------------------------------------------------------
# A perfect order is exactly 1.0, and nothing is more

positive_grades = st.lists(st.floats(0.001, 30), min_size=1, max_size=60)


@given(positive_grades, st.none() | st.integers(1, 80), st.sampled_from(batch.GAINS), st.integers(0, 5))
def test_perfect_order_is_exactly_one(grades, k, gain, zeros):
    grades = [*sorted(grades, reverse=True), *[0] * zeros]
    scores = [[*map(float, grades)]]  # documents of one grade tie, which leaves the order perfect
    for judged in ([grades], [[0, *reversed(grades), 0]]):
        assert batch.ndcg([grades], scores, k, judged=judged, gain=gain)[0] == 1.0
        assert as_records([grades], scores, judged).ndcg(k, gain=gain)[0] == 1.0
        assert as_records([grades], None, judged).ndcg(k, gain=gain)[0] == 1.0


@pytest.mark.parametrize("relevant", [1, 2, 49, 98, 103, 107, 161, 1000])
def test_perfect_order_of_every_binary_metric(relevant):
    grades = np.concatenate([np.ones(relevant), np.zeros(5)])
    for scores in (grades, -np.arange(len(grades), dtype=float)):
        run = as_records([grades], [scores])
        assert run.average_precision()[0] == 1.0
        assert run.reciprocal_rank()[0] == 1.0
        for name in ("precision_at_k", "recall_at_k", "f1_at_k", "hit_rate_at_k"):
            assert getattr(run, name)(relevant)[0] == 1.0


@given(st.lists(st.tuples(st.floats(0, 5), st.integers(0, 3)), min_size=1, max_size=20), st.integers(1, 25))
def test_range(documents, k):
    grades, scores = zip(*documents, strict=True)
    run = as_records([grades], [scores])
    for name in ("ndcg", *BINARY):
        assert 0 <= getattr(run, name)(k)[0] <= 1


# ---------------------------------------------------------------------------------------------------
# Nothing to find, nothing found, nobody asked

ZERO_OVER_ZERO = {"zero": 0.0, "one": 1.0, "nan": math.nan}


@pytest.mark.parametrize("policy", ZERO_OVER_ZERO)
@pytest.mark.parametrize("name", WITH_JUDGED)
def test_undefined(policy, name):
    """Nothing relevant judged, with a result and with an empty one; between them, one not found."""
    judged = [[0, 0], [0, 0, 1], [0]]
    expected = [ZERO_OVER_ZERO[policy], 0, ZERO_OVER_ZERO[policy]]
    run = as_records([[0, 0], [0, 0], []], None, judged)
    assert getattr(run, name)(1, undefined=policy) == pytest.approx(expected, nan_ok=True)
    assert run.undefined_queries(None if name == "ndcg" else 1).tolist() == [True, False, True]
    mask = np.array([[True, True], [True, True], [False, False]])
    found = getattr(batch, name)(np.zeros((3, 2)), None, 1, mask=mask, judged=judged, undefined=policy)
    assert found == pytest.approx(expected, nan_ok=True)


@pytest.mark.parametrize("name", [name for name in EVERY_METRIC if name not in WITH_JUDGED])
def test_zero_and_not_undefined(name):
    assert getattr(batch, name)([[0, 0], [0, 0]], None, 2).tolist() == [0, 0]
    assert getattr(batch, name)(np.zeros((2, 0))).tolist() == [0, 0]


def test_grade_below_the_threshold_has_gain_and_is_not_relevant():
    run = as_records([[0.5, 0.5]])
    assert run.ndcg()[0] == 1.0
    assert run.average_precision(undefined="nan") == pytest.approx([math.nan], nan_ok=True)
    assert run.undefined_queries().tolist() == [False]
    assert run.undefined_queries(1).tolist() == [True]


def test_mean_skips_nan():
    values = as_records([[1, 0, 1], [0, 0, 0]]).ndcg(undefined="nan")
    assert batch.mean(values) == pytest.approx(1.5 / (1 + 1 / math.log2(3)))
    with pytest.warns(RuntimeWarning, match="the mean is nan"):
        assert math.isnan(batch.mean([math.nan]))


@pytest.mark.parametrize("name", EVERY_METRIC)
def test_judged_and_missing_query_counts_zero(name):
    run = batch.Records(["b"], [2], [1.0], judged=(["a", "b"], [1, 2]))
    assert run.query_ids == ["b", "a"]
    values = getattr(run, name)(1)
    assert values[0] > 0
    assert values[1] == 0


def test_query_without_judgments_is_left_out_and_reported():
    run = batch.Records(["a", "x", "b"], [1, 0, 0], [1.0, 1.0, 1.0], judged=(["a", "b"], [1, 1]))
    assert run.query_ids == ["a", "b"]
    assert run.unjudged_queries == ["x"]
    assert run.reciprocal_rank().tolist() == [1, 0]
    assert run.order.tolist() == [0, 2]


def test_no_query_in_common_names_some_of_both():
    with pytest.raises(ValueError, match=r"no query in common: \['q1', 'q2', 'q3'\].*\['1'\] in judged"):
        batch.Records(["q1", "q2", "q3", "q4"], [0] * 4, [1] * 4, judged=([1], [1]))


def test_no_records():
    run = batch.Records([], [], [], judged=(["a", "b"], [1, 0]))
    assert run.ndcg(10).tolist() == [0, 0]
    assert run.precision_at_k().tolist() == [0, 0]
    assert run.num_retrieved().tolist() == [0, 0]
    assert len(batch.Records([], [], []).ndcg()) == 0
    assert batch.ndcg(np.zeros((0, 5)), np.zeros((0, 5))).shape == (0,)


# ---------------------------------------------------------------------------------------------------
# Ids


def test_ids_are_compared_as_text():
    run = batch.Records([9, 9, 10], [0, 1, 1], [2.0, 1.0, 1.0], judged=(["10", "9", "9"], [1, 1, 1]))
    assert run.query_ids == ["9", "10"]
    assert run.recall_at_k(5).tolist() == [0.5, 1]


@pytest.mark.parametrize(
    "ids",
    [
        ["a", "a", "b", "c", "b"],
        [b"a", b"a", b"b", b"c", b"b"],
        np.array(["a", "a", "b", "c", "b"]),
        np.array([b"a", b"a", b"b", b"c", b"b"]),
        np.array(["a", "a", "b", "c", "b"], dtype=object),
        np.array(["a", "a", "b", "c", "b"], dtype=np.dtypes.StringDType()),
    ],
    ids=["list", "bytes", "text array", "bytes array", "object array", "string array"],
)
def test_kinds_of_ids(ids):
    run = batch.Records(ids, [0, 1, 1, 0, 0], [2, 1, 1, 1, 2])
    assert run.query_ids == ["a", "b", "c"]
    assert run.reciprocal_rank().tolist() == [1 / 2, 1 / 2, 0]


def test_codes_with_names():
    run = batch.Records([2, 0, 2], [1, 0, 0], [1, 1, 2], names=["x", "y", "z"])
    assert run.query_ids == ["x", "y", "z"]
    assert run.reciprocal_rank().tolist() == [0, 0, 1 / 2]
    run = batch.Records([2, 0, 2], [1, 0, 0], [1, 1, 2], names=["x", "y", "z"], judged=([2, 2, 1], [1, 1, 1]))
    assert run.query_ids == ["y", "z"]
    assert run.unjudged_queries == ["x"]
    assert run.recall_at_k(5).tolist() == [0, 1 / 2]


@pytest.mark.parametrize(
    "as_ids", [list, np.array, lambda ids: np.array(ids, dtype="S")], ids=["list", "U", "S"]
)
def test_ties_by_document_id_descending(as_ids):
    """As text: "9" sorts after "10", so it comes first."""
    docs = as_ids(["10", "9", "2", "d", "10", "11"])
    run = batch.Records(list("aaaabb"), [0, 0, 1, 0, 0, 1], [1, 1, 1, 2, 5, 5], doc_ids=docs, ties="docid")
    assert run.order.tolist() == [3, 1, 2, 0, 5, 4]
    assert run.reciprocal_rank().tolist() == [1 / 3, 1]


def test_whole_number_document_ids_are_compared_as_text():
    run = batch.Records(["q"] * 3, [0, 1, 0], [1, 1, 1], doc_ids=[10, 9, 100], ties="docid")
    assert run.order.tolist() == [1, 2, 0]


@pytest.mark.parametrize("dtype", ["U", "S", "i8", "O"])
def test_document_ids_are_looked_up_for_tied_records_alone(dtype):
    docs = np.array([10, 9, 2, 100, 20, 3])
    docs = docs.astype("U").astype(object) if dtype == "O" else docs.astype(dtype)
    asked = []

    class Lookup:
        def __getitem__(self, records):
            asked.extend(records.tolist())
            return docs[records]

    run = batch.Records(list("aaabbb"), [0] * 6, [1, 3, 1, 4, 4, 5], doc_ids=Lookup(), ties="docid")
    assert run.order.tolist() == [1, 2, 0, 5, 4, 3]
    assert sorted(asked) == [0, 2, 3, 4]


@pytest.mark.parametrize("name", EVERY_METRIC)
def test_ties_in_input_order(name):
    rng = np.random.default_rng(3)
    grades, scores = rng.integers(0, 3, (50, 40)), rng.integers(0, 5, (50, 40))
    in_order = np.take_along_axis(grades, np.argsort(-scores, axis=1, kind="stable"), axis=1)
    for k in (None, 1, 7, 30):
        expected = getattr(batch, name)(in_order, None, k)
        assert getattr(batch, name)(grades, scores, k, ties="input").tolist() == expected.tolist()
        assert getattr(as_records(grades, scores, ties="input"), name)(k).tolist() == expected.tolist()


def test_order_and_totals():
    run = batch.Records(list("baabb"), [0] * 5, [1, 1, 2, 3, 1])
    assert run.order.tolist() == [3, 0, 4, 2, 1]
    assert run.num_retrieved().tolist() == [3, 2]
    unjudged = [1, 1, 0, 0, 0]
    assert run.total_at_k(unjudged, 2).tolist() == [1 / 2, 1]
    assert run.total_at_k(unjudged).tolist() == [1, 1]
    assert repr(run) == "<Records: 2 queries, 5 records, ties='mean'>"


def test_counts():
    run = as_records([[2, 0, 1], [0]], None, [[2, 0, 1, 1, 3], [1]])
    assert run.num_relevant().tolist() == [4, 1]
    assert run.num_relevant(2).tolist() == [2, 0]
    assert run.num_relevant_retrieved().tolist() == [2, 0]
    assert run.num_relevant_retrieved(2).tolist() == [1, 0]


# ---------------------------------------------------------------------------------------------------
# Padding, types of numbers


def test_what_stands_in_padding_is_not_looked_at():
    grades = np.array([[1, 0, np.nan], [0, 2, 1], [-5, np.inf, 7]])
    scores = np.array([[1.0, 2.0, np.nan], [-np.inf, -np.inf, 0.0], [np.nan, np.inf, -np.inf]])
    mask = np.array([[True, True, False], [True, True, True], [False, False, False]])
    for name in EVERY_METRIC:
        found = getattr(batch, name)(grades, scores, 2, mask=mask)
        expected = getattr(as_records([[1, 0], [0, 2, 1], []], [[1, 2], [-np.inf, -np.inf, 0], []],
                                      [[1, 0], [0, 2, 1], [0]]), name)(2)  # fmt: skip
        assert found == pytest.approx(expected, abs=1e-12)
    assert batch.precision_at_k(grades, mask=mask, threshold=1).tolist() == [1 / 2, 2 / 3, 0]


def test_padding_in_the_middle_keeps_rank_order():
    mask = np.array([[False, True, False, True]])
    assert batch.reciprocal_rank([[9, 0, 9, 1]], mask=mask).tolist() == [1 / 2]


def test_lowest_scores_and_padding_are_told_apart():
    """-inf is a score like any other, also in a query that is padded because another is longer."""
    run = as_records([[1, 0, 0], [0, 0, 0, 1, 0]], [[-math.inf, 1, -math.inf], [1, 2, 3, -math.inf, 0]])
    assert run.reciprocal_rank() == pytest.approx([(1 / 2 + 1 / 3) / 2, 1 / 5])


@pytest.mark.parametrize("dtype", ["u1", "u2", "u4", "u8", "i1", "i8", "f2", "f4", "f8", "longdouble"])
def test_types_of_numbers(dtype):
    scores = np.array([[2, 1, 0]], dtype=dtype)
    grades = np.array([[0, 0, 1]], dtype=dtype)
    assert batch.ndcg(grades, scores).tolist() == [0.5]
    assert batch.Records(["q"] * 3, grades[0], scores[0]).ndcg().tolist() == [0.5]
    assert batch.dcg(np.array([[0, 8]], dtype=dtype), gain="exponential") == pytest.approx(
        [255 / math.log2(3)]
    )
    assert batch.cumulative_gain(np.full((1, 9), 100, dtype=dtype)).tolist() == [900]


def test_bool_counts_as_zero_and_one():
    assert batch.ndcg(np.array([[False, True]]), np.array([[True, False]])) == pytest.approx(
        [1 / math.log2(3)]
    )


@pytest.mark.parametrize("kind", [list, tuple, np.array, np.asfortranarray])
def test_kinds_of_matrices(kind):
    grades, scores = kind([[0, 1, 2], [2, 1, 0]]), kind([[3, 1, 2], [3, 2, 1]])
    assert batch.reciprocal_rank(grades, scores, threshold=2).tolist() == [1 / 2, 1]


@pytest.mark.parametrize("name", EVERY_METRIC)
def test_inputs_are_never_changed(name):
    rng = np.random.default_rng(4)
    grades, scores = rng.integers(0, 3, (5, 8)).astype(float), rng.integers(0, 3, (5, 8)).astype(float)
    mask = np.ones((5, 8), dtype=bool)
    mask[2, 3:] = False
    ids = np.repeat(np.arange(5), 8)
    given_arrays = (grades, scores, mask, ids)
    for array in given_arrays:
        array.flags.writeable = False
    getattr(batch, name)(grades, scores, 3, mask=mask)
    getattr(batch.Records(ids, grades.ravel(), scores.ravel()), name)(3)


def test_records_keep_no_hold_of_their_input():
    ids, grades, scores = np.array([1, 1, 2]), np.array([0.0, 1.0, 1.0]), np.array([2.0, 1.0, 1.0])
    judged_ids, judged = np.array([1, 1, 2, 2]), np.array([1.0, 1.0, 1.0, 1.0])
    run = batch.Records(ids, grades, scores, judged=(judged_ids, judged))
    before = run.ndcg().tolist()
    for array in (ids, grades, scores, judged_ids, judged):
        array[:] = 0
    assert run.ndcg().tolist() == before


# ---------------------------------------------------------------------------------------------------
# Bad input: the argument is named, with what it was

NAN, INF = math.nan, math.inf
BAD_MATRICES = [
    ("k is 0", ValueError, "k must be .* at least 1.*; got 0", {"k": 0}),
    ("k is negative", ValueError, "k must .* got -1", {"k": -1}),
    ("k is a float", TypeError, r"k must .* got 2\.0", {"k": 2.0}),
    ("k is a bool", TypeError, "k must .* got True", {"k": True}),
    ("k is a numpy bool", TypeError, "k must .* got", {"k": np.True_}),
    ("negative grade", ValueError, r"grades must .* row 1 has -1", {"grades": [[0, 1], [-1, 1]]}),
    ("nan grade", ValueError, "grades must .* row 0 has nan", {"grades": [[0, NAN], [1, 1]]}),
    ("infinite grade", ValueError, "grades must .* row 1 has inf", {"grades": [[0, 1], [1, INF]]}),
    ("nan score", ValueError, "scores must not hold nan; row 1", {"scores": [[0, 1], [NAN, 1]]}),
    ("one-dimensional", ValueError, r"grades must be a matrix.*\(2,\)", {"grades": [0, 1]}),
    ("ragged", ValueError, "grades must have rows of one length", {"grades": [[0, 1], [1]]}),
    ("text", TypeError, "grades must be numbers", {"grades": [["0", "1"], ["1", "0"]]}),
    ("text scores", TypeError, "scores must be numbers", {"scores": [["0", "1"], ["1", "0"]]}),
    ("complex", TypeError, "scores must be numbers", {"scores": [[1j, 0], [0, 0]]}),
    ("none among scores", TypeError, "scores must be numbers", {"scores": [[None, 0], [0, 0]]}),
    ("shapes differ", ValueError, r"scores must have the shape of grades, \(2, 2\)", {"scores": [[1, 0]]}),
    ("mask of numbers", TypeError, "mask must be an array of bool", {"mask": [[1, 0], [1, 1]]}),
    ("mask of another shape", ValueError, "mask must have the shape", {"mask": [[True, False]]}),
    ("masked array", TypeError, "mask=", {"grades": np.ma.masked_less([[0, 1], [1, 1]], 1)}),
    ("unknown gain", ValueError, "gain must be one of 'linear', 'exponential'; got 'c'", {"gain": "c"}),
    ("unknown policy", ValueError, "undefined must be one of .* got 'skip'", {"undefined": "skip"}),
    ("policy is not text", ValueError, "undefined must be one of .* got 0", {"undefined": 0}),
    ("unknown tie rule", ValueError, "ties must be one of .* got 'random'", {"ties": "random"}),
    ("no ids in a matrix", ValueError, "ties must be one of .* see Records.* got 'docid'", {"ties": "docid"}),
    ("gain overflows", ValueError, "below 1024 .* got 1100",
     {"grades": [[0, 1100], [1, 1]], "gain": "exponential"}),
    ("sum overflows", ValueError, "grades of row 1 are too large", {"grades": [[0, 1], [1.7e308, 1.7e308]]}),
    ("judged lacks a grade", ValueError, "judged must .* row 1 has grade 2 1 times in grades, 0 times in j",
     {"grades": [[1, 0], [2, 1]], "judged": [[1], [1, 1]]}),
    ("judged has it less often", ValueError, "row 0 has grade 1.5 2 times in grades, 1 times in judged",
     {"grades": [[1.5, 1.5], [0, 0]], "judged": [[1.5, 0], [0, 0]]}),
    ("judged has too few rows", ValueError, "judged must have one row for each row of grades, 2; got 1",
     {"judged": [[1, 1]]}),
    ("judged is negative", ValueError, "judged must .* row 1 has -1", {"judged": [[0, 1], [1, 1, -1]]}),
    ("judged is nan", ValueError, "judged must .* row 0 has nan", {"judged": np.array([[NAN, 1], [1, 1]])}),
    ("judged is text", TypeError, r"judged\[0\] must be numbers", {"judged": [["1"], ["2"]]}),
    ("judged is no list", TypeError, "judged must be an array, or a list", {"judged": 3}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("error", "message", "change"), [bad[1:] for bad in BAD_MATRICES], ids=[bad[0] for bad in BAD_MATRICES]
)
def test_bad_matrix(error, message, change):
    arguments = {"grades": [[0, 1], [1, 0]], "scores": [[1, 2], [2, 1]]} | change
    with pytest.raises(error, match=message):
        batch.ndcg(**arguments)


@pytest.mark.parametrize("threshold", [0, -1, NAN, INF, True, "1", None])
@pytest.mark.parametrize("name", BINARY)
def test_bad_threshold(name, threshold):
    with pytest.raises((ValueError, TypeError), match=r"threshold must be a .*number above 0; got"):
        getattr(batch, name)([[1, 0]], [[2, 1]], threshold=threshold)


BAD_RECORDS = [
    ("lengths differ", ValueError, "grades must have one number for each query id, 3; got 2",
     {"grades": [1, 0]}),
    ("scores differ in length", ValueError, "scores must have one number", {"scores": [1, 0]}),
    ("nan score", ValueError, "scores must not hold nan; query 'b' does", {"scores": [1, 0, NAN]}),
    ("negative grade", ValueError, "grades must .* query 'a' has -2", {"grades": [0, -2, 0]}),
    ("two-dimensional", ValueError, "grades must be one-dimensional", {"grades": [[1, 0, 0]]}),
    ("ids are floats", TypeError, "query_ids must be text or whole numbers; got float64",
     {"query_ids": [0.5, 1, 1]}),
    ("ids are bools", TypeError, "query_ids must be text or whole numbers",
     {"query_ids": [True, True, False]}),
    ("an id is none", TypeError, "ids must be text or whole numbers; got None",
     {"query_ids": ["a", None, "b"]}),
    ("ids are two-dimensional", ValueError, "query_ids must be one-dim",
     {"query_ids": np.array([["a", "a", "b"]])}),
    ("ties unknown", ValueError, "ties must be one of 'mean', 'input', 'docid'; got 'x'", {"ties": "x"}),
    ("docid without ids", ValueError, "doc_ids must be given", {"ties": "docid"}),
    ("too few document ids", ValueError, "doc_ids must have the length of query_ids, 3; got 2",
     {"ties": "docid", "doc_ids": ["x", "y"]}),
    ("a document twice", ValueError, "document 'x' stands twice in query 'a'",
     {"ties": "docid", "doc_ids": ["x", "x", "x"]}),
    ("judged is no pair", TypeError, r"judged must be a pair of flat arrays, \(query_ids, grades\)",
     {"judged": [1]}),
    ("judged lengths differ", ValueError, "judged must have one number for each query id, 2; got 1",
     {"judged": (["a", "b"], [1])}),
    ("judged is negative", ValueError, "judged must .* query 'b' has -1", {"judged": (["a", "b"], [1, -1])}),
    ("judged lacks a grade", ValueError, "judged must .* query 'a' has grade 1 1 times in grades, 0 times",
     {"judged": (["a", "b"], [2, 1])}),
    ("codes beyond names", ValueError, "query_ids must be codes from 0 to 1.*; got 0 to 5",
     {"query_ids": [0, 0, 5], "names": ["a", "b"]}),
    ("text for codes", TypeError, "query_ids must be codes", {"names": ["a", "b"]}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("error", "message", "change"), [bad[1:] for bad in BAD_RECORDS], ids=[bad[0] for bad in BAD_RECORDS]
)
def test_bad_records(error, message, change):
    arguments = {"query_ids": ["a", "a", "b"], "grades": [1, 0, 1], "scores": [3, 2, 1]} | change
    with pytest.raises(error, match=message):
        batch.Records(**arguments)


# ---------------------------------------------------------------------------------------------------
# What must not move a score

grades_and_scores = st.lists(
    st.tuples(st.lists(st.tuples(st.integers(0, 4), st.integers(-3, 3)), min_size=1, max_size=10)),
    min_size=1,
    max_size=5,
).map(lambda queries: [query for (query,) in queries])
random_order = st.randoms(use_true_random=False)


def every_score(queries, k, names=None, **options):
    """{(metric, query): score} of queries given as lists of (grade, score)."""
    names = names or [f"q{number}" for number in range(len(queries))]
    rows = [(name, *document) for name, query in zip(names, queries, strict=True) for document in query]
    run = batch.Records(*zip(*rows, strict=True), **options)
    return {
        (name, query): value
        for name in EVERY_METRIC
        for query, value in zip(run.query_ids, getattr(run, name)(k), strict=True)
    }


@given(grades_and_scores, st.none() | st.integers(1, 12), random_order)
def test_shuffling_documents_and_queries_moves_no_score(queries, k, random):
    before = every_score(queries, k)
    shuffled = [random.sample(query, len(query)) for query in queries]
    numbers = random.sample(range(len(queries)), len(queries))
    after = every_score([shuffled[n] for n in numbers], k, [f"q{n}" for n in numbers])
    assert after == pytest.approx(before, abs=1e-12)


@given(grades_and_scores, st.none() | st.integers(1, 12))
def test_renaming_queries_moves_no_score(queries, k):
    before = every_score(queries, k)
    after = every_score(queries, k, [f"{-n}" for n in range(len(queries))])
    assert list(after.values()) == list(before.values())


@given(grades_and_scores, st.none() | st.integers(1, 12), st.sampled_from(["mean", "input"]))
def test_monotone_change_of_scores_moves_no_score(queries, k, ties):
    before = every_score(queries, k, ties=ties)
    for change in (
        lambda s: 2.0**s,
        lambda s: s / 7 - 1e6,
        lambda s: s**3,
        lambda s: math.inf if s == 3 else s,
    ):
        changed = [[(grade, change(score)) for grade, score in query] for query in queries]
        assert every_score(changed, k, ties=ties) == pytest.approx(before, abs=1e-12)


@given(grades_and_scores, st.integers(1, 12), st.sampled_from(["docid", "input"]))
def test_documents_that_are_not_relevant_at_the_end_move_no_score(queries, k, ties):
    before = every_score(queries, k)
    longer = [[*query, (0, -9), (0, -8)] for query in queries]
    assert every_score(longer, k) == pytest.approx(before, abs=1e-12)


@given(grades_and_scores, st.integers(1, 12))
def test_a_better_document_moved_up_lowers_nothing(queries, k):
    """The two documents swap their scores: the better one gets the higher."""
    before = every_score(queries, k)
    for place in range(1, min(map(len, queries))):
        swapped = []
        for query in queries:
            (grade_a, score_a), (grade_b, score_b) = query[0], query[place]
            better, worse = max(grade_a, grade_b), min(grade_a, grade_b)
            high, low = max(score_a, score_b), min(score_a, score_b)
            swapped.append([(better, high), *query[1:place], (worse, low), *query[place + 1 :]])
        after = every_score(swapped, k)
        assert all(after[key] >= before[key] - 1e-12 for key in before)


def test_no_two_metrics_disagree_on_the_order():
    """With one relevant document, every metric tells its rank, whichever way it gets there."""
    rng = np.random.default_rng(5)
    scores = rng.integers(0, 9, (300, 40)).astype(float)
    grades = np.zeros((300, 40))
    grades[np.arange(300), rng.integers(0, 40, 300)] = 1
    for run in (as_records(grades, scores), as_records(grades, scores, ties="input")):
        rr = run.reciprocal_rank()
        assert run.average_precision() == pytest.approx(rr, abs=1e-12)
        assert sum(run.hit_rate_at_k(k) / (k * (k + 1)) for k in range(1, 40)) + 1 / 40 == pytest.approx(rr)
        assert run.recall_at_k(7) == pytest.approx(run.hit_rate_at_k(7), abs=1e-12)
    assert batch.reciprocal_rank(grades, scores) == pytest.approx(
        as_records(grades, scores).reciprocal_rank()
    )


# ---------------------------------------------------------------------------------------------------
# Memory: at most the input again


@pytest.mark.parametrize("decimals", [None, 2], ids=["no ties", "ties"])
def test_peak_memory(decimals):
    rng = np.random.default_rng(6)
    grades, scores = rng.integers(0, 5, (4000, 100)).astype(float), rng.random((4000, 100))
    scores = scores if decimals is None else scores.round(decimals)
    ids = np.repeat(np.arange(4000), 100)

    def by_matrix():
        return batch.ndcg(grades, scores, 10), batch.average_precision(grades, scores)

    def by_records():
        run = batch.Records(ids, grades.ravel(), scores.ravel())
        return run.ndcg(10), run.average_precision(), run.reciprocal_rank()

    for compute, given_bytes in (
        (by_matrix, grades.nbytes + scores.nbytes),
        (by_records, ids.nbytes + grades.nbytes + scores.nbytes),
    ):
        tracemalloc.start()
        compute()
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert peak <= given_bytes
