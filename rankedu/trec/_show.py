"""Rows under named columns, as plain text and as HTML."""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence


class Listing(Sequence):
    """A table to look at: a sequence of named tuples that shows itself, as text and in a notebook.

    columns : {field of the rows, by name or by position: (heading, how to write a value)}
    Columns of numbers stand to the right, the others to the left.
    """

    def __init__(self, columns: dict, rows: Sequence, title: str = "", longest: int = 400):
        self._columns, self.rows, self.title, self._longest = columns, list(rows), title, longest

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, position):
        return self.rows[position]

    def __iter__(self) -> Iterator:
        return iter(self.rows)

    @property
    def headings(self) -> list[str]:
        return [heading for heading, _ in self._columns.values()]

    def _cells(self) -> list[list[tuple[str, bool]]]:
        """The text of every cell that is shown, and whether it is a number."""
        return [
            [
                (write(value), isinstance(value, (int, float)))
                for value, (_, write) in ((_field(row, name), how) for name, how in self._columns.items())
            ]
            for row in self.rows[: self._longest]
        ]

    def _rest(self) -> str:
        hidden = len(self.rows) - self._longest
        return f"... and {hidden:,} more rows" if hidden > 0 else ""

    def __str__(self) -> str:
        cells = self._cells()
        grid = [self.headings, *([text for text, _ in row] for row in cells)]
        right = [bool(cells) and all(row[i][1] for row in cells) for i in range(len(self._columns))]
        widths = [max(map(len, column)) for column in zip(*grid, strict=True)]
        lines = [
            "  ".join(
                text.rjust(width) if flush else text.ljust(width)
                for text, width, flush in zip(row, widths, right, strict=True)
            ).rstrip()
            for row in grid
        ]
        return "\n".join(filter(None, [self.title, *lines, self._rest()]))

    def __repr__(self) -> str:
        return str(self)

    def element(self, row_class=None) -> str:
        """The table as an HTML element without style; row_class gives a row's class from the row."""
        cells = self._cells()
        right = [bool(cells) and all(row[i][1] for row in cells) for i in range(len(self._columns))]
        number = ' class="n"'
        head = "".join(
            f'<th scope="col"{number if flush else ""}>{html.escape(heading)}</th>'
            for heading, flush in zip(self.headings, right, strict=True)
        )
        body = []
        for row, texts in zip(self.rows, cells, strict=False):
            marked = f' class="{row_class(row)}"' if row_class else ""
            body.append(
                f"<tr{marked}>"
                + "".join(
                    f"<td{number if flush else ''}>{html.escape(text)}</td>"
                    for (text, _), flush in zip(texts, right, strict=True)
                )
                + "</tr>"
            )
        caption = f"<caption>{html.escape(self.title)}</caption>" if self.title else ""
        rest = f"<p>{self._rest()}</p>" if self._rest() else ""
        table = f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{''.join(body)}</tbody></table>"
        return f'<div class="scroll">{table}</div>{rest}'

    def _repr_html_(self) -> str:
        return fragment(self.element())


def _field(row, name: str | int):
    return row[name] if isinstance(name, int) else getattr(row, name)


# JupyterLab's own rule for cells of a table is specific; .rt three times is more so
STYLE = """
.rt{font-size:13px;line-height:1.45;color:var(--jp-ui-font-color1,currentColor);max-width:64em;
 --line:color-mix(in srgb,currentColor 18%,transparent);
 --quiet:color-mix(in srgb,currentColor 70%,transparent);
 --a:#0072b2;--b:#d55e00}
[data-jp-theme-light="false"] .rt{--a:#5ab4ec;--b:#ff9a4d}
.rt .scroll{overflow-x:auto}
.rt table{border-collapse:collapse;margin:.4em 0 .9em;font-size:13px;font-variant-numeric:tabular-nums}
.rt caption{text-align:left;font-weight:600;padding:0 0 .3em}
.rt.rt.rt th,.rt.rt.rt td{text-align:left;vertical-align:top;padding:.28em .9em .28em 0;border:0;
 border-bottom:1px solid var(--line);background:none;white-space:normal}
.rt.rt.rt thead th{font-weight:600;color:var(--quiet);border-bottom-color:var(--quiet)}
.rt.rt.rt .n{text-align:right}
.rt.rt.rt th{white-space:nowrap}
.rt p{margin:.3em 0 .7em}
.rt h2{font-size:1.15em;margin:1.1em 0 .3em}
.rt .quiet{color:var(--quiet)}
.rt svg{display:block;max-width:100%;height:auto;margin:.3em 0 .8em}
.rt svg text{fill:currentColor;font-size:11px;font-family:inherit}
"""


def fragment(body: str) -> str:
    """HTML for a notebook cell: the body with its style, readable in a light and in a dark theme."""
    return f'<div class="rt"><style>{STYLE}</style>{body}</div>'


def query_texts(queries) -> dict[str, str]:
    """{query_id: text} from a mapping or a pandas Series; ids compare as text, so that 1 is "1"."""
    if queries is None:
        return {}
    if not hasattr(queries, "items"):
        raise TypeError(f"queries must be a mapping {{query id: text}}; got {queries!r:.80}")
    return {str(query_id): "" if text is None else str(text) for query_id, text in queries.items()}
