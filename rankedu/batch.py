"""The metrics of `rankedu.metrics` for many queries at once, vectorised.

Two shapes of input, the same metrics for both:

* **matrices**: `ndcg(grades, scores, k=10)`, one row a query, one column a document -> one number a row;
* **flat records**: `Records(query_ids, grades, scores).ndcg(k=10)`, one row a (query, document) pair, any number
  of documents a query -> one number a query, in the order of `Records.query_ids`.

How it works
------------
*Ranking.* One function ranks, best score first, and every metric consumes its result; no two metrics can
disagree on an order. `Records` keeps the result, so ten measures of one run sort it once.

*Tie groups.* Documents with equal scores form a tie group. At every rank the ranking knows `start`, how many
documents stand ahead of its group, and `size`, how many are in it. Where ties are broken (`ties="docid"`,
`ties="input"`), every group has size 1 and the same formulas hold.

*Expectation.* Under `ties="mean"` a metric is its exact mean over every order of the tied documents:

* DCG, CG, precision, recall and F1 at a fixed k are sums over ranks of weight x value (F1@k is
  2 x hits / (k + R)). The mean of a sum is the sum of the means, and every document of a group stands at each of
  its ranks equally often: each rank gets the mean value of its group (McSherry and Najork 2008).
* Average precision also needs the hits ahead, given a hit at this rank: the other `relevant - 1` hits of the
  group are spread evenly over its other `size - 1` places.
* Reciprocal rank and hit rate depend on the first relevant document alone: on the first group that holds one,
  and on where the first of `relevant` hits lands among `size` places, drawn without replacement.

Grades and scores become float64 before any arithmetic, so unsigned and 8-bit arrays never wrap round. Reading
files, matching documents with judgments, and reporting is the work of `rankedu.trec`.

References
----------
McSherry, F. and Najork, M. (2008). Computing information retrieval performance measures efficiently in the
presence of tied scores. ECIR. (The expectations.)
Järvelin, K. and Kekäläinen, J. (2002). Cumulated gain-based evaluation of IR techniques. ACM TOIS 20(4). (DCG.)
"""

from __future__ import annotations

import warnings
from typing import NamedTuple

import numpy as np

__all__ = [
    "Records",
    "average_precision",
    "cumulative_gain",
    "dcg",
    "f1_at_k",
    "hit_rate_at_k",
    "ideal_dcg",
    "mean",
    "ndcg",
    "precision_at_k",
    "recall_at_k",
    "reciprocal_rank",
]

GAINS = ("linear", "exponential")
POLICIES = {"zero": 0.0, "one": 1.0, "nan": np.nan}
TIES = ("mean", "input", "docid")


# ---- matrices: one row a query ---------------------------------------------------------------------------------


def ndcg(grades, scores=None, k=None, *, judged=None, mask=None, gain="linear", ties="mean", undefined="zero"):
    """NDCG@k of every row: its DCG over the DCG of the best order of everything judged. Shape (n_queries,), 0 to 1.

    Parameters
    ----------
    grades : (n_queries, n_docs)
        Grade of each document, 0 or more.
    scores : (n_queries, n_docs), optional
        What the system gave each document; higher ranks first. Left out: the columns are in rank order already.
        nan is an error that names the row; infinite scores are legal.
    k : int of at least 1, optional
        Cut-off, for the ranking and for the ideal. None: the whole row.
    judged : (n_queries, n_judged) array, or a list with one list of grades per query, optional
        Every grade judged for the query, retrieved or not, in any order. Rows of an array may be padded with
        0, which no metric notices. Left out: the row itself is taken to hold them all, which hides every
        relevant document that the system did not return.
    mask : bool (n_queries, n_docs), optional
        True where there is a document. The cells where it is False are padding, for queries with fewer
        documents than columns; whatever stands in them is not looked at.
    gain : "linear" or "exponential"
        The grade, or 2**grade - 1.
    ties : "mean" or "input"
        Equal scores: the exact mean over every order of the tied documents, or first column first.
        (`ties="docid"` needs ids: see `Records`.)
    undefined : "zero", "one" or "nan"
        The value of a row for which nothing relevant was judged.

    Raises
    ------
    ValueError, TypeError
        Naming the argument, what it was, and what is allowed.

    Examples
    --------
    Rows are queries; the second query's best document is ranked first:

    >>> ndcg([[0, 1, 0], [1, 0, 0]], [[0.9, 0.8, 0.7], [0.8, 0.1, 0.05]]).round(3).tolist()
    [0.631, 1.0]

    A scorer that gives every document the same score gets the chance value, in whatever order they come:

    >>> ndcg([[10, 0, 0, 1, 5]], [[1, 1, 1, 1, 1]]).round(3).tolist()
    [0.691]
    """
    records = _from_matrix(grades, scores, judged, mask, ties)
    return records.ndcg(k, gain=gain, undefined=undefined)


