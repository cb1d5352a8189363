"""The capstone: what is right comes from the data, each step names what went wrong, and a report is read."""

import math
from fractions import Fraction

import nbformat
import numpy as np
import pytest

from rankedu import data, exercises, progress, trec
from rankedu.exercises import capstone
from rankedu.exercises.authoring import compiled
from rankedu.exercises.capstone import Step, facts
from tools.readme import ROOT
from tools.solutions import solved

STEPS = [made for made in exercises.all() if isinstance(made, Step)]
FORMS = [capstone.faults, capstone.measures, capstone.assistant, capstone.page]
TASK = data.load("stdlib_search")
MEASURES = ["R@30", "nDCG@10"]

every_step = pytest.mark.parametrize("step", STEPS, ids=lambda step: step.id)
every_form = pytest.mark.parametrize("step", FORMS, ids=lambda step: step.id)


@pytest.fixture(autouse=True)
def place(tmp_path, monkeypatch):
    monkeypatch.setenv("RANKEDU_PROGRESS", str(tmp_path / "progress.json"))


def written(source, name):
    """The value that a cell gives a name."""
    names = {"trec": trec, "task": TASK, "clean": clean(), "measures": dict(capstone.SITUATIONS)}
    exec(source, names)
    return names[name]


def rows():
    lines = TASK.path("fielded_export.run").read_text("utf-8").splitlines()
    return [(q, doc, float(score)) for q, _, doc, _, score, _ in map(str.split, lines)]


def clean():
    return capstone.mended.reference(rows(), TASK.path("collection.txt").read_text("utf-8").split())


def results(**choices):
    a = trec.evaluate(TASK.qrels, clean(), **({"measures": MEASURES} | choices))
    return a, trec.evaluate(TASK.qrels, TASK.run("expanded"), **({"measures": MEASURES} | choices))


def answered(step, **changes):
    return step.check(written(step.source, step.name) | changes)


# --- the data keep what the capstone promises --------------------------------------------------------


def test_one_run_is_better_on_top_and_the_other_finds_more():
    recall, ndcg = (facts().comparison[name] for name in MEASURES)
    assert recall.difference > 0 > ndcg.difference


def test_chance_is_ruled_out_for_one_measure_and_not_for_the_other():
    recall, ndcg = (facts().comparison[name] for name in MEASURES)
    assert recall.p < capstone.ALPHA < ndcg.p
    assert ndcg.low < 0 < ndcg.high


def test_mending_the_spoiled_file_gives_the_run_as_it_was():
    assert trec.read_run(clean()).to_dict() == TASK.run("fielded").to_dict()
    assert len(clean()) == TASK.run("fielded").n_rows


def test_the_diagnosis_finds_both_faults_and_none_in_the_other_run():
    kinds = trec.diagnose(TASK.qrels, TASK.path("fielded_export.run")).kinds
    assert {"duplicate-in-run", "document-ids-differ"} <= set(kinds)
    assert not {"duplicate-in-run", "document-ids-differ"} & set(
        trec.diagnose(TASK.qrels, TASK.path("expanded.run")).kinds
    )


# --- every step ---------------------------------------------------------------------------------------


def test_the_steps_are_exercises_in_the_order_of_the_notebook():
    ids = [made.id for made in exercises.all() if made.id.startswith("capstone/")]
    notebook = (ROOT / "exercises" / "capstone.ipynb").read_text(encoding="utf-8")
    places = [notebook.index(f'exercises.get(\\"{id}\\").check(') for id in ids]
    assert len(ids) == 7
    assert places == sorted(places)


@every_step
def test_untouched_it_is_not_attempted_and_solved_it_is_correct(step):
    assert step.check(written(step.stub, step.name)).status == "not attempted"
    assert step.check(written(step.source, step.name)).status == "correct"
    assert [r["status"] for r in progress.records()] == ["not attempted", "correct"]


@every_step
@pytest.mark.parametrize(
    "value",
    [3, "R@30", ["R@30"], {}, {"a": 1}, np.arange(3), lambda: 1, object(), {1: 2}, math.nan],
    ids=lambda value: repr(value)[:12],
)
def test_another_kind_of_thing_is_an_error_or_incorrect_and_never_an_exception(step, value):
    verdict = step.check(value)
    assert verdict.status in ("error", "incorrect")
    assert verdict.message


