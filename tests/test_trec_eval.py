"""Agreement with NIST's trec_eval, on its own test runs, to the 4 decimals that it prints.

The files belong to trec_eval and are read from beside the project where they are there.
"""

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from rankedu import trec

NIST = Path(__file__).resolve().parents[2] / "shared" / "data" / "trec_eval"

pytestmark = pytest.mark.skipif(
    not NIST.is_dir(), reason=f"trec_eval's test files are not in {NIST}: copy its folder test/ there"
)

CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
MEASURES = {
    "map": "AP",
    "ndcg": "nDCG",
    "recip_rank": "RR",
    "num_ret": "NumRet",
    "num_rel": "NumRel",
    "num_rel_ret": "NumRelRet",
    **{f"success_{k}": f"Success@{k}" for k in (1, 5, 10)},
    **{f"P_{k}": f"P@{k}" for k in CUTOFFS},
    **{f"recall_{k}": f"R@{k}" for k in CUTOFFS},
    **{f"map_cut_{k}": f"AP@{k}" for k in CUTOFFS},
    **{f"ndcg_cut_{k}": f"nDCG@{k}" for k in CUTOFFS},
}
# What trec_eval -m all_trec printed: options, run, judgments
OUTPUTS = {
    "out.test.a": "results.test",
    "out.test.aq": "results.test",
    "out.test.aqc": "results.trunc",
}


@cache
def printed(output):
    """{(trec_eval's name, query id or "all"): what it printed}."""
    values = {}
    for line in (NIST / output).read_text().splitlines():
        name, query, value = line.split()
        values[name, query] = value
    return values


@cache
def evaluated(run):
    return trec.evaluate(NIST / "qrels.test", NIST / run, list(MEASURES.values()))


def as_printed(name, value):
    return f"{value:.0f}" if name.startswith("num_") else f"{value:.4f}"


@pytest.mark.parametrize("name", MEASURES)
@pytest.mark.parametrize("output", OUTPUTS)
def test_means_agree(output, name):
    result = evaluated(OUTPUTS[output])
    assert as_printed(name, result.means[MEASURES[name]]) == printed(output)[name, "all"]


@pytest.mark.parametrize("name", MEASURES)
@pytest.mark.parametrize("output", ["out.test.aq", "out.test.aqc"])
def test_every_query_agrees(output, name):
    result = evaluated(OUTPUTS[output])
    ours = {query: as_printed(name, value) for query, value in result.per_query[MEASURES[name]].items()}
    theirs = {
        query: value for (what, query), value in printed(output).items() if what == name and query != "all"
    }
    assert ours == theirs
    assert len(ours) == int(printed(output)["num_q", "all"])


def test_the_cut_off_run_leaves_a_query_out_and_it_counts_0():
    """results.trunc answers two of the three queries; -c and we count the third, plain trec_eval does not."""
    result = evaluated("results.trunc")
    assert result.missing_queries == ["302"]
    values = np.array(list(result.per_query["AP"].values()))
    assert result.means["AP"] == pytest.approx(values.sum() / 3)
    assert result.per_query["AP"]["302"] == 0


def test_the_run_name_is_its_tag():
    assert evaluated("results.test").name == printed("out.test.a")["runid", "all"]


def test_negative_grades_count_as_judged_and_not_relevant():
    """qrels.rel_level holds grades from -1 to 4; -1 is neither relevant nor a negative gain."""
    qrels = trec.read_qrels(NIST / "qrels.rel_level")
    assert set(qrels.grades.tolist()) == {-1, 0, 1, 2, 3, 4}
    result = trec.evaluate(qrels, NIST / "results.test", ["NumRel", "NumRel(rel=3)", "nDCG@10"])
    assert result.means["NumRel"] == (qrels.grades >= 1).sum()
    assert result.means["NumRel(rel=3)"] == (qrels.grades >= 3).sum()
    clipped = {query: {doc: max(grade, 0) for doc, grade in docs.items()} for query, docs in qrels.items()}
    assert result.means == trec.evaluate(clipped, NIST / "results.test", result.measures).means


@pytest.mark.parametrize("qrels", ["qrels.test", "qrels.rel_level"])
@pytest.mark.parametrize("run", ["results.test", "results.trunc"])
@pytest.mark.parametrize("level", [1, 2, 3])
def test_every_query_agrees_with_pytrec_eval(qrels, run, level):
    """pytrec_eval is trec_eval as a library: all digits, and relevance levels that the printed files lack."""
    pytrec_eval = pytest.importorskip("pytrec_eval", reason="pytrec_eval-terrier is in the extra peers")
    qrels, run = trec.read_qrels(NIST / qrels), trec.read_run(NIST / run)
    binary = {"map": "AP", "map_cut.30": "AP@30", "recip_rank": "RR", "P.10": "P@10", "recall.100": "R@100"}
    binary |= {"success.5": "Success@5", "num_rel": "NumRel", "num_rel_ret": "NumRelRet"}
    measures = {theirs: with_level(measure, level) for theirs, measure in binary.items()}
    if level == 1:
        measures |= {"ndcg": "nDCG", "ndcg_cut.20": "nDCG@20"}
    peer = pytrec_eval.RelevanceEvaluator(qrels.to_dict(), set(measures), relevance_level=level)
    per_query = peer.evaluate(run.to_dict())
    result = trec.evaluate(qrels, run, measures.values())
    assert list(per_query) == [query for query in result.query_ids if query in run]
    for theirs, measure in measures.items():
        for query, values in per_query.items():
            expected = values[theirs.replace(".", "_")]
            assert result.per_query[measure][query] == pytest.approx(expected, abs=1e-9), (measure, query)


def with_level(measure, level):
    """The measure with `(rel=level)` behind its family's name."""
    family, at, k = measure.partition("@")
    return f"{family}(rel={level}){at}{k}"
