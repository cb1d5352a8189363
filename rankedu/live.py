"""Live: some controls, and below them what a function makes of their values, made anew at every change.

`ipywidgets.interact` does the same through captured output, which flickers, cannot be read aloud, and leaves
nothing behind for a reader without a kernel. Here the function returns what is to be seen.
"""

import base64
import html

import ipywidgets
from IPython import get_ipython

from rankedu import explain
from rankedu.turns import in_turn

__all__ = ["Live"]

# What of a list of sliders can change; of every other control it is the value.
SETTINGS = ("order", "k", "gain", "threshold", "judged", "metric")


class Live(ipywidgets.VBox):
    """Controls, and below them what `say` returns for their present values.

    say: a function that takes the value of each control under the control's name. It returns text, an
    `explain.Explanation`, a `pictures.Picture`, or a list of these, which are set side by side.
    controls: widgets by name. Of `RankingSliders` the value is `grades`: the grades in rank order.

    shown: what `say` returned last, as a list.
    Raises ValueError without a control, TypeError for one that has no value to follow.

    >>> size = ipywidgets.IntSlider(value=2, min=1, max=5)
    >>> live = Live(lambda size: f"a list of {size}", size=size)
    >>> size.value = 4
    >>> live
    size = 4
    a list of 4
    """

    def __init__(self, say, **controls):
        if not controls:
            raise ValueError("controls must hold at least one widget, by name, as in Live(say, size=slider)")
        for name, control in controls.items():
            if not (hasattr(control, "explanations") or hasattr(control, "value")):
                raise TypeError(f"{name} must be RankingSliders or a widget with a value; got {control!r}")
        self._say, self.controls = say, controls
        self.view = ipywidgets.HTML(layout=ipywidgets.Layout(max_width="100%", margin="4px 0 0"))
        self._show()
        style = ipywidgets.HTML(
            explain.STYLE + STYLE,
            layout=ipywidgets.Layout(display="none"),
        )
        super().__init__([style, *controls.values(), self.view])
        self.add_class("rk-say")
        _replaces_those_of_an_earlier_run(self)
        self._handler = in_turn(self._show)
        for control in controls.values():
            control.observe(self._handler, _names(control))

    def leave(self):
        """Stop following the controls; what is shown stays as it is."""
        for control in self.controls.values():
            control.unobserve(self._handler, _names(control))

    def _show(self, _=None):
        values = {name: _value(control) for name, control in self.controls.items()}
        shown = self._say(**values)
        self.shown = list(shown) if isinstance(shown, list | tuple) else [shown]
        self.view.value = self._html("".join(_htmls(self.shown)))

    def _html(self, parts):
        # Announced when it changes: the eye sees the list move, the ear would not.
        return f'<div class="rk rk-said" role="status">{parts}</div>'

    def __repr__(self):
        settings = [
            repr(c) if hasattr(c, "explanations") else f"{n} = {c.value}" for n, c in self.controls.items()
        ]
        return "\n".join(["; ".join(settings), *map(str, self.shown)])

    def _repr_mimebundle_(self, **kwargs):
        """The controls where there is a kernel; their present state and what was said where there is none."""
        bundle = super()._repr_mimebundle_(**kwargs)
        if bundle is None:
            return bundle
        texts, pages = [], [explain.STYLE + STYLE]
        for name, control in self.controls.items():
            if hasattr(control, "explanations"):
                texts += map(str, control.explanations)
                pages += [work._repr_html_() for work in control.explanations]
            else:
                texts.append(f"{name} = {control.value}")
                pages.append(f'<p class="rk">{html.escape(texts[-1])}</p>')
        bundle["text/plain"] = "\n\n".join([*texts, *map(str, self.shown)])
        pictures = [part for part in self.shown if _is_picture(part)]
        # In the stored page a picture is its words: the pixels differ from one matplotlib to the next.
        parts = [part.text if _is_picture(part) else part for part in self.shown]
        bundle["text/html"] = "".join([*pages, self._html("".join(_htmls(parts)))])
        return bundle | ({"image/png": pictures[0]._repr_mimebundle_()[0]["image/png"]} if pictures else {})


# {cell: (message that ran it, what it made)}: a cell that is run again takes over from its last run, which
# would otherwise go on drawing, unseen, at every move
_runs = {}


def _replaces_those_of_an_earlier_run(live):
    get_parent = getattr(get_ipython(), "get_parent", dict)  # none outside a kernel
    message = get_parent() or {}
    cell, run = message.get("metadata", {}).get("cellId"), message.get("header", {}).get("msg_id")
    if cell is None:
        return
    last, made = _runs.get(cell, (run, []))
    if last != run:
        for earlier in made:
            earlier.leave()
        made = []
    _runs[cell] = (run, [*made, live])


def _names(control):
    """The traits of a control that are its value."""
    return SETTINGS if hasattr(control, "explanations") else "value"


def _value(control):
    return control.grades if hasattr(control, "explanations") else control.value


def _is_picture(part):
    return hasattr(part, "figure")


def _htmls(parts):
    """Each part as HTML; tables of one metric have bars of one scale, since they stand beside each other."""
    full = {}
    for part in parts:
        if isinstance(part, explain.Explanation):
            full[part.metric] = max(full.get(part.metric, 0.0), part.largest)
    return [_html(part, full) for part in parts]


def _html(part, full):
    if isinstance(part, explain.Explanation):
        return part.table_html(full[part.metric])
    if _is_picture(part):
        data, metadata = part._repr_mimebundle_()
        code = base64.b64encode(data["image/png"]).decode()
        width = metadata["image/png"]["width"]
        return (
            f'<img src="data:image/png;base64,{code}" alt="{html.escape(part.text)}" style="width:{width}px">'
        )
    return f'<p class="rk-text">{html.escape(str(part))}</p>'


STYLE = """<style>
.rk-said{display:flex;flex-wrap:wrap;gap:6px 34px;align-items:flex-start}
.rk-said img{max-width:100%}
.rk-said .rk-text{flex:1 1 100%;white-space:pre-wrap;font-size:14px;line-height:1.5;
 margin:2px 0;padding:2px 0 2px 12px;border-left:4px solid var(--rk-accent)}
</style>"""