@every_form
@pytest.mark.parametrize(
    "odd", [np.arange(3), [], {}, object(), True, math.inf, "?", b"x"], ids=lambda odd: repr(odd)[:12]
)
def test_an_odd_entry_is_told_and_never_an_exception(step, odd):
    for name in written(step.source, step.name):
        verdict = answered(step, **{name: odd})
        assert verdict.status == "incorrect"
        assert verdict.mistake
        assert dict(verdict.shows).keys() == {name}


@every_form
def test_what_is_filled_in_so_far_is_checked_and_the_rest_asked_for(step):
    names = list(written(step.source, step.name))
    verdict = answered(step, **{names[-1]: ...})
    assert verdict.status == "not attempted"
    assert f"`{names[-1]}`" in verdict.message
    assert answered(step, **{names[0]: "?", names[-1]: ...}).status == "incorrect"


@every_form
def test_a_missing_and_a_misspelled_entry_are_named(step):
    names = list(written(step.source, step.name))
    value = written(step.source, step.name)
    del value[names[0]]
    assert repr(names[0]) in step.check(value).message
    assert repr("quries") in answered(step, quries=1).message


@every_step
def test_the_last_hint_and_the_solution_are_there_and_recorded(step):
    step.hint()
    step.hint(2)
    assert str(step.solution()) == step.source
    assert [r["kind"] for r in progress.records()] == ["hint", "hint", "solution"]
    with pytest.raises(ValueError, match="from 1 to 2"):
        step.hint(3)


def test_the_notebook_gives_neither_the_faults_nor_the_figures_away():
    notebook = nbformat.read(ROOT / "exercises" / "capstone.ipynb", as_version=4)
    text = "\n".join(str(cell) for cell in notebook.cells)
    recall, ndcg = (facts().comparison[name] for name in MEASURES)
    for secret in (f"{len(facts().copies)} duplicates", "argparse.argumentparser", "document-ids-differ"):
        assert secret not in text
    for figure in (recall.a, recall.b, recall.p, ndcg.a, ndcg.b, ndcg.p):
        assert f"{figure:.3f}" not in text


def test_a_solved_copy_holds_every_solution():
    notebook = solved(nbformat.read(ROOT / "exercises" / "capstone.ipynb", as_version=4))
    sources = {cell.source for cell in notebook.cells}
    assert {step.source for step in STEPS} | {capstone.mended.source} <= sources


# --- the faults ---------------------------------------------------------------------------------------

FAULTS = [
    ({"file": "expanded.run"}, "wrong-file"),
    ({"file": "bm25.run"}, "wrong-file"),
    ({"copies": 55}, "one-forgotten"),
    ({"copies": 112}, "both-counted"),
    ({"copies": 94}, "ids-counted"),
    ({"copies": 26}, "queries-counted"),
    ({"copies": 57}, "wrong-number"),
    ({"copies": "56"}, "no-number"),
    ({"copy": "csv.dictreader"}, "no-pair"),
    ({"copy": ("csv.dictreader", "q01")}, "turned-round"),
    ({"copy": ("q01", "csv.DictReader")}, "not-as-written"),
    ({"copy": ("q01", "csv.excel")}, "no-copy"),
    ({"ids": "padding"}, "wrong-difference"),
    ({"pair": ("csv.DictReader", "csv.dictreader")}, "turned-round"),
    ({"pair": ("csv", "csv")}, "same"),
    ({"pair": ("csv.dictreader", "csv.Dictreader")}, "misspelled"),
    ({"pair": ("csv", "CSV")}, "not-in-the-file"),
]


@pytest.mark.parametrize(("changes", "mistake"), FAULTS, ids=[f"{m}: {c}" for c, m in FAULTS])
def test_a_wrong_finding_is_named(changes, mistake):
    verdict = answered(capstone.faults, **changes)
    assert (verdict.status, verdict.mistake) == ("incorrect", mistake)


@pytest.mark.parametrize(
    "changes",
    [
        {"file": "fielded_export"},
        {"file": " Fielded_Export.run"},
        {"copies": 56.0},
        {"copy": ["q01", "io.stringio"]},
        {"ids": "CASE"},
        {"pair": ("csv.dictreader", "csv.DictReader")},
    ],
    ids=str,
)
def test_another_true_finding_is_right(changes):
    assert answered(capstone.faults, **changes)


# --- mending ------------------------------------------------------------------------------------------


def with_loops(records, names):
    kept = []
    for query, document, score in records:
        for name in names:
            if name.casefold() == document.casefold():
                document = name
        if not any(row[:2] == [query, document] for row in kept):
            kept.append([query, document, score])
    return kept


