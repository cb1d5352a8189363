"""How fast `rankedu.batch` is, and how much memory it takes, beside what it could be compared with.

    python tools/bench_batch.py           every row of the table, a few minutes
    python tools/bench_batch.py --quick   fewer rounds, and without the 100,000 x 100 matrices

One table from one run. Every time is the best of several rounds, and the rounds are interleaved (each
contestant once, then each again). It is processor time, so that whoever is interrupted on a busy machine is
not the slower for it, and everybody has one thread: those that BLAS lets spin after its work would be charged
to whoever runs next. What counts is the ratio: seconds differ between machines, ratios much less. The last
column is the target that the ratio is held to.

Peers: `np.argsort` over the rows, scikit-learn, and pytrec_eval with its evaluator and dictionaries ready.
They come with the extra `bench`.
"""

import argparse
import itertools
import os
import sys
import time
import tracemalloc
from pathlib import Path

os.environ |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")

import numpy as np  # it counts the threads when it is imported
import pytrec_eval
from sklearn.metrics import ndcg_score

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from rankedu import batch

SEED = 20261130


def best_times(contestants, rounds):
    """Processor seconds of each contestant, best of `rounds` interleaved ones; the slow run less often.

    A fast one runs twice in a row: the first of the two pays for the memory that its predecessor gave back.
    """
    best = dict.fromkeys(contestants, np.inf)
    for turn in range(rounds):
        for name, run in contestants.items():
            if 1 < best[name] < np.inf and turn % max(1, rounds // 3):
                continue
            for _ in range(2 if best[name] < 0.1 else 1):
                start = time.process_time()
                run()
                best[name] = min(best[name], time.process_time() - start)
    return best


def matrix(rows, columns, decimals=None):
    rng = np.random.default_rng(SEED)
    grades = rng.integers(0, 5, (rows, columns)).astype(np.float64)
    scores = rng.random((rows, columns))
    return grades, scores if decimals is None else scores.round(decimals)


def ragged(records, queries, decimals=None):
    """Flat records of queries with 1 to about 200 documents each, as many as asked for in all."""
    rng = np.random.default_rng(SEED)
    weights = rng.random(queries)
    lengths = np.maximum(1, (weights * records / weights.sum()).astype(int))
    lengths[0] += records - lengths.sum()
    grades = rng.integers(0, 5, records).astype(np.float64)
    scores = rng.random(records)
    query_ids = np.repeat(np.arange(queries), lengths)
    return query_ids, grades, scores if decimals is None else scores.round(decimals), lengths


class Table:
    def __init__(self):
        self.targets = self.missed = 0
        print(f"{'what':<48}{'ours':>10}  {'beside':<28}{'it takes':>10}{'ratio':>9}   target")

    def row(self, what, ours, peer, theirs, *, at_most=None, at_least=None, unit="ms"):
        """at_most: ours / theirs may reach it; at_least: theirs / ours must; neither: for information."""
        ratio = theirs / ours if at_least else ours / theirs
        target, met = "none", True
        if at_least:
            target, met = f"at least {at_least:g}", ratio >= at_least
        elif at_most:
            target, met = f"at most {at_most:g}", ratio <= at_most
        self.missed += not met
        self.targets += target != "none"
        scale = 1e3 if unit == "ms" else 1e-6
        print(
            f"{what:<48}{ours * scale:>7.1f} {unit}  {peer:<28}{theirs * scale:>7.1f} {unit}"
            f"{ratio:>8.2f}x   {target}{'' if met else '   MISSED'}",
            flush=True,
        )


def bench_matrices(table, rows, rounds, peers):
    for decimals, kind in ((None, "no ties"), (2, "ties in every row")):
        grades, scores = matrix(rows, 100, decimals)
        contestants = {
            "np.argsort": lambda scores=scores: np.argsort(scores, axis=1),
            "nDCG@10": lambda grades=grades, scores=scores: batch.ndcg(grades, scores, 10),
            "AP": lambda grades=grades, scores=scores: batch.average_precision(grades, scores),
            "RR": lambda grades=grades, scores=scores: batch.reciprocal_rank(grades, scores),
        }
        if peers:
            contestants |= {
                "sklearn": lambda grades=grades, scores=scores: ndcg_score(grades, scores, k=10),
                "sklearn ignore_ties": lambda grades=grades, scores=scores: ndcg_score(
                    grades, scores, k=10, ignore_ties=True
                ),
            }
        took = best_times(contestants, rounds)
        ties = decimals is not None
        for measure, most in (("nDCG@10", (2.5, 3.5)), ("AP", (3, 4)), ("RR", (3, 4))):
            what = f"{measure}, {rows:,} x 100, {kind}"
            table.row(what, took[measure], "np.argsort(axis=1)", took["np.argsort"], at_most=most[ties])
        if "sklearn" in took:
            what = f"nDCG@10, {rows:,} x 100, {kind}"
            table.row(what, took["nDCG@10"], "sklearn ndcg_score", took["sklearn"], at_least=20)
            table.row(what, took["nDCG@10"], "  with ignore_ties", took["sklearn ignore_ties"], at_least=3)


def bench_records(table, records, rounds):
    """The time includes making `Records` of the flat arrays, for each measure anew."""
    measures = {
        "nDCG@10": lambda run: run.ndcg(10),
        "AP": lambda run: run.average_precision(),
        "RR": lambda run: run.reciprocal_rank(),
    }
    for decimals, kind in ((None, ""), (2, ", ties")):
        query_ids, grades, scores, lengths = ragged(records, 10_000, decimals)
        bounds = list(itertools.pairwise([0, *np.cumsum(lengths).tolist()]))

        def loop(scores=scores, bounds=bounds):
            for start, end in bounds:
                np.argsort(scores[start:end])

        contestants = {"loop": loop}
        for name, measure in measures.items():
            contestants[name] = lambda data=(query_ids, grades, scores), measure=measure: measure(
                batch.Records(*data)
            )
        took = best_times(contestants, rounds)
        for name in measures:
            what = f"{name}, {records:,} ragged records{kind}"
            target = None if decimals else 1.3
            table.row(what, took[name], "loop of np.argsort", took["loop"], at_most=target)
        if decimals is None:
            beside_pytrec_eval(table, took, grades, scores, bounds)


def beside_pytrec_eval(table, took, grades, scores, bounds):
    run, qrels = {}, {}
    for query, (start, end) in enumerate(bounds):
        names = [f"d{number}" for number in range(end - start)]
        run[str(query)] = dict(zip(names, scores[start:end].tolist(), strict=True))
        qrels[str(query)] = dict(zip(names, grades[start:end].astype(int).tolist(), strict=True))
    for name, theirs in (("nDCG@10", "ndcg_cut.10"), ("AP", "map"), ("RR", "recip_rank")):
        evaluator = pytrec_eval.RelevanceEvaluator(qrels, {theirs})
        peer = best_times({theirs: lambda evaluator=evaluator: evaluator.evaluate(run)}, 2)[theirs]
        what = f"{name}, {len(scores):,} ragged records"
        table.row(what, took[name], "pytrec_eval, dicts ready", peer, at_least=10)


def bench_memory(table, rows, records):
    """Peak of what is allocated while a metric is computed, beside the size of its input."""

    def peak(run):
        tracemalloc.start()
        run()
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    for decimals, kind in ((None, "no ties"), (2, "ties")):
        grades, scores = matrix(rows, 100, decimals)
        size = grades.nbytes + scores.nbytes
        for name, metric in (
            ("nDCG@10", lambda g, s: batch.ndcg(g, s, 10)),
            ("AP", batch.average_precision),
            ("RR", batch.reciprocal_rank),
        ):
            most = peak(lambda metric=metric, grades=grades, scores=scores: metric(grades, scores))
            table.row(f"peak, {name}, {rows:,} x 100, {kind}", most, "the input", size, at_most=1, unit="MB")
        query_ids, grades, scores, _ = ragged(records, 10_000, decimals)
        size = query_ids.nbytes + grades.nbytes + scores.nbytes

        def all_three(query_ids=query_ids, grades=grades, scores=scores):
            run = batch.Records(query_ids, grades, scores)
            return run.ndcg(10), run.average_precision(), run.reciprocal_rank()

        what = f"peak, all three, {records:,} records, {kind}"
        table.row(what, peak(all_three), "the input", size, at_most=1, unit="MB")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer rounds, smaller matrices")
    quick = parser.parse_args().quick
    table = Table()
    bench_matrices(table, 10_000, 15 if quick else 40, peers=True)
    if not quick:
        bench_matrices(table, 100_000, 12, peers=True)
    bench_records(table, 1_000_000, 10 if quick else 30)
    bench_memory(table, 10_000, 1_000_000)
    print(f"{table.targets - table.missed} of {table.targets} targets met")


if __name__ == "__main__":
    main()
