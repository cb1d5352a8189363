"""Shares: sliders for parts of a whole, which add up to 1 whatever is moved."""

from collections.abc import Mapping

import ipywidgets
import traitlets

from rankedu.turns import in_turn

from ._look import layout

STEPS = 20  # of a whole: shares move in steps of 0.05, and whole numbers of steps add up exactly


class Shares(ipywidgets.VBox):
    """One slider for each name, whose values add up to 1: where one grows, the others give way.

    names: the names, or {name: share at the start} in steps of 0.05. What one slider takes, the others give
    in proportion to what they have, to the nearest step.

    value: {name: share} (a traitlet); it can be assigned. sliders: the sliders, in the order of the names.
    Raises ValueError for fewer than two names, or shares that are negative, off the steps, or not 1 in sum.

    >>> shares = Shares({"MAP": 0.5, "NDCG@10": 0.25, "MRR": 0.25})
    >>> shares.sliders[0].value = 0.7
    >>> shares
    0.7 MAP + 0.15 NDCG@10 + 0.15 MRR
    """

    value = traitlets.Dict(help="the share of each name; together 1")

    def __init__(self, names):
        if isinstance(names, str) or len(names) < 2:
            raise ValueError(f"names must hold at least two names; got {names!r}")
        self.names = [str(name) for name in names]
        if not isinstance(names, Mapping):
            names = dict(zip(self.names, _split(STEPS, [1] * len(names)), strict=True))
            names = {name: steps / STEPS for name, steps in names.items()}
        self._following = False
        super().__init__(value=dict(names))
        label = layout(width="340px")
        self.sliders = [
            ipywidgets.FloatSlider(
                value=self.value[name],
                min=0,
                max=1,
                step=1 / STEPS,
                description=name,
                tooltip=f"share of {name}",
                readout_format=".2f",
                style={"description_width": "90px"},
                layout=label,
            )
            for name in self.names
        ]
        for i, slider in enumerate(self.sliders):
            slider.observe(in_turn(lambda change, i=i: self._moved(i, change["new"])), "value")
        self.children = self.sliders
        self.observe(lambda _: self._follow(), "value")

    @traitlets.validate("value")
    def _check(self, proposal):
        given = {str(name): share for name, share in proposal["value"].items()}
        if list(given) != self.names and set(given) != set(self.names):
            raise ValueError(f"value must hold the names {', '.join(self.names)}; got {', '.join(given)}")
        steps = {name: round(given[name] * STEPS) for name in self.names}
        off = [
            name for name in self.names if abs(steps[name] / STEPS - given[name]) > 1e-9 or steps[name] < 0
        ]
        if off or sum(steps.values()) != STEPS:
            raise ValueError(
                f"the shares must be steps of {1 / STEPS} from 0 to 1 that add up to 1; got {given!r}"
            )
        return {name: steps[name] / STEPS for name in self.names}

    def _moved(self, i, share):
        if self._following:
            return
        moved = round(share * STEPS)
        others = [name for j, name in enumerate(self.names) if j != i]
        steps = dict(
            zip(others, _split(STEPS - moved, [self.value[name] for name in others]), strict=True)
        ) | {self.names[i]: moved}
        self.value = {name: steps[name] / STEPS for name in self.names}
        self._follow()  # also where the value is as before: the slider may stand between two steps

    def _follow(self):
        self._following = True
        try:
            for name, slider in zip(self.names, self.sliders, strict=True):
                slider.value = self.value[name]
        finally:
            self._following = False

    def __repr__(self):
        return " + ".join(f"{share:g} {name}" for name, share in self.value.items())

    def _repr_mimebundle_(self, **kwargs):
        bundle = super()._repr_mimebundle_(**kwargs)
        if bundle is not None:
            bundle["text/plain"] = repr(self)
            bundle["text/html"] = f"<p>{self!r}</p>"
        return bundle


def _split(steps, weights):
    """`steps` as whole numbers in proportion to the weights; equal where all weights are 0."""
    weights = weights if sum(weights) else [1] * len(weights)
    exact = [steps * weight / sum(weights) for weight in weights]
    parts = [int(part + 1e-9) for part in exact]
    # The largest remainders get what is left; of equal ones, the first.
    for i in sorted(range(len(parts)), key=lambda i: (round(parts[i] - exact[i], 9), i))[
        : steps - sum(parts)
    ]:
        parts[i] += 1
    return parts
