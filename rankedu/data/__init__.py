"""The data sets that the course ships, loaded by name. Nothing is downloaded.

`load("stdlib_search")` gives a search task with real documents: queries that a programmer types, the modules
and functions of Python's standard library that should answer them, what several rankers returned, and
judgments made by hand. How it was made is written in `stdlib_search/README.md` beside this file.
"""

from __future__ import annotations

import difflib
from functools import cached_property
from importlib import resources
from pathlib import Path

from rankedu.trec import Qrels, Run, read_qrels, read_run

__all__ = ["SearchTask", "load", "names", "path"]

_FOLDER = Path(str(resources.files(__name__)))
_MAIN_RUNS = ("bm25", "tfidf", "name_match")


class SearchTask:
    """A search task: queries, documents, judgments, and runs to compare.

    Attributes:
        name: name of the data set.
        queries: {query_id: what was typed}.
        needs: {query_id: what the person who typed it wants to do}; the judgments go by this.
        documents: {doc_id: one line that describes it}, for every judged document.
        qrels: the judgments, {query_id: {doc_id: grade from 0 to 3}}.
        runs: {run name: run}, a run being {query_id: {doc_id: score}}: the rankers that the lessons use.
        run_names: names of all runs, also those that are not in `runs`.

    >>> task = load("stdlib_search")
    >>> task.queries["q02"]
    'run a shell command and capture its output'
    >>> task.ranking("bm25", "q02")[:3]
    ['subprocess', 'subprocess.run', 'subprocess.getoutput']
    >>> task.grades("bm25", "q02")[:3]
    [2, 3, 3]
    """

    def __init__(self, name: str):
        self.name = name
        self._folder = _FOLDER / name
        self.run_names = sorted(file.stem for file in self._folder.glob("*.run"))
        self._runs: dict[str, Run] = {}
        queries = _rows(self._folder / "queries.tsv")
        self.queries: dict[str, str] = {query_id: query for query_id, query, _ in queries}
        self.needs: dict[str, str] = {query_id: need for query_id, _, need in queries}
        self.documents: dict[str, str] = dict(_rows(self._folder / "documents.tsv"))

    @cached_property
    def qrels(self) -> Qrels:
        return read_qrels(self._folder / "judgments.qrels")

    @cached_property
    def runs(self) -> dict[str, Run]:
        return {name: self.run(name) for name in _MAIN_RUNS}

    def run(self, run_name: str) -> Run:
        """The run of that name, {query_id: {doc_id: score}}; any of `run_names`, else a ValueError."""
        _known("run", run_name, self.run_names)
        if run_name not in self._runs:
            self._runs[run_name] = read_run(self._folder / f"{run_name}.run")
        return self._runs[run_name]

    def path(self, file: str) -> Path:
        """Where a file of the data set is, such as "bm25.run"; an unknown one is a ValueError."""
        _known("file", file, _files(self._folder))
        return self._folder / file

    def ranking(self, run_name: str, query_id: str) -> list[str]:
        """Document ids in rank order; equal scores by id, descending, as trec_eval does.

        Empty if the run found nothing for the query. An unknown run or query is a ValueError.
        """
        run = self.run(run_name)
        _known("query", query_id, self.queries)
        scores = run.get(query_id, {})
        return sorted(scores, key=lambda doc_id: (scores[doc_id], doc_id), reverse=True)

    def grades(self, run_name: str, query_id: str) -> list[int]:
        """The grade of each document in rank order, from 0 to 3; a document that nobody judged counts as 0.

        All that is in the first ten ranks is judged.
        """
        ranking = self.ranking(run_name, query_id)
        judged = self.qrels[query_id]
        return [judged.get(doc_id, 0) for doc_id in ranking]

    def judged(self, query_id: str) -> list[int]:
        """Every grade judged for the query, best first, whether a run found the document or not."""
        _known("query", query_id, self.queries)
        return sorted(self.qrels[query_id].values(), reverse=True)

    def __repr__(self) -> str:
        judgments = sum(len(grades) for grades in self.qrels.values())
        return (
            f"<SearchTask {self.name}: {len(self.queries)} queries, {len(self.documents)} judged documents, "
            f"{judgments} judgments, runs {', '.join(self.run_names)}>"
        )


def names() -> list[str]:
    """Names of the data sets that `load` knows.

    >>> names()
    ['stdlib_search']
    """
    return sorted(page.parent.name for page in _FOLDER.glob("*/queries.tsv"))


def load(name: str) -> SearchTask:
    """The data set of that name; an unknown name is a ValueError that lists what there is.

    >>> load("stdlib")
    Traceback (most recent call last):
    ...
    ValueError: unknown data set 'stdlib'; did you mean 'stdlib_search'? The names are: stdlib_search
    """
    _known("data set", name, names())
    return SearchTask(name)


def path(name: str) -> Path:
    """Where a file of a data set is, such as "stdlib_search/bm25.run"; an unknown name: ValueError.

    For programs that take a file: `trec.evaluate(path("stdlib_search/judgments.qrels"), ...)`. Without a file
    name it is the folder of the data set.
    """
    files = [f"{data_set}/{file}" for data_set in names() for file in _files(_FOLDER / data_set)]
    _known("file", name, names() + files)
    return _FOLDER / name


def _files(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir() if file.is_file())


def _rows(file: Path) -> list[list[str]]:
    """The rows of a tab-separated file, without its header."""
    return [line.split("\t") for line in file.read_text(encoding="utf-8").splitlines()[1:]]


def _known(kind: str, name: str, existing) -> None:
    """ValueError with the nearest name and all that exist, unless `name` is one of them."""
    if name in existing:
        return
    near = difflib.get_close_matches(str(name), existing, n=1, cutoff=0.4)
    hint = f"did you mean {near[0]!r}? The" if near else "the"
    raise ValueError(f"unknown {kind} {name!r}; {hint} names are: {', '.join(existing)}")
