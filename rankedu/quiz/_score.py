"""The points of a set of questions, and what to reread for each one missed."""

import html

from rankedu import progress

from . import _question


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
        """A row per question: (question, answers so far as a list of records)."""
        answers = {question.id: [] for question in self._questions}
        for row in progress.records():
            if row["kind"] == "quiz" and row["id"] in answers:
                answers[row["id"]].append(row)
        return [(question, answers[question.id]) for question in self._questions]

    @property
    def total(self):
        """The number of questions."""
        return len(self._questions)

    @property
    def right(self):
        """The number of questions whose last answer was correct."""
        return sum(_is_right(answers[-1:]) for _, answers in self.rows)

    @property
    def first_try(self):
        """The number of questions whose first answer was correct."""
        return sum(_is_right(answers[:1]) for _, answers in self.rows)

    def _lines(self):
        """What the table says: a question's id, the shape and word for it, and the lessons to reread."""
        for question, answers in self.rows:
            if not answers:
                yield question.id, "○ not answered", ()
            elif not _is_right(answers[-1:]):
                yield question.id, f"✗ {answers[-1].get('answer', '')}", question.reread
            else:
                tries = next(n for n, row in enumerate(answers, 1) if row["status"] == "correct")
                yield question.id, "✓ right" + (f" at try {tries}" if tries > 1 else ""), ()

    @property
    def summary(self):
        """One sentence: how many of how many, and how many at the first try."""
        answered = sum(bool(answers) for _, answers in self.rows)
        if not answered:
            return f"{self.total} questions, none answered yet."
        left = self.total - answered
        return f"{self.right} of {self.total} right, {self.first_try} at the first try" + (
            f"; {left} not answered yet." if left else "."
        )

    def __repr__(self):
        lines = (
            f"  {id}  {state}" + (f"  reread: {', '.join(map(_title, reread))}" if reread else "")
            for id, state, reread in self._lines()
        )
        return "\n".join([self.summary, *lines])

    def _repr_html_(self):
        cell = 'style="text-align:left;padding:2px 16px 2px 0"'
        rows = "".join(
            f"<tr><th scope='row' {cell}>{id}</th><td {cell}>{html.escape(state)}</td>"
            f"<td {cell}>{', '.join(map(self._link, reread))}</td></tr>"
            for id, state, reread in self._lines()
        )
        heads = "".join(
            f"<th scope='col' {cell}>{name}</th>" for name in ("question", "your answer", "reread")
        )
        return (
            f"<p><strong>{html.escape(self.summary)}</strong></p>"
            f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"
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
