"""What every notebook of the course keeps to, as functions from a notebook to the places where it does not.

Each rule takes a `Book` and yields findings, one line each; no finding means that the rule is kept. The tests
ask every rule about every notebook, and about one made to break it; tools/notebooks.py shows the findings.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from urllib.parse import unquote

import nbformat

HELP = "Error displaying widget, or a broken-link icon? Run > Run All Cells."
LINES, COLUMNS = 14, 71  # of a code cell: a glance, and no scroll bar at 1000 pixels (see .ruff.toml)
TAGS = {"raises-exception", "hide-input", "hide-output"}
WIDGET = "application/vnd.jupyter.widget-view+json"
PICTURES = ("image/png", "image/jpeg", "image/svg+xml")
SMALLEST_LEAK = 12  # characters of a solution's line that say something


@dataclass
class Book:
    """A notebook with its path, and the views of it that the rules ask for."""

    notebook: nbformat.NotebookNode
    path: Path

    @classmethod
    def read(cls, path: Path) -> "Book":
        return cls(nbformat.read(path, as_version=4), Path(path))

    @cached_property
    def code(self) -> list[tuple[int, nbformat.NotebookNode]]:
        """(index, cell) of the code cells that hold any."""
        return [
            (index, cell)
            for index, cell in enumerate(self.notebook.cells)
            if cell.cell_type == "code" and cell.source.strip()
        ]

    @cached_property
    def texts(self) -> list[tuple[int, str]]:
        """(index, source) of the markdown cells, code in them left out: a # there is no heading."""
        return [
            (index, re.sub(r"(```.*?```|`[^`\n]*`)", "", cell.source, flags=re.DOTALL))
            for index, cell in enumerate(self.notebook.cells)
            if cell.cell_type == "markdown"
        ]

    @cached_property
    def headings(self) -> list[tuple[int, int, str]]:
        """(index of the cell, level, text), from top to end; the text with its code."""
        found = []
        for index, cell in enumerate(self.notebook.cells):
            if cell.cell_type == "markdown":
                text = re.sub(r"```.*?```", "", cell.source, flags=re.DOTALL)
                for marks, heading in re.findall(r"^(#{1,6})\s+(.+?)\s*#*$", text, flags=re.MULTILINE):
                    found.append((index, len(marks), heading))
        return found

    @cached_property
    def links(self) -> list[tuple[int, str]]:
        """(index of the cell, target) of each link that stays in the project."""
        markdown, html = r"\[[^\]]*\]\(\s*<?([^)\s>]+)", r"""(?:href|src)\s*=\s*["']([^"']+)"""
        return [
            (index, target)
            for index, text in self.texts
            for target in re.findall(markdown, text) + re.findall(html, text)
            if not re.match(r"[a-z][a-z0-9+.-]*:", target, flags=re.IGNORECASE)
        ]

    def outputs(self) -> Iterator[tuple[int, nbformat.NotebookNode]]:
        """(index of the cell, output) of every output."""
        for index, cell in self.code:
            for output in cell.outputs:
                yield index, output


def tags(cell: nbformat.NotebookNode) -> list[str]:
    return cell.metadata.get("tags", [])


def text_of(output: nbformat.NotebookNode) -> str:
    """Everything in an output that a person or nbval reads as text."""
    data = output.get("data", {})
    parts = [value for kind, value in data.items() if kind.startswith("text/") or kind == "image/svg+xml"]
    return "\n".join([output.get("text", ""), *parts, *output.get("traceback", [])])


def executed_from_top_to_end(book: Book) -> Iterator[str]:
    """Every code cell was executed, the first one first: nbval compares nothing in one that was not."""
    counts = [cell.execution_count for _, cell in book.code]
    if not counts:
        yield "no code cell at all"
    if counts != list(range(1, len(counts) + 1)):
        yield f"execution counts are {counts}"
    for index, cell in enumerate(book.notebook.cells):
        if cell.cell_type == "code" and not cell.source.strip():
            yield f"cell {index} is empty"


