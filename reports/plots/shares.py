"""Which kinds of steps a kernel's errors come from."""

import rows as of
import text
from plots.axes import figure, name_rows
from plots.svg import PALETTE

COLOURS = {
    "operand": "series-1",
    "accumulate": "series-2",
    "state": "series-3",
    "decayed": "series-4",
    "elementary": "series-5",
    "output": "series-6",
    "product": "muted",
}


def paint_bar(axes, y, row):
    start = 0.0
    for kind, role in COLOURS.items():
        share = float(row["kinds"].get(kind, 0))
        axes.barh(y, share, left=start, height=0.62, color=PALETTE[role], linewidth=0)
        start += share


def shares_panel(name, rows):
    """Kernels of one operator on one family, of one output."""
    first = rows[0]
    kinds = [kind for kind in COLOURS if any(kind in row["kinds"] for row in rows)]

    def paint(axes):
        name_rows(axes, [of.algorithm_of(row["kernel"]) for row in rows])
        axes.set(xlim=(0, 1), xlabel="share of the mean square error")
        axes.set_xticks([0, 0.5, 1], ["0", "50 %", "100 %"])
        for y, row in enumerate(rows):
            paint_bar(axes, y, row)
            axes.text(1.02, y, text.short(row["measured"]), va="center", size=9, color=PALETTE["muted"])
        title = f"{of.operator_of(first['kernel'])} · {text.words(first['family'])} · {first['output']}"
        axes.set_title(title, pad=10)
        marks = [axes.barh(0, 0, color=PALETTE[COLOURS[kind]]) for kind in kinds]
        legend = {"loc": "upper left", "bbox_to_anchor": (-0.5, -0.9 / (0.26 * len(rows) + 0.4)), "ncols": 3}
        axes.legend(marks, kinds, borderpad=0, handlelength=1, columnspacing=1, **legend)

    label = f"Causes of the errors of {first['output']}, {of.operator_of(first['kernel'])}"
    return figure(name, label, 2.5, 0.26 * len(rows) + 0.4, paint)


def shares_panels(shares):
    """Of a complex output the real plane is drawn. Rows in which nothing rounds have no bar."""

    def subject(row):
        return (of.operator_of(row["kernel"]), row["family"], row["output"])

    shown = [row for row in shares if row["kinds"] and not row["output"].endswith("_im")]
    panels = of.group(shown, subject)
    return [shares_panel(f"shares-{i}", rows) for i, rows in enumerate(panels.values())]
