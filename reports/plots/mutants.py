"""How many cases it takes to catch a planted fault."""

import collections

import rows as of
import text
from plots.axes import figure, mark_log_axis, name_rows
from plots.svg import PALETTE

MARKS = {"caught": ("o", "pass"), "missed": ("X", "fail"), "stale": ("s", "suspect")}


def stacked(spots):
    """0, 1, -1, 2, ... for the first, second, ... of equal spots, which would hide each other."""
    seen = collections.Counter()
    for spot in spots:
        seen[spot] += 1
        yield seen[spot] // 2 * (1 if seen[spot] % 2 else -1)


def paint_kind(axes, y, mutants, lanes):
    axes.axhline(y, color=PALETTE["rule"], linewidth=0.7, zorder=0)
    states = [of.mutant_state(mutant) for mutant in mutants]
    spots = [(state, lanes.get(state, max(float(mutant["cases"]), 1.0))) for state, mutant in zip(states, mutants)]
    for (state, x), offset in zip(spots, stacked(spots)):
        marker, role = MARKS[state]
        axes.plot(x, y + 0.13 * offset, marker, color=PALETTE[role], alpha=0.8, markeredgewidth=0, markersize=6.5)


def mutants_by_kind(mutants):
    if not mutants:
        return None
    kinds = of.group(sorted(mutants, key=lambda m: m["kind"]), lambda m: m["kind"])
    most = float(max([mutant["cases"] for mutant in mutants] + [10]))
    escaped = [state for state in ("missed", "stale") if state in map(of.mutant_state, mutants)]
    lanes = {state: most * factor for state, factor in zip(escaped, (4, 12))}
    last = max(lanes.values(), default=most)

    def paint(axes):
        name_rows(axes, [text.words(kind) for kind in kinds])
        axes.set(xscale="log", xlim=(0.7, last * 2), xlabel="cases tried until the fault was caught")
        for y, members in enumerate(kinds.values()):
            paint_kind(axes, y, members, lanes)
        if lanes:
            axes.axvspan(most * 2, last * 2, color=PALETTE["rule"], alpha=0.4, linewidth=0, zorder=0)
        for state, x in lanes.items():
            axes.text(x, -0.65, state, ha="center", va="bottom", size=9, color=PALETTE[MARKS[state][1]])
        mark_log_axis(axes.xaxis, highest=most)

    caption = "One mark a planted fault." + (" Those that nothing caught stand on the right." if lanes else "")
    label = f"Cases needed to catch each of {len(mutants)} planted faults"
    return figure("mutants", label, 4.8, 0.44 * len(kinds) + 0.9, paint, caption)
