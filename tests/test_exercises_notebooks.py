"""The exercise notebooks keep to one form, give nothing away, and can be solved and handed out."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from rankedu import exercises
from rankedu.exercises.verdict import SHAPES
from tools import notebook_rules, notebooks, solutions

FOLDER = Path(__file__).resolve().parents[1] / "exercises"
EVERY = [pytest.param(path, id=path.stem) for path in sorted(FOLDER.glob("*.ipynb"))]
LESSONS = [pytest.param(path, id=path.stem) for path in sorted(FOLDER.glob("[01]*.ipynb"))]


def read(path):
    return nbformat.read(path, as_version=4)


def of_lesson(path):
    return [ex for ex in exercises.all() if ex.id.startswith(path.name[:2] + "/")]


@pytest.mark.parametrize("path", LESSONS)
def test_the_head_says_what_how_long_and_where_the_lesson_is(path):
    head = read(path).cells[0].source
    assert head.startswith(f"# Exercises {path.name[:2]}: ")
    assert f"](../notebooks/{path.name})" in head
    assert re.search(r"about \d+ minutes", head)
    assert "Numbers may differ from ours by 0.000001" in read(path).cells[2].source


def test_every_exercise_of_a_lesson_has_its_place():
    found = [ex.id for param in LESSONS for ex in of_lesson(param.values[0])]
    assert found == [ex.id for ex in exercises.all() if ex.id[:2].isdigit()]


@pytest.mark.parametrize("path", LESSONS)
def test_each_exercise_has_its_cells_in_order(path):
    cells = read(path).cells
    sources = [cell.source for cell in cells]
    for number, ex in enumerate(of_lesson(path), 1):
        at = sources.index(ex.stub)
        assert sources[at - 1].startswith(f"## {number}. {ex.title}\n")
        assert sources[at - 1].endswith(ex.prompt)
        assert "".join(sources[at + 1].split()) == f'exercises.get("{ex.id}").check({ex.name})'
        assert sources[at + 2] == f'# exercises.get("{ex.id}").hint()'
        assert sources[at + 3] == f'# exercises.get("{ex.id}").solution()'
        assert sources[at + 4].startswith("**Where would this mislead you?** ")
        assert cells[at + 5].cell_type == "code"
        assert sources[at + 6].startswith("<details><summary>One answer</summary>")


@pytest.mark.parametrize("path", EVERY)
def test_no_cell_takes_away_what_the_learner_wrote(path):
    written, assigned = set(), set()
    for cell in read(path).cells:
        for node in ast.walk(ast.parse(cell.source)) if cell.cell_type == "code" else ():
            if isinstance(node, ast.FunctionDef):
                written.add(node.name)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                assigned.add(node.id)
    assert written & assigned == set()


CONVENTIONS = {"0.000001", "0.0", "0.05"}  # how exactly numbers are compared, 0/0, a level of significance


@pytest.mark.parametrize("path", LESSONS)
def test_a_number_in_the_text_stands_in_the_code_or_in_what_it_shows(path):
    book = notebook_rules.Book.read(path)
    there = [cell.source for _, cell in book.code]
    there += [notebook_rules.text_of(output) for _, output in book.outputs()]
    known = set(map(float, re.findall(r"\d+\.\d+", "\n".join(there))))
    told = re.findall(r"(?<![\w.])\d+\.\d+", "\n".join(text for _, text in book.texts))
    assert [number for number in told if number not in CONVENTIONS and float(number) not in known] == []


@pytest.mark.parametrize("path", LESSONS)
def test_untouched_it_says_not_attempted_and_nothing_worse(path):
    told = list(solutions.verdicts(read(path)))
    assert len(told) == len(of_lesson(path))
    assert all(text.startswith(f"{SHAPES['not attempted']} ") for text in told)


@pytest.mark.parametrize("path", EVERY)
def test_no_hint_is_given_away(path):
    text = path.read_text(encoding="utf-8")
    for ex in exercises.all():
        assert ex.hints[-1] not in text


# --- solved, and without help ------------------------------------------------------------------------


@pytest.mark.parametrize("path", EVERY)
def test_a_solved_copy_runs_and_every_verdict_is_correct(path):
    notebook = solutions.solved(read(path))
    checks = sum(".check(" in cell.source or ".answer(" in cell.source for cell in notebook.cells)
    notebooks.execute(notebook, path.parent)
    told = list(solutions.verdicts(notebook))
    assert len(told) >= checks > 0
    assert [text for text in told if not text.startswith(SHAPES["correct"])] == []


@pytest.mark.parametrize("path", EVERY)
@pytest.mark.parametrize("make", [solutions.solved, solutions.without_help])
def test_links_of_a_copy_lead_where_they_led(path, make, tmp_path):
    copy = solutions.OUT / "solutions" / path.name
    book = notebook_rules.Book(make(read(path)), copy)
    links = [link.partition("#")[0] for _, link in book.links]
    before = [link.partition("#")[0] for _, link in notebook_rules.Book.read(path).links]
    folded = len(before) - len(links)  # links in answers that a class does not see
    there = {(path.parent / link).resolve() for link in before}
    assert {(copy.parent / link).resolve() for link in links} <= there
    assert folded >= 0


@pytest.mark.parametrize("path", EVERY)
def test_a_copy_for_the_class_has_no_help(path):
    notebook = solutions.without_help(read(path))
    text = "\n".join(cell.source for cell in notebook.cells)
    assert not re.search(r"\.(hint|solution)\(|<details>|\bhints?\b", text)
    kept = {cell.source for cell in notebook.cells}
    for cell in read(path).cells:
        if re.search(r"\.(check|ask|find)\(", cell.source):
            assert cell.source in kept
    for ex in of_lesson(path):
        assert ex.stub in kept


@pytest.mark.parametrize(("options", "folder"), [([], "solutions"), (["--class"], "class")])
def test_the_command_writes_its_copies_where_git_does_not_look(options, folder):
    command = [sys.executable, "tools/solutions.py", *options, "02_"]
    done = subprocess.run(command, cwd=FOLDER.parent, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    copy = f"out/{folder}/02_cumulative_gain.ipynb"
    assert copy in done.stdout
    assert (FOLDER.parent / copy).exists()
    ignored = subprocess.run(["git", "check-ignore", "-q", copy], cwd=FOLDER.parent)
    assert ignored.returncode == 0
