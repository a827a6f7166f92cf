"""How the error of kernels grows along an axis."""

import math

from matplotlib import ticker

import rows as of
import text
from plots.axes import figure, has_place, mark_log_axis, place
from plots.svg import PALETTE, SERIES


def growth(curve):
    """ x^0.5 [0.4, 0.6]"""
    if curve["exponent"] is None:
        return ""
    interval = ", ".join(map(text.short, curve["exponent_ci"] or []))
    return f" x^{text.short(curve['exponent'])}" + (f" [{interval}]" if interval else "")


def paint_curve(axes, curve, spots, role, marker):
    p50, p99, bound = ([place(value) for value in curve[key]] for key in ("p50", "p99", "bound"))
    colour = PALETTE[role]
    axes.fill_between(spots, p50, p99, color=colour, alpha=0.18, linewidth=0)
    axes.plot(spots, p50, color=colour, linewidth=1)
    label = of.algorithm_of(curve["kernel"]) + growth(curve)
    axes.plot(spots, p99, color=colour, marker=marker, markersize=4.5, label=label)
    axes.plot(spots, bound, color=colour, linestyle=(0, (4, 2)), linewidth=1.4)


def drawable(curve):
    return any(has_place(value) for key in ("p50", "p99", "bound") for value in curve[key])


def drift_panel(name, curves):
    """Kernels of one operator on one family, output and axis. Sizes stand on a logarithmic axis; where x may be zero or
    negative (log-decay, phase) its values stand side by side."""
    curves = sorted(curves, key=lambda curve: of.size(curve["p99"][-1]), reverse=True)
    first = curves[0]
    operator = of.operator_of(first["kernel"])
    fixed = f" · {first['at']}" if first["axis"] != "length" and "at" in first else ""
    xs = sorted({x for curve in curves for x in curve["x"]})
    sizes = xs[0] > 0
    spots = {x: place(x) if sizes else i for i, x in enumerate(xs)}
    shown = xs[:: math.ceil(len(xs) / 6)]

    def paint(axes):
        axes.set(yscale="log", xscale="log" if sizes else "linear")
        for curve, (role, marker) in zip(curves, SERIES.items()):
            paint_curve(axes, curve, [spots[x] for x in curve["x"]], role, marker)
        axes.xaxis.set_minor_locator(ticker.NullLocator())
        axes.set_xticks([spots[x] for x in shown], [text.short(x) for x in shown])
        axes.set(xlabel=text.words(first["axis"]), ylabel="error / |o|")
        axes.set_title(f"{operator} · {text.words(first['family'])} · {first['output']}{fixed}", pad=10)
        axes.legend(loc="upper left", bbox_to_anchor=(-0.15, -0.24), borderpad=0, handlelength=1.2)
        mark_log_axis(axes.yaxis)

    label = f"Error of {operator} against {text.words(first['axis'])}"
    return figure(name, label, 3.5, 2.4, paint)


def drift_panels(curves):
    """[{operator, panels}]. Of a complex output the real plane is drawn: the imaginary one has the same errors."""

    def subject(curve):
        return (curve["axis"], curve["family"], curve["output"])

    groups = []
    shown = [curve for curve in curves if drawable(curve) and not curve["output"].endswith("_im")]
    for operator, members in of.group(shown, lambda curve: of.operator_of(curve["kernel"])).items():
        panels = of.group(members, subject)
        pieces = [rows[i : i + len(SERIES)] for rows in panels.values() for i in range(0, len(rows), len(SERIES))]
        drawn = [drift_panel(f"drift-{len(groups)}-{i}", piece) for i, piece in enumerate(pieces)]
        groups.append({"operator": operator, "panels": drawn})
    return groups