def dcg(grades, scores=None, k=None, *, mask=None, gain="linear", ties="mean"):
    """DCG@k of every row: the sum of gain / log2(rank + 1) over the top k. Shape (n_queries,), 0 or more.

    Arguments as in `ndcg`. A gain or a DCG that is not finite is an error that names the row.

    >>> dcg([[2, 0, 1, 2, 1]]).round(3).tolist()
    [3.748]
    """
    return _from_matrix(grades, scores, None, mask, ties).dcg(k, gain=gain)


def ideal_dcg(grades, k=None, *, judged=None, mask=None, gain="linear"):
    """DCG@k of every row's judged grades sorted best first: sort, then cut. Shape (n_queries,).

    Arguments as in `ndcg`; scores play no part.

    >>> ideal_dcg([[2, 0, 1, 2, 1]]).round(3).tolist()
    [4.193]
    """
    return _from_matrix(grades, None, judged, mask, "mean").ideal_dcg(k, gain=gain)


def cumulative_gain(grades, scores=None, k=None, *, mask=None, gain="linear", ties="mean"):
    """Sum of the gains in the top k of every row. Shape (n_queries,). Arguments as in `ndcg`.

    >>> cumulative_gain([[3, 2, 0, 1, 4]], k=3).tolist()
    [5.0]
    """
    return _from_matrix(grades, scores, None, mask, ties).cumulative_gain(k, gain=gain)


def precision_at_k(grades, scores=None, k=None, *, mask=None, threshold=1, ties="mean"):
    """Relevant documents in the top k of every row, over k, also where the row is shorter. Shape (n_queries,).

    A document is relevant when its grade reaches `threshold`. k=None divides by the number of documents in the
    row. Other arguments as in `ndcg`.

    >>> precision_at_k([[1, 0, 2, 0]], k=3, threshold=2).round(3).tolist()
    [0.333]
    """
    return _from_matrix(grades, scores, None, mask, ties).precision_at_k(k, threshold=threshold)


def recall_at_k(
    grades, scores=None, k=None, *, judged=None, mask=None, threshold=1, ties="mean", undefined="zero"
):
    """Relevant documents in the top k of every row, over all relevant ones judged. Shape (n_queries,).

    Arguments as in `ndcg` and `precision_at_k`.

    >>> recall_at_k([[1, 0, 1, 1]], k=2, judged=[[1, 1, 1, 1]]).tolist()
    [0.25]
    """
    records = _from_matrix(grades, scores, judged, mask, ties)
    return records.recall_at_k(k, threshold=threshold, undefined=undefined)


def f1_at_k(
    grades, scores=None, k=None, *, judged=None, mask=None, threshold=1, ties="mean", undefined="zero"
):
    """Harmonic mean of precision@k and recall@k of every row. Shape (n_queries,).

    It equals 2 x hits / (k + R), which is why its mean over tied orders is exact. Arguments as in `ndcg` and
    `precision_at_k`.

    >>> f1_at_k([[1, 0, 1, 1]], k=2).round(3).tolist()
    [0.4]
    """
    records = _from_matrix(grades, scores, judged, mask, ties)
    return records.f1_at_k(k, threshold=threshold, undefined=undefined)


def hit_rate_at_k(grades, scores=None, k=None, *, mask=None, threshold=1, ties="mean"):
    """1.0 for every row with a relevant document in its top k, else 0.0. Shape (n_queries,).

    Under `ties="mean"`: the share of the tied orders that have one. Arguments as in `precision_at_k`.

    >>> hit_rate_at_k([[0, 0, 1]], [[5, 5, 5]], k=1).round(3).tolist()
    [0.333]
    """
    return _from_matrix(grades, scores, None, mask, ties).hit_rate_at_k(k, threshold=threshold)


