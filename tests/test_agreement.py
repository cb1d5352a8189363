"""`rankedu.batch` beside the field's own tools: 10,000 random rankings each, and where they differ.

Scores are multiples of 1/64 here, which float32 holds exactly: trec_eval and pytrec_eval rank in float32,
where scores closer than about 1e-7 of their size tie.
"""

import numpy as np
import pytest
import pytrec_eval
import sklearn.metrics

from rankedu import batch

N = 10_000
WITHIN = 1e-9


def random_records(rng, n_queries):
    """Runs and judgments of queries with 1 to 30 documents and many ties, as pytrec_eval and as we take them.

    Some documents are not judged, some relevant ones not retrieved, some queries have nothing relevant.
    """
    run, qrels = {}, {}
    query_ids, doc_ids, grades, scores, judged_ids, judged_grades = [], [], [], [], [], []
    for number in range(n_queries):
        query = f"q{number}"
        names = [f"d{name}" for name in rng.permutation(60)[: rng.integers(1, 45)]]
        retrieved = names[: rng.integers(1, 31)]
        judged = [name for name in names if rng.random() < 0.8] or names[:1]
        # few or many levels: from all tied to hardly any tie
        levels = rng.choice([1, 3, 10, 640])
        run[query] = {name: float(rng.integers(-levels, levels)) / 64 for name in retrieved}
        grade_of = {name: int(rng.choice([0, 1, 2, 3], p=[0.6, 0.2, 0.1, 0.1])) for name in judged}
        qrels[query] = grade_of
        query_ids += [query] * len(retrieved)
        doc_ids += retrieved
        grades += [grade_of.get(name, 0) for name in retrieved]
        scores += run[query].values()
        judged_ids += [query] * len(judged)
        judged_grades += grade_of.values()
    ours = {
        "query_ids": query_ids,
        "grades": grades,
        "scores": scores,
        "doc_ids": doc_ids,
        "judged": (judged_ids, judged_grades),
        "ties": "docid",
    }
    return run, qrels, ours


@pytest.fixture(scope="module")
def ten_thousand():
    return random_records(np.random.default_rng(20261130), N)


@pytest.fixture(scope="module")
def records(ten_thousand):
    return batch.Records(**ten_thousand[2])


# pytrec_eval's name of the measure, what it calls the values, and ours
MEASURES = [("ndcg", "ndcg", lambda r, t: r.ndcg())]
MEASURES += [(f"ndcg_cut.{k}", f"ndcg_cut_{k}", lambda r, t, k=k: r.ndcg(k)) for k in (1, 5, 20, 100)]
MEASURES += [
    ("map", "map", lambda r, t: r.average_precision(threshold=t)),
    ("recip_rank", "recip_rank", lambda r, t: r.reciprocal_rank(threshold=t)),
    ("num_ret", "num_ret", lambda r, t: r.num_retrieved()),
    ("num_rel", "num_rel", lambda r, t: r.num_relevant(t)),
    ("num_rel_ret", "num_rel_ret", lambda r, t: r.num_relevant_retrieved(t)),
]
for k in (1, 5, 20, 100):
    MEASURES += [
        (f"map_cut.{k}", f"map_cut_{k}", lambda r, t, k=k: r.average_precision(k, threshold=t)),
        (f"P.{k}", f"P_{k}", lambda r, t, k=k: r.precision_at_k(k, threshold=t)),
        (f"recall.{k}", f"recall_{k}", lambda r, t, k=k: r.recall_at_k(k, threshold=t)),
        (f"success.{k}", f"success_{k}", lambda r, t, k=k: r.hit_rate_at_k(k, threshold=t)),
    ]


@pytest.mark.parametrize("threshold", [1, 2])
def test_pytrec_eval(ten_thousand, records, threshold):
    """Every measure that both have, query by query, ties broken by document id."""
    run, qrels, _ = ten_thousand
    names = {theirs for theirs, _, _ in MEASURES}
    theirs = pytrec_eval.RelevanceEvaluator(qrels, names, relevance_level=threshold).evaluate(run)
    assert list(theirs) == records.query_ids
    for _, key, measure in MEASURES:
        expected = np.array([values[key] for values in theirs.values()])
        assert np.abs(measure(records, threshold) - expected).max() <= WITHIN, key


