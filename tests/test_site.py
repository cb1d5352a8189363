"""The static site: every page is there, every link leads somewhere, and nothing is needed but the folder."""

import re
from pathlib import Path
from urllib.parse import unquote

import nbformat
import pytest
from bs4 import BeautifulSoup
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from rankedu import quiz
from tools import site
from tools.notebook_rules import HELP, WIDGET, Book

ROOT = Path(__file__).parents[1]
SOURCES = [*site.reading_order(), *(ROOT / name for name in site.TEXTS)]


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """The site of the whole course, written once."""
    made = site.Site(out=tmp_path_factory.mktemp("site"))
    made.write()
    return made


@pytest.fixture(scope="module")
def pages(course):
    """{path in the site: its parsed page}"""
    return {
        path.relative_to(course.out).as_posix(): BeautifulSoup(path.read_text("utf-8"), "html.parser")
        for path in sorted(course.out.rglob("*.html"))
    }


@pytest.fixture
def page(course, pages, request):
    return pages[course.page(request.param)]


def named(path):
    return path.relative_to(ROOT).as_posix()


def each_page(sources=SOURCES):
    return pytest.mark.parametrize("page", sources, indirect=True, ids=named)


def words(soup):
    """The words of a page, formulas and style sheets left out: there they are set anew."""
    copy = BeautifulSoup(str(soup), "html.parser")
    for tag in copy.find_all(["style", "math"]):
        tag.decompose()
    return re.sub(r"\$\$.*?\$\$", " ", copy.get_text(" "), flags=re.DOTALL).split()


def addresses(soup):
    """(tag, attribute, address) of everything that a page links to or loads."""
    for name in ("href", "src", "srcset"):
        for tag in soup.find_all(attrs={name: True}):
            yield tag, name, tag[name]


# --- the whole course -------------------------------------------------------------------------------


def test_every_notebook_and_text_has_a_page(course, pages):
    assert set(SOURCES) <= set(course.todo)
    assert sorted(map(course.page, course.todo)) == sorted(pages)


def test_the_list_of_all_pages_names_each_notebook_once():
    found = [path for folder in site.NOTEBOOKS for path in (ROOT / folder).glob("*.ipynb")]
    assert sorted(site.reading_order()) == sorted(found)


def test_no_link_of_the_course_leads_nowhere(course):
    assert course.broken == []


def test_every_link_leads_to_a_page_and_a_place_on_it(course, pages):
    wrong = []
    for name, soup in pages.items():
        for _, _, address in addresses(soup):
            if re.match(r"[a-z]+:", address):
                continue
            file, _, fragment = unquote(address).partition("#")
            target = (course.out / name).parent / file if file else course.out / name
            there = pages.get(target.resolve().relative_to(course.out.resolve()).as_posix())
            if not target.is_file() or (fragment and not (there and there.find(id=fragment))):
                wrong.append(f"{name}: {address}")
    assert wrong == []


def test_every_page_is_reached_from_the_index_by_links_in_the_text(course, pages):
    seen, todo = set(), ["index.html"]
    while todo:
        name = todo.pop()
        if name in seen or name not in pages:
            continue
        seen.add(name)
        for link in pages[name].main.find_all("a", href=re.compile(r"^(?![a-z]+:).*\.html")):
            target = (course.out / name).parent / unquote(link["href"]).partition("#")[0]
            todo.append(target.resolve().relative_to(course.out.resolve()).as_posix())
    assert seen == set(pages)


@each_page()
def test_loads_nothing_from_elsewhere_and_runs_nothing(page):
    loaded = [a for tag, name, a in addresses(page) if name != "href" or tag.name == "link"]
    assert [address for address in loaded if re.match(r"(?!data:)[a-z]+:|//", address)] == []
    assert page.find_all(["script", "iframe", "object", "embed", "base"]) == []
    assert [tag for tag in page.find_all(True) for name in tag.attrs if name.startswith("on")] == []


def test_no_style_loads_anything(course, pages):
    sheets = [(course.out / site.STYLE_SHEET).read_text("utf-8")]
    sheets += [style.string or "" for soup in pages.values() for style in soup.find_all("style")]
    inline = [tag["style"] for soup in pages.values() for tag in soup.find_all(style=True)]
    assert [sheet for sheet in sheets + inline if "url(" in sheet or "@import" in sheet] == []


