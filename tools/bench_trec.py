"""How long it takes from two files to nDCG@10, AP and RR, beside pytrec_eval, and how much memory.

    python tools/bench_trec.py            files of a million lines, about two minutes
    python tools/bench_trec.py --quick    files of a hundred thousand lines

pytrec_eval parses the two files and scores them with NIST's C code; that is what trec_eval itself takes,
give or take. Both do the same work in one process, in turns; times are seconds of processor time, which a
busy machine stretches less than those of the clock, the best of several rounds. The ratio is what counts:
the target is 0.85, the hope 0.5. Memory is the peak of a process of its own, less that of one that only
imports. Exit status 1 if a target is missed.
"""

import argparse
import gzip
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pytrec_eval

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
from rankedu import trec  # noqa: E402 - this checkout's, installed or not

TARGET = 0.85
SEED = 20261130
MEASURES = {"ndcg_cut.10": "nDCG@10", "map": "AP", "recip_rank": "RR"}


def write_files(folder, rows):
    """Files of `rows` lines each, 1,000 documents a query: {what the run is like: (run, judgments)}."""
    random = np.random.default_rng(SEED)
    depth = 1000
    queries = rows // depth
    docs = np.stack([random.permutation(5 * depth)[: 2 * depth] for _ in range(queries)])
    grades = random.choice(4, (queries, depth), p=[0.7, 0.15, 0.1, 0.05])
    scores = -np.sort(-random.random((queries, depth)) * 20, axis=1)
    shuffled = random.permutation(rows)
    runs = {
        "6 decimals": ("bm25.run", "doc{:07}", "{:.6f}", None),
        "17 digits": ("dense.run", "doc{:07}", "{!r}", None),
        "tied: 1 decimal": ("tied.run", "doc{:07}", "{:.1f}", None),
        "ids of 36 letters": ("uuid.run", "6ba7b810-9dad-11d1-80b4-00c0{:08}", "{:.6f}", None),
        "lines in any order": ("shuffled.run", "doc{:07}", "{:.6f}", shuffled),
    }
    paths = {}
    for name, (file, doc, score, order) in runs.items():
        lines = [
            f"{q + 1} Q0 {doc.format(docs[q, i])} {i + 1} {score.format(float(scores[q, i]))} tag\n"
            for q in range(queries)
            for i in range(depth)
        ]
        if order is not None:
            lines = [lines[i] for i in order]
        judged = [
            f"{q + 1} 0 {doc.format(docs[q, depth // 2 + i])} {grades[q, i]}\n"
            for q in range(queries)
            for i in range(depth)
        ]
        paths[name] = folder / file, folder / f"{file}.qrels"
        paths[name][0].write_text("".join(lines))
        paths[name][1].write_text("".join(judged))
    run, qrels = paths["6 decimals"]
    packed = folder / "bm25.run.gz"
    packed.write_bytes(gzip.compress(run.read_bytes(), 6))
    paths["6 decimals, gzip"] = packed, qrels
    return paths


def ours(run, qrels):
    return trec.evaluate(qrels, run, MEASURES.values()).means


def theirs(run, qrels):
    with gzip.open(run, "rt") if run.suffix == ".gz" else open(run) as file:
        parsed_run = pytrec_eval.parse_run(file)
    with open(qrels) as file:
        parsed_qrels = pytrec_eval.parse_qrel(file)
    per_query = pytrec_eval.RelevanceEvaluator(parsed_qrels, set(MEASURES)).evaluate(parsed_run)
    return {
        name: float(np.mean([values[measure.replace(".", "_")] for values in per_query.values()]))
        for measure, name in MEASURES.items()
    }


def best_times(run, qrels, rounds):
    """(seconds of ours, of theirs, the largest difference between their means), in turns."""
    best = [np.inf, np.inf]
    for _ in range(rounds):
        means = []
        for i, evaluate in enumerate((ours, theirs)):
            start = time.process_time()
            means.append(evaluate(run, qrels))
            best[i] = min(best[i], time.process_time() - start)
    difference = max(abs(means[0][name] - means[1][name]) for name in MEASURES.values())
    return *best, difference


def peak_megabytes(who, run="", qrels=""):
    """Megabytes that a process of its own reaches at most."""
    command = [sys.executable, __file__, "--peak", who, str(run), str(qrels)]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def own_peak():
    """Megabytes that this process has reached at most. Linux counts what it was forked from in ru_maxrss."""
    status = Path("/proc/self/status")
    if status.exists():
        (line,) = [line for line in status.read_text().splitlines() if line.startswith("VmHWM")]
        return int(line.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a tenth of the lines")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--peak", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.peak:
        who, run, qrels = options.peak
        if run:
            {"ours": ours, "theirs": theirs}[who](Path(run), Path(qrels))
        print(own_peak())
        return 0
    rows = 100_000 if options.quick else 1_000_000
    missed = 0
    with tempfile.TemporaryDirectory() as folder:
        print(f"two files of {rows:,} lines to {', '.join(MEASURES.values())}; target {TARGET}\n")
        print(
            f"{'the run':<20}{'rankedu':>10}{'pytrec_eval':>13}{'ratio':>8}{'MB':>8}{'theirs':>8}{'files':>8}"
        )
        idle = {who: peak_megabytes(who) for who in ("ours", "theirs")}
        for name, (run, qrels) in write_files(Path(folder), rows).items():
            mine, peer, difference = best_times(run, qrels, options.rounds)
            assert difference < 1e-6, f"{name}: the means differ by {difference}"
            memory = {who: peak_megabytes(who, run, qrels) - idle[who] for who in idle}
            size = (run.stat().st_size + qrels.stat().st_size) / 2**20
            ratio = mine / peer
            missed += ratio > TARGET
            print(
                f"{name:<20}{mine:>8.2f} s{peer:>11.2f} s{ratio:>8.2f}"
                f"{memory['ours']:>8.0f}{memory['theirs']:>8.0f}{size:>8.0f}{'  MISSED' * (ratio > TARGET)}"
            )
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
