"""MetricExplorer, driven in code as a learner drives it by hand."""

import re

import ipywidgets
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankedu import data, metrics
from rankedu.widgets import MetricExplorer

QUERIES = {
    "parse json": (["json.tool", "json.loads", "json"], [1, 3, 2]),
    "read csv": (["csv", "io", "csv.reader", "shelve"], [1, 0, 3, 0]),
}
JUDGED = {"parse json": [3, 3, 2, 1], "read csv": [3, 1, 0, 0]}


@pytest.fixture
def ex():
    return MetricExplorer(QUERIES, judged=JUDGED)


def redraws(ex):
    """A list that grows by one at every redraw of the cards."""
    seen = []
    ex.view.observe(lambda change: seen.append(change["new"]), "value")
    return seen


def expected(ex):
    """The three means from `metrics`, for the lists and settings that the explorer has now."""
    rankings = [ranking.grades for ranking in ex.lists.values()]
    judged = [JUDGED[query] for query in ex.lists]
    return {
        "NDCG": metrics.mean_ndcg(rankings, ex.k, judged=judged, gain=ex.gain),
        "MAP": metrics.mean_average_precision(rankings, ex.k, judged=judged, threshold=ex.threshold),
        "MRR": metrics.mean_reciprocal_rank(rankings, ex.k, threshold=ex.threshold),
    }


# ---------------------------------------------------------------------------------------------------
# Three modes


@pytest.mark.parametrize(
    ("mode", "names"),
    [("NDCG", ("mean NDCG@5", "NDCG@5")), ("MAP", ("MAP@5", "AP@5")), ("MRR", ("MRR@5", "RR@5"))],
)
def test_a_mode_shows_each_query_and_the_mean_by_name(ex, mode, names):
    ex.controls["mode"].value = mode
    assert ex.mode == mode
    assert ex.value == pytest.approx(expected(ex)[mode])
    assert f"<span>{names[0]}</span> <strong>{ex.value:.3f}</strong>" in ex.head.value
    for query, work in ex.works[mode].items():
        assert f">{query}</p>" in ex.view.value
        assert f"<span>{names[1]}</span> <strong>{work.value:.3f}</strong>" in ex.view.value


@pytest.mark.parametrize("mode", ["NDCG", "MAP", "MRR"])
def test_every_rank_shows_its_contribution_in_every_mode(ex, mode):
    ex.mode = mode
    shown = re.findall(r'width:([\d.]+)%"></span><span class="rk-worth".*?></span></span>([\d.]+)</td>',
                       ex.view.value)  # fmt: skip
    rows = [row for work in ex.works[mode].values() for row in work.rows]
    assert [f"{row.contribution:.3f}" for row in rows] == [number for _, number in shown]
    assert [row.contribution > 0 for row in rows] == [float(bar) > 0 for bar, _ in shown]


def test_all_three_stand_in_the_board_whatever_the_mode(ex):
    for mode in ("NDCG", "MAP", "MRR"):
        ex.mode = mode
        for name, value in expected(ex).items():
            assert f"<b>{value:.3f}</b>" in ex.board.value, name


@pytest.mark.parametrize(
    ("mode", "matters", "not_there"),
    [("NDCG", "gain", "threshold"), ("MAP", "threshold", "gain"), ("MRR", "threshold", "gain")],
)
def test_only_what_matters_in_the_mode_can_be_set(ex, mode, matters, not_there):
    ex.mode = mode
    assert not ex.controls[matters].disabled
    assert ex.controls[not_there].disabled
    assert not ex.controls["k"].disabled


def test_the_controls_set_the_settings_and_follow_them(ex):
    ex.controls["k"].value = 2
    ex.controls["gain"].value = "exponential"
    ex.controls["threshold"].value = 2
    assert (ex.k, ex.gain, ex.threshold) == (2, "exponential", 2)
    assert ex.means == pytest.approx(expected(ex))
    ex.k, ex.gain, ex.threshold = 4, "linear", 0.5
    assert ex.controls["k"].value == 4
    assert ex.controls["gain"].value == "linear"
    assert ex.means == pytest.approx(expected(ex))


# ---------------------------------------------------------------------------------------------------
# Moving


def test_the_sliders_move_the_items_of_the_active_query_alone(ex):
    ex.controls["active"].value = "read csv"
    assert ex.sliders is ex.lists["read csv"].sliders
    ex.sliders[2].value = 1
    assert ex.lists["read csv"].grades == [3, 1, 0, 0]
    assert ex.lists["parse json"].grades == [1, 3, 2]
    assert [box.value for box in ex.lists["read csv"].boxes] == [2, 3, 1, 4]
    assert ex.means == pytest.approx(expected(ex))


