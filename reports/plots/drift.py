"""How the error of kernels grows along an axis."""

import math

from matplotlib import ticker

import rows as of
import text
from plots.axes import figure, mark_log_axis
from plots.svg import PALETTE, SERIES


def positive(values):
    """Values for a logarithmic axis: what it cannot show becomes a gap."""
    return [float(value) if 0 < float(value) < math.inf else math.nan for value in values]


def growth(curve):
    """ x^0.5 [0.4, 0.6]"""
    if curve["exponent"] is None:
        return ""
    interval = ", ".join(map(text.short, curve["exponent_ci"] or []))
    return f" x^{text.short(curve['exponent'])}" + (f" [{interval}]" if interval else "")


def paint_curve(axes, curve, places, role, marker):
    p50, p99, bound = (positive(curve[key]) for key in ("p50", "p99", "bound"))
    colour = PALETTE[role]
    axes.fill_between(places, p50, p99, color=colour, alpha=0.18, linewidth=0)
    axes.plot(places, p50, color=colour, linewidth=1)
    axes.plot(places, p99, color=colour, marker=marker, markersize=4.5, label=of.algorithm_of(curve["kernel"]) + growth(curve))
    axes.plot(places, bound, color=colour, linestyle=(0, (4, 2)), linewidth=1.4)


def drawable(curve):
    return any(not math.isnan(value) for key in ("p50", "p99", "bound") for value in positive(curve[key]))


def drift_panel(name, curves):
    """Kernels of one operator on one family, output and axis. Sizes stand on a logarithmic axis; where x may be zero or
    negative (log-decay, phase) its values stand side by side."""
    curves = sorted(curves, key=lambda curve: -float(curve["p99"][-1]))
    first = curves[0]
    xs = sorted({x for curve in curves for x in curve["x"]})
    sizes = xs[0] > 0
    places = {x: x if sizes else i for i, x in enumerate(xs)}
    shown = xs[:: math.ceil(len(xs) / 6)]

    def paint(axes):
        axes.set(yscale="log", xscale="log" if sizes else "linear")
        for curve, (role, marker) in zip(curves, SERIES.items()):
            paint_curve(axes, curve, [places[x] for x in curve["x"]], role, marker)
        axes.xaxis.set_minor_locator(ticker.NullLocator())
        axes.set_xticks([places[x] for x in shown], [text.short(x) for x in shown])
        axes.set(xlabel=text.words(first["axis"]), ylabel="error / |o|")
        axes.set_title(f"{of.operator_of(first['kernel'])} · {text.words(first['family'])} · {first['output']}", pad=10)
        axes.legend(loc="upper left", bbox_to_anchor=(-0.15, -0.24), borderpad=0, handlelength=1.2)
        mark_log_axis(axes.yaxis)

    label = f"Error of {of.operator_of(first['kernel'])} against {text.words(first['axis'])}"
    return figure(name, label, 3.5, 2.4, paint)


def drift_panels(curves):
    panels = of.group(filter(drawable, curves), lambda c: (of.operator_of(c["kernel"]), c["axis"], c["family"], c["output"]))
    pieces = [rows[i : i + len(SERIES)] for rows in panels.values() for i in range(0, len(rows), len(SERIES))]
    return [drift_panel(f"drift-{i}", piece) for i, piece in enumerate(pieces)]