def average_precision(
    grades, scores=None, k=None, *, judged=None, mask=None, threshold=1, ties="mean", undefined="zero"
):
    """Average precision of every row: the sum of P@i at each relevant rank i <= k, over R. Shape (n_queries,).

    R is the number of relevant documents judged (trec_eval's rule). Arguments as in `ndcg` and `precision_at_k`.

    >>> average_precision([[1, 0, 1, 0, 1], [0, 1, 1, 1, 0]]).round(3).tolist()
    [0.756, 0.639]
    """
    records = _from_matrix(grades, scores, judged, mask, ties)
    return records.average_precision(k, threshold=threshold, undefined=undefined)


def reciprocal_rank(grades, scores=None, k=None, *, mask=None, threshold=1, ties="mean"):
    """1 / rank of the first relevant document of every row, 0.0 without one in the top k. Shape (n_queries,).

    Arguments as in `precision_at_k`.

    >>> reciprocal_rank([[0, 1, 0], [0, 0, 0]]).tolist()
    [0.5, 0.0]
    """
    return _from_matrix(grades, scores, None, mask, ties).reciprocal_rank(k, threshold=threshold)


def mean(values):
    """Mean over queries of per-query values, each query counting once; nan (undefined="nan") is skipped.

    The mean of nothing, or of nan alone, is nan, with a warning.

    >>> mean([1.0, 0.5, float("nan")])
    0.75
    """
    values = np.asarray(values, dtype=np.float64)
    defined = values[~np.isnan(values)]
    if defined.size == 0:
        warnings.warn("no query has a defined value: the mean is nan", RuntimeWarning, stacklevel=2)
        return float("nan")
    return float(defined.mean())


# ---- flat records: one row a (query, document) pair ------------------------------------------------------------