def with_setdefault(records, names):
    table = {}
    for query, document, score in records:
        name = next((n for n in names if n.lower() == document.lower()), document)
        table.setdefault((query, name), score)
    return [(*key, score) for key, score in table.items()]


@pytest.mark.parametrize("f", [with_loops, with_setdefault])
def test_mended_in_another_way_is_right(f):
    assert capstone.mended.check(f).status == "correct"


@pytest.mark.parametrize(
    ("mistake", "f"),
    [(mistake, f) for mistake, f in capstone.mended.wrong if "+" not in mistake.id],
    ids=lambda each: getattr(each, "id", ""),
)
def test_a_wrong_repair_is_recognised_as_itself(mistake, f):
    verdict = capstone.mended.check(f)
    assert verdict.mistake == mistake.id
    assert verdict.status in ("incorrect", "error")


def test_the_stub_is_not_attempted():
    assert capstone.mended.check(compiled(capstone.mended.stub, "mended")).status == "not attempted"


# --- the measures -------------------------------------------------------------------------------------


@pytest.mark.parametrize("situation", capstone.OTHER_MEASURES)
def test_every_other_measure_has_a_reply_of_its_own(situation):
    replies = capstone.OTHER_MEASURES[situation]
    assert len(set(replies.values())) == len(replies)
    for kind, reply in replies.items():
        verdict = answered(capstone.measures, **{situation: f"{kind}@7"})
        assert (verdict.mistake, verdict.says) == (f"{situation}-{kind}", (reply,))


@pytest.mark.parametrize(
    ("situation", "measure", "right"),
    [
        ("assistant", "R(rel=1)@30", True),
        ("assistant", "R(rel=2)@30", False),
        ("assistant", "R@10", False),
        ("page", "nDCG(dcg='exp-log2')@10", False),
        ("page", "nDCG", False),
        ("page", "ndcg at ten", False),
    ],
)
def test_a_measure_is_named_in_full(situation, measure, right):
    assert bool(answered(capstone.measures, **{situation: measure})) == right


# --- the comparison -----------------------------------------------------------------------------------


def test_measures_may_stand_in_any_order():
    assert capstone.comparison.check(trec.compare(*results(measures=MEASURES[::-1])))


def wrong_comparisons():
    a, b = results()
    bm25 = trec.evaluate(TASK.qrels, TASK.run("bm25"), MEASURES)
    yield "measure-absent", trec.compare(a, b, "R@30")
    yield "more-measures", trec.compare(*results(measures=[*MEASURES, "AP"]))
    yield "ties", trec.compare(*results(ties="mean"))
    yield "swapped", trec.compare(b, a)
    yield "same-run", trec.compare(b, b)
    yield "ids-not-mended", trec.compare(facts().unmended, b)
    yield "other-fielded", trec.compare(bm25, b)
    yield "other-expanded", trec.compare(a, bm25)
    few = {query: TASK.qrels[query] for query in list(TASK.qrels)[:9]}
    yield "queries", trec.compare(*(trec.evaluate(few, r.run, MEASURES) for r in (a, b)))


@pytest.mark.parametrize(("mistake", "given"), [pytest.param(*c, id=c[0]) for c in wrong_comparisons()])
def test_a_wrong_comparison_is_named(mistake, given):
    verdict = capstone.comparison.check(given)
    assert (verdict.status, verdict.mistake) == ("incorrect", mistake)


def test_one_result_is_not_a_comparison():
    verdict = capstone.comparison.check(results()[0])
    assert verdict.status == "error"
    assert "`trec.compare(a, b)` takes two" in verdict.message


# --- the decisions ------------------------------------------------------------------------------------


def wrong_decisions():
    recall, ndcg = (facts().comparison[name] for name in MEASURES)
    for step, row, other in ((capstone.assistant, recall, ndcg), (capstone.page, ndcg, recall)):
        yield step, {"fielded": row.b}, "swapped"
        yield step, {"fielded": other.a}, "other-measure"
        yield step, {"expanded": row.b * 32 / 31}, "answered-only"
        yield step, {"fielded": facts().unmended.means[row.measure]}, "not-mended"
        yield step, {"expanded": row.b + 0.003}, "too-few-decimals"
        yield step, {"expanded": 100 * row.b}, "percent"
        yield step, {"expanded": 0.99}, "wrong-mean"
        yield step, {"fielded": f"{row.a}"}, "no-number"
        yield step, {"queries": 31}, "answered-only"
        yield step, {"queries": 660}, "wrong-number"
        yield step, {"p": other.p}, "other-measure"
        yield step, {"p": row.p / 2}, "one-sided"
        yield step, {"p": 1 - row.p}, "turned-round"
        yield step, {"p": 0.05}, "the-level"
        yield step, {"p": 0.8}, "wrong-p"
        yield step, {"better": "both"}, "no-choice"
    yield capstone.assistant, {"better": "cannot tell"}, "too-careful"
    yield capstone.assistant, {"better": "fielded"}, "wrong-way-round"
    yield capstone.page, {"better": "fielded"}, "claims-too-much"
    yield capstone.page, {"better": "expanded"}, "wrong-way-round"


