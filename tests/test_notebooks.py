"""Every notebook of the course keeps the rules, every rule can be broken, and nbval really compares."""

import subprocess
import sys
from functools import cache
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from rankedu import exercises
from tools import notebook_rules as rules
from tools import notebooks
from tools.notebook_rules import HELP, RULES, WIDGET, Book

ROOT = Path(__file__).parents[1]
CANARY = ROOT / "tests" / "canary"
PATHS = notebooks.paths()


def name(path):
    return path.relative_to(ROOT).as_posix()


every_notebook = pytest.mark.parametrize("path", PATHS, ids=name)
book_of = cache(Book.read)


# --- The notebooks of the course ---------------------------------------------------------------


def test_there_are_lessons_and_exercises():
    assert {path.parent.name for path in PATHS} == {"notebooks", "exercises"}


@every_notebook
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_rule(path, rule):
    assert list(rule(book_of(path))) == []


@every_notebook
def test_is_stored_as_make_notebooks_stores_it(path):
    stored = path.read_text(encoding="utf-8")
    again = notebooks.normalise(nbformat.read(path, as_version=4), name(path))
    assert notebooks.text(again) == stored, "run: make notebooks"


@cache
def secrets():
    """The lines of each exercise's solution that would give it away; the stubs' are there to be seen."""
    stubs = "\n".join(each.stub for each in exercises.all())
    return {each.id: rules.telling_lines(each.source, stubs) for each in exercises.all()}


def test_every_solution_has_lines_that_tell():
    assert secrets()
    assert [each for each, lines in secrets().items() if not lines] == []


@pytest.mark.parametrize("path", [path for path in PATHS if path.parent.name == "exercises"], ids=name)
def test_no_exercise_gives_an_answer_away(path):
    assert list(rules.leaks(book_of(path), secrets())) == []


# --- Each rule, broken ---------------------------------------------------------------------------


def code(source="1 + 1", count=1, outputs=None, tags=()):
    if outputs is None:
        outputs = [new_output("execute_result", {"text/plain": "2"}, execution_count=count)]
    return new_code_cell(
        source, execution_count=count, outputs=outputs, metadata={"tags": list(tags)} if tags else {}
    )


def shows(**data):
    return [new_output("display_data", data)]


def book(*cells, path=CANARY / "made.ipynb", **metadata):
    top = new_markdown_cell(f"# A title\n\n{HELP}")
    return Book(new_notebook(cells=[top, *(cells or [code()])], metadata=metadata), path)


def failing(kind="ValueError"):
    return [new_output("error", ename=kind, evalue="no", traceback=["no"])]


def stream(stream_name, text):
    return [new_output("stream", name=stream_name, text=text)]


def untitled(*texts):
    return Book(new_notebook(cells=[*map(new_markdown_cell, texts), code()]), CANARY / "made.ipynb")


FIGURE = {"image/png": "iVBORw0KGgo=", "text/plain": "<Figure size 640x480 with 1 Axes>"}
BARE = {WIDGET: {"model_id": "a"}, "text/plain": "VBox()"}

