"""The slider widgets, driven in code as a learner drives them by hand."""

import io

import ipywidgets
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from rankedu import explain, metrics
from rankedu.widgets import RankingSliders

TITLES = ["csv", "argparse", "json", "io", "shelve"]
GRADES = [2, 0, 1, 2, 1]


@pytest.fixture
def w():
    return RankingSliders(TITLES, GRADES)


def redraws(w):
    """A list that grows by one at every redraw of the numbers."""
    seen = []
    w.view.observe(lambda change: seen.append(change["new"]), "value")
    return seen


# ---------------------------------------------------------------------------------------------------
# Moving


def test_a_slider_moves_its_item_and_the_others_close_up(w):
    w.sliders[0].value = 3
    assert w.order == (1, 2, 0, 3, 4)
    assert w.grades == [0, 1, 2, 2, 1]
    assert [slider.value for slider in w.sliders] == [3, 1, 2, 4, 5]
    assert [box.value for box in w.boxes] == [3, 1, 2, 4, 5]


def test_one_move_is_one_redraw(w):
    seen = redraws(w)
    w.sliders[4].value = 1
    assert len(seen) == 1


@pytest.mark.parametrize(
    "act",
    [
        lambda w: setattr(w.boxes[0], "value", 3),
        lambda w: w.move(0, 3),
        lambda w: w.move("csv", 3),
        lambda w: setattr(w, "order", [1, 2, 0, 3, 4]),
        lambda w: [_button(w, "csv: one rank down").click() for _ in range(2)],
    ],
    ids=["number box", "move by index", "move by title", "order assigned", "step buttons"],
)
def test_every_way_to_move_leads_to_the_same_order(w, act):
    act(w)
    assert w.order == (1, 2, 0, 3, 4)
    assert w.sliders[0].value == w.boxes[0].value == 3


def test_a_step_beyond_an_end_does_nothing(w):
    _button(w, "csv: one rank up").click()
    _button(w, "shelve: one rank down").click()
    assert w.order == (0, 1, 2, 3, 4)


def test_undo_takes_back_one_change_at_a_time(w):
    w.move(0, 3)
    w.sort_best_first()
    assert w.grades == [2, 2, 1, 1, 0]
    w.reset()
    assert w.order == (0, 1, 2, 3, 4)
    for order in [(0, 3, 2, 4, 1), (1, 2, 0, 3, 4), (0, 1, 2, 3, 4), (0, 1, 2, 3, 4)]:
        w.undo()
        assert w.order == order


def test_one_drag_in_the_page_is_one_step_of_undo(w):
    for rank in (2, 3, 4):
        w.sliders[0].set_state({"value": rank})
    assert w.order == (1, 2, 3, 0, 4)
    w.undo()
    assert w.order == (0, 1, 2, 3, 4)


def test_best_first_keeps_the_order_of_equal_grades(w):
    w.sort_best_first()
    assert w.titles == ["csv", "io", "json", "shelve", "argparse"]
    assert w.value == 1


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(1, 5)), max_size=6))
def test_after_any_moves_the_sliders_are_the_order(moves):
    w = RankingSliders(TITLES, GRADES, picture=False)
    for item, rank in moves:
        w.sliders[item].value = rank
        assert w.order[rank - 1] == item
    assert [w.order[slider.value - 1] for slider in w.sliders] == [0, 1, 2, 3, 4]
    assert w.value == metrics.ndcg(w.grades, 5)


# ---------------------------------------------------------------------------------------------------
# What is shown


def test_the_numbers_of_the_present_order_are_in_the_page(w):
    assert "0.894" in w.view.value
    assert "= 3.748 / 4.193" in w.view.value
    w.move("argparse", 1)
    assert "0.894" not in w.view.value
    assert f"{w.value:.3f}" in w.view.value


def test_the_picture_changes_with_the_order_and_comes_back(w):
    first = w.images[0].value
    assert Image.open(io.BytesIO(first)).size == (1280, 460)
    w.move(0, 5)
    assert w.images[0].value != first
    w.undo()
    assert w.images[0].value == first


