"""Judge a submission by what it does: call it, compare it with the solution, and say what went wrong.

Every input is tried, small ones first. A submission that differs from the solution is compared with each
named mistake: the one it agrees with on every fixed input is what the learner is told, beside the smallest
input that shows it. If there is none, the smallest input on which the submission fails is looked for.
"""

import ast
import dis
import inspect
import math
import re
import textwrap
from types import CodeType
from typing import NamedTuple

from rankedu.exercises.inputs import simpler, size
from rankedu.exercises.sandbox import SECONDS_A_CALL, SECONDS_IN_ALL, Foreign, Outcome, Sandbox, a, call_once
from rankedu.exercises.traits import in_common
from rankedu.exercises.verdict import Verdict

TOLERANCE = 1e-6


class Case(NamedTuple):
    """One input, what the solution does with it, and what the submission did."""

    args: tuple
    expected: Outcome
    got: Outcome

    @property
    def passed(self):
        return alike(self.expected, self.got)


def judge(exercise, f, seed=0, isolation=None):
    """Return the Verdict on f; isolation is the sandbox's."""

    def verdict(status, *says, case=None, mistake=None):
        rows = rows_of(exercise.name, case) if case else ()
        return Verdict(exercise.id, status, tuple(filter(None, says)), rows, mistake)

    if inspect.isclass(f):
        return verdict(
            "incorrect", "This is a class, and calling it makes an object. Write a function: `def`."
        )
    if refusal := cannot_be_judged(exercise, f):
        return verdict("error", refusal)
    with Sandbox(f, isolation) as call:
        cases = tried(exercise, call, seed)
        # what is shown comes from the inputs that never change, if any of them fails
        failed = [case for case in cases[: len(exercise.fixed)] if not case.passed]
        failed = failed or [case for case in cases if not case.passed]
        changes = next((what_changed(case) for case in cases if case.got.changed), "")
        if failed and untouched(f, failed):
            return verdict("not attempted", NOT_ATTEMPTED.format(name=exercise.name))
        if failed:
            case = smallest(failed)
            # a sandbox in which a call got stuck or died answers nothing more
            if case.got.kind in ("returned", "raised") and case.args not in exercise.inputs.small:
                case = shrunk(exercise, call, case)
            mistake, *says = diagnosis(exercise, f, cases, case, isolation)
            status = "incorrect" if case.got.kind == "returned" else "error"
            if mistake is None and (trait := trait_of(exercise, cases, case.got.kind)):
                says.append(trait)
            return verdict(status, *says, changes, case=case, mistake=mistake)
        if changes:
            case = next(case for case in cases if case.got.changed)
            return verdict("incorrect", changes, case=case, mistake="changes-input")
        return verdict("correct", CORRECT.format(n=len(cases), tolerance=TOLERANCE))


def tried(exercise, call, seed):
    """Return the cases of every input in turn, up to one that takes too long or ends the process."""
    more = exercise.drawn(seed)
    right = exercise.right + [call_once(exercise.reference, args) for args in more]
    cases = []
    for args, expected in zip(exercise.fixed + more, right, strict=True):
        cases.append(Case(args, expected, call(args)))
        if cases[-1].got.kind in ("stuck", "died"):
            break
    return cases


def smallest(failed):
    """Return the smallest case in the gravest way of failing."""
    gravest = ["stuck", "died", "raised", "returned"]
    return min(failed, key=lambda case: (gravest.index(case.got.kind), size(case.args)))


def shrunk(exercise, call, case, tries=2000):
    """Return a case that fails in the same way and in which nothing can be left out or lowered."""
    for args in simpler(case.args):
        if tries and exercise.inputs.allowed(*args) and size(args) < size(case.args):
            tries -= 1
            less = Case(args, call_once(exercise.reference, args), call(args))
            if not less.passed and less.got.kind == case.got.kind:
                return shrunk(exercise, call, less, tries)
    return case


# --- comparing ---------------------------------------------------------------------------------------


