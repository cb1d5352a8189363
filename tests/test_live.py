"""Live: what a function makes of some controls is shown, and follows every change."""

import html
import re

import ipywidgets
import pytest

from rankedu import explain, metrics, pictures
from rankedu.live import Live
from rankedu.widgets import RankingSliders


def sliders():
    return RankingSliders(["csv", "json", "os"], [0, 3, 1], k=2, metric="dcg", picture=False)


def test_hands_over_the_grades_in_rank_order_and_follows_every_move():
    w = sliders()
    live = Live(lambda grades: f"first: {grades[0]:g}", grades=w)
    assert live.shown == ["first: 0"]
    w.sliders[1].value = 1
    assert live.shown == ["first: 3"]
    assert "first: 3" in live.view.value
    w.undo()
    assert live.shown == ["first: 0"]


@pytest.mark.parametrize(
    ("setting", "value"), [("k", 3), ("gain", "exponential"), ("threshold", 2), ("judged", [0, 3, 1, 4])]
)
def test_follows_a_changed_setting_of_the_sliders_after_they_have(setting, value):
    w = sliders()
    seen = []
    Live(lambda grades: seen.append((getattr(w, setting), w.value)) or "", grades=w)
    setattr(w, setting, value)
    assert seen[-1] == (value, w.explanations[0].value)


def test_several_controls_each_by_its_name():
    size, kind = ipywidgets.IntSlider(value=2), ipywidgets.ToggleButtons(options=["a", "b"])
    live = Live(lambda size, kind: f"{kind}{size}", size=size, kind=kind)
    size.value, kind.value = 7, "b"
    assert live.shown == ["b7"]
    assert repr(live) == "size = 7; kind = b\nb7"
    assert live.children[1:3] == (size, kind)


def test_text_is_text_and_never_markup():
    name = ipywidgets.Text(value="<b>&")
    live = Live(lambda name: name, name=name)
    assert "&lt;b&gt;&amp;" in live.view.value
    assert "<b>&" not in live.view.value


def test_explanations_stand_side_by_side_without_their_formula():
    gain = ipywidgets.ToggleButtons(options=["linear", "exponential"])
    live = Live(lambda gain: [explain.dcg(g, gain=gain) for g in ([2, 2, 2], [3, 0, 0])], gain=gain)
    assert live.view.value.count("<table") == 2
    assert "$$" not in live.view.value
    gain.value = "exponential"
    assert [round(work.value, 3) for work in live.shown] == [6.393, 7.0]
    assert "6.393" in live.view.value


def test_a_picture_says_in_words_what_it_shows():
    picture = pictures.weights({"1 / log2(rank + 1)": metrics.discount}, ranks=3)
    live = Live(lambda on: picture, on=ipywidgets.Checkbox())
    (alternative,) = re.findall(r'alt="([^"]*)"', live.view.value)
    assert html.unescape(alternative) == picture.text
    stored = live._repr_mimebundle_()
    assert stored["image/png"].startswith(b"\x89PNG")
    assert "data:image" not in stored["text/html"]
    assert picture.text in stored["text/plain"]
    assert picture.text in stored["text/html"]


def test_what_is_stored_reads_without_a_kernel():
    w = sliders()
    stored = Live(lambda grades: "a line about the list", grades=w)._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in stored
    for kind in ("text/plain", "text/html"):
        assert "a line about the list" in stored[kind]
        assert "json" in stored[kind]
    assert "a line about the list" in stored["text/plain"].splitlines()


def test_a_change_is_announced_to_a_screen_reader():
    assert 'role="status"' in Live(lambda on: "x", on=ipywidgets.Checkbox()).view.value


def test_without_a_control_or_with_one_that_has_no_value():
    with pytest.raises(ValueError, match="controls must hold at least one widget"):
        Live(lambda: "")
    with pytest.raises(TypeError, match="grades must be RankingSliders or a widget with a value"):
        Live(lambda grades: "", grades=ipywidgets.VBox())


class Shell:
    """A kernel's shell, as far as it says which cell is being run."""

    def __init__(self):
        self.message = {}

    def run(self, cell, message):
        self.message = {"metadata": {"cellId": cell}, "header": {"msg_id": message}}

    def get_parent(self):
        return self.message


@pytest.fixture
def shell(monkeypatch):
    shell = Shell()
    monkeypatch.setattr("rankedu.live.get_ipython", lambda: shell)
    return shell


def test_a_cell_that_is_run_again_takes_over_from_its_last_run(shell):
    w, calls = sliders(), []

    def say(name):
        return Live(lambda grades: calls.append(name) or "", grades=w)

    shell.run("cell one", "first")
    say("one"), say("another of cell one")
    shell.run("cell two", "second")
    say("two")
    shell.run("cell one", "third")
    say("one again"), say("another of cell one again")
    calls.clear()
    w.sliders[1].value = 1
    assert sorted(calls) == ["another of cell one again", "one again", "two"]


def test_where_no_cell_has_a_name_every_live_follows(shell):
    w, calls = sliders(), []
    for name in "ab":
        Live(lambda grades, name=name: calls.append(name) or "", grades=w)
    calls.clear()
    w.sliders[1].value = 1
    assert sorted(calls) == ["a", "b"]
