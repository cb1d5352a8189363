"""Pictures of a ranking and of its score, drawn with matplotlib without pyplot.

A `Picture` is what the functions here return: a notebook shows it, `save` writes it to a file, and its
`text` says in words and numbers what is to be seen, for readers who cannot see it.

`RankingPicture` is for a widget: it keeps one figure, draws what does not move (axes, ideal, cut-off) once,
and then only what does, which is several times quicker than a new figure for each move.
"""

import contextlib
import io
import itertools
import logging
from dataclasses import dataclass

import numpy as np
from PIL import Image

from rankedu import explain


@contextlib.contextmanager
def _errors_alone(logger):
    log = logging.getLogger(logger)
    level = log.level
    log.setLevel(logging.ERROR)
    try:
        yield
    finally:
        log.setLevel(level)


# In a read-only home, or while it lists the fonts, matplotlib would write to stderr, so into a lesson
with _errors_alone("matplotlib"):
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

__all__ = ["Picture", "RankingPicture", "difference_bars", "new_figure", "ranking", "weights"]

# Okabe and Ito (2008): told apart by colour-blind readers; every use has a second sign besides the colour.
BLUE, ORANGE, GREEN, GREY, INK = "#0072B2", "#D55E00", "#009E73", "#6b6b6b", "#222222"
DPI = 200
# Behind a number that a line may cross
GROUND = {"facecolor": "white", "edgecolor": "none", "pad": 0.8}


@dataclass(frozen=True, repr=False)
class Picture:
    """A matplotlib figure, and the text that says the same."""

    figure: Figure
    text: str

    def __repr__(self):
        return self.text

    def save(self, path):
        """Write the picture to `path`; the ending (.png, .svg, .pdf) says in which format."""
        self.figure.savefig(path)

    def _repr_mimebundle_(self, include=None, exclude=None):
        file = io.BytesIO()
        # No date and no version in the file: the same picture is the same bytes.
        self.figure.savefig(file, format="png", dpi=DPI, metadata={"Software": None})
        width, height = (round(inches * 100) for inches in self.figure.get_size_inches())
        shown = {"width": width, "height": height, "alt": self.text}
        # By this JupyterLab marks it as made for a light page; our style turns it round in a dark one
        metadata = {"image/png": shown, "needs_background": "light"}
        return {"image/png": file.getvalue(), "text/plain": self.text}, metadata


def new_figure(width=6.4, height=2.6):
    """A figure with one axes in the look of the course: (figure, axes). Sizes in inches of 100 pixels."""
    figure = Figure(figsize=(width, height), dpi=DPI, facecolor="white")
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    style(axes)
    return figure, axes


