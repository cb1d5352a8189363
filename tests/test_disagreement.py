"""Disagreement and Shares, driven in code as a learner drives them by hand."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankedu import metrics
from rankedu.widgets import Disagreement, Shares

ITEMS = [f"page {i}" for i in range(1, 9)]
GRADES = [1, 1, 1, 0, 0, 0, 0, 0]


def place(ranking, pattern):
    """Move the items of a list so that its grades are the pattern."""
    left = [*range(len(ranking.items))]
    order = []
    for grade in pattern:
        item = next(i for i in left if GRADES[i] == grade)
        left.remove(item)
        order.append(item)
    ranking.order = order


@pytest.fixture
def d():
    return Disagreement(ITEMS, GRADES)


def test_it_starts_with_no_disagreement(d):
    assert d.prefers == {"NDCG@8": None, "AP": None}
    assert not d.disagree
    assert d.found == ()
    assert "Not yet: NDCG@8 sees no difference, AP sees no difference." in d.verdict.value


def test_a_pair_that_disagrees_is_found_and_said(d):
    place(d.a, [1, 0, 0, 0, 0, 0, 1, 1])
    place(d.b, [0, 1, 1, 0, 0, 1, 0, 0])
    assert d.prefers == {"NDCG@8": "A", "AP": "B"}
    assert d.disagree
    assert d.found == (((1, 0, 0, 0, 0, 0, 1, 1), (0, 1, 1, 0, 0, 1, 0, 0)),)
    assert "✓ Found: NDCG@8 prefers A, AP prefers B. Pairs found so far: 1." in d.verdict.value


def test_a_move_by_slider_reaches_the_verdict(d):
    d.b.sliders[0].value = 8
    assert d.prefers == {"NDCG@8": "A", "AP": "A"}
    assert "Not yet: NDCG@8 prefers A, AP prefers A." in d.verdict.value


def test_a_pair_counts_once_in_whichever_order_it_stands(d):
    one, two = [1, 0, 0, 0, 0, 0, 1, 1], [0, 1, 1, 0, 0, 1, 0, 0]
    for first, second in [(one, two), (two, one), (one, two)]:
        place(d.a, first)
        place(d.b, second)
    assert d.disagree
    pairs = [frozenset(pair) for pair in d.found]
    assert len(pairs) == len(set(pairs))
    assert frozenset(map(tuple, (one, two))) in pairs


def test_a_tie_is_no_disagreement():
    d = Disagreement(ITEMS, GRADES, ("reciprocal_rank", "average_precision"))
    place(d.b, [1, 0, 0, 0, 0, 0, 1, 1])
    assert d.prefers == {"RR": None, "AP": "A"}
    assert not d.disagree
    assert d.found == ()


@pytest.mark.parametrize(
    ("names", "scores"),
    [
        (("ndcg", "average_precision"), (metrics.ndcg, metrics.average_precision)),
        (("reciprocal_rank", "average_precision"), (metrics.reciprocal_rank, metrics.average_precision)),
    ],
    ids=["NDCG against AP", "RR against AP"],
)
def test_of_all_pairs_of_eight_with_three_relevant_it_finds_the_same_forty(names, scores):
    d = Disagreement(ITEMS, GRADES, names)
    orders = [tuple(int(i in hits) for i in range(8)) for hits in itertools.combinations(range(8), 3)]
    first, second = ({order: score(order) for order in orders} for score in scores)
    disagree = {
        frozenset(pair)
        for pair in itertools.combinations(orders, 2)
        if (first[pair[0]] - first[pair[1]]) * (second[pair[0]] - second[pair[1]]) < -1e-12
    }
    assert len(disagree) == 40
    for one, two in map(tuple, disagree):
        place(d.a, one)
        place(d.b, two)
        assert d.disagree
    assert {frozenset(pair) for pair in d.found} == disagree


def test_without_a_kernel_both_orders_and_the_verdict_are_there(d):
    place(d.b, [0, 1, 1, 0, 0, 1, 0, 0])
    bundle = d._repr_mimebundle_()
    assert bundle["text/plain"] == repr(d)
    assert "B: NDCG@8 0.698, AP 0.556; grades 0, 1, 1, 0, 0, 1, 0, 0" in bundle["text/plain"]
    assert bundle["text/html"].count("<table>") == 3
    assert "NDCG@8 prefers A" in bundle["text/html"]


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: Disagreement(ITEMS, GRADES, ["ndcg"]), "metrics must be two"),
        (lambda: Disagreement(ITEMS, GRADES, "ndcg"), "metrics must be two"),
        (lambda: Disagreement(ITEMS, GRADES, ["ndcg", "ndcg"]), "metrics must be two"),
        (lambda: Disagreement(ITEMS, GRADES, ["ndcg", "apx"]), "metric must be one of"),
        (lambda: Disagreement(ITEMS, [1]), "grades must hold"),
        (lambda: Disagreement(ITEMS, GRADES, k=0), "k must be"),
    ],
    ids=["one", "text", "twice", "unknown", "grades", "k"],
)
def test_bad_input_is_refused_by_name(make, says):
    with pytest.raises(ValueError, match=says):
        make()


# ---------------------------------------------------------------------------------------------------
# Shares


def test_shares_start_equal_to_the_nearest_step():
    assert Shares(["a", "b", "c"]).value == {"a": 0.35, "b": 0.35, "c": 0.3}
    assert Shares(["a", "b"]).value == {"a": 0.5, "b": 0.5}


@pytest.mark.parametrize(
    ("start", "moved", "to", "after"),
    [
        ((0.5, 0.25, 0.25), 0, 0.7, (0.7, 0.15, 0.15)),
        ((0.5, 0.25, 0.25), 0, 1.0, (1.0, 0.0, 0.0)),
        ((1.0, 0.0, 0.0), 0, 0.9, (0.9, 0.05, 0.05)),
        ((1.0, 0.0, 0.0), 1, 0.3, (0.7, 0.3, 0.0)),
        ((0.6, 0.4, 0.0), 2, 0.5, (0.3, 0.2, 0.5)),
    ],
    ids=["in proportion", "all of it", "from nothing, equally", "from the only one", "zero stays zero"],
)
def test_what_one_takes_the_others_give(start, moved, to, after):
    shares = Shares(dict(zip("abc", start, strict=True)))
    shares.sliders[moved].value = to
    assert tuple(shares.value.values()) == after
    assert tuple(slider.value for slider in shares.sliders) == after


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 100)), max_size=8))
def test_whatever_is_moved_the_shares_add_up_to_one(moves):
    shares = Shares(["a", "b", "c"])
    for i, percent in moves:
        shares.sliders[i].value = percent / 100
        assert abs(shares.sliders[i].value - percent / 100) <= 0.025 + 1e-9
        assert sum(shares.value.values()) == pytest.approx(1, abs=1e-12)
        assert min(shares.value.values()) >= 0
        assert [slider.value for slider in shares.sliders] == list(shares.value.values())


def test_a_move_is_one_change_and_assigning_moves_the_sliders():
    shares, seen = Shares(["a", "b"]), []
    shares.observe(lambda change: seen.append(change["new"]), "value")
    shares.sliders[0].value = 0.8
    shares.value = {"a": 0.1, "b": 0.9}
    assert seen == [{"a": 0.8, "b": 0.2}, {"a": 0.1, "b": 0.9}]
    assert [slider.value for slider in shares.sliders] == [0.1, 0.9]


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: Shares(["a"]), "names must hold"),
        (lambda: Shares("ab"), "names must hold"),
        (lambda: Shares({"a": 0.5, "b": 0.4}), "add up to 1"),
        (lambda: Shares({"a": 1.5, "b": -0.5}), "add up to 1"),
        (lambda: Shares({"a": 0.51, "b": 0.49}), "steps of 0.05"),
        (lambda: setattr(Shares(["a", "b"]), "value", {"a": 1.0, "c": 0.0}), "must hold the names a, b"),
    ],
    ids=["one", "text", "sum", "negative", "off the steps", "other names"],
)
def test_shares_that_are_no_whole_are_refused(make, says):
    with pytest.raises(ValueError, match=says):
        make()
