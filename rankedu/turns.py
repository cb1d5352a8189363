"""The handlers of widgets take turns.

JupyterLab hands the messages of widgets to another thread of the kernel (a subshell), and ipykernel 7 takes
some of them back to the main one: the handlers of a slider and of a button can run at the same time. One that
moves a list while another redraws it would lose the move, so each waits until the one before it has ended.
"""

import functools
import threading

_turn = threading.RLock()  # re-entrant: a handler changes other controls, whose handlers are part of its turn


def in_turn(handler):
    """`handler`, which now waits for every other handler that is running.

    >>> in_turn(lambda change: change + 1)(1)
    2
    """

    @functools.wraps(handler)
    def waiting(*args, **kwargs):
        with _turn:
            return handler(*args, **kwargs)

    return waiting