@each_page()
def test_nothing_is_left_that_only_jupyter_can_read(page):
    text = str(page)
    for tag in page.find_all(["pre", "code", "style"]):
        text = text.replace(str(tag), "")
    assert re.findall(r"\$\$|\\begin|\\text|\\frac", text) == []
    assert HELP not in text
    assert "data-jp-theme-light" not in str(page.style)
    assert page.find_all(href=re.compile(r"^(?![a-z]+:).*\.(ipynb|md)(#|$)")) == []


@each_page()
def test_has_one_title_a_language_and_a_way_on(page):
    assert page.html["lang"] == "en"
    assert page.title.string.strip()
    assert len(page.find_all("h1")) == 1
    assert len(page.nav.find_all(attrs={"aria-current": "page"})) == 1


@each_page()
def test_every_picture_has_words(page):
    assert [image for image in page.find_all("img") if not re.search(r"\w", image.get("alt", ""))] == []
    assert "No description has been provided" not in str(page)


@pytest.mark.parametrize("path", site.reading_order(), ids=named)
def test_a_widget_is_replaced_by_its_stored_table_or_picture(path, course, pages):
    page = pages[course.page(path)]
    stored = [output.data for _, output in Book.read(path).outputs() if WIDGET in output.get("data", {})]
    notes = page.select("p.widget")
    assert len(notes) == len(stored)
    for note, data in zip(notes, stored, strict=True):
        area = note.find_parent(class_="output_area").find_next_sibling(class_="output_area")
        if html := data.get("text/html"):
            assert set(words(BeautifulSoup(html, "html.parser"))) <= set(words(area))
        else:
            assert data["text/plain"].split() == words(area)
        if "image/png" in data:
            picture = area if area.img else area.find_next_sibling(class_="output_area")
            assert data["image/png"].strip() in picture.img["src"]


@pytest.mark.parametrize("path", site.reading_order(), ids=named)
def test_a_question_is_shown_with_its_options_and_without_its_answer(path, course, pages):
    text = " ".join(words(pages[course.page(path)].main))
    asked = re.findall(r'quiz\.get\("([\w/]+)"\)\.ask\(\)', path.read_text("utf-8").replace('\\"', '"'))
    for id in asked:
        question = quiz.get(id)
        assert len(question.options) == sum(f"{letter})" in text for letter in question.options)
        for option in question._lettered().values():
            assert " ".join(option.reply.split()) not in text, f"{id} gives away its answers"


@pytest.mark.parametrize("path", site.reading_order(), ids=named)
def test_every_formula_is_drawn(path, course, pages):
    sources = [text for _, text in Book.read(path).texts]
    sources += [
        output.data["text/html"]
        for _, output in Book.read(path).outputs()
        if "text/html" in output.get("data", {})
    ]
    wanted = sum(len(re.findall(r"\$\$.+?\$\$", source, flags=re.DOTALL)) for source in sources)
    assert len(pages[course.page(path)].select(".formula math")) == wanted


# --- the parts --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tex", "parts"),
    [
        ("k = 3", ["<mi>k</mi>", "<mn>3</mn>"]),
        (r"\frac{1}{R}", ["<mfrac>"]),
        (r"\text{DCG@}k", ["<mtext>DCG@</mtext>"]),
        (r"\begin{aligned}a &= 1 \\ b &= 2\end{aligned}", ["<mtable", 'columnalign="right"']),
        (r"\begin{cases} 1 & \text{if } d \\ 0 & \text{otherwise} \end{cases}", ["<mtable", "otherwise"]),
    ],
)
def test_a_formula_becomes_mathml(tex, parts):
    assert [part for part in parts if part not in site.mathml(tex)] == []


@pytest.mark.parametrize("tex", [r"\nosuchword x", r"a & b"])
def test_a_formula_that_would_be_shown_as_its_source_is_an_error(tex):
    with pytest.raises(ValueError, match="tex must be known to latex2mathml"):
        site.mathml(tex)


