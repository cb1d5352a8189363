"""The capstone: two runs arrive, one of them is spoiled, and somebody has to decide which system to take.

Six steps, each checked: find the faults of the file, mend it, choose a measure for each situation before
looking at a number, compare the runs, write down two decisions, and put one of them into words. A `Step` is
an exercise whose answer is a value in place of a function. What is right is computed from the data set when
it is asked for; nothing here repeats a number of it, but the solutions, which are checked like any answer.
"""

import math
import re
import textwrap
from collections.abc import Callable
from functools import cache
from numbers import Real
from typing import NamedTuple

from rankedu import data, progress, trec
from rankedu.exercises.authoring import Exercise, exercise
from rankedu.exercises.inputs import Inputs
from rankedu.exercises.verdict import SHAPES, Verdict

TASK = "stdlib_search"
SPOILED = "fielded_export.run"
RUNS = ("fielded", "expanded")
SITUATIONS = {"assistant": "R@30", "page": "nDCG@10"}
ALPHA = 0.05
THREE_DECIMALS = 0.00051  # how far a mean may be off that was rounded to three


class Step(Exercise):
    """An exercise whose answer is a value: `.stub` is the cell that it is written in, `judge` what checks it.

    judge : value -> (status, sentences, what is shown, mistake)
    """

    def __init__(self, id, *, name, title, prompt, hints, stub, solution, judge):
        self.id, self.name, self.title, self.prompt, self.hints = id, name, title, prompt, hints
        self.stub, self.source = textwrap.dedent(stub).strip(), textwrap.dedent(solution).strip()
        self.judge = judge

    def check(self, value=...):
        """Return the Verdict on the value."""
        answer = self.judge(value)
        verdict = Verdict(self.id, answer.status, answer.says, answer.shows, answer.mistake)
        progress.record("exercise", self.id, status=verdict.status, mistake=verdict.mistake)
        return verdict


class Answer(NamedTuple):
    """A verdict without the id of its exercise."""

    status: str
    says: tuple[str, ...]
    shows: tuple[tuple[str, str], ...] = ()
    mistake: str | None = None


class Wrong(NamedTuple):
    """What is wrong with one field: the mistake's id, and what the learner is told."""

    mistake: str
    says: str


# --- what is right, from the data --------------------------------------------------------------------


class Facts(NamedTuple):
    """The runs of the capstone, evaluated and compared under the two measures."""

    comparison: trec.Comparison
    respelled: dict[str, str]  # {id in the spoiled file: the id it should be}, where they differ
    copies: list[tuple[str, str]]  # (query, document) of every row that is one too many, in the file's words
    near_misses: int  # ids of the spoiled file that would match a judged one but for their spelling
    unmended: trec.Result  # the spoiled file with its copies taken out and its ids left alone


@cache
def facts():
    task = data.load(TASK)
    run = task.run(SPOILED.removesuffix(".run"))
    names = {name.lower(): name for name in task.path("collection.txt").read_text("utf-8").split()}
    rows = list(zip((run.query_ids[i] for i in run.query_index), run.doc_ids, strict=True))
    copies = [row for i, row in enumerate(rows) if row in rows[:i]]
    measures = list(SITUATIONS.values())
    a, b = (trec.evaluate(task.qrels, task.run(name), measures) for name in RUNS)
    found = {finding.kind: finding.count for finding in trec.diagnose(task.qrels, run)}
    return Facts(
        comparison=trec.compare(a, b),
        respelled={doc: names[doc] for _, doc in rows if names[doc] != doc},
        copies=copies,
        near_misses=found["document-ids-differ"],
        unmended=trec.evaluate(task.qrels, run.to_dict(), measures),
    )


# --- judging what is filled in -----------------------------------------------------------------------