class Records:
    """The rankings of many queries as flat arrays, with every metric as a method that gives one number per query.

    Parameters
    ----------
    query_ids : (n,) text, or ints
        The query of each record, in any order. Ints are compared as text, so 9 and "9" are one query. With
        `names`, codes: 0 to len(names) - 1.
    grades : (n,)
        The grade of each record's document; 0 for an unjudged one.
    scores : (n,), optional
        Higher ranks first. Left out: the records of each query are in rank order already. nan is an error that
        names the query; infinite scores are legal.
    judged : pair (query_ids, grades), optional
        Two flat arrays of one length: every judged grade with its query, retrieved or not, in any order; the ids
        as in `query_ids` (codes, where `names` is given). Left out: the records are taken to hold every judgment.
        A query that is judged and has no records counts 0 (trec_eval's -c). A query that has records and no
        judgment is left out: see `unjudged_queries`.
    names : sequence of text, optional
        Says that the query ids are codes into it. Results are then in the order of `names`; otherwise in the
        order in which the queries appear, in the records and then in `judged`.
    doc_ids : (n,) text or ints, optional
        Needed for `ties="docid"` alone; ints are compared as text. Or any object for which `doc_ids[i]`, i an
        array of record numbers, is an array of text or of bytes: then only tied records are ever looked up, and
        that no document stands twice in a query is the caller's word.
    ties : "mean", "docid" or "input"
        Equal scores: the exact mean over every order of the tied documents; by document id, descending
        (trec_eval's rule); first record first.

    Attributes
    ----------
    query_ids : list of text, the queries in the order of every result.
    unjudged_queries : list of text, the queries with records that were left out for want of judgments.

    Examples
    --------
    >>> run = Records(["q1", "q1", "q2", "q2"], [0, 1, 1, 0], [0.9, 0.8, 0.7, 0.7])
    >>> run.reciprocal_rank().tolist()
    [0.5, 0.75]
    >>> run.query_ids
    ['q1', 'q2']

    Two more judgments, one of a query that the run does not answer:

    >>> run = Records(["q1", "q1"], [0, 1], [0.9, 0.8], judged=(["q1", "q1", "q2"], [1, 1, 1]))
    >>> run.recall_at_k(10).tolist()
    [0.5, 0.0]
    """

    def __init__(self, query_ids, grades, scores=None, *, judged=None, names=None, doc_ids=None, ties="mean"):
        _check_choice("ties", ties, TIES)
        self.ties = ties
        grades = _check_grades(grades)
        coded = names is not None
        codes, names = _codes("query_ids", query_ids, names)
        _check_length("grades", grades, "query_ids", codes)
        if scores is None:
            keys = np.zeros(len(codes))
            broken = np.arange(len(codes))
        else:
            keys = -_check_scores(scores)
            _check_length("scores", keys, "query_ids", codes)
            broken = None
        nan = np.flatnonzero(np.isnan(keys))
        if nan.size:
            raise ValueError(f"scores: the score of a document of query {names[codes[nan[0]]]!r} is nan")
        if judged is None:
            judged_codes, judged_grades = codes, grades
        else:
            judged_codes, judged_grades, names = _check_judged(judged, names, coded)
            _check_contained(codes, grades, judged_codes, judged_grades, names)
        if ties == "docid":
            if doc_ids is None:
                raise ValueError('doc_ids must be given with ties="docid"')
            broken = -_text_ranks(doc_ids, len(codes)) if broken is None else broken
        elif ties == "input" and broken is None:
            broken = np.arange(len(codes))
        self._setup(names, codes, grades, keys, broken, judged_codes, judged_grades, judged is not None)

    def _setup(self, names, codes, grades, keys, broken, judged_codes, judged_grades, leave_out):
        """Sort once and keep, per query: grades in rank order, tie groups, and the judged grades best first."""
        n = len(names)
        kept = np.ones(n, bool)
        if leave_out:
            kept = np.bincount(judged_codes, minlength=n) > 0
        self.query_ids = [name for name, keep in zip(names, kept, strict=True) if keep]
        self.unjudged_queries = [name for name, keep in zip(names, kept, strict=True) if not keep]
        if self.unjudged_queries and len(codes) and not kept[codes].any():
            raise ValueError(
                "query_ids and judged have no query in common: "
                f"{self.unjudged_queries[:3]} in the records, {self.query_ids[:3]} in judged"
            )
        tie = np.zeros(len(codes)) if broken is None else broken
        order = np.lexsort((np.arange(len(codes)), tie, keys, codes))
        self._order = order[kept[codes[order]]]
        bounds = np.searchsorted(codes[order], np.arange(n + 1))
        judged_order = np.lexsort((-judged_grades, judged_codes))
        judged_bounds = np.searchsorted(judged_codes[judged_order], np.arange(n + 1))
        self._lists = []
        for q in np.flatnonzero(kept):
            rows = order[bounds[q] : bounds[q + 1]]
            groups = None
            if broken is None:
                _, start, inverse, size = np.unique(
                    keys[rows], return_index=True, return_inverse=True, return_counts=True
                )
                groups = start[inverse], size[inverse]
            else:
                groups = np.arange(len(rows)), np.ones(len(rows), int)
            ideal = judged_grades[judged_order[judged_bounds[q] : judged_bounds[q + 1]]]
            self._lists.append(_Ranked(rows, grades[rows], *groups, ideal))

    def __len__(self):
        return len(self.query_ids)

    def __repr__(self):
        return f"<Records: {len(self)} queries, {len(self._order)} records, ties={self.ties!r}>"

    @property
    def order(self):
        """Record numbers query by query in the order of `query_ids`, each query best first. Shape (n_kept,).

        Under `ties="mean"` tied records stand in input order here.
        """
        return self._order

    def num_retrieved(self):
        """Number of documents retrieved for each query. Shape (n_queries,), int."""
        return np.array([len(ranked.grades) for ranked in self._lists], dtype=np.int64)

    def num_relevant(self, threshold=1):
        """Number of relevant documents judged for each query, retrieved or not. Shape (n_queries,), int."""
        _check_threshold(threshold)
        return np.array([(ranked.ideal >= threshold).sum() for ranked in self._lists], dtype=np.int64)

    def num_relevant_retrieved(self, threshold=1):
        """Number of relevant documents retrieved for each query, at any rank. Shape (n_queries,), int."""
        _check_threshold(threshold)
        return np.array([(ranked.grades >= threshold).sum() for ranked in self._lists], dtype=np.int64)

    def undefined_queries(self, threshold=None):
        """Which queries are 0/0, and so get the value of `undefined`. Shape (n_queries,), bool.

        `threshold=None`: no positive grade was judged, which leaves NDCG undefined. A number: no judged grade
        reaches it, which leaves recall, F1 and average precision undefined.
        """
        if threshold is None:
            return np.array([not (ranked.ideal > 0).any() for ranked in self._lists], dtype=bool)
        return self.num_relevant(threshold) == 0

    def total_at_k(self, values, k=None):
        """Sum of `values`, one number per record as they were given, over the top k of each query.

        For whatever has no metric here, such as the number of unjudged documents in the top k. Under
        `ties="mean"`, the mean sum over the tied orders. Shape (n_queries,).
        """
        k = _check_k(k)
        values = np.asarray(values, dtype=np.float64)
        return self._each(lambda ranked: _tie_mean(values[ranked.rows], ranked)[:k].sum())

    def cumulative_gain(self, k=None, *, gain="linear"):
        """Sum of the gains in the top k of each query. Shape (n_queries,)."""
        k = _check_k(k)
        _check_choice("gain", gain, GAINS)
        return self._each(lambda ranked: _tie_mean(_gain(ranked.grades, gain), ranked)[:k].sum())

    def dcg(self, k=None, *, gain="linear"):
        """DCG@k of each query. Shape (n_queries,)."""
        k = _check_k(k)
        _check_choice("gain", gain, GAINS)
        return self._each(lambda ranked: _discounted(_tie_mean(_gain(ranked.grades, gain), ranked), k))

    def ideal_dcg(self, k=None, *, gain="linear"):
        """DCG@k of the judged grades of each query, best first. Shape (n_queries,)."""
        k = _check_k(k)
        _check_choice("gain", gain, GAINS)
        return self._each(lambda ranked: _discounted(_gain(ranked.ideal, gain), k))

    def ndcg(self, k=None, *, gain="linear", undefined="zero"):
        """NDCG@k of each query. Shape (n_queries,), 0 to 1. `undefined`: the value where no grade is positive."""
        _check_choice("undefined", undefined, POLICIES)
        return _ratio(self.dcg(k, gain=gain), self.ideal_dcg(k, gain=gain), undefined)

    def precision_at_k(self, k=None, *, threshold=1):
        """Relevant documents in the top k of each query, over k. Shape (n_queries,)."""
        depth = self.num_retrieved() if k is None else _check_k(k)
        return self._hits(k, threshold) / np.maximum(depth, 1)

    def recall_at_k(self, k=None, *, threshold=1, undefined="zero"):
        """Relevant documents in the top k of each query, over all relevant ones judged. Shape (n_queries,)."""
        _check_choice("undefined", undefined, POLICIES)
        return _ratio(self._hits(k, threshold), self.num_relevant(threshold), undefined)

    def f1_at_k(self, k=None, *, threshold=1, undefined="zero"):
        """Harmonic mean of precision@k and recall@k of each query. Shape (n_queries,)."""
        _check_choice("undefined", undefined, POLICIES)
        relevant = self.num_relevant(threshold)
        depth = self.num_retrieved() if k is None else _check_k(k)
        both = np.where(relevant > 0, depth + relevant, 0)
        return _ratio(2 * self._hits(k, threshold), both, undefined)

    def hit_rate_at_k(self, k=None, *, threshold=1):
        """1.0 for each query with a relevant document in its top k, else 0.0. Shape (n_queries,)."""
        k = _check_k(k)
        _check_threshold(threshold)
        return self._each(lambda ranked: _first_hit(ranked, threshold, np.ones(len(ranked.grades)), k))

    def average_precision(self, k=None, *, threshold=1, undefined="zero"):
        """Average precision, cut at k, of each query. Shape (n_queries,)."""
        k = _check_k(k)
        _check_choice("undefined", undefined, POLICIES)
        relevant = self.num_relevant(threshold)
        return _ratio(self._each(lambda ranked: _precision_sum(ranked, threshold, k)), relevant, undefined)

    def reciprocal_rank(self, k=None, *, threshold=1):
        """1 / rank of the first relevant document of each query, 0.0 without one in the top k."""
        k = _check_k(k)
        _check_threshold(threshold)
        return self._each(lambda ranked: _first_hit(ranked, threshold, 1 / _ranks(ranked), k))

    def _each(self, metric):
        return np.array([metric(ranked) for ranked in self._lists], dtype=np.float64)

    def _hits(self, k, threshold):
        k = _check_k(k)
        _check_threshold(threshold)
        return self._each(lambda ranked: _tie_mean(ranked.grades >= threshold, ranked)[:k].sum())


