"""What several figures do to their axes."""

import html
import math

from matplotlib import ticker

import text
from plots import svg


LEAST, MOST = 1e-60, 1e60  # what a logarithmic axis shows; no format in use goes further


def place(value):
    """Where a value stands on a logarithmic axis: nan for 0, inf and nan, which have no place on it."""
    value = float(value)
    return min(max(value, LEAST), MOST) if 0 < value < math.inf else math.nan


def has_place(value):
    return not math.isnan(place(value))


def figure(name, label, width, height, paint, caption=None):
    """A drawing of width x height inches with its caption; `label` is for those who cannot see it."""
    return {"svg": svg.draw(name, html.escape(label), width, height, paint), "caption": caption}


def bare(axes):
    """No grid, ticks or frame: what is drawn speaks alone."""
    axes.grid(False)
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)


def name_rows(axes, names):
    """One row a name, from the top down."""
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.grid(False, axis="y")
    axes.spines["left"].set_visible(False)


def decades(low, high):
    """Powers of ten in [low, high], at most five."""
    first, last = math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9)
    return [10.0**k for k in range(first, last + 1, max(1, math.ceil((last - first + 1) / 5)))]


def mark_log_axis(axis, highest=math.inf):
    """Ticks for a logarithmic axis on which everything is drawn: powers of ten, and 2 and 5 times these where they
    would be few; none above `highest`."""
    low, high = axis.get_view_interval()
    ticks = decades(low, high)
    if len(ticks) < 3:
        ticks = [k * m for k in decades(low / 10, high) for m in (1, 2, 5) if low <= k * m <= high]
    ticks = [tick for tick in ticks if tick <= highest]
    axis.set_major_locator(ticker.FixedLocator(ticks))
    axis.set_major_formatter(ticker.FixedFormatter([text.short(float(tick)) for tick in ticks]))
    axis.set_minor_locator(ticker.NullLocator())
