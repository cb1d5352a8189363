"""The widgets of the course: sliders that reorder a list while its score, and the reason for it, follow.

Everything shown is a text or a picture made in the kernel and put into a widget's value; nothing prints.
The numbers come from `rankedu.explain`, the pictures from `rankedu.pictures`.
"""

import html
import time
from collections import Counter

import ipywidgets
import numpy as np
import traitlets

from rankedu import explain, pictures

__all__ = ["RankingSliders"]

# The controls that a RankingSliders can show above its list, in this order.
CONTROLS = ("k", "gain", "threshold")


class RankingSliders(ipywidgets.VBox):
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

    order = traitlets.Tuple(help="indices of the items in rank order")
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
        self.items, self._grades = _check_items(items, grades)
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
        self._start = tuple(range(len(self.items)))
        self._history = []
        self._last_drag = (None, 0.0)
        self._following = False
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

    # -------------------------------------------------------------------------------------------
    # What a learner, or code, can do

    @property
    def grades(self):
        """The grades of the items in rank order."""
        return [self._grades[i] for i in self.order]

    @property
    def titles(self):
        """The titles of the items in rank order."""
        return [self.items[i] for i in self.order]

    @property
    def value(self):
        """The score of the present order, by the first metric."""
        return self.explanations[0].value

    def move(self, item, rank):
        """Move an item, named by its index or its title, to `rank` (1 is the top); the others close up."""
        item = self._index(item)
        if isinstance(rank, bool) or not isinstance(rank, int | np.integer):
            raise TypeError(f"rank must be a whole number from 1 to {len(self.items)}; got {rank!r}")
        if not 1 <= rank <= len(self.items):
            raise ValueError(f"rank must be from 1 to {len(self.items)}; got {rank}")
        order = [i for i in self.order if i != item]
        order.insert(rank - 1, item)
        self._set_order(order)

    def reset(self):
        """Bring back the order of the start; `undo` takes even this back."""
        self._set_order(self._start)

    def sort_best_first(self):
        """Put the best grades first; equal grades keep their present order."""
        self._set_order(sorted(self.order, key=lambda i: -self._grades[i]))

    def undo(self):
        """Take back the last change of the order; without one, nothing happens."""
        if self._history:
            self.order = self._history.pop()

    # -------------------------------------------------------------------------------------------
    # State

    @traitlets.validate("order")
    def _check_order(self, proposal):
        order = tuple(int(i) for i in proposal["value"])
        if sorted(order) != list(range(len(self.items))):
            raise ValueError(
                f"order must hold each of the indices 0 to {len(self.items) - 1} once; "
                f"got {proposal['value']!r}"
            )
        return order

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

    def _set_order(self, order):
        order = tuple(order)
        if order != self.order:
            self._history.append(self.order)
            self.order = order

    def _index(self, item):
        if isinstance(item, str):
            if self.items.count(item) != 1:
                raise ValueError(
                    f"item must be an index or a title that one item has; {item!r} is that of "
                    f"{self.items.count(item)} items"
                )
            return self.items.index(item)
        if isinstance(item, bool) or not isinstance(item, int | np.integer):
            raise TypeError(f"item must be the index or the title of an item; got {item!r}")
        if not 0 <= item < len(self.items):
            raise ValueError(f"item must be an index from 0 to {len(self.items) - 1}; got {item}")
        return int(item)

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
        n = len(self.items)
        label = min(max(7.4 * max(map(len, self.items)), 70), 210)
        # One layout and one style for all rows: the page then has a third of the models to open.
        box_layout = ipywidgets.Layout(width=f"{label + 62:.0f}px", margin="0")
        box_style = {"description_width": f"{label:.0f}px"}
        slider_layout = ipywidgets.Layout(width="120px", margin="0")
        step_layout = ipywidgets.Layout(width="26px", height="26px", padding="0", margin="1px")
        self.sliders, self.boxes, cells = [], [], []
        for i, title in enumerate(self.items):
            where = {"value": i + 1, "min": 1, "max": n, "tooltip": f"rank of {title}"}
            box = ipywidgets.BoundedIntText(**where, description=title, layout=box_layout, style=box_style)
            slider = ipywidgets.IntSlider(**where, readout=False, layout=slider_layout)
            up = ipywidgets.Button(description="▲", tooltip=f"{title}: one rank up", layout=step_layout)
            down = ipywidgets.Button(description="▼", tooltip=f"{title}: one rank down", layout=step_layout)
            box_style, step_layout = box.style, up.layout
            for control in (box, slider):
                control.observe(lambda change, i=i: self._moved_by_hand(i, change["new"]), "value")
            up.on_click(lambda _, i=i: self._step(i, -1))
            down.on_click(lambda _, i=i: self._step(i, +1))
            self.sliders.append(slider)
            self.boxes.append(box)
            cells += [box, slider, up, down]
        rows = ipywidgets.GridBox(
            cells,
            layout=ipywidgets.Layout(
                grid_template_columns=f"{label + 62:.0f}px 120px 28px 28px",
                grid_auto_rows="29px",
                align_items="center",
                grid_gap="0 9px",
            ),
        )
        self._buttons = [
            _button("Best first", "Sort the list by grade, best first", self.sort_best_first),
            _button("Reset", "Back to the order of the start", self.reset),
            _button("Undo", "Take the last move back", self.undo),
        ]
        hint = ipywidgets.HTML(
            '<div class="rk-hint">Give an item its rank: drag, type or step. 1 is the top.</div>'
        )
        left = ipywidgets.VBox(
            [hint, rows, ipywidgets.HBox(self._buttons)], layout=_layout(margin="0 26px 0 0")
        )
        wide = 350 + 130 * (len(self.metric) - 1)
        self.view = ipywidgets.HTML(layout=_layout(flex=f"1 1 {wide}px", max_width=f"{wide + 270}px"))
        self.images = []
        if picture:
            kind = None if picture is True else picture
            size = (6.4, 2.3) if len(self.metric) == 1 else (4.2, 2.0)
            self.images = [
                ipywidgets.Image(
                    format="png", layout=_layout(width=f"{size[0] * 100:.0f}px", max_width="100%", margin="0")
                )
                for _ in self.metric
            ]
            self._pictures = [pictures.RankingPicture(work, *size, kind=kind) for work in self._explain()]
        self.controls = {}
        settings = [self._control(name) for name in CONTROLS if name in controls]
        wrap = {"flex_flow": "row wrap"}
        self.children = [
            ipywidgets.HTML(explain.STYLE + STYLE, layout=_layout(display="none")),
            *([ipywidgets.HBox(settings, layout=_layout(**wrap, margin="0 0 4px"))] if settings else []),
            ipywidgets.HBox([left, self.view], layout=_layout(**wrap, align_items="flex-start")),
            *([ipywidgets.HBox(self.images, layout=_layout(**wrap))] if picture else []),
        ]
        self.add_class("rk-widget")

    def _control(self, name):
        """A control bound to one of the settings, both ways."""
        if name == "gain":
            control = ipywidgets.ToggleButtons(
                options=list(explain.metrics.GAINS),
                value=self.gain,
                tooltips=["the grade", "2^grade − 1"],
                style={"button_width": "100px"},
                layout=_layout(width="220px"),
            )
            shown = ipywidgets.HBox([ipywidgets.Label("gain"), control])
        else:
            top = len(self.items) if name == "k" else max(2, int(max(self._grades)))
            shown = control = ipywidgets.IntSlider(
                min=1,
                max=top,
                description={"k": "cut-off k", "threshold": "relevant from grade"}[name],
                tooltip={"k": "how many ranks count", "threshold": "least relevant grade"}[name],
                style={"description_width": "initial"},
                layout=_layout(width="300px" if name == "threshold" else "240px"),
            )
        self.controls[name] = control

        def show(value):
            # A setting that the control cannot show, such as a threshold of 0.5, leaves it alone.
            value = len(self.items) if name == "k" and value is None else value
            if name == "gain" or (value == int(value) and control.min <= value <= control.max):
                control.value = value

        show(getattr(self, name))
        control.observe(lambda change: setattr(self, name, change["new"]), "value")
        self.observe(lambda change: show(change["new"]), name)
        return shown

    def _step(self, item, by):
        rank = self.order.index(item) + 1 + by
        if 1 <= rank <= len(self.items):
            self.move(item, rank)

    def _moved_by_hand(self, item, rank):
        """A slider or a number box has a new value: that is one move, and one drag is one step of undo."""
        if self._following:
            return
        before, last, now = len(self._history), self._last_drag, time.monotonic()
        self.move(item, rank)
        from_page = bool(self.sliders[item]._property_lock)
        if from_page and last[0] == item and now - last[1] < 0.5 and len(self._history) > before > 0:
            del self._history[-1]
        self._last_drag = (item if from_page else None, now)

    def _redraw(self):
        """Show the present order: numbers and bars first, then the other sliders, the picture last."""
        if len(self.metric) != len(getattr(self, "explanations", self.metric)) and self.images:
            raise ValueError("metric: the number of metrics shown is fixed when the widget is made")
        self.explanations = self._explain()
        self.view.value = self._table()
        self._following = True
        try:
            for rank, i in enumerate(self.order, start=1):
                self.sliders[i].value = rank
                self.boxes[i].value = rank
        finally:
            self._following = False
        for image, picture, work in zip(
            self.images, getattr(self, "_pictures", ()), self.explanations, strict=False
        ):
            image.value = picture.png(work)

    def _table(self):
        works = self.explanations
        single = works[0] if len(works) == 1 else None
        head = "".join(
            f'<p class="rk-head"><span>{html.escape(work.name)}</span><strong>{_score(work.value)}</strong>'
            f"<span>{html.escape(_how(work))}</span></p>"
            for work in works
        )
        weight = WEIGHTS.get(single.metric) if single else None
        headings = ["rank", "item", "grade"]
        headings += [weight[0]] if weight else []
        headings += ["contribution"] if single else [work.name for work in works]
        left = {"item": ' class="rk-t"'}
        columns = "".join(
            f'<th scope="col"{left.get(heading, "")}>{html.escape(heading)}</th>' for heading in headings
        )
        body = "".join(self._row(rank, weight) for rank in range(1, len(self.items) + 1))
        missing = self._missing()
        if missing:
            # One column for the rank, one for the title, one for the grade, the others left empty.
            rest = f'<td colspan="{len(headings) - 3}" class="rk-t">not returned</td>'
            body += "".join(
                f'<tr class="rk-missing"><td class="rk-n">–</td><td class="rk-t">{html.escape(title)}</td>'
                f'<td class="rk-n">{_chip(grade)}</td>{rest}</tr>'
                for title, grade in missing
            )
        conventions = html.escape(_conventions(works))
        return (
            f'<div class="rk rk-live{"" if single else " rk-many"}">{head}'
            f"<table><thead><tr>{columns}</tr></thead><tbody>{body}</tbody></table>"
            f"<p><small>{conventions}</small></p></div>"
        )

    def _row(self, rank, weight):
        i = self.order[rank - 1]
        rows = [work.rows[rank - 1] for work in self.explanations]
        k = self.explanations[0].k
        kind = "rk-cut" if rank == k < len(self.items) else "rk-off" if rank > k else ""
        cells = [
            f'<td class="rk-n">{rank}</td>',
            f'<td class="rk-t">{html.escape(self.items[i])}</td>',
            f'<td class="rk-n">{_chip(self._grades[i])}</td>',
        ]
        if weight:
            cells.append(f'<td class="rk-n">{weight[1](rows[0])}</td>')
        for work, row in zip(self.explanations, rows, strict=True):
            worth, most = _worth(work, row)
            bar = _bar(row.contribution / most, worth / most)
            cells.append(f'<td class="rk-n">{bar}{row.contribution:.3f}</td>')
        return f'<tr class="{kind}">{"".join(cells)}</tr>'

    def _missing(self):
        """(title, grade) of the judged documents that the list lacks, best first."""
        if self.judged is None:
            return []
        if self._missing_titles:
            return sorted(self._missing_titles.items(), key=lambda pair: -pair[1])
        left = Counter(map(float, self.judged)) - Counter(self._grades)
        return [
            ("1 judged document" if left[grade] == 1 else f"{left[grade]} judged documents", grade)
            for grade in sorted(left, reverse=True)
            if grade > 0
        ]

    # -------------------------------------------------------------------------------------------
    # Without a page

    def __repr__(self):
        scores = ", ".join(f"{work.name} = {_score(work.value)}" for work in self.explanations)
        conventions = _conventions(self.explanations)
        ranking = ", ".join(
            f"{title} {explain.number(g)}" for title, g in zip(self.titles, self.grades, strict=True)
        )
        return f"{scores} ({conventions}): {ranking}"

    def _repr_mimebundle_(self, **kwargs):
        """The widget where there is a kernel; the same ranking as a table and as text where there is none."""
        bundle = super()._repr_mimebundle_(**kwargs)
        if bundle is not None:
            bundle["text/plain"] = "\n\n".join(str(work) for work in self.explanations)
            bundle["text/html"] = "".join(work._repr_html_() for work in self.explanations)
        return bundle