def alike(expected, got):
    """Is got the expected outcome, to the tolerance?"""
    if expected.kind == got.kind == "returned":
        return same(expected.value, got.value)
    if expected.kind == got.kind == "raised":
        # a subclass will do, but not for Exception, of which everything is one
        return expected.error[0] == got.error[0] or expected.error[0] in got.error[1:-1]
    # dividing by zero raises in plain Python and gives nan or inf in numpy: the same mistake
    return expected.error[:1] == ("ZeroDivisionError",) and boundless(got.value)


def same(expected, got):
    """Is got the expected value, to the tolerance? A list or a tuple, that is the same here."""
    if isinstance(expected, int | float):
        if not isinstance(got, int | float):
            return False
        return abs(expected - got) <= TOLERANCE or (boundless(expected) and boundless(got))
    if isinstance(expected, list | tuple):
        return isinstance(got, list | tuple) and len(expected) == len(got) and all(map(same, expected, got))
    return expected == got


def nearly(expected, got):
    """Is got the expected number, to what float32 keeps of it?"""
    return abs(expected - got) <= 4 * TOLERANCE * max(1, abs(expected))


def boundless(value):
    return isinstance(value, float) and not math.isfinite(value)


# --- what to say -------------------------------------------------------------------------------------

CORRECT = "It agrees with the definition on every one of {n} inputs, to {tolerance:g}."
NOT_ATTEMPTED = (
    "Nothing to check yet. Put your code in place of the `...` in `{name}`, run that cell, then this one."
)
CHANGES_INPUT = (
    "It changes the {kind} it is given, and whoever called it still needs that {kind}. Work on a copy: {how}."
)
NO_RETURN = "Your function returns nothing (`None`). Did you forget `return`?"
NO_RETURN_HERE = (
    "On this input your function returns nothing (`None`): it reaches its end without a `return`."
)
PRINTS = "Your function prints the answer and returns nothing (`None`). Put `return` where `print` stands."
ONLY_PRINTS = (
    "Your function prints something and returns nothing (`None`). `print` shows a value on the page; "
    "`return` gives it to whoever called."
)
ALWAYS_THE_SAME = "Your function returns the same for every input. Does it use its arguments?"
SWAPPED = (
    "Your function takes its arguments in another order, `{theirs}`. The exercise gives them as `{ours}`."
)
SINGLE_PRECISION = (
    "You compute in float32, it seems, which keeps about seven digits: the answer is right but for the last "
    "of them. Compute in float64, which is what plain Python and `dtype=float` do."
)
UNDEFINED_BY_NUMPY = (
    "Where nothing is there to divide by, your function returns {value}; in numpy 0 / 0 does that. Ask for "
    "it first, and give the answer that the exercise names."
)
ROUNDED = "Your answer is rounded. Return the number as it is; round only when you show it."
WHOLE = "Your answer is cut to a whole number: `/` keeps the fraction, `//` and `int()` drop it."
PERCENT = "Your answer is a percentage. Return the share itself, between 0 and 1."
KEEPS_STATE = (
    "Called with this input first, your function is right; called after others, it is not. It keeps "
    "something from one call to the next: a global name, or a default such as `found=[]`, which is made "
    "only once."
)
NO_KNOWN_MISTAKE = "This is the smallest input found on which it goes wrong."
STUCK = (
    f"Your function had not come to its end on this input after {SECONDS_A_CALL:g} seconds. "
    "Does its loop stop?"
)
SLOW = (
    f"Your function is too slow: after {SECONDS_IN_ALL:g} seconds it had not done every input, "
    "and all of them are short."
)
DIED = (
    "Your function ended Python itself, as `os._exit()` does, or a recursion deeper than the machine can "
    "bear."
)

