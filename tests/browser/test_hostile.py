"""Unlucky use in JupyterLab: a very small window, cells out of order and twice, two notebooks at once."""

import json

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from tests.browser.harness import OUTPUT
from tests.browser.test_harness import KERNEL
from tests.browser.test_questions import Asked, right, wrong

SMALL = {"width": 600, "height": 500}
LESSON = "notebooks/05_ndcg.ipynb"
# Of what sticks out, nothing is out of reach: each output scrolls by itself
UNREACHABLE = """() => [...document.querySelectorAll('.jp-OutputArea-output, .jp-MarkdownOutput')]
    .filter(e => e.scrollWidth > e.clientWidth + 2)
    .filter(e => !['auto', 'scroll'].includes(getComputedStyle(e).overflowX))
    .map(e => e.innerText.slice(0, 60))"""


@pytest.mark.parametrize("path", [LESSON, "notebooks/09_choosing_a_metric.ipynb"])
def test_in_a_very_small_window_everything_is_within_reach(open_notebook, path):
    notebook = open_notebook(path, alone=True, **SMALL)
    notebook.command("application:toggle-left-area")  # the list of files, which leaves no room
    notebook.run_all()
    assert notebook.faults().keys() <= {"too_wide"}
    assert notebook.page.evaluate(UNREACHABLE) == []
    assert notebook.move_first_slider(wait=10_000).text is not None
    first = notebook.sliders().first.bounding_box()
    assert first["x"] >= 0
    assert first["x"] + first["width"] <= SMALL["width"]


def test_a_question_is_answered_in_a_very_small_window(open_notebook):
    notebook = open_notebook("exercises/interview_questions.ipynb", alone=True, **SMALL)
    notebook.command("application:toggle-left-area")
    notebook.run_all()
    assert notebook.faults() == {}, "text wraps, nothing is cut off"
    asked = Asked(notebook, "interview/04")
    asked.option(right("interview/04")).click()
    asked.box.get_by_role("button", name="Check", exact=True).click()
    assert "Correct" in asked.said()


def test_a_later_cell_first_is_a_name_error_and_nothing_hangs(open_notebook):
    notebook = open_notebook(LESSON, width=1000)
    widget = notebook.find("RankingSliders(")
    assert "NameError" in notebook.run_cell(widget)
    assert "NameError" in notebook.run_cell(widget), "the kernel answers again"
    notebook.run_all()
    assert notebook.faults() == {}


def test_a_widget_run_twice_is_one_widget_that_works(open_notebook):
    notebook = open_notebook(LESSON, width=1000)
    notebook.run_all()
    index = notebook.find("RankingSliders(")
    sliders = notebook.cell(index).get_by_role("slider")
    count = sliders.count()
    notebook.run_cell(index)
    notebook.run_cell(index)
    assert sliders.count() == count
    assert notebook.cell(index).locator(f"{OUTPUT}:has([role=slider])").count() == 1
    sliders.first.press("ArrowRight")
    notebook.settle()
    ranks = [slider.get_attribute("aria-valuetext") for slider in sliders.all()]
    assert sorted(ranks) == [str(rank) for rank in range(1, count + 1)], "each rank is held once"
    assert ranks[:2] == ["2", "1"]
    assert notebook.faults() == {}


def test_a_page_that_is_loaded_again_while_the_kernel_lives_has_its_widgets(open_notebook):
    notebook = open_notebook(LESSON, alone=True, width=1000)
    notebook.run_all()
    notebook.save()
    notebook.load()
    notebook.settle()
    assert notebook.move_first_slider(wait=10_000).text is not None
    assert notebook.faults() == {}


def test_a_live_cell_run_again_takes_over_from_its_last_run(open_notebook, server):
    cells = [
        "from rankedu.live import Live\nfrom rankedu.widgets import RankingSliders",
        'asked, w = [], RankingSliders(["a", "b"], [1, 2])',
        "Live(lambda grades: asked.append(grades) or str(grades), grades=w)",
        "print(len(asked))\nasked.clear()",
    ]
    made = new_notebook(cells=[new_code_cell(source) for source in cells], metadata=KERNEL)
    nbformat.write(made, server.root / "rerun.ipynb")
    notebook = open_notebook("rerun.ipynb", width=1000)
    notebook.run_all()
    for _ in range(2):
        notebook.run_cell(2)
    assert notebook.run_cell(3) == "2", "each run asked once"
    notebook.move_first_slider()
    assert notebook.run_cell(3) == "1", "a move asks the last one alone"


def test_two_notebooks_at_once_keep_the_progress_of_both(open_notebook, server):
    server.progress.unlink(missing_ok=True)
    first, second = (
        Asked(open_notebook(path, width=1000), id)
        for path, id in (
            ("exercises/interview_questions.ipynb", "interview/04"),
            ("exercises/misconceptions.ipynb", "myth/05"),
        )
    )
    for asked in (first, second):
        asked.notebook.run_all()
    for letters in (wrong, right):
        for asked in (first, second):
            asked.option(letters(asked.id)).click()
            asked.box.get_by_role("button", name="Check", exact=True).click()
            assert asked.said()
    records = json.loads(server.progress.read_text())["records"]
    statuses = [(record["id"], record["status"]) for record in records if record["kind"] == "quiz"]
    assert statuses == [(id, status) for status in ("incorrect", "correct") for id in (first.id, second.id)]
    assert first.notebook.faults() == second.notebook.faults() == {}
