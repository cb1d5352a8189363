"""The lessons keep to the form of the course, and show the figures that they promise."""

import re
import statistics

import pytest
from nbformat.v4 import new_code_cell, new_notebook

from tools import minutes, readme
from tools.notebook_rules import Book, text_of

LESSONS = [Book.read(path) for path in sorted((readme.ROOT / "notebooks").glob("[0-9]*.ipynb"))]
EXERCISES = [Book.read(path) for path in sorted((readme.ROOT / "exercises").glob("*.ipynb"))]
TOTAL = 12


def each(books):
    """A test for each of the books."""
    ids = [f"{book.path.parent.name}/{book.path.stem}" for book in books]
    return pytest.mark.parametrize("book", books, ids=ids)


by_lesson = each(LESSONS)


def number(book):
    return book.path.stem[:2]


def lines_of_code(book):
    """The lengths of the code cells, blank lines not counted."""
    return [sum(bool(line.strip()) for line in cell.source.splitlines()) for _, cell in book.code]


@by_lesson
def test_the_first_cell_says_where_one_is_and_how_to_go_on(book):
    top = book.notebook.cells[0].source
    n = int(number(book))
    assert re.match(rf"# {n:02} · \S", top)
    line = re.search(r"^\*Lesson .*\*$", top, flags=re.MULTILINE).group()
    assert f"*Lesson {n + 1} of {TOTAL} · about {readme.minutes(book)} minutes · " in line
    links = [link for index, link in book.links if index == 0]
    names = [other.path.name for other in LESSONS]
    here = names.index(book.path.name)
    neighbours = names[max(here - 1, 0) : here] + names[here + 1 : here + 2]
    assert set(neighbours) <= set(links)
    assert "you can" in top


@by_lesson
def test_the_last_cell_leads_on(book):
    last = len(book.notebook.cells) - 1
    links = [link for index, link in book.links if index == last]
    n = int(number(book))
    following = [f"{n + 1:02}_"] if n + 1 < TOTAL else []
    for start in following:
        assert any(link.startswith(start) for link in links), links
    beside = (readme.ROOT / "exercises") / book.path.name
    if beside.exists():
        assert f"../exercises/{book.path.name}" in links


@each(LESSONS + EXERCISES)
def test_the_minutes_are_those_that_are_reckoned(book):
    assert readme.minutes(book) == minutes.reckon(book)


@pytest.mark.parametrize(
    ("code", "spent"),
    [
        ("1 + 1", 0),
        ("sliders = RankingSliders(docs, grades)\nLive(say, grades=RankingSliders(docs, grades))", 2),
        ('quiz.get("check/09/1").ask()', 1),
        ('display(quiz.get("check/09/1").ask())\nquiz.get("check/09/2").ask()', 2),
        ('quiz.get("myth/05").ask()', 3),
        ('exercises.get("05/ndcg").check(ndcg)', 6),
        ('exercises.get("07/mean_average_precision").check(\n    mean_average_precision\n)', 6),
        ('exercises.get("10/evaluate_users").check(evaluate_users)', 12),
    ],
    ids=["code", "a widget in another", "question", "two", "and a list", "exercise", "broken line", "long"],
)
def test_a_cell_takes_half_a_minute_and_what_it_asks_for(code, spent):
    book = Book(new_notebook(cells=[new_code_cell(code)]), LESSONS[0].path)
    assert minutes.spent(book) == 0.5 + spent


@by_lesson
def test_proportions(book):
    assert 15 <= len(book.notebook.cells) <= 30
    assert statistics.quantiles(lines_of_code(book), n=10, method="inclusive")[-1] <= 12


LONGEST = 100  # words


def prose(text):
    """What is read at first sight: no folded answer, and no table."""
    return re.sub(r"<details>.*?</details>|^\|.*$", "", text, flags=re.DOTALL | re.MULTILINE)


@each(LESSONS + EXERCISES)
def test_no_text_between_two_cells_is_long(book):
    first, last = 0, len(book.notebook.cells) - 1
    long = {
        index: words
        for index, text in book.texts
        if index not in (first, last) and (words := len(prose(text).split())) > LONGEST
    }
    assert long == {}


def test_the_median_code_cell_of_the_course_is_short():
    assert statistics.median(lines for book in LESSONS for lines in lines_of_code(book)) <= 5


@by_lesson
def test_something_is_moved_predicted_and_shown_to_mislead(book):
    code = "\n".join(cell.source for _, cell in book.code)
    assert re.search(minutes.SIGNS["widget"], code)
    assert re.search(minutes.SIGNS["question"], code)
    if number(book) not in ("00", "11"):
        assert any("mislead" in heading.lower() for _, _, heading in book.headings)


# The figures of each lesson that a reader can check by hand; they come from code that ran.
FIGURES = {
    "01": ["0.800", "5"],
    "02": ["10"],
    "03": ["0.5", "0.631", "0.431", "0.387", "4.262", "3.000", "6.393", "7.000"],
    "04": ["1.000", "4.544"],
    "05": [
        *("3.748", "4.193", "0.894"),
        *("6.240", "7.323", "0.852", "15.126", "21.347", "0.709"),
        *("8.024", "9.024", "0.889"),
        *("0.220", "0.660"),
        *("0.824", "0.870", "1.000"),
    ],
    "07": ["0.756", "0.639", "0.697"],
    "08": ["1.000", "0.500", "0.280", "0.543", "0.470", "0.661"],
    "09": ["40", "1.000", "0.909", "0.289"],
}


@pytest.mark.parametrize(
    ("lesson", "figure"), [(lesson, figure) for lesson, all_ in FIGURES.items() for figure in all_]
)
def test_the_figure_stands_in_an_output(lesson, figure):
    (book,) = [book for book in LESSONS if number(book) == lesson]
    shown = "\n".join(
        re.sub(r"<style>.*?</style>|<[^>]+>", " ", text_of(o), flags=re.S) for _, o in book.outputs()
    )
    assert re.search(rf"(?<![\d.]){re.escape(figure)}(?![\d.]*\d)", shown), figure