def outputs_are_stored(book: Book) -> Iterator[str]:
    """A cell that shows or prints something has it stored."""
    if book.code and not any(cell.outputs for _, cell in book.code):
        yield "no output in the whole notebook"
    for index, cell in book.code:
        try:
            last = ast.parse(cell.source).body[-1:]
        except SyntaxError:  # a magic, or a cell that shows a syntax error
            continue
        value = last[0].value if last and isinstance(last[0], ast.Expr) else None
        prints = isinstance(value, ast.Call) and getattr(value.func, "id", "") in ("print", "display")
        if value is not None and (prints or not isinstance(value, ast.Call)) and not cell.outputs:
            yield f"cell {index} shows something, and nothing is stored"


def no_errors(book: Book) -> Iterator[str]:
    """No traceback, but where the cell is tagged `raises-exception`; there, one."""
    for index, cell in book.code:
        failed = [output.ename for output in cell.outputs if output.output_type == "error"]
        if failed and "raises-exception" not in tags(cell):
            yield f"cell {index}: {failed[0]}"
        if not failed and "raises-exception" in tags(cell):
            yield f"cell {index} is tagged raises-exception and raised nothing"


def nothing_on_stderr(book: Book) -> Iterator[str]:
    """Nothing on stderr: a warning there names a process, and nobody can tell it from a fault."""
    for index, output in book.outputs():
        if output.output_type == "stream" and output.name == "stderr":
            yield f"cell {index}: {output.text.strip()[:100]}"


def no_widget_state(book: Book) -> Iterator[str]:
    """No stored widget state: it would show sliders that move and do nothing."""
    if "widgets" in book.notebook.metadata:
        yield "metadata.widgets is stored"


def says_how_to_wake_the_widgets(book: Book) -> Iterator[str]:
    """One of the first three cells says what to do about a dead widget."""
    if not any(HELP in cell.source for cell in book.notebook.cells[:3] if cell.cell_type == "markdown"):
        yield f"missing near the top: {HELP}"


def code_cells_are_short(book: Book) -> Iterator[str]:
    """A code cell is read at a glance."""
    for index, cell in book.code:
        lines = cell.source.splitlines()
        if len(lines) > LINES:
            yield f"cell {index} has {len(lines)} lines, more than {LINES}"
        longest = max(map(len, lines))
        if longest > COLUMNS:
            yield f"cell {index} has a line of {longest} characters, more than {COLUMNS}"


def headings_in_order(book: Book) -> Iterator[str]:
    """One title, in the first cell; below it no level is skipped, and no heading comes twice."""
    levels = [level for _, level, _ in book.headings]
    if levels.count(1) != 1 or book.headings[0][:2] != (0, 1):
        yield f"one heading of level 1 at the top wanted, found {levels.count(1)}"
    for (index, level, heading), before in zip(book.headings[1:], levels, strict=False):
        if level > before + 1:
            yield f"cell {index}: {heading!r} of level {level} follows one of level {before}"
    texts = [heading for _, _, heading in book.headings]
    for heading in sorted({text for text in texts if texts.count(text) > 1}):
        yield f"two headings are called {heading!r}"


def pictures_have_words(book: Book) -> Iterator[str]:
    """A picture in the text has alternative text; a stored one comes with text that says the same."""
    for index, text in book.texts:
        for alternative, target in re.findall(r"!\[([^\]]*)\]\(([^)]+)\)", text):
            if not alternative.strip():
                yield f"cell {index}: no alternative text for {target}"
        for image in re.findall(r"<img\b[^>]*>", text):
            if not re.search(r"""alt\s*=\s*["'][^"']*\w""", image):
                yield f"cell {index}: no alternative text in {image}"
    for index, output in book.outputs():
        data = output.get("data", {})
        words = data.get("text/plain", "")
        if any(kind in data for kind in PICTURES) and (not words.strip() or words.startswith("<")):
            yield f"cell {index}: the stored picture's text is {words!r}"


def widgets_read_without_a_kernel(book: Book) -> Iterator[str]:
    """Where a widget stood, someone without a kernel finds a picture, a table or some lines of text."""
    for index, output in book.outputs():
        data = output.get("data", {})
        shown = any(kind in data for kind in ("text/html", "text/markdown", *PICTURES))
        if WIDGET in data and not shown and len(data.get("text/plain", "").splitlines()) < 2:
            yield f"cell {index}: all that is stored beside the widget is {data.get('text/plain')!r}"


