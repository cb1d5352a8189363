"""What other libraries say of the same input: ten inputs that tell them apart, and the answer of each.

`table()` asks rankedu, scikit-learn, ir_measures and pytrec_eval, and sets their answers side by side. Each
is asked as its documentation shows, with nothing configured; scikit-learn, which knows no documents, gets a
matrix of what was returned. A library that is not installed has "not installed" in its column, and the others
are asked all the same.

ranx stands in the table with the answers that it gave once, `RANX_SAID`: it compiles itself before its first
number, which takes half a minute, and needs 250 MB for that. Where it is installed, `table(ask_ranx=True)`
asks it anew.
"""

import html
import warnings
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from rankedu import trec
from rankedu.trec._show import Listing

__all__ = ["CASES", "PEERS", "RANX_SAID", "RANX_VERSION", "Case", "Table", "ask", "table"]

MEASURE = "nDCG@5"  # with the linear gain, which all of them take unless told otherwise
NOT_INSTALLED = "not installed"


class Case(NamedTuple):
    """One input, and why the libraries part over it.

    qrels : {query_id: {doc_id: grade}}
    run : rows (query_id, doc_id, score), in the order in which they came
    dtype : the type that the scores have where they stand in a matrix
    """

    name: str
    qrels: dict
    run: list
    why: str
    measure: str = MEASURE
    dtype: str = "float64"


CASES = (
    Case(
        "a judged query is not answered",
        {"q1": {"a": 1}, "q2": {"a": 1}},
        [("q1", "a", 2.0), ("q1", "b", 1.0)],
        "0 for the silent query, or a mean that leaves it out and rewards silence",
    ),
    Case(
        "one of five relevant is returned",
        {"q": {"a": 1, "b": 1, "c": 1, "d": 1, "e": 1}},
        [("q", "a", 2.0), ("q", "x", 1.0)],
        "a matrix of what was returned knows of no other relevant document",
    ),
    Case(
        "a query has nothing relevant",
        {"q1": {"a": 1, "b": 0}, "q2": {"a": 0, "b": 0}},
        [("q1", "a", 2.0), ("q1", "b", 1.0), ("q2", "a", 2.0), ("q2", "b", 1.0)],
        "0/0 counts 0 everywhere, unless you ask otherwise",
    ),
    Case(
        "two returned, k is 5",
        {"q": {"a": 1, "b": 0, "c": 2}},
        [("q", "a", 2.0), ("q", "b", 1.0)],
        "precision divides by k, also where the list is shorter",
        measure="P@5",
    ),
    Case(
        "three documents tie",
        {"q": {"d1": 1}},
        [("q", "d1", 1.0), ("q", "d2", 1.0), ("q", "d3", 1.0)],
        "by id from the end, the mean over all orders, or first come first",
    ),
    Case(
        "scores 0.000000001 apart",
        {"q": {"a": 1}},
        [("q", "a", 0.900000001), ("q", "b", 0.9)],
        "trec_eval keeps seven digits of a score: there the two tie",
    ),
    Case(
        "scores of 8 bits, unsigned",
        {"q": {"c": 1}},
        [("q", "a", 2), ("q", "b", 1), ("q", "c", 0)],
        "scikit-learn negates the scores to sort them; unsigned, -1 is 255 and -0 is 0",
        dtype="uint8",
    ),
    Case(
        "grades 0.5 and 1.5",
        {"q": {"a": 0.5, "b": 1.5}},
        [("q", "a", 2.0), ("q", "b", 1.0)],
        "taken as they are, refused, or cut to 0 and 1 without a word",
    ),
    Case(
        "a grade of -1",
        {"q": {"a": -1, "b": 1}},
        [("q", "a", 2.0), ("q", "b", 1.0)],
        "judged and not relevant, or refused",
    ),
    Case(
        "a document comes twice",
        {"q": {"a": 1, "b": 1}},
        [("q", "a", 2.0), ("q", "x", 1.5), ("q", "a", 1.0)],
        "an error, credited twice, or the later copy wins",
    ),
)

RANX_VERSION = "0.3.21"
RANX_SAID = {
    "a judged query is not answered": "refuses",
    "one of five relevant is returned": "0.339",
    "a query has nothing relevant": "0.500",
    "two returned, k is 5": "0.200",
    "three documents tie": "1.000",
    "scores 0.000000001 apart": "1.000",
    "scores of 8 bits, unsigned": "0.500",
    "grades 0.5 and 1.5": "0.631",
    "a grade of -1": "0.631",
    "a document comes twice": "0.387",
}


def _rankedu(case: Case) -> float:
    return trec.evaluate(case.qrels, case.run, case.measure).means[case.measure]


def _scikit_learn(case: Case) -> float:
    """The mean over the queries that were answered, each a matrix of one row: what was returned for it."""
    from sklearn.metrics import ndcg_score

    k = int(case.measure.split("@")[1])
    values = []
    for query, rows in _by_query(case.run).items():
        grades = [[case.qrels[query].get(doc, 0) for doc, _ in rows]]
        scores = np.array([[score for _, score in rows]], dtype=case.dtype)
        values.append(ndcg_score(grades, scores, k=k))
    return float(np.mean(values))


def _ir_measures(case: Case) -> float:
    import ir_measures

    measure = ir_measures.parse_measure(case.measure)
    run = [ir_measures.ScoredDoc(query, doc, float(score)) for query, doc, score in case.run]
    return ir_measures.calc_aggregate([measure], case.qrels, run)[measure]


