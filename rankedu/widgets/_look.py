"""What the widgets look like: the table of a ranking with its bars, the settings' controls, the style."""

import html

import ipywidgets
import traitlets

from rankedu import explain
from rankedu.pictures import describe
from rankedu.turns import in_turn

# What stands between grade and contribution where one metric is shown: its heading and its text for a row.
WEIGHTS = {
    "dcg": ("×\N{NO-BREAK SPACE}discount", lambda row: f"{row.discount:.3f}"),
    "ndcg": ("×\N{NO-BREAK SPACE}discount", lambda row: f"{row.discount:.3f}"),
    "average_precision": ("precision", lambda row: f"{row.hits}/{row.rank}" if row.relevant else ""),
    "reciprocal_rank": ("1 / rank", lambda row: f"1/{row.rank}" if row.contribution else ""),
}


# ---------------------------------------------------------------------------------------------------
# A ranking as a table


def ranking_table(works, missing=()):
    """A ranking as an HTML table: a row for each rank, and under each metric what the rank adds, as a bar.

    works: explanations of one list, one for each metric. missing: (title, grade) of judged documents that
    the list lacks.
    """
    single = works[0] if len(works) == 1 else None
    weight = WEIGHTS.get(single.metric) if single else None
    headings = ["rank", "item", "grade"]
    headings += [weight[0]] if weight else []
    headings += ["contribution"] if single else [work.name for work in works]
    kinds = {"item": ' class="rk-t"'} | ({weight[0]: ' class="rk-weight"'} if weight else {})
    columns = "".join(
        f'<th scope="col"{kinds.get(heading, "")}>{html.escape(heading)}</th>' for heading in headings
    )
    body = "".join(_row(works, i, weight) for i in range(len(works[0].rows)))
    # One column for the rank, one for the title, one for the grade, the others left empty.
    rest = f'<td colspan="{len(headings) - 3}" class="rk-t">not in this list</td>'
    body += "".join(
        f'<tr class="rk-missing"><td class="rk-n">–</td><td class="rk-t">{title_html(title)}</td>'
        f'<td class="rk-n">{chip(grade)}</td>{rest}</tr>'
        for title, grade in missing
    )
    return f"<table><thead><tr>{columns}</tr></thead><tbody>{body}</tbody></table>"


def _row(works, i, weight):
    rows = [work.rows[i] for work in works]
    rank, k = i + 1, works[0].k
    kind = "rk-cut" if rank == k < len(works[0].rows) else "rk-off" if rank > k else ""
    cells = [
        f'<td class="rk-n">{rank}</td>',
        f'<td class="rk-t">{title_html(works[0].items[i])}</td>',
        f'<td class="rk-n">{chip(rows[0].grade)}</td>',
    ]
    if weight:
        cells.append(f'<td class="rk-n rk-weight">{weight[1](rows[0])}</td>')
    for work, row in zip(works, rows, strict=True):
        worth, most = _worth(work, row)
        cells.append(
            f'<td class="rk-n">{bar(row.contribution / most, worth / most)}{row.contribution:.3f}</td>'
        )
    return f'<tr class="{kind}">{"".join(cells)}</tr>'


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


def conventions(works):
    """What the scores depend on besides the list, each thing once."""
    return "; ".join(dict.fromkeys(part for work in works for part in work.conventions.split("; ")))


def how(work):
    """The right side of the formula's last line: how the score came about, without the score."""
    result = work.formula.splitlines()[-1].split(" = ", 1)[1]
    return result if ":" in result or "because" in result else "= " + result.rsplit(" = ", 1)[0]


def score_line(work):
    """The metric, its score, and how it came about, as HTML."""
    return (
        f'<p class="rk-head"><span>{html.escape(work.name)}</span> <strong>{score(work.value)}</strong> '
        f"<span>{html.escape(how(work))}</span></p>"
    )


def score(value):
    return f"{value:.3f}"


def title_html(title):
    """A title that a narrow column may break behind dots and underscores."""
    return html.escape(title).replace(".", ".<wbr>").replace("_", "_<wbr>")


def chip(grade):
    return f'<span class="rk-chip">{explain.number(grade)}</span>'


def bar(share, worth):
    return (
        f'<span class="rk-track"><span class="rk-bar" style="width:{100 * share:.1f}%"></span>'
        f'<span class="rk-worth" style="width:{100 * worth:.1f}%"></span></span>'
    )


# ---------------------------------------------------------------------------------------------------
# Pictures and controls


