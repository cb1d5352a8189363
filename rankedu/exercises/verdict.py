"""What a learner sees: verdicts, hints and solutions, as plain text and, in a notebook, on light or dark."""

import html
import re
from dataclasses import dataclass

# A word and a shape for each, so that nothing hangs on colour
SHAPES = {"correct": "✓", "incorrect": "✗", "error": "▲", "not attempted": "○"}
# In the middle of the scale, to be told apart on white and on black
COLOURS = {"correct": "#2e9e5b", "incorrect": "#d9662c", "error": "#b658c4", "not attempted": "#7d8590"}


@dataclass(frozen=True)
class Verdict:
    """The answer to a submission; true if, and only if, the submission is correct.

    status is "correct", "incorrect", "error" (it raised, or ran too long) or "not attempted"; mistake is the
    id of the mistake that was recognised, two joined by "+" if there were two, or None; message is all that
    was said, as text. says and shows are the parts of the message: sentences, and (name, value) pairs.
    """

    exercise: str
    status: str
    says: tuple[str, ...]
    shows: tuple[tuple[str, str], ...] = ()
    mistake: str | None = None

    @property
    def message(self):
        width = max((len(name) for name, _ in self.shows), default=0)
        indent = " " * (width + 6)
        rows = [
            f"    {name:<{width}}  {value}".replace("\n", "\n" + indent).rstrip()
            for name, value in self.shows
        ]
        return "\n".join([*self.says, *rows])

    def __bool__(self):
        return self.status == "correct"

    def __str__(self):
        return f"{SHAPES[self.status]} {self.exercise}: {self.status}\n{self.message}"

    __repr__ = __str__

    def _repr_html_(self):
        rows = "".join(
            f'<tr><th scope="row" style="text-align:left;font-weight:normal;opacity:.75;padding:2px 1.2em '
            f"2px 0;"
            f'vertical-align:top">{html.escape(name)}</th>'
            f'<td style="text-align:left;padding:2px 0"><code '
            f'style="display:block;background:none;white-space:pre-wrap">'
            f"{html.escape(value)}</code></td></tr>"
            for name, value in self.shows
        )
        table = f'<table style="margin:.4em 0 0;border:none">{rows}</table>' if rows else ""
        paragraphs = "".join(f'<p style="margin:.35em 0 0">{with_code(line)}</p>' for line in self.says)
        colour = COLOURS[self.status]
        return (
            f'<div style="border-left:5px solid {colour};padding:.3em 0 .3em 1em;max-width:46em">'
            f'<div><span aria-hidden="true" '
            f'style="color:{colour};font-weight:bold">{SHAPES[self.status]}</span> '
            f"<strong>{self.status.capitalize()}</strong> "
            f'<span style="opacity:.7">{html.escape(self.exercise)}</span></div>{paragraphs}{table}</div>'
        )


class Note(str):
    """Text that a notebook shows as prose; elsewhere it is text."""

    __slots__ = ()

    def __repr__(self):
        return str(self)

    def _repr_html_(self):
        return f'<p style="max-width:46em">{with_code(self)}</p>'


class Code(str):
    """Source text that a notebook shows as such; elsewhere it is text."""

    __slots__ = ()

    def __repr__(self):
        return str(self)

    def _repr_markdown_(self):
        return f"```python\n{self}\n```"


def with_code(text):
    """Return text as HTML, with what stands between backticks as code.

    >>> with_code("a < b: `x[:k]`")
    'a &lt; b: <code>x[:k]</code>'
    """
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text, quote=False))