def test_pytrec_eval_leaves_out_a_query_without_results_and_we_count_zero():
    qrels = {"a": {"x": 1}, "b": {"x": 1}}
    theirs = pytrec_eval.RelevanceEvaluator(qrels, {"recip_rank"}).evaluate({"a": {"x": 1.0}})
    assert theirs == {"a": {"recip_rank": 1.0}}
    ours = batch.Records(["a"], [1], [1.0], judged=(["a", "b"], [1, 1]))
    assert ours.reciprocal_rank().tolist() == [1.0, 0.0]


def test_pytrec_eval_ties_in_float32_and_we_do_not():
    """0.900000001 and 0.9 are one number in float32; then the document id decides."""
    theirs = pytrec_eval.RelevanceEvaluator({"q": {"a": 1}}, {"recip_rank"})
    ours = {"query_ids": ["q", "q"], "grades": [1, 0], "doc_ids": ["a", "b"], "ties": "docid"}
    for gap, they_say in ((1e-9, 0.5), (1e-4, 1.0)):
        assert theirs.evaluate({"q": {"a": 0.9 + gap, "b": 0.9}})["q"]["recip_rank"] == they_say
        assert batch.Records(scores=[0.9 + gap, 0.9], **ours).reciprocal_rank()[0] == 1.0


@pytest.fixture(scope="module")
def matrices():
    """10,000 rows in matrices of 2 to 30 columns, from hardly any ties to nothing but ties."""
    rng = np.random.default_rng(20261201)
    made = []
    for _ in range(100):
        shape = (100, rng.integers(2, 31))
        grades = rng.choice([0, 0, 1, 2, 3, 0.5], shape) * rng.integers(0, 4, (100, 1)).clip(0, 1)
        levels = rng.choice([1, 3, 10, 10**9])
        made.append((grades, rng.integers(0, levels, shape) / 64, rng.choice([1, 3, 10, 40])))
    return made


@pytest.mark.parametrize("name", ["ndcg", "dcg"])
def test_scikit_learn_row_by_row(matrices, name):
    theirs = getattr(sklearn.metrics, f"{name}_score")
    for grades, scores, k in matrices:
        ours = getattr(batch, name)(grades, scores, int(k))
        for row in range(0, 100, 1 if name == "ndcg" else 10):
            expected = theirs(grades[row : row + 1], scores[row : row + 1], k=int(k))
            assert abs(ours[row] - expected) <= WITHIN


def test_scikit_learn_without_ties_and_without_a_cut(matrices):
    rng = np.random.default_rng(20261202)
    for grades, _, _ in matrices:
        scores = rng.permuted(np.tile(np.arange(grades.shape[1]), (100, 1)), axis=1)
        for ignore_ties in (False, True):
            expected = sklearn.metrics.ndcg_score(grades, scores, ignore_ties=ignore_ties)
            assert abs(batch.ndcg(grades, scores).mean() - expected) <= WITHIN


def test_scikit_learn_average_precision_where_nothing_is_tied():
    """A sum over thresholds, it says: without ties that is the sum over the relevant ranks."""
    rng = np.random.default_rng(20261203)
    for _ in range(200):
        grades = rng.integers(0, 2, 20)
        grades[rng.integers(0, 20)] = 1
        scores = rng.permutation(20)
        expected = sklearn.metrics.average_precision_score(grades, scores)
        assert abs(batch.average_precision([grades], [scores])[0] - expected) <= WITHIN


def test_unsigned_scores_rank_like_signed_ones():
    """scikit-learn 1.9.1 says 1.0 for the unsigned ones: minus 0 is 0, and minus 2 is 254."""
    grades, scores = np.array([[0, 0, 1]]), np.array([[2, 1, 0]], dtype=np.uint8)
    assert batch.ndcg(grades, scores).tolist() == [0.5]
    assert sklearn.metrics.ndcg_score(grades, scores.astype(np.int64)) == 0.5
