"""The largest slack of each kernel on each family, as a map."""

import math

import rows as of
import text
from plots.axes import bare, figure
from plots.svg import PALETTE

CELL_WIDTH, CELL_HEIGHT = 0.58, 0.29  # inches
DECADES = 3  # below the bound, from pale to full


def opacity(verdict, slack):
    fixed = {"fail": 0.95, "suspect": 0.55, "indeterminate": 0.35}
    if verdict in fixed or slack == 0:
        return fixed.get(verdict, 0.0)
    return 0.05 + 0.5 * min(1, max(0, 1 + math.log10(slack) / DECADES))


def paint_cell(axes, x, y, verdict, slack, width=1.0):
    axes.barh(y, width - 0.06, left=x + 0.03, height=0.88, color=PALETTE[verdict], alpha=opacity(verdict, slack),
              linewidth=0, clip_on=False)


def paint_result(axes, x, y, result):
    verdict, slack = result["verdict"], of.slack_of(result)
    colour, weight = (PALETTE["paper"], "bold") if verdict == "fail" else (PALETTE["ink"], "normal")
    paint_cell(axes, x, y, verdict, slack)
    axes.text(x + 0.5, y, text.short(slack), ha="center", va="center", size=9, color=colour, weight=weight)


def paint_key(axes, y, left):
    """A row of sample cells."""
    axes.text(left, y, "slack", va="center", color=PALETTE["muted"], size=9)
    samples = [("pass", 10.0**-k, text.short(10.0**-k)) for k in range(DECADES, -1, -1)]
    samples += [(verdict, 1, verdict) for verdict in ("suspect", "indeterminate", "fail")]
    x = left + 0.9
    for verdict, slack, label in samples:
        paint_cell(axes, x, y, verdict, slack, 0.5)
        axes.text(x + 0.58, y, label, va="center", color=PALETTE["muted"], size=9)
        x += 0.85 + 0.11 * len(label)


def lines_of(kernels):
    """[(label, kernel)]: a heading for each operator, then its kernels."""
    lines = []
    for operator, members in of.group(sorted(kernels), of.operator_of).items():
        lines += [(operator, None)] + [(of.algorithm_of(kernel), kernel) for kernel in members]
    return lines


def slack_map(results, kernels):
    if not results:
        return None
    families = sorted({result["family"] for result in results})
    cells = of.group(results, lambda result: (result["kernel"], result["family"]))
    lines = lines_of(kernels)
    left = -0.125 * max(len(label) + 2 * (kernel is not None) for label, kernel in lines) - 0.2

    def paint_line(axes, y, label, kernel):
        axes.text(left + (0.2 if kernel else 0), y, label, va="center", size=9.5, weight="normal" if kernel else "bold")
        for x, family in enumerate(families if kernel else []):
            if (kernel, family) in cells:
                paint_result(axes, x, y, of.worst_of(cells[kernel, family]))
            else:
                axes.text(x + 0.5, y, "·", ha="center", va="center", color=PALETTE["muted"])

    def paint(axes):
        bare(axes)
        axes.set_position([0, 0, 1, 1])
        for y, (label, kernel) in enumerate(lines):
            paint_line(axes, y, label, kernel)
        for x, family in enumerate(families):
            axes.text(x + 0.4, -0.3, text.words(family), rotation=38, rotation_mode="anchor", size=9.5)
        paint_key(axes, len(lines) + 0.5, left)
        axes.set(xlim=(left, len(families)), ylim=(len(lines) + 1, -1), xticks=[], yticks=[])

    label = f"Largest slack of {len(kernels)} kernels on {len(families)} families of inputs"
    caption = "Largest slack of each kernel on each family of inputs; a dot where they did not meet."
    return figure("slack", label, CELL_WIDTH * (len(families) - left), CELL_HEIGHT * (len(lines) + 2), paint, caption)
