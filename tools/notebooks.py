"""Runs the notebooks and stores their outputs; `make notebooks` calls it.

    python tools/notebooks.py                 every notebook, then the lesson map of README.md
    python tools/notebooks.py 05 interview    those whose path contains one of these
    python tools/notebooks.py --check         writes nothing; fails if a notebook would change

Running it twice changes nothing: what differs from run to run (widget ids, times, the Python's version) is
left out or made from the notebook itself. One that raises, or writes to stderr, is reported and left alone.
"""

import argparse
import hashlib
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tools import notebook_rules, readme  # noqa: E402 - tools/ is in the checkout, not in the environment

FOLDERS = ("notebooks", "exercises")
KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
LANGUAGE = {
    "codemirror_mode": {"name": "ipython", "version": 3},
    "file_extension": ".py",
    "mimetype": "text/x-python",
    "name": "python",
    "nbconvert_exporter": "python",
    "pygments_lexer": "ipython3",
}
SECONDS = 120  # that one cell may take
KEPT = (
    "tags",
    "jupyter",
    "editable",
    "deletable",
)  # of a cell's metadata; the rest is how someone looked at it


def paths(wanted: list[str] = (), root: Path = ROOT) -> list[Path]:
    """The notebooks whose path contains one of `wanted`, or all, in reading order."""
    found = [path for folder in FOLDERS for path in sorted((root / folder).glob("*.ipynb"))]
    return [path for path in found if not wanted or any(w in str(path.relative_to(root)) for w in wanted)]


def _digest(*parts: object) -> str:
    return hashlib.sha256("\n".join(map(str, parts)).encode()).hexdigest()


def normalise(notebook: nbformat.NotebookNode, name: str) -> nbformat.NotebookNode:
    """`notebook` without what differs from run to run and from machine to machine; `name` keeps ids apart."""
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    others = {
        k: v for k, v in notebook.metadata.items() if k not in ("kernelspec", "language_info", "widgets")
    }
    notebook.metadata = nbformat.from_dict({"kernelspec": KERNEL, "language_info": LANGUAGE, **others})
    seen = set()
    for index, cell in enumerate(notebook.cells):
        if cell.get("id") in seen or not cell.get("id"):
            cell.id = _digest(name, index, cell.source)[:8]
        seen.add(cell.id)
        cell.metadata = nbformat.from_dict({k: v for k, v in cell.metadata.items() if k in KEPT})
        for number, output in enumerate(cell.get("outputs", [])):
            if view := output.get("data", {}).get(notebook_rules.WIDGET):
                # no widget state is stored, so nothing looks this id up
                view["model_id"] = _digest(name, cell.id, number)[:32]
            if output.output_type == "error":
                output.traceback = [line.replace(f"{ROOT}{os.sep}", "") for line in output.traceback]
    return notebook


def text(notebook: nbformat.NotebookNode) -> str:
    """The notebook as the file that is stored."""
    return nbformat.writes(notebook).rstrip("\n") + "\n"


def execute(notebook: nbformat.NotebookNode, folder: Path) -> None:
    """Runs every cell, in a new kernel in `folder`, and leaves the outputs in `notebook`."""
    notebook.metadata.pop("widgets", None)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    client = NotebookClient(
        notebook,
        timeout=SECONDS,
        kernel_name="python3",
        record_timing=False,
        store_widget_state=False,
        coalesce_streams=True,
        extra_arguments=["--log-level=40"],  # its warnings are for a server, not for the author
        resources={"metadata": {"path": str(folder)}},
    )
    client.execute()


def run(path: Path, name: str) -> tuple[str | None, list[str]]:
    """The text to store for the notebook at `path`, None if it failed, and what to tell its author."""
    os.environ["RANKEDU_PROGRESS"] = "off"
    notebook = nbformat.read(path, as_version=4)
    try:
        execute(notebook, path.parent)
    except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
        return None, [str(error)]
    normalise(notebook, name)
    book = notebook_rules.Book(notebook, path)
    if noise := list(notebook_rules.nothing_on_stderr(book)):
        return None, [f"writes to stderr: {line}" for line in noise]
    return text(notebook), notebook_rules.findings(book)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("wanted", nargs="*", help="notebooks whose path contains one of these; none: all")
    parser.add_argument("--check", action="store_true", help="write nothing; fail if something would change")
    parser.add_argument("--jobs", type=int, default=2, help="notebooks run at the same time")
    return parser.parse_args()


def main() -> int:
    options = arguments()
    chosen = paths(options.wanted)
    if not chosen:
        print(
            f"no notebook matches {' '.join(options.wanted) or 'notebooks/ and exercises/'}", file=sys.stderr
        )
        return 2
    names = [path.relative_to(ROOT).as_posix() for path in chosen]
    failed = changed = 0
    start = time.monotonic()
    with ProcessPoolExecutor(options.jobs) as pool:
        for path, name, (new, notes) in zip(chosen, names, pool.map(run, chosen, names), strict=True):
            same = new == path.read_text(encoding="utf-8")
            failed += new is None
            changed += new is not None and not same
            print(f"{'FAILED ' if new is None else 'same   ' if same else 'changed'} {name}", flush=True)
            print("".join(f"    {note}\n" for note in notes), end="")
            if new is not None and not same and not options.check:
                path.write_text(new, encoding="utf-8")
    print(f"{len(chosen)} notebooks, {changed} changed, {failed} failed, {time.monotonic() - start:.0f} s")
    if not options.check and not failed:
        readme.update()
    return int(failed > 0 or (options.check and changed > 0))


if __name__ == "__main__":
    sys.exit(main())
