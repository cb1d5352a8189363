"""What the harness calls a fault is one, and what it calls fine is fine: a notebook for each."""

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from tests.browser import harness

KERNEL = {"kernelspec": {"name": "python3", "display_name": "Python 3 (ipykernel)", "language": "python"}}

SLIDER = """
import ipywidgets as w
slider, text = w.IntSlider(value=2, min=1, max=3, tooltip="rank"), w.HTML("rank 2")
slider.observe(lambda change: setattr(text, "value", f"rank {slider.value}"), "value")
w.VBox([slider, text])
"""
DEAD = "import ipywidgets as w\nw.VBox([w.IntSlider(tooltip='rank'), w.HTML('never')])"


@pytest.fixture(scope="module")
def write(server):
    """Writes a notebook of these cells into the server's folder; returns its path there."""

    def write(*cells):
        cells = [cell if isinstance(cell, dict) else new_code_cell(cell) for cell in cells]
        nbformat.write(new_notebook(cells=cells, metadata=KERNEL), server.root / "made.ipynb")
        return "made.ipynb"

    return write


@pytest.fixture
def made(open_notebook, write):
    """Opens and runs a notebook made of these cells."""

    def made(*cells, **where):
        notebook = open_notebook(write(*cells), width=1000, **where)
        notebook.run_all()
        return notebook

    return made


def html(text):
    return f"from IPython.display import HTML\nHTML({text!r})"


WIDE = [
    html("<div style='width: 3000px'>sticks out</div>"),
    html("<div style='overflow-x: auto'><div style='width: 3000px'>behind a scroll bar</div></div>"),
    "import ipywidgets as w\nw.HBox([w.IntSlider(layout={'min_width': '400px'})] * 3)",
    "w.IntSlider(description='a label that is cut off')",
    new_markdown_cell("<table><tr><td>" + "wide" * 200 + "</td></tr></table>"),
]
FAULTS = [
    *WIDE,
    "import sys\nprint('careful', file=sys.stderr)",
    html("<script>console.error('ours')</script>"),
    html("<img src='http://192.0.2.1/x.png' alt=''>"),
    "1 / 0",  # the last: nothing runs after it
]


@pytest.fixture(scope="module")
def faults(server, context, write):
    """What is found in a notebook made of FAULTS."""
    notebook = harness.Notebook.open(context, server, write(*FAULTS), width=1000)
    notebook.run_all()
    yield notebook.faults()
    notebook.close()


@pytest.mark.parametrize(
    ("kind", "says"),
    [
        ("errors", f"cell {len(FAULTS) - 1}: ZeroDivisionError"),
        ("stderr", "careful"),
        ("console", "ours"),
        ("outside", "http://192.0.2.1/x.png"),
        *(("too_wide", f"cell {index}: ") for index in range(len(WIDE))),
    ],
)
def test_a_fault_is_found(faults, kind, says):
    assert says in "\n".join(faults[kind])


def test_a_good_notebook_has_none(made):
    notebook = made(
        new_markdown_cell(r"# Good" + "\n\n" + r"$$\text{DCG} = \sum_i \frac{g_i}{\log_2(i + 1)}$$"),
        "print('x' * 300)",
        html("<table><tr><td>narrow</td></tr></table>"),
        new_code_cell("1 / 0", metadata={"tags": ["raises-exception"]}),
        SLIDER,
    )
    assert notebook.faults() == {}
    assert notebook.not_run() == []


def test_key_and_mouse_move_a_slider(made):
    notebook = made(SLIDER)
    slider = notebook.sliders().first
    change = notebook.move_first_slider()
    assert 0 < change.text < 2000
    assert change.picture is None
    assert slider.get_attribute("aria-valuetext") == "3"
    notebook.drag(slider, to=0)
    notebook.settle()
    assert "rank 1" in notebook.outputs().last.inner_text()


def test_a_slider_that_changes_nothing_is_found(made):
    assert made(DEAD).move_first_slider(wait=500).text is None


def test_restart_runs_everything_in_a_new_kernel(made):
    notebook = made("import os\nprint('process', os.getpid())")
    before = notebook.outputs().last.inner_text()
    notebook.restart_and_run_all()
    assert notebook.outputs().last.inner_text() != before
    assert notebook.faults() == {}


def test_an_endless_cell_is_not_waited_for(made):
    notebook = made("x = 1")
    notebook.edit(0, "while True: pass")
    with pytest.raises(Exception, match="takes more than 1000 ms"):
        notebook.run_all(wait=1000)


def test_cells_after_an_expected_error_are_waited_for(made):
    late = "import time\ntime.sleep(1)\nprint('late')"
    notebook = made(new_code_cell("1 / 0", metadata={"tags": ["raises-exception"]}), late)
    assert notebook.outputs().last.inner_text() == "late\n"


SLOW = """
import time
import ipywidgets as w
slider, text = w.IntSlider(min=1, max=9, tooltip="rank"), w.HTML("rank 1")
def late(change):
    time.sleep(0.6)
    text.value = f"rank {slider.value}"
slider.observe(late, "value")
w.VBox([slider, text])
"""


def test_a_slow_kernel_is_waited_for(made):
    notebook = made(SLOW)
    slider = notebook.sliders().first
    slider.focus()
    for _ in range(4):
        notebook.page.keyboard.press("ArrowRight")
    notebook.settle()
    assert "rank 5" in notebook.outputs().last.inner_text()


def test_a_cell_is_edited_and_run(made):
    notebook = made("x = 1", "print(x)")
    notebook.edit(notebook.find("x = 1"), "def f():\n    return 'new'\nx = f()")
    notebook.run_cell(0)
    assert notebook.run_cell(1) == "new"


def test_the_theme_is_the_one_asked_for(made, server):
    colours = []
    for dark in (False, True):
        server.theme(dark)
        notebook = made("1", alone=True)
        colours.append(notebook.page.evaluate("document.body.dataset.jpThemeLight"))
    server.theme(dark=False)
    assert colours == ["true", "false"]


def test_a_picture_of_the_whole_notebook(made, tmp_path):
    notebook = made(*[html("<div style='height: 500px'>tall</div>")] * 4)
    (whole,) = notebook.screenshot(tmp_path / "whole.png")
    pieces = notebook.screenshot(tmp_path / "piece.png", piece=800)
    assert whole.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    assert [piece.name for piece in pieces][:3] == ["piece-01.png", "piece-02.png", "piece-03.png"]
    assert int.from_bytes(whole.read_bytes()[20:24]) > 2000
