#!/usr/bin/env python3
"""Coefficients and constants of src/simt/elementary.cuh, with the relative error that each polynomial leaves.

Fits by Lawson's algorithm (1961): weighted least squares on Chebyshev nodes, the weights multiplied by the error until
it is level. Coefficients are rounded to float32 one after the other, the lowest first, and the rest fitted again.

    scripts/minimax.py            print them
    scripts/minimax.py --check    exit 1 if one does not stand in src/simt/elementary.cuh

Needs mpmath (Debian: python3-mpmath).
"""

import argparse
import struct
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

import mpmath
from mpmath import mp, mpf

HEADER = Path(__file__).resolve().parent.parent / "src/simt/elementary.cuh"
LAWSON_STEPS = 25


@dataclass(frozen=True)
class Fit:
    """function(x) - known(x) = sum of c_k x^powers[k] on [low, high]; the error is relative to function(x)."""

    name: str
    function: Callable
    known: Callable
    powers: range
    low: float
    high: float
    nodes: int = 61


def fits():
    half_ln2 = mp.ln(2) / 2 * mpf("1.0001")
    quarter_pi = mp.pi / 4 * mpf("1.0001")
    return [
        Fit("exp = 1 + x + sum", mp.exp, lambda x: 1 + x, range(2, 7), -half_ln2, half_ln2),
        Fit("exp2 = 1 + sum", lambda x: mpf(2) ** x, lambda x: 1, range(1, 7), -0.50001, 0.50001),
        Fit("exp2 of degree four = 1 + sum", lambda x: mpf(2) ** x, lambda x: 1, range(1, 5), -0.50001, 0.50001),
        Fit("log1p = x - x^2/2 + sum", mp.log1p, lambda x: x - x * x / 2, range(3, 11), -mpf(1) / 3, mpf(1) / 3, 80),
        Fit("sin = x + sum", mp.sin, lambda x: x, range(3, 11, 2), 1e-4, quarter_pi),
        Fit("cos = 1 - x^2/2 + sum", mp.cos, lambda x: 1 - x * x / 2, range(4, 9, 2), 1e-2, quarter_pi),
        Fit("tanh = x + sum", mp.tanh, lambda x: x, range(3, 13, 2), 1e-3, 0.6),
    ]


def float32(x):
    return mpf(struct.unpack("f", struct.pack("f", float(x)))[0])


def literal(x):
    """x, a float32, as a C++ literal."""
    mantissa, exponent = float(x).hex().split("p")
    return f"{mantissa.rstrip('0').rstrip('.')}p{exponent}f"


def chebyshev_nodes(low, high, count):
    middle, radius = (mpf(low) + mpf(high)) / 2, (mpf(high) - mpf(low)) / 2
    nodes = [middle + radius * mp.cos(mp.pi * (2 * i + 1) / (2 * count)) for i in range(count)]
    return [x for x in nodes if abs(x) > 1e-9]


def least_squares(rows, targets, weights):
    """The c that minimises the weighted squares of rows c - targets, by the normal equations."""
    size = len(rows[0])
    matrix, right = mpmath.matrix(size, size), mpmath.matrix(size, 1)
    for row, target, weight in zip(rows, targets, weights):
        for i in range(size):
            right[i] += weight * row[i] * target
            for j in range(size):
                matrix[i, j] += weight * row[i] * row[j]
    return list(mp.lu_solve(matrix, right))


def lawson(rows, targets):
    """The c with the smallest largest |rows c - targets| met on the way, and that error."""
    weights = [mpf(1)] * len(rows)
    best = None
    for _ in range(LAWSON_STEPS):
        c = least_squares(rows, targets, weights)
        errors = [abs(mp.fdot(row, c) - target) for row, target in zip(rows, targets)]
        if best is None or max(errors) < best[1]:
            best = c, max(errors)
        mean = mp.fdot(weights, errors) / len(rows)
        weights = [w * e / mean for w, e in zip(weights, errors)]
    return best


def rounded_coefficients(fit):
    """Float32 coefficients of a fit, lowest power first, and the largest relative error on the nodes."""
    xs = chebyshev_nodes(fit.low, fit.high, fit.nodes)
    rows = [[x**power / fit.function(x) for power in fit.powers] for x in xs]
    targets = [(fit.function(x) - fit.known(x)) / fit.function(x) for x in xs]
    fixed = []
    for _ in fit.powers:
        open_rows = [row[len(fixed):] for row in rows]
        open_targets = [t - mp.fdot(row[: len(fixed)], fixed) for row, t in zip(rows, targets)]
        fixed.append(float32(lawson(open_rows, open_targets)[0][0]))
    return fixed, max(abs(mp.fdot(row, fixed) - t) for row, t in zip(rows, targets))


def parts(x, count):
    """x as a sum of float32 numbers, each the nearest to what the earlier ones leave."""
    out = []
    for _ in range(count):
        out.append(float32(x))
        x -= out[-1]
    return out


def words_of_two_over_pi(count):
    """The first bits of the fraction 2/pi, 32 a word."""
    with mp.workprec(32 * count + 64):
        return [int(mp.floor(2 / mp.pi * mpf(2) ** (32 * (i + 1)))) & 0xFFFFFFFF for i in range(count)]


def constants():
    """Names and float32 values of the constants of argument reduction."""
    return [
        ("log2 e", parts(1 / mp.ln(2), 1)),
        ("ln 2", parts(mp.ln(2), 2)),
        ("2/pi", parts(2 / mp.pi, 1)),
        ("pi/2", parts(mp.pi / 2, 3)),
    ]


def lines():
    """What is printed: a title and the literals that must stand in the header."""
    for fit in fits():
        coefficients, error = rounded_coefficients(fit)
        yield f"{fit.name}: relative error 2^{float(mp.log(error, 2)):.2f}", [literal(c) for c in coefficients]
    for name, values in constants():
        yield name, [literal(x) for x in values]
    yield "words of 2/pi", [f"0x{word:08x}u" for word in words_of_two_over_pi(7)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare with src/simt/elementary.cuh")
    arguments = parser.parse_args()
    mp.prec = 120
    text = HEADER.read_text() if arguments.check else ""
    missing = []
    for title, literals in lines():
        print(title, *literals, sep="\n    ")
        missing += [x for x in literals if arguments.check and x.lstrip("-") not in text]
    for x in missing:
        print(f"{x} does not stand in {HEADER.name}", file=sys.stderr)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
