"""Measure names, written as ir_measures writes them: `nDCG@10`, `P(rel=2)@5`, `nDCG(dcg='exp-log2')@10`."""

from __future__ import annotations

import ast
import difflib
import re
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from rankedu.batch import Records


class _Kind(NamedTuple):
    """A family of measures."""

    method: str  # of batch.Records
    words: str
    cutoff: str = "may"  # "must", "may" or "never" have one
    graded: bool = False  # grades count as gains; otherwise they reach the threshold or not
    undefined: bool = False  # 0/0 where nothing relevant was judged
    total: bool = False  # added up over the queries, not averaged


KINDS = {
    "nDCG": _Kind("ndcg", "normalised discounted cumulative gain", graded=True, undefined=True),
    "DCG": _Kind("dcg", "discounted cumulative gain", graded=True),
    "AP": _Kind("average_precision", "average precision", undefined=True),
    "RR": _Kind("reciprocal_rank", "reciprocal rank"),
    "P": _Kind("precision_at_k", "precision", cutoff="must"),
    "R": _Kind("recall_at_k", "recall", cutoff="must", undefined=True),
    "F1": _Kind("f1_at_k", "harmonic mean of precision and recall", cutoff="must", undefined=True),
    "Success": _Kind("hit_rate_at_k", "hit rate", cutoff="must"),
    "NumRet": _Kind("num_retrieved", "documents retrieved", cutoff="never", total=True),
    "NumRel": _Kind("num_relevant", "relevant documents judged", cutoff="never", total=True),
    "NumRelRet": _Kind("num_relevant_retrieved", "relevant documents retrieved", cutoff="never", total=True),
}
ALIASES = {"NDCG": "nDCG", "MAP": "AP", "MRR": "RR", "Precision": "P", "Recall": "R"}  # as in ir_measures
LARGEST_K = 10**9
GAINS = {"log2": "linear", "exp-log2": "exponential"}
ELSEWHERE = {  # how other tools call a measure: not accepted, but recognised for the suggestion
    "ndcg_cut": "nDCG",
    "map": "AP",
    "map_cut": "AP",
    "mean_average_precision": "AP",
    "average_precision": "AP",
    "recip_rank": "RR",
    "reciprocal_rank": "RR",
    "mean_reciprocal_rank": "RR",
    "mrr": "RR",
    "precision_at": "P",
    "recall_at": "R",
    "f1_at": "F1",
    "f1_score": "F1",
    "f1": "F1",
    "f": "F1",
    "hit_rate": "Success",
    "hit_rate_at": "Success",
    "hitrate": "Success",
    "hit": "Success",
    "hits": "Success",
    "hr": "Success",
    "num_ret": "NumRet",
    "num_rel": "NumRel",
    "num_rel_ret": "NumRelRet",
}
_NAME = re.compile(r"\s*(?P<name>[^\s@()]+)\s*(?:\((?P<parameters>[^()]*)\))?\s*(?:@\s*(?P<k>.*?))?\s*")


@dataclass(frozen=True)
class Measure:
    """A measure; `str()` writes it as ir_measures does.

    k is the cut-off or None; rel the lowest relevant grade (binary measures); gain "linear" or "exponential"
    (graded measures).
    """

    name: str
    k: int | None = None
    rel: float = 1
    gain: str = "linear"

    @property
    def kind(self) -> _Kind:
        return KINDS[self.name]

    def __str__(self) -> str:
        parameters = ""
        if self.rel != 1:
            parameters = f"(rel={self.rel:g})"
        elif self.gain != "linear":
            parameters = "(dcg='exp-log2')"
        return self.name + parameters + (f"@{self.k}" if self.k else "")

    @property
    def convention(self) -> str:
        """The choice that its name leaves open: the gain, or the grade from which a document counts."""
        if self.kind.graded:
            return f"{self.gain} gain"
        if self.name == "NumRet":
            return "whatever their grade"
        return f"relevant from grade {self.rel:g}"

    def values(self, records: Records, undefined: str) -> np.ndarray:
        """The measure for every query of the records: (n_queries,) float64."""
        arguments = {}
        if self.kind.cutoff != "never":
            arguments["k"] = self.k
        if self.kind.graded:
            arguments["gain"] = self.gain
        elif self.name != "NumRet":
            arguments["threshold"] = self.rel
        if self.kind.undefined:
            arguments["undefined"] = undefined
        return getattr(records, self.kind.method)(**arguments).astype(np.float64)

    def undefined_queries(self, records: Records) -> np.ndarray:
        """Which queries are 0/0 under this measure: (n_queries,) bool."""
        if not self.kind.undefined:
            return np.zeros(len(records), dtype=bool)
        return records.undefined_queries(None if self.kind.graded else self.rel)


