"""Two systems side by side, and the reports: on one run, on two, in a notebook, as text, as a page."""

import datetime
import html.parser
import itertools
import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankedu import data, trec
from rankedu.trec import _compare

EIGHT = {f"q{i}": {"good": 1} for i in range(8)}


def ranked(*ranks):
    """The result of a system with the one relevant document of query i at this rank: its RR is 1 / rank."""
    run = {f"q{i}": {f"x{j}": -j for j in range(1, r)} | {"good": -r} for i, r in enumerate(ranks)}
    qrels = {query: {"good": 1} for query in run}
    return trec.evaluate(qrels, run, ["RR", "P@1", "NumRet"])


# ---------------------------------------------------------------- the numbers


def test_means_difference_and_counts():
    row = trec.compare(ranked(1, 2, 2, 1), ranked(2, 1, 1, 1), "RR")["RR"]
    assert (row.measure, row.a, row.b) == ("RR", 0.75, 0.875)
    assert row.difference == pytest.approx(0.125)
    assert (row.wins, row.losses, row.equal) == (2, 1, 1)


def test_queries_from_the_largest_gain_to_the_largest_loss():
    comparison = trec.compare(ranked(1, 2, 4, 1), ranked(2, 1, 1, 1), "RR")
    assert comparison.per_query["RR"] == {"q2": 0.75, "q1": 0.5, "q3": 0.0, "q0": -0.5}
    assert list(comparison.per_query["RR"]) == ["q2", "q1", "q3", "q0"]
    assert [row.query_id for row in comparison.queries("MRR")] == ["q2", "q1", "q3", "q0"]
    assert comparison.queries("RR")[0] == ("q2", 0.25, 1.0, 0.75)


def test_all_measures_of_both_but_the_totals_are_compared():
    comparison = trec.compare(ranked(1, 2), ranked(2, 1))
    assert comparison.measures == ["RR", "P@1"]
    assert [row.measure for row in comparison] == ["RR", "P@1"]


def exact_p(differences):
    """By trying every sign pattern, one at a time."""
    observed = abs(sum(differences))
    patterns = list(itertools.product([1, -1], repeat=len(differences)))
    sums = [abs(sum(s * d for s, d in zip(signs, differences, strict=True))) for signs in patterns]
    return sum(total >= observed - 1e-12 for total in sums) / len(patterns)


@given(st.lists(st.integers(-8, 8).map(lambda n: n / 8), min_size=1, max_size=8))
def test_few_queries_every_sign_pattern_is_tried(differences):
    p, exact = _compare._randomisation_p(np.array(differences), 10, 0)
    assert exact
    assert p == pytest.approx(exact_p(differences))


def test_many_queries_the_drawn_p_is_near_the_exact_one():
    differences = np.random.default_rng(5).normal(0.1, 0.4, 14)
    exact, tried_all = _compare._randomisation_p(differences, 1, 0)
    assert tried_all
    twice = np.concatenate([differences, np.zeros(3), differences])
    drawn, tried_all = _compare._randomisation_p(twice, 20_000, 0)
    assert not tried_all
    scipy_stats = pytest.importorskip("scipy.stats", reason="scipy is in the extra peers")
    theirs = scipy_stats.permutation_test(
        (twice,), np.mean, permutation_type="samples", n_resamples=20_000, rng=np.random.default_rng(1)
    ).pvalue
    assert drawn == pytest.approx(theirs, abs=0.012)
    assert drawn < exact  # the same differences in twice as many queries


def test_the_interval_is_scipys():
    scipy_stats = pytest.importorskip("scipy.stats", reason="scipy is in the extra peers")
    differences = np.random.default_rng(7).normal(0.05, 0.2, 40)
    theirs = scipy_stats.bootstrap(
        (differences,), np.mean, method="percentile", n_resamples=20_000, rng=np.random.default_rng(1)
    ).confidence_interval
    ours = _compare._bootstrap_interval(differences, 20_000, 0, 0.95)
    assert ours == pytest.approx(theirs, abs=0.003)


def test_p_is_never_0_when_drawn():
    p, exact = _compare._randomisation_p(np.ones(60), 999, 0)
    assert (p, exact) == (1 / 1000, False)


def test_the_false_alarms_are_as_many_as_promised():
    """Two systems that differ by nothing but noise: p < 0.1 in about a tenth of the comparisons."""
    random = np.random.default_rng(11)
    ps = [_compare._randomisation_p(random.normal(0, 1, 20), 499, seed)[0] for seed in range(400)]
    assert 0.06 < np.mean(np.array(ps) < 0.1) < 0.14