def form(*names):
    """Return the decorator that makes a judge of a dictionary with these names of `field -> Wrong or None`.

    The decorated function takes the filled dictionary and yields (name, Wrong or None), in the order in which
    they are told.
    """

    def decorate(fields):
        def judge(value):
            if value is ... or value is None:
                return untouched()
            if not isinstance(value, dict):
                return Answer("error", (f"This step is a dictionary; got {shown(value)}.",))
            if odd := [*(n for n in names if n not in value), *(n for n in value if n not in names)]:
                return Answer(
                    "error",
                    (
                        f"The dictionary has the entries {listed(names)}. Look at {shown(odd[0])}: "
                        "it is missing, or it is one too many.",
                    ),
                )
            empty = [name for name in names if value[name] is ... or value[name] is None]
            if len(empty) == len(names):
                return untouched()
            filled = {name: each for name, each in value.items() if name not in empty}
            verdicts = {name: wrong for name, wrong in fields(filled) if name in filled}
            for name, wrong in verdicts.items():
                if wrong:
                    return Answer("incorrect", (wrong.says,), ((name, shown(value[name])),), wrong.mistake)
            if empty:
                return Answer(
                    "not attempted",
                    (f"What is there is right. Still to be filled in: {listed(empty)}.",),
                )
            return Answer("correct", (f"All {len(names)} entries are right.",))

        return judge

    return decorate


def untouched():
    return Answer(
        "not attempted", ("Nothing to check yet. Fill in the `...`, run that cell, then this one.",)
    )


def listed(names):
    return ", ".join(f"`{name}`" for name in names)


def shown(value):
    try:
        return textwrap.shorten(repr(value), 80)
    except Exception:
        return f"a {type(value).__name__}"


def is_number(value):
    return isinstance(value, Real) and not isinstance(value, bool) and math.isfinite(value)


def near(value, right, tolerance=THREE_DECIMALS):
    return is_number(value) and abs(value - right) <= tolerance


def word(value):
    return value.strip().lower() if isinstance(value, str) else None


def pair(value):
    """The value as a pair of texts, or None."""
    if isinstance(value, list | tuple) and len(value) == 2 and all(isinstance(v, str) for v in value):
        return tuple(value)
    return None


# --- 1. the faults -----------------------------------------------------------------------------------


@form("file", "copies", "copy", "ids", "pair")
def judge_faults(given):
    yield "file", wrong_file(given.get("file"))
    yield "copies", wrong_copies(given.get("copies"))
    yield "copy", wrong_copy(given.get("copy"))
    yield "ids", wrong_ids(given.get("ids"))
    yield "pair", wrong_pair(given.get("pair"))


def wrong_file(value):
    name = str(word(value)).removesuffix(".run")
    if name == SPOILED.removesuffix(".run"):
        return None
    if name == "expanded":
        return Wrong(
            "wrong-file",
            "The diagnosis of `expanded.run` has no error, and its ids match. Look at the other one.",
        )
    return Wrong(
        "wrong-file", f"It is one of the two files that you were given: `{SPOILED}`, `expanded.run`."
    )


def wrong_copies(value):
    right = len(facts().copies)
    if not is_number(value):
        return Wrong("no-number", "How many rows repeat a document of the same query? One whole number.")
    if value == right:
        return None
    if value == right - 1:
        return Wrong(
            "one-forgotten",
            "`evaluate` names one of them and counts those that come on top. Count the one it names as well.",
        )
    if value == 2 * right:
        return Wrong(
            "both-counted",
            "That counts each document and its copy. Of two equal rows, one repeats the other.",
        )
    if value == facts().near_misses:
        return Wrong("ids-counted", "That many ids are spelled in another way; this asks for the copies.")
    if value == len({query for query, _ in facts().copies}):
        return Wrong("queries-counted", "That many queries have a copy; some have two. Count the rows.")
    return Wrong("wrong-number", "Look at the line of the diagnosis that begins with `error`.")


def wrong_copy(value):
    both = pair(value)
    if both is None:
        return Wrong("no-pair", 'Two texts: the query and the document, as in `("q05", "csv.reader")`.')
    if both in facts().copies:
        return None
    if both[::-1] in facts().copies:
        return Wrong("turned-round", "The query comes first, then the document.")
    if (both[0], both[1].lower()) in facts().copies:
        return Wrong("not-as-written", "Write the document as the file does.")
    return Wrong("no-copy", "In the file this document stands once in this query, or not at all.")


def wrong_ids(value):
    if word(value) == "case":
        return None
    return Wrong(
        "wrong-difference",
        'Put an id of the file beside the one that was judged. `"case"`: small letters and capitals. '
        '`"padding"`: spaces or leading zeros. `"type"`: 12 and 12.0.',
    )


