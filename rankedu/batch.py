"""The metrics of `rankedu.metrics` for many queries at once, vectorised.

Two shapes of input, the same metrics for both:

* **matrices**: `ndcg(grades, scores, k=10)`, one row a query, one column a document -> one number a row;
* **flat records**: `Records(query_ids, grades, scores).ndcg(k=10)`, one row a (query, document) pair, any
  number of documents a query -> one number a query, in the order of `Records.query_ids`.

How it works
------------
*Ranking.* One function, `_rank`, puts documents in order, best score first, and every metric consumes its
result; no two metrics can disagree on an order. `Records` keeps the result, so that ten measures of one run
sort it once. A matrix that is cut at k sorts only the documents that can stand in the top k.

*Tie groups.* Documents with equal scores form a tie group. The ranking marks the rank at which each group
begins. Where ties are broken (`ties="docid"`, `ties="input"`) every document is a group of its own, and the
same formulas hold.

*Expectation.* Under `ties="mean"` a metric is its exact mean over every order of the tied documents:

* DCG, CG, precision, recall, and F1 at a fixed k are sums over ranks of weight x value (F1@k is
  2 x hits / (k + R)). The mean of a sum is the sum of the means, and every document of a group stands at
  each of its ranks equally often: each rank gets the mean value of its group (`_tie_means`).
* Average precision also needs the hits ahead of a hit: the other `relevant - 1` hits of the group are spread
  evenly over its other `size - 1` places (`_precision_sum`).
* Reciprocal rank and hit rate depend on the first hit alone: on the first group that holds one, and on
  where the first of its `relevant` hits lands among its `size` places, drawn without replacement
  (`_missed`).

*Blocks.* Queries are worked on in blocks of about fifty thousand documents, which fit the processor's
cache, as matrices: queries of like length together, a shorter one padded with cells that sort last and have
grade 0. A block's temporary arrays are all the memory it takes beside the input and the result.

Grades and scores become float64 before any arithmetic, so unsigned and 8-bit arrays never wrap round. Reading
files, matching documents with judgments, and reporting is the work of `rankedu.trec`.

References
----------
McSherry, F. and Najork, M. (2008). Computing information retrieval performance measures efficiently in the
presence of tied scores. ECIR. (The expectations.)
Järvelin, K. and Kekäläinen, J. (2002). Cumulated gain-based evaluation of IR techniques. ACM TOIS 20(4).
(DCG.)
"""

from __future__ import annotations

import numbers
import warnings
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.lib.stride_tricks import as_strided

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

# Documents in a block: one float64 array of it takes 384 kB, so the two or three in use at once stay in a
# cache of one megabyte, and numpy is called seldom enough that the calls themselves do not count.
_CELLS = 48 << 10
# Up to this many columns, sorting a row costs no more than finding its k-th value.
_SHORT_ROW = 256


# ---- matrices: one row a query ---------------------------------------------------------------------------


