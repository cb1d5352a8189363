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
import importlib
import pkgutil

from rankedu.exercises.authoring import Exercise, exercise
from rankedu.exercises.verdict import Verdict

__all__ = ["Exercise", "Verdict", "all", "exercise", "get"]

_registry = {}


def all():
    """Return every exercise, in the order of the lessons."""
    if not _registry:
        modules = sorted(found.name for found in pkgutil.iter_modules(__path__))
        lessons = [name for name in modules if name.startswith("lesson")]
        for name in [*lessons, "bug_hunt", "capstone"]:
            module = importlib.import_module(f"{__name__}.{name}")
            _registry.update((made.id, made) for made in vars(module).values() if isinstance(made, Exercise))
    return list(_registry.values())


def get(id):
    """Return the exercise with this id, such as "05/ndcg"."""
    all()
    if id not in _registry:
        near = difflib.get_close_matches(str(id), _registry, n=1, cutoff=0.3)
        raise ValueError(
            f"id must be that of an exercise, such as {(near or list(_registry))[0]!r}; got {id!r}"
        )
    return _registry[id]
