"""Everything of ours that a cell can show has no serious fault that axe knows, on light and on dark.

What the notebooks show is looked at in test_every_notebook; here is what they show only to some: verdicts of
each kind, hints, replies, progress, reports of bad files. And a notebook full of faults, to see them found.
"""

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from tests.browser import accessibility
from tests.browser.test_harness import KERNEL

SHOWN = {
    "verdicts": """
from rankedu import exercises
ex = exercises.get("02/cumulative_gain")
def waits(grades, k): ...
def forgets(grades, k): return sum(grades)
def fails(grades, k): return grades[99]
def right(grades, k): return sum(grades[:k])
display(*[ex.check(f) for f in (waits, forgets, fails, right)])
""",
    "exercise": "display(ex, ex.hint(), ex.solution())",
    "answers": """
from rankedu import quiz
q = quiz.get("interview/04")
display(q, *[q.answer(letter) for letter in q.options], quiz.score())
""",
    "misconception": 'm = quiz.get("myth/05")\ndisplay(m.ask(), m.refute([1, 1]), m.refute([1, 0, 1]))',
    "progress": "from rankedu import progress\nprogress.show()",
    "class": "import os\nprogress.read_class([os.environ['RANKEDU_PROGRESS']])",
    "explanations": """
from rankedu import explain
g, names = [2, 0, 1, 2, 1], list("abcde")
display(*[explain.by_name(metric, g, 3, items=names) for metric in explain.METRICS])
""",
    "widgets": """
from rankedu.widgets import RankingSliders
RankingSliders(names, g, k=3, metric=["ndcg", "average_precision"])
""",
    "evaluation": """
from rankedu import data, trec
task = data.load("stdlib_search")
run = task.runs["bm25"]
trec.evaluate(task.qrels, run).report()
""",
    "diagnosis": """
trec.diagnose({"q": {"a": 1, "b": -1}, "r": {"c": 0}}, [("q", "a", 1.0), ("q", "a", 1.0), ("s", "x", 1.0)])
""",
}
FAULTY = {
    "color-contrast": "<p style='color:#999;background:#888'>hard to read</p>",
    "svg-img-alt": "<svg role='img' width='20' height='20'><circle r='9'/></svg>",
    "label": "<input type='text'>",
    "aria-required-parent": "<div role='tab'>alone</div>",
}


@pytest.fixture
def shown(open_notebook, server):
    """Opens and runs a notebook of these cells."""

    def shown(*sources):
        cells = [new_markdown_cell("# Shown"), *map(new_code_cell, sources)]
        nbformat.write(new_notebook(cells=cells, metadata=KERNEL), server.root / "shown.ipynb")
        notebook = open_notebook("shown.ipynb", width=1000)
        notebook.run_all()
        assert notebook.errors() == []
        return notebook

    return shown


def test_what_a_cell_can_show(shown):
    assert accessibility.findings(shown(*SHOWN.values())) == []


def test_faults_are_found_in_both_themes(shown):
    notebook = shown(*(f"from IPython.display import HTML\nHTML({text!r})" for text in FAULTY.values()))
    found = [line.split(": ")[:2] for line in accessibility.findings(notebook)]
    assert sorted(found) == sorted([theme, rule] for theme in ("light", "dark") for rule in FAULTY)


def test_a_colour_for_light_only_is_found_in_the_dark(shown):
    dim = "from IPython.display import HTML\nHTML(\"<p style='color:#222'>ink</p>\")"
    found = [line.split(": ")[:2] for line in accessibility.findings(shown(dim))]
    assert found == [["dark", "color-contrast"]]
