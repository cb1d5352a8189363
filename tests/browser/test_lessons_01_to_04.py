"""Lessons 01 to 04 in JupyterLab: what each of them tells its reader to do shows what it says it shows."""

from itertools import pairwise

import pytest
from playwright.sync_api import expect


@pytest.fixture
def lesson(open_notebook):
    """Opens a lesson, runs it, and gives its widgets by a piece of the code that makes them."""
    opened = []

    def open_lesson(path):
        notebook = open_notebook(f"notebooks/{path}")
        notebook.run_all()
        opened.append(notebook)
        return lambda source: Widget(notebook, source)

    yield open_lesson
    for notebook in opened:
        assert notebook.faults() == {}


class Widget:
    """The widget that the first cell with `source` shows."""

    def __init__(self, notebook, source):
        self.notebook = notebook
        self.output = notebook.cell(notebook.find(source)).locator(".jp-OutputArea-output")

    def press(self, text):
        """A button, by the text on it or by its tooltip."""
        self.output.locator(f"button:has-text('{text}'), button[title='{text}']").first.click()
        self.notebook.settle()

    def key(self, key, slider=0):
        self.output.get_by_role("slider").nth(slider).press(key)
        self.notebook.settle()

    def rank(self, title, rank):
        box = self.output.get_by_label(title, exact=True)
        box.fill(str(rank))
        box.press("Enter")
        self.notebook.settle()

    def scores(self, *wanted):
        """The page shows these scores; it is waited for, since a busy kernel answers late."""
        expect(self.output.locator(".rk-head strong")).to_have_text(list(wanted))

    def says(self, wanted):
        expect(self.output.locator(".rk-text")).to_have_text(wanted)

    def order(self, *wanted):
        titles = self.output.locator(".rk-live tbody td.rk-t")
        expect(titles).to_have_text(list(wanted))

    @property
    def score(self):
        return float(self.output.locator(".rk-head strong").first.inner_text())

    def picture(self):
        return self.output.locator("img").first.get_attribute("src")


def test_01_the_threshold_moves_the_share_and_accuracy_stands_still(lesson):
    find = lesson("01_relevance_grading.ipynb")
    books = find("list(stars.values())")
    books.scores("0.400")
    books.key("ArrowLeft")
    books.scores("0.800")
    books.key("End")
    books.scores("0.200")

    ten = find("Live(say")
    ten.says("accuracy 0.800, first full answer at rank 1")
    ten.rank("csv.writer", 1)
    ten.rank("bz2.BZ2File", 2)
    ten.says("accuracy 0.800, first full answer at rank 3")
    for title in ("csv.reader", "csv.DictReader"):
        ten.rank(title, 10)
    ten.says("accuracy 0.800, first full answer at rank 9")
    ten.scores("0.800")


def test_02_order_does_not_move_cg_and_the_cut_off_does(lesson):
    find = lesson("02_cumulative_gain.ipynb")
    whole = find("k=5")
    whole.rank("shutil.rmtree", 1)
    whole.order("shutil.rmtree", "os.walk", "shutil", "os.rename", "os.rmdir")
    whole.scores("10.000")

    cut = find('controls=["k"]')
    cut.press("os.walk: one rank down")
    cut.order("shutil", "os.walk", "os.rename", "os.rmdir", "shutil.rmtree")
    cut.scores("5.000")
    cut.press("Reset")
    cut.rank("shutil.rmtree", 3)
    cut.scores("9.000")
    cut.key("ArrowRight")
    cut.scores("9.000")
    cut.key("ArrowLeft")
    cut.press("Best first")
    cut.scores("9.000")
    cut.rank("shutil.rmtree", 3)
    cut.scores("9.000")


def test_03_every_step_up_and_each_switch(lesson):
    find = lesson("03_discounted_cumulative_gain.ipynb")
    steps = find("RankingSliders(docs")
    scores = [steps.score]
    for _ in range(4):
        steps.press("shutil.rmtree: one rank up")
        scores.append(steps.score)
    brings = [after - before for before, after in pairwise(scores)]
    assert min(brings) > 0
    assert max(brings) == brings[-1]

    pair = find("explain.dcg(grades, gain=gain)")
    pair.scores("4.262", "3.000")
    pair.press("exponential")
    pair.scores("6.393", "7.000")

    base = find("Live(with_base")
    before = base.picture()
    base.key("ArrowRight")
    base.key("ArrowRight")
    base.says("DCG@3, base 4: [2, 2, 2] 8.524, [3, 0, 0] 6.000")
    assert base.picture() != before

    misleading = find('"good 1"')
    start = {"linear": misleading.score}
    misleading.press("exponential")
    start["exponential"] = misleading.score
    misleading.rank("answer", 1)
    for title in ("useless 1", "useless 2"):
        misleading.rank(title, 2)
    assert misleading.score > start["exponential"]
    misleading.press("linear")
    assert misleading.score < start["linear"]


def test_04_the_ideal_stands_still_and_the_faulty_one_moves(lesson):
    find = lesson("04_ideal_dcg.ipynb")
    by_hand = find("Live(say")
    by_hand.says("highest DCG@5 7.323, missing 1.084")
    by_hand.press("Best first")
    by_hand.says("highest DCG@5 7.323, missing 0.000")

    ideals = find("Live(two_ideals")
    ideals.scores("4.262")
    ideals.says("IDCG@3 6.893\ncut, then sorted: 4.262")
    ideals.rank("shutil.rmtree", 1)
    ideals.says("IDCG@3 6.893\ncut, then sorted: 6.893")
    ideals.rank("os.rename", 2)
    ideals.says("IDCG@3 6.893\ncut, then sorted: 5.893")

    dates = find("dates = RankingSliders")
    dates.says("DCG@10 0.500, IDCG@10 4.544")
    dates.press("Best first")
    dates.says("DCG@10 1.000, IDCG@10 4.544")