@pytest.mark.parametrize(
    ("ps", "corrected"),
    [
        ([0.03], [0.03]),
        ([0.01, 0.04, 0.03], [0.03, 0.06, 0.06]),
        ([0.5, 0.6], [1.0, 1.0]),
        ([0.01, 0.01, 0.01], [0.03, 0.03, 0.03]),
    ],
)
def test_holms_correction(ps, corrected):
    assert _compare._holm(ps) == pytest.approx(corrected)


def test_the_seed_makes_it_repeatable():
    random = np.random.default_rng(3)
    a, b = (ranked(*random.integers(1, 6, 40).tolist()) for _ in range(2))
    first, again, other = (trec.compare(a, b, "RR", seed=seed)["RR"] for seed in (0, 0, 1))
    assert first == again
    assert first != other
    assert trec.compare(b, a, "RR")["RR"].p == first.p
    assert trec.compare(b, a, "RR")["RR"].low == pytest.approx(-first.high)


def test_a_query_that_is_nan_is_left_out_of_its_measure():
    qrels = {"q": {"a": 1}, "r": {"a": 0}}
    run = {"q": {"a": 1.0, "b": 2.0}, "r": {"a": 1.0}}
    result = trec.evaluate(qrels, run, ["AP", "RR"], undefined="nan")
    comparison = trec.compare(result, result)
    assert comparison["AP"].equal == 1
    assert comparison["RR"].equal == 2


# ---------------------------------------------------------------- what is said


def test_the_conclusion_names_the_better_one_and_the_doubt():
    certain = trec.compare(ranked(*[2] * 8), ranked(*[1] * 8), "RR")
    assert certain.conclusion("RR") == (
        "run (b) has the higher RR, by 0.5000 over 8 queries: more than chance would give "
        "(95% interval +0.5000 to +0.5000, p = 0.0078)."
    )
    doubtful = trec.compare(ranked(1, 1, 1, 2), ranked(2, 2, 2, 1), "RR")
    assert doubtful.conclusion("RR") == (
        "run (a) has the higher RR, by 0.2500 over 4 queries, which chance alone could give: these queries "
        "cannot tell it from run (b) (95% interval -0.2500 to +0.5000, p = 0.6250)."
    )
    same = trec.compare(ranked(1, 2), ranked(1, 2), "RR")
    assert same.conclusion("RR") == "run (a) and run (b) have the same RR over 2 queries."
    assert same["RR"].p == 1.0


def test_as_text():
    text = str(trec.compare(ranked(1, 2, 2, 1), ranked(2, 1, 1, 1)))
    assert text.splitlines()[0] == "run (b) against run (a), query by query"
    assert re.search(r"RR +0\.7500 +0\.8750 +\+0\.1250 ", text)
    assert "p (Holm)" in text
    assert "paired randomisation test, two-sided (over all sign patterns)" in text
    assert "p (Holm)" not in str(trec.compare(ranked(1, 2), ranked(2, 1), "RR"))


@pytest.mark.parametrize(
    ("arguments", "error", "says"),
    [
        ({"a": {}}, TypeError, "a must be what evaluate() gives; got a dict"),
        ({"b": ranked(1, 2)}, ValueError, "different queries, 'q2'"),
        ({"measures": "AP"}, ValueError, "AP is not in both results: a has RR, P@1, NumRet"),
        ({"measures": []}, ValueError, "no measure is in both results"),
        ({"measures": "mrr"}, ValueError, "did you mean 'RR'?"),
        ({"draws": 0}, ValueError, "draws must be a whole number of at least 1; got 0"),
        ({"draws": 1.5}, TypeError, "draws must be a whole number"),
        ({"seed": -1}, ValueError, "seed must be a whole number of at least 0"),
        ({"confidence": 95}, ValueError, "confidence must be a number between 0 and 1; got 95"),
        ({"confidence": "95%"}, TypeError, "confidence must be a number"),
    ],
)
def test_what_cannot_be_compared(arguments, error, says):
    arguments = {"a": ranked(1, 2, 3), "b": ranked(3, 2, 1)} | arguments
    with pytest.raises(error, match=r".") as raised:
        trec.compare(arguments.pop("a"), arguments.pop("b"), arguments.pop("measures", None), **arguments)
    assert says in str(raised.value)