class _Ranked(NamedTuple):
    """One query, ranked. At each rank: `start` documents stand ahead of its tie group, which has `size`."""

    rows: np.ndarray
    grades: np.ndarray
    start: np.ndarray
    size: np.ndarray
    ideal: np.ndarray


def _ranks(ranked):
    return np.arange(1, len(ranked.grades) + 1)


def _ahead(values, ranked):
    """Sum of `values` over the ranks ahead of each rank's tie group, and over the group."""
    total = np.concatenate([[0.0], np.cumsum(values)])
    ahead = total[ranked.start]
    return ahead, total[ranked.start + ranked.size] - ahead


def _tie_mean(values, ranked):
    values = np.asarray(values, dtype=np.float64)
    _, inside = _ahead(values, ranked)
    return np.where(ranked.size == 1, values, inside / ranked.size)


def _gain(grades, kind):
    return grades if kind == "linear" else np.exp2(grades) - 1


def _discounted(gains, k):
    gains = gains[:k]
    return (gains / np.log2(np.arange(2, len(gains) + 2))).sum()


def _precision_sum(ranked, threshold, k):
    """Sum over ranks of P(hit here) x E(precision here, given a hit here)."""
    hits_ahead, hits_inside = _ahead(ranked.grades >= threshold, ranked)
    place = _ranks(ranked) - 1 - ranked.start
    others = place * (hits_inside - 1) / np.maximum(ranked.size - 1, 1)
    expected = hits_inside / ranked.size * (hits_ahead + 1 + others) / _ranks(ranked)
    return expected[:k].sum()