def test_numbers_come_before_sliders_and_the_picture_is_last(w):
    came = []
    w.view.observe(lambda _: came.append("numbers"), "value")
    w.sliders[1].observe(lambda _: came.append("slider"), "value")
    w.images[0].observe(lambda _: came.append("picture"), "value")
    w.move(0, 2)
    assert came == ["numbers", "slider", "picture"]


def test_the_text_says_the_score_and_the_order(w):
    assert repr(w) == (
        "NDCG@5 = 0.894 (linear gain; ideal from the ranking itself): "
        "csv 2, argparse 0, json 1, io 2, shelve 1"
    )


def test_without_a_kernel_the_output_is_a_table(w):
    bundle = w._repr_mimebundle_()
    assert bundle["text/plain"] == str(explain.ndcg(GRADES, 5, items=TITLES))
    assert "<table>" in bundle["text/html"]
    assert "application/vnd.jupyter.widget-view+json" in bundle


def test_titles_are_text_not_html():
    w = RankingSliders(["<img>", "a & b"], [1, 0])
    assert "&lt;img&gt;" in w.view.value
    assert "a &amp; b" in w.view.value


def test_every_control_has_a_tooltip(w):
    controls = [*w.sliders, *w.boxes, *_all(w, ipywidgets.Button)]
    assert all(control.tooltip for control in controls)


# ---------------------------------------------------------------------------------------------------
# Settings


@pytest.mark.parametrize("name", explain.METRICS)
def test_each_metric_is_shown_with_its_own_work(name):
    w = RankingSliders(TITLES, GRADES, k=3, metric=name, judged=[*GRADES, 2])
    assert w.value == w.explanations[0].value
    w.sort_best_first()
    assert (
        f"<strong>{getattr(metrics, name)(w.grades, 3, **_known(name, judged=w.judged)):.3f}</strong>"
        in w.view.value
    )


def test_several_metrics_stand_side_by_side():
    w = RankingSliders(
        TITLES, [1, 0, 0, 0, 1], metric=["reciprocal_rank", "average_precision", "ndcg"], judged=[1] * 5
    )
    assert [round(work.value, 3) for work in w.explanations] == [1, 0.28, 0.47]
    assert len(w.images) == 3
    assert all(text in w.view.value for text in ("1.000", "0.280", "0.470", "3 judged documents"))


def test_settings_can_be_changed_and_are_felt():
    w = RankingSliders(TITLES, GRADES)
    w.k = 3
    assert w.value == metrics.ndcg(GRADES, 3)
    w.gain = "exponential"
    assert w.value == metrics.ndcg(GRADES, 3, gain="exponential")
    w.judged = [*GRADES, 2]
    assert w.value == metrics.ndcg(GRADES, 3, gain="exponential", judged=[*GRADES, 2])


def test_controls_set_the_settings_and_follow_them():
    w = RankingSliders(
        TITLES, GRADES, metric=["ndcg", "average_precision"], controls=["k", "gain", "threshold"]
    )
    w.controls["k"].value = 2
    w.controls["gain"].value = "exponential"
    w.controls["threshold"].value = 2
    assert (w.k, w.gain, w.threshold) == (2, "exponential", 2)
    w.k = 4
    assert w.controls["k"].value == 4
    w.threshold = 0.5  # a slider of whole numbers cannot show it
    assert w.threshold == 0.5


def test_judged_documents_that_were_not_returned_are_listed_and_felt():
    w = RankingSliders(["a"], [1], k=10, not_returned={f"missed {n}": 1 for n in range(9)})
    assert round(w.value, 3) == 0.22
    assert "missed 8" in w.view.value
    assert w.view.value.count("not in this list") == 9


def test_the_spread_picture_marks_this_order():
    w = RankingSliders(TITLES, GRADES, picture="spread")
    first = w.images[0].value
    w.sort_best_first()
    assert w.images[0].value != first


# ---------------------------------------------------------------------------------------------------
# Extremes


