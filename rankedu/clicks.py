"""A small model of people who read a list from the top and click: what clicks say of a ranking, and what not.

A user looks at rank 1, then at the next rank with a chance called *patience*, and so on down. Of what they
see they click according to its grade. Clicks thus tell two things at once, how good a document is and how far
up it stood: that is position bias. The model is the plainest one (Moffat and Zobel 2008 for the reading,
Richardson, Dominowska and Ragno 2007 for seeing times liking); it is here to show the effect, not to measure
anybody.
"""

import math
from dataclasses import dataclass

import numpy as np

from rankedu import metrics

__all__ = ["ClickLog", "appeal", "seen", "share_who_click", "simulate", "users_needed"]

SLIP, SURE = 0.05, 0.95  # the chance of a click on what is of no use, and on the best there is


def seen(ranks, patience):
    """The chance that a user looks at each of the first ranks, an array of length `ranks`: 1, p, p², ...

    ranks : how many. patience : the chance of going on to the next rank, above 0 and at most 1.

    >>> seen(4, 0.5).tolist()
    [1.0, 0.5, 0.25, 0.125]
    """
    return _checked(patience) ** np.arange(ranks)


def appeal(grades, highest=3):
    """The chance of a click on each document that is looked at: from 0.05 at grade 0 to 0.95 at the highest.

    grades : from 0 to `highest`, others are a ValueError. highest : the top of the grading scale.

    >>> appeal([0, 1, 2, 3]).round(2).tolist()
    [0.05, 0.35, 0.65, 0.95]
    """
    grades = np.asarray(grades, dtype=float)
    if grades.size and not (grades.min() >= 0 and grades.max() <= highest):
        raise ValueError(f"grades must lie between 0 and highest = {highest}; got {grades.tolist()}")
    return SLIP + (SURE - SLIP) * grades / highest


def share_who_click(grades, patience, highest=3):
    """The share of users who click on at least one document of the ranking, from 0 to 1.

    Exact, without a simulation. Whoever stops after rank r has seen ranks 1 to r.

    >>> round(share_who_click([3, 0], patience=0.5), 3)
    0.951
    """
    reach = seen(len(grades), patience)
    stops_here = np.append(reach[:-1] - reach[1:], reach[-1:])
    none_so_far = np.cumprod(1 - appeal(grades, highest))
    return float(stops_here @ (1 - none_so_far))


def users_needed(share, other):
    """How many users each side of an A/B test needs to tell two shares apart, a whole number.

    For a two-sided test at 5 % that finds a difference of this size four times in five (Fleiss, Levin and
    Paik 2003, without correction for continuity). Equal shares, or one outside 0 to 1, are a ValueError.

    >>> users_needed(0.10, 0.11)
    14751
    """
    if share == other or not (0 <= share <= 1 and 0 <= other <= 1):
        raise ValueError(f"share and other must be two different numbers from 0 to 1; got {share}, {other}")
    certainty, power = 1.959964, 0.841621  # of the normal distribution, at 97.5 % and at 80 %
    mean = (share + other) / 2
    spread = certainty * math.sqrt(2 * mean * (1 - mean))
    spread += power * math.sqrt(share * (1 - share) + other * (1 - other))
    return math.ceil((spread / (share - other)) ** 2)


def simulate(grades, patience, *, users=2000, seed=0, highest=3):
    """The clicks of so many users on one ranking, as a `ClickLog`.

    grades : in the rank order in which the list was shown. patience : see `seen`. The same seed gives the
    same users, and the same luck whatever their patience, so that moving it does not make numbers jump.

    >>> simulate([0, 3], patience=0.5, users=1000).clicks.tolist()
    [55, 492]
    """
    if isinstance(users, bool) or not isinstance(users, int) or users < 1:
        raise ValueError(f"users must be a whole number of at least 1; got {users!r}")
    going_on, liking = np.random.default_rng(seed).random((2, users, len(grades)))
    going_on[:, :1] = 0  # everybody looks at rank 1
    reads = np.cumprod(going_on < _checked(patience), axis=1)
    clicks = (reads * (liking < appeal(grades, highest))).sum(axis=0)
    return ClickLog(tuple(grades), patience, users, clicks)


