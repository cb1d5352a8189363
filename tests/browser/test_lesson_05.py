"""Lesson 05 and its exercise in JupyterLab: the slider by key and by mouse, an answer wrong and right."""

import pytest

from rankedu import metrics

GRADES = [2, 0, 1, 2, 1]

RIGHT = """\
def ndcg(grades, k, judged):
    def dcg(ranking):
        return sum(g / math.log2(i + 2) for i, g in enumerate(ranking[:k]))

    best = dcg(sorted(judged, reverse=True))
    return dcg(grades) / best if best else 0.0
"""
FORGETFUL = RIGHT.replace("sorted(judged", "sorted(grades")


class Sliders:
    """The first ranking widget of an open notebook, as it is seen."""

    def __init__(self, notebook):
        self.notebook = notebook
        index = notebook.find("RankingSliders(")
        self.output = notebook.cell(index).locator(".jp-OutputArea-output")
        self.handles = self.output.get_by_role("slider")

    def ranks(self):
        """The rank of each item, read from its slider and from the number beside it."""
        sliders = [int(handle.get_attribute("aria-valuenow").split(".")[0]) for handle in self.handles.all()]
        numbers = [int(box.input_value()) for box in self.output.locator("input[type=number]").all()]
        assert numbers[: len(sliders)] == sliders
        return sliders

    def score(self):
        return self.output.locator(".rk-head strong").first.inner_text()

    def bars(self):
        return self.output.locator(".rk-bar").evaluate_all("bars => bars.map(bar => bar.style.width)")

    def picture(self):
        return self.output.locator("img").first.get_attribute("src")

    def seen(self):
        return {"score": self.score(), "bars": self.bars(), "picture": self.picture()}

    def expected(self):
        """The score of the order that is shown, from the package."""
        order = sorted(zip(self.ranks(), GRADES, strict=True))
        return f"{metrics.ndcg([grade for _, grade in order], k=5):.3f}"


@pytest.fixture
def sliders(open_notebook):
    notebook = open_notebook("notebooks/05_ndcg.ipynb")
    notebook.run_all()
    return Sliders(notebook)


def test_the_slider_by_key_and_by_mouse(sliders):
    first = sliders.handles.first
    assert (sliders.ranks(), sliders.score()) == ([1, 2, 3, 4, 5], "0.894")
    for move, ranks in [
        (lambda: first.press("ArrowRight"), [2, 1, 3, 4, 5]),
        (lambda: sliders.notebook.drag(first, to=1), [5, 1, 2, 3, 4]),
        (lambda: first.press("Home"), [1, 2, 3, 4, 5]),
    ]:
        before = sliders.seen()
        move()
        sliders.notebook.settle()
        assert sliders.ranks() == ranks
        assert sliders.score() == sliders.expected()
        assert [what for what, value in sliders.seen().items() if value == before[what]] == []
    assert sliders.notebook.faults() == {}


def test_the_number_beside_a_slider_moves_the_item(sliders):
    box = sliders.output.locator("input[type=number]").nth(3)
    box.fill("1")
    box.press("Enter")
    sliders.notebook.settle()
    assert sliders.ranks() == [2, 3, 4, 1, 5]
    assert sliders.score() == sliders.expected()


def test_the_exercise_wrong_and_right(open_notebook, server):
    notebook = open_notebook("exercises/05_ndcg.ipynb")
    notebook.run_all()
    stub, check = notebook.find("def ndcg("), notebook.find('get("05/ndcg").check')
    assert "Not attempted" in notebook.run_cell(check)

    def answer(source):
        notebook.edit(stub, source)
        notebook.run_cell(stub)
        return notebook.run_cell(check)

    wrong = answer(FORGETFUL)
    assert "Incorrect" in wrong
    assert "Your ideal comes from the list that was returned" in wrong, "the mistake is named"
    assert "ndcg([1], 1, [1, 2])" in wrong, "and shown with a small list"
    assert "Correct" in answer(RIGHT)
    assert notebook.faults() == {}
    assert "05/ndcg" in server.progress.read_text()
