"""A progress bar for work of more than two seconds; shorter work shows nothing and imports nothing."""

from __future__ import annotations

import sys
import time

PATIENCE = 2.0  # seconds before a bar appears


class Progress:
    """A bar that appears once the work has taken PATIENCE seconds, and goes away when it is done.

    It shows in a notebook and in a terminal; elsewhere (a log file, a pipe), or without tqdm, it does not.
    """

    def __init__(self, what: str, total: int, unit: str):
        self._facts = {
            "desc": what,
            "total": total,
            "unit": unit,
            "unit_scale": total > 10_000,
            "leave": False,
        }
        self._start = time.monotonic()
        self._done = 0
        self._bar = None
        self._silent = False

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_) -> None:
        if self._bar is not None:
            self._bar.close()

    def step(self, amount: int = 1) -> None:
        """Says that this much more is done."""
        self._done += amount
        if self._bar is not None:
            self._bar.update(amount)
        elif not self._silent and time.monotonic() - self._start > PATIENCE:
            bar = _bar_class()
            if bar is None:
                self._silent = True
            else:
                self._bar = bar(initial=self._done, **self._facts)


def _bar_class():
    try:
        if _in_notebook():
            from tqdm.notebook import tqdm
        elif sys.stderr is not None and sys.stderr.isatty():
            from tqdm import tqdm
        else:
            return None
    except ImportError:
        return None
    return tqdm


def _in_notebook() -> bool:
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell is not None and hasattr(shell, "kernel")
