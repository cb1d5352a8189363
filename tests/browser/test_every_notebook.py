"""Every notebook in JupyterLab, as a learner treats it, in one pass of steps that build on each other.

A fresh clone, nothing run yet (its outputs are not trusted) · run all · each kind of control by mouse and by
keyboard alone · a question and an exercise answered wrong and right · axe, light and dark · restart and run
all · save, close, and open again (its outputs are trusted, and its kernel is gone). At 1000 pixels, and off
the network, throughout.
"""

import json
import re

import pytest
from playwright.sync_api import expect

from rankedu import exercises, quiz
from rankedu.exercises.authoring import Exercise
from tests.browser import accessibility, harness
from tests.browser.test_questions import Asked, right, wrong
from tools.notebook_rules import HELP

PANEL = "window.jupyterapp.shell.currentWidget"
SOURCES = f"() => {PANEL}.content.widgets.map(cell => [cell.model.type, cell.model.sharedModel.source])"
TRUSTED = f"""() => {PANEL}.content.widgets.map(cell => cell.model)
    .filter(model => model.type === 'code' && model.outputs.length).map(model => model.trusted)"""
# What a widget shows and how its controls stand, to be compared with the same a moment later
SEEN = """output => JSON.stringify([
    [...output.querySelectorAll('.widget-html-content, .widget-readout')].map(e => e.innerText),
    [...output.querySelectorAll('img')].map(e => e.src),
    [...output.querySelectorAll('[role=slider]')].map(e => e.getAttribute('aria-valuenow')),
    [...output.querySelectorAll('input')].map(e => e.type === 'checkbox' ? e.checked : e.value),
])"""
# Where the arrow keys would leave the control, or a letter change the type of a cell (see test_questions)
UNSAFE = "select, input[type=radio]"
CHOICES = ".widget-toggle-buttons button"
DOWN = "button[title$='one rank down']:not([disabled])"
WAIT = 20_000  # milliseconds; a busy machine answers late

# JupyterLab says so on the console of every widget whose kernel is gone
MODEL_NOT_FOUND = "widget model not found"


class Learner:
    """Uses the controls of one output, and sees to it that each use shows."""

    def __init__(self, notebook, output):
        self.notebook, self.page, self.output = notebook, notebook.page, output

    def seen(self):
        return self.output.evaluate(SEEN)

    def numbers(self):
        """What is seen but for the pictures, whose addresses are new each time."""
        text, _, *controls = json.loads(self.seen())
        return text, controls

    def shows(self, act, what):
        """Carries out `act`, which must change what is seen."""
        before = self.seen()
        act()
        try:
            self.page.wait_for_function(
                f"([output, before]) => ({SEEN})(output) !== before",
                arg=[self.output.element_handle(), before],
                timeout=WAIT,
            )
        except Exception:
            pytest.fail(f"{what} changes nothing in: {self.output.inner_text()[:200]}")
        self.notebook.settle()

    def key(self, control, key, what):
        """Presses a key in a control, which changes no cell and leaves the focus in this output."""
        cells = self.page.evaluate(SOURCES)
        control.focus()
        self.shows(lambda: self.page.keyboard.press(key), f"{key} in {what}")
        assert self.page.evaluate(SOURCES) == cells, f"{key} in {what} changes a cell"
        assert self.output.evaluate("output => output.contains(document.activeElement)"), (
            f"{key} in {what} takes the focus away"
        )

    def slider(self, handle):
        def at():
            return [float(handle.get_attribute(f"aria-value{which}")) for which in ("now", "min", "max")]

        now, low, high = at()
        self.shows(lambda: self.notebook.drag(handle, to=float(now - low < high - now)), "dragging a slider")
        self.key(handle, "ArrowRight" if at()[0] == low else "ArrowLeft", "a slider")

    def number(self, box):
        def up():
            return box.input_value() != box.get_attribute("max")

        def spin():
            box.scroll_into_view_if_needed()
            box.hover()
            size = box.bounding_box()
            box.click(position={"x": size["width"] - 9, "y": size["height"] * (0.3 if up() else 0.7)})

        self.shows(spin, "the mouse on a number's arrow")
        self.key(box, "ArrowUp" if up() else "ArrowDown", "a number")

    def steps(self):
        """A document down twice, and back by Undo, which leaves everything as it was."""
        start = self.numbers()
        undo = self.output.get_by_role("button", name="Undo", exact=True)
        self.shows(self.output.locator(DOWN).first.click, "one rank down")
        self.key(self.output.locator(DOWN).first, "Enter", "one rank down")
        self.shows(undo.click, "Undo")
        self.key(undo, "Space", "Undo")
        assert self.numbers() == start

    def choice(self):
        pressed = f"{CHOICES}:not(.mod-active)"
        self.shows(self.output.locator(pressed).first.click, "a choice")
        self.key(self.output.locator(pressed).first, "Space", "a choice")


