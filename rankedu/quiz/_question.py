"""A question, its options, the verdict on an answer: everything but the drawing of the widget."""

import hashlib
import html
import string
import textwrap
from dataclasses import dataclass, field

from rankedu import progress
from rankedu.exercises import verdict as exercises
from rankedu.exercises.verdict import COLOURS, with_code
from rankedu.metrics import cumulative_gain

FIRST_WORDS = 44  # characters, about half a line
DIFFICULTIES = ("easy", "medium", "hard", "expert")

# Called after every answer, so that a score on the page can follow.
listeners = {}


@dataclass(frozen=True, repr=False)
class Option:
    """One option: a `key` that names what choosing it means, its text, the reply to it, and is it right."""

    key: str
    text: str
    reply: str
    right: bool = False

    def __repr__(self):
        return f"Option({self.text!r})"  # neither the key nor the reply: they give the answer away


@dataclass(frozen=True)
class Verdict(exercises.Verdict):
    """What is to be said to one answer; true if, and only if, it is correct.

    `.status` is "correct" or "incorrect"; `.mistake` names the options wrongly chosen or left out, None if
    correct; `.message` is text. `.chosen`, `.too_much` and `.missing` are strings of letters; `.replies` has
    the reply to every option by its letter, chosen or not.
    """

    chosen: str = ""
    too_much: str = ""
    missing: str = ""
    replies: dict = field(default_factory=dict, hash=False)

    def __str__(self):
        return self.message

    __repr__ = __str__

    def _repr_html_(self):
        return verdict_html(self)


class Question:
    """A multiple-choice question: `.ask()` is the widget, `.answer("AC")` the same in code.

    `many` says whether several options may be right; `reread` names the lessons that answer it.
    """

    recorded_as = ("quiz",)

    def __init__(self, id, prompt, options, *, difficulty, many=False, reread=()):
        self.id, self.prompt, self.difficulty, self.many = id, prompt, difficulty, many
        self.reread = tuple(reread)
        self._options = sorted(options, key=lambda option: _place(id, option))

    @property
    def options(self):
        """The options as they are shown: {letter: text}."""
        return {letter: option.text for letter, option in self._lettered().items()}

    def answer(self, letters):
        """The verdict on an answer: one string of letters in any order and case, such as "B" or "ac".

        Raises ValueError for no letter, an unknown or a repeated one, TypeError for anything but text.
        """
        chosen = self._read(letters)
        verdict = self._judge(chosen)
        progress.record("quiz", self.id, status=verdict.status, mistake=verdict.mistake, answer=chosen)
        tell_listeners()
        return verdict

    def ask(self):
        """The question as a widget."""
        from ._widget import QuestionBox

        return QuestionBox(self)

    def _lettered(self):
        return dict(zip(string.ascii_uppercase, self._options, strict=False))

    def _read(self, letters):
        known = "".join(self._lettered())
        allowed = (
            f'letters must be text made of the letters {", ".join(known)}, each at most once, such as "B"'
        )
        if not isinstance(letters, str):
            raise TypeError(f"{allowed}; got {letters!r}")
        chosen = letters.strip().upper()
        if not chosen or len(set(chosen)) < len(chosen) or not set(chosen) <= set(known):
            raise ValueError(f"{allowed}; got {letters!r}")
        return "".join(sorted(chosen))

    def _judge(self, chosen):
        options = self._lettered()
        right = {letter for letter, option in options.items() if option.right}
        too_much = "".join(sorted(set(chosen) - right))
        missing = "".join(sorted(right - set(chosen)))
        if not too_much and not missing:
            status, mistake = "correct", None
        elif too_much:
            status, mistake = "incorrect", "+".join(options[letter].key for letter in too_much)
        else:
            status, mistake = "incorrect", "without " + "+".join(options[letter].key for letter in missing)
        replies = {letter: option.reply for letter, option in options.items()}
        says = self._headline(chosen, too_much, missing), *self._lines(chosen, missing)
        return Verdict(self.id, status, says, (), mistake, chosen, too_much, missing, replies)

    def _headline(self, chosen, too_much, missing):
        if not too_much and not missing:
            return f"✓ Correct: {_and(chosen)}."
        if not self.many:
            return (
                "✗ Not this one. Read the reply, then choose again."
                if len(chosen) == 1
                else "✗ Choose one: a single option is right."
            )
        found = len(set(chosen) - set(too_much))
        parts = [f"{found} of {found + len(missing)} right options found"]
        parts += [f"missing: {_and(missing)}"] if missing else []
        parts += [f"too much: {_and(too_much)}"] if too_much else []
        return f"{'◐ Partly' if found else '✗ Not yet'}: {'; '.join(parts)}."

    def _lines(self, chosen, missing):
        # With one right option, naming the missing one would end the question: the reply leads on instead.
        shown = sorted({*chosen, *(missing if self.many else "")})
        return [f"{self.mark(x, chosen)} {x})  {self._lettered()[x].reply}" for x in shown]

    def mark(self, letter, chosen):
        """The shape that goes with an option's reply: ✓ right, ✗ wrong, ○ right and not chosen."""
        if not self._lettered()[letter].right:
            return "✗"
        return "✓" if letter in chosen else "○"

    @property
    def heading(self):
        """The line above the question: "interview/04 · medium"."""
        return " · ".join(filter(None, [self.id, self.difficulty]))

    @property
    def first_words(self):
        """The beginning of the question, to be known by in a table."""
        return _first_words(self.prompt)

    @property
    def instruction(self):
        """How many options to choose."""
        return "Choose all that are right." if self.many else "Choose one."

    def __repr__(self):
        options = (f"  {letter})  {text}" for letter, text in self.options.items())
        return "\n".join([self.heading, plain(self.prompt), *options, self.instruction])

    def _repr_html_(self):
        options = "\n".join(
            f'<div style="margin:3px 0 3px 1em"><strong>{letter})</strong> {with_code(text)}</div>'
            for letter, text in self.options.items()
        )
        return (
            f"<p>{html.escape(self.heading)}</p>\n<p><strong>{with_code(self.prompt)}</strong></p>\n"
            f"{options}\n<p>{self.instruction} "
            f'In code: <code>quiz.get("{self.id}").answer("…")</code></p>'
        )