BROKEN = [
    # rule, what breaks it, a notebook that does
    ("executed_from_top_to_end", "a cell never executed", book(code(count=None))),
    ("executed_from_top_to_end", "one cell executed twice", book(code(), code(count=3))),
    ("executed_from_top_to_end", "executed from the end", book(code(count=2), code(count=1))),
    ("executed_from_top_to_end", "no code", book(new_markdown_cell("text"))),
    ("executed_from_top_to_end", "an empty cell", book(code(), new_code_cell(""))),
    ("outputs_are_stored", "no output anywhere", book(code("x = 1", outputs=[]))),
    ("outputs_are_stored", "a value not stored", book(code(), code("x", 2, outputs=[]))),
    ("outputs_are_stored", "a print not stored", book(code(), code("print(1)", 2, outputs=[]))),
    ("no_errors", "a traceback", book(code(outputs=failing()))),
    ("no_errors", "a promised one that never came", book(code(tags=["raises-exception"]))),
    ("nothing_on_stderr", "a warning", book(code(outputs=stream("stderr", "Warning: old")))),
    ("no_widget_state", "saved widgets", book(widgets={})),
    ("says_how_to_wake_the_widgets", "not said", untitled("# A title")),
    ("says_how_to_wake_the_widgets", "said too late", untitled("# A title", "a", "b", HELP)),
    ("code_cells_are_short", "15 lines", book(code("1\n" * 15))),
    ("code_cells_are_short", "72 columns", book(code("x" * 72))),
    ("headings_in_order", "no title", untitled("text")),
    ("headings_in_order", "two titles", book(new_markdown_cell("# Another"))),
    ("headings_in_order", "the title not on top", untitled("text", "# A title")),
    ("headings_in_order", "a level skipped", book(new_markdown_cell("### Deep"))),
    ("headings_in_order", "one heading twice", book(new_markdown_cell("## A\n\n## A"))),
    ("pictures_have_words", "none in markdown", book(new_markdown_cell("![ ](a.png)"))),
    ("pictures_have_words", "none in HTML", book(new_markdown_cell('<img src="a.png" alt="">'))),
    ("pictures_have_words", "a figure's default text", book(code(outputs=shows(**FIGURE)))),
    ("widgets_read_without_a_kernel", "a bare widget", book(code(outputs=shows(**BARE)))),
    ("links_lead_somewhere", "a file that is not there", book(new_markdown_cell("[next](none.ipynb)"))),
    ("links_lead_somewhere", "in HTML", book(new_markdown_cell('<a href="none.ipynb">next</a>'))),
    ("links_lead_somewhere", "a heading that is not here", book(new_markdown_cell("[up](#Elsewhere)"))),
    ("links_lead_somewhere", "nor there", book(new_markdown_cell("[up](right.ipynb#Elsewhere)"))),
    ("nothing_switches_nbval_off", "a comment", book(code("# NBVAL_IGNORE_OUTPUT\n1"))),
    ("nothing_switches_nbval_off", "a tag", book(code(tags=["nbval-skip"]))),
    ("no_trace_of_a_machine", "a folder", book(code(outputs=stream("stdout", "in /home/ada/x.py")))),
    ("no_trace_of_a_machine", "one of Windows", book(code(outputs=stream("stdout", r"C:\Users")))),
    ("no_trace_of_a_machine", "an address", book(code(outputs=shows(**{"text/plain": "<f at 0x7f00aa11>"})))),
    ("plain_words", "easy for whom?", book(new_markdown_cell("Obviously, it is 1."))),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "why", "broken"), BROKEN, ids=[f"{rule}: {why}" for rule, why, _ in BROKEN])
def test_a_broken_rule_is_found(rule, why, broken):
    assert list(getattr(rules, rule)(broken))


def test_each_rule_is_broken_once():
    assert {rule for rule, _, _ in BROKEN} == {rule.__name__ for rule in RULES}


FINE = [
    ("the smallest notebook", book()),
    ("a promised error", book(code(outputs=failing(), tags=["raises-exception"]))),
    ("a # in code is no heading", book(new_markdown_cell("```\n# comment\n```"), code())),
    (
        "links that resolve",
        book(new_markdown_cell("[a](right.ipynb#A-canary) [b](#A-title) [c](https://x.y)"), code()),
    ),
    ("a picture in words", book(new_markdown_cell("![DCG by rank](../canary/right.ipynb)"), code())),
    (
        "a widget with its table",
        book(code(outputs=shows(**BARE, **{"text/html": "<p>"}))),
    ),
    ("half an hour, and/or a path in words", book(new_markdown_cell("and/or notebooks/05"), code())),
]


@pytest.mark.parametrize("kept", [each for _, each in FINE], ids=[why for why, _ in FINE])
def test_a_kept_rule_is_not(kept):
    assert rules.findings(kept) == []


def test_a_leak_is_found_in_code_text_and_output():
    solution = "def dcg(grades, k):\n    return sum(grade / log2(rank) for rank in ranks)  # sum them"
    secret = {"03/dcg": rules.telling_lines(solution, "def dcg(grades, k):\n    ...")}
    line = "    return sum(grade / log2(rank) for rank in ranks)"
    assert secret == {"03/dcg": {line.strip()}}
    asks = code('exercises.get("03/dcg").check(dcg)', 2)
    for cell in (code(line), new_markdown_cell(f"```\n{line}\n```"), code(outputs=stream("stdout", line))):
        assert list(rules.leaks(book(cell, asks), secret)) == [f"gives away 03/dcg: {line.strip()}"]
        assert list(rules.leaks(book(cell), secret)) == [], (
            "a later notebook may use what an earlier one asked for"
        )
    assert list(rules.leaks(book(code("def dcg(grades, k):\n    ..."), asks), secret)) == []