@pytest.mark.parametrize("name", explain.METRICS)
@pytest.mark.parametrize(
    ("n", "k"), [(1, 1), (1, 5), (20, 1), (20, 10), (20, 50), (3, None)], ids=lambda value: str(value)
)
@pytest.mark.parametrize("grades", ["some", "none", "all"])
def test_extremes(name, n, k, grades):
    values = {"some": [3, 0, 1, 2] * 5, "none": [0] * 20, "all": [1] * 20}[grades][:n]
    # A picture takes longest; those of the three kinds of grades differ in nothing but heights.
    w = RankingSliders([f"item {i}" for i in range(n)], values, k=k, metric=name, picture=grades == "some")
    for item, rank in [(0, n), (n - 1, 1), (n // 2, n)]:
        w.sliders[item].value = rank
        assert w.order[rank - 1] == item
    assert w.value == w.explanations[0].value >= 0
    assert w.view.value.count("<tr") == n + 1


def test_equal_titles_are_told_apart_by_index():
    w = RankingSliders(["io", "io"], [1, 2])
    w.move(1, 1)
    assert w.grades == [2, 1]
    with pytest.raises(ValueError, match="'io' is that of 2 items"):
        w.move("io", 2)


BAD = [
    ("no items", lambda: RankingSliders([], []), ValueError, "items must hold 1 to 20"),
    ("21 items", lambda: RankingSliders(["x"] * 21, [1] * 21), ValueError, "items must hold 1 to 20"),
    ("a text for items", lambda: RankingSliders("abc", [1, 1, 1]), TypeError, "items must be a list"),
    ("a grade short", lambda: RankingSliders(["a", "b"], [1]), ValueError, "grades must hold one grade"),
    ("a negative grade", lambda: RankingSliders(["a"], [-1]), ValueError, "grades must not be negative"),
    ("k = 0", lambda: RankingSliders(["a"], [1], k=0), ValueError, "k must be"),
    ("unknown metric", lambda: RankingSliders(["a"], [1], metric="ndgc"), ValueError, "did you mean 'ndcg'"),
    ("unknown control", lambda: RankingSliders(["a"], [1], controls=["speed"]), ValueError, "controls must"),
    ("idle control", lambda: RankingSliders(["a"], [1], controls=["threshold"]), ValueError,
     "changes nothing"),
    ("judged lacks", lambda: RankingSliders(["a"], [2], judged=[1]), ValueError, "judged must hold"),
    ("judged twice", lambda: RankingSliders(["a"], [2], judged=[2], not_returned={"b": 1}), ValueError,
     "not both"),
]  # fmt: skip


@pytest.mark.parametrize(("make", "error", "says"), [c[1:] for c in BAD], ids=[c[0] for c in BAD])
def test_bad_input_is_refused_by_name(make, error, says):
    with pytest.raises(error, match=says):
        make()


@pytest.mark.parametrize(
    ("act", "error", "says"),
    [
        (lambda w: w.move(9, 1), ValueError, "item must be an index from 0 to 4"),
        (lambda w: w.move(0, 6), ValueError, "rank must be from 1 to 5"),
        (lambda w: w.move(0, 1.5), TypeError, "rank must be a whole number"),
        (lambda w: setattr(w, "order", [0, 0, 1, 2, 3]), ValueError, "order must hold each"),
        (lambda w: setattr(w, "k", 0), ValueError, "k must be"),
        (lambda w: setattr(w, "gain", "cubic"), ValueError, "gain must be"),
    ],
    ids=["item", "rank", "half a rank", "order", "k", "gain"],
)
def test_after_a_refused_change_all_is_as_before(w, act, error, says):
    before = w.view.value, w.order, w.k, w.gain
    with pytest.raises(error, match=says):
        act(w)
    assert (w.view.value, w.order, w.k, w.gain) == before
    w.move(0, 2)
    assert w.order[1] == 0


def _known(name, **options):
    return {option: value for option, value in options.items() if option in explain.METRICS[name][1]}


def _all(widget, kind):
    found = [widget] if isinstance(widget, kind) else []
    for child in getattr(widget, "children", ()):
        found += _all(child, kind)
    return found


def _button(w, tooltip):
    return next(button for button in _all(w, ipywidgets.Button) if button.tooltip == tooltip)
