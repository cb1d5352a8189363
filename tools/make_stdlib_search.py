"""Make the runs of rankedu/data/stdlib_search again, or compare them with the committed ones.

    python tools/make_stdlib_search.py           # write the runs
    python tools/make_stdlib_search.py --check   # compare them with the committed ones, check the judgments
    python tools/make_stdlib_search.py --pool    # pooled documents that wait for a judgment, and their text

The indexed text is the docstrings of the running interpreter. They differ from one Python to the next, so the
runs are made by one version on one system, PYTHON and SYSTEM below. The judgments can be checked anywhere.

Exit code 0: all is well. 1: something is wrong, and said. 2: this Python cannot tell.
"""

import argparse
import builtins
import importlib
import inspect
import math
import platform
import re
import sys
from collections import Counter
from pathlib import Path

PYTHON, SYSTEM = "3.11.7", "Linux"
FOLDER = Path(__file__).resolve().parent.parent / "rankedu" / "data" / "stdlib_search"
DEPTH = 30  # documents that a run keeps for a query
POOL_DEPTH = 10  # of those, documents that are judged
STOP_WORDS = {
    "a", "all", "an", "and", "at", "by", "each", "everything", "for", "from", "how", "if",
    "in", "is", "it", "its", "of", "on", "or", "some", "that", "the", "to",
}  # fmt: skip


# ---------------------------------------------------------------- the documents


def find(name):
    """The object that a document's name stands for: a module, or a member of a module or of builtins."""
    parts = name.split(".")
    for cut in range(len(parts), 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:cut]))
        except ImportError:
            continue
        break
    else:
        found, cut = builtins, 0
    for part in parts[cut:]:
        found = getattr(found, part)
    return found


def text_of(name):
    """The indexed text: the name, its docstring, and for a class the first line of each public method."""
    thing = find(name)
    lines = [name, thing.__doc__ or ""]
    if inspect.isclass(thing):
        for method, value in sorted(vars(thing).items()):
            if not method.startswith("_") and callable(value):
                summary = (value.__doc__ or "").strip().partition("\n")[0]
                lines.append(f"{method} {summary}")
    return "\n".join(lines)


def words(text):
    """The words of a text: names taken apart, in small letters, without plural s and stop words."""
    parts = re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+", text)
    singular = (re.sub(r"(?<=[a-z]{3})(?<!s)s$", "", part.lower()) for part in parts)
    return [word for word in singular if word not in STOP_WORDS]


class Index:
    """The words of every document, counted once for all rankers."""

    def __init__(self, names):
        self.words = {name: words(text_of(name)) for name in names}
        self.counts = {name: Counter(found) for name, found in self.words.items()}
        self.document_frequency = Counter(word for counts in self.counts.values() for word in counts)
        self.mean_length = sum(map(len, self.words.values())) / len(self.words)


# ---------------------------------------------------------------- rankers: (words, index) -> {name: score}


def tfidf(query, index):
    """Cosine of the query's and the document's vector of (1 + ln count) * ln(N / document frequency)."""
    known = [word for word in query if word in index.document_frequency]
    asked = tfidf_vector(Counter(known), index)
    scores = {}
    for name, counts in index.counts.items():
        document = tfidf_vector(counts, index)
        product = math.fsum(asked[word] * document[word] for word in asked if word in document)
        scores[name] = product / (length(asked) * length(document)) if product else 0.0
    return scores


def tfidf_vector(counts, index):
    total = len(index.counts)
    return {
        word: (1 + math.log(count)) * math.log(total / index.document_frequency[word])
        for word, count in counts.items()
    }


def length(vector):
    return math.sqrt(math.fsum(weight * weight for weight in vector.values()))


def bm25(query, index):
    """Okapi BM25 (Robertson and Zaragoza, 2009), each word of the query counting once."""
    return weighted_bm25(dict.fromkeys(query, 1.0), index)


def weighted_bm25(weights, index, k1=1.2, b=0.75):
    scores = {}
    for name, counts in index.counts.items():
        saturation = k1 * (1 - b + b * len(index.words[name]) / index.mean_length)
        scores[name] = math.fsum(
            weight * bm25_idf(word, index) * counts[word] * (k1 + 1) / (counts[word] + saturation)
            for word, weight in weights.items()
        )
    return scores


def bm25_idf(word, index):
    frequency = index.document_frequency[word]
    return math.log(1 + (len(index.counts) - frequency + 0.5) / (frequency + 0.5))


def name_match(query, index):
    """Words that query and name share, over all different words of the two (Jaccard). Many names tie."""
    asked = set(query)
    names = {name: set(words(name)) for name in index.words}
    return {name: len(asked & named) / len(asked | named) for name, named in names.items()}


def fielded(query, index):
    """BM25, doubled where the query fills the whole name; keeps only what reaches 30 % of the best score."""
    asked = set(query)
    scores = {}
    for name, score in bm25(query, index).items():
        named = set(words(name))
        scores[name] = score * (1 + len(asked & named) / max(len(named), 1))
    best = max(scores.values())
    return {name: score for name, score in scores.items() if score >= 0.3 * best}


def expanded(query, index, documents=5, added=12, weight=0.3):
    """BM25 asked twice, the second time with the most telling words of its first five documents added."""
    telling = Counter()
    for name, _ in top(bm25(query, index))[:documents]:
        for word, count in index.counts[name].items():
            rarity = math.log(len(index.counts) / index.document_frequency[word])
            telling[word] += count / len(index.words[name]) * rarity
    new = [word for word in telling if word not in query]
    new.sort(key=lambda word: (-round(telling[word], 9), word))
    return weighted_bm25(dict.fromkeys(new[:added], weight) | dict.fromkeys(query, 1.0), index)


