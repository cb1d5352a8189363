"""Two controls whose handlers the kernel runs in two threads at once: neither move is lost."""

import threading

import ipywidgets
import pytest

from rankedu import quiz
from rankedu.live import Live
from rankedu.turns import in_turn
from rankedu.widgets import Disagreement, MetricExplorer, RankingSliders, Shares

LONG = 10  # seconds that nothing here takes


class Held:
    """Stands in for a method and holds up its first call until `go`; `entered` says that it is under way."""

    def __init__(self, method):
        self.method, self.entered, self.go = method, threading.Event(), threading.Event()

    def __call__(self, *args, **kwargs):
        if not self.entered.is_set():
            self.entered.set()
            assert self.go.wait(LONG)
        return self.method(*args, **kwargs)


def at_once(held, first, second):
    """Carries out `first` in a thread and, while `held` holds it up, `second` in another."""
    threads = [threading.Thread(target=act) for act in (first, second)]
    threads[0].start()
    assert held.entered.wait(LONG)
    threads[1].start()
    threads[1].join(0.2)
    waited = threads[1].is_alive()
    held.go.set()
    for thread in threads:
        thread.join(LONG)
    return waited


def test_one_handler_waits_for_the_other():
    held, seen = Held(lambda: seen.append("first")), []
    assert at_once(held, in_turn(held), in_turn(lambda: seen.append("second")))
    assert seen == ["first", "second"]


def test_a_handler_that_fails_lets_the_next_one_go():
    with pytest.raises(ZeroDivisionError):
        in_turn(lambda: 1 / 0)()
    done = threading.Event()
    threading.Thread(target=in_turn(done.set)).start()
    assert done.wait(LONG)


@pytest.mark.parametrize("second", ["slider", "box", "button", "undo"])
def test_a_move_made_while_the_list_is_redrawn_is_not_lost(monkeypatch, second):
    w = RankingSliders(["a", "b", "c"], [1, 0, 2], k=3, picture=False)
    held = Held(w._follow)
    monkeypatch.setattr(w, "_follow", held)

    def set_to(control, value):
        control.value = value

    up, undo = (
        next(control for control in _controls(w) if control.tooltip == tooltip)
        for tooltip in ("c: one rank up", "Take the last move back")
    )
    acts = {
        "slider": (lambda: set_to(w.sliders[2], 1), ["c", "b", "a"]),
        "box": (lambda: set_to(w.boxes[2], 1), ["c", "b", "a"]),
        "button": (up.click, ["c", "b", "a"]),
        "undo": (undo.click, ["a", "b", "c"]),
    }
    act, titles = acts[second]
    assert at_once(held, lambda: set_to(w.sliders[0], 3), act)
    assert w.titles == titles
    ranks = [w.order.index(i) + 1 for i in range(3)]
    assert [s.value for s in w.sliders] == [b.value for b in w.boxes] == ranks


SHOWN = {
    "RankingSliders": lambda: RankingSliders(
        ["a", "b"], [1, 2], controls=["k", "gain"], metric=["ndcg", "dcg"]
    ),
    "MetricExplorer": MetricExplorer,
    "Disagreement": lambda: Disagreement(["a", "b"], [1, 2]),
    "Shares": lambda: Shares(["a", "b"]),
    "Live": lambda: Live(str, object=ipywidgets.IntSlider(value=1, min=1, max=2)),
    "a question": lambda: quiz.get("interview/04").ask(),
}


@pytest.mark.parametrize("name", SHOWN)
def test_every_control_takes_turns(name):
    controls = [control for control in _controls(SHOWN[name]()) if _handled(control)]
    assert controls
    for control in controls:
        done = threading.Event()
        user = threading.Thread(target=lambda control=control, done=done: (_use(control), done.set()))

        def meanwhile(control=control, user=user, done=done):
            user.start()
            assert not done.wait(0.02), f"did not wait: {control!r}"

        in_turn(meanwhile)()
        assert done.wait(LONG)


def _controls(widget):
    children = [control for child in getattr(widget, "children", ()) for control in _controls(child)]
    return children or [widget]


def _handled(control):
    return not isinstance(control, ipywidgets.HTML | ipywidgets.Image | ipywidgets.Label)


def _use(control):
    match control:
        case ipywidgets.Button():
            control.click()
        case ipywidgets.Checkbox():
            control.value = not control.value
        case ipywidgets.ToggleButtons():
            control.index = (control.index + 1) % len(control.options)
        case _:
            control.value = control.min if control.value > control.min else control.max
