"""Call a learner's function, whatever it does, and say what happened.

A submission may loop for ever, swallow every exception, eat the memory, print without end, leave Python. So
it is called in a process of its own, forked from the kernel: everything the notebook has defined is there,
nothing it does comes back but the outcome of a call, and a call that takes too long is ended from outside,
also where no signal would reach it (`sum(range(10**12))`). Where there is no fork (Windows), a thread stands
in: a loop written in Python is ended there as well; a thread that sleeps or runs in C is left to itself.
"""

import builtins
import ctypes
import gc
import io
import linecache
import multiprocessing
import numbers
import os
import signal
import sys
import threading
import time
import traceback
import warnings
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

SECONDS_A_CALL = 3.0  # a right answer takes microseconds
SECONDS_IN_ALL = 8.0
PRINTED = 600  # characters kept of what one call prints
MEMORY = 1 << 30  # bytes that a submission may take beyond what the kernel holds
CPU_SECONDS = 60  # the worker's own end, should the kernel die before it can end the worker


@dataclass(frozen=True)
class Foreign:
    """A result that no exercise asks for: what it is, in words."""

    what: str


class Array(list):
    """What a one-dimensional numpy array held: a list, which is called what it was."""


class Outcome(NamedTuple):
    """What one call did.

    kind is "returned", "raised", "stuck" (ended at the time limit) or "died" (took its process with it).
    """

    kind: str
    value: Any = None  # returned: a number, text, list, tuple, dict, None or Foreign
    error: tuple[str, ...] = ()  # raised: the exception's class and its parents, by name
    text: str = ""  # raised: the exception's message
    line: str = ""  # raised: the learner's line, with its number
    changed: str = ""  # the arguments afterwards, if they are no longer what they were
    printed: str = ""


def plain(value, depth=3):
    """Return value as plain Python, fit to be sent and compared, or as Foreign.

    >>> plain(np.float64(0.5)), plain([np.int64(2), True]), plain(range(3))
    (0.5, [2, True], Foreign(what='a range'))
    """
    if type(value) is int and value.bit_length() > 1000:  # beyond every float
        return Foreign(f"a whole number of about {value.bit_length() * 3 // 10} digits")
    if value is None or value is ... or type(value) in (bool, int, float):
        return value
    if isinstance(value, np.ndarray) and value.ndim < 2 and value.size <= 1000 and value.dtype.kind in "biuf":
        return Array(value.tolist()) if value.ndim else value.item()
    if isinstance(value, np.generic):
        return plain(value.item(), depth) if value.dtype.kind in "biufU" else Foreign(a(type(value).__name__))
    if isinstance(value, numbers.Real) or type(value).__name__ == "Decimal":
        return float(value)
    if isinstance(value, str):
        return str(value)[:200]
    if isinstance(value, list | tuple | dict) and depth and len(value) <= 1000:
        if isinstance(value, dict):
            return {str(key)[:50]: plain(item, depth - 1) for key, item in value.items()}
        return (list if isinstance(value, list) else tuple)(plain(item, depth - 1) for item in value)
    name = type(value).__name__
    if name == "ndarray":
        return Foreign(f"a numpy array of {value.ndim} dimensions" if value.ndim > 1 else "a numpy array")
    return Foreign({"type": "a class"}.get(name, a(name)))


def a(noun):
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun.replace('_', ' ')}"


def fresh(value):
    """Return a copy of value, lists within lists too; deepcopy does the same for any object, and slowly."""
    if isinstance(value, list | tuple):
        return type(value)(map(fresh, value))
    return dict(value) if isinstance(value, dict) else value


class CappedText(io.TextIOBase):
    """A file that keeps the first characters written to it and forgets the rest."""

    def __init__(self, room=PRINTED):
        self.room, self.kept = room, []

    def write(self, text):
        if self.room >= 0:
            self.kept.append(text[: self.room])
            self.room -= len(text)
            if self.room < 0:
                self.kept.append(" ... (cut off)")
        return len(text)

    def __str__(self):
        return "".join(self.kept)


def call_once(function, args):
    """Return the Outcome of function(*args), called here and now, on a copy of args."""
    given = fresh(args)
    try:
        outcome = Outcome("returned", plain(function(*given)))
    except Ended:
        raise
    except BaseException as error:
        outcome = raised(error)
    return outcome._replace(changed=changes(args, given))