RAISES = {
    "SystemExit": "Your function leaves Python (`exit()`). To leave a function, use `return`.",
    "KeyboardInterrupt": "Your function raises `KeyboardInterrupt`, which is for stopping a program from "
    "outside.",
    "RecursionError": "Your function calls itself without end. Which input should it answer without calling "
    "itself?",
    "MemoryError": "Your function asks for more memory than there is.",
    "NotImplementedError": "On this input your function is not written yet: it raises `NotImplementedError`.",
    "EOFError": "Your function asks for input from the keyboard. All it needs comes in its arguments.",
}
IMPORTS = {
    "math": "import math",
    "log2": "from math import log2",
    "np": "import numpy as np",
    "numpy": "import numpy",
    "Counter": "from collections import Counter",
    "defaultdict": "from collections import defaultdict",
}
RETURNS = {
    "a generator": "Your function returns a generator, which computes nothing until someone asks. Use "
    "`return` where it says `yield`; round brackets around a loop, `(x for x in ...)`, make a generator as "
    "well.",
    "a coroutine": "`async def` makes a coroutine, which does not run when it is called. Write `def`.",
    "an async generator": "`async def` and `yield` make a generator that does not run when it is called. "
    "Write `def` and `return`.",
}


def cannot_be_judged(exercise, f):
    """Return why f cannot be called with the exercise's arguments, or None."""
    if not callable(f):
        return (
            f"`check` needs the function itself, without brackets: `check({exercise.name})`. This is "
            f"{a(type(f).__name__)}{in_brief(f)}."
        )
    try:
        inspect.signature(f).bind(*exercise.parameters)
    except ValueError:  # some built-in functions tell nothing about their arguments
        return None
    except TypeError as error:
        wanted = ", ".join(exercise.parameters)
        count = "one argument" if len(exercise.parameters) == 1 else f"{len(exercise.parameters)} arguments"
        kinds = inspect.signature(f).parameters
        why = str(error)
        named = [
            f"`{x}`" for x in exercise.parameters if x in kinds and kinds[x].kind is kinds[x].KEYWORD_ONLY
        ]
        if named:
            why = f"what follows `*` must be called by name. Take {' and '.join(named)} without the `*`"
        return f"Your function must take {count}, `{wanted}`, and it cannot: {why}."
    return None


def in_brief(value):
    """Return ": " and the first of what value shows itself as, or "" where it does not show itself."""
    try:
        return f": {repr(value)[:60]}"
    except Exception:
        return ""


def untouched(f, failed):
    """Is f still the stub? By what it does, or, where it does nothing, by there being nothing in it."""
    if all("NotImplementedError" in case.got.error for case in failed):
        return True
    if not all(case.got.value in (None, ...) and case.got.kind == "returned" for case in failed):
        return False
    code = getattr(f, "__code__", None)
    steps = {step.opname for step in dis.get_instructions(code)} if code else {"unknown"}
    return steps <= {"RESUME", "NOP", "LOAD_CONST", "RETURN_VALUE", "RETURN_CONST"}


def diagnosis(exercise, f, cases, case, isolation):
    """Return (id of the mistake or None, sentence, ...) for a submission that fails, at the worst in case."""
    got = case.got
    if got.kind in ("stuck", "died"):
        return None, DIED if got.kind == "died" else SLOW if got.text == "slow" else STUCK
    if all(c.got.kind == "returned" and c.got.value is None for c in cases):
        if not any(c.got.printed.strip() for c in cases):
            return "no-return", in_place_in_words(f) or NO_RETURN
        return "prints-instead", PRINTS if prints_the_answer(cases) else ONLY_PRINTS
    numbers = all(isinstance(x.value, int | float) for c in cases for x in (c.expected, c.got))
    if theirs := swapped(exercise, f):
        return "arguments-swapped", SWAPPED.format(theirs=theirs, ours=", ".join(exercise.parameters))
    cut = numbers and all(same(int(c.expected.value), c.got.value) for c in cases)
    if cut and cuts_to_whole(getattr(f, "__code__", None)):
        return "whole-numbers", WHOLE  # before others that happen to give the same
    if numbers and not boundless(got.value) and all(c.got.value == got.value for c in cases):
        return "always-the-same", ALWAYS_THE_SAME
    if named := recognised(exercise, cases):
        says = [said(id, says, got) for id, says in zip(named.id.split("+"), named.says, strict=True)]
        return named.id, *(says if len(says) == 1 else ["Two things at once.", *says])
    if numbers:
        if any(all(same(round(c.expected.value, n), c.got.value) for c in cases) for n in range(1, 6)):
            return "rounded", ROUNDED
        if cut:
            return "whole-numbers", WHOLE
        if all(same(100 * c.expected.value, c.got.value) for c in cases):
            return "percent", PERCENT
        if all(nearly(c.expected.value, c.got.value) for c in cases):
            return "single-precision", SINGLE_PRECISION
    if isolation is None:
        with Sandbox(f) as afresh:
            if alike(case.expected, afresh(case.args)):
                return "keeps-state", KEEPS_STATE
    if got.kind == "raised":
        return None, exception_in_words(exercise, f, got)
    if got.value is None:
        return "path-without-return", NO_RETURN_HERE
    if type(got.value) is not type(case.expected.value) and (what := not_asked_for(case)):
        return None, what
    return None, NO_KNOWN_MISTAKE


