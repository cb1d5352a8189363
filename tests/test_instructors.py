"""INSTRUCTORS.md: its minutes add up, its links and names exist, and what it prints is what one gets."""

import contextlib
import io
import json
import re
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from rankedu import exercises, metrics, progress, quiz
from tools import minutes, notebooks, readme
from tools.notebook_rules import Book

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "INSTRUCTORS.md").read_text(encoding="utf-8")
CODE = re.compile(r"^ *```(\S*)([^\n]*)\n(.*?)^ *```$", flags=re.DOTALL | re.MULTILINE)
PROSE = CODE.sub("", TEXT)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
SPARE = 6  # minutes for talk that a part may have on top of what is reckoned


def section(heading, text=TEXT):
    """What stands under a heading, down to the next of its level or above."""
    level = len(heading) - len(heading.lstrip("#"))
    found = re.search(
        rf"^{re.escape(heading)}.*?\n(.*?)(?=^#{{1,{level}}} |\Z)", text, flags=re.DOTALL | re.MULTILINE
    )
    assert found, f"no heading begins with {heading!r}"
    return found[1]


def anchor(heading):
    """The id that GitHub gives to a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


# --- the plans --------------------------------------------------------------------------------------

PLANS = {"### 90 minutes": 90, "### Half a day": 210, "### A day": 420}


def rows(heading):
    """(minutes, part, question) of a plan."""
    found = re.findall(r"^\| (\d+) \| (.*?) \| (.*?) ?\|$", section(heading), flags=re.MULTILINE)
    return [(int(number), part, question) for number, part, question in found]


ROWS = [
    pytest.param(number, part, id=f"{heading.lstrip('# ')}-{index}")
    for heading in PLANS
    for index, (number, part, _) in enumerate(rows(heading))
    if LINK.search(part)
]
ASKED = re.compile(r"`((?:check|interview|myth)/[\d/]+)`")  # a part may name some of the questions


def reckoned(link):
    """The fewest minutes a plan may give to what is linked: a whole notebook, or the part under a heading."""
    name, _, fragment = unquote(link).partition("#")
    book = Book.read(ROOT / name)
    if not fragment:
        return readme.minutes(book)
    cells, inside = [], False
    for index, cell in enumerate(book.notebook.cells):
        here = {heading.replace(" ", "-"): level for at, level, heading in book.headings if at == index}
        if any(level <= 2 for level in here.values()):
            inside = fragment in here
        cells += [cell] if inside else []
    assert cells, f"{name} has no heading {fragment}"
    return minutes.spent(Book(type(book.notebook)(**{**book.notebook, "cells": cells}), book.path))


@pytest.mark.parametrize(("heading", "total"), PLANS.items(), ids=lambda x: str(x).strip("# "))
def test_a_plan_adds_up_to_what_its_heading_says(heading, total):
    assert sum(number for number, _, _ in rows(heading)) == total
    title = next(line for line in TEXT.splitlines() if line.startswith(heading))
    assert f"{total} minutes" in title


def least(part):
    """The minutes that a row of a plan takes without any talk."""
    if asked := ASKED.findall(part):
        kinds = ["code cell", "question"]
        each = [kinds + ["list to build"] * id.startswith("myth") for id in asked]
        return sum(minutes.MINUTES[kind] for kinds in each for kind in kinds)
    return sum(map(reckoned, LINK.findall(part)))


def is_whole(part):
    """Does a row take a whole notebook?"""
    return "#" not in part and not ASKED.search(part)


@pytest.mark.parametrize(("number", "part"), ROWS)
def test_a_part_gets_the_minutes_that_its_notebook_says_and_those_for_talk(number, part):
    spare = number - least(part)
    assert spare in (0, 5) if is_whole(part) else 2 <= spare <= SPARE, f"{part}: {least(part)} minutes"


@pytest.mark.parametrize("heading", PLANS)
def test_the_whole_lessons_that_get_more_are_the_ones_it_says(heading):
    more = [part for number, part, _ in rows(heading) if is_whole(part) and LINK.search(part)
            and number > least(part)]  # fmt: skip
    assert [part[1:3] for part in more] == (["09", "11"] if heading == "### A day" else [])


@pytest.mark.parametrize("heading", PLANS)
def test_a_plan_asks_about_nothing_that_it_has_not_taught(heading):
    taught = set()
    for _, part, _ in rows(heading):
        taught |= set(re.findall(r"notebooks/(\d\d)_", part))
        asked = ASKED.findall(part)
        if not asked and "exercises/interview_questions" in part:
            asked = [question.id for question in quiz.all("interview")]
        for id in asked:
            assert set(quiz.get(id).reread) <= taught, f"{heading}: {id}"


@pytest.mark.parametrize("heading", PLANS)
def test_every_part_but_a_break_has_a_question_to_stop_for(heading):
    assert [part for _, part, question in rows(heading) if not question and part != "break"] == []


def test_no_plan_runs_for_two_hours_without_a_break():
    for heading in PLANS:
        stretch = 0
        for number, part, _ in rows(heading):
            stretch = 0 if part in ("break", "lunch") else stretch + number
            assert stretch <= 120, f"{heading}: {part}"


# --- links and names --------------------------------------------------------------------------------


@pytest.mark.parametrize("link", sorted(set(LINK.findall(PROSE))))
def test_a_link_leads_somewhere(link):
    name, _, fragment = unquote(link).partition("#")
    if re.match(r"[a-z]+:", link):
        assert re.match(r"https://(mybinder\.org/v2/gh|nbgitpuller\.readthedocs\.io)", link)
    elif name.endswith(".ipynb"):
        headings = {heading.replace(" ", "-") for _, _, heading in Book.read(ROOT / name).headings}
        assert not fragment or fragment in headings
    else:
        text = (ROOT / name).read_text("utf-8") if name else TEXT
        assert fragment in map(anchor, re.findall(r"^#+ (.+)$", text, flags=re.MULTILINE))


def test_the_link_to_binder_is_the_readme_s():
    found = re.findall(r"\((https://mybinder\.org[^)]+)\)", TEXT)
    assert found == [readme.binder("notebooks/00_start_here.ipynb")]


def test_the_link_for_a_hub_fetches_the_course_and_opens_the_first_lesson():
    (link,) = re.findall(r"^https://hub\.example\.org/\S+$", TEXT, flags=re.MULTILINE)
    query = {name: value for name, (value,) in parse_qs(urlsplit(link).query, strict_parsing=True).items()}
    assert urlsplit(link).path == "/hub/user-redirect/git-pull"
    assert (query["repo"], query["branch"]) == (readme.address(), readme.BRANCH)
    folder = readme.address().rsplit("/", 1)[1]
    opened = query["urlpath"].removeprefix(f"lab/tree/{folder}/")
    assert (ROOT / opened).is_file()
    assert f"git+{readme.address()}" in TEXT


def test_every_lesson_has_its_section_and_no_other():
    numbers = re.findall(r"^### (\d\d) ", section("## Lesson by lesson"), flags=re.MULTILINE)
    assert numbers == sorted(progress.LESSONS)


@pytest.mark.parametrize("number", sorted(progress.LESSONS))
def test_the_questions_and_mistakes_named_for_a_lesson_exist(number):
    text = section(f"### {number} ")
    known = {question.id for question in quiz.all()}
    tasks = {
        exercise.id: {mistake for mistake, *_ in getattr(exercise, "table", ())}
        for exercise in exercises.all()
    }
    named = 0
    for group in re.findall(r"\(([^()]*`[^()]*)\)", text, flags=re.DOTALL):
        task = None
        for name in re.findall(r"`([^`]+)`", group):
            named += 1
            if re.fullmatch(r"(check|interview|myth)/[\d/]+", name):
                assert name in known
            elif "/" in name:
                task = name
                assert task in tasks
            else:
                assert task, f"{name} is named without its exercise"
                assert name in tasks[task]
    assert named >= 2
    assert len(re.findall(r"^- ", text, flags=re.MULTILINE)) >= 2


def test_every_other_name_of_a_question_or_an_exercise_exists():
    known = {task.id for task in [*quiz.all(), *exercises.all()]}
    assert set(re.findall(r"`((?:\d\d|check|interview|myth|bug)/[\w/]+)`", TEXT)) <= known


def test_every_number_it_quotes_stands_in_the_course():
    course = "\n".join(path.read_text("utf-8") for path in notebooks.paths())
    options = [option for question in quiz.all() for option in question._lettered().values()]
    course += "\n".join(f"{option.text} {option.reply}" for option in options)
    course += f"{metrics.average_precision([0, 1, 1, 1, 0], judged=[0, 1, 1, 1, 0, 1]):.3f}"  # interview/10
    numbers = set(re.findall(r"(?<![\d.])\d\.\d{3}(?!\d)", PROSE))
    assert len(numbers) > 10
    assert {number for number in numbers if number not in course} == set()


def test_every_make_command_it_names_exists():
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), flags=re.MULTILINE))
    named = set(re.findall(r"\bmake ([a-z]+)`|^.*\bmake ([a-z]+)$", TEXT, flags=re.MULTILINE))
    assert {"".join(names) for names in named} >= {"site", "class", "solutions", "lab"}
    assert {"".join(names) for names in named} <= targets


# --- what the class got wrong -----------------------------------------------------------------------

# (learner, what happened one after the other): a verdict, with its mistake if one was named, or a hint
CLASS = {
    "ana": "05/ndcg ideal-from-returned, 05/ndcg correct, 05/mean_ndcg correct, interview/10 correct",
    "ben": "05/ndcg ideal-from-returned, 05/ndcg ideal-from-returned, 05/ndcg hint, 05/ndcg correct, "
    "05/mean_ndcg empty-queries-dropped, 05/mean_ndcg correct, interview/10 by-length",
    "cho": "05/ndcg zero-by-zero, 05/ndcg correct, 05/mean_ndcg empty-queries-dropped, interview/10 correct",
    "dee": "05/ndcg ideal-from-returned, 05/ndcg zero-by-zero, 05/ndcg hint, 05/ndcg correct, "
    "05/mean_ndcg correct, interview/10 by-length, interview/10 correct",
    "eli": "05/ndcg cut-before-sort, 05/ndcg ideal-from-returned, interview/10 plain-precision",
    "fay": "05/ndcg correct, 05/mean_ndcg empty-queries-dropped, 05/mean_ndcg correct, interview/10 correct",
}


def learner_file(name, story):
    """A progress file as `export` writes it."""
    rows = []
    for minute, step in enumerate(story.split(", ")):
        id, what = step.split()
        row = {"at": f"2026-11-30T10:{minute:02}:00.000000+00:00", "id": id}
        if what == "hint":
            row |= {"kind": "hint", "number": 1}
        else:
            row |= {"kind": "quiz" if "interview" in id else "exercise"}
            row |= {"status": "correct"} if what == "correct" else {"status": "incorrect", "mistake": what}
        rows.append(row)
    return json.dumps(
        {"format": progress.FORMAT, "version": progress.VERSION, "owner": name, "records": rows}
    )


@pytest.fixture
def collected(tmp_path, monkeypatch):
    """A folder that holds `class`, as the guide has it."""
    (tmp_path / "class").mkdir()
    for name, story in CLASS.items():
        (tmp_path / "class" / f"{name}.json").write_text(learner_file(name, story), encoding="utf-8")
    monkeypatch.chdir(tmp_path)


def test_the_made_up_class_makes_mistakes_that_exist():
    options = {question.id: {o.key for o in question._lettered().values()} for question in quiz.all()}
    named = {
        exercise.id: {mistake for mistake, *_ in getattr(exercise, "table", ())}
        for exercise in exercises.all()
    }
    for story in CLASS.values():
        for id, what in (step.split() for step in story.split(", ")):
            assert what in {"correct", "hint"} | (options | named)[id]


def shown():
    """(code, what the guide says it prints), in the order of the guide."""
    blocks = [(language, rest, code) for language, rest, code in CODE.findall(TEXT)]
    for (language, rest, code), (after, _, text) in zip(blocks, [*blocks[1:], ("", "", "")], strict=True):
        if language == "python" and "no-run" not in rest:
            yield code, text if after == "text" else ""


def test_what_the_guide_prints_is_what_the_calls_print(collected):
    variables, said = {}, []
    for code, text in shown():
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(code, variables)
        assert printed.getvalue() == text
        said.append(text)
    assert len(said) == 2
    assert all(said)
    assert "Common mistakes" in str(variables["room"].picture())


def test_a_file_is_handed_in_as_the_guide_says(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (code,) = [code for language, rest, code in CODE.findall(TEXT) if "no-run" in rest]
    exec(code, {})
    assert progress.read_class(tmp_path).learners[0].file == "ana"