def test_the_page_holds_the_movers_of_the_active_query(ex):
    assert ex.lists["parse json"] in list(_all(ex))
    assert ex.lists["read csv"] not in list(_all(ex))
    ex.active = "read csv"
    assert ex.lists["read csv"] in list(_all(ex))
    assert 'rk-active" aria-label="read csv"' in ex.view.value


def test_one_move_is_one_redraw(ex):
    seen = redraws(ex)
    ex.sliders[0].value = 3
    assert len(seen) == 1


def test_numbers_come_before_sliders_and_the_picture_is_last(ex):
    came = []
    ex.view.observe(lambda _: came.append("numbers"), "value")
    ex.board.observe(lambda _: came.append("board"), "value")
    ex.sliders[1].observe(lambda _: came.append("slider"), "value")
    ex.image.observe(lambda _: came.append("picture"), "value")
    ex.lists["parse json"].move(0, 2)
    assert came == ["numbers", "board", "slider", "picture"]


def test_a_move_after_the_first_hit_is_seen_by_two_metrics_and_not_by_the_third():
    ex = MetricExplorer({"q": (["a", "b", "c", "d"], [1, 0, 0, 1])})
    assert "no change" not in ex.board.value
    ex.lists["q"].move("d", 2)
    changes = re.findall(r'rk-change">([^<]*)<', ex.board.value)
    gained = [metrics.ndcg([1, 1, 0, 0]) - metrics.ndcg([1, 0, 0, 1]),
              metrics.average_precision([1, 1, 0, 0]) - metrics.average_precision([1, 0, 0, 1])]  # fmt: skip
    assert changes == [*(f"▲ {by:.3f}" for by in gained), "no change"] * 2  # the query and the mean of one
    ex.lists["q"].undo()
    assert set(re.findall(r'rk-change">([^<]*)<', ex.board.value)) == {""}


def test_a_fall_is_told_from_a_rise_by_its_sign(ex):
    ex.lists["parse json"].move("json.loads", 3)
    assert "▼ " in ex.board.value


def test_reset_brings_every_list_back(ex):
    before = str(ex)
    for ranking in ex.lists.values():
        ranking.move(0, 3)
    assert str(ex) != before
    ex.reset()
    assert str(ex) == before


def test_the_picture_is_that_of_the_mode_and_the_active_list(ex):
    seen = {ex.image.value}
    for mode, active in [("MAP", "parse json"), ("MRR", "parse json"), ("MRR", "read csv")]:
        ex.mode, ex.active = mode, active
        seen.add(ex.image.value)
    assert len(seen) == 4
    ex.mode, ex.active = "NDCG", "parse json"
    assert ex.image.value in seen


def test_kept_pictures_do_not_pile_up(ex, monkeypatch):
    monkeypatch.setattr("rankedu.widgets._explorer.MOST_PICTURES", 3)
    first = ex.image.value
    for k in (1, 2, 3, 4, 5):
        ex.k = k
    assert len(ex._pictures) == 3
    assert ex.image.value == first


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(list(QUERIES)), st.integers(0, 2), st.integers(1, 3)), max_size=5),
    st.integers(1, 6),
    st.sampled_from(["NDCG", "MAP", "MRR"]),
)
def test_after_any_moves_the_numbers_are_those_of_metrics(moves, k, mode):
    ex = MetricExplorer(QUERIES, judged=JUDGED)
    ex.k, ex.mode = k, mode
    for query, item, rank in moves:
        ex.lists[query].sliders[item].value = rank
    assert ex.means == pytest.approx(expected(ex))
    assert ex.value == ex.means[mode]


# ---------------------------------------------------------------------------------------------------
# Judged and not returned


def test_what_was_not_returned_is_shown_and_felt():
    lists = {"q": (["a"], [1])}
    alone = MetricExplorer(lists, k=10)
    ex = MetricExplorer(lists, k=10, not_returned={"q": {f"missed {n}": 1 for n in range(9)}})
    assert (alone.means["NDCG"], alone.means["MAP"]) == (1, 1)
    assert round(ex.means["NDCG"], 3) == 0.22
    assert ex.means["MAP"] == pytest.approx(0.1)
    assert ex.means["MRR"] == 1
    assert "missed 8" in ex.view.value
    assert "not in this list: missed 8 1" in str(ex)


