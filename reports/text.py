"""Numbers and names as the page and its figures print them."""

import math


def short(value):
    """Three significant digits; an integer in full; a dash for nothing."""
    if value is None:
        return "–"
    if isinstance(value, int):
        return f"{value:,}"
    value = float(value)
    if not math.isfinite(value):
        return str(value)
    rounded = float(f"{value:.3g}")
    if rounded == 0 or 1e-3 <= abs(rounded) < 1e6:
        return f"{rounded:,.10g}"
    mantissa, exponent = f"{rounded:.2e}".split("e")
    return f"{float(mantissa):g}e{int(exponent)}"


def seconds(value):
    """A time in the unit that keeps it above 1."""
    if value is None:
        return "–"
    if value >= 60:
        return "{} min {} s".format(*divmod(round(value), 60))
    for unit, scale in (("s", 1), ("ms", 1e-3), ("µs", 1e-6), ("ns", 1e-9)):
        if value >= scale:
            return f"{short(value / scale)} {unit}"
    return f"{short(value)} s"


def words(name):
    """error_above_bound -> error above bound"""
    return name.replace("_", " ")


def counted(number, noun, plural=None):
    """1 law, 2 laws"""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def shapes(sizes):
    """B 1 · T 65 · d 64"""
    return " · ".join(f"{symbol} {size}" for symbol, size in sizes.items())
