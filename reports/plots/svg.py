"""Matplotlib figures as SVG inside a page: colours follow the page's theme, text stays text."""

import io
import re

import matplotlib
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

# One colour a role, told apart by readers with colour-blindness (after Okabe and Ito). The page's style sheet has a
# variable of the same name and value for each, and lighter ones for a dark page. No two may be equal.
PALETTE = {
    "ink": "#1d2329",
    "muted": "#5c6670",
    "rule": "#d9dde2",
    "paper": "#fffffe",
    "pass": "#0b62a4",
    "suspect": "#9a6200",
    "fail": "#c2410c",
    "indeterminate": "#6b7280",
    "series-1": "#0b62a3",
    "series-2": "#b87701",
    "series-3": "#0f7f63",
    "series-4": "#a34a86",
    "series-5": "#5a5f9e",
    "series-6": "#7a6a53",
}
SERIES = {f"series-{i}": marker for i, marker in enumerate("os^Dv*", 1)}
MARKERS = {"pass": "o", "suspect": "^", "fail": "X", "indeterminate": "D"}

LEAST_SCALE = 0.75  # on a narrow screen; below it the page lets a figure scroll

STYLE = {
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 10,
    "axes.titlesize": 10,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.titlecolor": PALETTE["ink"],
    "axes.labelcolor": PALETTE["muted"],
    "axes.edgecolor": PALETTE["muted"],
    "axes.linewidth": 0.8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.facecolor": "none",
    "grid.color": PALETTE["rule"],
    "grid.linewidth": 0.7,
    "text.color": PALETTE["ink"],
    "text.parse_math": False,
    "xtick.color": PALETTE["muted"],
    "ytick.color": PALETTE["muted"],
    "xtick.labelcolor": PALETTE["ink"],
    "ytick.labelcolor": PALETTE["ink"],
    "xtick.minor.size": 0,
    "ytick.minor.size": 0,
    "lines.linewidth": 1.8,
    "lines.markersize": 5,
    "legend.frameon": False,
    "legend.fontsize": 9.5,
    "figure.facecolor": "none",
    "savefig.pad_inches": 0.04,
}


def draw(name, label, width, height, paint):
    """The SVG of a figure of width x height inches on which `paint(axes)` draws. `name` is unique on the page."""
    with matplotlib.rc_context({**STYLE, "svg.hashsalt": name}):
        figure = Figure(figsize=(width, height))
        FigureCanvasSVG(figure)
        paint(figure.add_subplot())
        buffer = io.StringIO()
        figure.savefig(buffer, format="svg", bbox_inches="tight")
    return embed(buffer.getvalue(), name, label)


def font(match):
    """The size and weight that matplotlib asks for, in the page's own typeface."""
    return f"font-size: {match[2]}px" + ("; font-weight: bold" if match[1] else "")


def embed(text, name, label):
    """The <svg> element alone, with ids of its own and colours that the page may replace."""
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>\s*", "", text, flags=re.DOTALL)
    text = re.sub(r"<style type=.*?</style>", "", text, flags=re.DOTALL)
    text = re.sub(r'\bid="', f'id="{name}-', text)
    text = re.sub(r"url\(#", f"url(#{name}-", text)
    text = re.sub(r'xlink:href="#', f'href="#{name}-', text)
    text = re.sub(r' xmlns(:\w+)?="[^"]*"', "", text)
    text = re.sub(r"font: ((?:bold )?)([\d.]+)px [^;\"]*", font, text)
    text = re.sub(r"\s*\n\s*", " ", text)
    for role, colour in PALETTE.items():
        text = text.replace(colour, f"var(--{role})")
    width = float(re.search(r'width="([\d.]+)pt"', text)[1])
    smallest = f"min-width: {LEAST_SCALE * width:.0f}pt"
    return text.replace("<svg", f'<svg role="img" aria-label="{label}" style="{smallest}"', 1)
