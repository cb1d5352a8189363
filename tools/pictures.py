"""The pictures of README.md: widgets at work in real JupyterLab, light and dark.

python tools/pictures.py       writes them into notebooks/images
"""

import contextlib
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.browser import harness  # noqa: E402 - the harness is in the checkout, not in the environment
from tools.screenshots import sketch  # noqa: E402

FOLDER = ROOT / "notebooks" / "images"
WIDGETS = {
    "ranking_sliders": """
from rankedu import data
from rankedu.widgets import RankingSliders
task = data.load("stdlib_search")
ranking, grades = task.ranking("bm25", "q02"), task.grades("bm25", "q02")
RankingSliders(ranking[:8], grades[:8], k=5, judged=task.judged("q02"))
""",
    "metric_explorer": "from rankedu.widgets import MetricExplorer\nMetricExplorer()",
}


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="rankedu-pictures-")))
        path = sketch("\n# %%\n".join(WIDGETS.values()), folder)
        server = stack.enter_context(harness.serve(folder))
        context = harness.new_context(stack.enter_context(harness.browse()))
        for dark in (False, True):
            server.theme(dark)
            notebook = harness.Notebook.open(context, server, path, width=1420)
            # Everything in sight at once: what JupyterLab lays over the notebook's edges is in no picture.
            notebook.page.set_viewport_size({"width": 1420, "height": 3000})
            notebook.run_all()
            notebook.settle()
            for number, name in enumerate(WIDGETS):
                target = FOLDER / f"{name}{'_dark' if dark else ''}.png"
                notebook.cell(number).locator(".jp-OutputArea-output").last.screenshot(path=target)
                print(target.relative_to(ROOT))
            notebook.close()


if __name__ == "__main__":
    main()
