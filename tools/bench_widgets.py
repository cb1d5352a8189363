"""How quick the widgets feel: from a key press to changed numbers and to a new picture, in real JupyterLab.

    python tools/bench_widgets.py [--presses 30]

Each widget is measured in the same browser, in turns, beside `interact` with `plt.show`, which redraws the
same running DCG. The table gives medians in milliseconds and the ratio to `interact`; only the ratio carries
over to another machine.
"""

import argparse
import contextlib
import statistics
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.browser import harness  # noqa: E402 - the harness is in the checkout, not in the environment
from tools.screenshots import sketch  # noqa: E402

LISTS = """
from rankedu.widgets import MetricExplorer, RankingSliders
three = ["ndcg", "average_precision", "reciprocal_rank"]
titles = [f"document {n}" for n in range(1, 21)]
grades = [3, 0, 1, 2, 0, 1, 2, 0, 3, 0] * 2
"""
CASES = {
    "interact with plt.show, 10 items": """
import matplotlib.pyplot as plt
from ipywidgets import interact
from rankedu import metrics
def show(rank=1):
    order = grades[1:10]
    order.insert(rank - 1, grades[0])
    print(f"NDCG@5 {metrics.ndcg(order, 5):.3f}")
    plt.figure(figsize=(6.4, 2.3), dpi=100)
    plt.plot([metrics.dcg(order, k) for k in range(1, 11)], "o-")
    plt.plot([metrics.ideal_dcg(order, k) for k in range(1, 11)], "s--")
    plt.show()
_ = interact(show, rank=(1, 10))
""",
    "RankingSliders, 10 items": "RankingSliders(titles[:10], grades[:10], k=5)",
    "RankingSliders, 20 items": "RankingSliders(titles, grades, k=10)",
    "RankingSliders, 10 items, three metrics": "RankingSliders(titles[:10], grades[:10], metric=three)",
    "RankingSliders, 10 items, AP": 'RankingSliders(titles[:10], grades[:10], metric="average_precision")',
    "MetricExplorer": "MetricExplorer()",
}
# interact writes text and picture into one output; what it changes there has no element of its own.
WATCH = """(control) => {
    const output = control.closest('.jp-OutputArea-output');
    window.benchTimes = {};
    window.benchObserver?.disconnect();
    window.benchObserver = new MutationObserver(changes => {
        const now = performance.now();
        for (const change of changes) {
            const node = change.target.nodeType === 1 ? change.target : change.target.parentElement;
            if (!node || node.closest('.widget-slider, .widget-text')) continue;
            const added = [...change.addedNodes].filter(n => n.nodeType === 1);
            const picture = change.type === 'attributes' ? node.tagName === 'IMG'
                : added.some(n => n.tagName === 'IMG' || n.querySelector('img'));
            if (picture) window.benchTimes.picture ??= now;
            else if (change.type !== 'attributes') window.benchTimes.text ??= now;
        }
    });
    window.benchObserver.observe(output, {subtree: true, childList: true, characterData: true,
        attributes: true, attributeFilter: ['src']});
    control.onkeydown = () => { window.benchTimes = {key: performance.now()}; };
}"""


def press(notebook, slider, key):
    """Milliseconds from the key press to the changed text and to the new picture."""
    slider.evaluate(WATCH)
    slider.focus()
    notebook.page.keyboard.press(key)
    notebook.page.wait_for_function("() => window.benchTimes.text && window.benchTimes.picture", timeout=5000)
    times = notebook.page.evaluate("window.benchTimes")
    notebook.page.wait_for_timeout(150)  # what the other sliders still have to do belongs to no press
    return times["text"] - times["key"], times["picture"] - times["key"]


def measure(presses):
    """{case: [(text, picture), ...]}: every case in turn, `presses` times."""
    code = "\n# %%\n".join([LISTS, *CASES.values()])
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="rankedu-bench-")))
        path = sketch(code, folder)
        server = stack.enter_context(harness.serve(folder))
        context = harness.new_context(stack.enter_context(harness.browse()))
        notebook = harness.Notebook.open(context, server, path, width=1280)
        notebook.run_all()
        notebook.settle()
        sliders = {}
        for number, case in enumerate(CASES, start=1):
            slider = notebook.cell(number).locator("[role=slider]")
            # The explorer's first slider is a setting; its last one moves a document.
            sliders[case] = slider.last if case == "MetricExplorer" else slider.first
        times = {case: [] for case in CASES}
        for turn in range(presses):
            for case, slider in sliders.items():
                at_start = turn % 2 == 0
                forth, back = (
                    ("ArrowLeft", "ArrowRight") if case == "MetricExplorer" else ("ArrowRight", "ArrowLeft")
                )
                slider.scroll_into_view_if_needed()
                times[case].append(press(notebook, slider, forth if at_start else back))
    return times


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--presses", type=int, default=30)
    times = measure(parser.parse_args().presses)
    reference = [statistics.median(column) for column in zip(*next(iter(times.values())), strict=True)]
    print(f"{'key press to ...':42}{'numbers':>12}{'picture':>12}{'ratio':>8}{'ratio':>8}")
    for case, pairs in times.items():
        text, picture = (statistics.median(column) for column in zip(*pairs, strict=True))
        print(
            f"{case:42}{text:9.0f} ms{picture:9.0f} ms{text / reference[0]:8.2f}{picture / reference[1]:8.2f}"
        )


if __name__ == "__main__":
    main()
