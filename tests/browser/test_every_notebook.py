"""Every notebook in JupyterLab: it opens, runs, fits into 1000 pixels, stays off the network, and moves."""

import pytest

from tests.browser import harness


@pytest.mark.parametrize("path", harness.notebook_paths(), ids=lambda path: path.as_posix())
def test_notebook(open_notebook, path):
    notebook = open_notebook(path, width=1000)
    notebook.run_all()
    assert notebook.faults() == {}
    if notebook.sliders().count():
        change = notebook.move_first_slider()
        assert change.text is not None, "moving the first slider changes no text"
    assert notebook.faults() == {}, "after moving the first slider"