RANKERS = {ranker.__name__: ranker for ranker in (tfidf, bm25, name_match, fielded, expanded)}


# ---------------------------------------------------------------- the runs


def top(scores):
    """The first DEPTH (name, score) whose score is not zero; equal scores by name, descending."""
    found = [(name, round(score, 4)) for name, score in scores.items()]
    found = [(name, score) for name, score in found if score > 0]
    found.sort(key=lambda pair: pair[0], reverse=True)
    found.sort(key=lambda pair: pair[1], reverse=True)
    return found[:DEPTH]


def make_runs():
    """{file name: text} of every run."""
    index = Index(collection())
    results = {
        name: {query_id: top(ranker(words(query), index)) for query_id, query, _ in rows("queries.tsv")}
        for name, ranker in RANKERS.items()
    }
    files = {f"{name}.run": run_text(result, name) for name, result in results.items()}
    files["fielded_export.run"] = run_text(careless_export(results["fielded"]), "fielded")
    return files


def careless_export(result):
    """The same result as an exporter with two faults writes it, for the capstone.

    The ids went through an analyser that makes them small letters, and the pages of ten overlap by one: the
    last document of a page is also the first of the next. The learner is to find both.
    """
    exported = {}
    for query_id, found in result.items():
        lowered = [(name.lower(), score) for name, score in found]
        exported[query_id] = lowered[:10]
        for start in range(10, len(lowered), 9):
            exported[query_id] += lowered[start - 1 : start + 9]
    return exported


def run_text(result, tag):
    return "".join(
        f"{query_id} Q0 {name} {rank} {score:.4f} {tag}\n"
        for query_id, found in result.items()
        for rank, (name, score) in enumerate(found, 1)
    )


def collection():
    """The names of all documents."""
    return FOLDER.joinpath("collection.txt").read_text("utf-8").split()


def rows(file):
    """The rows of a tab-separated file, without its header."""
    return [line.split("\t") for line in FOLDER.joinpath(file).read_text("utf-8").splitlines()[1:]]


# ---------------------------------------------------------------- pool and judgments


def pool():
    """{query: names} of what the committed runs hold in their first POOL_DEPTH ranks."""
    pooled = {}
    for ranker in RANKERS:
        for line in FOLDER.joinpath(f"{ranker}.run").read_text("utf-8").splitlines():
            query_id, _, name, rank, _, _ = line.split()
            if int(rank) <= POOL_DEPTH:
                pooled.setdefault(query_id, set()).add(name)
    return {query_id: sorted(names) for query_id, names in pooled.items()}


def judgments():
    """{query: {name: grade}} of the committed judgments."""
    judged = {}
    for line in FOLDER.joinpath("judgments.qrels").read_text("utf-8").splitlines():
        query_id, _, name, grade = line.split()
        judged.setdefault(query_id, {})[name] = int(grade)
    return judged


def unjudged():
    """[(query, name)] of the pooled documents without a judgment."""
    judged = judgments()
    return [(q, name) for q, names in pool().items() for name in names if name not in judged.get(q, {})]


def faults_of_judgments():
    """What is wrong with the judgments and descriptions, a sentence each."""
    judged = judgments()
    described = {name for name, _ in rows("documents.tsv")}
    graded = {name for names in judged.values() for name in names}
    queries = {query_id for query_id, _, _ in rows("queries.tsv")}
    return [
        *(f"{query_id}: {name} is in the pool and has no judgment" for query_id, name in unjudged()),
        *(f"{name} is judged and has no description" for name in sorted(graded - described)),
        *(f"{name} is described and judged for no query" for name in sorted(described - graded)),
        *(f"{name} is judged and not in collection.txt" for name in sorted(graded - set(collection()))),
        *(f"{query_id} is judged and not in queries.tsv" for query_id in sorted(judged.keys() - queries)),
        *(f"{query_id} has no judgments" for query_id in sorted(queries - judged.keys())),
    ]


# ---------------------------------------------------------------- the command


def why_not_here():
    """Why this interpreter cannot make the runs, or an empty string."""
    here = (platform.python_implementation(), platform.python_version(), platform.system())
    if here != ("CPython", PYTHON, SYSTEM):
        return f"the runs are made by CPython {PYTHON} on {SYSTEM}; this is {here[0]} {here[1]} on {here[2]}"
    if sys.flags.optimize > 1:
        return "the runs are made from docstrings, which python -OO removes"
    absent = [name for name in collection() if not is_here(name)]
    return f"this Python was built without {', '.join(absent)}" if absent else ""


def is_here(name):
    try:
        find(name)
    except AttributeError:
        return False
    return True


def main(arguments=None):
    parser = argparse.ArgumentParser(description="Make or check the runs of the search task.")
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--check", action="store_true", help="compare with the committed runs")
    group.add_argument("--pool", action="store_true", help="show what is pooled and not judged")
    chosen = parser.parse_args(arguments)

    faults = faults_of_judgments() if chosen.check else []
    for fault in faults:
        print(fault)
    reason = why_not_here()
    if reason:
        print(f"Runs neither made nor compared: {reason}.")
        return 1 if faults else 2

    if chosen.pool:
        for query_id, name in unjudged():
            print(f"=== {query_id} {name}\n{text_of(name)}\n")
        return 0
    files = make_runs()
    if chosen.check:
        changed = [file for file in files if FOLDER.joinpath(file).read_bytes() != files[file].encode()]
        for file in changed:
            print(f"{file} is not what this script makes")
        if faults or changed:
            return 1
        print(f"{len(files)} runs are as this script makes them; every pooled document is judged.")
        return 0
    for file, text in files.items():
        FOLDER.joinpath(file).write_bytes(text.encode())
    print(f"{len(files)} runs written to {FOLDER}; {len(unjudged())} pooled documents wait for a judgment.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
