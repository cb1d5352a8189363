"""The course as web pages for reading without a kernel; `make site` calls it.

    python tools/site.py            writes out/site; open index.html there, with or without a network
    python tools/site.py --out DIR

The pages are made from what the notebooks have stored: nothing is run. In a widget's place stands its stored
table or picture. The pages hold no script and ask for nothing that is not beside them, so the folder opens
as well from a memory stick as from a web server. Where a link leads nowhere, it says so and exits with 1.
"""

import argparse
import os
import re
import shutil
import sys
from html import escape
from pathlib import Path
from string import Template
from urllib.parse import quote, unquote

import nbformat
from bs4 import BeautifulSoup, NavigableString
from jinja2 import pass_context
from latex2mathml.converter import convert
from nbconvert import HTMLExporter
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from pygments.formatters import HtmlFormatter

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tools import notebook_rules, readme  # noqa: E402 - tools/ is in the checkout, not in the environment

OUT = ROOT / "out" / "site"
TEXTS = ("README.md", "INSTRUCTORS.md")
NOTEBOOKS = ("notebooks", "exercises")
COPIED = {"", ".csv", ".gif", ".jpeg", ".jpg", ".json", ".png", ".svg", ".tsv", ".txt"}
STYLE_SHEET = "style.css"
COLUMNS = 90  # characters of code that fit on a wide page
MANY, LONG = 5, 60  # columns of a table, and characters of a cell that must not be squeezed among them

QUESTION = "In the notebook you answer here, and every answer has a reply of its own."
WIDGET = "In the notebook you can move this. Here is how it starts."
READING = (
    "This page is for reading; nothing on it runs. "
    "[Open it on Binder]({binder}) to move the sliders and to have your answers checked."
)

PAGE = Template("""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>$title</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${up}style.css">
<style>
$styles
</style>
</head>
<body>
<header><a href="${up}index.html">rankedu</a> <a href="#contents">All lessons</a></header>
<main>
$body
$steps
</main>
<nav id="contents" aria-label="All lessons">
$contents
</nav>
</body>
</html>
""")


# --- from a source to HTML --------------------------------------------------------------------------


def mathml(tex: str, display: str = "inline") -> str:
    """The formula as MathML, which browsers draw, print and read aloud without help."""
    known = re.sub(r"(\\(?:begin|end)\{)aligned\}", r"\1split}", tex.strip())  # the same to look at
    math = convert(known, display=display)
    if left := re.search(r">(\\\w+|&(?:amp;)?)<", math):  # what is unknown is passed through as text
        raise ValueError(f"tex must be known to latex2mathml; {left[1]!r} in {tex.strip()!r} is not")
    return f'<div class="formula">{math}</div>' if display == "block" else math


class Renderer(IPythonRenderer):
    """Markdown as nbconvert reads it, with formulas that need no script."""

    def inline_math(self, body):
        return mathml(body)

    def block_math(self, body):
        return mathml(body, "block")


def markdown(source: str) -> str:
    return MarkdownWithMath(renderer=Renderer(escape=False, exclude_anchor_links=True)).render(source)


class Exporter(HTMLExporter):
    """nbconvert's HTML exporter, without the page around it and without prompts."""

    def __init__(self):
        super().__init__(template_name="basic", exclude_input_prompt=True, exclude_output_prompt=True)

    @pass_context
    def markdown2html(self, _context, source):
        return markdown(source)


def for_readers(notebook: nbformat.NotebookNode, name: str, root: Path = ROOT) -> nbformat.NotebookNode:
    """The notebook with what is stored beside a widget in the widget's place, and words for every picture."""
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            wake = READING.format(binder=readme.binder(name, root))
            cell.source = cell.source.replace(notebook_rules.HELP, wake)
        elif cell.cell_type == "code":
            cell.outputs = [part for output in cell.outputs for part in _parts(output, cell.source)]
    return notebook


def _parts(output: nbformat.NotebookNode, source: str) -> list[nbformat.NotebookNode]:
    """What the page shows for one output: a note if it was a widget, its text or table, its picture."""
    data = output.get("data", {})
    parts = []
    if data.pop(notebook_rules.WIDGET, None):
        note = QUESTION if ".ask()" in source else WIDGET
        parts.append(_html_output(f'<p class="widget">{note}</p>'))
    picture = next((kind for kind in ("image/png", "image/jpeg") if kind in data), None)
    words = " ".join(data.get("text/plain", "").split())
    if picture and "text/html" in data:
        parts.append(_html_output(data.pop("text/html")))
        words = "The same as a picture; the text above says what it shows."
    if picture:
        output.metadata.setdefault(picture, {})["alt"] = words
    return [*parts, output]