def _pytrec_eval(case: Case) -> float:
    import pytrec_eval

    name, k = case.measure.split("@")
    measure = {"nDCG": "ndcg_cut_", "P": "P_"}[name] + k
    evaluator = pytrec_eval.RelevanceEvaluator(case.qrels, {measure})
    values = [value[measure] for value in evaluator.evaluate(_as_dicts(case.run)).values()]
    return float(np.mean(values))


def _ranx(case: Case) -> float:
    import ranx

    name, k = case.measure.split("@")
    measure = {"nDCG": "ndcg@", "P": "precision@"}[name] + k
    return float(ranx.evaluate(ranx.Qrels(case.qrels), ranx.Run(_as_dicts(case.run)), measure))


def _by_query(run: list) -> dict:
    """{query_id: [(doc_id, score), ...]}, every row kept."""
    queries = {}
    for query, doc, score in run:
        queries.setdefault(query, []).append((doc, score))
    return queries


def _as_dicts(run: list) -> dict:
    """{query_id: {doc_id: score}}, which holds one score a document: the later one."""
    return {query: {doc: float(score) for doc, score in rows} for query, rows in _by_query(run).items()}


PEERS: dict[str, Callable[[Case], float]] = {
    "rankedu": _rankedu,
    "scikit-learn": _scikit_learn,
    "ir_measures": _ir_measures,
    "pytrec_eval": _pytrec_eval,
    "ranx": _ranx,
}
# What a library does not offer
LACKS = {"scikit-learn": ("P",)}


def ask(peer: str, case: Case) -> str:
    """The answer of one of `PEERS` to a case, as the table shows it.

    A number to three decimals, "refuses" where it raises an error, "no P@5" for a measure that it does not
    know, or "not installed". An unknown peer is a ValueError.

    >>> ask("rankedu", CASES[0])
    '0.500'
    >>> ask("rankedu", CASES[-1])
    'refuses'
    """
    if peer not in PEERS:
        raise ValueError(f"peer must be one of {', '.join(map(repr, PEERS))}; got {peer!r}")
    if case.measure.split("@")[0] in LACKS.get(peer, ()):
        return f"no {case.measure}"
    with warnings.catch_warnings():
        # A library's own warnings, about numba or numpy, say nothing of its answer
        warnings.simplefilter("ignore")
        try:
            return f"{PEERS[peer](case):.3f}"
        except ImportError:
            return NOT_INSTALLED
        except (AssertionError, TypeError, ValueError):
            return "refuses"


class Table(Listing):
    """The answers to every case, a row each, and below each row the reason: shown as text and in a notebook.

    rows: tuples of the input, the answer of each of `PEERS`, and the reason.
    """

    def __init__(self, rows, title):
        columns = {position: (heading, str) for position, heading in enumerate(["input", *PEERS])}
        super().__init__(columns, rows, title)

    def __str__(self):
        title, head, *answers = super().__str__().splitlines()
        lines = [f"{line}\n    {row[-1]}" for line, row in zip(answers, self.rows, strict=True)]
        return "\n".join([title, head, *lines])

    def element(self, row_class=None):
        head = "".join(f'<th scope="col">{html.escape(heading)}</th>' for heading in self.headings)
        body = []
        for name, *answers, why in self.rows:
            cells = "".join(f"<td>{html.escape(answer)}</td>" for answer in answers)
            body.append(
                f'<tr><th scope="row" rowspan="2">{html.escape(name)}</th>{cells}</tr>'
                f'<tr><td class="quiet why" colspan="{len(answers)}">{html.escape(why)}</td></tr>'
            )
        return (
            f'<div class="scroll peers"><style>{STYLE}</style>'
            f"<table><caption>{html.escape(self.title)}</caption><thead><tr>{head}</tr></thead><tbody>{''.join(body)}</tbody></table></div>"
        )


STYLE = """
.rt .peers th[scope=row]{white-space:normal;font-weight:400;max-width:9em}
.rt .peers th,.rt .peers td{padding-right:.7em}
.rt .peers tbody tr:nth-child(odd) td{border-bottom:0;padding-bottom:0;white-space:nowrap}
.rt .peers .why{padding-top:0}
.rt .peers tbody tr{background:none}
"""


def table(*, ask_ranx: bool = False) -> Table:
    """Every case with every library's answer and the reason, as a table that shows itself.

    An answer that is not that of rankedu begins with "≠".

    ask_ranx : ask ranx as well, where it is installed, instead of giving the answers in `RANX_SAID`
    """
    rows = []
    for case in CASES:
        said = {peer: ask(peer, case) for peer in PEERS if peer != "ranx" or ask_ranx}
        said.setdefault("ranx", RANX_SAID[case.name])
        name = case.name if case.measure == MEASURE else f"{case.name} ({case.measure})"
        rows.append((name, *_marked(said), case.why))
    title = f"{MEASURE}, linear gain, where no other measure is named"
    return Table(rows, title if ask_ranx else f"{title}; ranx as version {RANX_VERSION} answered")


def _marked(said: dict) -> list[str]:
    """The answers in the order of `PEERS`, with a sign before those that are not rankedu's."""
    alike = said["rankedu"], NOT_INSTALLED
    return [
        answer if answer in alike or answer.startswith("no ") else f"≠ {answer}"
        for answer in (said[peer] for peer in PEERS)
    ]