def test_the_dark_theme_of_jupyterlab_becomes_the_reader_s():
    sheet = '<style>.a{color:red}\n[data-jp-theme-light="false"] .a{color:pink}</style>'
    soup = BeautifulSoup(f"<main>{sheet}<p>text</p>{sheet}</main>", "html.parser")
    found = site.styles(soup)
    assert found == ".a{color:red}\n@media screen and (prefers-color-scheme: dark){ .a{color:pink}}"
    assert str(soup) == "<main><p>text</p></main>"


@pytest.fixture
def small(tmp_path):
    """A course of one lesson; `small(text)` is its site, with `text` in README.md."""
    root = tmp_path / "course"
    for folder in site.NOTEBOOKS:
        (root / folder).mkdir(parents=True)
    (root / "pyproject.toml").write_bytes((ROOT / "pyproject.toml").read_bytes())
    (root / "LICENSE").write_text("as you like")
    (root / "more.md").write_text("# More\n\n## To be had, here")
    (root / "rankedu").mkdir()
    (root / "rankedu" / "metrics.py").write_text("")
    picture = new_output("display_data", {"image/png": "aGk=", "text/plain": "A line\nthat rises."})
    cells = [
        new_markdown_cell("# 00 · One\n\n5 minutes\n\n## A heading"),
        new_code_cell("draw()", outputs=[picture]),
    ]
    nbformat.write(new_notebook(cells=cells), root / "notebooks" / "00_one.ipynb")

    def small(text):
        (root / "README.md").write_text(f"# rankedu\n\n{text}\n")
        made = site.Site(root, tmp_path / "site")
        made.write()
        return made

    return small


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("[x](notebooks/00_one.ipynb)", "notebooks/00_one.html"),
        ("[x](notebooks/00_one.ipynb#A-heading)", "notebooks/00_one.html#A-heading"),
        ("[x](README.md)", "index.html"),
        ("[x](#here)", "#here"),
        ("[x](more.md#to-be-had-here)", "more.html#to-be-had-here"),
        ("[x](LICENSE)", "LICENSE.txt"),
        ("[x](https://example.org/a.ipynb)", "https://example.org/a.ipynb"),
        ("[x](rankedu/metrics.py)", "https://github.com/rankedu/rankedu/blob/main/rankedu/metrics.py"),
        ("[x](rankedu)", "https://github.com/rankedu/rankedu/tree/main/rankedu"),
    ],
)
def test_where_a_link_leads(small, text, address):
    made = small(text)
    link = BeautifulSoup((made.out / "index.html").read_text("utf-8"), "html.parser").main.a
    assert (link["href"], made.broken) == (address, [])
    if not re.match("[a-z]+:|#", address):
        assert (made.out / address.partition("#")[0]).is_file()


def test_a_link_that_leads_nowhere_is_reported_and_becomes_text(small):
    made = small("Read [the rest](notebooks/11_gone.ipynb).")
    assert made.broken == ["README.md: notebooks/11_gone.ipynb does not exist"]
    assert "Read the rest." in (made.out / "index.html").read_text("utf-8")


def test_a_picture_from_elsewhere_becomes_its_words(small):
    made = small("[![Open in Binder](https://mybinder.org/badge_logo.svg)](https://mybinder.org/x)")
    page = (made.out / "index.html").read_text("utf-8")
    assert '<a href="https://mybinder.org/x">Open in Binder</a>' in page


def test_a_stored_picture_is_described_by_its_stored_text(small):
    made = small("")
    page = BeautifulSoup((made.out / "notebooks/00_one.html").read_text("utf-8"), "html.parser")
    assert page.img["alt"] == "A line that rises."


def test_what_was_there_before_is_gone(small):
    made = small("")
    (made.out / "old.html").write_text("old")
    small("")
    assert not (made.out / "old.html").exists()


def test_the_command_fails_where_a_link_leads_nowhere(small, monkeypatch, capsys):
    made = small("[x](gone.ipynb)")
    monkeypatch.setattr(site, "Site", lambda out: made)
    monkeypatch.setattr("sys.argv", ["site.py"])
    assert site.main() == 1
    assert "README.md: gone.ipynb does not exist" in capsys.readouterr().err