@dataclass(frozen=True)
class ClickLog:
    """What a click log holds of one ranking.

    grades: of the documents, in the order in which they were shown; no log has them.
    patience, users: who the users were and how many. clicks: an array, clicks on each document.
    """

    grades: tuple
    patience: float
    users: int
    clicks: np.ndarray

    @property
    def rates(self):
        """Clicks on each document, over the users: the label that is made of them."""
        return self.clicks / self.users

    @property
    def corrected(self):
        """The rates, each over the chance that the document was looked at (Joachims and others 2017).

        It needs that chance, which a log does not tell: one finds it by showing some users another order.
        """
        return self.rates / seen(len(self.grades), self.patience)

    def ndcg(self, order, labels):
        """NDCG, linear gain, of any order of the documents, by the labels that one gives them.

        order : positions in the list as shown, from 0, best first. labels : one a document, 0 or more.

        >>> log = simulate([0, 3], patience=0.5)
        >>> round(log.ndcg([1, 0], log.grades), 3)
        1.0
        """
        return metrics.ndcg(np.asarray(labels, dtype=float)[list(order)])

    def verdict(self, order):
        """NDCG of the list as shown and of another order, by the grades and by what clicks say: four lines.

        >>> print(simulate([0, 3], patience=0.5).verdict([1, 0]))
        NDCG@2, linear gain
        by the grades: as shown 0.631, other order 1.000
        by click rates: as shown 0.683, other order 1.000
        by corrected click rates: as shown 0.657, other order 1.000
        """
        lines = [f"NDCG@{len(self.grades)}, linear gain"]
        labels = {
            "the grades": self.grades,
            "click rates": self.rates,
            "corrected click rates": self.corrected,
        }
        for name, label in labels.items():
            shown, other = self.ndcg(range(len(self.grades)), label), self.ndcg(order, label)
            lines.append(f"by {name}: as shown {shown:.3f}, other order {other:.3f}")
        return "\n".join(lines)

    def picture(self):
        """A Picture of the click rate of each rank, beside the rate if every rank were looked at.

        >>> simulate([0, 3], patience=0.5, users=1000).picture()
        Click rate by rank, of 1,000 users with patience 0.5: 0.06, 0.49. If all ranks were seen: 0.05, 0.95.
        """
        from rankedu import pictures

        figure, axes = pictures.new_figure(6.4, 2.4)
        figure.subplots_adjust(left=0.075, right=0.98, bottom=0.19, top=0.9)
        rank, liked = np.arange(1, len(self.grades) + 1), appeal(self.grades)
        axes.bar(rank, liked, width=0.7, fill=False, edgecolor=pictures.GREY, hatch="//", label="if seen")
        axes.bar(rank, self.rates, width=0.45, color=pictures.BLUE, label="clicked")
        axes.set_ylim(0, 1.25)  # room for the legend
        axes.set_yticks(np.arange(6) / 5)
        axes.set_xticks(rank, [f"{r}\ngrade {g:g}" for r, g in zip(rank, self.grades, strict=True)])
        axes.set_title("click rate by rank", loc="left", color=pictures.INK, fontsize=9)
        axes.legend(frameon=False, fontsize=8, ncols=2, loc="upper right")
        clicked, could = (", ".join(f"{rate:.2f}" for rate in rates) for rates in (self.rates, liked))
        return pictures.Picture(
            figure,
            f"Click rate by rank, of {self.users:,} users with patience {self.patience:g}: {clicked}. "
            f"If all ranks were seen: {could}.",
        )


def _checked(patience):
    if not 0 < patience <= 1:
        raise ValueError(f"patience must be above 0 and at most 1; got {patience!r}")
    return patience
