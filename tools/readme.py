"""Keeps README.md in step with the notebooks and with the repository's address; `make readme` calls it.

The address stands in one place, `Repository` under [project.urls] in pyproject.toml. From it come the command
that clones, the Binder badge and every Binder link. The lesson map comes from the notebooks.
"""

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tools.notebook_rules import Book  # noqa: E402 - tools/ is in the checkout, not in the environment

MAP = re.compile(r"(?<=<!-- lesson map -->\n).*?(?=<!-- end of the lesson map -->)", re.DOTALL)
LINKS = re.compile(r"(?<=<!-- links -->\n).*?(?=<!-- end of the links -->)", re.DOTALL)
CLONE = re.compile(r"(?<=git clone )https://\S+")
BRANCH = "main"


def address(root: Path = ROOT) -> str:
    """Where the project lives, such as https://github.com/rankedu/rankedu."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return project["urls"]["Repository"].rstrip("/")


def binder(path: str, root: Path = ROOT) -> str:
    """The address that opens the notebook at `path`, relative to the root, on Binder."""
    repository = address(root).removeprefix("https://github.com/")
    return f"https://mybinder.org/v2/gh/{repository}/{BRANCH}?urlpath=lab/tree/{path}"


def minutes(book: Book) -> int:
    """How long the notebook takes; its first cells say it, as in "25 minutes"."""
    top = "\n".join(source for _, source in book.texts[:3])
    found = re.search(r"\b(\d+)\s+minutes\b", top)
    if not found:
        raise ValueError(f"{book.path}: the first cells do not say how many minutes it takes")
    return int(found.group(1))


def _rows(root: Path) -> list[tuple[str, Book, Book | None]]:
    """(number, lesson, its exercises) of each lesson in reading order, then whatever has no lesson."""
    lessons = sorted((root / "notebooks").glob("*.ipynb"))
    beside = {path.stem: path for path in sorted((root / "exercises").glob("*.ipynb"))}
    rows = []
    for path in lessons:
        exercises = beside.pop(path.stem, None)
        number = path.stem.split("_")[0]
        rows.append((number if number.isdigit() else "", Book.read(path), exercises and Book.read(exercises)))
    return rows + [("", Book.read(path), None) for path in beside.values()]


def _name(book: Book) -> str:
    return f"{book.path.parent.name}/{book.path.name}"


def _hours(books: list[Book]) -> str:
    return f"{round(sum(map(minutes, books)) / 30) / 2:g} hours"


def lesson_map(root: Path = ROOT) -> str:
    """The table of the notebooks, and how long all of them take, to half an hour."""
    lines = ["| | lesson | minutes | exercises | without installing |", "|---:|---|---:|---|---|"]
    rows = _rows(root)
    for number, lesson, exercises in rows:
        practice = f"[{minutes(exercises)} minutes]({_name(exercises)})" if exercises else ""
        title = lesson.headings[0][2].removeprefix(f"{number} · ")
        lines.append(
            f"| {number} | [{title}]({_name(lesson)}) | {minutes(lesson)} | {practice} "
            f"| [Binder][{lesson.path.parent.name}/{lesson.path.stem}] |"
        )
    lessons = [lesson for number, lesson, _ in rows if number]
    practice = [exercises for _, _, exercises in rows if exercises]
    rest = [book for number, book, _ in rows if not number and book.path.parent.name == "exercises"]
    lines += ["", f"Together: {_hours(lessons)} of lessons, {_hours(practice)} of their exercises"]
    lines[-1] += f", {_hours(rest)} of what comes after." if rest else "."
    return "\n".join(lines) + "\n"


def links(root: Path = ROOT) -> str:
    """The link definitions that README.md ends with."""
    first = binder("notebooks/00_start_here.ipynb", root)
    lines = ["[badge]: https://mybinder.org/badge_logo.svg", f"[binder]: {first}"]
    for _, lesson, _ in _rows(root):
        lines.append(f"[{lesson.path.parent.name}/{lesson.path.stem}]: {binder(_name(lesson), root)}")
    return "\n".join(lines) + "\n"


def updated(text: str, root: Path = ROOT) -> str:
    """The text of README.md, in step with the notebooks and the address."""
    text = MAP.sub(lambda _: lesson_map(root), text)
    text = LINKS.sub(lambda _: links(root), text)
    return CLONE.sub(address(root), text)


def update(root: Path = ROOT) -> bool:
    """Whether README.md had to be changed."""
    path = root / "README.md"
    before = path.read_text(encoding="utf-8")
    after = updated(before, root)
    if after != before:
        path.write_text(after, encoding="utf-8")
        print("README.md: links and lesson map brought up to date")
    return after != before


if __name__ == "__main__":
    update()