def call_quietly(function, args):
    """Return the same with what was printed, and nothing of it on the page; warnings are dropped."""
    printed = CappedText()
    with redirect_stdout(printed), redirect_stderr(CappedText()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        outcome = call_once(function, args)
    return outcome._replace(printed=str(printed))


def changes(before, after):
    """Return the arguments as they are afterwards, as text, or "" if they are what they were."""
    try:
        return "" if before == after else ", ".join(map(repr, plain(after)))[:300]
    except Exception:  # what was put in does not compare or print, or contains itself
        return "something that cannot be shown"


def raised(error):
    names = tuple(kind.__name__ for kind in type(error).__mro__[:-2])
    try:
        text = str(error) if error.args != (None,) else ""
    except Exception:
        text = ""
    return Outcome("raised", error=names, text=text[:300], line=learners_line(error))


def learners_line(error):
    """Return the innermost line of the learner's own in the traceback, such as "line 3: `return x`"."""
    ours = os.path.dirname(__file__)
    libraries = (os.path.dirname(os.__file__), "<frozen", ours)
    for frame, number in reversed(list(traceback.walk_tb(error.__traceback__))):
        file = frame.f_code.co_filename
        if not file.startswith(libraries) and "site-packages" not in file:
            source = linecache.getline(file, number).strip()
            return f"line {number}: `{source}`" if source else ""
    return ""


class Ended(BaseException):
    """Raised inside a submission that has had its time; no learner's code can name it."""


class Fork:
    """A worker process that calls function; `call` gives the outcome of one call."""

    def __init__(self, function):
        self.pipe, theirs = multiprocessing.Pipe()
        sys.stdout.flush(), sys.stderr.flush()
        with warnings.catch_warnings():
            # Python 3.12 warns of forking beside other threads, for fear of their locks. The worker
            # takes none: it talks to its pipe alone and leaves by os._exit.
            warnings.simplefilter("ignore", DeprecationWarning)
            self.pid = os.fork()
        if self.pid == 0:
            serve(function, theirs)
        theirs.close()

    def call(self, args, seconds):
        try:
            self.pipe.send(args)
            if not self.pipe.poll(seconds):
                return Outcome("stuck")
            return self.pipe.recv()
        except (EOFError, OSError):
            return Outcome("died")

    def close(self):
        for end in (os.killpg, os.kill):  # the group, for processes that the submission itself started
            with suppress(OSError):
                end(self.pid, signal.SIGKILL)
        with suppress(OSError):
            os.waitpid(self.pid, 0)
        self.pipe.close()


def serve(function, pipe):
    """Be the worker: answer arguments with their outcome until the pipe is closed. Never returns."""
    try:
        limit_the_worker()
        with staying(function):
            while True:
                args = pipe.recv()
                pipe.send(call_quietly(function, args))
    except BaseException:
        os._exit(1)
    os._exit(0)


def limit_the_worker():
    import resource  # POSIX only

    os.setpgid(0, 0)  # out of the kernel's group: Interrupt reaches the kernel, which ends the worker
    gc.freeze()  # nothing of the kernel's is finalised here
    nothing = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nothing, standard)
    sys.stdin = open(os.devnull)  # noqa: SIM115 - open as long as the worker lives
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    with suppress(OSError, ValueError), open("/proc/self/statm") as pages:
        held = int(pages.read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (held + MEMORY, resource.RLIM_INFINITY))


@contextmanager
def staying(function):
    """Make exit() and input() raise meanwhile: a kernel's own ones would talk to the page."""

    def leave(code=None):
        raise SystemExit(code)

    def ask(prompt=""):
        raise EOFError("it asks for input() from the keyboard")

    names = getattr(function, "__globals__", {})
    kernels_own = [name for name in ("exit", "quit") if "ExitAutocall" in type(names.get(name)).__name__]
    replaced = [(names, name, leave) for name in kernels_own]
    replaced += [
        (vars(builtins), name, new) for name, new in [("exit", leave), ("quit", leave), ("input", ask)]
    ]
    before = [(space, name, space.get(name)) for space, name, _ in replaced]
    for space, name, new in replaced:
        space[name] = new
    try:
        yield
    finally:
        for space, name, old in before:
            space[name] = old


class Thread:
    """The same without fork: each call in a thread, which is told to end once time is up."""

    def __init__(self, function):
        self.function = function

    def call(self, args, seconds):
        answer = []

        def work():
            with suppress(Ended), staying(self.function):
                answer.append(call_quietly(self.function, args))

        worker = threading.Thread(target=work, daemon=True)
        worker.start()
        worker.join(seconds)
        for _ in range(200):  # again and again, for an `except:` or a `finally:` may catch some
            if not worker.is_alive():
                break
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(worker.ident), ctypes.py_object(Ended))
            worker.join(0.005)
        return answer[0] if answer else Outcome("stuck")

    def close(self):
        pass


class Sandbox:
    """Calls of one function, each with its outcome; `with Sandbox(f) as call: call(args)`.

    After a call that got stuck or died the sandbox is spent: every later call is "stuck", and where the first
    was slow, slow.
    """

    def __init__(self, function, isolation=None):
        isolation = isolation or (Fork if hasattr(os, "fork") else Thread)
        self.worker = isolation(function)
        self.left = SECONDS_IN_ALL
        self.spent = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.worker.close()

    def __call__(self, args):
        if self.spent:
            return self.spent
        start = time.monotonic()
        outcome = self.worker.call(args, min(SECONDS_A_CALL, self.left))
        if outcome.kind == "stuck" and self.left < SECONDS_A_CALL:
            outcome = Outcome("stuck", text="slow")
        self.left = max(self.left - (time.monotonic() - start), 0)
        if outcome.kind in ("stuck", "died"):
            self.spent = Outcome("stuck", text=outcome.text if outcome.kind == "stuck" else "")
        return outcome