def parse_measure(text) -> Measure:
    """The measure that a name stands for; where it stands for none, a ValueError with the nearest that does.

    >>> parse_measure("nDCG(dcg='exp-log2')@10")
    Measure(name='nDCG', k=10, rel=1, gain='exponential')
    >>> str(parse_measure("P(rel=1)@5"))
    'P@5'
    >>> parse_measure("ndcg_cut_10")
    Traceback (most recent call last):
    ValueError: unknown measure 'ndcg_cut_10'; did you mean 'nDCG@10'?
    """
    if isinstance(text, Measure):
        return text
    if not isinstance(text, str) and type(text).__module__.partition(".")[0] != "ir_measures":
        raise TypeError(f"a measure must be text such as 'nDCG@10'; got {text!r}")
    text = str(text)
    match = _NAME.fullmatch(text)
    name = ALIASES.get(match["name"], match["name"]) if match else None
    if name not in KINDS:
        raise ValueError(f"unknown measure {text!r}; {_suggestion(text)}")
    kind = KINDS[name]
    parameters = _parameters(text, name, match["parameters"] or "")
    if name == "NumRet" and "rel" in parameters:  # ir_measures' way to write it
        name = "NumRelRet"
    k = None if match["k"] is None else _cutoff(text, match["k"])
    if kind.cutoff == "must" and k is None:
        raise ValueError(f"{text!r} needs a cut-off, as in '{text.strip()}@5'")
    if kind.cutoff == "never" and k is not None:
        raise ValueError(f"{name} has no cut-off; got {text!r}")
    return Measure(name, k, **parameters)


def _cutoff(text: str, k: str) -> int:
    if not re.fullmatch(r"[0-9]+", k) or int(k) < 1:
        raise ValueError(f"k must be a whole number of at least 1; got {k!r} in the measure {text!r}")
    if int(k) > LARGEST_K:
        raise ValueError(f"k must be at most {LARGEST_K:,}; got the measure {text!r}")
    return int(k)


def _parameters(text: str, name: str, written: str) -> dict:
    found = {}
    for part in filter(None, map(str.strip, written.split(","))):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        try:
            value = ast.literal_eval(value)
        except (ValueError, SyntaxError):
            value = None
        allowed = "dcg" if KINDS[name].graded else "rel"
        if not equals or key != allowed:
            example = "dcg='exp-log2'" if allowed == "dcg" else "rel=2"
            raise ValueError(f"{name} takes one parameter, as in {name}({example}); got {text!r}")
        if key == "dcg":
            if value not in GAINS:
                raise ValueError(
                    f"dcg must be 'log2' (linear gain) or 'exp-log2' (exponential); got {text!r}"
                )
            found["gain"] = GAINS[value]
        else:
            if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value < float("inf"):
                raise ValueError(f"rel must be a number above 0, the lowest relevant grade; got {text!r}")
            found["rel"] = value
    return found


def _suggestion(text: str) -> str:
    """'did you mean ...?' with the nearest measure there is, or the list of them all."""
    word = re.match(r"\s*([A-Za-z_]*(?:1(?![0-9]))?[A-Za-z_]*)", text)[1].strip("_").lower()
    k = re.search(r"(?<!\bf)([1-9][0-9]*)\s*$", text.lower())  # the 1 of F1 is none
    known = {name.lower(): name for name in (*KINDS, *ALIASES)} | ELSEWHERE
    nearest = difflib.get_close_matches(word, known, n=1, cutoff=0.6)
    if not nearest:
        return "the measures are " + ", ".join(KINDS)
    name = ALIASES.get(known[nearest[0]], known[nearest[0]])
    cutoff = KINDS[name].cutoff
    if cutoff == "never":
        return f"did you mean {name!r}?"
    if k:
        return f"did you mean '{name}@{k[1]}'?"
    return f"did you mean '{name}{'@10' if cutoff == 'must' else ''}'?"


class ByMeasure(dict):
    """A dictionary by measure name in which any spelling of a measure finds it: `MAP` finds `AP`.

    >>> scores = ByMeasure({"AP": 0.25})
    >>> scores["MAP"], scores["AP(rel=1)"], "RR" in scores
    (0.25, 0.25, False)
    """

    def __missing__(self, key):
        name = str(parse_measure(key))
        if dict.__contains__(self, name):
            return self[name]
        raise KeyError(f"{name} was not measured; there is {', '.join(self)}")

    def __contains__(self, key) -> bool:
        try:
            self[key]
        except (KeyError, ValueError, TypeError):
            return False
        return True

    def get(self, key, default=None):
        try:
            return self[key]
        except (KeyError, ValueError, TypeError):
            return default
