"""Error against bound, one point an output."""

import math

import rows as of
import text
from plots.axes import figure, has_place, mark_log_axis, place
from plots.svg import MARKERS, PALETTE

MOST_POINTS = 1500  # more make a blot
MARGIN = 4.0  # a factor around what is drawn


def lines_of_slack(axes, low, high):
    for slack, width in ((1, 1.3), (0.1, 0.5), (0.01, 0.5)):
        axes.plot([low, high], [slack * low, slack * high], color=PALETTE["muted"], linewidth=width, zorder=1)
        axes.annotate(f"slack {text.short(slack)}", (high, slack * high), xytext=(3, 0), textcoords="offset points",
                      va="center", size=9, color=PALETTE["muted"], annotation_clip=False)


def edge_notes(points, exact):
    """What a logarithmic axis cannot place."""
    notes = [
        (sum(float(point["error"]) == 0 for point in points), "without any error at the lower edge"),
        (sum(not math.isfinite(float(point["error"])) for point in points), "not finite at the upper edge"),
        (exact, "on exact inputs (bound 0) not drawn"),
    ]
    told = [f"{number:,} {note}" for number, note in notes if number]
    return f" {'; '.join(told)}." if told else ""


def error_and_bound(results):
    judged = [result["worst"] | {"verdict": result["verdict"]} for result in results if result["worst"]]
    points = [point for point in judged if has_place(point["bound"])]
    points.sort(key=lambda point: (of.severity(point), *of.size(point["slack"])))
    drawn = points[-MOST_POINTS:]
    bounds = [place(point["bound"]) for point in drawn]
    errors = [place(point["error"]) for point in drawn if has_place(point["error"])]
    if not errors:
        return None
    left, right = min(bounds) / MARGIN, max(bounds) * MARGIN
    floor, ceiling = min(errors + bounds) / MARGIN**2, max(errors + bounds) * MARGIN**2

    def height(error):
        return place(error) if has_place(error) else floor if float(error) == 0 else ceiling

    def paint(axes):
        axes.set(xscale="log", yscale="log", xlim=(left, right), ylim=(floor / 2, ceiling * 2))
        axes.set(xlabel="bound (absolute)", ylabel="error (absolute)")
        lines_of_slack(axes, left, right)
        for verdict, members in of.group(drawn, lambda point: point["verdict"]).items():
            axes.plot([place(p["bound"]) for p in members], [height(p["error"]) for p in members], MARKERS[verdict],
                      markersize=7 if verdict == "fail" else 5.5, markeredgewidth=0, color=PALETTE[verdict], alpha=0.85,
                      label=f"{verdict} ({len(members)})", clip_on=False)
        axes.legend(loc="upper left", handletextpad=0.2, borderpad=0)
        mark_log_axis(axes.xaxis)
        mark_log_axis(axes.yaxis)

    caption = f"Worst element of {text.counted(len(points), 'recorded output')}"
    if len(drawn) < len(points):
        caption += f"; the {len(drawn):,} with the largest slack are drawn"
    caption += ". Above the line “slack 1” an error exceeds its bound."
    caption += edge_notes(drawn, len(judged) - len(points))
    return figure("error", "Error against bound, one point an output", 4.1, 3.7, paint, caption)
