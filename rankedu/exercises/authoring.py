"""What an exercise is, and how one is written.

An exercise is written once, as its solution: a function with a docstring. The stub is the solution without
its body. A *named mistake* is the solution with a few words replaced, as a learner would have written them;
so two mistakes at once are the solution with both replaced, and need no writing:

    @exercise("02/cumulative_gain", title=..., prompt=..., hints=[...], shown=[...], inputs=ranking_and_k)
    def cumulative_gain(grades, k):
        '''Return CG@k ...'''
        return sum(grades[:k])

    cumulative_gain.mistakes(
        ("no-cut", {"grades[:k]": "grades"}, "You add up the whole list: stop after rank k."),
        ...
    )

How a submission is judged by these, `judge` knows; how it is called without harm, `sandbox`.
"""

import ast
import inspect
import random
import textwrap
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

from rankedu import progress
from rankedu.exercises.inputs import size
from rankedu.exercises.judge import judge
from rankedu.exercises.sandbox import call_once
from rankedu.exercises.verdict import Code, Note

DRAWN = 80  # random inputs, both of those that never change and of those the seed decides


class Mistake(NamedTuple):
    """A wrong way to write a solution: `ways` are the sources of the functions that go wrong in this way."""

    id: str
    says: tuple[str, ...]
    ways: tuple[str, ...]


def exercise(id, **facts):
    """Return the decorator that makes an exercise of its solution; see Exercise for the facts."""
    return lambda solution: Exercise(id, solution, **facts)


class Exercise:
    """One exercise: `.prompt` and `.stub` to start from, `.check(f)`, `.hint()`, `.hint(2)`, `.solution()`.

    shown are the inputs that the learner can read about, inputs the kind of all others; `uses` are exercises
    whose solutions this solution calls.
    """

    def __init__(self, id, solution, *, title, prompt, hints, shown, inputs, uses=()):
        self.id, self.title, self.prompt = id, title, prompt
        self.hints, self.shown, self.inputs, self.uses = hints, shown, inputs, uses
        self.name = solution.__name__
        self.parameters = list(inspect.signature(solution).parameters)
        self.written = solution
        self.table = ()

    def mistakes(self, *table):
        """Name the mistakes, in rows of (id, edit or list of edits, what the learner is told).

        An edit maps a piece of the solution's text, which occurs once in it, to what stands there instead.
        Several edits are several ways to make the one mistake.
        """
        self.table = [(id, edits if isinstance(edits, list) else [edits], says) for id, edits, says in table]

    # --- what the learner calls

    def check(self, f, *, seed=0):
        """Return the Verdict on the function f; it does not depend on seed, that of the random inputs."""
        verdict = judge(self, f, seed=seed)
        progress.record("exercise", self.id, status=verdict.status, mistake=verdict.mistake)
        return verdict

    def hint(self, n=1):
        """Return hint n, counted from 1; each says more than the one before."""
        if n not in range(1, len(self.hints) + 1):
            raise ValueError(
                f"n must be a whole number from 1 to {len(self.hints)}, the last hint; got {n!r}"
            )
        progress.record("hint", self.id, number=n)
        more = f" (`hint({n + 1})` says more.)" if n < len(self.hints) else ""
        return Note(self.hints[n - 1] + more)

    def solution(self):
        """Return the solution, as text that runs."""
        progress.record("solution", self.id)
        return Code(self.source)

    def __repr__(self):
        return f"{self.id}  {self.title}\n{textwrap.fill(self.prompt, 100)}"

    def _repr_html_(self):
        return f"<p><strong>{self.title}</strong> <code>{self.id}</code></p>{Note(self.prompt)._repr_html_()}"

    # --- the texts

    @cached_property
    def source(self):
        """The solution's text, after what it imports and uses."""
        return self._after_imports([used.text for used in self.uses] + [self.text])

    @cached_property
    def code(self):
        """The same without docstrings: what mistakes edit."""
        return self._after_imports([without_docstring(made.text) for made in (*self.uses, self)])

    def _after_imports(self, texts):
        functions = "\n\n\n".join(texts)
        imports = "\n".join(imports_for(functions, inspect.getmodule(self.written)))
        return f"{imports}\n\n\n{functions}" if imports else functions

    @cached_property
    def text(self):
        """The solution's own text, without its decorator."""
        lines, _ = inspect.getsourcelines(self.written)
        node = ast.parse("".join(lines)).body[0]
        return "".join(lines[node.lineno - 1 : node.end_lineno]).rstrip()

    @cached_property
    def stub(self):
        """The text that the learner starts from: signature, docstring, and `...` for the body."""
        docstring = ast.parse(self.text).body[0].body[0]
        return "\n".join([*self.text.splitlines()[: docstring.end_lineno], "    ..."])

    # --- the functions

    @cached_property
    def reference(self):
        """The solution as a function."""
        return compiled(self.source, self.name)

    @cached_property
    def named(self):
        """The named mistakes, and after them every two that can be made together."""
        alone = [
            Mistake(id, (says,), tuple(edited(self.code, edit) for edit in edits))
            for id, edits, says in self.table
        ]
        together = [
            Mistake(f"{id}+{other}", (says, says_other), tuple(ways))
            for (id, edits, says), (other, edits_other, says_other) in combinations(self.table, 2)
            if (ways := list(edited_twice(self.code, edits, edits_other)))
        ]
        return alone + together

    # --- the inputs

    @cached_property
    def fixed(self):
        """The inputs every submission meets, smallest first: all small ones, those shown, and larger ones."""
        inputs = {repr(args): args for args in [*self.inputs.small, *self.shown, *self.drawn("always")]}
        return sorted(inputs.values(), key=size)

    def drawn(self, seed):
        rng = random.Random(f"{self.id} {seed}")
        return [self.inputs.draw(rng) for _ in range(DRAWN)]

    @cached_property
    def right(self):
        """What the solution does with each of the fixed inputs."""
        return [call_once(self.reference, args) for args in self.fixed]

    @cached_property
    def wrong(self):
        """Every way of every mistake, as (mistake, function) pairs."""
        return [(mistake, compiled(way, self.name)) for mistake in self.named for way in mistake.ways]


# --- source text -------------------------------------------------------------------------------------


def imports_for(text, module):
    """Yield those import lines of module whose names text uses."""
    used = {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
    for node in ast.parse(inspect.getsource(module)).body:
        if isinstance(node, ast.Import | ast.ImportFrom) and used & {
            name.asname or name.name for name in node.names
        }:
            yield ast.unparse(node)


def without_docstring(text):
    docstring = ast.parse(text).body[0].body[0]
    lines = text.splitlines()
    return "\n".join(lines[: docstring.lineno - 1] + lines[docstring.end_lineno :])


def edited(source, edit):
    """Return source with each piece that the edit names replaced."""
    for old, new in edit.items():
        if source.count(old) != 1:
            raise ValueError(
                f"an edit must name text that occurs once; {old!r} occurs {source.count(old)} times"
            )
        source = source.replace(old, new)
    return source


def edited_twice(source, edits, others):
    """Yield source with one of edits and one of others made, wherever they leave each other's text alone."""
    for edit in edits:
        for other in others:
            try:
                yield edited(edited(source, edit), other)
            except ValueError:
                continue


def compiled(source, name):
    """Return the function called name that source defines."""
    names = {}
    exec(compile(source, f"<{name}>", "exec"), names)
    return names[name]