# What stands between grade and contribution where one metric is shown: its heading and its text for a row.
WEIGHTS = {
    "dcg": ("× discount", lambda row: f"{row.discount:.3f}"),
    "ndcg": ("× discount", lambda row: f"{row.discount:.3f}"),
    "average_precision": ("precision", lambda row: f"{row.hits}/{row.rank}" if row.relevant else ""),
    "reciprocal_rank": ("1 / rank", lambda row: f"1/{row.rank}" if row.contribution else ""),
}


def _check_items(items, grades):
    if isinstance(items, str | bytes) or not hasattr(items, "__iter__"):
        raise TypeError(f"items must be a list of titles; got {items!r}")
    items = [str(item) for item in items]
    if not 1 <= len(items) <= 20:
        raise ValueError(f"items must hold 1 to 20 titles, one slider each; got {len(items)}")
    grades = explain.metrics.gain(list(grades) if isinstance(grades, tuple) else grades)
    grades = np.atleast_1d(grades).tolist()
    if len(grades) != len(items):
        raise ValueError(f"grades must hold one grade for each of the {len(items)} items; got {len(grades)}")
    return items, grades


def _any_metric_takes(option, metric):
    names = [metric] if isinstance(metric, str) else metric
    return any(option in explain.METRICS[name][1] for name in names if name in explain.METRICS)


