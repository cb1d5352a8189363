"""What axe-core finds in the open notebook, in the light theme and in the dark one."""

import contextlib

from axe_playwright_python.sync_playwright import Axe

from tests.browser.harness import Notebook

GRAVE = ("serious", "critical")
PANEL = ".jp-NotebookPanel:not(.lm-mod-hidden)"
INCLUDED = [f"{PANEL} .jp-OutputArea-output", f"{PANEL} .jp-MarkdownOutput"]
EXCLUDED = [
    ".noUi-handle",  # ipywidgets gives it no name; ours have a named number box, or a label, beside them
    "mjx-container",  # MathJax's
    ".jp-InternalAnchorLink",  # JupyterLab's, beside each heading
    ".jp-RenderedImage img",  # JupyterLab leaves out the words of a PNG, which the file and the site have
]
# WCAG at the levels A and AA, and what axe's authors recommend beyond
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
OPTIONS = {
    "resultTypes": ["violations"],
    "runOnly": {"type": "tag", "values": TAGS},
    "rules": {
        # The browser lets the keyboard into all that scrolls; where nothing should, too_wide looks for it
        "scrollable-region-focusable": {"enabled": False},
        "link-in-text-block": {"enabled": False},  # JupyterLab draws every link without a line below it
    },
}
TALLEST = 16_000  # pixels of a page that Chromium still draws
HEIGHT = f"document.querySelector('{PANEL} .jp-WindowedPanel-outer').scrollHeight"


def findings(notebook: Notebook) -> list[str]:
    """A line for each element with a serious or critical fault, in either theme."""
    with _tall(notebook):
        found = _found(notebook, "light")
        with dark(notebook):
            return found + _found(notebook, "dark")


@contextlib.contextmanager
def dark(notebook: Notebook):
    """The page in JupyterLab's dark theme; then the light one is chosen again, for the pages to come."""
    notebook.command("apputils:change-theme", theme="JupyterLab Dark")
    notebook.page.wait_for_function("document.body.dataset.jpThemeLight === 'false'")
    notebook.settle()
    try:
        yield
    finally:
        notebook.command("apputils:change-theme", theme="JupyterLab Light")
        notebook.page.wait_for_function("document.body.dataset.jpThemeLight === 'true'")


@contextlib.contextmanager
def _tall(notebook: Notebook):
    """All of the notebook in sight: axe sees no other contrast, and does not scroll JupyterLab's panels."""
    page, view = notebook.page, notebook.page.viewport_size
    tall = page.evaluate(HEIGHT) + 300
    page.set_viewport_size({"width": view["width"], "height": max(view["height"], min(tall, TALLEST))})
    try:
        yield
    finally:
        page.set_viewport_size(view)


def _found(notebook: Notebook, theme: str) -> list[str]:
    # The page's body has no height, and what it holds would count as hidden; a change of theme resets it
    notebook.page.evaluate("document.body.style.height = '100vh'")
    notebook.settle()
    axe = Axe().run(notebook.page, {"include": INCLUDED, "exclude": EXCLUDED}, OPTIONS)
    rules = axe.response["violations"]
    return [
        f"{theme}: {rule['id']}: {node['html'][:160]}: {_why(node)}"
        for rule in rules
        if rule["impact"] in GRAVE
        for node in rule["nodes"]
    ]


def _why(node: dict) -> str:
    return "; ".join(check["message"] for kind in ("any", "all", "none") for check in node[kind])
