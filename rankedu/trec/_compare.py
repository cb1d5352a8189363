"""Comparing two systems query by query: is one better, by how much, and could it be chance?"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rankedu.trec._evaluate import Result
from rankedu.trec._measures import ByMeasure, parse_measure
from rankedu.trec._progress import Progress
from rankedu.trec._show import Listing, fragment
from rankedu.trec._tables import count

if TYPE_CHECKING:
    from rankedu.trec._report import Report

_CELLS = 1 << 20  # random numbers drawn at a time
_EXACT_UP_TO = 1 << 16  # sign patterns that are tried one and all instead of drawn


class Difference(NamedTuple):
    """How two systems differ under one measure.

    a, b : their means over the queries that both have a value for
    difference : b - a
    low, high : bootstrap interval of the difference
    p : two-sided p-value of the paired randomisation test
    p_corrected : p corrected for the number of measures compared (Holm)
    wins, losses, equal : queries in which b is better, worse, the same
    """

    measure: str
    a: float
    b: float
    difference: float
    low: float
    high: float
    p: float
    p_corrected: float
    wins: int
    losses: int
    equal: int


class QueryDifference(NamedTuple):
    """One query under one measure: the value of a, of b, and b - a."""

    query_id: str
    a: float
    b: float
    difference: float


class Comparison(Listing):
    """Two systems side by side: a sequence of `Difference`, one a measure, shown as a table.

    a, b : the two results; name_a, name_b : their names
    per_query : {measure: {query_id: b - a}}, the largest gain of b first
    """

    def __init__(self, a: Result, b: Result, rows, per_query, facts: dict):
        self.a, self.b = a, b
        self.name_a, self.name_b = _names(a, b)
        self.per_query = ByMeasure(per_query)
        self.draws, self.seed, self.confidence, self.exact = (
            facts[name] for name in ("draws", "seed", "confidence", "exact")
        )
        columns = {
            "measure": ("measure", str),
            "a": (self.name_a, "{:.4f}".format),
            "b": (self.name_b, "{:.4f}".format),
            "difference": ("difference", "{:+.4f}".format),
            "low": (f"{self.confidence:.0%} from", "{:+.4f}".format),
            "high": ("to", "{:+.4f}".format),
            "p": ("p", write_p),
        }
        if len(rows) > 1:
            columns["p_corrected"] = ("p (Holm)", write_p)
        columns |= {"wins": ("better", str), "losses": ("worse", str), "equal": ("same", str)}
        super().__init__(columns, rows, f"{self.name_b} against {self.name_a}, query by query")

    def __getitem__(self, measure):
        """The `Difference` of this measure, by name or by position."""
        if isinstance(measure, (int, slice)):
            return self.rows[measure]
        return ByMeasure((row.measure, row) for row in self.rows)[measure]

    @property
    def measures(self) -> list[str]:
        """The names of the measures compared."""
        return [row.measure for row in self.rows]

    def queries(self, measure: str) -> Listing:
        """The queries under one measure, from the largest gain of b to its largest loss, as a table."""
        name = str(parse_measure(measure))
        a, b = self.a.per_query[name], self.b.per_query[name]
        rows = [
            QueryDifference(query_id, a[query_id], b[query_id], difference)
            for query_id, difference in self.per_query[name].items()
        ]
        number = "{:.4f}".format
        columns = {
            "query_id": ("query", str),
            "a": (self.name_a, number),
            "b": (self.name_b, number),
            "difference": ("difference", "{:+.4f}".format),
        }
        return Listing(columns, rows, f"{name} of {self.name_a} and {self.name_b}")

    @property
    def method(self) -> str:
        """One sentence on how p and the interval were found."""
        how = "over all sign patterns" if self.exact else f"{self.draws:,} draws, seed {self.seed}"
        return (
            f"p: paired randomisation test, two-sided ({how}); interval: bootstrap over queries, "
            f"{self.draws:,} draws, seed {self.seed}"
            + ("; Holm's correction for the measures." if len(self.rows) > 1 else ".")
        )

    def in_words(self, measure: str) -> str:
        """What a picture of the queries' differences shows, for readers who cannot see it."""
        row = self[measure]
        values = self.per_query[measure].values()
        return (
            f"{row.measure} of {self.name_b} minus {self.name_a} for {count(len(values), 'query')}: "
            f"{self.name_b} better in {row.wins:,}, worse in {row.losses:,}, the same in {row.equal:,}; "
            f"largest gain {max(values):+.4f}, largest loss {min(values):+.4f}, mean {row.difference:+.4f}"
        )

    def drawn(self, measure: str) -> list[tuple[str, float]]:
        """(query_id, difference) from the largest gain to the largest loss: at most 360, evenly spread."""
        return thinned(list(self.per_query[measure].items()))

    def picture(self, measure: str | None = None):
        """A picture of the difference query by query, for the first measure if none is named.

        Of more than 360 queries it draws 360 at even distances, from the largest gain to the largest loss.
        """
        from rankedu import pictures

        return pictures.difference_bars(self, measure)

    def conclusion(self, measure: str, alpha: float = 0.05) -> str:
        """What the comparison says about one measure, in a sentence.

        alpha : the p-value (corrected, where several measures are compared) below which chance is ruled out
        """
        row = self[measure]
        queries = count(row.wins + row.losses + row.equal, "query")
        if row.difference == 0:
            return f"{self.name_a} and {self.name_b} have the same {row.measure} over {queries}."
        better, worse, low, high = self.name_b, self.name_a, row.low, row.high
        if row.difference < 0:
            better, worse, low, high = worse, better, -high, -low
        p = write_p(row.p_corrected)
        evidence = (
            f"{self.confidence:.0%} interval {low:+.4f} to {high:+.4f}, p {p if '<' in p else '= ' + p}"
        )
        if len(self.rows) > 1:
            evidence += f" corrected for {len(self.rows)} measures"
        fact = f"{better} has the higher {row.measure}, by {abs(row.difference):.4f} over {queries}"
        if row.p_corrected < alpha:
            return f"{fact}: more than chance would give ({evidence})."
        return (
            f"{fact}, which chance alone could give: these queries cannot tell it from {worse} ({evidence})."
        )

    def __str__(self) -> str:
        return f"{super().__str__()}\n{self.method}"

    def element(self, row_class=None) -> str:
        return self._with_method(super().element(row_class))

    def _repr_html_(self) -> str:
        """The table on its side, a column for each measure: eleven columns do not fit beside a file list."""
        _, *facts = self._columns.items()
        rows = [
            (heading, *(_Written(getattr(row, field), write) for row in self.rows))
            for field, (heading, write) in facts
        ]
        columns = {0: ("", str)} | {i: (name, str) for i, name in enumerate(self.measures, start=1)}
        table = Listing(columns, rows, self.title)
        return fragment(self._with_method(table.element()))

    def _with_method(self, table: str) -> str:
        return f'{table}<p class="quiet">{self.method}</p>'

    def report(self, **choices) -> Report:
        """The comparison with its conclusions, both diagnoses, every query; arguments as in `Report`."""
        from rankedu.trec._report import Report

        return Report([self.a, self.b], self, **choices)

    def to_html(self, path, **choices) -> Path:
        """Writes the report to a file that can be sent: one page of HTML that needs nothing else."""
        return self.report(**choices).save(path)