@pytest.mark.parametrize("each", exercises.all(), ids=lambda each: each.id)
def test_every_exercise_is_set_in_a_notebook(each):
    """The notebooks name each exercise as the check for leaks looks for it."""
    books = [book_of(path) for path in PATHS if path.parent.name == "exercises"]
    assert any(f'"{each.id}"' in cell.source for book in books for _, cell in book.code)


# --- make notebooks ------------------------------------------------------------------------------

SAMPLE = """
import ipywidgets
slider = ipywidgets.IntSlider(tooltip="rank")
slider
"""


@pytest.fixture
def sample(tmp_path):
    cells = [new_markdown_cell(f"# A sample\n\n{HELP}"), new_code_cell(SAMPLE), new_code_cell("print(6 * 7)")]
    path = tmp_path / "sample.ipynb"
    nbformat.write(new_notebook(cells=cells, metadata={"widgets": {"state": 1}}), path)
    return path


def test_running_a_notebook_twice_changes_nothing(sample):
    first, _ = notebooks.run(sample, "sample")
    sample.write_text(first, encoding="utf-8")
    second, _ = notebooks.run(sample, "sample")
    assert second == first
    stored = nbformat.reads(first, as_version=4)
    assert [cell.execution_count for cell in stored.cells[1:]] == [1, 2]
    assert WIDGET in stored.cells[1].outputs[0].data
    assert stored.cells[2].outputs[0].text == "42\n"


def test_what_the_python_and_the_editor_leave_is_not_stored(sample):
    notebook = nbformat.read(sample, as_version=4)
    notebook.metadata.language_info = {"name": "python", "version": "3.99"}
    notebook.cells[1].metadata = nbformat.from_dict({"scrolled": True, "tags": ["hide-input"]})
    notebook.cells[2].id = notebook.cells[1].id
    notebooks.normalise(notebook, "sample")
    assert "version" not in notebook.metadata.language_info
    assert "widgets" not in notebook.metadata
    assert notebook.cells[1].metadata == {"tags": ["hide-input"]}
    assert len({cell.id for cell in notebook.cells}) == 3


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("1 / 0", "ZeroDivisionError"),
        ("import warnings; warnings.warn('old')", "stderr"),
        ("import os; os._exit(1)", "Kernel died"),
    ],
    ids=["it raises", "it warns", "the kernel dies"],
)
def test_a_notebook_that_fails_is_reported_and_not_stored(sample, source, says):
    nbformat.write(new_notebook(cells=[new_code_cell(source)]), sample)
    text, notes = notebooks.run(sample, "sample")
    assert text is None
    assert says in "\n".join(notes)


# --- nbval compares ------------------------------------------------------------------------------


def nbval(*paths):
    options = ["-q", "--nbval", "--nbval-current-env", "-p", "no:cacheprovider", "-p", "no:xdist"]
    command = [sys.executable, "-m", "pytest", *options, *map(str, paths)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)


def test_the_canaries_differ_in_one_digit():
    right, wrong = ((CANARY / f"{which}.ipynb").read_text() for which in ("right", "wrong"))
    assert sum(a != b for a, b in zip(right, wrong, strict=True)) == 1


def test_nbval_passes_the_right_canary():
    done = nbval(CANARY / "right.ipynb")
    assert done.returncode == 0, done.stdout
    assert "2 passed" in done.stdout


def test_nbval_fails_the_wrong_canary():
    done = nbval(CANARY / "wrong.ipynb")
    assert done.returncode == 1, done.stdout
    assert "1 failed, 1 passed" in done.stdout
    assert "3.749" in done.stdout


def test_nbval_alone_would_pass_a_notebook_without_outputs(tmp_path):
    """Why `executed_from_top_to_end` is a rule: once cleared, the wrong canary passes."""
    notebook = nbformat.read(CANARY / "wrong.ipynb", as_version=4)
    for cell in notebook.cells[1:]:
        cell.outputs, cell.execution_count = [], None
    cleared = tmp_path / "cleared.ipynb"
    nbformat.write(notebook, cleared)
    assert nbval(cleared).returncode == 0
    assert list(rules.executed_from_top_to_end(Book.read(cleared)))
