"""Questions in JupyterLab: answered by mouse and by keyboard alone, scored at once, and remembered."""

import re

import pytest

from rankedu import quiz

INTERVIEW, MYTHS, HUNT = (
    f"exercises/{name}.ipynb" for name in ("interview_questions", "misconceptions", "bug_hunt")
)


def right(id):
    return "".join(letter for letter, option in quiz.get(id)._lettered().items() if option.right)


def wrong(id):
    return next(letter for letter in quiz.get(id).options if letter not in right(id))


class Asked:
    """One question on the page, as it is seen."""

    def __init__(self, notebook, id):
        self.notebook, self.id = notebook, id
        output = notebook.cell(notebook.find(f'quiz.get("{id}").ask()')).locator(".jp-OutputArea-output")
        self.box = output.locator(".rankedu-quiz")

    def option(self, letter):
        return self.box.get_by_label(f"{letter}) ")

    def chosen(self):
        self.notebook.settle()
        return [letter for letter in quiz.get(self.id).options if self.option(letter).is_checked()]

    def said(self):
        self.notebook.settle()
        return " ".join(self.box.get_by_role("alert").all_inner_texts())

    def replies(self):
        return self.box.locator(".rq-reply").all_inner_texts()


@pytest.fixture
def interview(open_notebook, server):
    server.progress.unlink(missing_ok=True)
    notebook = open_notebook(INTERVIEW, width=1000)
    notebook.run_all()
    return notebook


def test_answered_by_mouse_wrong_and_right(interview, server):
    asked = Asked(interview, "interview/04")
    for letter, word in ((wrong("interview/04"), "Not this one"), (right("interview/04"), "Correct")):
        asked.option(letter).click()
        assert asked.chosen() == [letter]
        assert asked.replies() == []
        asked.box.get_by_role("button", name="Check", exact=True).click()
        assert word in asked.said()
        assert quiz.get("interview/04")._lettered()[letter].reply in asked.replies()[0]
    score = interview.cell(interview.find("quiz.score()")).inner_text()
    assert re.search(r"\b1 of 10 right, 0 at the first try", score), "the score follows without being run"
    assert '"interview/04"' in server.progress.read_text()
    assert interview.faults() == {}


def test_answered_by_keyboard_alone(interview):
    asked, page = Asked(interview, "interview/05"), interview.page
    cells = page.locator(".jp-Cell").count()
    asked.option("A").focus()
    for letter in quiz.get("interview/05").options:
        if letter in right("interview/05"):
            page.keyboard.press("Space")
        page.keyboard.press("Tab")
    assert asked.chosen() == list(right("interview/05"))
    assert "Check" in page.evaluate("document.activeElement.textContent")
    page.keyboard.press("Enter")
    assert "Correct" in asked.said()
    page.keyboard.press("Tab")
    page.keyboard.press("Space")  # Every reply
    interview.settle()
    assert len(asked.replies()) == len(quiz.get("interview/05").options)
    assert page.locator(".jp-Cell").count() == cells
    assert interview.faults() == {}


def test_an_answer_is_remembered_by_the_next_kernel(open_notebook, interview):
    asked = Asked(interview, "interview/08")
    asked.option(right("interview/08")).click()
    asked.box.get_by_role("button", name="Check", exact=True).click()
    assert "Correct" in asked.said()
    interview.restart_and_run_all()
    assert (
        f"last time you chose {right('interview/08')}: correct"
        in Asked(interview, "interview/08").box.inner_text()
    )
    words = quiz.get("interview/08").first_words
    score = interview.cell(interview.find("quiz.score()")).inner_text()
    assert f"interview/08\t{words}\t✓ right" in score


def test_a_misconception_refuted_by_keyboard(open_notebook):
    notebook = open_notebook(MYTHS, width=1000)
    notebook.run_all()
    asked, page = Asked(notebook, "myth/05"), notebook.page
    field = asked.box.get_by_label("grades")
    for text, word in (("[1, 0", "must be a list"), ("[1, 1]", "Not refuted yet"), ("[1, 0, 1]", "Refuted")):
        field.focus()
        page.keyboard.press("Control+A")
        page.keyboard.type(text)
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        assert word in asked.said()
    assert "NDCG@2 0.613" in asked.said()
    assert notebook.faults() == {}


def test_a_hunt_from_end_to_end(open_notebook):
    notebook = open_notebook(HUNT, width=1000)
    notebook.run_all()
    program, find, check = (
        notebook.find(text) for text in ("def precision_of_grades(", '"bug/05").find', '"bug/05").check')
    )
    assert "Not attempted" in notebook.run_cell(check)
    notebook.edit(find, 'exercises.get("bug/05").find([1, 0], 2)')
    assert "hides the fault" in notebook.run_cell(find)
    notebook.edit(find, 'exercises.get("bug/05").find([3, 0], 2)')
    assert "exposes the fault" in notebook.run_cell(find)
    mended = "def precision_of_grades(grades, k):\n    return sum(g > 0 for g in grades[:k]) / k"
    notebook.edit(program, mended)
    notebook.run_cell(program)
    assert "Correct" in notebook.run_cell(check)
    assert notebook.faults() == {}


@pytest.mark.parametrize(("id", "radius"), [("interview/06", "50%"), ("interview/05", "0px")])
def test_a_box_is_round_where_one_is_right_and_stands_at_the_first_line(interview, id, radius):
    asked = Asked(interview, id)
    heights = []
    for letter in quiz.get(id).options:
        box = asked.option(letter)
        assert box.evaluate("box => getComputedStyle(box).borderRadius") == radius
        square, line, lines = box.evaluate(
            """box => {
                const text = document.createRange();
                text.selectNodeContents(box.parentElement.querySelector('span'));
                const middle = r => (r.top + r.bottom) / 2, lines = text.getClientRects();
                return [middle(box.getBoundingClientRect()), middle(lines[0]), lines.length];
            }"""
        )
        assert abs(square - line) <= 3
        heights.append(lines)
    if radius == "50%":
        assert max(heights) > 1, "no option has two lines"
        unchosen = box.evaluate("box => getComputedStyle(box).borderTopWidth")
        box.check()
        assert box.evaluate("box => getComputedStyle(box).borderTopWidth") != unchosen
        box.press("Tab")
        interview.page.keyboard.press("Shift+Tab")
        assert box.evaluate("box => getComputedStyle(box).outlineStyle") == "solid"
