"""Pictures of the notebooks as a learner sees them, in real JupyterLab.

    python tools/screenshots.py                      every notebook, light and dark, into out/screenshots
    python tools/screenshots.py --only 05 --dark --width 1000 --out DIR
    python tools/screenshots.py --code 'from rankedu.widgets import RankingSliders; RankingSliders(...)'
    python tools/screenshots.py --code sketch.py     the file's cells, divided by lines with # %%

Beside each picture's name it prints what is wrong: tracebacks, console errors, outputs and code cut off at
this width, and how long the first slider's key press takes to the changed text and picture.
"""

import argparse
import contextlib
import statistics
import sys
import tempfile
import time
from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_notebook

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.browser import harness  # noqa: E402 - the harness is in the checkout, not in the environment


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", default="", help="notebooks whose path contains this text")
    parser.add_argument("--code", help="cells to show in place of a notebook: a file, or the code itself")
    parser.add_argument("--out", type=Path, default=ROOT / "out" / "screenshots")
    parser.add_argument("--light", action="store_true", help="the light theme alone")
    parser.add_argument("--dark", action="store_true", help="the dark theme alone")
    parser.add_argument("--width", type=int, default=1280, help="of the browser window, in pixels")
    parser.add_argument(
        "--piece", type=int, default=1600, help="height of one picture; 0 for one long picture"
    )
    parser.add_argument(
        "--stored", action="store_true", help="run nothing: what is stored, as a fresh clone shows it"
    )
    parser.add_argument("--presses", type=int, default=10, help="key presses to time in the first slider")
    return parser.parse_args()


def sketch(code: str, folder: Path) -> Path:
    """A notebook in `folder` with the cells of `code`, which is Python or the name of a file."""
    with contextlib.suppress(OSError):
        code = Path(code).read_text() if Path(code).is_file() else code
    cells = [
        new_code_cell(part.split("\n", 1)[-1] if number else part)
        for number, part in enumerate(code.split("\n# %%"))
    ]
    path = folder / "notebooks" / "sketch.ipynb"
    path.parent.mkdir()
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3 (ipykernel)", "language": "python"}}
    nbformat.write(new_notebook(cells=[cell for cell in cells if cell.source.strip()], metadata=kernel), path)
    return path.relative_to(folder)


def timing(notebook: harness.Notebook, presses: int) -> str:
    """Medians from key press to change in the first slider, pressed to and fro."""
    if not presses or not notebook.sliders().count():
        return "no slider"
    changes = [notebook.move_first_slider() for _ in range(presses)]
    found = []
    for what in ("text", "picture"):
        times = [getattr(change, what) for change in changes if getattr(change, what) is not None]
        if times:
            found.append(f"{what} {statistics.median(times):.0f} ms ({len(times)} of {presses})")
    return "key press to " + ", ".join(found) if found else "MOVING THE FIRST SLIDER CHANGES NOTHING"


def look(notebook: harness.Notebook, options: argparse.Namespace, target: Path) -> list[str]:
    """The faults found in one open notebook, its pictures written to `target`."""
    if not options.stored:
        start = time.monotonic()
        notebook.run_all()
        print(f"  run in {time.monotonic() - start:.1f} s; {timing(notebook, options.presses)}")
    faults = [f"{kind}: {what}" for kind, found in notebook.faults().items() for what in found]
    faults += notebook.long_lines()
    for picture in notebook.screenshot(target, options.piece or None):
        print(f"  {picture}")
    return faults


def main() -> int:
    options = arguments()
    themes = {options.dark} if options.light != options.dark else {False, True}
    found = 0
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="rankedu-screenshots-")))
        if options.code:
            paths = [sketch(options.code, folder)]
        else:
            harness.copy_course(folder)
            paths = [path for path in harness.notebook_paths(folder) if options.only in path.as_posix()]
        if not paths:
            print(f"no notebook's path contains {options.only!r}", file=sys.stderr)
            return 2
        server = stack.enter_context(harness.serve(folder))
        context = harness.new_context(stack.enter_context(harness.browse()))
        for dark in sorted(themes):
            server.theme(dark)
            page = None  # the first notebook opens one, and the others open in it
            for path in paths:
                print(f"{path} ({'dark' if dark else 'light'}, {options.width} px)", flush=True)
                notebook = harness.Notebook.open(context, server, path, width=options.width, page=page)
                name = f"{path.parent.name}-{path.stem}{'-dark' if dark else ''}.png"
                faults = look(notebook, options, options.out / name)
                page = notebook.leave()
                print(*(f"  FAULT {fault}" for fault in faults), sep="\n" if faults else "", flush=True)
                found += len(faults)
    print(f"{len(paths)} notebooks, {found} faults")
    return int(found > 0)


if __name__ == "__main__":
    sys.exit(main())