def wrong_pair(value):
    both = pair(value)
    if both is None:
        return Wrong("no-pair", "Two texts: the id in the file, and the id that it should be.")
    mine, theirs = both
    if facts().respelled.get(mine) == theirs:
        return None
    if facts().respelled.get(theirs) == mine:
        return Wrong("turned-round", "The id of the file comes first, then the one it should be.")
    if mine == theirs:
        return Wrong("same", "These two are the same. Take an id that has capitals in the judgments.")
    if mine in facts().respelled:
        return Wrong("misspelled", "That id is in the file; this is not what it should be.")
    return Wrong("not-in-the-file", "The first is no id of the file that differs from its proper spelling.")


faults = Step(
    "capstone/faults",
    name="faults",
    title="Find what is wrong",
    prompt="Fill in `faults`: which of the two files is not sound, and two things that are wrong with it.",
    hints=[
        "`trec.diagnose(task.qrels, task.path(...))` takes either file. Read the lines marked `error` and "
        "`warning`, and their examples.",
        "A query without an answer is no fault of a file: both runs lack `q18`, as no ranker knows its word. "
        "What does only one of the files have?",
    ],
    stub="""
        faults = {
            "file": ...,  # the name of the file that is not sound
            "copies": ...,  # how many rows repeat a document of a query
            "copy": ...,  # one of these, as (query, document)
            "ids": ...,  # how ids differ: "case", "padding" or "type"
            "pair": ...,  # one such id: (in the file, as judged)
        }
    """,
    solution="""
        faults = {
            "file": "fielded_export.run",
            "copies": 56,
            "copy": ("q01", "csv.dictreader"),
            "ids": "case",
            "pair": ("argparse.argumentparser", "argparse.ArgumentParser"),
        }
    """,
    judge=judge_faults,
)


# --- 2. mend it --------------------------------------------------------------------------------------

PROPER = ["A.b", "c", "D"]
SPELLED = ("a.b", "A.b", "c", "d", "x", "X")


def _draw_records(rng):
    queries, spelled = ("q1", "q2", "q3"), (*SPELLED, "C", "a.B", "y")
    records = [
        (rng.choice(queries), rng.choice(spelled), rng.randint(1, 8) / 8) for _ in range(rng.randint(1, 12))
    ]
    return records, rng.sample(PROPER, len(PROPER))


records_and_names = Inputs(
    small=[
        ([(query, document, score)], PROPER)
        for query in ("q1", "q2")
        for document in SPELLED
        for score in (0.5, 0.25)
    ]
    + [
        ([("q1", first, 0.5), (query, second, score)], PROPER)
        for first in SPELLED
        for second in SPELLED
        for query in ("q1", "q2")
        for score in (0.5, 0.25)
    ],
    draw=_draw_records,
    allowed=lambda records, names: (
        len(records) > 0 and len({name.lower() for name in names}) == len(names) > 0
    ),
)


@exercise(
    "capstone/mended",
    title="Mend it",
    prompt=(
        "Write `mended(records, names)`: the records in their order, each document as `names` spells it, and "
        "each document once a query: the first row stays. A document that `names` does not have stays as it "
        "is. `records` is a list of `(query, document, score)`; no two names differ by capitals alone."
    ),
    hints=[
        "Make a dictionary from each name in small letters to the name, and look every document up in it.",
        "First the spelling, then the copies: two spellings of one document are copies. Keep a set of the "
        "`(query, document)` pairs that you have had.",
    ],
    shown=[
        ([("q1", "csv.dictreader", 0.9), ("q1", "csv.dictreader", 0.9)], ["csv", "csv.DictReader"]),
        ([("q1", "csv", 0.9), ("q2", "csv", 0.8)], ["csv", "csv.DictReader"]),
    ],
    inputs=records_and_names,
)
def mended(records, names):
    """Return the records, well spelled and each once a query.

    >>> mended([("q", "io.stringio", 0.5)] * 2, ["io.StringIO"])
    [('q', 'io.StringIO', 0.5)]
    """
    proper = {name.lower(): name for name in names}
    seen, kept = set(), []
    for query, document, score in records:
        document = proper.get(document.lower(), document)
        if (query, document) not in seen:
            seen.add((query, document))
            kept.append((query, document, score))
    return kept