class Picture(ipywidgets.Image):
    """A PNG `width` pixels wide whose tooltip says what it shows; screen readers read that."""

    # ipywidgets shows the tooltip of a widget only where its description is empty, and an Image has none
    description = traitlets.Unicode("").tag(sync=True)

    def __init__(self, width):
        super().__init__(format="png", layout=layout(width=f"{width}px", max_width="100%", margin="0"))
        self.add_class("rk-picture")

    def show(self, picture, work):
        self.tooltip = describe(work)
        self.value = picture.png(work)


def layout(**settings):
    return ipywidgets.Layout(**settings)


def button(text, tooltip, action):
    made = ipywidgets.Button(description=text, tooltip=tooltip, layout=layout(width="88px"))
    made.on_click(in_turn(lambda _: action()))
    return made


def choice(owner, name, options, tooltips, width, label):
    """(control, what is shown): buttons of which one is pressed, bound to a setting of `owner` both ways."""
    control = ipywidgets.ToggleButtons(
        options=options,
        value=getattr(owner, name),
        tooltips=tooltips,
        style={"button_width": "auto" if width is None else f"{width}px"},
        layout=layout(width="auto" if width is None else f"{(width + 10) * len(options)}px"),
    )
    control.add_class("rk-choice")
    _bind(owner, name, control, lambda value: value)
    name_of = ipywidgets.Label(label, layout=layout(margin="2px 8px 2px 0"))
    return control, ipywidgets.HBox([name_of, control], layout=layout(flex_flow="row wrap"))


def gain_choice(owner, label="gain"):
    """(control, what is shown) for the setting `gain`."""
    return choice(owner, "gain", list(explain.metrics.GAINS), ["the grade", "2^grade − 1"], 100, label)


def cut_off(owner, top):
    """A slider for the setting `k`, from 1 to `top`, which is also where it stands for None."""
    return _whole_number(owner, "k", top, "cut-off k", "how many ranks count", 240)


def least_relevant(owner, grades, label="relevant from grade", width=300):
    """A slider for the setting `threshold`, from 1 to the best of the grades."""
    return _whole_number(
        owner, "threshold", max(2, int(max(grades))), label, "the least relevant grade", width
    )


def _whole_number(owner, name, top, label, tooltip, width):
    control = ipywidgets.IntSlider(
        min=1,
        max=top,
        description=label,
        tooltip=tooltip,
        style={"description_width": "initial"},
        layout=layout(width=f"{width}px"),
    )

    def shown(value):
        # A setting that the slider cannot show, such as a threshold of 0.5, leaves it where it is.
        value = top if value is None else value
        return value if value == int(value) and 1 <= value <= top else control.value

    _bind(owner, name, control, shown)
    return control


def _bind(owner, name, control, shown):
    control.value = shown(getattr(owner, name))
    control.observe(in_turn(lambda change: setattr(owner, name, change["new"])), "value")
    owner.observe(lambda change: setattr(control, "value", shown(change["new"])), name)


# ---------------------------------------------------------------------------------------------------

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
.rk-widget .rk-choice .mod-active{box-shadow:inset 0 -3px 0 var(--rk-accent)}
</style>"""

# Several rankings beside each other; a narrow card leaves out what its neighbour columns say already.
CARDS_STYLE = """<style>
.rk-live .rk-cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(230px,1fr));gap:8px 12px}
.rk-live .rk-card{display:grid;grid-template-rows:subgrid;grid-row:span 2;gap:4px;align-content:start;
 align-items:start;min-width:0;container:card/inline-size;padding:6px 8px;border:1px solid var(--rk-line);
 border-radius:6px}
.rk-live .rk-card.rk-active{border-color:var(--rk-accent);box-shadow:inset 0 3px 0 var(--rk-accent)}
.rk-live .rk-card .rk-query{margin:2px 0;font-weight:600}
.rk-live .rk-card.rk-active .rk-query::before{content:"▸ "}
.rk-live .rk-card .rk-head{margin:0}
.rk-live .rk-card tbody td,.rk-live .rk-card thead th{padding:0 4px}
.rk-live .rk-card .rk-weight{white-space:nowrap}
.rk-live .rk-card thead th{font-size:11px}
.rk-live .rk-card td.rk-t{overflow-wrap:anywhere;width:60%}
.rk-live .rk-card .rk-track{width:56px}
@container card (max-width:320px){.rk-live .rk-card .rk-weight{display:none}
 .rk-live .rk-card td.rk-t{font-size:12px;padding:3px 2px}
 .rk-live .rk-card .rk-track{width:36px;margin-right:6px}}
</style>"""