class Myth(Question):
    """A misconception: a question about it, and a list to build that refutes it.

    `task` says what to build; `parameters` names the lists; `judge(*lists)` returns whether they refute the
    claim, and a sentence with the numbers that shows it; `example` is one that refutes it.
    """

    recorded_as = ("quiz", "exercise")

    def __init__(self, id, claim, options, *, task, parameters, judge, example, **more):
        super().__init__(id, f"“{claim}” What is wrong with that?", options, difficulty=None, **more)
        self.claim, self.task, self.parameters = claim, task, tuple(parameters)
        self._refutes, self.example = judge, tuple(example)

    @property
    def first_words(self):
        """The beginning of the claim."""
        return _first_words(self.claim)

    def refute(self, *lists, **named):
        """The verdict on lists of grades of your own: do they refute the claim, and what do they show?

        Bad grades are a ValueError or TypeError, as in `rankedu.metrics`.
        """
        values = self._bind(lists, named)
        for grades in values.values():
            cumulative_gain(grades)  # the metrics say what is wrong with a list that holds no grades
        refuted, message = self._refutes(**{name: list(grades) for name, grades in values.items()})
        verdict = Verdict(
            self.id,
            "correct" if refuted else "incorrect",
            ("✓ Refuted." if refuted else "✗ Not refuted yet.", message),
            mistake=None if refuted else "not-refuted",
        )
        progress.record("exercise", self.id, status=verdict.status, mistake=verdict.mistake)
        tell_listeners()
        return verdict

    def _bind(self, lists, named):
        values = dict(zip(self.parameters, lists, strict=False)) | named
        if len(lists) > len(self.parameters) or set(values) != set(self.parameters):
            wanted = ", ".join(self.parameters)
            raise TypeError(f"{self.id} takes {len(self.parameters)} list(s): refute({wanted})")
        return values

    def __repr__(self):
        return f"{super().__repr__()}\n{self._call()}\n{plain(self.task)}"

    def _repr_html_(self):
        return (
            f"{super()._repr_html_()}<p>{with_code(self.task)} <code>{html.escape(self._call())}</code></p>"
        )

    def _call(self):
        return f'Then: quiz.get("{self.id}").refute({", ".join(self.parameters)})'


def tell_listeners():
    for listener in list(listeners.values()):
        listener()


def plain(text):
    """Text without the marks of code."""
    return text.replace("`", "")


def verdict_html(verdict):
    """A verdict as HTML: its headline in bold, then the replies; colour only repeats what the words say."""
    first, *rest = verdict.says
    lines = "".join(f'<div style="margin:4px 0 0">{with_code(line)}</div>' for line in rest)
    border = f"border-left:5px solid {COLOURS[verdict.status]}"
    frame = f"{border};padding:2px 0 2px 12px;max-width:46em;line-height:1.45"
    return f'<div style="{frame}"><strong>{with_code(first)}</strong>{lines}</div>'


def _first_words(text):
    short = textwrap.shorten(plain(text), FIRST_WORDS - len(" …"), placeholder="")
    return short if short == plain(text) else f"{short.rstrip(',:;')} …"


def _place(id, option):
    # Not Python's hash(), which differs from one kernel to the next.
    return hashlib.sha256(f"{id} {option.key} {option.text}".encode()).hexdigest()


def _and(letters):
    return " and ".join(filter(None, [", ".join(letters[:-1]), letters[-1:]]))
