"""The glossary and the lessons agree: what a lesson defines, in bold, is in the glossary, and the reverse."""

import csv
import re

import pytest

from tools import readme
from tools.notebook_rules import Book, text_of

FOLDER = readme.ROOT / "notebooks"
TERMS = list(csv.DictReader((FOLDER / "glossary.csv").read_text(encoding="utf-8").splitlines()))
LESSONS = {path.stem[:2]: Book.read(path) for path in sorted(FOLDER.glob("[0-9]*.ipynb"))}

# What lessons set in bold besides terms: signposts, the names of controls and keys, a few stressed words.
SIGNPOSTS = {"after this lesson you can", "next", "a widget is dead or missing"}
SIGNPOSTS |= {"a cell hangs or everything is confused", "you changed a notebook and want the original back"}
CONTROLS = {"best first", "undo", "reset", "check", "relevant from grade", "exponential"}
CONTROLS |= {"shift+enter", "tab", "home", "end", "enter", "space"}
STRESSED = {"blind to order", "only what crosses the cut-off changes cg@k", "sort, then cut"}
STRESSED |= {"everything judged", "all judged grades"}

by_term = pytest.mark.parametrize("term", TERMS, ids=lambda term: term["term"])


def in_bold(book):
    """The words in bold in a lesson's text, in lower case, without the sign that ends them."""
    runs = (run for _, text in book.texts for run in re.findall(r"\*\*(.+?)\*\*", text, flags=re.DOTALL))
    return {" ".join(run.split()).rstrip(":.").lower() for run in runs}


def forms(term):
    """A term as a lesson may write it: the singular or the plural."""
    return {term["term"].lower(), term["term"].lower() + "s"}


@by_term
def test_a_term_is_set_in_bold_by_the_lesson_that_it_names_and_by_none_before(term):
    # Lesson 00 shows the words that 01 defines.
    defining = [number for number, book in LESSONS.items() if number > "00" and forms(term) & in_bold(book)]
    assert defining[:1] == [term["lesson"]]


@pytest.mark.parametrize("number", LESSONS)
def test_what_a_lesson_sets_in_bold_stands_in_the_glossary(number):
    known = set().union(*map(forms, TERMS))
    unknown = in_bold(LESSONS[number]) - known - SIGNPOSTS - CONTROLS - STRESSED
    assert unknown == set(), "add it to notebooks/glossary.csv, or to the words above if it is no term"


@by_term
def test_every_term_has_a_chinese_name_and_a_meaning_on_one_line(term):
    assert re.search(r"[\u4e00-\u9fff]", term["chinese"])
    assert 3 <= len(term["meaning"].split()) <= 20
    assert None not in term, "a comma too many"
    assert not any("|" in value or "\n" in value for value in term.values())


def test_terms_stand_once_and_in_alphabetical_order():
    words = [term["term"].casefold() for term in TERMS]
    assert words == sorted(set(words))


def test_a_chinese_name_stands_for_one_term():
    names = [term["chinese"] for term in TERMS]
    assert sorted(names) == sorted(set(names))


def test_the_notebook_shows_every_term_with_a_link_to_its_lesson():
    wanted = []
    for term in TERMS:
        link = f"[{term['lesson']}]({LESSONS[term['lesson']].path.name})"
        cells = [term["term"], term["short"], term["chinese"], link, term["meaning"]]
        wanted.append(f"| {' | '.join(cells)} |")
    outputs = Book.read(FOLDER / "glossary.ipynb").outputs()
    lines = [line for _, output in outputs for line in text_of(output).splitlines()]
    assert [line for line in lines if line.startswith("| ")][1:] == wanted
