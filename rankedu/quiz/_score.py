"""The points of a set of questions, and what to reread for each one missed."""

import html

from rankedu import progress

from . import _question
from ._question import Myth


def score(set="interview", folder="../notebooks"):
    """The points in a set of questions, as an object that draws itself and follows every new answer.

    `.right`, `.total` and `.rows` are its numbers: a question counts as right when the last answer to it was;
    `folder` is where the lessons are, seen from the notebook.
    """
    return Score(set, folder)


class Score:
    """How a learner did in one set of questions: `.right` of `.total`, `.first_try`, `.rows`."""

    def __init__(self, set, folder):
        from . import all

        self.set, self._folder, self._questions = set, folder, all(set)

    @property
    def rows(self):
        """A row per question: (question, the answers so far, the lists built so far), oldest first."""
        seen = {question.id: ([], []) for question in self._questions}
        for row in progress.records():
            if row["id"] in seen and row["kind"] in ("quiz", "exercise"):
                seen[row["id"]][row["kind"] == "exercise"].append(row)
        return [(question, *seen[question.id]) for question in self._questions]

    @property
    def total(self):
        """The number of questions."""
        return len(self._questions)

    @property
    def right(self):
        """The number of questions whose last answer was correct."""
        return sum(_is_right(answers[-1:]) for _, answers, _ in self.rows)

    @property
    def first_try(self):
        """The number of questions whose first answer was correct."""
        return sum(_is_right(answers[:1]) for _, answers, _ in self.rows)

    @property
    def refuted(self):
        """The number of misconceptions refuted by a list, or None in a set that has none."""
        if not any(isinstance(question, Myth) for question in self._questions):
            return None
        return sum(_is_right(lists) for _, _, lists in self.rows)

    @property
    def summary(self):
        """One sentence: how many of how many, and how many at the first try."""
        left = sum(not answers for _, answers, _ in self.rows)
        if left == self.total:
            said = f"{self.total} questions, none answered yet"
        else:
            said = f"{self.right} of {self.total} right, {self.first_try} at the first try"
            said += f"; {left} not answered yet" if left else ""
        return said + (f"; {self.refuted} refuted by a list." if self.refuted is not None else ".")

    def _head(self):
        return (
            "question",
            "begins",
            "your answer",
            *(["refuted"] if self.refuted is not None else []),
            "reread",
        )

    def _lines(self):
        """What the table says, a tuple per question; the last is the lessons to reread."""
        for question, answers, lists in self.rows:
            if not answers:
                state = "○ not answered"
            elif not _is_right(answers[-1:]):
                state = f"✗ {answers[-1].get('answer', '')}"
            else:
                tries = next(n for n, row in enumerate(answers, 1) if row["status"] == "correct")
                state = "✓ right" + (f" at try {tries}" if tries > 1 else "")
            refuted = ["✓ yes" if _is_right(lists) else "✗ not yet" if lists else "○ not tried"]
            missed = answers and not _is_right(answers[-1:])
            yield (
                question.id,
                question.first_words,
                state,
                *(refuted if self.refuted is not None else []),
                question.reread if missed else (),
            )

    def __repr__(self):
        lines = (
            f"  {id}  {words:<{_question.FIRST_WORDS}}  {'  '.join(cells)}"
            + (f"  reread: {', '.join(map(_title, reread))}" if reread else "")
            for id, words, *cells, reread in self._lines()
        )
        return "\n".join([self.summary, *lines])

    def _repr_html_(self):
        style = "text-align:left;padding:3px 14px 3px 0;max-width:none"
        cell, whole = f'style="{style}"', f'style="{style};white-space:nowrap"'
        rows = "\n".join(
            f'<tr><th scope="row" {whole}>{id}</th><td {cell}>{html.escape(words)}</td>'
            + "".join(f"<td {whole}>{html.escape(text)}</td>" for text in cells)
            + f"<td {cell}>{', '.join(map(self._link, reread))}</td></tr>"
            for id, words, *cells, reread in self._lines()
        )
        heads = "".join(f'<th scope="col" {cell}>{name}</th>' for name in self._head())
        return (
            f"<p><strong>{html.escape(self.summary)}</strong></p>\n"
            f"<table><thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}\n</tbody></table>"
        )

    def _link(self, lesson):
        name = progress.LESSONS[lesson].lower().replace(" ", "_")
        return f'<a href="{self._folder}/{lesson}_{name}.ipynb">{html.escape(_title(lesson))}</a>'

    def _ipython_display_(self):
        from IPython.display import display

        handle = display(_Shown(self), display_id=True)
        # One score of a set follows the answers: a cell that is run again takes over from its last run.
        _question.listeners[self.set] = lambda: handle.update(_Shown(self))


class _Shown:
    """What a display shows of a score: the same without the display's own hook, which would start another."""

    def __init__(self, score):
        self._html, self._text = score._repr_html_(), repr(score)

    def __repr__(self):
        return self._text

    def _repr_html_(self):
        return self._html


def _is_right(answers):
    return any(row.get("status") == "correct" for row in answers)


def _title(lesson):
    return f"{lesson} {progress.LESSONS[lesson]}"
