"""How the slack of each kernel is spread over elements and cases."""

import statistics

import rows as of
from plots.axes import figure, has_place, mark_log_axis, name_rows, place
from plots.svg import MARKERS, PALETTE


def quantile(results, key):
    """Median over the results of one quantile of their slack."""
    return statistics.median(place(result["slack"][key]) for result in results)


def slack_spread(results):
    measured = [r for r in results if r["slack"] and all(map(has_place, r["slack"].values()))]
    if not measured:
        return None
    kernels = of.group(sorted(measured, key=lambda r: r["kernel"]), lambda r: r["kernel"])
    spans = [(quantile(members, "p50"), quantile(members, "p99")) for members in kernels.values()]
    worst = [max(members, key=of.slack_of) for members in kernels.values()]

    def paint(axes):
        name_rows(axes, list(kernels))
        axes.set(xscale="log", xlabel="slack")
        axes.axvline(1, color=PALETTE["muted"], linewidth=1.3)
        for y, ((low, high), result) in enumerate(zip(spans, worst)):
            axes.plot([low, high], [y, y], color=PALETTE["pass"], alpha=0.35, linewidth=5)
            verdict, largest = result["verdict"], place(of.slack_of(result))
            axes.plot(largest, y, MARKERS[verdict], color=PALETTE[verdict], markersize=7)
        axes.set_xlim(min(low for low, _ in spans) / 2, max([place(of.slack_of(result)) for result in worst] + [1]) * 2)
        mark_log_axis(axes.xaxis)

    caption = (
        "Mark: the largest slack of all recorded outputs. Bar: from the median to the 99 % quantile of the elements, "
        "each the median over the outputs. Outputs without error, or with one that is not finite, take no part."
    )
    return figure("spread", "Spread of slack of each kernel", 2.9, 0.4 * len(kernels) + 0.9, paint, caption)