def _html_output(page: str) -> nbformat.NotebookNode:
    return nbformat.v4.new_output("display_data", {"text/html": page})


def body_of(path: Path, root: Path = ROOT) -> str:
    """The page's inner HTML for a notebook or a Markdown file."""
    if path.suffix != ".ipynb":
        return markdown(path.read_text(encoding="utf-8"))
    notebook = for_readers(nbformat.read(path, as_version=4), path.relative_to(root).as_posix(), root)
    return Exporter().from_notebook_node(notebook)[0]


# --- mended for a page that stands alone ------------------------------------------------------------


def formulas(soup: BeautifulSoup) -> None:
    """Formulas in stored outputs, which JupyterLab typesets itself."""
    for text in soup.find_all(string=lambda text: text.count("$$") > 1):
        if not text.find_parent(["pre", "code", "style", "math"]):
            plain = text.split("$$")  # outside and inside of a formula by turns
            pieces = [mathml(part, "block") if n % 2 else escape(part) for n, part in enumerate(plain)]
            text.replace_with(BeautifulSoup("".join(pieces), "html.parser"))


def styles(soup: BeautifulSoup) -> str:
    """The stored outputs' style sheets, each once; the reader's theme decides, not JupyterLab's."""
    found = dict.fromkeys(style.extract().string.strip() for style in soup.find_all("style"))
    dark = r'\[data-jp-theme-light="false"\]([^{}]*\{[^{}]*\})'
    return re.sub(dark, r"@media screen and (prefers-color-scheme: dark){\1}", "\n".join(found))


def headings(soup: BeautifulSoup, github: bool) -> str:
    """The page's title. Every heading gets the id by which links find it in JupyterLab, or on GitHub."""
    for heading in soup.find_all(re.compile("^h[1-6]$")):
        text = heading.get_text()
        slug = re.sub(r"[^\w\- ]", "", text.lower()) if github else text
        heading["id"] = slug.replace(" ", "-")
    title = soup.h1.get_text() if soup.h1 else ""
    return title if title.startswith("rankedu") else f"{title} - rankedu"


def scrolling(soup: BeautifulSoup) -> None:
    """What is too wide for a phone scrolls by itself, and the page does not."""
    for table in soup.find_all("table"):
        if len(table.tr.find_all(["td", "th"])) >= MANY:
            for cell in table.find_all("td"):
                if len(cell.get_text()) > LONG:
                    cell["class"] = [*cell.get("class", []), "long"]
        if output := table.find_parent(class_="output_html"):
            # as a whole: what is laid out around the table stays as it was made
            output["class"] = list(dict.fromkeys([*output["class"], "wide"]))
        elif not table.find_parent("table"):
            table.wrap(soup.new_tag("div", attrs={"class": "wide"}))
    for pre in soup.find_all("pre"):
        if max(map(len, pre.get_text().splitlines()), default=0) > COLUMNS:
            pre["tabindex"] = "0"  # Safari scrolls by key only what can be focused