def _worth(work, row):
    """What the row's document would add at rank 1, and what the best document could add."""
    if work.metric in ("cumulative_gain", "dcg", "ndcg"):
        gains = [row.gain for row in (*work.rows, *(work.ideal or ()))]
        return row.gain, max(gains) or 1.0
    if work.metric in ("reciprocal_rank", "hit_rate_at_k"):
        return float(row.relevant), 1.0
    relevant = sum(row.relevant for row in work.rows) + len(work.missing)
    each = {
        "precision_at_k": 1 / work.k if work.k else 1.0,
        "recall_at_k": 1 / max(relevant, 1),
        "f1_at_k": 2 / (work.k + relevant) if work.k + relevant else 1.0,
        "average_precision": 1 / max(relevant, 1),
    }[work.metric]
    return each * row.relevant, each


def _conventions(works):
    """What the scores depend on besides the list, each thing once."""
    return "; ".join(dict.fromkeys(part for work in works for part in work.conventions.split("; ")))


def _how(work):
    """The right side of the formula's last line: how the score came about, without the score."""
    result = work.formula.splitlines()[-1].split(" = ", 1)[1]
    return result if ":" in result or "because" in result else "= " + result.rsplit(" = ", 1)[0]


def _score(value):
    return f"{value:.3f}"