def _first_hit(ranked, threshold, worth, k):
    """Expectation of worth[rank of the first hit], 0 where that is beyond k."""
    hits_ahead, hits_inside = _ahead(ranked.grades >= threshold, ranked)
    group = np.flatnonzero((hits_ahead == 0) & (hits_inside > 0))
    if group.size == 0:
        return 0.0
    size, relevant = len(group), hits_inside[group[0]]
    missed, expected = 1.0, 0.0
    for place, rank in enumerate(group):
        if k is not None and rank >= k:
            break
        hit = min(relevant / (size - place), 1.0)
        expected += missed * hit * worth[rank]
        missed *= 1 - hit
    return expected


def _ratio(part, whole, undefined):
    value = np.full(len(part), POLICIES[undefined])
    np.divide(part, whole, out=value, where=whole > 0)
    return np.minimum(value, 1.0)


# ---- checking input --------------------------------------------------------------------------------------------


def _check_choice(name, value, allowed):
    if not isinstance(value, str):
        raise TypeError(f"{name} must be one of {', '.join(map(repr, allowed))}; got {value!r}")
    if value not in allowed:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, allowed))}; got {value!r}")


def _check_k(k):
    if k is None:
        return None
    if isinstance(k, (bool, np.bool_)) or not isinstance(k, (int, np.integer)):
        raise TypeError(f"k must be a whole number of at least 1, or None for the whole list; got {k!r}")
    if k < 1:
        raise ValueError(f"k must be a whole number of at least 1, or None for the whole list; got {k!r}")
    return int(k)


def _check_threshold(threshold):
    if isinstance(threshold, (bool, np.bool_)) or not isinstance(threshold, (int, float, np.number)):
        raise TypeError(f"threshold must be a positive number; got {threshold!r}")
    if not 0 < threshold < np.inf:
        raise ValueError(f"threshold must be a positive number; got {threshold!r}")


def _check_numbers(name, values):
    array = np.asarray(values)
    if array.dtype.kind not in "biuf" and array.size:
        raise TypeError(f"{name} must be numbers; got {array.dtype}")
    return array.astype(np.float64)


def _check_grades(grades, name="grades"):
    grades = _check_numbers(name, grades)
    if grades.ndim != 1:
        raise ValueError(f"{name} must be one-dimensional; got shape {grades.shape}")
    bad = np.flatnonzero(~((grades >= 0) & (grades < np.inf)))
    if bad.size:
        raise ValueError(f"{name} must be finite and 0 or more; got {grades[bad[0]]} at position {bad[0]}")
    return grades


