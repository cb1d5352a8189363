"""The exercises: what to write, what checks it, and what is said about it.

>>> from rankedu import exercises
>>> ex = exercises.get("03/dcg")
>>> print(ex.stub.splitlines()[0])
def dcg(grades, k):
>>> ex.check(lambda grades, k: sum(grades[:k])).mistake
'no-discount'

Each lesson's exercises stand in one module, `lessonNN`: solution, hints and named mistakes together. How to
write one is told in `authoring`.
"""

import difflib
import functools
import importlib

from rankedu.exercises.authoring import Exercise, exercise
from rankedu.exercises.verdict import Verdict

__all__ = ["Exercise", "Verdict", "all", "exercise", "get"]

MODULES = [*(f"lesson{number:02}" for number in range(1, 11)), "bug_hunt", "capstone"]


@functools.cache
def _by_id():
    modules = [importlib.import_module(f"{__name__}.{name}") for name in MODULES]
    found = [made for module in modules for made in vars(module).values() if isinstance(made, Exercise)]
    return {made.id: made for made in found}


def all():
    """Return every exercise, in the order of the lessons."""
    return list(_by_id().values())


def get(id):
    """Return the exercise with this id, such as "05/ndcg"."""
    known = _by_id()
    if id not in known:
        near = difflib.get_close_matches(str(id), known, n=1, cutoff=0.3) or ["05/ndcg"]
        raise ValueError(f"id must be that of an exercise, such as {near[0]!r}; got {id!r}")
    return known[id]