class Site:
    """The pages, by their path in the site; `broken` lists the links that lead nowhere."""

    def __init__(self, root: Path = ROOT, out: Path = OUT):
        self.root, self.out, self.broken = root, out, []
        notebooks = [path for folder in NOTEBOOKS for path in sorted((root / folder).glob("*.ipynb"))]
        texts = [root / name for name in TEXTS if (root / name).exists()]
        self.todo = [*texts, *notebooks]
        self.titles = {path: notebook_rules.Book.read(path).headings[0][2] for path in notebooks}
        self.order = reading_order(root)

    def page(self, path: Path) -> str:
        """Where the page of a source is: README.md is index.html."""
        name = path.relative_to(self.root).as_posix()
        return "index.html" if name == "README.md" else re.sub(r"\.(ipynb|md)$", ".html", name)

    def write(self) -> None:
        """Writes every page, the style sheet, and the files that the pages link to."""
        shutil.rmtree(self.out, ignore_errors=True)
        self.out.mkdir(parents=True)
        (self.out / STYLE_SHEET).write_text(style_sheet(), encoding="utf-8")
        for path in self.todo:  # grows while Markdown files are found
            target = self.out / self.page(path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(self.render(path), encoding="utf-8")

    def render(self, path: Path) -> str:
        """The whole page."""
        soup = BeautifulSoup(body_of(path, self.root), "html.parser")
        formulas(soup)
        own_styles = styles(soup)
        title = headings(soup, github=path.suffix == ".md")
        scrolling(soup)
        self.links(soup, path)
        return PAGE.substitute(
            title=escape(title),
            up=self.relative("", path),
            styles=own_styles,
            body=soup.decode(formatter="html5").strip(),
            steps=self.steps(path),
            contents=self.contents(path),
        )

    def relative(self, target: str, path: Path) -> str:
        """The link from the page of `path` to `target`, both in the site."""
        start = Path(self.page(path)).parent.as_posix()
        return quote(os.path.relpath(target or ".", start).replace(os.sep, "/")) + ("" if target else "/")

    def links(self, soup: BeautifulSoup, path: Path) -> None:
        """Links of the project lead to pages and files of the site; remote pictures become their words."""
        for image in soup.find_all("img", src=re.compile("^https?:")):
            image.replace_with(NavigableString(image.get("alt", "")))
        found = [
            (tag, name) for name in ("href", "src", "srcset") for tag in soup.find_all(attrs={name: True})
        ]
        for tag, name in found:
            if re.match(r"[a-z][a-z0-9+.-]*:|#", tag[name], flags=re.IGNORECASE):
                continue
            file, _, fragment = unquote(tag[name]).partition("#")
            target = (path.parent / file).resolve()
            if not target.exists():
                self.broken.append(f"{path.relative_to(self.root).as_posix()}: {tag[name]} does not exist")
                tag.unwrap() if name == "href" else tag.decompose()
                continue
            tag[name] = self.address(target, path) + (f"#{quote(fragment)}" if fragment else "")

    def address(self, target: Path, path: Path) -> str:
        """Where the page of `path` finds `target`, a file of the project; it is copied or made if need be."""
        if target.suffix in (".ipynb", ".md"):
            if target not in self.todo:
                self.todo.append(target)
            return self.relative(self.page(target), path)
        name = target.relative_to(self.root).as_posix()
        if target.is_dir() or target.suffix not in COPIED:
            kind = "tree" if target.is_dir() else "blob"
            return f"{readme.address(self.root)}/{kind}/{readme.BRANCH}/{quote(name)}"
        copy = (
            name if target.suffix else f"{name}.txt"
        )  # a browser shows text, and would offer to save the rest
        (self.out / copy).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(target, self.out / copy)
        return self.relative(copy, path)

    def steps(self, path: Path) -> str:
        """Links to the page before and the page after, in reading order."""
        if path not in self.order:
            return ""
        at = self.order.index(path)
        found = []
        for rel, arrow, index in (("prev", "← {}", at - 1), ("next", "{} →", at + 1)):
            if 0 <= index < len(self.order):
                there = self.order[index]
                text = arrow.format(escape(self.titles[there]))
                found.append(f'<a rel="{rel}" href="{self.relative(self.page(there), path)}">{text}</a>')
        return f'<p class="steps">{" ".join(found)}</p>'

    def contents(self, path: Path) -> str:
        """The list of all pages, the present one marked."""
        lines = []
        for there in [self.root / "README.md", *self.order, self.root / "INSTRUCTORS.md"]:
            if there in self.todo:
                current = ' aria-current="page"' if there == path else ""
                title = {"README.md": "About the course", "INSTRUCTORS.md": "For instructors"}.get(there.name)
                text = escape(title or self.titles[there])
                lines.append(
                    f'<li><a href="{self.relative(self.page(there), path)}"{current}>{text}</a></li>'
                )
        return "<ul>\n" + "\n".join(lines) + "\n</ul>"


def reading_order(root: Path = ROOT) -> list[Path]:
    """The notebooks in the order of README's lesson map: each lesson, then its exercises."""
    found = re.findall(r"\]\(((?:notebooks|exercises)/[^)]+\.ipynb)\)", readme.lesson_map(root))
    return [root / name for name in found]


def style_sheet() -> str:
    """The style of all pages, and the colours of code in both themes."""
    light, dark = (
        HtmlFormatter(style=style).get_style_defs(".highlight") for style in ("default", "github-dark")
    )
    own = Path(__file__).with_name("site.css").read_text(encoding="utf-8")
    return f"{light}\n@media screen and (prefers-color-scheme: dark) {{\n{dark}\n}}\n{own}"


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=OUT, help="the folder to write; what is in it is removed")
    site = Site(out=parser.parse_args().out.resolve())
    site.write()
    print(*site.broken, sep="\n", end="\n" if site.broken else "", file=sys.stderr)
    index = site.out / "index.html"
    print(f"{len(site.todo)} pages: {os.path.relpath(index) if index.is_relative_to(Path.cwd()) else index}")
    return int(bool(site.broken))


if __name__ == "__main__":
    sys.exit(main())
