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


@pytest.fixture
def open_notebook(server, context):
    """Opens a notebook of the copy, as it came: `open_notebook("notebooks/05_ndcg.ipynb", width=1000)`."""
    opened = []

    def open_notebook(path, **size):
        # An earlier test may have saved it: what it answered would be answered, and its widgets gone.
        if (harness.ROOT / path).is_file():
            shutil.copyfile(harness.ROOT / path, server.root / path)
        opened.append(harness.Notebook.open(context, server, path, **size))
        return opened[-1]

    yield open_notebook
    for notebook in opened:
        notebook.close()
