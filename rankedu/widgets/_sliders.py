"""RankingSliders: one list, its score under one or more metrics, and the reason for it."""

import html

import ipywidgets
import traitlets

from rankedu import explain, pictures

from ._look import (
    STYLE,
    Picture,
    conventions,
    cut_off,
    gain_choice,
    layout,
    least_relevant,
    ranking_table,
    score,
    score_line,
)
from ._order import Ordered, missing_documents

# The controls that a RankingSliders can show above its list, in this order.
CONTROLS = ("k", "gain", "threshold")


class RankingSliders(Ordered, ipywidgets.VBox):
    """A list whose order is set with sliders, and its score under one or more metrics with the work shown.

    items: 1 to 20 titles, in the order of the list at the start; equal titles are allowed.
    grades: the grade of each item. k: the cut-off, None for the whole list.
    metric: the name of one of `explain.METRICS`, or several names for scores side by side.
    gain, threshold: as in `rankedu.metrics`.
    judged: every grade judged for the query, those of the items among them; or, with titles,
    not_returned: {title: grade} of the judged documents that the list lacks. They are shown below the list,
    and felt in the ideal DCG, in R and in AP.
    controls: any of "k", "gain", "threshold", which are then shown as controls above the list.
    picture: whether a picture is drawn below; "spread" draws where the order lies among all orders of the
    list (DCG and NDCG).
    k, metric, gain, threshold and judged can be changed later by assigning them: `w.k = 3`.

    sliders: one IntSlider for each item, in the order the items were given; its value is the item's rank.
    order: the indices of the items in rank order (a traitlet). grades: their grades in rank order.
    explanations: one `explain.Explanation` for each metric. value: the score, by the first metric.
    Raises ValueError or TypeError, naming the argument, for input that cannot be shown or scored.

    >>> w = RankingSliders(["csv", "argparse", "json"], [1, 0, 3], k=3)
    >>> w.sliders[2].value = 1              # json to rank 1, the others close up
    >>> w.order, w.grades, round(w.value, 3)
    ((2, 0, 1), [3.0, 1.0, 0.0], 1.0)
    >>> w.undo()
    >>> w
    NDCG@3 = 0.689 (linear gain; ideal from the ranking itself): csv 1, argparse 0, json 3
    """

    k = traitlets.Any(help="the cut-off, None for the whole list")
    gain = traitlets.Any(help='"linear" or "exponential"')
    threshold = traitlets.Any(help="the least grade that counts as relevant")
    judged = traitlets.Any(help="every grade judged for the query, or None")
    metric = traitlets.Any(help="the names of the metrics shown")

    def __init__(
        self,
        items,
        grades,
        k=5,
        metric="ndcg",
        *,
        gain="linear",
        threshold=1,
        judged=None,
        not_returned=None,
        controls=(),
        picture=True,
    ):
        self._hold(items, grades)
        self._missing_titles = dict(not_returned or {})
        if not_returned is not None:
            if judged is not None:
                raise ValueError(
                    "give judged or not_returned, not both: not_returned adds to the items' own grades"
                )
            judged = [*self._grades, *self._missing_titles.values()]
        unknown = [name for name in controls if name not in CONTROLS]
        if unknown or isinstance(controls, str):
            raise ValueError(f"controls must be a list of any of {', '.join(CONTROLS)}; got {controls!r}")
        idle = [name for name in controls if name != "k" and not _any_metric_takes(name, metric)]
        if idle:
            raise ValueError(f"controls: {idle[0]} changes nothing for {metric!r}")
        self._ready = False
        super().__init__(
            order=self._start,
            k=k,
            gain=gain,
            threshold=threshold,
            judged=judged,
            metric=(metric,) if isinstance(metric, str) else tuple(metric),
        )
        self._explain()  # wrong input is told before anything is built
        self._build(controls, picture)
        self._ready = True
        self._redraw()

    @property
    def value(self):
        """The score of the present order, by the first metric."""
        return self.explanations[0].value

    # -------------------------------------------------------------------------------------------
    # State

    @traitlets.validate("k", "gain", "threshold", "judged", "metric")
    def _check_setting(self, proposal):
        name, value = proposal["trait"].name, proposal["value"]
        if name == "metric":
            value = (value,) if isinstance(value, str) else tuple(value)
            if not value:
                raise ValueError("metric must name at least one metric; got none")
        if self._ready:
            self._explain(**{name: value})
        return value

    @traitlets.observe("order", "k", "gain", "threshold", "judged", "metric")
    def _changed(self, change):
        if self._ready:
            self._redraw()

    def _explain(self, **changed):
        """The explanations of the present order, under the present settings or with some changed."""
        settings = {
            name: getattr(self, name) for name in ("k", "gain", "threshold", "judged", "metric")
        } | changed
        metric, k = settings.pop("metric"), settings.pop("k")
        return [explain.by_name(name, self.grades, k, items=self.titles, **settings) for name in metric]

    # -------------------------------------------------------------------------------------------
    # The page

    def _build(self, controls, picture):
        left = ipywidgets.VBox(self._movers(), layout=layout(margin="0 26px 0 0"))
        wide = 350 + 130 * (len(self.metric) - 1)
        self.view = ipywidgets.HTML(layout=layout(flex=f"1 1 {wide}px", max_width=f"{wide + 270}px"))
        self.images = []
        if picture:
            kind = None if picture is True else picture
            size = (6.4, 2.3) if len(self.metric) == 1 else (4.2, 2.0)
            self.images = [Picture(round(size[0] * 100)) for _ in self.metric]
            self._pictures = [pictures.RankingPicture(work, *size, kind=kind) for work in self._explain()]
        self.controls = {}
        settings = [self._control(name) for name in CONTROLS if name in controls]
        wrap = {"flex_flow": "row wrap"}
        self.children = [
            ipywidgets.HTML(explain.STYLE + STYLE, layout=layout(display="none")),
            *([ipywidgets.HBox(settings, layout=layout(**wrap, margin="0 0 4px"))] if settings else []),
            ipywidgets.HBox([left, self.view], layout=layout(**wrap, align_items="flex-start")),
            *([ipywidgets.HBox(self.images, layout=layout(**wrap))] if picture else []),
        ]
        self.add_class("rk-widget")

    def _control(self, name):
        """What is shown of a control bound to one of the settings."""
        if name == "gain":
            self.controls[name], shown = gain_choice(self)
        elif name == "k":
            self.controls[name] = shown = cut_off(self, len(self.items))
        else:
            self.controls[name] = shown = least_relevant(self, self._grades)
        return shown

    def _redraw(self):
        """Show the present order: numbers and bars first, then the other sliders, the picture last."""
        if len(self.metric) != len(getattr(self, "explanations", self.metric)) and self.images:
            raise ValueError("metric: the number of metrics shown is fixed when the widget is made")
        self.explanations = self._explain()
        self.view.value = self._table()
        self._follow()
        for image, picture, work in zip(
            self.images, getattr(self, "_pictures", ()), self.explanations, strict=False
        ):
            image.show(picture, work)

    def _table(self):
        works = self.explanations
        head = "".join(map(score_line, works))
        return (
            f'<div class="rk rk-live{"" if len(works) == 1 else " rk-many"}">{head}'
            f"{ranking_table(works, self._missing())}"
            f"<p><small>{html.escape(conventions(works))}</small></p></div>"
        )

    def _missing(self):
        """(title, grade) of the judged documents that the list lacks, best first."""
        return missing_documents(self.judged, self._missing_titles, self._grades)

    # -------------------------------------------------------------------------------------------
    # Without a page

    def __repr__(self):
        scores = ", ".join(f"{work.name} = {score(work.value)}" for work in self.explanations)
        ranking = ", ".join(
            f"{title} {explain.number(g)}" for title, g in zip(self.titles, self.grades, strict=True)
        )
        return f"{scores} ({conventions(self.explanations)}): {ranking}"

    def _repr_mimebundle_(self, **kwargs):
        """The widget where there is a kernel; the same ranking as a table and as text where there is none."""
        bundle = super()._repr_mimebundle_(**kwargs)
        if bundle is not None:
            bundle["text/plain"] = "\n\n".join(str(work) for work in self.explanations)
            bundle["text/html"] = "".join(work._repr_html_() for work in self.explanations)
        return bundle


def _any_metric_takes(option, metric):
    names = [metric] if isinstance(metric, str) else metric
    return any(option in explain.METRICS[name][1] for name in names if name in explain.METRICS)
