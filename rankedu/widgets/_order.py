"""A list whose order a learner sets: the order, its history, and the controls that move its items."""

import time
from collections import Counter

import ipywidgets
import numpy as np
import traitlets

from rankedu import explain
from rankedu.turns import in_turn

from ._look import button, layout


class Ordered(traitlets.HasTraits):
    """What a widget needs to hold a list that can be moved; the widget says what follows when it has.

    A widget calls `_hold` before its own `__init__`, puts what `_movers` returns into its page, and calls
    `_follow` when a change of `order` has been shown.
    """

    order = traitlets.Tuple(help="indices of the items in rank order")

    def _hold(self, items, grades):
        self.items, self._grades = check_items(items, grades)
        self._start = tuple(range(len(self.items)))
        self._history = []
        self._last_drag = (None, 0.0)
        self._following = False

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

    # -------------------------------------------------------------------------------------------
    # The page

    def _movers(self):
        """The controls that move the items, one row for each item, and the buttons below them."""
        n = len(self.items)
        label = min(max(7.4 * max(map(len, self.items)) + 8, 70), 210)
        # One layout and one style for all rows: the page then has a third of the models to open.
        box_layout = layout(width=f"{label + 62:.0f}px", margin="0")
        box_style = {"description_width": f"{label:.0f}px"}
        slider_layout = layout(width="120px", margin="0")
        step_layout = layout(width="26px", height="26px", padding="0", margin="1px")
        self.sliders, self.boxes, cells = [], [], []
        for i, title in enumerate(self.items):
            where = {"value": i + 1, "min": 1, "max": n, "tooltip": f"rank of {title}"}
            box = ipywidgets.BoundedIntText(**where, description=title, layout=box_layout, style=box_style)
            slider = ipywidgets.IntSlider(**where, readout=False, layout=slider_layout)
            up = ipywidgets.Button(description="▲", tooltip=f"{title}: one rank up", layout=step_layout)
            down = ipywidgets.Button(description="▼", tooltip=f"{title}: one rank down", layout=step_layout)
            box_style, step_layout = box.style, up.layout
            for control in (box, slider):
                control.observe(in_turn(lambda change, i=i: self._moved_by_hand(i, change["new"])), "value")
            up.on_click(in_turn(lambda _, i=i: self._step(i, -1)))
            down.on_click(in_turn(lambda _, i=i: self._step(i, +1)))
            self.sliders.append(slider)
            self.boxes.append(box)
            cells += [box, slider, up, down]
        rows = ipywidgets.GridBox(
            cells,
            layout=layout(
                grid_template_columns=f"{label + 62:.0f}px 120px 28px 28px",
                grid_auto_rows="29px",
                align_items="center",
                grid_gap="0 9px",
            ),
        )
        buttons = [
            button("Best first", "Sort the list by grade, best first", self.sort_best_first),
            button("Reset", "Back to the order of the start", self.reset),
            button("Undo", "Take the last move back", self.undo),
        ]
        hint = ipywidgets.HTML(
            '<div class="rk-hint">Give an item its rank: drag, type or step. 1 is the top.</div>'
        )
        return [hint, rows, ipywidgets.HBox(buttons)]

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

    def _follow(self):
        """Bring every slider and number box to the rank of its item."""
        self._following = True
        try:
            for rank, i in enumerate(self.order, start=1):
                self.sliders[i].value = rank
                self.boxes[i].value = rank
        finally:
            self._following = False


class OrderSliders(Ordered, ipywidgets.VBox):
    """The controls of one list alone, for a widget that shows several lists at once.

    Whoever shows it observes `order` and calls `follow`: numbers first, then the other sliders.
    """

    def __init__(self, items, grades):
        self._hold(items, grades)
        super().__init__(order=self._start)
        self.children = self._movers()

    def follow(self):
        """Bring every slider and number box to the rank of its item."""
        self._follow()


def check_items(items, grades):
    """The titles as text and the grades as floats, or an error that names what is wrong."""
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


def missing_documents(judged, titled, grades):
    """(title, grade) of the judged documents that a list with these grades lacks, best first.

    judged: every grade judged, or None where the list holds them all. titled: {title: grade} of those that it
    lacks, where they have titles; without any, they are counted by grade, and those of grade 0 left out.
    """
    if judged is None:
        return []
    if titled:
        return sorted(titled.items(), key=lambda pair: -pair[1])
    left = Counter(map(float, judged)) - Counter(grades)
    return [
        ("1 judged document" if left[grade] == 1 else f"{left[grade]} judged documents", grade)
        for grade in sorted(left, reverse=True)
        if grade > 0
    ]