@pytest.mark.parametrize(
    ("step", "changes", "mistake"),
    [
        pytest.param(*case, id=f"{case[0].name}: {case[2]}, {next(iter(case[1]))}")
        for case in wrong_decisions()
    ],
)
def test_a_wrong_decision_is_named(step, changes, mistake):
    verdict = answered(step, **changes)
    assert (verdict.status, verdict.mistake) == ("incorrect", mistake)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_figures_of_another_seed_rounded_or_of_another_type_are_right(seed):
    rows = trec.compare(*results(), seed=seed)
    for step, row in ((capstone.assistant, rows["R@30"]), (capstone.page, rows["nDCG@10"])):
        assert answered(step, fielded=round(row.a, 3), expanded=np.float64(row.b), p=round(row.p, 4))
        assert answered(step, p=row.p_corrected, queries=np.int64(32), expanded=Fraction(row.b))


# --- the report ---------------------------------------------------------------------------------------

GOOD = written(capstone.report.source, "report")
LEFT_OUT = [
    ("the choice", "expanded", "it"),
    ("the use", "the assistant", "this"),
    ("the measure", "R@30", "recall"),
    ("the threshold", "a\ngrade of 1 or more", "grades"),
    ("the mean of fielded", "fielded 0.615", "fielded less"),
    ("the mean of expanded", "0.690", "0.640"),
    ("the queries", "32 queries", "0.32 queries"),
    ("the test", "randomisation test", "test"),
    ("p", "p = 0.023", "p < 0.05"),
    ("p", "p = 0.023", "p = 0.346"),
    ("no answer", "The query that neither answered\n(q18) counts 0, unjudged", "Unjudged"),
    ("unjudged", "unjudged documents count as not relevant, ", ""),
    ("equal scores", "ties\ngo by document id", "and so on"),
    ("the copies", "copies\ntaken out, ", ""),
    ("the ids", "the ids' capitals restored", "and more"),
]


@pytest.mark.parametrize(("name", "old", "new"), LEFT_OUT, ids=[f"{n}: {w}" for n, _, w in LEFT_OUT])
def test_what_a_report_leaves_out_is_asked_for(name, old, new):
    lines = "\n".join(line.strip() for line in GOOD.splitlines())
    assert lines.count(old) >= 1
    verdict = capstone.report.check(lines.replace(old, new))
    assert verdict.status == "incorrect"
    assert verdict.mistake == f"missing: {name}"
    asked = [what for what, told in verdict.shows if not told.startswith("✓")]
    assert asked == [name]


OTHER_WORDS = """
For the RAG chat use expanded (recall at 30: 68.99%, fielded 61.5%; 32 queries; documents with rel=1 count).
Permutation test: p-value 0.0233, with Holm's correction 0.0466. Unanswered queries count 0. What nobody
judged counts as not relevant. Equal scores by id. I removed duplicate rows and fixed upper and
lower case.
"""


def test_the_same_facts_in_other_words_are_right():
    assert capstone.report.check(OTHER_WORDS)


def test_a_report_against_the_figures_is_refused():
    verdict = capstone.report.check(GOOD.replace("We take expanded", "Beside expanded, take fielded"))
    assert verdict.mistake == "against-the-figures"


@pytest.mark.parametrize("word", ["proves", "certainly", "without doubt"])
def test_a_report_that_claims_too_much_is_told(word):
    verdict = capstone.report.check(f"{GOOD} This {word} it.")
    assert verdict.mistake == "claims-too-much"
    assert f"`{word}`" in verdict.message


@pytest.mark.parametrize("text", ["", "   \n", "...", "\n...\n"], ids=repr)
def test_an_empty_report_is_not_attempted(text):
    assert capstone.report.check(text).status == "not attempted"
