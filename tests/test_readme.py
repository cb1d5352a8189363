"""README.md is in step with the notebooks, and the repository's address comes from one place."""

import re
import shutil
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from tools import notebooks, readme
from tools.notebook_rules import Book

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")


def texts():
    """(name, text) of everything that may hold the address."""
    found = [*ROOT.glob("*.md"), *notebooks.paths()]
    return [(path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")) for path in found]


def test_is_in_step_with_the_notebooks_and_the_address():
    assert readme.updated(TEXT) == TEXT, "run: make readme"


def test_names_the_two_commands_before_anything_else():
    assert re.findall(r"^make (\w+)", TEXT, flags=re.MULTILINE)[:2] == ["lab", "test"]


@pytest.mark.parametrize(("name", "text"), texts(), ids=[name for name, _ in texts()])
def test_no_other_address(name, text):
    repository = readme.address().removeprefix("https://github.com/")
    assert set(re.findall(r"mybinder\.org/v2/gh/([^/\s]+/[^/\s]+)", text)) <= {repository}
    assert set(re.findall(r"github\.com/([\w.-]+/rankedu)\b", text)) <= {repository}


def test_every_binder_link_opens_a_notebook_that_is_there():
    found = re.findall(r"^\[[^\]]+\]: (https://mybinder\.org/v2/\S+)", TEXT, flags=re.MULTILINE)
    opened = [parse_qs(urlsplit(link).query)["urlpath"][0].removeprefix("lab/tree/") for link in found]
    assert "notebooks/00_start_here.ipynb" in opened
    assert [path for path in opened if not (ROOT / path).is_file()] == []


def test_every_link_resolves():
    used = set(re.findall(r"\]\[([^\]]+)\]", TEXT))
    defined = re.findall(r"^\[([^\]]+)\]: ", TEXT, flags=re.MULTILINE)
    assert used == set(defined)
    assert len(defined) == len(set(defined))
    files = re.findall(r"\]\(([^):]+)\)", TEXT)
    assert [name for name in files if not (ROOT / name).exists()] == []


def test_every_make_command_it_names_exists():
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE)
    assert set(re.findall(r"^make (\w+)|`make (\w+)`", TEXT, flags=re.MULTILINE))
    for words in re.findall(r"^make (\w+)|`make (\w+)`", TEXT, flags=re.MULTILINE):
        assert "".join(words) in targets


# --- A course of two notebooks -------------------------------------------------------------------


@pytest.fixture
def course(tmp_path):
    for name, title, time in [
        ("notebooks/00_first.ipynb", "The first", "It takes 10 minutes."),
        ("notebooks/01_second.ipynb", "01 · The second", "About 25 minutes."),
        ("notebooks/terms.ipynb", "Appendix · Terms", "5 minutes"),
        ("exercises/01_second.ipynb", "Practice", "25 minutes"),
        ("exercises/hunt.ipynb", "A hunt", "40 minutes"),
    ]:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        cells = [new_markdown_cell(f"# {title}\n\n{time}"), new_code_cell("1")]
        nbformat.write(new_notebook(cells=cells), path)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    shutil.copy(ROOT / "README.md", tmp_path)
    return tmp_path


def test_the_map_takes_title_minutes_and_exercises_from_the_notebooks(course):
    rows = readme.lesson_map(course).splitlines()[2:]
    assert rows == [
        "| 00 | [The first](notebooks/00_first.ipynb) | 10 |  | [Binder][notebooks/00_first] |",
        "| 01 | [The second](notebooks/01_second.ipynb) | 25 | [25 minutes](exercises/01_second.ipynb) "
        "| [Binder][notebooks/01_second] |",
        "|  | [Appendix · Terms](notebooks/terms.ipynb) | 5 |  | [Binder][notebooks/terms] |",
        "|  | [A hunt](exercises/hunt.ipynb) | 40 |  | [Binder][exercises/hunt] |",
        "",
        "Together: 0.5 hours of lessons, 0.5 hours of their exercises, 0.5 hours of what comes after.",
    ]


def test_a_new_address_is_written_everywhere(course):
    project = course / "pyproject.toml"
    project.write_text(project.read_text().replace(readme.address(), "https://github.com/ada/ranking"))
    assert readme.update(course)
    text = (course / "README.md").read_text()
    assert "git clone https://github.com/ada/ranking\n" in text
    assert set(re.findall(r"/v2/gh/([^/]+/[^/]+)/", text)) == {"ada/ranking"}
    assert not readme.update(course), "a second time changes nothing"


def test_a_notebook_must_say_how_long_it_takes(course):
    path = course / "notebooks" / "00_first.ipynb"
    nbformat.write(new_notebook(cells=[new_markdown_cell("# No time")]), path)
    with pytest.raises(ValueError, match=r"00_first.*how many minutes"):
        readme.minutes(Book.read(path))