def test_other_judgments_cannot_be_compared():
    run = {"q": {"a": 1.0}}
    a, b = (trec.evaluate({"q": {"a": grade}}, run, "AP") for grade in [1, 2])
    with pytest.raises(ValueError, match="the two results rest on different judgments"):
        trec.compare(a, b)


def test_other_conventions_cannot_be_compared():
    run = {"q": {"a": 1.0}}
    a, b = (trec.evaluate({"q": {"a": 1}}, run, "AP", ties=ties) for ties in ["docid", "mean"])
    with pytest.raises(ValueError, match="the two results differ in ties: 'docid' and 'mean'"):
        trec.compare(a, b)


def test_the_picture_has_a_bar_for_every_query_that_differs():
    comparison = trec.compare(ranked(1, 2, 4, 1), ranked(2, 1, 1, 1))
    picture = comparison.picture()
    (axes,) = picture.figure.axes
    bars = {round(bar.get_x() + bar.get_width() / 2): bar.get_height() for bar in axes.patches}
    assert bars == {0: 0.75, 1: 0.5, 3: -0.5}
    assert [label.get_text() for label in axes.get_xticklabels()] == ["q2", "q1", "q3", "q0"]
    assert repr(picture) == f"{comparison.in_words('RR')}."
    assert "better in 2, worse in 1, the same in 1" in repr(picture)
    assert repr(comparison.picture("P@1")) == f"{comparison.in_words('P@1')}."


def test_the_picture_of_many_queries_names_none():
    comparison = trec.compare(ranked(*[1] * 50), ranked(*[2] * 50), "RR")
    (axes,) = comparison.picture().figure.axes
    assert list(axes.get_xticks()) == []


@pytest.mark.parametrize("n", [360, 361, 5000])
def test_of_very_many_queries_some_are_drawn_from_the_first_to_the_last(n):
    shown = _compare.thinned(list(range(n)))
    assert len(shown) == 360
    assert (shown[0], shown[-1]) == (0, n - 1)
    result = trec.evaluate({q: {"d": 1} for q in range(n)}, {q: {"d": 1.0} for q in range(n)}, "AP")
    assert result.report().page().count("<rect") == 360


# ---------------------------------------------------------------- the report on one run


@pytest.fixture(scope="module")
def task():
    return data.load("stdlib_search")


@pytest.fixture(scope="module")
def bm25(task):
    return trec.evaluate(task.qrels, task.runs["bm25"], ["nDCG@10", "AP", "RR@10"])


@pytest.fixture(scope="module")
def both(task, bm25):
    return trec.compare(bm25, trec.evaluate(task.qrels, task.runs["tfidf"], bm25.measures))


def test_the_line_that_says_every_convention():
    qrels, run = {"q": {"d": 1}, "r": {"d": 0}, "s": {"d": 1}}, {"q": {"d": 1.0}, "r": {"d": 1.0}}
    result = trec.evaluate(qrels, run, ["nDCG(dcg='exp-log2')@10", "P(rel=2)@5", "AP"], ties="mean")
    assert [result.describe(measure) for measure in result.measures] == [
        "nDCG(dcg='exp-log2')@10, exponential gain, ties at their mean over every order, mean over "
        "3 queries, 1 counted 0",
        "P(rel=2)@5, relevant from grade 2, ties at their mean over every order, mean over 3 queries",
        "AP, relevant from grade 1, ties at their mean over every order, mean over 3 queries, 1 counted 0",
    ]


def test_every_mean_is_printed_with_its_conventions_and_the_diagnosis(bm25):
    text = str(bm25.report())
    for measure in bm25.measures:
        (line,) = [line for line in text.splitlines() if line.startswith(f"{measure} ")]
        assert f"{bm25.means[measure]:.4f}" in line
        assert bm25.describe(measure).removeprefix(f"{measure}, ") in line
    assert f"bm25: {bm25.n_queries} queries judged" in text
    assert str(bm25.diagnosis) in text
    assert repr(bm25) == text


def test_totals_are_called_totals():
    text = str(trec.evaluate(EIGHT, EIGHT, ["NumRet", "AP"]))
    assert "mean or total" in text
    assert "total over 8 queries" in text