_LOOK_UP = "proper.get(document.lower(), document)"
_NEW = "if (query, document) not in seen:"

mended.mistakes(
    ("copies-stay", {_NEW: "if True:"}, "The ids are right, and every copy is still there."),
    (
        "once-in-all",
        {_NEW: "if document not in seen:", "seen.add((query, document))": "seen.add(document)"},
        "A document that two queries return is no copy: it may stand once in each of them.",
    ),
    (
        "copy-with-another-score",
        {
            _NEW: "if (query, document, score) not in seen:",
            "seen.add((query, document))": "seen.add((query, document, score))",
        },
        "A copy may have another score. Query and document make it a copy, whatever the score.",
    ),
    (
        "last-row-stays",
        [
            {"in records:": "in reversed(records):", "return kept": "return kept[::-1]"},
            {
                "seen, kept = set(), []": "kept = {}",
                f"        {_NEW}\n": "",
                "            seen.add((query, document))\n": "",
                "            kept.append((query, document, score))": (
                    "        kept[query, document] = (query, document, score)"
                ),
                "return kept": "return list(kept.values())",
            },
        ],
        "Of two copies the first row stays, with its score; here it is the last.",
    ),
    ("ids-stay", {_LOOK_UP: "document"}, "The copies are gone, and the ids are as they were."),
    (
        "small-letters",
        {_LOOK_UP: "document.lower()"},
        "The judgments have capitals, so small letters match no better. Spell each id as `names` does.",
    ),
    (
        "found-only-in-small-letters",
        {_LOOK_UP: "proper.get(document, document)"},
        "An id of the file may have capitals in other places than the name. Look it up in small letters.",
    ),
    (
        "unknown-dropped",
        {_NEW: "if document in names and (query, document) not in seen:"},
        "That drops the documents that `names` does not have. They hold a rank: leave them as they are.",
    ),
    (
        "unknown-raises",
        {_LOOK_UP: "proper[document.lower()]"},
        "A document that `names` does not have is no reason to stop: leave it as it is.",
    ),
    (
        "copies-before-spelling",
        {
            f"        document = {_LOOK_UP}\n": "",
            "kept.append((query, document, score))": f"kept.append((query, {_LOOK_UP}, score))",
        },
        "You look for copies before the ids are mended, so two spellings of one document both stay.",
    ),
    ("sorted", {"return kept": "return sorted(kept)"}, "Leave the rows in the order in which they came."),
)


# --- 3. a measure for each situation -----------------------------------------------------------------

OTHER_MEASURES = {
    "assistant": {
        "P": "Precision asks how much of the 30 is relevant. The model can skip the rest; what it never "
        "gets it cannot use. How much of all that is relevant arrives?",
        "Success": "That is content with one relevant document. The answer is put together from several.",
        "nDCG": "That weighs the order. The model reads all 30 in whatever order they come.",
        "AP": "That rewards relevant documents for standing early. The model reads all 30 in whatever order.",
        "RR": "That looks at the first relevant document alone. The answer is put together from several.",
        "R": "Recall it is. How many documents reach the model? And what counts as relevant here?",
        "F1": "Its other half is precision, and the model can skip what is not relevant.",
    },
    "page": {
        "P": "That counts a perfect answer and a passable one alike, at any of the ten ranks.",
        "Success": "That asks if there is anything at all. Here it matters where, and how good it is.",
        "R": "Nobody reads beyond the ten, and the order of the ten matters.",
        "AP": "That has no place for grades: relevant or not. The judgments say how good a result is.",
        "RR": "That looks at the first relevant result, however good it is, and at no other.",
        "F1": "That sees neither order nor grades.",
        "nDCG": "NDCG it is. How many results does the page show? And the gain is the grade itself.",
        "DCG": "Its sum is larger where there is more to find. Divide by the best order of each query.",
    },
}


@form(*SITUATIONS)
def judge_measures(given):
    for situation, value in given.items():
        yield situation, wrong_measure(situation, value)


