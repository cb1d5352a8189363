"""Adds up what pytest wrote as JUnit XML, and fails if a part of the tests was skipped or did not run.

    python3 tools/junit.py out/junit

A browser test that skips itself where there is no Chromium is right on a learner's machine and wrong in CI,
where a skip would pass for a success. It needs nothing but the standard library.
"""

import sys
import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path

PARTS = ("unit", "nbval", "browser")
NEVER_SKIPPED = ("nbval", "browser")


def count(report: Path) -> Counter:
    """The numbers of tests in one report: passed, failed (errors too), skipped."""
    found = Counter(passed=0, failed=0, skipped=0)
    for case in ET.parse(report).iter("testcase"):
        if case.find("skipped") is not None:
            found["skipped"] += 1
        elif case.find("failure") is not None or case.find("error") is not None:
            found["failed"] += 1
        else:
            found["passed"] += 1
    return found


def faults(folder: Path) -> list[str]:
    """What is wrong with the reports in `folder`: none of it when every part ran."""
    found = []
    for part in PARTS:
        report = folder / f"{part}.xml"
        if not report.exists():
            found.append(f"{part}: no report, so its tests did not run")
            continue
        counts = count(report)
        print(f"{part}: " + ", ".join(f"{number} {what}" for what, number in counts.items()))
        if not counts["passed"]:
            found.append(f"{part}: no test passed")
        if counts["failed"]:
            found.append(f"{part}: {counts['failed']} failed")
        if part in NEVER_SKIPPED and counts["skipped"]:
            found.append(f"{part}: {counts['skipped']} skipped")
    return found


if __name__ == "__main__":
    wrong = faults(Path(sys.argv[1]))
    print(*(f"FAULT {fault}" for fault in wrong), sep="\n" if wrong else "")
    sys.exit(bool(wrong))
