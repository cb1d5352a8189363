"""The widget of a question, built from checkboxes and buttons, which the keyboard reaches in JupyterLab.

Before an answer, no trait of any widget holds a reply or says which options are right: that stays in the
kernel, in the question, until the Check button asks for it.
"""

import ast
import html

import ipywidgets as widgets

from rankedu import progress
from rankedu.exercises.verdict import with_code
from rankedu.turns import in_turn

from ._question import Myth, plain, verdict_html

CSS = """<style>
.rankedu-quiz {max-width: 760px; padding: 4px 2px}
.rankedu-quiz .widget-html-content {color: var(--jp-content-font-color1, currentColor); white-space: normal;
  font: 14px/1.5 var(--jp-content-font-family, sans-serif); overflow: visible}
.rankedu-quiz .rq-head {font-size: 12px; opacity: .8}
.rankedu-quiz .rq-prompt {font-weight: 600; margin: 2px 0}
.rankedu-quiz .rq-how {display: inline-block; font-size: 13px; font-weight: 600; padding: 0 7px;
  margin: 3px 0; border-radius: 3px; background: color-mix(in srgb, currentColor 12%, transparent)}
.rankedu-quiz code {white-space: nowrap}
.rankedu-quiz .rq-reply {margin: 0 0 4px 27px; padding-left: 10px; border-left: 3px solid currentColor}
.rankedu-quiz .widget-checkbox {width: 100%; height: auto; min-height: 30px; margin: 0; overflow: visible}
.rankedu-quiz .widget-checkbox label {display: flex; align-items: baseline; gap: 9px; width: 100%;
  height: auto; white-space: normal; font: 14px/1.45 var(--jp-content-font-family, sans-serif);
  color: var(--jp-content-font-color1, currentColor); padding: 4px 0}
.rankedu-quiz .widget-checkbox.widget-checkbox input {flex: none; align-self: flex-start; width: 17px;
  height: 17px; margin: 2px 0 0; font-size: 14px}
.rankedu-quiz .widget-checkbox.widget-checkbox input:focus-visible {outline-offset: 2px;
  outline: 2px solid var(--jp-brand-color1, #1976d2)}
.rq-one .widget-checkbox.widget-checkbox input {appearance: none; box-sizing: border-box; border-radius: 50%;
  border: 1.5px solid var(--jp-content-font-color1, currentColor); background: none}
.rq-one .widget-checkbox.widget-checkbox input:checked {border: 5px solid var(--jp-brand-color1, #1976d2)}
.rankedu-quiz .widget-text {width: 100%; max-width: 560px}
.rankedu-quiz .widget-text .widget-label {text-align: left}
.rankedu-quiz .rq-button {min-width: 110px; margin-top: 6px}
</style>"""


class QuestionBox(widgets.VBox):
    """A question on the page: its options, a Check button, and after the check the replies.

    `.choices` are the checkboxes by letter, `.check` and `.more` the buttons; `.verdict` is the last verdict.
    """

    def __init__(self, question):
        self._question = question
        self.verdict = None
        self._quiet = False
        self.choices = {
            letter: widgets.Checkbox(
                description=f"{letter})  {plain(text)}",
                tooltip=f"Option {letter}",
                indent=False,
                layout=widgets.Layout(width="auto"),
            )
            for letter, text in question.options.items()
        }
        self._replies = {letter: _hidden(widgets.HTML()) for letter in self.choices}
        self._said = widgets.HTML()
        self.check = _button("Check", "primary", f"Check the answer to {question.id}", self._on_check)
        self.more = _hidden(_button("Every reply", "", "Show the reply to every option", self._on_more))
        for letter, box in self.choices.items():
            box.observe(
                in_turn(lambda change, letter=letter: self._on_choice(letter, change["new"])), "value"
            )
        rows = [part for letter in self.choices for part in (self.choices[letter], self._replies[letter])]
        head = widgets.HTML(
            f'{CSS}<div class="rq-head">{html.escape(question.heading)}{_last_time(question)}</div>'
            f'<div class="rq-prompt">{with_code(question.prompt)}</div>'
            f'<div class="rq-how">{question.instruction}</div>'
        )
        parts = [head, *rows, widgets.HBox([self.check, self.more]), self._said]
        if isinstance(question, Myth):
            parts.append(RefuteBox(question))
        super().__init__(parts)
        self.add_class("rankedu-quiz")
        if not question.many:
            self.add_class("rq-one")  # round boxes: a choice takes the last one back

    def __repr__(self):
        return repr(self._question)

    def _repr_mimebundle_(self, **kwargs):
        bundle = super()._repr_mimebundle_(**kwargs)
        data, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
        shown = {"text/plain": repr(self._question), "text/html": self._question._repr_html_()}
        return {**data, **shown}, metadata

    def _on_choice(self, letter, chosen):
        if self._quiet:
            return
        self._clear()
        if chosen and not self._question.many:
            self._quiet = True
            for other, box in self.choices.items():
                box.value = other == letter
            self._quiet = False

    def _on_check(self, _):
        chosen = "".join(letter for letter, box in self.choices.items() if box.value)
        self._clear()
        if not chosen:
            self._said.value = _announced("○ Nothing chosen yet: choose an option, then check.")
            return
        self.verdict = self._question.answer(chosen)
        missing = self.verdict.missing if self._question.many else ""
        self._show_replies({*chosen, *missing})
        self._said.value = _announced(self.verdict.says[0]) + _unsaved()
        _show(self.more)

    def _on_more(self, _):
        self._show_replies(self.choices)

    def _show_replies(self, letters):
        for letter in letters:
            mark = self._question.mark(letter, self.verdict.chosen)
            word = {"✓": "Right", "✗": "Wrong", "○": "Right, not chosen"}[mark]
            reply = with_code(self.verdict.replies[letter])
            self._replies[
                letter
            ].value = f'<div class="rq-reply"><strong>{mark} {word}.</strong> {reply}</div>'
            _show(self._replies[letter])

    def _clear(self):
        self._said.value = ""
        for reply in self._replies.values():
            reply.value = ""
            _hidden(reply)
        _hidden(self.more)


