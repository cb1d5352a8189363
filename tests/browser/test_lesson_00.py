"""Lesson 00 in JupyterLab as a newcomer goes through it: by keyboard alone, and an attempt mended."""

import pytest
from playwright.sync_api import expect

FOCUS = """() => {
    const e = document.activeElement;
    return e.getAttribute('role') || e.title || e.type || e.tagName.toLowerCase();
}"""
SCROLLED = "() => document.querySelector('.jp-NotebookPanel .jp-WindowedPanel-outer').scrollTop"


@pytest.fixture
def lesson(open_notebook):
    notebook = open_notebook("notebooks/00_start_here.ipynb")
    notebook.run_all()
    yield notebook
    assert notebook.faults() == {}


def test_the_list_is_moved_by_keyboard_and_the_focus_stays(lesson):
    output = lesson.cell(lesson.find("RankingSliders(documents")).locator(".jp-OutputArea-output").first
    score, keyboard = output.locator(".rk-head strong"), lesson.page.keyboard
    box = output.get_by_label("csv", exact=True)
    box.click()
    stops = []
    for _ in range(4):
        stops.append(lesson.page.evaluate(FOCUS))
        keyboard.press("Tab")
    assert stops == ["number", "slider", "csv: one rank up", "csv: one rank down"]

    box.click()
    where = lesson.page.evaluate(SCROLLED)
    keyboard.press("Control+A")
    keyboard.type("1")
    keyboard.press("Enter")
    expect(score).to_have_text("0.964")
    keyboard.press("Tab")
    for key, shown in [("End", "0.530"), ("Home", "0.964"), ("ArrowRight", "0.659"), ("ArrowLeft", "0.964")]:
        keyboard.press(key)
        expect(score).to_have_text(shown)
        assert lesson.page.evaluate(FOCUS) == "slider"
    keyboard.press("Tab")
    keyboard.press("Tab")
    for key, shown in [("Enter", "0.659"), ("Space", "0.587"), ("Enter", "0.530")]:
        keyboard.press(key)
        expect(score).to_have_text(shown)
        assert lesson.page.evaluate(FOCUS) == "csv: one rank down"
    for button, shown in [("Best first", "1.000"), ("Undo", "0.530"), ("Reset", "0.659")]:
        output.get_by_text(button, exact=True).press("Enter")
        expect(score).to_have_text(shown)
    assert lesson.page.evaluate(SCROLLED) == where


def test_the_attempt_is_mended_as_the_text_says(lesson):
    index = lesson.find("def to_binary(")
    cell = lesson.cell(index)
    assert "Incorrect" in cell.inner_text()
    source = lesson.page.evaluate(
        "index => window.jupyterapp.shell.currentWidget.content.widgets[index].model.sharedModel.source",
        index,
    )
    lesson.edit(index, source.replace("r > threshold", "r >= threshold"))
    assert "Correct" in lesson.run_cell(index)
    progress = lesson.run_cell(lesson.find("progress.show()"))
    assert "1 of 2" in progress