def said(id, says, got):
    """Return the sentence of a mistake; division by zero shows as nan or inf where numpy divides."""
    if id == "zero-by-zero" and got.kind == "returned" and boundless(got.value):
        return UNDEFINED_BY_NUMPY.format(value=f"`{got.value}`")
    return says


def swapped(exercise, f):
    """Return f's parameters, if they are the exercise's in another order, as text; else None."""
    try:
        theirs = list(inspect.signature(f).parameters)
    except (TypeError, ValueError):
        return None
    same_names = sorted(theirs) == sorted(exercise.parameters)
    return ", ".join(theirs) if same_names and theirs != exercise.parameters else None


def cuts_to_whole(code):
    """Is there a `//` or an `int(...)` in the code, or in a function within it?"""
    if not isinstance(code, CodeType):
        return False
    steps = {step.argrepr for step in dis.get_instructions(code) if step.opname == "BINARY_OP"}
    return bool(steps & {"//", "//="}) or "int" in code.co_names or any(map(cuts_to_whole, code.co_consts))


def what_changed(case):
    """Return in words that the submission changes what it is given, and what to do instead."""
    if any(isinstance(arg, dict) for arg in case.args):
        return CHANGES_INPUT.format(kind="dict", how="`dict(x)` makes one")
    try:
        after = ast.literal_eval(f"({case.got.changed},)")
    except (SyntaxError, ValueError):  # cut off, or not to be shown
        after = None
    how = "`list(x)` makes one. Or put your results into a new list"
    if in_any_order(after) == in_any_order(case.args):
        how = "`sorted(x)` makes one, `x.sort()` does not"
    return CHANGES_INPUT.format(kind="list", how=how)


def in_any_order(value):
    """Return value with every list in it sorted."""
    if not isinstance(value, list | tuple):
        return value
    items = [in_any_order(item) for item in value]
    return sorted(items, key=repr) if isinstance(value, list) else items


def exception_in_words(exercise, f, got):
    if "NoneType" in got.text and (says := in_place_in_words(f)):
        return says
    for name in got.error:
        if name in RAISES:
            return RAISES[name]
    for missing, line in IMPORTS.items():
        if got.error[0] == "NameError" and f"'{missing}'" in got.text:
            return (
                f"Your function uses `{missing}`, which this notebook does not have yet: run `{line}` first."
            )
    missing = re.search(r"'(\w+)'", got.text)
    if got.error[0] == "NameError" and missing:
        if missing[1] in {exercise.name, *(used.name for used in exercise.uses)}:
            return f"`{missing[1]}` is not defined here: run the cell in which you wrote it."
        return f"`{missing[1]}` is not defined here. Is it spelt as where you made it, and was that cell run?"
    if got.error[0] == "UnboundLocalError" and missing:
        return f"`{missing[1]}` is read before it has a value. Give it one above the loop."
    return "Your function raises an exception on this input."


def in_place_in_words(f):
    """Return what is wrong with keeping the result of such as `x.sort()`, if f does, or None."""
    if not (method := kept_from_in_place(f)):
        return None
    better = "Use `sorted(x, reverse=True)`." if method == "sort" else "Write it on a line of its own."
    return f"`x.{method}()` returns None, for it changes `x` itself. {better}"


IN_PLACE = ("sort", "reverse", "append", "extend", "insert", "update")