class _Written(float):
    """A number that knows how it is written."""

    def __new__(cls, value: float, write: Callable):
        number = super().__new__(cls, value)
        number.text = write(value)
        return number

    def __str__(self) -> str:
        return self.text


def compare(
    a: Result, b: Result, measures=None, *, draws: int = 10_000, seed: int = 0, confidence: float = 0.95
) -> Comparison:
    """Whether b differs from a, measure by measure, and how sure the queries make one of it.

    Parameters
    ----------
    a, b : Result
        Of `evaluate`, on the same judgments, under the same conventions. Differences are b - a.
    measures : str or sequence of str, optional
        Which of their measures; all that both have, if left out. Say beforehand which one decides: the more
        are looked at, the more differ by chance, which `p_corrected` accounts for.
    draws : int
        How many sign patterns and how many bootstrap samples are drawn.
    seed : int
        Of the random draws; the same seed gives the same numbers.
    confidence : float between 0 and 1
        Of the interval.

    Notes
    -----
    *Paired randomisation test* (Fisher 1935; Smucker, Allan and Carterette 2007 recommend it for search): if
    the two systems were alike, each query's difference might as well have the other sign. p is the share of
    sign patterns whose mean difference is at least as far from 0 as the one observed. With few queries every
    pattern is tried, otherwise they are drawn, and p is (1 + hits) / (1 + draws), never 0. *Interval*:
    percentiles of the mean difference over samples of the queries with replacement (Efron 1979).
    *Correction*: Holm (1979), which keeps the chance of any false alarm among the measures below alpha.

    A query that is nan under a measure (undefined="nan") is left out of that measure.

    Examples
    --------
    >>> from rankedu.trec import evaluate
    >>> qrels = {f"q{i}": {"good": 1} for i in range(8)}
    >>> worse = {query: {"good": 1.0, "bad": 2.0} for query in qrels}
    >>> better = {query: {"good": 2.0, "bad": 1.0} for query in qrels}
    >>> comparison = compare(evaluate(qrels, worse, "RR"), evaluate(qrels, better, "RR"))
    >>> comparison["RR"].difference, comparison["RR"].p
    (0.5, 0.0078125)
    """
    names = _shared_measures(a, b, measures)
    _check_numbers(draws, seed, confidence)
    rows, per_query, exact = [], {}, True
    with Progress("comparing", 2 * len(names), "step") as progress:
        for name in names:
            queries = [q for q, value in a.per_query[name].items() if value == value]  # nan is not itself
            queries = [q for q in queries if b.per_query[name][q] == b.per_query[name][q]]
            if not queries:
                raise ValueError(f"no query has a value of {name} in both results")
            of_a, of_b = (np.array([result.per_query[name][q] for q in queries]) for result in (a, b))
            difference = np.where(_same(of_a, of_b), 0.0, of_b - of_a)
            p, tried_all = _randomisation_p(difference, draws, seed)
            progress.step()
            low, high = _bootstrap_interval(difference, draws, seed, confidence)
            progress.step()
            exact &= tried_all
            order = np.argsort(-difference, kind="stable")
            per_query[name] = {queries[i]: float(difference[i]) for i in order}
            counts = (
                int(n) for n in ((difference > 0).sum(), (difference < 0).sum(), (difference == 0).sum())
            )
            means = float(of_a.mean()), float(of_b.mean())
            means += (0.0 if _same(*means) else float(difference.mean()),)
            rows.append(Difference(name, *means, low, high, p, p, *counts))
    corrected = _holm([row.p for row in rows])
    rows = [row._replace(p_corrected=p) for row, p in zip(rows, corrected, strict=True)]
    return Comparison(
        a, b, rows, per_query, {"draws": draws, "seed": seed, "confidence": confidence, "exact": exact}
    )