def wrong_measure(situation, value):
    right = trec.parse_measure(SITUATIONS[situation])
    try:
        measure = trec.parse_measure(value)
    except (TypeError, ValueError) as error:
        end = "" if str(error).endswith("?") else "."
        return Wrong("no-measure", f"As `evaluate` writes it, such as `P@5`: {error}{end}")
    if measure == right or str(measure) == str(right):
        return None
    kind = re.match(r"[A-Za-z]+\d?", str(measure)).group()
    says = OTHER_MEASURES[situation].get(kind, "That does not measure what the situation asks for.")
    return Wrong(f"{situation}-{kind}", says)


measures = Step(
    "capstone/measures",
    name="measures",
    title="Choose before you look",
    prompt=(
        "Fill in `measures`: for each of the two situations the one measure that decides, named in full as "
        "`trec.evaluate` takes it."
    ),
    hints=[
        "The three questions of lesson 09: how fine are the labels, how many answers does the user need, how "
        "much does the position matter?",
        "One of them asks how much of all that is relevant is among the first 30. The other asks how good "
        "the first ten are, the first more than the tenth, with grades from 0 to 3.",
    ],
    stub="""
        measures = {
            "assistant": ...,  # 30 documents go to a language model
            "page": ...,  # ten results, read from the top
        }
    """,
    solution="""
        measures = {
            "assistant": "R@30",
            "page": "nDCG@10",
        }
    """,
    judge=judge_measures,
)


# --- 4. compare --------------------------------------------------------------------------------------


def judge_comparison(value):
    if value is ... or value is None:
        return untouched()
    if isinstance(value, trec.Result):
        return Answer(
            "error",
            ("This is the result of one run. `trec.compare(a, b)` takes two: `fielded`, `expanded`.",),
        )
    if not isinstance(value, trec.Comparison):
        return Answer("error", (f"`check` needs what `trec.compare` gives; got {shown(value)}.",))
    if wrong := wrong_comparison(value):
        return Answer("incorrect", (wrong.says,), mistake=wrong.mistake)
    return Answer("correct", ("Both runs under both measures, on the same judgments and conventions.",))


def wrong_comparison(value):
    right = facts().comparison
    wanted = list(SITUATIONS.values())
    absent = [name for name in wanted if name not in value.measures]
    if absent:
        return Wrong("measure-absent", f"`{absent[0]}` is not among the measures that you compared.")
    if len(value.measures) > len(wanted):
        return Wrong(
            "more-measures",
            "You compared more than the two measures that decide. Each one more is one more chance to find a "
            "difference where there is none, and Holm's correction makes you pay for it.",
        )
    if value.a.ties != right.a.ties:
        return Wrong(
            "ties",
            f"Equal scores: you took ties={value.a.ties!r}, and the runs are compared under the default, "
            "by document id.",
        )
    if value.a.n_queries != right.a.n_queries:
        return Wrong("queries", "Evaluate on all the judgments of the task, `task.qrels`.")
    given, expected = ([scores(r) for r in (c.a, c.b)] for c in (value, right))
    if given == expected:
        return None
    if given == expected[::-1]:
        return Wrong("swapped", "A difference is b minus a. Put `fielded` first and `expanded` second.")
    if scores(facts().unmended) in given:
        return Wrong(
            "ids-not-mended",
            "The copies are gone, and the ids do not match yet: nothing with a capital counts as judged. Use "
            "your `mended`.",
        )
    if given[0] == given[1]:
        return Wrong("same-run", "These are two evaluations of one run.")
    side = "fielded" if given[1] == expected[1] else "expanded"
    return Wrong(f"other-{side}", f"The values of `{side}` are not those of its run. Which file was read?")


def scores(result):
    """Every query's values, rounded so that the order of a sum does not matter."""
    return {
        name: {query: round(value, 9) for query, value in result.per_query[name].items()}
        for name in SITUATIONS.values()
    }


comparison = Step(
    "capstone/comparison",
    name="comparison",
    title="Compare them",
    prompt=(
        "Make `comparison`: evaluate the mended `fielded` and `expanded.run` under your two measures and "
        "compare them with `trec.compare`, `fielded` first."
    ),
    hints=[
        "`trec.evaluate(task.qrels, clean, [...])` for the one, `task.path(...)` in place of `clean` for the "
        "other; then `trec.compare(a, b)`.",
        "Both need the same list of measures: `list(measures.values())`.",
    ],
    stub="""
        comparison = ...
    """,
    solution="""
        chosen = list(measures.values())
        fielded = trec.evaluate(task.qrels, clean, chosen)
        expanded = trec.evaluate(task.qrels, task.path("expanded.run"), chosen)
        comparison = trec.compare(fielded, expanded)
        comparison
    """,
    judge=judge_comparison,
)


