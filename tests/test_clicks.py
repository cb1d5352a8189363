"""Clicks: who looks how far, who clicks, and what a log of clicks says of two orders."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankedu import clicks, metrics

PARSE_JSON = [1, 2, 0, 3, 3, 3]
BEST_FIRST = [3, 4, 5, 1, 0, 2]

grades = st.lists(st.integers(0, 3), min_size=1, max_size=6)
patience = st.floats(0.05, 1)


def test_rank_1_is_always_seen_and_each_next_one_patience_times_as_often():
    assert clicks.seen(4, 0.5).tolist() == [1, 0.5, 0.25, 0.125]
    assert clicks.seen(3, 1).tolist() == [1, 1, 1]
    assert clicks.seen(0, 0.5).tolist() == []


def test_a_better_grade_is_clicked_more_and_none_surely_or_never():
    chances = clicks.appeal(range(5), highest=4)
    assert chances[0] == 0.05
    assert chances[-1] == pytest.approx(0.95)
    assert (np.diff(chances) > 0).all()


@given(grades, patience)
def test_the_share_who_click_is_the_sum_over_everything_that_can_happen(grades, patience):
    """Brute force: every depth at which a user can stop, and every pattern of clicks above it."""
    n, wanted = len(grades), 0.0
    appeal = clicks.appeal(grades)
    for depth in range(1, n + 1):
        stops = patience ** (depth - 1) * ((1 - patience) if depth < n else 1)
        for pattern in itertools.product([0, 1], repeat=depth):
            chance = np.prod([a if hit else 1 - a for hit, a in zip(pattern, appeal, strict=False)])
            wanted += stops * chance * any(pattern)
    assert clicks.share_who_click(grades, patience) == pytest.approx(wanted)


@given(grades, patience)
def test_moving_a_better_document_up_never_loses_a_user_who_clicks(grades, patience):
    best = sorted(grades, reverse=True)
    assert clicks.share_who_click(best, patience) >= clicks.share_who_click(grades, patience) - 1e-12


def test_the_simulation_keeps_to_the_model():
    log = clicks.simulate(PARSE_JSON, 0.7, users=200_000)
    wanted = clicks.seen(6, 0.7) * clicks.appeal(PARSE_JSON)
    assert log.rates == pytest.approx(wanted, abs=0.005)
    assert log.corrected == pytest.approx(clicks.appeal(PARSE_JSON), abs=0.02)


def test_the_same_seed_gives_the_same_clicks_and_another_gives_others():
    first, again, other = (clicks.simulate(PARSE_JSON, 0.7, seed=seed) for seed in (1, 1, 2))
    assert first.clicks.tolist() == again.clicks.tolist() != other.clicks.tolist()


def test_the_more_patient_click_no_less_on_any_rank():
    logs = [clicks.simulate(PARSE_JSON, p).clicks for p in (0.3, 0.5, 0.7, 0.9, 1.0)]
    assert all((less <= more).all() for less, more in itertools.pairwise(logs))
    assert len({log[0] for log in logs}) == 1, "rank 1 is seen by all, whatever their patience"


@pytest.mark.parametrize(
    ("patience", "clicks_prefer"), [(0.3, "shown"), (0.5, "shown"), (0.9, "best"), (1.0, "best")]
)
def test_clicks_of_the_impatient_prefer_whatever_was_shown(patience, clicks_prefer):
    log = clicks.simulate(PARSE_JSON, patience)
    shown, best = range(6), BEST_FIRST
    assert log.ndcg(best, log.grades) == 1 > log.ndcg(shown, log.grades)
    wins = "best" if log.ndcg(best, log.rates) > log.ndcg(shown, log.rates) else "shown"
    assert wins == clicks_prefer
    assert log.ndcg(best, log.corrected) > log.ndcg(shown, log.corrected)


def test_the_verdict_says_what_each_kind_of_label_makes_of_both_orders():
    log = clicks.simulate(PARSE_JSON, 0.5)
    head, *lines = log.verdict(BEST_FIRST).splitlines()
    assert head == "NDCG@6, linear gain"
    for line, labels in zip(lines, [log.grades, log.rates, log.corrected], strict=True):
        shown, best = log.ndcg(range(6), labels), log.ndcg(BEST_FIRST, labels)
        assert line.endswith(f": as shown {shown:.3f}, other order {best:.3f}")


def test_ndcg_by_the_grades_is_that_of_the_metrics():
    log = clicks.simulate(PARSE_JSON, 0.5)
    assert log.ndcg(range(6), log.grades) == metrics.ndcg(PARSE_JSON)


@pytest.mark.parametrize(
    ("share", "other", "users"), [(0.10, 0.11, 14751), (0.11, 0.10, 14751), (0.5, 0.6, 388)]
)
def test_users_needed(share, other, users):
    assert clicks.users_needed(share, other) == users


def test_users_needed_find_the_difference_four_times_in_five():
    a, b = 0.5, 0.56
    n = clicks.users_needed(a, b)
    rng = np.random.default_rng(0)
    left, right = (rng.binomial(n, share, 20_000) / n for share in (a, b))
    mean = (left + right) / 2
    found = np.abs(left - right) > 1.96 * np.sqrt(2 * mean * (1 - mean) / n)
    assert found.mean() == pytest.approx(0.8, abs=0.01)


def test_a_smaller_difference_needs_more_users():
    needed = [clicks.users_needed(0.5, 0.5 + gap) for gap in (0.1, 0.05, 0.01, 0.001)]
    assert needed == sorted(needed)


@pytest.mark.parametrize("patience", [0, -0.1, 1.1, float("nan")])
def test_patience_is_above_0_and_at_most_1(patience):
    for call in (lambda: clicks.seen(3, patience), lambda: clicks.simulate([1, 0], patience)):
        with pytest.raises(ValueError, match="patience must be above 0 and at most 1; got"):
            call()


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: clicks.appeal([4, 0]), "grades must lie between 0 and highest = 3"),
        (lambda: clicks.appeal([-1, 0]), "grades must lie between 0"),
        (lambda: clicks.simulate([1, 0], 0.5, users=0), "users must be a whole number of at least 1; got 0"),
        (lambda: clicks.simulate([1, 0], 0.5, users=True), "users must be a whole number"),
        (lambda: clicks.users_needed(0.2, 0.2), "two different numbers"),
        (lambda: clicks.users_needed(0.2, 1.2), "from 0 to 1"),
    ],
)
def test_what_is_refused(call, says):
    with pytest.raises(ValueError, match=says):
        call()


def test_the_picture_says_every_rate_in_words():
    log = clicks.simulate(PARSE_JSON, 0.5)
    words = log.picture().text
    assert all(f"{rate:.2f}" in words for rate in log.rates)
    assert "2,000 users with patience 0.5" in words