def test_k_beyond_the_lists_can_be_set_where_it_was_given():
    ex = MetricExplorer({"q": (["a"], [1])}, k=10, judged={"q": [1] * 10})
    assert ex.controls["k"].value == 10
    ex.controls["k"].value = 1
    assert ex.means["NDCG"] == 1


# ---------------------------------------------------------------------------------------------------
# The example, and what is there without a kernel


def test_the_example_is_a_real_answer_that_tells_the_modes_apart():
    ex, task = MetricExplorer(), data.load("stdlib_search")
    texts = {text: query for query, text in task.queries.items()}
    assert len(ex.queries) == 3
    for query, ranking in ex.lists.items():
        assert ranking.titles == task.ranking("bm25", texts[query])[:6]
        assert ex.works["NDCG"][query].value == metrics.ndcg(
            ranking.grades, 5, judged=task.judged(texts[query])
        )
    assert len({round(value, 2) for value in ex.means.values()}) == 3
    last = list(ex.lists.values())[-1]
    assert ex.works["MRR"][ex.queries[-1]].value == 0
    last.move(5, 5)  # its only hit is just below the cut
    assert all(works[ex.queries[-1]].value > 0 for works in ex.works.values())


def test_the_text_says_the_three_means_and_the_conventions(ex):
    assert repr(ex) == (
        "mean NDCG@5 = {NDCG:.3f}, MAP@5 = {MAP:.3f}, MRR@5 = {MRR:.3f} over 2 queries (linear gain; "
        "relevant: grade 1 or more; ideal and R from all that was judged)".format(**expected(ex))
    )


def test_without_a_kernel_every_number_is_there_as_text_and_as_a_table(ex):
    ex.mode = "MRR"
    bundle = ex._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in bundle
    numbers = [f"{work.value:.3f}" for works in ex.works.values() for work in works.values()]
    numbers += [f"{value:.3f}" for value in ex.means.values()]
    for text in ("text/plain", "text/html"):
        assert [number for number in numbers if number not in bundle[text]] == []
    assert "parse json: json.tool 1, json.loads 3, json 2; not in this list: 1 judged document 3" in str(ex)
    assert bundle["text/html"].count("<table>") == 3


def test_the_text_is_the_same_for_the_same_lists(ex):
    other = MetricExplorer(QUERIES, judged=JUDGED)
    assert str(other) == str(ex)
    assert other._repr_mimebundle_()["text/html"] == ex._repr_mimebundle_()["text/html"]


def test_titles_and_queries_are_text_not_html():
    ex = MetricExplorer({"<b>": (["<img>", "a & b"], [1, 0])})
    page = ex._repr_mimebundle_()["text/html"]
    assert "<b></p>" not in page
    assert "<img>" not in page
    assert "&lt;img&gt;" in ex.view.value
    assert "&lt;b&gt;" in ex.board.value


def test_every_control_can_be_reached_and_named(ex):
    assert not [w for w in _all(ex) if isinstance(w, ipywidgets.Dropdown | ipywidgets.RadioButtons)]
    for control in _all(ex):
        if isinstance(control, ipywidgets.IntSlider | ipywidgets.BoundedIntText | ipywidgets.Button):
            assert control.tooltip
        if isinstance(control, ipywidgets.ToggleButtons):
            assert len(control.tooltips) == len(control.options)


# ---------------------------------------------------------------------------------------------------
# Extremes


@pytest.mark.parametrize("grades", ["some", "none", "all"])
@pytest.mark.parametrize(("n", "k"), [(1, 1), (1, 5), (20, 1), (20, 50), (3, None)], ids=str)
def test_extremes(grades, n, k):
    values = {"some": [3, 0, 1, 2] * 5, "none": [0] * 20, "all": [1] * 20}[grades][:n]
    lists = {f"query {q}": ([f"item {i}" for i in range(n)], values) for q in (1, 2)}
    ex = MetricExplorer(lists, k)
    for mode, item, rank in [("MRR", 0, n), ("MAP", n - 1, 1)]:
        ex.mode = mode
        ex.sliders[item].value = rank
        assert ex.lists["query 1"].order[rank - 1] == item
    rankings = [ranking.grades for ranking in ex.lists.values()]
    assert ex.means["NDCG"] == pytest.approx(metrics.mean_ndcg(rankings, k))
    assert ex.means["MAP"] == pytest.approx(metrics.mean_average_precision(rankings, k))
    assert ex.means["MRR"] == pytest.approx(metrics.mean_reciprocal_rank(rankings, k))
    assert ex.view.value.count("<tr") == 2 * (n + 1)


