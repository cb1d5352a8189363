"""Hostile and unlucky use: names taken, cells out of order or twice, Windows line ends, homes that refuse."""

import ast
import builtins
import gzip
import os
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from rankedu import data, exercises, trec
from rankedu.widgets import RankingSliders
from tools import notebooks

ROOT = Path(__file__).parents[1]
PATHS = notebooks.paths()

every_notebook = pytest.mark.parametrize("path", PATHS, ids=lambda path: path.relative_to(ROOT).as_posix())


# --- A learner's cells, in one namespace as a kernel keeps it ----------------------------------------


def namespace():
    return {"__name__": "__main__", "display": lambda *shown: [repr(each) for each in shown]}


def run(source, names):
    """Runs a cell and makes the text of what its last line gives, as a kernel does."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "<cell>", "exec"), names)
    if last:
        repr(eval(compile(ast.Expression(last.value), "<cell>", "eval"), names))


def verdict(id, *cells):
    """What the check says of the function that these cells define."""
    names = namespace()
    for cell in cells:
        run(cell, names)
    ex = exercises.get(id)
    return ex.check(names[ex.name])


DCG = "def dcg(grades, k):\n    return sum(g / math.log2(i + 2) for i, g in enumerate(grades[:k]))\n"
OURS = """
metrics, data, explain, batch, trec = {"ndcg": 0.5}, [1, 2], ["because"], 32, None
exercises = quiz = progress = widgets = pictures = rankedu = "mine"
grades, ranking, k, discount, ideal_dcg, reference, judge = 7, "list", "key", 0.85, None, 1, 2
"""

SUBMISSIONS = [
    ("all our names taken", [OURS, "import math", DCG]),
    ("in a cell before its import", [DCG, "import math"]),
    ("defined again", ["import math", "def dcg(grades, k):\n    return 0", DCG]),
    (
        "with a helper from another cell, defined later",
        [
            "def dcg(grades, k):\n    return sum(map(part, range(1, 99), grades[:k]))",
            "from math import log2\ndef part(rank, grade):\n    return grade / log2(rank + 1)",
        ],
    ),
    (
        "numpy under another name",
        [
            "import numpy as nump",
            "def dcg(grades, k):\n"
            "    top = nump.array(grades[:k], float)\n"
            "    return (top / nump.log2(nump.arange(len(top)) + 2)).sum()",
        ],
    ),
    ("Windows line ends", ["import math\r\n", DCG.replace("\n", "\r\n")]),
    (
        "a lambda",
        [
            "import math",
            "dcg = lambda grades, k: sum(g / math.log2(i + 2) for i, g in enumerate(grades[:k]))",
        ],
    ),
    ("names of builtins taken that it does not use", ["import math", "list = max = min = sorted = [1]", DCG]),
]


@pytest.mark.parametrize("cells", [cells for _, cells in SUBMISSIONS], ids=[why for why, _ in SUBMISSIONS])
def test_a_right_answer_is_correct_however_it_came_about(cells):
    found = verdict("03/dcg", *cells)
    assert found.status == "correct", found.message


@pytest.mark.parametrize(
    ("taken", "says"),
    [
        ("math = 3", "'int' object has no attribute 'log2'"),
        ("sum = 0\nimport math", "'int' object is not callable"),
    ],
    ids=["a module", "a builtin"],
)
def test_a_name_that_the_answer_itself_needs_is_an_error_that_says_so(taken, says):
    found = verdict("03/dcg", "import math", DCG, taken)
    assert found.status == "error"
    assert says in found.message


# The capstone's steps stand on what its earlier cells define
WRITTEN = [ex for ex in exercises.all() if not ex.id.startswith("capstone/")]


@pytest.mark.parametrize("ex", WRITTEN, ids=lambda ex: ex.id)
def test_no_check_depends_on_what_the_learner_has_defined(ex):
    """Every solution, pasted below a cell that takes our names."""
    names = namespace()
    for cell in (OURS, str(ex.source)):
        run(cell, names)
    assert ex.check(names[ex.name]).status == "correct"


def test_a_check_leaves_the_learners_names_as_they_were():
    names = namespace()
    run("import math\ncalls = []\n" + DCG, names)
    before = dict(names)
    exercises.get("03/dcg").check(names["dcg"])
    assert names == before
    assert vars(builtins)["input"] is input


# --- Cells out of order, and twice -------------------------------------------------------------------


@pytest.fixture
def course(tmp_path, monkeypatch):
    """The working directory is a copy of the notebook's folder: what a lesson writes, it writes there."""

    def course(path):
        target = tmp_path / path.parent.name
        shutil.copytree(path.parent, target, ignore=shutil.ignore_patterns(".*"))
        monkeypatch.chdir(target)
        cells = nbformat.read(path, as_version=4).cells
        return [cell for cell in cells if cell.cell_type == "code"]

    return course


def is_to_raise(cell):
    return "raises-exception" in cell.metadata.get("tags", [])


def trouble(cell, names, allowed=()):
    """The exception that a cell raises, unless it is allowed or promised."""
    try:
        run(cell.source, names)
    except Exception as error:
        return None if is_to_raise(cell) or isinstance(error, allowed) else f"{error!r} in:\n{cell.source}"


