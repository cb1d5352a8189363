"""Lesson 09 in JupyterLab: the explorer by keyboard alone, the pairs that disagree, AUC and the weights."""

import pytest
from playwright.sync_api import expect


@pytest.fixture
def lesson(open_notebook):
    notebook = open_notebook("notebooks/09_choosing_a_metric.ipynb")
    notebook.run_all()
    yield notebook
    assert notebook.faults() == {}


def output(notebook, source):
    """What the first cell with `source` shows."""
    return notebook.cell(notebook.find(source)).locator(".jp-OutputArea-output").last


def press(button, key="Space"):
    button.focus()
    button.press(key)


def rank(shown, title, rank, nth=0):
    box = shown.get_by_label(title, exact=True).nth(nth)
    box.fill(str(rank))
    box.press("Enter")


def test_the_explorer_by_keyboard_alone(lesson):
    shown = output(lesson, "MetricExplorer()")
    cells = lesson.page.locator(".jp-Cell").count()
    mean = shown.locator(".rk-mean")
    button = lambda name: shown.get_by_role("button", name=name, exact=True)  # noqa: E731
    expect(mean).to_contain_text("mean NDCG@5")
    expect(mean.locator("strong")).to_have_text("0.439")
    for mode, name, value in [("MAP", "MAP@5", "0.367"), ("MRR", "MRR@5", "0.500")]:
        press(button(mode))
        expect(mean).to_contain_text(name)
        expect(mean.locator("strong")).to_have_text(value)
    expect(button("linear")).to_be_disabled()
    press(button("NDCG"), "Enter")
    expect(button("exponential")).to_be_enabled()
    press(button("exponential"))
    expect(mean.locator("strong")).not_to_have_text("0.439")
    press(button("linear"))

    press(button("read a csv file"))
    expect(shown.locator(".rk-active .rk-query")).to_have_text("read a csv file")
    rank(shown, "csv.reader", 2)
    changes = shown.locator(".rk-board tbody tr").nth(1).locator(".rk-change")
    expect(changes).to_have_text(["▲ 0.039", "no change", "no change"])
    expect(shown.locator(".rk-active tbody td.rk-t").nth(1)).to_have_text("csv.reader")

    slider = shown.get_by_role("slider")
    picture = shown.locator("img").get_attribute("src")
    slider.nth(2).focus()  # after the cut-off and the threshold comes the first item
    slider.nth(2).press("End")
    expect(shown.locator("img")).not_to_have_attribute("src", picture)
    expect(shown.locator(".rk-active tbody td.rk-t").nth(5)).to_have_text("csv.writer")
    slider.nth(0).press("ArrowLeft")
    expect(mean).to_contain_text("mean NDCG@4")
    press(button("MAP"))
    expect(button("linear")).to_be_disabled()
    lesson.settle()
    slider.nth(1).press("ArrowRight")
    expect(shown).to_contain_text("relevant: grade 2 or more")
    assert lesson.page.locator(".jp-Cell").count() == cells, (
        "a key reached the notebook instead of the widget"
    )


@pytest.mark.parametrize(
    ("source", "a", "b", "says"),
    [
        ('["ndcg", "average', (1, 7, 8), (2, 3, 6), "✓ Found: NDCG@8 prefers A, AP prefers B"),
        ('["reciprocal_rank"', (1, 7, 8), (2, 3, 4), "✓ Found: RR prefers A, AP prefers B"),
    ],
    ids=["NDCG against AP", "RR against AP"],
)
def test_the_pair_in_the_folded_answer_is_found(lesson, source, a, b, says):
    shown = output(lesson, source)
    verdict = shown.get_by_role("status")
    expect(verdict).to_contain_text("Not yet")
    for nth, places in enumerate((a, b)):
        # From the last to the first, so that no page placed is pushed down by one that follows.
        for title, place in reversed(
            list(zip(("json.loads", "json.load", "json.tool"), places, strict=True))
        ):
            rank(shown, title, place, nth)
            lesson.settle()
    expect(verdict).to_contain_text(says)


def test_auc_and_the_weights_by_key(lesson):
    auc = output(lesson, "Live(one_in_100")
    expect(auc.locator(".rk-text")).to_have_text("rank 10: AUC 0.909, NDCG@100 0.289, RR 0.100")
    auc.get_by_role("slider").press("Home")
    expect(auc.locator(".rk-text")).to_have_text("rank 1: AUC 1.000, NDCG@100 1.000, RR 1.000")

    weights = output(lesson, "Shares(start)")
    winner = lambda: [float(text.split()[1]) for text in weights.locator(".rk-text").all_inner_texts()]  # noqa: E731
    a, b = winner()
    assert a > b
    weights.get_by_role("slider").nth(2).press("ArrowLeft")
    expect(weights.locator(".rk-text").first).to_contain_text("0.25 × 1.000")
    a, b = winner()
    assert a < b