def _chip(grade):
    return f'<span class="rk-chip">{explain.number(grade)}</span>'


def _bar(share, worth):
    return (
        f'<span class="rk-track"><span class="rk-bar" style="width:{100 * share:.1f}%"></span>'
        f'<span class="rk-worth" style="width:{100 * worth:.1f}%"></span></span>'
    )


def _layout(**settings):
    return ipywidgets.Layout(**settings)


def _button(text, tooltip, action):
    button = ipywidgets.Button(description=text, tooltip=tooltip, layout=_layout(width="88px"))
    button.on_click(lambda _: action())
    return button


STYLE = """<style>
.rk-widget{overflow:visible}
.rk-widget .rk-hint{font-family:var(--jp-ui-font-family,sans-serif);font-size:12px;line-height:1.4;
 color:var(--jp-ui-font-color1,currentColor);opacity:.85;max-width:330px;margin:0 0 6px}
.rk-widget .widget-inline-hbox .widget-label{text-align:left;color:var(--jp-ui-font-color1)}
.rk.rk-live{padding-right:4px}
.rk.rk-live table{width:100%}
.rk.rk-live thead th{white-space:nowrap}
.rk.rk-live tbody td,.rk.rk-live thead th{padding:0 6px;height:28px;box-sizing:border-box;line-height:1.2}
.rk-live .rk-track{width:84px;height:15px;vertical-align:middle;margin-right:6px}
.rk-live.rk-many .rk-track{width:56px}
.rk-live .rk-bar{height:11px}
.rk-live .rk-worth{display:block;height:3px;margin-top:1px;border-radius:1px;background:var(--rk-quiet);
 opacity:.55}
.rk-live .rk-chip{display:inline-block;min-width:20px;padding:0 4px;text-align:center;line-height:18px;
 border:1px solid var(--rk-quiet);border-radius:10px}
.rk-live .rk-missing td{font-style:italic;color:var(--rk-quiet)}
.rk-live small{font-size:12px;color:var(--rk-quiet)}
</style>"""
