"""What all the tests share: no learner's progress, no window, and the same random cases every time."""

import os
from pathlib import Path

import hypothesis
import pytest

# Before any import of rankedu, and for the kernels and processes that the tests start
os.environ["RANKEDU_PROGRESS"] = "off"
os.environ["MPLBACKEND"] = "agg"

# A failure that only some runs see is no use to the one whose run it is; two shared cores make deadlines lie
hypothesis.settings.register_profile("rankedu", derandomize=True, deadline=None, database=None)
hypothesis.settings.load_profile("rankedu")

BROWSER = Path(__file__).parent / "browser"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if BROWSER in item.path.parents:
            item.add_marker(pytest.mark.browser)