class RefuteBox(widgets.VBox):
    """Where a learner builds lists that refute a misconception: a line of text for each, and a button."""

    def __init__(self, myth):
        self._myth = myth
        self.lists = {
            name: widgets.Text(
                description=name,
                placeholder="[1, 0, 2] or [1] * 9 + [0]",
                tooltip=f"{name}: a list of grades",
                continuous_update=False,
                style={"description_width": "60px"},
                layout=widgets.Layout(width="100%"),
            )
            for name in myth.parameters
        }
        self.check = _button(
            "Check my list", "primary", f"Check what you built for {myth.id}", self._on_check
        )
        self._said = widgets.HTML()
        task = widgets.HTML(f'<div class="rq-prompt">Refute it</div><div>{with_code(myth.task)}</div>')
        super().__init__([task, *self.lists.values(), widgets.HBox([self.check]), self._said])

    def _on_check(self, _):
        try:
            values = {name: read_list(name, box.value) for name, box in self.lists.items()}
            self._said.value = _announced_html(verdict_html(self._myth.refute(**values))) + _unsaved()
        except (ValueError, TypeError) as problem:
            self._said.value = _announced(f"○ {problem}")


def read_list(name, text):
    """The list that a line of text writes: numbers in brackets, with + and * as in Python.

    >>> read_list("grades", "[1] * 2 + [0]"), read_list("grades", "3, 0, 1")
    ([1, 1, 0], [3, 0, 1])
    """
    try:
        value = _value(ast.parse(text.strip(), mode="eval").body)
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
        value = None
    if not isinstance(value, list):
        raise ValueError(f"{name} must be a list of numbers such as [1, 0, 2] or [1] * 9 + [0]; got {text!r}")
    return value


def _value(node):
    match node:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return number
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            return [_value(part) for part in parts]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _value(left) + _value(right)
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            left, right = _value(left), _value(right)
            size = (len(left) if isinstance(left, list) else left) * (
                len(right) if isinstance(right, list) else right
            )
            if size > 10_000:
                raise ValueError("too long")
            return left * right
    raise ValueError("not a list of numbers")


def _button(text, style, tooltip, action):
    button = widgets.Button(
        description=text, button_style=style, tooltip=tooltip, layout=widgets.Layout(width="auto")
    )
    button.add_class("rq-button")
    button.on_click(in_turn(action))
    return button


def _hidden(widget):
    widget.layout.display = "none"
    return widget


def _show(widget):
    widget.layout.display = None


def _announced(text):
    return _announced_html(f"<strong>{with_code(text)}</strong>")


def _announced_html(content):
    # Text that appears in the page is read aloud only where it says that it is an alert.
    return f'<div role="alert">{content}</div>'


def _unsaved():
    trouble = progress.trouble()
    return f'<div class="rq-head">{html.escape(trouble)}</div>' if trouble else ""


def _last_time(question):
    answers = [row for row in progress.records() if row["kind"] == "quiz" and row["id"] == question.id]
    if not answers:
        return ""
    return html.escape(
        f" · last time you chose {answers[-1].get('answer', '?')}: {answers[-1].get('status', '?')}"
    )
