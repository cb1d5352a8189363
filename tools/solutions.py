"""Copies of the exercise notebooks for those who teach: all solved, or without help.

    python tools/solutions.py              every exercise solved, run and judged, in out/solutions
    python tools/solutions.py --class      no hints, solutions or answers, for a timed session, in out/class
    python tools/solutions.py 05 bug       only notebooks whose name contains one of these

A solved copy differs from the notebook in three kinds of cell: a stub becomes the solution, a question is
answered, an input to be found is the smallest one. The package knows them all; nothing is written here.
"""

import argparse
import ast
import os
import re
import sys
from pathlib import Path

import nbformat

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from rankedu import exercises, quiz  # noqa: E402 - the checkout's, whatever is installed
from rankedu.exercises.verdict import SHAPES  # noqa: E402
from tools import notebooks  # noqa: E402

OUT = ROOT / "out"
HELP = re.compile(r"\.(hint|solution)\(")
ASKED = re.compile(r'quiz\.get\("([\w/]+)"\)\.ask\(\)')
SOUGHT = re.compile(r'exercises\.get\("([\w/]+)"\)\.find\(\.\.\.\)')


def solved(notebook):
    """Return the notebook with every stub written, question answered and input found."""
    solutions = {ex.stub: ex.solution() for ex in exercises.all()}
    for cell in code_cells(notebook):
        if cell.source in solutions:
            cell.source = str(solutions[cell.source])
        cell.source = SOUGHT.sub(found, ASKED.sub(answered, cell.source))
    return elsewhere(notebook)


def found(match):
    """The call with the smallest input that exposes the fault."""
    example = exercises.get(match[1]).example
    return match[0].replace("...", ", ".join(map(repr, example)))


def answered(match):
    """The call that answers a question, and refutes it if it is a misconception."""
    question = quiz.get(match[1])
    letters = "".join(letter for letter, option in question._lettered().items() if option.right)
    answer = match[0].replace(".ask()", f'.answer("{letters}")')
    if not isinstance(question, quiz.Myth):
        return answer
    refutation = match[0].replace(".ask()", f".refute({', '.join(map(repr, question.example))})")
    return f"display({answer})\n{refutation}"


def without_help(notebook):
    """Return the notebook without hints, solutions and folded answers, and without a word about them."""
    notebook.cells = [
        cell
        for cell in notebook.cells
        if not (cell.cell_type == "code" and is_comment(cell.source) and HELP.search(cell.source))
        and not cell.source.startswith("<details>")
    ]
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = re.sub(r"[^.!?\n]*\b[Hh]ints?\b[^.!?\n]*[.!?] ?", "", cell.source)
    for cell in code_cells(notebook):
        cell.outputs, cell.execution_count = [], None
    return elsewhere(notebook)


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def is_comment(source):
    return not ast.parse(source).body


def elsewhere(notebook):
    """Return the notebook with its links leading from a folder in out/ to where they led."""
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = re.sub(
                r"\]\((?!\w+:|#)(\.\./)?",
                lambda m: f"]({'../../' if m[1] else '../../exercises/'}",
                cell.source,
            )
    return notebook


def verdicts(notebook):
    """Yield every verdict's text in the notebook's outputs."""
    for cell in code_cells(notebook):
        for output in cell.get("outputs", []):
            text = output.get("data", {}).get("text/plain", "")
            if text[:1] in SHAPES.values():
                yield text


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("wanted", nargs="*", help="notebooks whose name contains one of these; none: all")
    parser.add_argument("--class", dest="timed", action="store_true", help="no hints, no solutions")
    options = parser.parse_args()
    os.environ["RANKEDU_PROGRESS"] = "off"
    folder = OUT / ("class" if options.timed else "solutions")
    folder.mkdir(parents=True, exist_ok=True)
    wrong = 0
    for path in sorted((ROOT / "exercises").glob("*.ipynb")):
        if options.wanted and not any(word in path.name for word in options.wanted):
            continue
        notebook = nbformat.read(path, as_version=4)
        copy = folder / path.name
        if options.timed:
            nbformat.write(notebooks.normalise(without_help(notebook), path.stem), copy)
            print(copy.relative_to(ROOT))
            continue
        notebooks.execute(solved(notebook), path.parent)
        nbformat.write(notebooks.normalise(notebook, path.stem), copy)
        told = list(verdicts(notebook))
        failed = [text for text in told if not text.startswith(SHAPES["correct"])]
        wrong += len(failed)
        print(
            f"{copy.relative_to(ROOT)}: {len(told) - len(failed)} of {len(told)} correct",
            *failed,
            sep="\n    ",
        )
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