def test_every_query_as_a_table(bm25, task):
    table = bm25.table()
    assert len(table) == bm25.n_queries
    query, *values = table[0]
    assert values == [bm25.per_query[measure][query] for measure in bm25.measures]
    assert bm25.table(task.queries)[0][:2] == (query, task.queries[query])
    assert str(table).splitlines()[1].split() == ["query", *bm25.measures]


def test_a_long_table_is_cut_and_says_so():
    qrels = {f"q{i}": {"d": 1} for i in range(1000)}
    text = str(trec.evaluate(qrels, qrels, "AP").table())
    assert len(text.splitlines()) < 500
    assert "more rows" in text


# ---------------------------------------------------------------- the page


class Page(html.parser.HTMLParser):
    """Checks that elements close in order, and collects text, headings, addresses and labels of pictures."""

    VOID = frozenset({"meta", "path", "rect", "br"})

    def __init__(self, text):
        super().__init__()
        self.open, self.words, self.headings, self.addresses, self.labels = [], [], [], [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.addresses += [attributes[name] for name in ("src", "href") if name in attributes]
        if attributes.get("role") == "img":
            self.labels.append(attributes["aria-label"])
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, text):
        self.words.append(text)
        if self.open and self.open[-1] in ("h1", "h2"):
            self.headings.append((self.open[-1], text))

    @property
    def text(self):
        return " ".join(self.words)


def test_the_page_needs_nothing_else(bm25, tmp_path):
    path = bm25.to_html(tmp_path / "report.html")
    text = path.read_text(encoding="utf-8")
    page = Page(text)
    assert page.addresses == []
    assert "url(" not in text
    assert "<script" not in text
    assert "@media print" in text
    assert "prefers-color-scheme:dark" in text


def test_the_page_says_what_the_text_says(bm25, task):
    page = Page(bm25.report(queries=task.queries, date="2026-01-31").page())
    assert page.headings == [
        ("h1", "Evaluation of bm25"),
        ("h2", "nDCG@10, query by query"),
        ("h2", "Diagnosis"),
        ("h2", "Every query"),
        ("h2", "How these numbers are made"),
    ]
    for measure in bm25.measures:
        assert f"{bm25.means[measure]:.4f}" in page.text
        assert bm25.describe(measure).removeprefix(f"{measure}, ") in page.text
    for query, asked in task.queries.items():
        assert query in page.text
        assert asked in page.text
    assert "2026-01-31" in page.text
    assert f"mean {bm25.means['nDCG@10']:.4f}" in page.labels[0]


def test_the_page_is_dated_today_unless_told(bm25):
    assert datetime.date.today().isoformat() in bm25.report().page()
    assert bm25.report(date="2026-01-31").page() == bm25.report(date=datetime.date(2026, 1, 31)).page()


def test_what_others_wrote_cannot_break_the_page():
    evil = "<script>alert('&')</script>"
    qrels = {evil: {evil: 1, "b": 0}}
    run = trec.read_run({evil: {evil: 1.0, "b": 0.5}})
    run.name = evil
    result = trec.evaluate(qrels, run, "AP")
    comparison = trec.compare(result, result)
    for report in [
        result.report(title=evil, notes=evil, queries={evil: evil}),
        comparison.report(title=evil, notes=evil, queries={evil: evil}),
    ]:
        for text in [report.page(), report._repr_html_()]:
            assert "<script" not in text
            Page(text)
            assert evil in Page(text).text


def test_the_comparison_as_a_page(both, task, tmp_path):
    notes = "Keep bm25.\n\nIt costs nothing."
    page = Page(both.to_html(tmp_path / "c.html", notes=notes, queries=task.queries).read_text("utf-8"))
    assert ("h1", "tfidf against bm25, query by query") in page.headings
    assert "Keep bm25." in page.text
    for measure in both.measures:
        assert both.conclusion(measure) in page.text
        assert f"{both[measure].difference:+.4f}" in page.text
    row = both["nDCG@10"]
    assert f"tfidf better in {row.wins}, worse in {row.losses}, the same in {row.equal}" in page.labels[0]
    assert "Diagnosis of bm25" in page.text
    assert "Diagnosis of tfidf" in page.text


def test_the_comparison_as_text_has_both_runs_and_the_verdicts(both):
    text = str(both.report(notes="Keep bm25."))
    assert "Keep bm25." in text
    assert both.conclusion("AP") in text
    assert "bm25: 32 queries judged" in text
    assert "tfidf: 32 queries judged" in text