def links_lead_somewhere(book: Book) -> Iterator[str]:
    """A link to another notebook, file or heading of the project resolves."""
    for index, link in book.links:
        name, _, fragment = unquote(link).partition("#")
        target = (book.path.parent / name).resolve() if name else book.path
        if name and not target.exists():
            yield f"cell {index}: {link} does not exist"
        elif fragment and target.suffix == ".ipynb":
            there = Book.read(target) if name else book
            if fragment not in {heading.replace(" ", "-") for _, _, heading in there.headings}:
                yield f"cell {index}: {link}: no such heading"


def nothing_switches_nbval_off(book: Book) -> Iterator[str]:
    """No marker that keeps nbval from comparing a cell, and no tag but those that mean something here."""
    for index, cell in enumerate(book.notebook.cells):
        for unknown in sorted(set(tags(cell)) - TAGS):
            yield f"cell {index}: tag {unknown!r}"
        if cell.cell_type == "code" and re.search(r"#\s*(NBVAL|PYTEST_VALIDATE)_", cell.source):
            yield f"cell {index}: a comment for nbval"


def no_trace_of_a_machine(book: Book) -> Iterator[str]:
    """Stored outputs name no folder and no address of the machine that made them."""
    trace = re.compile(
        r"(?<![\w.])/(?:home|root|tmp|usr|opt|work|Users|var)/\S*|\b0x[0-9a-f]{6,}|[A-Z]:\\\w\S*"
    )
    for index, output in book.outputs():
        if found := trace.search(text_of(output)):
            yield f"cell {index}: {found.group()}"


def plain_words(book: Book) -> Iterator[str]:
    """No word that tells a reader who is stuck that it is easy."""
    for index, text in book.texts:
        for word in re.findall(
            r"\b(?:simply|obviously|of course|trivial(?:ly)?)\b", text, flags=re.IGNORECASE
        ):
            yield f"cell {index}: {word!r}"


def telling_lines(solution: str, stub: str = "") -> set[str]:
    """The lines that give a solution away: no import, `def` or docstring, nothing that the stub has."""
    lines = solution.splitlines()
    for node in ast.walk(ast.parse(solution)):
        if isinstance(node, ast.FunctionDef):
            start = node.body[1 if ast.get_docstring(node) else 0].lineno
            lines[node.lineno - 1 : start - 1] = [""] * (start - node.lineno)
    bare = {" ".join(line.split("#")[0].split()) for line in lines}
    known = {" ".join(line.split("#")[0].split()) for line in stub.splitlines()}
    return {
        line
        for line in bare - known
        if len(line) >= SMALLEST_LEAK and not line.startswith(("import ", "from "))
    }


def leaks(book: Book, secrets: dict[str, set[str]]) -> Iterator[str]:
    """The solutions' lines, by exercise id, that the notebook shows although it sets that exercise."""
    shown = [cell.source for cell in book.notebook.cells] + [text_of(output) for _, output in book.outputs()]
    lines = {" ".join(line.split()) for text in shown for line in text.splitlines()}
    for exercise, secret in secrets.items():
        if any(f'"{exercise}"' in cell.source for _, cell in book.code):
            for line in sorted(secret & lines):
                yield f"gives away {exercise}: {line}"


RULES = [
    executed_from_top_to_end,
    outputs_are_stored,
    no_errors,
    nothing_on_stderr,
    no_widget_state,
    says_how_to_wake_the_widgets,
    code_cells_are_short,
    headings_in_order,
    pictures_have_words,
    widgets_read_without_a_kernel,
    links_lead_somewhere,
    nothing_switches_nbval_off,
    no_trace_of_a_machine,
    plain_words,
]


def findings(book: Book) -> list[str]:
    """Everything that a notebook does not keep to, with the rule's name."""
    return [f"{rule.__name__}: {finding}" for rule in RULES for finding in rule(book)]