# --- 5. two decisions --------------------------------------------------------------------------------


def decision_for(situation):
    """Return the judge of the decision for one situation."""

    @form("fielded", "expanded", "queries", "p", "better")
    def judge(given):
        row = facts().comparison[SITUATIONS[situation]]
        for run, right in zip(RUNS, (row.a, row.b), strict=True):
            yield run, wrong_mean(run, given.get(run), right, row)
        yield "queries", wrong_queries(given.get("queries"))
        yield "p", wrong_p(given.get("p"), row)
        yield "better", wrong_better(given.get("better"), row)

    return judge


def wrong_mean(run, value, right, row):
    if near(value, right):
        return None
    other = row.b if run == RUNS[0] else row.a
    of = facts().comparison
    n, answered = of.a.n_queries, of.a.n_queries - len(of.a.missing_queries)
    elsewhere = [of[name][1 + RUNS.index(run)] for name in SITUATIONS.values() if name != row.measure]
    if not is_number(value):
        return Wrong("no-number", f"The mean {row.measure} of `{run}`, as a number.")
    if near(value, other):
        return Wrong("swapped", "That is the mean of the other run.")
    if near(value, elsewhere[0]):
        return Wrong(
            "other-measure", f"That is its mean under the other measure. Here {row.measure} decides."
        )
    if near(value, right * n / answered):
        return Wrong(
            "answered-only",
            f"That is the mean over the {answered} queries that were answered. The one without an answer "
            f"counts 0 and stays: {n}.",
        )
    if near(value, facts().unmended.means[row.measure]):
        return Wrong(
            "not-mended", "That is the score of the file with its ids as they were. Use the mended run."
        )
    if near(value, right, 0.0051):
        return Wrong("too-few-decimals", "Nearly. Give three decimals or more.")
    if near(value / 100, right):
        return Wrong("percent", "Give the number itself, between 0 and 1.")
    return Wrong("wrong-mean", f"That is not the mean {row.measure} of `{run}` in your comparison.")


def wrong_queries(value):
    of = facts().comparison.a
    if is_number(value) and value == of.n_queries:
        return None
    if is_number(value) and value == of.n_queries - len(of.missing_queries):
        return Wrong(
            "answered-only",
            "That many were answered. The means are over all that were judged; no answer counts 0.",
        )
    return Wrong("wrong-number", "Over how many queries do the means go? `fielded.n_queries` says it.")


def wrong_p(value, row):
    if not is_number(value):
        return Wrong("no-number", "The p-value of the comparison, as a number.")
    if value == ALPHA:
        return Wrong(
            "the-level", f"{ALPHA} is the level that p is held against. Which p does the table give?"
        )
    if is_p(value, row):
        return None
    for other in facts().comparison:
        if other.measure != row.measure and is_p(value, other):
            return Wrong("other-measure", f"That is p for {other.measure}. Here {row.measure} decides.")
    if is_p(2 * value, row):
        return Wrong("one-sided", "That is one-sided. Nobody knew beforehand which run would be ahead.")
    if is_p(1 - value, row):
        return Wrong("turned-round", "That is 1 - p.")
    return Wrong("wrong-p", f"That is not the p of {row.measure} in your comparison.")


def wrong_better(value, row):
    choice = word(value)
    if choice not in (*RUNS, "cannot tell"):
        return Wrong("no-choice", 'One of `"fielded"`, `"expanded"`, `"cannot tell"`.')
    settled = row.p < ALPHA
    ahead = RUNS[1] if row.difference > 0 else RUNS[0]
    if choice == (ahead if settled else "cannot tell"):
        return None
    evidence = f"p is {row.p:.3f}, and the interval goes from {row.low:+.3f} to {row.high:+.3f}"
    if choice == "cannot tell":
        return Wrong(
            "too-careful",
            f"{evidence}. For the one measure that was named beforehand that is below {ALPHA}.",
        )
    if choice != ahead:
        return Wrong("wrong-way-round", f"The mean {row.measure} of `{ahead}` is the higher one.")
    return Wrong(
        "claims-too-much",
        f"`{ahead}` is ahead, and chance alone could give that: {evidence}, on both sides of 0.",
    )