def thinned(values: list, most: int = 360) -> list:
    """The values, or of more than `most` as many at even distances, the first and the last among them."""
    if len(values) <= most:
        return values
    return [values[round(place)] for place in np.linspace(0, len(values) - 1, most).tolist()]


def write_p(p: float) -> str:
    """A p-value to four decimals, or how small it is."""
    return f"{p:.4f}" if p >= 0.0001 else "< 0.0001"


def _names(a: Result, b: Result) -> tuple[str, str]:
    return (a.name, b.name) if a.name != b.name else (f"{a.name} (a)", f"{b.name} (b)")


def _shared_measures(a: Result, b: Result, measures) -> list[str]:
    for name, result in (("a", a), ("b", b)):
        if not isinstance(result, Result):
            raise TypeError(f"{name} must be what evaluate() gives; got a {type(result).__name__}")
    if set(a.query_ids) != set(b.query_ids):
        only = sorted(set(a.query_ids) ^ set(b.query_ids))
        raise ValueError(
            f"the two results are for different queries, {', '.join(map(repr, only[:3]))} in only one of "
            "them: evaluate both on the same judgments"
        )
    if a._match.fingerprints != b._match.fingerprints:
        raise ValueError("the two results rest on different judgments: evaluate both on the same ones")
    for convention in ("ties", "undefined"):
        values = getattr(a, convention), getattr(b, convention)
        if values[0] != values[1]:
            raise ValueError(f"the two results differ in {convention}: {values[0]!r} and {values[1]!r}")
    if measures is None:
        names = [name for name in a.measures if name in b.measures and not parse_measure(name).kind.total]
    else:
        if isinstance(measures, str) or not hasattr(measures, "__iter__"):
            measures = [measures]
        names = list(dict.fromkeys(str(parse_measure(measure)) for measure in measures))
    missing = [name for name in names if name not in a.measures or name not in b.measures]
    if missing or not names:
        raise ValueError(
            f"{missing[0] + ' is not' if missing else 'no measure is'} in both results: a has "
            f"{', '.join(a.measures)}, b has {', '.join(b.measures)}"
        )
    return names


