"""The check of the installation: one line, and in it what to do."""

from importlib.metadata import PackageNotFoundError

import pytest

from rankedu import installation

HERE = {"numpy": "2.4.6", "matplotlib": "3.11.2", "ipywidgets": "8.1.9"}
WANTED = ["numpy>=2.0,<3", "matplotlib>=3.9,<4", "ipywidgets>=8.1.5,<9"]


def said(python=(3, 12), **changed):
    versions = HERE | changed

    def version(name):
        if versions[name] is None:
            raise PackageNotFoundError(name)
        return versions[name]

    return installation.check(version, python, WANTED)


def test_all_is_well_here():
    assert installation.check().startswith("All is well")
    assert said().startswith("All is well")


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"python": (3, 10)}, "runs Python 3.10, and the course needs 3.11 or later"),
        (
            {"numpy": "1.26.4"},
            'too old: numpy. Run this in a cell, then restart the kernel: %pip install "numpy>=2.0,<3"',
        ),
        (
            {"ipywidgets": None},
            'too old: ipywidgets. Run this in a cell, then restart the kernel: %pip install "ipy',
        ),
        ({"ipywidgets": None, "matplotlib": "3.8"}, "too old: matplotlib, ipywidgets."),
    ],
    ids=["old Python", "old numpy", "no ipywidgets", "two"],
)
def test_what_is_lacking_is_named_with_what_to_do(change, says):
    line = said(**change)
    assert says in line
    assert "\n" not in line


@pytest.mark.parametrize("version", ["2.0.0rc1", "2.10", "10.0"])
def test_versions_are_compared_as_numbers(version):
    assert said(numpy=version).startswith("All is well")