FORM = """
    {name} = {{
        "fielded": {fielded},  # its mean, three decimals or more
        "expanded": {expanded},  # likewise
        "queries": {queries},  # how many the means are over
        "p": {p},  # of the paired test
        "better": {better},  # "fielded", "expanded", "cannot tell"
    }}
"""
EMPTY = dict.fromkeys(("fielded", "expanded", "queries", "p", "better"), "...")


def decision(situation, title, prompt, hints, **solution):
    return Step(
        f"capstone/{situation}",
        name=situation,
        title=title,
        prompt=prompt,
        hints=hints,
        stub=FORM.format(name=situation, **EMPTY),
        solution=re.sub(r"  #.*", "", FORM.format(name=situation, **solution)),
        judge=decision_for(situation),
    )


assistant = decision(
    "assistant",
    "Decide: the assistant",
    "Fill in `assistant`: the figures of the measure that you chose for it, and which run they show to be "
    "the better one, at a level of 0.05.",
    [
        "Everything stands under one measure of your comparison.",
        "Below 0.05 chance is ruled out, and the run with the higher mean is the better one.",
    ],
    fielded="0.6148",
    expanded="0.6899",
    queries="32",
    p="0.0233",
    better='"expanded"',
)
page = decision(
    "page",
    "Decide: the page",
    "Fill in `page` in the same way, from the other measure.",
    [
        "Which of the two is ahead is one question, whether chance could give that lead another.",
        "The interval of the difference: is 0 in it?",
    ],
    fielded="0.4564",
    expanded="0.4287",
    queries="32",
    p="0.3463",
    better='"cannot tell"',
)


# --- 6. in words -------------------------------------------------------------------------------------


class Said(NamedTuple):
    """One fact that the decision has to state: what asks for it, and whether a text has it."""

    name: str
    asks: str
    is_in: Callable[[str], bool]


def mentions(pattern):
    """Return whether a text matches the pattern, as a function of the text."""
    return lambda text: bool(re.search(pattern, text))


def facts_to_state():
    """Yield what the text must say, in the order in which it is asked for."""
    of = facts().comparison
    row = of[SITUATIONS["assistant"]]
    yield Said("the choice", "Which run do you take?", mentions(r"\bexpanded\b"))
    yield Said("the use", "What is it for?", mentions(r"assistant|\bmodel\b|\brag\b|chat"))
    yield Said("the measure", "By which measure? With its cut-off.", mentions(r"\br(ecall)?\s*(@|at)\s*30\b"))
    yield Said(
        "the threshold",
        "From which grade on does a document count as relevant?",
        mentions(
            r"grades?\s+(of\s+)?(at\s+least\s+)?(1|one)\b|\brel\s*=\s*1\b|\b(1|one) or (more|higher|above)"
        ),
    )
    for run, mean in zip(RUNS, (row.a, row.b), strict=True):
        yield Said(
            f"the mean of {run}",
            "What is it? Two decimals or more.",
            lambda text, mean=mean: states(text, mean),
        )
    yield Said(
        "the queries", "How many are they?", mentions(rf"(?<![\d.])({of.a.n_queries}|thirty[- ]two)\b")
    )
    yield Said("the test", "Which test gave p?", mentions(r"randomi[sz]ation|permutation|sign[- ]flip"))
    yield Said("p", "What is p? Three decimals or more.", lambda text: any(is_p(p, row) for p in ps(text)))
    yield Said(
        "no answer",
        "What counts the query that neither run answered?",
        mentions(
            r"\bq18\b|not answer|neither (run )?(answer|found)|unanswered|(without|no) (an )?(answer|result)"
        ),
    )
    yield Said(
        "unjudged",
        "What counts a document that nobody judged?",
        mentions(r"unjudged|not judged|nobody judged|no judg|without (a )?judg|never judged"),
    )
    yield Said("equal scores", "How are they ordered?", mentions(r"\bties?\b|\btied\b|(equal|same) score"))
    yield Said(
        "the copies",
        "Of what was the file mended? Two things.",
        mentions(r"duplicat|\bcop(y|ies)\b|twice|repeated"),
    )
    yield Said(
        "the ids",
        "Of what was the file mended? Two things.",
        mentions(r"\bcase\b|capital|lower|small letter|spell"),
    )