def first_output(notebook, holding):
    """The first output that holds such a control, or None."""
    outputs = notebook.page.locator(f"{harness.OUTPUT}:has({holding})")
    return Learner(notebook, outputs.first) if outputs.count() else None


def use_every_kind_of_control(notebook):
    assert notebook.page.locator(f"{harness.OUTPUT} :is({UNSAFE})").count() == 0
    if learner := first_output(notebook, DOWN):
        learner.steps()
    if learner := first_output(notebook, "[role=slider]"):
        learner.slider(learner.output.get_by_role("slider").first)
    if learner := first_output(notebook, "input[type=number]"):
        learner.number(learner.output.locator("input[type=number]").first)
    if learner := first_output(notebook, CHOICES):
        learner.choice()


def answer_a_question(notebook):
    """The first question wrong by mouse, and right by keyboard alone."""
    sources = "\n".join(source for _, source in notebook.page.evaluate(SOURCES))
    first = re.search(r'quiz\.get\("([\w/]+)"\)\.ask\(\)', sources)
    if not first:
        return
    asked = Asked(notebook, first[1])

    def said(letters):
        says = quiz.get(asked.id).answer(letters).says[0].replace("`", "")
        expect(asked.box.get_by_role("alert").first).to_contain_text(says, timeout=WAIT)

    def press(letters):
        many = quiz.get(asked.id).many  # where only one is right, choosing it takes back the other
        for letter in quiz.get(asked.id).options if many else letters:
            if asked.option(letter).is_checked() != (letter in letters):
                asked.option(letter).press("Space")

    asked.option(wrong(asked.id)).click()
    asked.box.get_by_role("button", name="Check", exact=True).click()
    said(wrong(asked.id))
    press(right(asked.id))
    asked.box.get_by_role("button", name="Check", exact=True).press("Enter")
    said(right(asked.id))


def answer_an_exercise(notebook):
    """The first exercise with a mistake that has a name, and then with its solution."""
    sources = [source for _, source in notebook.page.evaluate(SOURCES)]
    ex = next((ex for ex in exercises.all() if type(ex) is Exercise and ex.stub in sources), None)
    if ex is None:
        return
    stub = sources.index(ex.stub)
    check = notebook.find(f'exercises.get("{ex.id}").check(')

    def told(source):
        notebook.edit(stub, source)
        notebook.run_cell(stub)
        return notebook.run_cell(check)

    assert "Not attempted" in notebook.run_cell(check)
    text = told(ex.named[0].ways[0])
    assert "Incorrect" in text or "Error" in text
    assert ex.named[0].says[0].replace("`", "") in text
    assert "Correct" in told(ex.source)


def close_and_open_again(notebook):
    """The stored outputs of a notebook that was saved; no kernel answers for them any more."""
    notebook.save()
    notebook.command("application:close")
    notebook.server.stop_kernels()
    notebook.reopen()
    notebook.settle()
    assert all(notebook.page.evaluate(TRUSTED))
    text = notebook.page.locator(".jp-NotebookPanel").inner_text()
    if "model not found" in text:
        assert HELP in text[: text.index("model not found")]
    notebook.console[:] = [line for line in notebook.console if MODEL_NOT_FOUND not in line]


@pytest.mark.parametrize("path", harness.notebook_paths(), ids=lambda path: path.as_posix())
def test_notebook(open_notebook, path):
    notebook = open_notebook(path, width=1000)
    page = notebook.page
    assert not any(page.evaluate(TRUSTED))
    assert "Error displaying widget:" not in page.locator(".jp-NotebookPanel").inner_text()
    # Untrusted HTML loses its style: a wide table has a scroll bar until the notebook is run
    assert notebook.faults().keys() <= {"too_wide"}, "a fresh clone, nothing run"

    notebook.run_all()
    assert notebook.faults() == {}, "run for the first time"

    use_every_kind_of_control(notebook)
    answer_a_question(notebook)
    answer_an_exercise(notebook)
    assert notebook.faults() == {}, "after the controls, the question and the exercise"

    assert accessibility.findings(notebook) == []

    notebook.restart_and_run_all()
    assert notebook.faults() == {}, "after a restart"

    close_and_open_again(notebook)
    assert notebook.faults() == {}, "saved, closed and opened again"