def _check_scores(scores):
    scores = _check_numbers("scores", scores)
    if scores.ndim != 1:
        raise ValueError(f"scores must be one-dimensional; got shape {scores.shape}")
    return scores


def _check_length(name, values, other, others):
    if len(values) != len(others):
        raise ValueError(f"{name} and {other} must have one length; got {len(values)} and {len(others)}")


def _as_text(ids):
    return [i.decode() if isinstance(i, bytes) else str(i) for i in np.asarray(ids).tolist()]


def _codes(name, ids, names):
    if names is not None:
        return np.asarray(ids, dtype=np.int64), list(names)
    text = _as_text(ids)
    table = {}
    codes = np.array([table.setdefault(i, len(table)) for i in text], dtype=np.int64)
    return codes, list(table)


def _check_judged(judged, names, coded):
    ids, grades = judged
    grades = _check_grades(grades, "judged")
    if coded:
        codes = np.asarray(ids, dtype=np.int64)
    else:
        table = {name: code for code, name in enumerate(names)}
        codes = np.array([table.setdefault(i, len(table)) for i in _as_text(ids)], dtype=np.int64)
        names = list(table)
    _check_length("judged grades", grades, "judged query ids", codes)
    return codes, grades, names


def _check_contained(codes, grades, judged_codes, judged_grades, names):
    from collections import Counter

    have = Counter(zip(judged_codes.tolist(), judged_grades.tolist(), strict=True))
    known = set(judged_codes.tolist())
    need = Counter(
        (c, g) for c, g in zip(codes.tolist(), grades.tolist(), strict=True) if g > 0 and c in known
    )
    for (code, grade), times in need.items():
        if times > have[code, grade]:
            raise ValueError(
                f"judged must contain the ranking; query {names[code]!r} has grade {grade:g} {times} times "
                f"in grades and {have[code, grade]} times in judged"
            )


def _text_ranks(doc_ids, n):
    ids = doc_ids if isinstance(doc_ids, (list, tuple, np.ndarray)) else doc_ids[np.arange(n)]
    _, rank = np.unique(np.array(_as_text(ids)), return_inverse=True)
    return rank


def _from_matrix(grades, scores, judged, mask, ties):
    _check_choice("ties", ties, ("mean", "input"))
    grades = _check_matrix("grades", grades)
    rows, columns = grades.shape
    keep = np.ones(grades.shape, bool) if mask is None else np.asarray(mask, dtype=bool)
    codes = np.repeat(np.arange(rows), columns).reshape(rows, columns)[keep]
    if scores is not None:
        scores = _check_matrix("scores", scores)
        if scores.shape != grades.shape:
            raise ValueError(f"scores must have the shape of grades, {grades.shape}; got {scores.shape}")
        scores = scores[keep]
    names = [f"row {row}" for row in range(rows)]
    if judged is None:
        flat = (codes, grades[keep])
    else:
        lists = [np.atleast_1d(np.asarray(row, dtype=np.float64)) for row in judged]
        if len(lists) != rows:
            raise ValueError(f"judged must have one row per row of grades, {rows}; got {len(lists)}")
        ids = np.repeat(np.arange(rows), [len(row) for row in lists])
        flat = (ids, np.concatenate([np.empty(0), *lists]))
    result = Records.__new__(Records)
    result.ties = ties
    judged_grades = _check_grades(flat[1], "judged")
    g = _check_grades(grades[keep])
    if judged is not None:
        _check_contained(codes, g, flat[0], judged_grades, names)
    broken = np.arange(len(codes)) if ties == "input" or scores is None else None
    keys = np.zeros(len(codes)) if scores is None else -scores
    bad = np.flatnonzero(np.isnan(keys))
    if bad.size:
        raise ValueError(f"scores: row {codes[bad[0]]} holds a nan")
    result._setup(names, codes, g, keys, broken, flat[0], judged_grades, False)
    return result


def _check_matrix(name, values):
    try:
        array = np.asarray(values)
    except ValueError:
        raise ValueError(f"{name} must be a matrix, one row per query; got rows of different lengths") from None
    if array.ndim != 2:
        raise ValueError(f"{name} must be a matrix, one row per query; got {array.ndim} dimension(s)")
    return _check_numbers(name, array)