def kept_from_in_place(f):
    """Return the method that changes a list in place and whose result, None, f keeps; or None."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(f)))
    except (OSError, TypeError, SyntaxError):  # no source, or part of a line
        return None
    alone = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and id(node) not in alone]
    return next((c.func.attr for c in calls if getattr(c.func, "attr", "") in IN_PLACE), None)


def recognised(exercise, cases):
    """Return the first mistake that does what the submission did with every fixed input, or None."""
    # those that failed first, for they tell most mistakes apart at once
    fixed = sorted(cases[: len(exercise.fixed)], key=lambda case: case.passed)
    if fixed[0].passed:
        return None
    # two edits that do not go together make a program that Python refuses, which is nobody's mistake
    refused = any(
        case.got.error[:1] in (("TypeError",), ("AttributeError",), ("NameError",)) for case in fixed
    )
    for mistake, wrong in exercise.wrong:
        if refused and "+" in mistake.id:
            break
        if all(alike(call_once(wrong, case.args), case.got) for case in fixed):
            return mistake
    return None


def trait_of(exercise, cases, kind):
    """Return what marks the fixed inputs on which it fails in that kind, in a sentence, or None."""
    if kind not in ("returned", "raised"):
        return None
    fixed = cases[: len(exercise.fixed)]
    failed = [case for case in fixed if not case.passed and case.got.kind == kind]
    others = [case for case in fixed if case.passed or case.got.kind != kind]
    happens = "goes wrong" if kind == "returned" else "raises an exception"
    if kind == "raised" and any(case.got.kind == kind for case in others):
        # an exception is the answer to some inputs: it fails where it raises the wrong one
        if not all(case.passed for case in others):
            return None
        happens = "goes wrong"
    if not failed or not others:
        return None
    words = in_common(exercise.parameters, [case.args for case in failed], [case.args for case in others])
    return words and f"It {happens} whenever {words}, and only then."


def prints_the_answer(cases):
    def prints(case):
        try:
            return same(case.expected.value, float(case.got.printed))
        except ValueError:
            return False

    return all(map(prints, cases))


def not_asked_for(case):
    """Return what is wrong with the kind of thing that was returned, or None."""
    value = case.got.value
    if isinstance(case.expected.value, int | float):
        wanted = "one number"
        fits = isinstance(value, int | float)
    elif isinstance(case.expected.value, list | tuple):
        wanted = (
            "a list"
            if isinstance(case.expected.value, list)
            else f"{len(case.expected.value)} values, `(a, b)`"
        )
        fits = isinstance(value, list | tuple)
    else:
        return None
    if fits:
        return None
    if isinstance(value, Foreign) and value.what.startswith("a whole number"):
        return f"Your function returns {value.what}, which no answer here comes near."
    name = type(value).__name__
    what = {"str": "text", "Array": "a numpy array"}.get(name, a(name))
    what = value.what if isinstance(value, Foreign) else what
    return RETURNS.get(what, f"Your function returns {what}; the answer is {wanted}.")


def rows_of(name, case):
    """Return the case as (name, value) pairs of text."""
    expected, got = text_of(case.expected), text_of(case.got)
    if expected == got and not case.passed:
        expected, got = repr(case.expected.value), repr(case.got.value)
    rows = [("input", f"{name}({', '.join(map(repr, case.args))})"), ("expected", expected)]
    rows += [("got", got)] if got else []
    rows += [("afterwards", case.got.changed)] if case.got.changed else []
    rows += [("printed", case.got.printed.rstrip())] if case.got.printed.strip() else []
    return tuple(rows)


def text_of(outcome):
    if outcome.kind == "raised":
        what = outcome.error[0] + (f": {outcome.text}" if outcome.text else "")
        return what + (f"\n{outcome.line}" if outcome.line else "")
    return value_text(outcome.value) if outcome.kind == "returned" else ""


def value_text(value):
    if isinstance(value, Foreign):
        return value.what
    if isinstance(value, float):
        return repr(round(value, 6))
    if isinstance(value, list | tuple):
        items = ", ".join(map(value_text, value))
        return f"[{items}]" if isinstance(value, list) else f"({items}{',' * (len(value) == 1)})"
    return repr(value)