def _same(a, b):
    """Whether scores are the same but for the last bits of a sum, which no system is better for."""
    return np.isclose(a, b, rtol=1e-12, atol=1e-12)


def _check_numbers(draws, seed, confidence) -> None:
    for name, value, lowest in (("draws", draws, 1), ("seed", seed, 0)):
        if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
            raise TypeError(f"{name} must be a whole number of at least {lowest}; got {value!r}")
        if value < lowest:
            raise ValueError(f"{name} must be a whole number of at least {lowest}; got {value!r}")
    if isinstance(confidence, bool) or not isinstance(confidence, (int, float)):
        raise TypeError(f"confidence must be a number between 0 and 1; got {confidence!r}")
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must be a number between 0 and 1; got {confidence!r}")


def _randomisation_p(difference: np.ndarray, draws: int, seed: int) -> tuple[float, bool]:
    """The p-value, and whether every sign pattern was tried."""
    nonzero = difference[difference != 0]
    n = len(nonzero)
    if n == 0:
        return 1.0, True
    observed = abs(nonzero.sum())
    reached = observed - 1e-9 * np.abs(nonzero).sum()  # rounding must not part what is equal
    if 2**n <= _EXACT_UP_TO:
        sums = np.zeros(1)
        for value in nonzero:
            sums = np.concatenate([sums + value, sums - value])
        return float((np.abs(sums) >= reached).mean()), True
    random = np.random.default_rng(seed)
    hits = 0
    for size in _batches(draws, n):
        signs = random.integers(0, 2, (size, n), dtype=np.int8) * 2.0 - 1.0
        hits += int((np.abs(signs @ nonzero) >= reached).sum())
    return (1 + hits) / (1 + draws), False


def _bootstrap_interval(
    difference: np.ndarray, draws: int, seed: int, confidence: float
) -> tuple[float, float]:
    n = len(difference)
    random = np.random.default_rng(seed)
    means = np.concatenate(
        [difference[random.integers(0, n, (size, n))].mean(axis=1) for size in _batches(draws, n)]
    )
    tail = (1 - confidence) / 2
    low, high = np.quantile(means, [tail, 1 - tail])
    return float(low), float(high)


def _batches(draws: int, n: int):
    size = max(1, _CELLS // n)
    return [min(size, draws - done) for done in range(0, draws, size)]


def _holm(p_values: list[float]) -> list[float]:
    """Holm's step-down correction: the smallest of m times m, the next times m - 1, ..., never decreasing."""
    m = len(p_values)
    order = sorted(range(m), key=p_values.__getitem__)
    corrected, highest = [0.0] * m, 0.0
    for place, i in enumerate(order):
        highest = max(highest, min(1.0, (m - place) * p_values[i]))
        corrected[i] = highest
    return corrected