def states(text, value):
    """Is the value in the text, rounded to two decimals or more, or as a percentage?

    >>> states("69.0% against 0.615", 0.6899), states("about 0.7", 0.6899)
    (True, False)
    """
    for number, decimals, percent in re.findall(r"(?<![\d.])(\d*\.(\d+)|\d+)(?!\d)\s*(%|per ?cent)?", text):
        places = len(decimals) + (2 if percent else 0)
        if places >= 2 and near(float(number) / (100 if percent else 1), round(value, places), 1e-9):
            return True
    return False


def ps(text):
    """The numbers that a text gives as p, to three decimals or more: 0.05 is the level, not a p."""
    return [float(p) for p in re.findall(r"\bp\b[^.\d]{0,40}(0?\.\d{3,})", text)]


def is_p(value, row):
    """Is the value p of this row, or p corrected for both measures?

    Another seed draws other signs: room for six standard errors of one draw, and for the rounding.
    """
    room = 6 * math.sqrt(row.p * (1 - row.p) / facts().comparison.draws) + THREE_DECIMALS
    return near(value, row.p, room) or near(value, row.p_corrected, room * row.p_corrected / row.p)


OVERSTATED = r"\b(proves?|proven|certain(ly)?|guarantees?|without (any )?doubt)\b"
AGAINST = r"\b(take|choose|use|recommend|deploy|ship|pick|keep)\s+(the\s+run\s+)?\W?fielded\b"


def judge_report(value):
    if value is ... or value is None or (isinstance(value, str) and value.strip() in ("", "...")):
        return untouched()
    if not isinstance(value, str):
        return Answer("error", (f"The decision is a text, in three quotation marks; got {shown(value)}.",))
    text = " ".join(value.lower().split())
    found = [(each, each.is_in(text)) for each in facts_to_state()]
    rows = tuple(
        (each.name, f"{SHAPES['correct']} stated" if there else f"{SHAPES['incorrect']} {each.asks}")
        for each, there in found
    )
    missing = [each.name for each, there in found if not there]
    if re.search(AGAINST, text):
        return Answer(
            "incorrect",
            ("Your text takes `fielded`. The figures of your measure speak for the other run.",),
            rows,
            "against-the-figures",
        )
    if missing:
        stated = f"{len(found) - len(missing)} of {len(found)} facts are stated."
        says = f"{stated} Somebody who has only this text still has to ask:"
        return Answer("incorrect", (says,), rows, f"missing: {missing[0]}")
    if overstated := re.search(OVERSTATED, text):
        return Answer(
            "incorrect",
            (
                f"All facts are there. But `{overstated.group()}` is more than "
                f"{facts().comparison.a.n_queries} queries can give. Say what they show, and how sure.",
            ),
            mistake="claims-too-much",
        )
    return Answer(
        "correct",
        (f"All {len(found)} facts are stated: whoever reads this can decide, and can get the same numbers.",),
        rows,
    )


report = Step(
    "capstone/report",
    name="report",
    title="Write it down",
    prompt=(
        "Write `report`: the decision for the assistant, in sentences of your own, for somebody who has "
        "nothing but this text. They must be able to get the same numbers."
    ),
    hints=[
        "What you take and for what; the measure in full with its threshold; both means and the number of "
        "queries; the test and its p; and the conventions.",
        "The conventions: what counts a query without an answer, a document that nobody judged, equal "
        "scores. And say what you mended in the file.",
    ],
    stub='''
        report = """
        ...
        """
    ''',
    solution='''
        report = """
        We take expanded for the assistant. Of all documents with a
        grade of 1 or more it brings 0.690 among the first 30 (mean
        R@30 over 32 queries), fielded 0.615: a gain of 0.075, p = 0.023
        by a paired randomisation test. The query that neither answered
        (q18) counts 0, unjudged documents count as not relevant, ties
        go by document id. The file of fielded was mended first: copies
        taken out, the ids' capitals restored.
        """
    ''',
    judge=judge_report,
)
