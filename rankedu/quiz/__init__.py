"""Multiple-choice questions in which every option has its own reply, as a widget and in code.

    q = quiz.get("interview/04")
    q.ask()                       the widget
    q.answer("B"), q.answer("AC") the same in code: a verdict
    quiz.all(), quiz.all("interview"), quiz.all("check/05")
    quiz.score("interview")       the points, and what to reread for each question missed

Three sets: `interview/01` to `interview/10`, quick checks for each lesson such as `check/05/1`, and
misconceptions such as `myth/01`, each of which can also be refuted by a list that you build:
`quiz.get("myth/05").refute([1, 0, 1])`.

The options of a question stand in a mixed order that is the same for everyone. Every answer is noted by
`rankedu.progress`; the answers and replies are only in this package, never in a notebook.
"""

import difflib
import functools

from ._question import Myth, Option, Question, Verdict
from ._score import score

__all__ = ["Myth", "Option", "Question", "Verdict", "all", "get", "score"]


@functools.cache
def _questions():
    from . import checks, interview, myths

    found = [*interview.QUESTIONS, *checks.QUESTIONS, *myths.QUESTIONS]
    return {question.id: question for question in found}


def all(set=""):
    """Every question, in order; with `set`, those whose id starts with it: "interview", "check/05", "myth".

    Raises ValueError for a set that holds no question.
    """
    prefix = f"{set.rstrip('/')}/" if set else ""
    found = [question for id, question in _questions().items() if id.startswith(prefix)]
    if not found:
        raise ValueError(
            f'set must be "interview", "myth", "check" or one lesson as in "check/05"; got {set!r}'
        )
    return found


def get(id):
    """The question of that id. Raises ValueError for an unknown id, naming the nearest ones."""
    if not isinstance(id, str):
        raise TypeError(f'id must be text such as "interview/04"; got {id!r}')
    if id not in _questions():
        near = difflib.get_close_matches(id, _questions(), n=3) or ["interview/01"]
        raise ValueError(f"id must be the id of a question, such as {', '.join(near)}; got {id!r}")
    return _questions()[id]