BAD = [
    ("a list", lambda: MetricExplorer([1, 2]), TypeError, "queries must be a dict"),
    ("none", lambda: MetricExplorer({}), ValueError, "queries must hold 1 to 6"),
    ("seven", lambda: MetricExplorer({str(i): (["a"], [1]) for i in range(7)}), ValueError, "1 to 6"),
    ("no pair", lambda: MetricExplorer({"q": ["a"]}), TypeError, "'q' must have a pair"),
    ("a grade short", lambda: MetricExplorer({"q": (["a", "b"], [1])}), ValueError, "'q': grades must hold"),
    ("same text", lambda: MetricExplorer({1: (["a"], [1]), "1": (["a"], [1])}), ValueError, "different"),
    ("mode", lambda: MetricExplorer(QUERIES, mode="AUC"), ValueError, "mode must be one of 'NDCG'"),
    ("k", lambda: MetricExplorer(QUERIES, k=0), ValueError, "k must be"),
    ("gain", lambda: MetricExplorer(QUERIES, gain="cubic"), ValueError, "gain must be"),
    ("judged of another", lambda: MetricExplorer(QUERIES, judged={"x": [1]}), ValueError, "judged names"),
    ("judged no dict", lambda: MetricExplorer(QUERIES, judged=[1]), TypeError, "judged must be a dict"),
    ("judged lacks", lambda: MetricExplorer(QUERIES, judged={"parse json": [1]}), ValueError, "judged must"),
    ("judged twice", lambda: MetricExplorer(QUERIES, judged=JUDGED, not_returned={"read csv": {"x": 1}}),
     ValueError, "not both"),
    ("judged alone", lambda: MetricExplorer(judged=JUDGED), ValueError, "queries was left out"),
]  # fmt: skip


@pytest.mark.parametrize(("make", "error", "says"), [c[1:] for c in BAD], ids=[c[0] for c in BAD])
def test_bad_input_is_refused_by_name(make, error, says):
    with pytest.raises(error, match=says):
        make()


@pytest.mark.parametrize(
    ("act", "says"),
    [
        (lambda ex: setattr(ex, "k", -1), "k must be"),
        (lambda ex: setattr(ex, "gain", "cubic"), "gain must be"),
        (lambda ex: setattr(ex, "mode", "ndcg"), "mode must be"),
        (lambda ex: setattr(ex, "active", "nobody's"), "active must be"),
        (lambda ex: ex.lists["parse json"].move(0, 9), "rank must be"),
    ],
    ids=["k", "gain", "mode", "active", "rank"],
)
def test_after_a_refused_change_all_is_as_before(ex, act, says):
    before = str(ex), ex.view.value, ex.k, ex.gain, ex.mode, ex.active
    with pytest.raises(ValueError, match=says):
        act(ex)
    assert (str(ex), ex.view.value, ex.k, ex.gain, ex.mode, ex.active) == before
    ex.lists["parse json"].move(0, 2)
    assert ex.means == pytest.approx(expected(ex))


def _all(widget):
    yield widget
    for child in getattr(widget, "children", ()):
        yield from _all(child)


# ---------------------------------------------------------------------------------------------------
# The moves that lesson 09 asks for, and what it says one should see


def test_the_moves_of_the_lesson_show_what_it_says():
    ex = MetricExplorer()

    def scores(query):
        return [f"{works[query].value:.3f}" for works in ex.works.values()]

    assert scores("read a csv file") == ["0.497", "0.302", "0.500"]
    ex.lists["read a csv file"].move("csv.reader", 2)
    assert scores("read a csv file") == ["0.536", "0.302", "0.500"]
    lower = {}
    for order in ("after", "before"):
        ex.threshold = 2
        lower[order] = [float(score) for score in scores("read a csv file")[1:]]
        ex.reset()
    assert all(after > before for after, before in zip(lower["after"], lower["before"], strict=True))
    ex.threshold = 1
    ex.lists["parse json"].move("json.load", 5)
    assert scores("parse json") == ["0.970", "1.000", "1.000"]
    climb = []
    for rank in (5, 4, 3, 2, 1):
        ex.lists["swallow an exception"].move("contextlib.suppress", rank)
        climb.append(scores("swallow an exception"))
    ndcg, ap, rr = zip(*climb, strict=True)
    assert ndcg == ("0.387", "0.431", "0.500", "0.631", "1.000")
    assert ap == rr == ("0.200", "0.250", "0.333", "0.500", "1.000")