def test_in_a_notebook_it_follows_the_theme(bm25, both):
    for shown in [bm25, bm25.report(), bm25.table(), both, both.report(), both.queries("AP"), bm25.diagnosis]:
        text = shown._repr_html_()
        Page(text)
        assert "background:#" not in text
        assert "currentColor" in text


def test_a_report_with_nothing_to_draw():
    with pytest.warns(RuntimeWarning, match="nan"):
        result = trec.evaluate({"q": {"a": 0}}, {"q": {"a": 1.0}}, "AP", undefined="nan")
    page = Page(result.report().page())
    assert "AP of run: no query has a value" in page.text
    assert math.isnan(result.means["AP"])


# ---------------------------------------------------------------- the last bits of a sum


def shuffled(run):
    return {query: dict(reversed(found.items())) for query, found in run.items()}


@pytest.mark.parametrize("measure", ["P@2", "nDCG@3", "AP", "RR", "R@2"])
def test_a_run_whose_lines_are_shuffled_is_the_same_run(measure):
    queries = [f"q{i}" for i in range(12)]
    qrels = {query: {"a": 1, "b": 1, "c": 0, "d": 0} for query in queries}
    run = {query: {"a": 1.0, "b": 0.0, "c": 0.0, "d": 0.0} for query in queries}
    results = [trec.evaluate(qrels, each, measure, ties="mean") for each in (run, shuffled(run))]
    assert results[0].per_query == results[1].per_query, "to the last bit"
    row = trec.compare(*results)[measure]
    assert (row.p, row.wins, row.losses, row.equal) == (1.0, 0, 0, 12)


def test_means_that_differ_in_the_last_bit_alone_are_the_same():
    qrels = {f"q{i}": {"good": 1} for i in range(12)}
    ranks = [1, 2, 3, 4, 5, 6] * 2
    runs = []
    for order in (ranks, ranks[::-1]):
        scores = [{"good": 0.0, **{f"x{n}": 1.0 for n in range(rank - 1)}} for rank in order]
        runs.append(dict(zip(qrels, scores, strict=True)))
    a, b = (trec.evaluate(qrels, run, "RR") for run in runs)
    assert trec.compare(a, b)["RR"].difference == 0
    assert "have the same RR over 12 queries" in trec.compare(a, b).conclusion("RR")


@pytest.mark.parametrize(
    ("other", "same"),
    [
        ({"c": 0.3, "b": 0.2, "a": 0.1}, True),
        ({"a": 0.2, "b": 0.1, "c": 0.3}, False),
        ({"a": 0.1, "b": 0.2, "d": 0.3}, False),
    ],
    ids=["in another order", "same sum, other grades", "another document"],
)
def test_judgments_are_the_same_in_whatever_order(other, same):
    run = {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}
    a, b = (trec.evaluate({"q": judged}, run, "nDCG@5") for judged in ({"a": 0.1, "b": 0.2, "c": 0.3}, other))
    if same:
        assert trec.compare(a, b)["nDCG@5"].difference == 0
    else:
        with pytest.raises(ValueError, match="rest on different judgments"):
            trec.compare(a, b)


# ---------------------------------------------------------------- what a report is given


@pytest.fixture
def result():
    return trec.evaluate({"1": {"a": 1}}, {"1": {"a": 1.0}}, "RR")


def test_a_report_knows_queries_by_whole_numbers_too(result):
    import pandas as pd

    for queries in ({1: "red shoes"}, {"1": "red shoes"}, pd.Series({1: "red shoes"})):
        assert "red shoes" in result.report(queries=queries).page()
        assert "red shoes" in str(result.table(queries))
    with pytest.raises(TypeError, match="queries must be a mapping"):
        result.report(queries=["red shoes"])


@pytest.mark.parametrize("name", ["title", "notes"])
def test_a_report_s_own_words_are_text(result, name):
    with pytest.raises(TypeError, match=f"{name} must be text"):
        result.report(**{name: ["a"]})


def test_all_that_a_report_is_given_is_escaped(result):
    bad = "<script>1</script>"
    page = result.report(title=bad, notes=bad, queries={"1": bad}, date=bad).page()
    assert bad not in page
    assert page.count("&lt;script&gt;") >= 4


def test_half_a_surrogate_pair_is_saved(result, tmp_path):
    saved = result.report(queries={"1": "half \ud800"}).save(tmp_path / "page.html")
    assert "half &#55296;" in saved.read_text("utf-8")