@every_notebook
def test_a_cell_run_first_works_or_names_what_is_missing(course, path):
    """Of a notebook opened in the middle, Python's own NameError is all that a learner may get."""
    troubles = [trouble(cell, namespace(), allowed=NameError) for cell in course(path)]
    assert list(filter(None, troubles)) == []


@every_notebook
def test_every_cell_run_twice(course, path):
    names = namespace()
    troubles = [trouble(cell, names) for cell in course(path) for _ in range(2)]
    assert list(filter(None, troubles)) == []
    for widget in [each for each in names.values() if isinstance(each, RankingSliders)]:
        moves, last = [], widget.order[-1]
        widget.observe(moves.append, "order")
        widget.move(last, 1)
        assert len(moves) == 1, "one move is one change"
        assert widget.sliders[last].value == 1


# --- Files from Windows ------------------------------------------------------------------------------

QRELS = "q1 0 a 2\nq1 0 b 1\nq2 0 a 1\n"
RUN = "q1 Q0 b 1 2.5 mine\nq1 Q0 a 2 1.5 mine\nq2 Q0 c 1 1.0 mine\n"


@pytest.mark.parametrize("ends", ["\r\n", "\r\n\r\n"], ids=["CR LF", "blank lines between"])
@pytest.mark.parametrize("mark", ["", "\ufeff"], ids=["no mark", "byte-order mark"])
def test_a_run_saved_on_windows_scores_the_same(tmp_path, ends, mark):
    def scored(change):
        for name, text in (("qrels", QRELS), ("run", RUN)):
            (tmp_path / name).write_bytes(change(text).encode())
        return trec.evaluate(tmp_path / "qrels", tmp_path / "run", ["nDCG@10", "AP", "RR"]).per_query

    assert scored(lambda text: mark + text.replace("\n", ends)) == scored(str)


# --- Homes that refuse -------------------------------------------------------------------------------

LESSON = """
from rankedu import exercises, explain, pictures, progress, quiz
from rankedu.widgets import RankingSliders

ex = exercises.get("02/cumulative_gain")
for _ in range(3):
    assert ex.check(lambda grades, k: sum(grades[:k]))
    assert quiz.get("interview/04").answer("A").status in ("correct", "incorrect")
repr(ex.hint()), repr(ex.solution()), repr(progress.show())
box = quiz.get("interview/04").ask()
box.choices["A"].value = True
box.check.click()
RankingSliders(["a", "b"], [1, 2], k=2).move(1, 1)
pictures.ranking(explain.ndcg([2, 0, 1]))._repr_mimebundle_()
print("went on")
"""


def lesson(**variables):
    """What a lesson prints, and what it writes to stderr, with these environment variables."""
    done = subprocess.run(
        [sys.executable, "-c", LESSON],
        env={**os.environ, **{name: str(value) for name, value in variables.items()}},
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "went on\n"
    return done.stderr


@pytest.fixture
def no_folder(tmp_path):
    """A path below a file: no folder can be made there, not even by root."""
    (tmp_path / "file").touch()
    return tmp_path / "file" / "below"


def test_without_a_place_for_progress_it_says_so_once_and_goes_on(no_folder):
    said = lesson(RANKEDU_PROGRESS=no_folder / "progress.json")
    assert len(said.strip().splitlines()) == 1
    assert str(no_folder) in said
    assert "progress" in said.lower()


def test_a_full_disk_is_said_once(tmp_path):
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full")
    said = lesson(RANKEDU_PROGRESS="/dev/full/progress.json")
    assert len(said.strip().splitlines()) == 1


@pytest.mark.parametrize("place", ["empty", "no folder can be made"])
def test_without_a_font_cache_nothing_is_written_to_stderr(tmp_path, no_folder, place):
    folder = tmp_path / "fonts" if place == "empty" else no_folder
    assert lesson(MPLCONFIGDIR=folder, RANKEDU_PROGRESS="off") == ""


def test_in_a_home_that_cannot_be_written_only_progress_says_so(no_folder):
    variables = dict.fromkeys(("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"), no_folder)
    said = lesson(**variables, RANKEDU_PROGRESS="", MPLCONFIGDIR="")
    assert len(said.strip().splitlines()) == 1
    assert "progress" in said.lower()


# --- Lesson 11 with the files of a reader -------------------------------------------------------------

FOUND_NOTHING = {
    "judged": b"1 0 a 1\n2 0 b 1\n",
    "run": b"1 Q0 x 1 2.0 new\n1 Q0 y 2 1.0 new\n",
    "baseline": b"1 Q0 a 1 1.0 old\n",
}


def gzipped():
    task = data.load("stdlib_search")
    names = {"judged": "judgments.qrels", "run": "bm25.run", "baseline": "name_match.run"}
    return {f"{what}.gz": gzip.compress(task.path(name).read_bytes()) for what, name in names.items()}


@pytest.mark.parametrize(
    "files", [gzipped, lambda: FOUND_NOTHING], ids=["gzipped", "a run that finds nothing"]
)
def test_lesson_11_goes_through_on_other_files(course, files):
    first, *others = course(ROOT / "notebooks" / "11_your_own_data.ipynb")
    for name, content in files().items():
        Path(name).write_bytes(content)
    names = namespace()
    run(first.source, names)
    names |= dict(zip(("judged_file", "run_file", "baseline_file"), files(), strict=True))
    names["texts"] = {}
    for cell in others:
        run(cell.source, names)
    assert Path("my_report.html").is_file()
