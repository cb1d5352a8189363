"""Whether this machine has what the course needs, said in one line: all is well, or what to do.

>>> check()
All is well: Python, numpy, matplotlib and ipywidgets are here and new enough.
"""

import re
import sys
from importlib import metadata

__all__ = ["Answer", "check"]

PYTHON = (3, 11)
NEEDED = ("numpy", "matplotlib", "ipywidgets")


class Answer(str):
    """A line that a notebook shows as it is, without quotes."""

    __slots__ = ()

    def __repr__(self):
        return str(self)


def check(version=metadata.version, python=sys.version_info[:2], requires=None):
    """One line: "All is well: ...", or what is missing and the command that mends it.

    version: name -> installed version, raising `PackageNotFoundError`. python: (major, minor).
    requires: the requirements to check, as pip writes them; those of the installed rankedu if left out.
    """
    if python < PYTHON:
        return Answer(
            f"This kernel runs Python {python[0]}.{python[1]}, and the course needs {PYTHON[0]}.{PYTHON[1]} "
            "or later. Install a newer Python, delete the folder .venv, and run `make lab` again."
        )
    lacking = [line for line in requires or _requirements() if not _is_met(line, version)]
    if lacking:
        wanted = " ".join(f'"{line}"' for line in lacking)
        return Answer(
            f"Missing or too old: {', '.join(map(_name, lacking))}. "
            f"Run this in a cell, then restart the kernel: %pip install {wanted}"
        )
    return Answer(f"All is well: Python, {', '.join(NEEDED[:-1])} and {NEEDED[-1]} are here and new enough.")


def _requirements():
    """What rankedu itself asks for, of the packages that a lesson cannot do without."""
    try:
        lines = metadata.requires("rankedu") or []
    except metadata.PackageNotFoundError:  # the folder is on the path and was never installed
        lines = []
    wanted = [line.split(";")[0].strip() for line in lines if "extra" not in line]
    return [line for line in wanted if _name(line) in NEEDED] or list(NEEDED)


def _name(line):
    return re.match(r"[\w.-]+", line).group()


def _is_met(line, version):
    least = re.search(r">=\s*([\d.]+)", line)
    try:
        found = version(_name(line))
    except metadata.PackageNotFoundError:
        return False
    return least is None or _numbers(found) >= _numbers(least.group(1))


def _numbers(text):
    """The leading numbers of a version, to be compared in order: 8.1.9 is (8, 1, 9)."""
    return tuple(int(part) for part in re.match(r"\d+(?:\.\d+)*", text).group().split("."))