def ndcg(
    grades, scores=None, k=None, *, judged=None, mask=None, gain="linear", ties="mean", undefined="zero"
):
    """NDCG@k of every row: its DCG over the ideal DCG of everything judged. Shape (n_queries,), 0 to 1.

    Parameters
    ----------
    grades : (n_queries, n_docs)
        Grade of each document, 0 or more.
    scores : (n_queries, n_docs), optional
        What the system gave each document; higher ranks first. Left out: the columns are in rank order
        already. nan is an error that names the row; infinite scores are legal.
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
    records = _Matrix(grades, scores, mask, ties, judged)
    return records.ndcg(k, gain=gain, undefined=undefined)


def dcg(grades, scores=None, k=None, *, mask=None, gain="linear", ties="mean"):
    """DCG@k of every row: the sum of gain / log2(rank + 1) over the top k. Shape (n_queries,), 0 or more.

    Arguments as in `ndcg`. A gain or a DCG that is not finite is an error that names the row.

    >>> dcg([[2, 0, 1, 2, 1]]).round(3).tolist()
    [3.748]
    """
    return _Matrix(grades, scores, mask, ties).dcg(k, gain=gain)


def ideal_dcg(grades, k=None, *, judged=None, mask=None, gain="linear"):
    """DCG@k of every row's judged grades sorted best first: sort, then cut. Shape (n_queries,).

    Arguments as in `ndcg`; scores play no part.

    >>> ideal_dcg([[2, 0, 1, 2, 1]]).round(3).tolist()
    [4.193]
    """
    return _Matrix(grades, None, mask, "mean", judged).ideal_dcg(k, gain=gain)


def cumulative_gain(grades, scores=None, k=None, *, mask=None, gain="linear", ties="mean"):
    """Sum of the gains in the top k of every row. Shape (n_queries,). Arguments as in `ndcg`.

    >>> cumulative_gain([[3, 2, 0, 1, 4]], k=3).tolist()
    [5.0]
    """
    return _Matrix(grades, scores, mask, ties).cumulative_gain(k, gain=gain)


def precision_at_k(grades, scores=None, k=None, *, mask=None, threshold=1, ties="mean"):
    """Relevant documents in the top k of every row, over k, also of a shorter row. Shape (n_queries,).

    A document is relevant when its grade reaches `threshold`. k=None divides by the number of documents in
    the row. Other arguments as in `ndcg`.

    >>> precision_at_k([[1, 0, 2, 0]], k=3, threshold=2).round(3).tolist()
    [0.333]
    """
    return _Matrix(grades, scores, mask, ties).precision_at_k(k, threshold=threshold)


def recall_at_k(
    grades, scores=None, k=None, *, judged=None, mask=None, threshold=1, ties="mean", undefined="zero"
):
    """Relevant documents in the top k of every row, over all relevant ones judged. Shape (n_queries,).

    Arguments as in `ndcg` and `precision_at_k`.

    >>> recall_at_k([[1, 0, 1, 1]], k=2, judged=[[1, 1, 1, 1]]).tolist()
    [0.25]
    """
    records = _Matrix(grades, scores, mask, ties, judged)
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
    records = _Matrix(grades, scores, mask, ties, judged)
    return records.f1_at_k(k, threshold=threshold, undefined=undefined)


def hit_rate_at_k(grades, scores=None, k=None, *, mask=None, threshold=1, ties="mean"):
    """1.0 for every row with a relevant document in its top k, else 0.0. Shape (n_queries,).

    Under `ties="mean"`: the share of the tied orders that have one. Arguments as in `precision_at_k`.

    >>> hit_rate_at_k([[0, 0, 1]], [[5, 5, 5]], k=1).round(3).tolist()
    [0.333]
    """
    return _Matrix(grades, scores, mask, ties).hit_rate_at_k(k, threshold=threshold)


def average_precision(
    grades, scores=None, k=None, *, judged=None, mask=None, threshold=1, ties="mean", undefined="zero"
):
    """Average precision of every row: sum of P@i at each relevant rank i <= k, over R. Shape (n_queries,).

    R is the number of relevant documents judged (trec_eval's rule). Arguments as in `ndcg` and
    `precision_at_k`.

    >>> average_precision([[1, 0, 1, 0, 1], [0, 1, 1, 1, 0]]).round(3).tolist()
    [0.756, 0.639]
    """
    records = _Matrix(grades, scores, mask, ties, judged)
    return records.average_precision(k, threshold=threshold, undefined=undefined)


def reciprocal_rank(grades, scores=None, k=None, *, mask=None, threshold=1, ties="mean"):
    """1 / rank of the first relevant document of every row, 0.0 without one in the top k. Shape (n_queries,).

    Arguments as in `precision_at_k`.

    >>> reciprocal_rank([[0, 1, 0], [0, 0, 0]]).tolist()
    [0.5, 0.0]
    """
    return _Matrix(grades, scores, mask, ties).reciprocal_rank(k, threshold=threshold)


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


# ---- the metrics, once for both shapes -------------------------------------------------------------------


class _Queries:
    """Every metric, one number per query, from blocks of ranked queries and blocks of judged grades.

    A subclass says where these come from: `_ranked(depth)` yields (queries, _Ranked) with at least the top
    `depth` ranks, `_judged` and `_retrieved` are `_Lists` of grades, `_label(query)` names a query in an
    error.
    """

    def num_retrieved(self):
        """Number of documents retrieved for each query. Shape (n_queries,), int."""
        return self._retrieved.counts.astype(np.int64)

    def num_relevant(self, threshold=1):
        """Number of relevant documents judged for each query, retrieved or not. Shape (n_queries,), int."""
        return _count_relevant(self._judged, threshold)

    def num_relevant_retrieved(self, threshold=1):
        """Number of relevant documents retrieved for each query, at any rank. Shape (n_queries,), int."""
        return _count_relevant(self._retrieved, threshold)

    def undefined_queries(self, threshold=None):
        """Which queries are 0/0, and so get the value of `undefined`. Shape (n_queries,), bool.

        `threshold=None`: no positive grade was judged, which leaves NDCG undefined. A number: no judged grade
        reaches it, which leaves recall, F1 and average precision undefined.
        """
        if threshold is None:
            return self.ideal_dcg(1) == 0
        return self.num_relevant(threshold) == 0

    def cumulative_gain(self, k=None, *, gain="linear"):
        """Sum of the gains in the top k of each query. Shape (n_queries,)."""
        k = _check_k(k)
        self._check_gain(gain, self._retrieved, "grades")
        return self._finite(
            self._each(lambda top: _top_sum(top._replace(grades=_gain(top.grades, gain)), k), k)
        )

    def dcg(self, k=None, *, gain="linear"):
        """DCG@k of each query. Shape (n_queries,)."""
        k = _check_k(k)
        self._check_gain(gain, self._retrieved, "grades")
        return self._finite(
            self._each(lambda top: _discounted(_tie_means(_gain(top.grades, gain), top.begins)[:, :k]), k)
        )

    def ideal_dcg(self, k=None, *, gain="linear"):
        """DCG@k of the judged grades of each query, best first. Shape (n_queries,)."""
        k = _check_k(k)
        self._check_gain(gain, self._judged, "judged")
        values = np.zeros(len(self._judged.counts))
        with np.errstate(over="ignore"):
            for queries, best in self._judged.best_first(k):
                values[queries] = _discounted(_gain(best, gain))
        return self._finite(values)

    def ndcg(self, k=None, *, gain="linear", undefined="zero"):
        """NDCG@k of each query, `undefined` where no grade is positive. Shape (n_queries,), 0 to 1."""
        _check_choice("undefined", undefined, POLICIES)
        return _ratio(self.dcg(k, gain=gain), self.ideal_dcg(k, gain=gain), undefined)

    def precision_at_k(self, k=None, *, threshold=1):
        """Relevant documents in the top k of each query, over k. Shape (n_queries,).

        k=None: over the number of documents retrieved.
        """
        hits = self._hits(k, threshold)
        return hits / (np.maximum(self.num_retrieved(), 1) if k is None else k)

    def recall_at_k(self, k=None, *, threshold=1, undefined="zero"):
        """Relevant documents in the top k of each query, over all those judged. Shape (n_queries,)."""
        _check_choice("undefined", undefined, POLICIES)
        return _ratio(self._hits(k, threshold), self.num_relevant(threshold), undefined)

    def f1_at_k(self, k=None, *, threshold=1, undefined="zero"):
        """Harmonic mean of precision@k and recall@k of each query. Shape (n_queries,)."""
        _check_choice("undefined", undefined, POLICIES)
        hits = self._hits(k, threshold)
        relevant = self.num_relevant(threshold)
        # With P = hits / k and R = hits / relevant, 2PR / (P + R) is 2 x hits / (k + relevant).
        whole = relevant + (self.num_retrieved() if k is None else k)
        return _ratio(2 * hits, np.where(relevant > 0, whole, 0), undefined)

    def hit_rate_at_k(self, k=None, *, threshold=1):
        """1.0 for each query with a relevant document in its top k, else 0.0. Shape (n_queries,)."""
        return self._first_hits(_chance_of_hit, k, threshold)

    def average_precision(self, k=None, *, threshold=1, undefined="zero"):
        """Average precision, cut at k, of each query. Shape (n_queries,)."""
        k = _check_k(k)
        _check_threshold(threshold)
        _check_choice("undefined", undefined, POLICIES)
        precisions = self._each(lambda top: _precision_sum(top, threshold, k), k)
        return _ratio(precisions, self.num_relevant(threshold), undefined)

    def reciprocal_rank(self, k=None, *, threshold=1):
        """1 / rank of the first relevant document of each query, 0.0 without one in the top k."""
        return self._first_hits(_mean_reciprocal, k, threshold)

    def _each(self, metric, k):
        """metric(the top k, ranked) of every block, put together; 0 for a query without documents."""
        values = np.zeros(len(self._retrieved.counts))
        with np.errstate(over="ignore", invalid="ignore"):
            for queries, ranked in self._ranked(k):
                values[queries] = metric(_cut(ranked, k))
        return values

    def _hits(self, k, threshold):
        k = _check_k(k)
        _check_threshold(threshold)
        return self._each(lambda top: _top_sum(top._replace(grades=top.grades >= threshold), k), k)

    def _first_hits(self, metric, k, threshold):
        k = _check_k(k)
        _check_threshold(threshold)
        return self._each(lambda top: metric(_first_hit(top, threshold), k), k)

    def _finite(self, values):
        bad = np.flatnonzero(~np.isfinite(values))
        if bad.size:
            raise ValueError(
                f"grades of {self._label(bad[0])} are too large: their sum is not a finite number"
            )
        return values

    def _check_gain(self, gain, lists, name):
        _check_choice("gain", gain, GAINS)
        if gain == "exponential" and lists.largest >= 1024:
            raise ValueError(
                f"{name} must be below 1024 for gain='exponential', or 2**grade - 1 is not finite; "
                f"got {lists.largest:g}"
            )


class _Matrix(_Queries):
    """One row a query. Ranked anew, block by block, for each metric: only as deep as the metric looks."""

    def __init__(self, grades, scores, mask, ties, judged=None):
        _check_choice("ties", ties, ("mean", "input"), 'a matrix has no ids for ties="docid": see Records')
        grades = _as_matrix("grades", grades)
        if mask is not None:
            mask = np.asarray(mask)
            if mask.dtype != bool:
                raise TypeError(f"mask must be an array of bool; got {mask.dtype}")
            _check_shape("mask", mask, grades)
        self._mask, self._ties = mask, ties
        self._retrieved = _MatrixLists("grades", grades, mask)
        self._scores, self._padding = None, np.inf
        if scores is not None:
            self._scores = _as_matrix("scores", scores)
            _check_shape("scores", self._scores, grades)
            self._padding = self._check_scores()
        self._judged = self._retrieved
        if judged is not None:
            self._judged = _judged_lists(judged, len(grades))
            _check_contained(self._retrieved, self._judged, self._label)

    def _check_scores(self):
        scores = self._scores
        if self._mask is not None:
            # what stands in padding may be anything, nan as well
            scores = np.where(self._mask, scores, 0)
        return _check_scores(scores, lambda cell: self._label(cell // scores.shape[1]))

    def _label(self, query):
        return f"row {query}"

    def _keys(self, rows):
        """What to sort by, lowest first: see `_rank`."""
        if self._scores is None:
            keys = np.broadcast_to(np.arange(self._mask.shape[1], dtype=np.float64), self._mask[rows].shape)
        else:
            keys = np.negative(self._scores[rows], dtype=np.float64)
        return keys if self._mask is None else np.where(self._mask[rows], keys, self._padding)

    def _ranked(self, depth):
        break_ties = None if self._ties == "mean" else _first_come_first
        for rows, grades in self._retrieved.blocks():
            if self._scores is None and self._mask is None:
                yield rows, _Ranked(grades[:, :depth], None)
                continue
            keys = self._keys(rows)
            ends = None if self._mask is None else _Ends.of(self._retrieved.counts[rows], keys.shape[1])
            order, ends, begins = _rank(keys, ends, self._padding, depth, break_ties)
            yield rows, _Ranked(_fill(ends, grades.take(order), 0), begins)

    def _first_hits(self, metric, k, threshold):
        if self._scores is None or self._ties != "mean":
            return super()._first_hits(metric, k, threshold)
        # The first hit needs no sort: count what scores more than the best relevant document, and as much.
        k = _check_k(k)
        _check_threshold(threshold)
        values = np.zeros(len(self._retrieved.counts))
        for rows, grades in self._retrieved.blocks():
            values[rows] = metric(_count_first_hit(self._keys(rows), grades >= threshold), k)
        return values


# ---- flat records: one row a (query, document) pair ------------------------------------------------------


class Records(_Queries):
    """The rankings of many queries as flat arrays; every metric is a method with one number per query.

    Parameters
    ----------
    query_ids : (n,) text, or ints
        The query of each record, in any order. Ints are compared as text, so 9 and "9" are one query. With
        `names`, codes: 0 to len(names) - 1.
    grades : (n,)
        The grade of each record's document; 0 for an unjudged one.
    scores : (n,), optional
        Higher ranks first. Left out: the records of each query are in rank order already. nan is an error
        that names the query; infinite scores are legal.
    judged : pair (query_ids, grades), optional
        Two flat arrays of one length: every judged grade with its query, retrieved or not, in any order;
        the ids as in `query_ids` (codes, where `names` is given). Left out: the records are taken to hold
        every judgment. A query that is judged and has no records counts 0 (trec_eval's -c). A query that
        has records and no judgment is left out: see `unjudged_queries`.
    names : sequence of text, optional
        Says that the query ids are codes into it. Results are then in the order of `names`; otherwise in the
        order in which the queries appear, in the records and then in `judged`.
    doc_ids : (n,) text or ints, optional
        Needed for `ties="docid"` alone; ints are compared as text. Or any object for which `doc_ids[i]`, i an
        array of record numbers, is an array of text or of bytes: then only tied records are ever looked up,
        and that no document stands twice in a query is the caller's word.
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
        ids = _QueryIds(names)
        runs = ids.add("query_ids", query_ids)
        grades = _as_flat("grades", grades, runs.total)
        largest = _check_grades("grades", grades, lambda record: ids.label(runs, record))
        padding = np.inf
        if scores is not None:
            scores = _as_flat("scores", scores, runs.total)
            padding = _check_scores(scores, lambda record: ids.label(runs, record))
        judged_runs = runs
        if judged is not None:
            judged_runs, judged_grades, judged_largest = _add_judged(ids, judged)
        break_ties = self._tie_breaker(scores, doc_ids, ids, runs)

        kept = ids.kept(judged_runs) if judged is not None else np.ones(len(ids.names), dtype=bool)
        self.query_ids = [name for name, keep in zip(ids.names, kept.tolist(), strict=True) if keep]
        self.unjudged_queries = ids.left_out(runs, kept)
        self._groups = ids.groups(runs, kept)
        lists = _FlatLists(grades, self._groups, largest)
        self._ranking = [
            (block, *_rank_block(block, scores, grades, padding, break_ties))
            for block in self._groups.blocks()
        ]
        self._retrieved = _KeptLists([(block.queries, top.grades) for block, _, top in self._ranking], lists)
        self._judged = self._retrieved
        if judged is not None:
            all_judged = _FlatLists(judged_grades, ids.groups(judged_runs, kept), judged_largest)
            _check_contained(lists, all_judged, self._label)
            self._judged = _SortedLists(list(all_judged.best_first(None)), all_judged)

    def _tie_breaker(self, scores, doc_ids, ids, runs):
        if self.ties == "mean" and scores is not None:
            return None
        if self.ties != "docid" or scores is None:
            return _first_come_first
        if doc_ids is None:
            raise ValueError('doc_ids must be given with ties="docid"')
        if isinstance(doc_ids, (list, tuple, np.ndarray)) or hasattr(doc_ids, "__array__"):
            return _by_known_ids(doc_ids, ids, runs)
        return lambda records: -_text_ranks(doc_ids[records])

    def __len__(self):
        return len(self.query_ids)

    def __repr__(self):
        return f"<Records: {len(self)} queries, {self._retrieved.counts.sum()} records, ties={self.ties!r}>"

    def _label(self, query):
        return f"query {self.query_ids[query]!r}"

    def _ranked(self, depth):
        for block, _, ranked in self._ranking:
            yield block.queries, ranked

    @property
    def order(self):
        """Record numbers, query by query as in `query_ids`, each query best first. Shape (n_kept,), int.

        Under `ties="mean"` tied records stand in input order here.
        """
        counts = self._groups.counts
        first = np.cumsum(counts) - counts
        result = np.empty(counts.sum(), dtype=np.int64)
        for block, order, ranked in self._ranking:
            records = block.records().take(order)
            if ranked.begins is not None:
                _break_ties(records, ranked.begins, _first_come_first)
            places = first[block.queries][:, None] + np.arange(block.width)
            real = _fill(block.ends, np.ones(records.shape, dtype=bool), False)
            result[places[real]] = records[real]
        return result

    def total_at_k(self, values, k=None):
        """Sum of `values`, one number per record as they were given, over the top k of each query.

        For whatever has no metric here, such as the number of unjudged documents in the top k. Under
        `ties="mean"`, the mean sum over the tied orders. Shape (n_queries,).

        >>> run = Records(["q", "q", "q"], [1, 0, 0], [3, 2, 2])
        >>> run.total_at_k([0, 1, 0], k=2).tolist()
        [0.5]
        """
        k = _check_k(k)
        values = _as_flat("values", values, self._groups.total)
        totals = np.zeros(len(self))
        for block, order, ranked in self._ranking:
            ranked = ranked._replace(grades=_fill(block.ends, block.take(values).take(order), 0))
            totals[block.queries] = _top_sum(_cut(ranked, k), k)
        return totals


def _rank_block(block, scores, grades, padding, break_ties):
    """(order, _Ranked) of a `_Block`: `order` says which of its cells stands at each rank."""
    grades = _fill(block.ends, block.take(grades), 0)
    if scores is None:
        return np.arange(grades.size, dtype=np.int32).reshape(grades.shape), _Ranked(grades, None)
    keys = _fill(block.ends, np.negative(block.take(scores)), padding)
    by_record = break_ties and (lambda cells: break_ties(block.records().take(cells)))
    order, _, begins = _rank(keys, block.ends, padding, None, by_record)
    ranked = _Ranked(_fill(block.ends, grades.take(order), 0), begins)
    # kept as int32, which counts more documents than a block can hold, in half the room
    return order.astype(np.int32), ranked


# ---- ranking ---------------------------------------------------------------------------------------------


class _Ranked(NamedTuple):
    """Some queries, ranked: one row a query, best document first; grade 0 past the end of a shorter row."""

    grades: np.ndarray  # float64 (rows, width)
    begins: np.ndarray | None  # bool (rows, width): a tie group begins here. None: no two documents are tied


class _Ends(NamedTuple):
    """Where the rows of a matrix end: from `column` on, the cells in which `past` is True are padding."""

    column: int
    past: np.ndarray  # bool (rows, width - column)

    @classmethod
    def of(cls, counts, width):
        """For rows with so many documents each. None where no row is shorter than the matrix."""
        column = int(counts.min(initial=width))
        if column == width:
            return None
        return cls(column, np.arange(column, width) >= counts[:, None])


def _fill(ends, values, value):
    """`values`, an array of our own, with `value` in its padding."""
    if ends is not None:
        np.copyto(values[:, ends.column :], value, where=ends.past)
    return values


def _rank(keys, ends, padding, depth, break_ties):
    """The one ranking that every metric consumes: (order, ends, begins).

    keys: float64 (rows, width), minus the scores; where there is no document, `padding`: a key that sorts
    last. ends: where the rows end once they are sorted. depth: only so many ranks are needed; None: all.
    break_ties: None to keep tie groups, or a function from flat positions in `keys` to whole numbers,
    lowest first.

    order: flat positions in `keys`, best first, one row a query. Where `depth` cuts, it holds all that can
    stand in the top `depth`, whole tie groups included. `ends` as above for it, `begins` as in `_Ranked`.
    """
    cells = None
    # Below half the width, picking out the top pays for itself.
    if depth is not None and 2 * depth < keys.shape[1]:
        keys, cells, ends = _contenders(keys, ends, padding, depth)
    rows, width = keys.shape
    order = np.argsort(keys, axis=1)
    order += np.arange(rows)[:, None] * width
    begins = _group_begins(keys.take(order), ends)
    if cells is not None:
        order = cells.take(order)
    if begins is not None and break_ties is not None:
        _break_ties(order, begins, break_ties)
        begins = None
    return order, ends, begins


def _group_begins(ranked, ends):
    """`begins` of a `_Ranked`, from its sorted keys."""
    rows, width = ranked.shape
    begins = np.empty(rows * width, dtype=bool)
    begins[:1] = True
    # one long comparison is faster than one a row; the first of each row is put right after it
    np.not_equal(ranked.reshape(-1)[1:], ranked.reshape(-1)[:-1], out=begins[1:])
    begins = begins.reshape(rows, width)
    begins[:, :1] = True
    _fill(ends, begins, True)
    return None if begins.all() else begins


def _contenders(keys, ends, padding, depth):
    """The documents of each row that can stand in its top `depth`: (keys, flat positions, ends).

    These are the ones with a key up to the depth-th lowest: `depth` of them, more where a tie straddles the
    cut.
    """
    rows, width = keys.shape
    if width <= _SHORT_ROW:
        limit = np.sort(keys, axis=1)[:, depth - 1 : depth]
    else:
        limit = np.partition(keys, depth - 1, axis=1)[:, depth - 1 : depth]
    if ends is not None:
        # Where a row has fewer documents than depth, its limit is padding: all of it is within, which does no
        # harm, for padding sorts last and has grade 0.
        limit = np.where(np.isnan(limit), np.inf, limit)
    cells = np.flatnonzero(keys <= limit)
    if cells.size == rows * depth and ends is None:
        cells = cells.reshape(rows, depth)
        return keys.take(cells), cells, None
    bounds = np.searchsorted(cells, np.arange(rows + 1) * width)
    counts = np.diff(bounds)
    ends = _Ends.of(counts, int(counts.max()))
    cells = cells.take(bounds[:-1, None] + np.arange(counts.max()), mode="clip")
    return _fill(ends, keys.take(cells), padding), cells, ends


def _cut(ranked, k):
    """The ranking without most of what is beyond rank k and not tied with it: less work for a metric@k."""
    grades, begins = ranked
    if k is None or grades.shape[1] < 2 * k:
        return ranked
    if begins is None:
        return _Ranked(grades[:, :k], None)
    # The group of rank k ends where the next one begins, if one does.
    next_begins = begins[:, k:]
    rest = np.where(next_begins.any(axis=1), next_begins.argmax(axis=1), next_begins.shape[1])
    width = k + rest.max(initial=0)
    grades, begins = np.ascontiguousarray(grades[:, :width]), np.ascontiguousarray(begins[:, :width])
    return _Ranked(grades, None if begins.all() else begins)


def _break_ties(order, begins, break_ties):
    """Put the documents of each tie group in the order of break_ties(document), in place."""
    slots = _tied_slots(begins)
    group = np.cumsum(begins)[slots]
    documents = order.take(slots)
    place = break_ties(documents)
    place = place - place.min()
    # Group and place in one number: sorting it keeps every group on the ranks that it holds.
    order.reshape(-1)[slots] = documents[np.argsort(group * (place.max() + 1) + place)]


def _first_come_first(documents):
    return documents


def _by_known_ids(doc_ids, ids, runs):
    """break_ties for ids that are all at hand: descending as text; no document twice in a query."""
    doc_ids = _as_ids("doc_ids", doc_ids)
    if len(doc_ids) != runs.total:
        raise ValueError(f"doc_ids must have the length of query_ids, {runs.total}; got {len(doc_ids)}")
    table = {}
    codes = np.array([table.setdefault(text, len(table)) for text in _texts(doc_ids)], dtype=np.int64)
    ranks = np.empty(len(table), dtype=np.int64)
    ranks[[table[text] for text in sorted(table)]] = np.arange(len(table))
    pairs = runs.codes() * len(table) + codes
    if np.unique(pairs).size < pairs.size:
        again = np.setdiff1d(np.arange(pairs.size), np.unique(pairs, return_index=True)[1])[0]
        document = _texts(doc_ids[again : again + 1])[0]
        raise ValueError(f"doc_ids: document {document!r} stands twice in {ids.label(runs, again)}")
    ranks = ranks[codes]
    return lambda records: -ranks[records]


def _text_ranks(ids):
    """For each id its place among these ids, sorted as text."""
    ids = np.asarray(ids)
    if ids.dtype.kind in "iu":
        ids = ids.astype("U")
    return np.unique(ids, return_inverse=True)[1]


# ---- expectation over the orders of tied documents -------------------------------------------------------


def _group_ends(begins):
    """Where a tie group ends. Shape as `begins`, bool."""
    ends = np.ones_like(begins)
    ends[:, :-1] = begins[:, 1:]
    return ends


def _tied_slots(begins):
    """Flat positions of the documents that share their tie group with another."""
    return np.flatnonzero(~(begins & _group_ends(begins)))


def _tie_means(values, begins):
    """At each rank the mean of `values` over its tie group: what stands there on average. Shape unchanged."""
    if begins is None:
        return values
    slots = _tied_slots(begins)
    tied = values.take(slots).astype(np.float64, copy=False)
    heads = np.flatnonzero(begins.take(slots))
    sizes = np.diff(heads, append=slots.size)
    # Differences from the least: equal values have exactly that value for a mean, so a perfect order stays
    # 1.0, and the order in which whole grades come in cannot move the last bit.
    least = np.minimum.reduceat(tied, heads)
    means = least + np.add.reduceat(tied - np.repeat(least, sizes), heads) / sizes
    values = values.astype(np.float64)
    values.reshape(-1)[slots] = np.repeat(means, sizes)
    return values


def _row_sums(values):
    """Sum of every row, for bool the number of True. Shape (rows,)."""
    # twice as fast as sum or count_nonzero where rows are short
    return np.einsum("ij->i", values, dtype=np.int64 if values.dtype == bool else None)


def _top_sum(ranked, k):
    return _row_sums(_tie_means(ranked.grades, ranked.begins)[:, :k])


def _gain(grades, kind):
    if kind == "linear":
        return grades
    # Contiguous: by the layout numpy picks a vectorised exp2 or a plain one, and the last bit can differ.
    return np.exp2(np.ascontiguousarray(grades)) - 1


def _discounted(gains):
    """Sum over ranks of gain x discount, (rows, width) -> (rows,)."""
    rows, width = gains.shape
    discount = 1 / np.log2(np.arange(2, width + 2))
    # Summed down the columns of the matrix turned over, rank after rank: zeros at the end cannot move the
    # last bit, as they may in the sum of a row, which numpy adds in several strands. So a ranking that equals
    # the ideal, but for the padding, gets exactly the same DCG. One column too many, because a single one
    # would be summed like a row.
    products = np.zeros((width, rows + 1))
    np.multiply(gains.T, discount[:, None], out=products[:, :rows])
    return products.sum(axis=0)[:rows]


def _precision_sum(ranked, threshold, k):
    """Sum over the relevant ranks i <= k of precision@i, (rows,)."""
    relevant = ranked.grades >= threshold
    # int32: half the memory traffic of int64, and no list is longer than it counts
    hits = np.cumsum(relevant, axis=1, dtype=np.int32)
    hits_at_hits = hits * relevant
    if ranked.begins is not None:
        ends = _group_ends(ranked.begins)
        hits_at_hits *= ranked.begins & ends
    hits_at_hits = hits_at_hits[:, :k]
    precisions = hits_at_hits / np.arange(1, hits_at_hits.shape[1] + 1, dtype=np.int32)
    if ranked.begins is not None:
        _add_tied_precisions(precisions, relevant, hits, ranked.begins, ends)
    return _row_sums(precisions)


def _add_tied_precisions(precisions, relevant, hits, begins, ends):
    """Put the mean sum of the precisions of each tie group into its first cell; other cells of it stay 0.

    A group of `size` documents, `found` of them relevant, stands behind `ahead` documents with `hits_ahead`
    hits. Its j-th place holds a hit with probability found / size, and then, on average,
    hits_ahead + 1 + (j - 1) x slope hits up to itself, slope = (found - 1) / (size - 1). With
    (j - 1) / (ahead + j) = 1 - (ahead + 1) / (ahead + j), the sum of precisions over the first n places is
        found / size x (slope x n + (hits_ahead + 1 - slope x (ahead + 1)) x sum of 1 / (ahead + j)).
    """
    width, depth = begins.shape[1], precisions.shape[1]
    heads, tails = np.flatnonzero(begins > ends), np.flatnonzero(ends > begins)
    hits_ahead = hits.take(heads) - relevant.take(heads)
    found = hits.take(tails) - hits_ahead
    counts = found > 0
    if depth < width:
        counts &= heads % width < depth
    counts = np.flatnonzero(counts)
    heads, tails, hits_ahead, found = (part.take(counts) for part in (heads, tails, hits_ahead, found))
    row = heads // width
    ahead = heads - row * width
    sizes = tails - heads + 1
    places = np.minimum(sizes, depth - ahead)
    harmonic = _harmonic(depth)
    reciprocals = harmonic.take(ahead + places) - harmonic.take(ahead)
    slope = (found - 1) / (sizes - 1)
    sums = slope * places + (hits_ahead + 1 - slope * (ahead + 1)) * reciprocals
    precisions.reshape(-1)[row * depth + ahead] = found / sizes * sums


def _harmonic(n):
    """1/1 + ... + 1/i for i from 0 to n, at least. Shape (n + 1,) or longer."""
    return _harmonic_table(int(n).bit_length())


@cache
def _harmonic_table(bits):
    # long double, where the machine has it: differences of these sums are taken far down the list
    sums = np.cumsum(1 / np.arange(1, 1 << bits, dtype=np.longdouble))
    return np.concatenate([[0.0], sums]).astype(np.float64)


class _FirstHit(NamedTuple):
    """The first tie group of each query that holds a relevant document. Each (rows,), int."""

    ahead: np.ndarray  # documents ahead of the group
    size: np.ndarray  # documents in the group
    relevant: np.ndarray  # relevant ones among them, 0 where the query has none at all


def _first_hit(ranked, threshold):
    relevant = ranked.grades >= threshold
    rows, width = relevant.shape
    # argmax is the first True, and 0 where there is none, whose group then has no hit
    ahead = relevant.argmax(axis=1) if width else np.zeros(rows, dtype=np.intp)
    if ranked.begins is None:
        return _FirstHit(ahead, np.ones_like(ahead), relevant.any(axis=1).astype(np.intp))
    row_start = np.arange(rows) * width
    heads = np.append(np.flatnonzero(ranked.begins), relevant.size)
    group = np.searchsorted(heads, row_start + ahead, side="right") - 1
    hits = np.concatenate([[0], np.cumsum(relevant)])
    start, end = heads[group], heads[group + 1]
    return _FirstHit(start - row_start, end - start, hits[end] - hits[start])


def _count_first_hit(keys, relevant):
    """`_first_hit` without a ranking: from the keys (minus the scores) of documents in any order."""
    best = np.where(relevant, keys, np.inf).min(axis=1, keepdims=True, initial=np.inf)
    tied = keys == best
    return _FirstHit(_row_sums(keys < best), _row_sums(tied), _row_sums(tied & relevant))


def _mean_reciprocal(first, k):
    """Mean of 1 / rank of the first hit over the tied orders, 0 where that is beyond k. Shape (rows,)."""
    values, open_, first = _settle(first, k, lambda rank: 1 / rank)
    missed = _missed(first, k)
    chance = missed[:, :-1] - missed[:, 1:]
    rank = first.ahead[:, None] + np.arange(1, chance.shape[1] + 1)
    if k is not None:
        chance = chance * (rank <= k)
    values[open_] = (chance / rank).sum(axis=1)
    return values


def _chance_of_hit(first, k):
    """Share of the tied orders with a hit within k. Shape (rows,)."""
    values, open_, first = _settle(first, k, np.ones_like)
    missed = _missed(first, k)
    places = first.size if k is None else k - first.ahead
    last = np.clip(places, 0, missed.shape[1] - 1)
    values[open_] = 1 - missed[np.arange(len(last)), last]
    return values


def _settle(first, k, worth):
    """Values of the queries where ties leave no doubt about the first hit, and the other queries.

    No doubt: no relevant document at all, nothing but relevant ones in the group, or a group beyond k.
    """
    rank = first.ahead + 1
    within = first.relevant > 0 if k is None else (first.relevant > 0) & (rank <= k)
    certain = within & (first.relevant == first.size)
    values = np.where(certain, worth(rank), 0.0)
    open_ = np.flatnonzero(within & ~certain)
    return values, open_, _FirstHit(*(part[open_] for part in first))


def _missed(first, k):
    """Chance that the first n places of the group hold no hit, for n = 0, 1, 2, ... Shape (rows, places + 1).

    Place after place, drawn without replacement: with n places gone and none of them a hit, `relevant` of the
    remaining `size - n` are hits.
    """
    places = first.size - first.relevant + 1
    if k is not None:
        places = np.minimum(places, k - first.ahead)
    taken = np.arange(places.max(initial=0))
    relevant = first.relevant[:, None]
    remaining = np.maximum(first.size[:, None] - taken, relevant)
    missed = np.ones((len(relevant), taken.size + 1))
    np.cumprod(1 - relevant / remaining, axis=1, out=missed[:, 1:])
    return missed


def _ratio(part, whole, undefined):
    values = np.full(len(part), POLICIES[undefined])
    np.divide(part, whole, out=values, where=whole > 0)
    # Rounding in the last bit must not lift a ranking above its own ideal; nan passes through.
    return np.minimum(values, 1.0)


# ---- lists of grades, one for each query -----------------------------------------------------------------


class _Lists:
    """What all kinds share: `counts` (grades per query), `largest` (grade), and these blocks."""

    def blocks(self):
        """Yields queries, and a float64 matrix of their grades in any order, a row a query, padded with 0."""
        raise NotImplementedError

    def best_first(self, k):
        """Yields queries, and their k highest grades, highest first; all of them for k=None."""
        for queries, grades in self.blocks():
            width = grades.shape[1]
            if k is not None and 2 * k < width and width > _SHORT_ROW:
                grades = np.partition(grades, width - k, axis=1)[:, width - k :]
            yield queries, np.sort(grades, axis=1)[:, ::-1][:, :k]


class _MatrixLists(_Lists):
    """One row a query; a mask may say which cells count."""

    def __init__(self, name, grades, mask=None):
        self._grades, self._mask = grades, mask
        rows, width = grades.shape
        self.counts = np.full(rows, width) if mask is None else np.count_nonzero(mask, axis=1)
        documents = grades if mask is None else np.where(mask, grades, 0)
        self.largest = _check_grades(name, documents, lambda cell: f"row {cell // width}")

    def blocks(self):
        rows, width = self._grades.shape
        step = max(1, _CELLS // max(width, 1))
        for start in range(0, rows, step):
            part = slice(start, min(start + step, rows))
            block = self._grades[part].astype(np.float64, copy=False)
            if self._mask is not None:
                block = np.where(self._mask[part], block, 0.0)
            yield part, block

    def flat(self, a, b):
        """Query and grade of each cell of queries a to b, as two flat arrays."""
        block = self._grades[a:b]
        real = np.ones(block.shape, dtype=bool) if self._mask is None else self._mask[a:b]
        return a + np.nonzero(real)[0], block[real].astype(np.float64)


class _Groups:
    """Which records are of which query: of query q, `index[start[q] : start[q] + counts[q]]`.

    Without an index, `start[q] : start[q] + counts[q]`: the records of a query stand together. `total`: how
    many records there are, those of queries that were left out included.
    """

    def __init__(self, start, counts, total, index=None):
        self.start, self.counts, self.total, self.index = start, counts, total, index

    def blocks(self):
        """`_Block`s of queries of like length."""
        longest_first = np.argsort(-self.counts, kind="stable")
        lengths = self.counts[longest_first]
        a, end = 0, np.count_nonzero(lengths)
        while a < end:
            width = int(lengths[a])
            b = min(a + max(1, _CELLS // width), end)
            yield _Block(self, longest_first[a:b], width, _Ends.of(lengths[a:b], width))
            a = b

    def flat(self, a, b):
        """Query and number of each record of queries a to b, as two flat arrays."""
        counts = self.counts[a:b]
        within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        records = np.repeat(self.start[a:b], counts) + within
        if self.index is not None:
            records = self.index.take(records)
        return np.repeat(np.arange(a, b), counts), records


class _Block(NamedTuple):
    """Some queries, as a matrix of cells with one row a query; `ends` says which cells are padding."""

    groups: _Groups
    queries: np.ndarray
    width: int
    ends: _Ends | None

    def records(self):
        """The record number of each cell, any number in the padding. Shape (rows, width)."""
        groups = self.groups
        records = groups.start[self.queries][:, None] + np.arange(self.width)
        np.minimum(records, groups.total - 1, out=records)
        return records if groups.index is None else groups.index.take(records)

    def take(self, values):
        """Of flat `values`, the one of each cell; any value in the padding. Shape (rows, width), float64."""
        groups = self.groups
        start = groups.start[self.queries]
        windows = groups.total - self.width + 1
        if groups.index is None and start.max() < windows:
            # Window i is values[i : i + width]. Whole rows are taken more than twice as fast as records.
            shape, strides = (windows, self.width), values.strides * 2
            rows = as_strided(values, shape, strides, writeable=False)[start]
        else:
            rows = values.take(self.records())
        return rows.astype(np.float64, copy=False)


class _FlatLists(_Lists):
    """Grades in one flat array, by record."""

    def __init__(self, grades, groups, largest):
        self._grades, self._groups = grades, groups
        self.counts, self.largest = groups.counts, largest

    def blocks(self):
        for block in self._groups.blocks():
            yield block.queries, _fill(block.ends, block.take(self._grades), 0)

    def flat(self, a, b):
        """Query and grade of each record of queries a to b, as two flat arrays."""
        queries, records = self._groups.flat(a, b)
        return queries, self._grades.take(records).astype(np.float64)


class _KeptLists(_Lists):
    """Blocks that are kept, of the queries that `lists` has."""

    def __init__(self, blocks, lists):
        self._blocks, self.counts, self.largest = blocks, lists.counts, lists.largest

    def blocks(self):
        return iter(self._blocks)


class _SortedLists(_KeptLists):
    """Blocks whose rows were sorted, once, for the ideal of every cut-off."""

    def best_first(self, k):
        for queries, grades in self._blocks:
            yield queries, grades[:, :k]


def _count_relevant(lists, threshold):
    _check_threshold(threshold)
    counts = np.zeros(len(lists.counts), dtype=np.int64)
    for queries, grades in lists.blocks():
        counts[queries] = _row_sums(grades >= threshold)
    return counts


def _judged_lists(judged, rows):
    """`judged` of a matrix: an array padded with 0, or a list with one list per row."""
    if not isinstance(judged, (list, tuple)) and not hasattr(judged, "__array__"):
        raise TypeError(f"judged must be an array, or a list with one list for each row; got {judged!r}")
    if not isinstance(judged, (list, tuple)) and np.asarray(judged).dtype != object:
        lists = _MatrixLists("judged", _as_matrix("judged", judged))
    else:
        parts = [np.atleast_1d(_as_numbers(f"judged[{row}]", part)) for row, part in enumerate(judged)]
        if any(part.ndim != 1 for part in parts):
            raise ValueError("judged must hold one flat list of grades for each row")
        flat = np.concatenate([np.empty(0), *parts])
        counts = np.array([len(part) for part in parts], dtype=np.int64)
        start = np.cumsum(counts) - counts
        largest = _check_grades(
            "judged", flat, lambda cell: f"row {np.searchsorted(start, cell, side='right') - 1}"
        )
        lists = _FlatLists(flat, _Groups(start, counts, len(flat)), largest)
    if len(lists.counts) != rows:
        raise ValueError(f"judged must have one row for each row of grades, {rows}; got {len(lists.counts)}")
    return lists


def _check_contained(retrieved, judged, label):
    """Refuse a `judged` that lacks a positive grade of the ranking, or has it less often."""
    step = max(1, _CELLS * len(retrieved.counts) // max(1, retrieved.counts.sum(), judged.counts.sum()))
    for a in range(0, len(retrieved.counts), step):
        b = min(a + step, len(retrieved.counts))
        queries, grades = _positive(*retrieved.flat(a, b))
        judged_queries, judged_grades = _positive(*judged.flat(a, b))
        kinds, code = _kinds(np.concatenate([grades, judged_grades]))
        pair = (np.concatenate([queries, judged_queries]) - a) * len(kinds) + code
        pairs, pair = np.unique(pair, return_inverse=True) if len(kinds) > 64 else (None, pair)
        have = np.bincount(pair[len(grades) :], minlength=int(pair.max(initial=-1)) + 1)
        need = np.bincount(pair[: len(grades)], minlength=len(have))
        lacking = np.flatnonzero(need > have)
        if lacking.size:
            which = lacking[0] if pairs is None else pairs[lacking[0]]
            query, kind = divmod(int(which), len(kinds))
            raise ValueError(
                "judged must hold every judged grade, those of the ranking among them; "
                f"{label(a + query)} has grade {kinds[kind]:g} {need[lacking[0]]} times in grades, "
                f"{have[lacking[0]]} times in judged"
            )


def _positive(queries, grades):
    return queries[grades > 0], grades[grades > 0]


def _kinds(grades):
    """The different grades, at least, and for each grade which of them it is."""
    largest = grades.max(initial=0)
    whole = grades.astype(np.int64) if largest < 64 else None
    if whole is not None and (whole == grades).all():
        return np.arange(int(largest) + 1), whole
    return np.unique(grades, return_inverse=True)


# ---- ids of queries --------------------------------------------------------------------------------------


class _Runs(NamedTuple):
    """Stretches of records of one query: where each begins, and the number of its query."""

    heads: np.ndarray
    queries: np.ndarray
    total: int

    def codes(self):
        return np.repeat(self.queries, np.diff(self.heads, append=self.total))


class _QueryIds:
    """Numbers the queries 0, 1, 2, ... by their text, in order of first appearance; or as `names` says."""

    def __init__(self, names):
        self._fixed = names is not None
        self._numbers = {}
        self.names = [] if names is None else _texts(_as_ids("names", names))

    def add(self, argument, ids):
        """The runs of these ids; only the first id of each is looked at as text, for runs are long."""
        ids = _as_ids(argument, ids)
        change = np.flatnonzero(ids[1:] != ids[:-1]) + 1
        heads = np.concatenate([np.zeros(min(len(ids), 1), dtype=np.intp), change])
        first = ids[heads]
        if self._fixed:
            return _Runs(heads, self._check_codes(argument, first), len(ids))
        return _Runs(heads, np.array(self._add_texts(_texts(first)), dtype=np.int64), len(ids))

    def _add_texts(self, texts):
        table = self._numbers
        numbers = [table.setdefault(text, len(table)) for text in texts]
        self.names = list(table)
        return numbers

    def _check_codes(self, argument, codes):
        if codes.dtype.kind not in "iu" and codes.size:
            raise TypeError(
                f"{argument} must be codes, whole numbers, where names is given; got {codes.dtype}"
            )
        if codes.size and not 0 <= codes.min() <= codes.max() < len(self.names):
            raise ValueError(
                f"{argument} must be codes from 0 to {len(self.names) - 1}, one for each of names; "
                f"got {codes.min()} to {codes.max()}"
            )
        return codes.astype(np.int64)

    def label(self, runs, record):
        run = np.searchsorted(runs.heads, record, side="right") - 1
        return f"query {self.names[runs.queries[run]]!r}"

    def kept(self, judged_runs):
        kept = np.zeros(len(self.names), dtype=bool)
        kept[judged_runs.queries] = True
        return kept

    def left_out(self, runs, kept):
        answered = np.zeros(len(self.names), dtype=bool)
        answered[runs.queries] = True
        names = np.array(self.names, dtype=object)
        if answered.any() and not (answered & kept).any():
            raise ValueError(
                f"query_ids and judged have no query in common: {names[answered][:3].tolist()} in query_ids, "
                f"{names[kept][:3].tolist()} in judged"
            )
        return names[answered & ~kept].tolist()

    def groups(self, runs, kept):
        """The `_Groups` of the kept queries."""
        n = len(self.names)
        lengths = np.diff(runs.heads, append=runs.total)
        counts = np.bincount(runs.queries, weights=lengths, minlength=n).astype(np.int64)
        index = None
        if np.bincount(runs.queries).max(initial=0) <= 1:
            start = np.zeros(n, dtype=np.int64)
            start[runs.queries] = runs.heads
        else:
            # numpy sorts small whole numbers digit by digit, several times faster than wide ones
            codes = runs.codes().astype(np.min_scalar_type(n))
            index = np.argsort(codes, kind="stable")
            start = np.cumsum(counts) - counts
        return _Groups(start[kept], counts[kept], runs.total, index)


def _add_judged(ids, judged):
    """Runs, grades, and the largest grade of the judgments."""
    if not isinstance(judged, (tuple, list)) or len(judged) != 2:
        raise TypeError("judged must be a pair of flat arrays, (query_ids, grades)")
    runs = ids.add("judged", judged[0])
    grades = _as_flat("judged", judged[1], runs.total)
    return runs, grades, _check_grades("judged", grades, lambda record: ids.label(runs, record))


def _texts(ids):
    """An array of ids as a list of text."""
    if ids.dtype.kind in "iu":
        return list(map(str, ids.tolist()))
    ids = ids.tolist()
    if ids and set(map(type, ids)) != {str}:
        ids = [_text(id_) for id_ in ids]
    return ids


def _text(id_):
    if isinstance(id_, bytes):
        return id_.decode("utf-8", "surrogateescape")
    if isinstance(id_, str) or (isinstance(id_, numbers.Integral) and not isinstance(id_, (bool, np.bool_))):
        return str(id_)
    raise TypeError(f"ids must be text or whole numbers; got {id_!r}")


def _as_ids(name, ids):
    if isinstance(ids, (list, tuple)):
        # text as objects: a text array would give every id the room of the longest
        is_text = not ids or isinstance(ids[0], (str, bytes))
        ids = np.array(ids, dtype=object if is_text else None)
    ids = np.asarray(ids)
    if ids.ndim != 1:
        raise ValueError(f"{name} must be one-dimensional; got shape {ids.shape}")
    if ids.dtype.kind not in "iuUSTO":
        raise TypeError(f"{name} must be text or whole numbers; got {ids.dtype}")
    return ids


# ---- checking input --------------------------------------------------------------------------------------


def _check_choice(name, value, allowed, reason=None):
    if not isinstance(value, str) or value not in allowed:
        because = f" ({reason})" if reason else ""
        raise ValueError(f"{name} must be one of {', '.join(map(repr, allowed))}{because}; got {value!r}")


def _check_k(k):
    allowed = "k must be a whole number of at least 1, or None for the whole list"
    if k is None:
        return None
    if isinstance(k, (bool, np.bool_)) or not isinstance(k, numbers.Integral):
        raise TypeError(f"{allowed}; got {k!r}")
    if k < 1:
        raise ValueError(f"{allowed}; got {k!r}")
    return int(k)


def _check_threshold(threshold):
    if isinstance(threshold, (bool, np.bool_)) or not isinstance(threshold, numbers.Real):
        raise TypeError(f"threshold must be a number above 0; got {threshold!r}")
    if not 0 < threshold < np.inf:
        raise ValueError(f"threshold must be a finite number above 0; got {threshold!r}")


def _as_numbers(name, values):
    """The values as an array of numbers, in whatever type they come: blocks of it become float64 later."""
    if isinstance(values, np.ma.MaskedArray):
        raise TypeError(
            f"{name} must not be a masked array; for a matrix, say with mask= where documents are"
        )
    try:
        array = np.asarray(values)
    except ValueError:
        raise ValueError(
            f"{name} must have rows of one length; pad them and pass mask=, or use Records"
        ) from None
    if array.dtype.kind == "O" and all(isinstance(value, numbers.Real) for value in array.flat):
        return array.astype(np.float64)
    if array.dtype.kind not in "buif":
        raise TypeError(f"{name} must be numbers; got {array.dtype}")
    return array


def _as_matrix(name, values):
    array = _as_numbers(name, values)
    if array.ndim != 2:
        raise ValueError(f"{name} must be a matrix, one row a query; got an array of shape {array.shape}")
    return array


def _as_flat(name, values, length):
    array = _as_numbers(name, values)
    if array.ndim != 1:
        raise ValueError(f"{name} must be one-dimensional, one number a record; got shape {array.shape}")
    if len(array) != length:
        raise ValueError(f"{name} must have one number for each query id, {length}; got {len(array)}")
    return array


def _check_shape(name, array, grades):
    if array.shape != grades.shape:
        raise ValueError(f"{name} must have the shape of grades, {grades.shape}; got {array.shape}")


def _check_grades(name, grades, label):
    """Refuse nan, infinite and negative grades; the largest of them."""
    # nan makes either comparison false; two passes that make no array of their own find it
    largest = float(grades.max(initial=0))
    if grades.size == 0 or (grades.min() >= 0 and largest < np.inf):
        return largest
    flat = grades.ravel()
    cell = np.flatnonzero(~((flat >= 0) & (flat < np.inf)))[0]
    raise ValueError(f"{name} must be finite and not negative; {label(cell)} has {flat[cell]}")


def _check_scores(scores, label):
    """Refuse nan; what to pad keys (minus the scores) with: inf, or nan where a document has that key."""
    lowest = scores.min() if scores.size else 0.0
    if np.isnan(lowest):
        raise ValueError(f"scores must not hold nan; {label(np.flatnonzero(np.isnan(scores))[0])} does")
    # numpy sorts several times faster without nan
    return np.nan if lowest == -np.inf else np.inf
