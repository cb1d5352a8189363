"""The diagnosis: what is found, how grave it is, and that nothing on the way raises."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankedu import trec

NAN, INF = math.nan, math.inf
GOOD_QRELS = {"q1": {"a": 1, "b": 0}, "q2": {"a": 2, "c": 0}}
GOOD_RUN = {"q1": {"a": 2.0, "b": 1.0}, "q2": {"c": 2.0, "a": 1.0}}


def found(qrels, run, k=2):
    """{kind: the finding}"""
    return {finding.kind: finding for finding in trec.diagnose(qrels, run, k)}


def test_nothing_found():
    diagnosis = trec.diagnose(GOOD_QRELS, GOOD_RUN, k=2)
    assert list(diagnosis) == []
    assert not diagnosis.refused
    assert str(diagnosis) == "Nothing found: the run and the judgments fit each other."
    assert "Nothing found" in diagnosis._repr_html_()


def test_a_finding_is_a_row_with_its_severity_count_message_and_examples():
    (finding,) = trec.diagnose(GOOD_QRELS, {"q1": GOOD_RUN["q1"]}, k=2)
    assert finding == (
        "warning",
        "missing-queries",
        1,
        "1 query of 2 missing from the run, judged but not answered: counts 0",
        ("'q2'",),
    )


ONE = {"q": {"a": 1, "b": 0}}


FINDINGS = [
    pytest.param(
        ONE,
        [("q", "a", 2), ("q", "a", 1), ("q", "b", 0)],
        "duplicate-in-run",
        "error",
        1,
        "query 'q', document 'a'",
        id="document-twice-in-run",
    ),
    pytest.param(
        [("q", "a", 1), ("q", "b", 0), ("q", "a", 0)],
        {"q": {"a": 1.0, "b": 0.5}},
        "duplicate-in-judgments",
        "error",
        1,
        "query 'q', document 'a'",
        id="document-twice-in-judgments",
    ),
    pytest.param(
        ONE, {"q": {"a": NAN, "b": 1.0}}, "nan-score", "error", 1, "query 'q', document 'a'", id="nan-score"
    ),
    pytest.param(
        {"q": {"a": NAN, "b": 1, "c": INF}},
        {"q": {"a": 1.0, "b": 0.5}},
        "grade-not-a-number",
        "error",
        2,
        "document 'a': nan",
        id="nan-and-infinite-grades",
    ),
    pytest.param(
        {}, {"q": {"a": 1.0}}, "empty-judgments", "error", 0, "the judgments are empty", id="no-judgments"
    ),
    pytest.param(
        ONE, {"Q": {"a": 1.0, "b": 0.5}}, "no-common-query", "error", 0, "run: 'Q'", id="no-query-in-common"
    ),
    pytest.param(
        ONE,
        [("q", "a", 1), ("q", "b"), ("q", None, 2)],
        "unreadable-run",
        "error",
        2,
        "row 2: must be (query, document, score)",
        id="rows-that-are-none",
    ),
    pytest.param(
        {"q": {"a": "good"}},
        {"q": {"a": 1.0}},
        "unreadable-judgments",
        "error",
        1,
        "the grade 'good' is not a number",
        id="grade-as-a-word",
    ),
    pytest.param(ONE, {}, "empty-run", "warning", 0, "every query counts 0", id="empty-run"),
    pytest.param(
        GOOD_QRELS,
        {"q1": GOOD_RUN["q1"]},
        "missing-queries",
        "warning",
        1,
        "1 query of 2 missing from the run",
        id="missing-query",
    ),
    pytest.param(
        ONE,
        {"q": {"a": 1.0, "b": 0.5}, "r": {"a": 1.0, "b": 0.5}},
        "extra-queries",
        "note",
        1,
        "'r'",
        id="extra-query",
    ),
    pytest.param(
        GOOD_QRELS,
        {"q1": {"a": 1.0, "b": 1.0}, "q2": GOOD_RUN["q2"]},
        "constant-scores",
        "warning",
        1,
        "constant scores in 1 query of 2",
        id="constant-scores",
    ),
    pytest.param(
        ONE,
        {"q": {"a": 1.0, "b": 1.0, "c": 0.5}},
        "tied-scores",
        "note",
        1,
        "1 document in 1 query with the score of another",
        id="tied-scores",
    ),
    pytest.param(
        ONE,
        {"q": {"a": 1.0, "x": 0.9}},
        "unjudged",
        "warning",
        1,
        "50.0% of the top 2 unjudged, 1 of 2",
        id="unjudged",
    ),
    pytest.param(
        ONE,
        {"q": {"x": 1.0, "y": 0.9}},
        "unjudged",
        "warning",
        2,
        "not one document of the run was judged",
        id="none-judged",
    ),
    pytest.param(
        ONE,
        {"q": {"a": 1.0}},
        "short-lists",
        "note",
        1,
        "1 query with fewer than 2 documents",
        id="short-list",
    ),
    pytest.param(
        {"q": {"a": -1, "b": 1}},
        {"q": {"a": 1.0, "b": 0.5}},
        "negative-grade",
        "note",
        1,
        "document 'a': -1",
        id="negative-grade",
    ),
    pytest.param(
        {"q": {"a": 87, "b": 0}},
        {"q": {"a": 1.0, "b": 0.5}},
        "high-grade",
        "warning",
        1,
        "above 10 and up to 87",
        id="grade-out-of-range",
    ),
    pytest.param(
        {"q": {"a": 0.5, "b": 1}},
        {"q": {"a": 1.0, "b": 0.5}},
        "grade-below-1",
        "note",
        1,
        "document 'a': 0.5",
        id="fraction-below-the-threshold",
    ),
    pytest.param(
        {"q": {"a": 0, "b": 0.5}},
        {"q": {"a": 1.0, "b": 0.5}},
        "nothing-relevant",
        "warning",
        2,
        "no grade reaches 1 (the highest is 0.5)",
        id="nothing-relevant",
    ),
    pytest.param(
        {"q": {"a": 5, "b": 1}},
        {"q": {"a": 1.0, "b": 0.5}},
        "all-relevant",
        "warning",
        2,
        "Ratings need a threshold",
        id="ratings-without-a-threshold",
    ),
    pytest.param(
        {"q": {"a": 1, "b": 0}, "r": {"a": 0, "b": 0}},
        {"q": {"a": 2, "b": 1}, "r": {"a": 2, "b": 1}},
        "nothing-relevant-in-query",
        "note",
        1,
        "'r'",
        id="query-with-nothing-relevant",
    ),
]


@pytest.mark.parametrize(("qrels", "run", "kind", "severity", "count", "says"), FINDINGS)
def test_findings(qrels, run, kind, severity, count, says):
    finding = found(qrels, run)[kind]
    assert (finding.severity, finding.count) == (severity, count)
    assert says in finding.message or says in "; ".join(finding.examples)


@pytest.mark.parametrize(("qrels", "run", "kind", "severity", "count", "says"), FINDINGS)
def test_evaluate_refuses_what_is_an_error_and_takes_the_rest(qrels, run, kind, severity, count, says):
    assert trec.diagnose(qrels, run).refused == (severity == "error")
    if severity == "error":
        with pytest.raises((ValueError, TypeError)):
            trec.evaluate(qrels, run)
    elif kind == "empty-run":
        with pytest.warns(UserWarning, match="the run is empty"):
            trec.evaluate(qrels, run)
    else:
        trec.evaluate(qrels, run)


@pytest.mark.parametrize(
    ("mine", "judged", "difference"),
    [
        ("Doc-1", "doc-1", "case"),
        (" doc1 ", "doc1", "padding"),
        ("007", "7", "padding"),
        ("doc7", "doc007", "padding"),
        ("12.0", "12", "type"),
        ("b'doc1'", "doc1", "type"),
        ('"doc1"', "doc1", "type"),
        ("cafe\u0301", "caf\u00e9", "Unicode"),
        (" DOC07", "doc7", "together"),
    ],
)
def test_ids_that_nearly_match(mine, judged, difference):
    finding = found({"q": {judged: 1, "other": 0}}, {"q": {mine: 1.0, "other": 0.5}})["document-ids-differ"]
    assert finding.severity == "warning"
    assert difference in finding.message
    assert finding.examples == (f"{mine!r} in the run, {judged!r} judged",)
    finding = found({judged: {"d": 1}, "q": {"d": 1}}, {mine: {"d": 1.0}, "q": {"d": 1.0}})[
        "query-ids-differ"
    ]
    assert finding.examples == (f"{mine!r} in the run, {judged!r} judged",)


@pytest.mark.parametrize(("mine", "judged"), [("1.05", "1.5"), ("10", "1"), ("a-b", "ab"), ("doc", "docs")])
def test_ids_that_are_different_things(mine, judged):
    assert "document-ids-differ" not in found({"q": {judged: 1, "x": 0}}, {"q": {mine: 1.0, "x": 0.5}})


# ---------------------------------------------------------------- scores against ranks


@pytest.fixture
def trec_run(tmp_path):
    """Writes (rank, score) pairs as the run of one query, and returns the path."""

    def write(*lists):
        path = tmp_path / "run.txt"
        path.write_text(
            "".join(
                f"q{i} Q0 d{j} {rank} {score} t\n"
                for i, pairs in enumerate(lists)
                for j, (rank, score) in enumerate(pairs)
            )
        )
        return path

    return write


QRELS_5 = {f"q{i}": {f"d{j}": j % 2 for j in range(5)} for i in range(3)}


def test_scores_that_fall_with_the_rank_are_fine(trec_run):
    assert found(QRELS_5, trec_run(*[[(1, 0.9), (2, 0.5), (3, 0.5)]] * 3)).keys() == {"tied-scores"}


def test_scores_that_ascend_with_the_rank_are_upside_down(trec_run):
    finding = found(QRELS_5, trec_run(*[[(1, 0.1), (2, 0.5), (3, 0.9)]] * 3))["ascending-scores"]
    assert (finding.severity, finding.count) == ("warning", 3)
    assert "upside down" in finding.message


def test_ranks_for_scores_are_called_that(trec_run):
    finding = found(QRELS_5, trec_run(*[[(1, 1), (2, 2), (3, 3)]] * 3))["ascending-scores"]
    assert "they are the ranks themselves" in finding.message


def test_a_rank_column_that_disagrees_here_and_there(trec_run):
    good = [(1, 0.9), (2, 0.5), (3, 0.1)]
    finding = found(QRELS_5, trec_run(good, [(1, 0.9), (2, 0.1), (3, 0.5)], good))["ranks-disagree"]
    assert (finding.count, finding.examples) == (1, ("query 'q1'",))
    assert "the scores decide" in finding.message


def test_a_rank_column_of_words_is_not_compared(trec_run):
    assert "ranks-disagree" not in found(QRELS_5, trec_run(*[[("x", 0.1), ("x", 0.9)]] * 3))


def test_rows_in_ascending_order_are_suspected_only_when_there_are_many():
    qrels = {"q": {f"d{i:02}": i % 2 for i in range(30)}}
    assert "ascending-scores" in found(qrels, {"q": {f"d{i:02}": float(i) for i in range(30)}})
    assert "ascending-scores" not in found(qrels, {"q": {f"d{i:02}": float(i) for i in range(5)}})
    assert "ascending-scores" not in found(qrels, {"q": {f"d{i:02}": float(-i) for i in range(30)}})


# ---------------------------------------------------------------- files


def test_every_bad_line_of_a_file_is_found(tmp_path):
    run = tmp_path / "run.txt"
    run.write_text("q Q0 a 1 2.0 t\nq Q0 b 2 high t\nq Q0 c\n\nq Q0 a 3 1.0 t\nq Q0 b 4 0.5 t\n")
    findings = found(ONE, run)
    assert findings["unreadable-run"].count == 2
    assert (
        findings["unreadable-run"].examples[0] == "line 2: the score 'high' is not a number: q Q0 b 2 high t"
    )
    assert findings["unreadable-run"].examples[1].startswith("line 3: 3 columns where 6 are needed")
    assert findings["duplicate-in-run"].examples == ("query 'q', document 'a' (line 5)",)


@pytest.mark.parametrize(
    "content", [b"\x1f\x8b broken", "q Q0 a 1 1 t".encode("utf-16"), b"q Q0 \xff 1 1 t", b"q\0"]
)
def test_a_file_that_is_not_text_is_a_finding(tmp_path, content):
    run = tmp_path / "run.txt"
    run.write_bytes(content)
    (finding,) = trec.diagnose(ONE, run)
    assert (finding.severity, finding.kind) == ("error", "unreadable-run")
    assert str(run) in finding.message


def test_a_frame_without_the_columns_is_a_finding():
    frame = pytest.importorskip("pandas").DataFrame({"query": ["q"], "doc": ["a"]})
    assert "no column for the score" in found(ONE, frame)["unreadable-run"].message


def test_a_missing_file_is_the_usual_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        trec.diagnose(ONE, tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("k", "error"), [(0, ValueError), (-1, ValueError), (2.0, TypeError), (True, TypeError)]
)
def test_k_is_a_whole_number(k, error):
    with pytest.raises(error, match="k must be a whole number of at least 1"):
        trec.diagnose(ONE, ONE, k)


ANYTHING = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=4), st.binary(max_size=2)
)
ANY_ROW = st.one_of(st.tuples(ANYTHING, ANYTHING, ANYTHING), st.lists(ANYTHING, max_size=4), ANYTHING)
SOME_ROW = st.tuples(
    st.sampled_from("pq"), st.sampled_from(["a", "A", "1", "01", "1.0"]), st.floats() | st.integers()
)


@given(st.lists(ANY_ROW | SOME_ROW, max_size=12), st.lists(ANY_ROW | SOME_ROW, max_size=12))
def test_whatever_the_rows_hold_it_does_not_raise(qrels, run):
    diagnosis = trec.diagnose(qrels, run)
    assert str(diagnosis)
    assert diagnosis._repr_html_()


@given(st.binary(max_size=60) | st.text('q01d \t\n.-e,"', max_size=60).map(str.encode))
def test_whatever_a_file_holds_it_does_not_raise(tmp_path_factory, content):
    path = tmp_path_factory.mktemp("files") / "run.txt"
    path.write_bytes(content)
    assert str(trec.diagnose(ONE, path))
    assert str(trec.diagnose(path, ONE))


# ---------------------------------------------------------------- what it looks like


def test_the_gravest_comes_first():
    run = [("q", "a", 1.0), ("q", "a", 1.0), ("q", "x", 1.0), ("r", "a", 1.0)]
    severities = [finding.severity for finding in trec.diagnose(ONE, run)]
    assert severities == sorted(severities, key=["error", "warning", "note"].index)
    assert severities[0] == "error"


def test_as_text_and_as_html_it_escapes_and_counts():
    diagnosis = trec.diagnose({"q": {"<b>": 1, "c": 0}}, {"q": {"<B>": 1.0, "c": 0.5}}, k=2)
    assert str(diagnosis).startswith(
        "2 warnings, no error.\nwarning  1 document id of the run that would match"
    )
    html = diagnosis._repr_html_()
    assert "<b>" not in html
    assert "&lt;b&gt;" in html
    assert 'class="warning"' in html


def test_a_result_has_its_diagnosis():
    result = trec.evaluate(GOOD_QRELS, {"q1": {"a": 1.0, "x": 0.5}}, ["AP", "P@1"])
    assert result.diagnosis.kinds == ["missing-queries"]  # at P@1 nothing is unjudged
    result = trec.evaluate(GOOD_QRELS, {"q1": {"a": 1.0, "x": 0.5}}, ["AP", "P@2"])
    assert result.diagnosis.kinds == ["missing-queries", "unjudged"]


def test_a_large_run_is_diagnosed_without_rows_as_objects():
    rows = 200_000
    codes = np.arange(rows)
    run = {"query_id": (codes // 200).tolist(), "doc_id": (codes % 200).tolist(), "score": (-codes).tolist()}
    qrels = {"query_id": run["query_id"], "doc_id": run["doc_id"], "grade": (codes % 2).tolist()}
    assert list(trec.diagnose(qrels, run)) == []
