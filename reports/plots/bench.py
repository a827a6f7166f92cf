"""Speed against references timed in the same run."""

import text
from plots.axes import figure, mark_log_axis, name_rows, place
from plots.svg import PALETTE


def paint_ratio(axes, y, ratio):
    """A line from 1 to the ratio: to the right where the reference is slower."""
    faster = ratio >= 1
    colour = PALETTE["pass" if faster else "suspect"]
    axes.plot([1, ratio], [y, y], color=colour, linewidth=2.2)
    axes.plot(ratio, y, "o" if faster else "^", color=colour, markersize=7)
    axes.annotate(text.short(ratio), (ratio, y), xytext=(8 if faster else -8, 0), textcoords="offset points",
                  va="center", ha="left" if faster else "right", size=9)


def bench_ratios(rows):
    compared = [row for row in rows if row["ratio"] is not None]
    if not compared:
        return None
    ratios = [place(row["ratio"]) for row in compared]

    def paint(axes):
        name_rows(axes, [row["name"] for row in compared])
        axes.set(xscale="log", xlim=(min(ratios + [1]) / 2.5, max(ratios + [1]) * 4))
        axes.set_xlabel("reference’s time / own time  (right of 1: faster)")
        axes.axvline(1, color=PALETTE["muted"], linewidth=1.4)
        for y, ratio in enumerate(ratios):
            paint_ratio(axes, y, ratio)
        mark_log_axis(axes.xaxis)

    caption = "Both times were taken in the same run."
    return figure("bench", "Speed against references", 5.2, 0.36 * len(compared) + 0.9, paint, caption)
