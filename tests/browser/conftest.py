"""One JupyterLab and one Chromium for all the browser tests of a process; a page for each notebook."""

import os
import shutil

import pytest

from tests.browser import harness


@pytest.fixture(scope="session")
def browser():
    """A running Chromium; without one the tests are skipped, but never in CI."""
    if not harness.chromium():
        reason = "no Chromium on the PATH (apt install chromium, or set CHROMIUM to its path)"
        pytest.fail(reason) if os.environ.get("CI") else pytest.skip(reason)
    with harness.browse() as browser:
        yield browser


@pytest.fixture(scope="session")
def context(browser):
    """Its pages share the cache of JupyterLab's scripts."""
    context = harness.new_context(browser)
    yield context
    context.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """JupyterLab on a copy of the course: nothing is written into the working tree."""
    with harness.serve(harness.copy_course(tmp_path_factory.mktemp("course"))) as server:
        yield server


@pytest.fixture(scope="session")
def idle():
    """Pages with a JupyterLab in which no notebook is open."""
    return []


@pytest.fixture
def open_notebook(server, context, idle):
    """Opens a notebook of the copy, as it came: `open_notebook("notebooks/05_ndcg.ipynb", width=1000)`.

    In a JupyterLab that an earlier test may have left open; with `alone=True` in one of its own, for a test
    that moves JupyterLab's furniture.
    """
    opened = []

    def open_notebook(path, alone=False, **size):
        # An earlier test may have saved it: what it answered would be answered, and its widgets gone.
        if (harness.ROOT / path).is_file():
            shutil.copyfile(harness.ROOT / path, server.root / path)
        page = idle.pop() if idle and not alone else None
        opened.append((harness.Notebook.open(context, server, path, page=page, **size), alone))
        return opened[-1][0]

    yield open_notebook
    for notebook, alone in opened:
        if alone or notebook.page.locator(".jp-Dialog").count():  # a question that nobody answered
            notebook.close()
        else:
            idle.append(notebook.leave())
