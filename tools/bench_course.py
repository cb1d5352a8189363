"""What the course costs as a whole: opening a lesson, importing the package, running it all, disk.

    python tools/bench_course.py

Key presses in the widgets are measured by tools/bench_widgets.py, the package's speed by tools/bench_batch.py
and tools/bench_trec.py; `make bench` runs all four.
"""

import importlib.metadata
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.browser import harness  # noqa: E402 - tests/ is in the checkout, not in the environment


def table(headings: list[str], rows: list[list]) -> None:
    """Prints a table that README.md can quote."""
    print(f"| {' | '.join(headings)} |\n|{'---|' * len(headings)}")
    for row in rows:
        print(f"| {' | '.join('-' if cell is None else str(cell) for cell in row)} |")
    print(flush=True)


def opening(context, server) -> None:
    """From asking for the page to a first slider that can be moved, all cells run."""
    rows = []
    for path in harness.notebook_paths(server.root):
        start = time.perf_counter()
        notebook = harness.Notebook.open(context, server, path)
        opened = time.perf_counter()
        notebook.run_all()
        if notebook.sliders().count():
            rows.append(
                [f"`{path.as_posix()}`", f"{opened - start:.1f}", f"{time.perf_counter() - start:.1f}"]
            )
        notebook.close()
    table(["opening", "page and kernel ready, s", "every widget live, s"], rows)


def timed(*command: str, repeat: int = 1, **variables: str) -> float:
    """The median seconds of a command of this environment's Python."""
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        done = subprocess.run(
            [sys.executable, *command],
            cwd=ROOT,
            env={**os.environ, **variables},
            capture_output=True,
            text=True,
        )
        times.append(time.perf_counter() - start)
        if done.returncode:
            print(done.stdout[-2000:] + done.stderr[-2000:], file=sys.stderr)
    return statistics.median(times)


def megabytes(folder: Path) -> float:
    return sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


def what_lab_installs() -> list[importlib.metadata.Distribution]:
    """The packages that the extra `lab` leads to, those of packages included, as they stand in .venv."""
    found, waiting = {}, [("rankedu", "lab")]
    while waiting:
        name, extra = waiting.pop()
        if (name, extra) in found:
            continue
        found[name, extra] = distribution = importlib.metadata.distribution(name)
        for text in distribution.requires or []:
            needs = Requirement(text)
            if needs.marker is None or needs.marker.evaluate({"extra": extra}):
                waiting += [(canonicalize_name(needs.name), each) for each in ["", *needs.extras]]
    return list({name: distribution for (name, _), distribution in found.items()}.values())


def installed(distributions: list[importlib.metadata.Distribution]) -> float:
    """Megabytes on the disk of what the packages consist of; compiled caches count where pip made them."""
    files = (path.locate() for one in distributions for path in one.files or [])
    return sum(path.stat().st_size for path in files if path.is_file()) / 1e6


def rest() -> None:
    bare, numpy, ours = (
        timed("-c", code, repeat=9) for code in ("", "import numpy", "from rankedu import metrics")
    )
    nbval = ["-m", "pytest", "-q", "-n", "2", "--dist", "loadscope", "--nbval", "--nbval-current-env"]
    packages = what_lab_installs()
    books = len(harness.notebook_paths())
    seconds = timed(*nbval, *harness.FOLDERS, RANKEDU_PROGRESS="off")
    rows = [
        ["`import numpy`", f"{1000 * (numpy - bare):.0f} ms"],
        ["`from rankedu import metrics`", f"{1000 * (ours - bare):.0f} ms"],
        [
            f"nbval over {books} notebooks, two at a time",
            f"{seconds:.0f} s, {seconds / books:.1f} s a notebook",
        ],
        ["the package, with its data", f"{megabytes(ROOT / 'rankedu'):.1f} MB"],
        [f"what `make lab` installs, {len(packages)} packages", f"{installed(packages):.0f} MB"],
    ]
    table(["what", "measured"], rows)


def main() -> None:
    rest()
    with (
        tempfile.TemporaryDirectory(prefix="rankedu-bench-") as folder,
        harness.serve(harness.copy_course(Path(folder))) as server,
        harness.browse() as browser,
    ):
        opening(harness.new_context(browser), server)


if __name__ == "__main__":
    main()
