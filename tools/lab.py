"""Opens JupyterLab on the first lesson; `make lab` calls it. Options are handed on to JupyterLab."""

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FIRST = "notebooks/00_start_here.ipynb"


def command(options: list[str]) -> list[str]:
    """The command line that opens the first lesson."""
    settings = [
        f"--ServerApp.root_dir={ROOT}",
        f"--LabApp.default_url=/lab/tree/{FIRST}",  # so that the address in the terminal leads there too
        "--log-level=WARN",
    ]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        settings.append("--allow-root")  # in a container; JupyterLab refuses without it
    return [sys.executable, "-m", "jupyterlab", *settings, *options]


if __name__ == "__main__":
    print("JupyterLab opens in your browser; if it does not, open the address below. Stop it with Control-C.")
    sys.stdout.flush()
    line = command(sys.argv[1:])
    os.execv(line[0], line)