def style(axes):
    """Give the axes the look of the course: no box, quiet ticks, a light grid behind."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color("#999999")
    axes.tick_params(colors="#555555", labelsize=8, length=3)
    axes.grid(axis="y", color="#e6e6e6", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.title.set_fontsize(9)


def ranking(explanation):
    """A Picture of one explained ranking: what `RankingPicture` shows beside the sliders.

    explanation: an `explain.Explanation`.

    >>> ranking(explain.reciprocal_rank([0, 0, 1]))
    RR = 0.333: the first hit is at rank 3 of 3.
    """
    picture = RankingPicture(explanation)
    picture.draw(explanation)
    picture.settle()
    return Picture(picture.figure, describe(explanation))


def describe(work):
    """What the picture of an explanation shows, in one sentence."""
    score = f"{work.name} = {explain.number(work.value)}"
    if work.metric == "ndcg":
        return f"{score}: running DCG {work.total:.3f} of an ideal {work.best:.3f} at rank {work.k}."
    if work.metric == "reciprocal_rank":
        first = next((row.rank for row in work.rows if row.contribution), None)
        return f"{score}: " + (
            f"the first hit is at rank {first} of {len(work.rows)}." if first else "no hit."
        )
    if work.metric == "average_precision":
        hits = ", ".join(f"{row.hits}/{row.rank}" for row in work.rows if row.relevant and row.rank <= work.k)
        return f"{score}: precision at each hit {hits or 'nowhere'}; {len(work.missing)} relevant not in it."
    totals = ", ".join(explain.short(row.total) for row in work.rows)
    return f"{score}: running total by rank {totals or 'none'}."


class RankingPicture:
    """One kept figure of a ranking under a metric; `png` moves what has changed and returns the new image.

    NDCG, DCG and CG: the running total by rank, for NDCG under the ideal. AP: the precision at each hit.
    RR: 1 / rank, with the first hit marked. The metrics of the top k as a set: the metric at every cut-off.
    kind="spread": DCG or NDCG of every order of the list, and where this order lies among them.
    of: whose list it is, for the title, where several are in sight.
    """

    def __init__(self, explanation, width=6.4, height=2.3, kind=None, of=None):
        if kind not in (None, "spread") or (kind and explanation.metric not in ("dcg", "ndcg")):
            raise ValueError(
                f'kind must be None, or "spread" for dcg and ndcg; got {kind!r} for {explanation.metric}'
            )
        self.size, self._kind, self._of = (width, height), kind, of
        self._key = None
        self._lay_out(explanation)

    def png(self, explanation):
        """The picture of `explanation` as the bytes of a PNG, `size` x 200 pixels an inch."""
        self.draw(explanation)
        pixels = np.asarray(self.figure.canvas.buffer_rgba())[..., :3]
        file = io.BytesIO()
        Image.fromarray(np.ascontiguousarray(pixels)).save(file, format="png", compress_level=1)
        return file.getvalue()

    def draw(self, work):
        """Draw `work` onto the canvas, the still parts from memory where they are the same as before."""
        if self._scene(work) != self._key:
            self._lay_out(work)
        self.figure.canvas.restore_region(self._background)
        self._shape.move(work)
        for artist in self.moving:
            self.axes.draw_artist(artist)

    def settle(self):
        """Let the moving parts be drawn by an ordinary `savefig` too."""
        for artist in self.moving:
            artist.set_animated(False)

    def _scene(self, work):
        gains = tuple(sorted(getattr(row, "gain", 0) for row in work.rows))
        return (work.metric, work.k, len(work.rows), work.ideal, gains, len(work.missing))

    def _lay_out(self, work):
        self._key = self._scene(work)
        self.figure, self.axes = new_figure(*self.size)
        width, height = self.size
        self.figure.subplots_adjust(
            left=0.45 / width, right=1 - 1.3 / width, bottom=0.46 / height, top=1 - 0.28 / height
        )
        shape = _Spread if self._kind else SHAPES.get(work.metric, _EveryCut)
        if shape is not _Spread:
            self._rank_axis(work)
        self._shape = shape(self.axes, work)
        if self._of is not None:
            self.axes.set_title(f"{self.axes.get_title(loc='left')}: {self._of}", loc="left", color=INK)
        self.moving = self._shape.artists
        for artist in self.moving:
            artist.set_animated(True)
        self.figure.canvas.draw()
        self._background = self.figure.canvas.copy_from_bbox(self.figure.bbox)

    def _rank_axis(self, work):
        n = max(len(work.rows), len(work.ideal or ()), 1)
        self.axes.set_xlim(0.5, n + 0.5)
        self.axes.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=20, min_n_ticks=1))
        self.axes.set_xlabel("rank", fontsize=8, color="#555555")
        if work.k < len(work.rows):
            self.axes.axvspan(work.k + 0.5, n + 0.5, color="#f2f2f2", zorder=0)
            self.axes.axvline(work.k + 0.5, color=GREY, linewidth=1, linestyle=(0, (4, 3)))


def _ceiling(work):
    """The upper end of the y axis: the same for every order of the same list."""
    if work.metric == "ndcg":
        return max(work.best, work.total) or 1.0
    if work.metric == "cumulative_gain":
        return sum(row.gain for row in work.rows) or 1.0
    if work.metric == "dcg":
        best = sorted((row.gain for row in work.rows), reverse=True)
        return sum(gain * row.discount for gain, row in zip(best, work.rows, strict=True)) or 1.0
    return 1.0


def _end_label(axes, text, colour, y=0.0, **font):
    """A label right of the plot, at a height that may move."""
    place = axes.get_yaxis_transform()
    return axes.text(
        1.015, y, text, transform=place, va="center", fontsize=8.5, color=colour, clip_on=False, **font
    )


class _Running:
    """The running total by rank, and that of the ideal order above it."""

    def __init__(self, axes, work):
        self.axes, self.ceiling = axes, _ceiling(work)
        axes.set_ylim(0, self.ceiling * 1.12)
        what = "CG" if work.metric == "cumulative_gain" else "DCG"
        axes.set_title(f"running {what}", loc="left", color=INK)
        self.ranks = [row.rank for row in work.rows]
        self.ideal = None
        if work.ideal:
            self.ideal = np.array([row.total for row in work.ideal])
            axes.plot(
                range(1, len(self.ideal) + 1), self.ideal, "s--", color=GREY, markersize=4, linewidth=1.3
            )
            _end_label(axes, f"ideal {work.best:.3f}", GREY, self.ideal[-1])
        (self.line,) = axes.plot(
            self.ranks, [0] * len(self.ranks), "o-", color=BLUE, markersize=5.5, linewidth=2
        )
        self.label = _end_label(axes, "", BLUE, weight="bold")
        (self.lost,) = axes.fill([], [], color=BLUE, alpha=0.1, linewidth=0)
        self.artists = [self.lost, self.line, self.label]

    def move(self, work):
        totals = [row.total for row in work.rows]
        self.line.set_ydata(totals)
        if self.ideal is not None:
            both = min(len(totals), len(self.ideal))
            there = [*zip(self.ranks[:both], self.ideal[:both], strict=True)]
            back = [*zip(self.ranks[:both], totals[:both], strict=True)]
            self.lost.set_xy(np.array(there + back[::-1]).reshape(-1, 2))
        end = work.total
        # The two labels are kept one line apart, whatever their values.
        apart = self.ceiling * 0.13
        height = end if self.ideal is None else min(end, self.ideal[-1] - apart)
        self.label.set_y(max(height, 0))
        self.label.set_text(f"this order {end:.3f}" if work.metric != "cumulative_gain" else f"CG {end:g}")


class _Stems:
    """A stem at each rank, which can be high, low or nowhere."""

    def __init__(self, axes, work, title):
        axes.set_ylim(0, 1.18)
        axes.set_title(title, loc="left", color=INK)
        n = len(work.rows)
        self.bars = axes.bar(range(1, n + 1), [0] * n, width=0.5, color=BLUE)
        self.marks = [
            axes.text(rank, 0, "", ha="center", va="bottom", fontsize=8, color=INK, bbox=GROUND)
            for rank in range(1, n + 1)
        ]
        self.label = _end_label(axes, "", BLUE, 0.5, weight="bold")
        self.artists = [*self.bars, *self.marks, self.label]

    def set(self, i, height, text, counts=True):
        self.bars[i].set_height(height)
        self.bars[i].set_visible(height > 0)  # a bar of no height is a line on the axis
        self.bars[i].set_facecolor(BLUE if counts else "white")
        self.bars[i].set_edgecolor(BLUE if counts else GREY)
        self.bars[i].set_hatch(None if counts else "///")
        self.marks[i].set_y(height + 0.02)
        self.marks[i].set_text(text)


class _Hits(_Stems):
    """The precision at each hit: AP is their sum divided by R."""

    def __init__(self, axes, work):
        super().__init__(axes, work, "precision at each hit")

    def move(self, work):
        for i, row in enumerate(work.rows):
            shown = row.relevant
            self.set(
                i,
                row.precision if shown else 0,
                f"{row.hits}/{row.rank}" if shown else "",
                row.rank <= work.k,
            )
        self.label.set_text(f"{work.name} {work.value:.3f}")


class _First(_Stems):
    """1 / rank at every relevant rank; only the first of them counts."""

    def __init__(self, axes, work):
        super().__init__(axes, work, "1 / rank: only the first hit counts")
        ranks = np.arange(1, len(work.rows) + 1)
        axes.plot(ranks, 1 / ranks, color=GREY, linewidth=1, linestyle=":")

    def move(self, work):
        for i, row in enumerate(work.rows):
            text = f"1/{row.rank}" if row.contribution else ""
            self.set(i, 1 / row.rank if row.relevant else 0, text, bool(row.contribution))
        self.label.set_text(f"{work.name} {work.value:.3f}")


class _EveryCut:
    """The metric at every cut-off, with the value at k marked."""

    def __init__(self, axes, work):
        axes.set_ylim(0, 1.12)
        letter = work.name.split("@")[0]
        axes.set_title(f"{letter} at every cut-off", loc="left", color=INK)
        self.ranks = [row.rank for row in work.rows]
        (self.line,) = axes.plot(
            self.ranks, [0] * len(self.ranks), "o-", color=BLUE, markersize=4, linewidth=1.3, alpha=0.75
        )
        (self.here,) = axes.plot([], [], "D", color=ORANGE, markersize=8)
        self.label = _end_label(axes, "", ORANGE, 0.5, weight="bold")
        self.artists = [self.line, self.here, self.label]

    def move(self, work):
        values = _at_every_cut(work)
        self.line.set_ydata(values)
        inside = min(work.k, len(values))
        self.here.set_data([inside], [work.value]) if inside else self.here.set_data([], [])
        self.label.set_y(min(max(work.value, 0.06), 1.0))
        self.label.set_text(f"{work.name} {work.value:.3f}")


def _at_every_cut(work):
    """P, R, F1 or hit rate at each rank, from the hits so far and R."""
    hits = np.array([row.hits for row in work.rows], dtype=float)
    ranks = np.arange(1, len(hits) + 1)
    relevant = (hits[-1] if len(hits) else 0) + len(work.missing)
    if work.metric == "precision_at_k":
        return hits / ranks
    if work.metric == "recall_at_k":
        return hits / max(relevant, 1)
    if work.metric == "f1_at_k":
        return 2 * hits / (ranks + relevant)
    return (hits > 0).astype(float)


class _Spread:
    """How the score is spread over all orders of the list, and where this order lies."""

    def __init__(self, axes, work):
        scores, orders = spread(work)
        axes.set_title(f"{work.name} of {orders}", loc="left", color=INK)
        low, high = float(scores.min()), float(scores.max())
        room = (high - low) * 0.06 or 0.05
        axes.set_xlim(low - room, high + room)
        heights, _, _ = axes.hist(scores, bins=24, color="#c9d8e6", edgecolor="white", linewidth=0.6)
        axes.set_ylim(0, max(heights) * 1.25)
        axes.set_yticks([])
        axes.set_ylabel("orders", fontsize=8, color="#555555")
        axes.set_xlabel(work.name, fontsize=8, color="#555555")
        mean = float(scores.mean())
        for value, name, height in [(low, "worst", 0.97), (mean, "mean", 0.85), (high, "best", 0.73)]:
            axes.axvline(value, color=GREY, linewidth=1, linestyle=":")
            _end_label(axes, f"{name} {value:.3f}", GREY, height)
        self.line = axes.axvline(low, color=BLUE, linewidth=2.5)
        self.label = _end_label(axes, "", BLUE, 0.5, weight="bold")
        self.below = _end_label(axes, "", INK, 0.37)
        self.scores = scores
        for label in axes.texts:
            label.set_transform(axes.transAxes)
        self.artists = [self.line, self.label, self.below]

    def move(self, work):
        self.line.set_xdata([work.value, work.value])
        self.label.set_text(f"this order {work.value:.3f}")
        # An order is not better than one that differs in the last bit alone.
        self.below.set_text(f"better than {(self.scores < work.value - 1e-12).mean():.0%}")


def spread(work):
    """The scores of the orders of an explained list, and what they are in words.

    Every order for up to 8 documents, 20,000 random ones (the same at every call) for more.
    """
    gains = np.array(sorted(row.gain for row in work.rows))
    discounts = np.array([row.discount if row.rank <= work.k else 0.0 for row in work.rows])
    if len(gains) <= 8:
        orders = np.array(list(itertools.permutations(gains)))
        words = f"all {len(orders):,} orders"
    else:
        orders = np.random.default_rng(0).permuted(np.tile(gains, (20_000, 1)), axis=1)
        words = f"{len(orders):,} random orders"
    scores = orders @ discounts
    return (scores / work.best if work.best else scores), words


SHAPES = {
    "cumulative_gain": _Running,
    "dcg": _Running,
    "ndcg": _Running,
    "average_precision": _Hits,
    "reciprocal_rank": _First,
}


def weights(weight_of, ranks=10):
    """A Picture of what each rank is worth: one line for each weighting.

    weight_of: {label: function}; the function takes an array of ranks, which start at 1, and returns their
    weights. ranks: how many ranks are drawn, at least 2.

    >>> from rankedu import metrics
    >>> weights({"1 / log2(rank + 1)": metrics.discount}, ranks=5)
    Weight of ranks 1 to 5. 1 / log2(rank + 1): 1, 0.631, 0.5, 0.431, 0.387.
    """
    figure, axes = new_figure(6.4, 2.6)
    figure.subplots_adjust(left=0.075, right=0.98, bottom=0.19, top=0.9)
    rank = np.arange(1, ranks + 1)
    says = []
    looks = zip((BLUE, ORANGE, GREEN, INK), ("o-", "s--", "^:", "D-."), strict=True)
    for (label, function), (colour, shape) in zip(weight_of.items(), looks, strict=False):
        values = np.asarray(function(rank), dtype=float)
        axes.plot(rank, values, shape, color=colour, markersize=5, linewidth=1.8, label=label)
        says.append(f"{label}: {', '.join(map(explain.short, values))}.")
        if len(weight_of) == 1:
            for x, y in zip(rank, values, strict=True):
                where = {"xytext": (3, 5), "textcoords": "offset points"}
                axes.annotate(explain.short(y), (x, y), **where, fontsize=8, color=INK)
    axes.set_ylim(0, 1.2 * max(line.get_ydata().max() for line in axes.lines))
    axes.set_xlim(0.6, ranks + 0.7)
    axes.set_xticks(rank)
    axes.set_xlabel("rank", fontsize=8, color="#555555")
    axes.set_title("weight of a rank", loc="left", color=INK, fontsize=9)
    axes.legend(frameon=False, fontsize=8)
    return Picture(figure, f"Weight of ranks 1 to {ranks}. {' '.join(says)}")


def difference_bars(comparison, measure=None):
    """A Picture of two systems query by query: a bar up where the second is better, down where it is worse.

    comparison: what `trec.compare` gives. measure: one of its measures, the first if left out.

    >>> from rankedu import trec
    >>> qrels = {"q1": {"a": 1}, "q2": {"a": 1}, "q3": {"a": 1}}
    >>> first = {query: {"a": 1.0, "b": 2.0} for query in qrels}
    >>> second = {"q1": {"a": 2.0, "b": 1.0}, "q2": {"b": 1.0}, "q3": {"a": 1.0, "b": 2.0}}
    >>> results = [trec.evaluate(qrels, trec.read_run(run), "RR") for run in (first, second)]
    >>> results[0].name, results[1].name = "old", "new"
    >>> difference_bars(trec.compare(*results))
    RR of new minus old for 3 queries: new better in 1, worse in 1, the same in 1;
    largest gain +0.5000, largest loss -0.5000, mean +0.0000.
    """
    row = comparison[0 if measure is None else measure]
    difference = dict(comparison.drawn(row.measure))
    values = np.array(list(difference.values()))
    rank = np.arange(len(values))
    figure, axes = new_figure(6.4, 2.9)
    named = len(values) <= 40 and max(map(len, difference)) <= 10
    figure.subplots_adjust(left=0.09, right=0.98, bottom=0.24 if named else 0.13, top=0.9)
    better, worse = values > 0, values < 0
    axes.bar(rank[better], values[better], color=BLUE, width=0.8)
    axes.bar(rank[worse], values[worse], color=ORANGE, width=0.8, hatch="///", edgecolor="white", linewidth=0)
    axes.axhline(0, color=INK, linewidth=0.8)
    axes.axhline(row.difference, color=INK, linewidth=1, linestyle="--")
    axes.annotate(
        f"mean {row.difference:+.3f}", (1, row.difference), xycoords=("axes fraction", "data"),
        xytext=(-2, 3), textcoords="offset points", ha="right", fontsize=8, color=INK,
    )  # fmt: skip
    reach = max(np.abs(values).max(), 1e-9) * 1.1
    axes.set_ylim(-reach, reach)
    axes.set_xlim(-0.7, len(values) - 0.3)
    axes.set_xticks(rank if named else [], list(difference) if named else [], rotation=90, fontsize=7)
    axes.set_xlabel("query, from the largest gain to the largest loss", fontsize=8, color="#555555")
    axes.set_title(
        f"{row.measure}, {comparison.name_b} minus {comparison.name_a}", loc="left", color=INK, fontsize=9
    )
    return Picture(figure, f"{comparison.in_words(row.measure)}.")
