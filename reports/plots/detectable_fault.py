"""How large a fault must be to be seen: bound / |o| of each kernel."""

import statistics

import rows as of
import text
from plots.axes import figure, has_place, mark_log_axis, name_rows, place
from plots.svg import PALETTE


def shade_above_one(axes, right):
    """Where the bound exceeds the output itself."""
    axes.axvspan(1, right, color=PALETTE["suspect"], alpha=0.15, linewidth=0)
    axes.text(right, -0.62, "zeros would pass", size=9, ha="right", va="bottom", color=PALETTE["suspect"])


def detectable_fault(results):
    measured = [r for r in results if all(map(has_place, r.get("detectable_fault", {"p50": 0}).values()))]
    if not measured:
        return None
    kernels = of.group(sorted(measured, key=lambda r: r["kernel"]), lambda r: r["kernel"])
    faults = {kernel: [r["detectable_fault"] for r in members] for kernel, members in kernels.items()}
    lows = [min(place(fault["p50"]) for fault in members) for members in faults.values()]
    highs = [max(place(fault["p99"]) for fault in members) for members in faults.values()]
    medians = [statistics.median(place(fault["p50"]) for fault in members) for members in faults.values()]

    def paint(axes):
        name_rows(axes, list(kernels))
        axes.set(xscale="log", xlabel="bound / |o|")
        for y, (low, median, high) in enumerate(zip(lows, medians, highs)):
            axes.plot([low, high], [y, y], color=PALETTE["pass"], alpha=0.35, linewidth=5)
            axes.plot(median, y, "o", color=PALETTE["pass"], markersize=7)
            axes.annotate(text.short(median), (median, y), xytext=(0, 6), textcoords="offset points", ha="center",
                          size=9, color=PALETTE["muted"])
        axes.set_xlim(min(lows) / 2, max(highs) * 3)
        if max(highs) > 0.5:
            shade_above_one(axes, max(highs) * 3)
        mark_log_axis(axes.xaxis)

    caption = (
        "Dot: median over the recorded outputs of each output’s median. Bar: from the least of these medians to the "
        "largest 99 % quantile."
    )
    label = "Smallest detectable fault of each kernel"
    return figure("detectable", label, 2.9, 0.4 * len(kernels) + 0.9, paint, caption)
