"""The figures of the page. Each takes rows of a record and returns {svg, caption}, or None where there is nothing to draw."""

import collections
import html
import math
import statistics

from matplotlib import ticker

import agreement
import svg
import text

COLOUR = svg.PALETTE
POINTS = 1500  # of a scatter; more make a blot


def figure(name, label, width, height, paint, caption):
    return {"svg": svg.draw(name, html.escape(label, quote=True), width, height, paint), "caption": caption}


def group(rows, key):
    """{key(row): rows}, in order of first appearance."""
    groups = collections.defaultdict(list)
    for row in rows:
        groups[key(row)].append(row)
    return dict(groups)


def slack_of(result):
    """The largest slack of a result; 0 for an output without elements."""
    return float(result["slack"]["max"]) if result["slack"] else 0.0


def worst_of(results):
    """The result that stands for many: the worst verdict, then the largest slack, nan above all."""
    return max(results, key=lambda r: (agreement.SEVERITY.index(r["verdict"]), math.isnan(slack_of(r)), slack_of(r)))


def operator_of(kernel):
    return kernel.split("/")[0]


def algorithm_of(kernel):
    return kernel.split("/", 1)[-1]


def bare(axes):
    """No grid, ticks or frame: what is drawn speaks alone."""
    axes.grid(False)
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)


def decades(low, high):
    """Powers of ten in [low, high], at most seven."""
    first, last = math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9)
    return [10.0**k for k in range(first, last + 1, max(1, math.ceil((last - first + 1) / 7)))]


def log_axis(axis, highest=math.inf):
    """Makes an axis logarithmic, to be called when everything is drawn. Ticks are powers of ten, and 2 and 5 times
    these where they would be few; none stands above `highest`."""
    axis.axes.set(**{f"{axis.axis_name}scale": "log"})
    low, high = axis.get_view_interval()
    ticks = decades(low, high)
    if len(ticks) < 3:
        ticks = [k * m for k in decades(low / 10, high) for m in (1, 2, 5) if low <= k * m <= high]
    ticks = [tick for tick in ticks if tick <= highest]
    axis.set_major_locator(ticker.FixedLocator(ticks))
    axis.set_major_formatter(ticker.FixedFormatter([text.short(float(tick)) for tick in ticks]))
    axis.set_minor_locator(ticker.NullLocator())


def name_rows(axes, names):
    """One row a name, from the top down."""
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.grid(False, axis="y")
    axes.spines["left"].set_visible(False)


# Slack, kernel by family


def slack_ink(slack):
    """Opacity of a passing cell: three decades below the bound run from pale to full."""
    return 0.05 + 0.5 * min(1, max(0, 1 + math.log10(slack) / 3)) if slack > 0 else 0.0


def paint_cell(axes, x, y, verdict, slack, width=1.0):
    opacity = slack_ink(slack) if verdict == "pass" else {"fail": 0.95, "suspect": 0.55, "indeterminate": 0.35}[verdict]
    axes.barh(y, width - 0.06, height=0.88, left=x + 0.03, color=COLOUR[verdict], alpha=opacity, linewidth=0,
              clip_on=False)


def write_cell(axes, x, y, verdict, slack):
    failed = verdict == "fail"
    colour, weight = (COLOUR["paper"], "bold") if failed else (COLOUR["ink"], "normal")
    axes.text(x + 0.5, y, text.short(slack), ha="center", va="center", size=9, color=colour, weight=weight)


def paint_slack_key(axes, y, left):
    """A row of sample cells under the map."""
    axes.text(left, y, "slack", va="center", color=COLOUR["muted"], size=9)
    samples = [("pass", 10.0**-k, text.short(10.0**-k)) for k in (3, 2, 1, 0)]
    samples += [(verdict, 1, verdict) for verdict in ("suspect", "indeterminate", "fail")]
    x = left + 0.9
    for verdict, slack, label in samples:
        paint_cell(axes, x, y, verdict, slack, 0.5)
        axes.text(x + 0.58, y, label, va="center", color=COLOUR["muted"], size=9)
        x += 0.85 + 0.11 * len(label)


def slack_heat_map(results, kernels):
    if not results:
        return None
    families = sorted({result["family"] for result in results})
    cells = group(results, lambda result: (result["kernel"], result["family"]))
    lines = []
    for operator, members in group(sorted(kernels), operator_of).items():
        lines += [(operator, None)] + [(algorithm_of(kernel), kernel) for kernel in members]
    left = -0.12 * max(len(label) + 2 * (kernel is not None) for label, kernel in lines) - 0.2

    def paint(axes):
        bare(axes)
        axes.set_position([0, 0, 1, 1])
        for y, (label, kernel) in enumerate(lines):
            weight = "normal" if kernel else "bold"
            axes.text(left + (0.2 if kernel else 0), y, label, va="center", size=9.5, weight=weight)
            for x, family in enumerate(families if kernel else []):
                if (kernel, family) in cells:
                    worst = worst_of(cells[kernel, family])
                    paint_cell(axes, x, y, worst["verdict"], slack_of(worst))
                    write_cell(axes, x, y, worst["verdict"], slack_of(worst))
                else:
                    axes.text(x + 0.5, y, "·", ha="center", va="center", color=COLOUR["muted"])
        for x, family in enumerate(families):
            axes.text(x + 0.4, -0.3, text.words(family), rotation=38, rotation_mode="anchor", size=9.5)
        paint_slack_key(axes, len(lines) + 0.5, left)
        axes.set(xlim=(left, len(families)), ylim=(len(lines) + 1, -1), xticks=[], yticks=[])

    caption = "Largest slack of each kernel on each family of inputs; a dot where they did not meet."
    label = f"Largest slack of {len(kernels)} kernels on {len(families)} families of inputs"
    return figure("slack", label, 0.6 * (len(families) - left), 0.29 * (len(lines) + 2), paint, caption)


# Error against bound


def error_against_bound(results):
    judged = [r["worst"] | {"verdict": r["verdict"]} for r in results if r["worst"]]
    points = [p for p in judged if 0 < float(p["bound"]) < math.inf]
    errors = [float(p["error"]) for p in points if 0 < float(p["error"]) < math.inf]
    if not errors:
        return None
    points.sort(key=lambda p: (agreement.SEVERITY.index(p["verdict"]), float(p["slack"])))
    drawn = points[-POINTS:]
    bounds = [float(p["bound"]) for p in drawn]
    floor, ceiling = min(errors + bounds) / 8, max(errors + bounds) * 8

    def height(error):
        return floor if error == 0 else min(error, ceiling) if error < math.inf else ceiling

    def paint(axes):
        axes.set(xscale="log", yscale="log", xlim=(min(bounds) / 4, max(bounds) * 4), ylim=(floor / 2, ceiling * 2))
        log_axis(axes.xaxis)
        log_axis(axes.yaxis)
        axes.set(xlabel="bound (absolute)", ylabel="error (absolute)")
        ends = [min(bounds) / 4, max(bounds) * 4]
        for slack, width in ((1, 1.3), (0.1, 0.5), (0.01, 0.5)):
            axes.plot(ends, [slack * end for end in ends], color=COLOUR["muted"], linewidth=width, zorder=1)
            axes.annotate(f"slack {text.short(slack)}", (ends[1], slack * ends[1]), xytext=(3, 0), va="center", size=9,
                          textcoords="offset points", color=COLOUR["muted"], annotation_clip=False)
        for verdict, members in group(drawn, lambda p: p["verdict"]).items():
            axes.plot([float(p["bound"]) for p in members], [height(float(p["error"])) for p in members], linestyle="none",
                      marker=svg.MARKERS[verdict], markersize=7 if verdict == "fail" else 5.5, color=COLOUR[verdict],
                      alpha=0.85, markeredgewidth=0, label=f"{verdict} ({len(members)})", clip_on=False)
        axes.legend(loc="upper left", handletextpad=0.2, borderpad=0)

    caption = f"Worst element of each recorded output, {text.counted(len(points), 'output')}"
    if len(drawn) < len(points):
        caption += f"; the {len(drawn):,} with the largest slack are drawn"
    caption += ". Above the line “slack 1” an error exceeds its bound."
    caption += edge_notes(points, len(judged) - len(points))
    return figure("error", "Error against bound, one point an output", 4.1, 3.7, paint, caption)


def edge_notes(points, exact):
    """What a logarithmic axis cannot place."""
    zeros = sum(float(p["error"]) == 0 for p in points)
    infinite = sum(not math.isfinite(float(p["error"])) for p in points)
    notes = [(zeros, "without any error at the lower edge"), (infinite, "not finite at the upper edge")]
    notes += [(exact, "on exact inputs (bound 0) not drawn")]
    told = [f"{number:,} {note}" for number, note in notes if number]
    return f" {'; '.join(told)}." if told else ""


# Smallest detectable fault


def detectable_fault(results):
    measured = [r for r in results if "detectable_fault" in r and 0 < float(r["detectable_fault"]["p50"]) < math.inf]
    if not measured:
        return None
    kernels = group(sorted(measured, key=lambda r: r["kernel"]), lambda r: r["kernel"])
    spans = {k: [float(r["detectable_fault"][q]) for r in rows for q in ("p50", "p99")] for k, rows in kernels.items()}
    medians = {k: statistics.median(float(r["detectable_fault"]["p50"]) for r in rows) for k, rows in kernels.items()}
    largest = max(max(span) for span in spans.values())

    def paint(axes):
        name_rows(axes, list(kernels))
        axes.set_xscale("log")
        if largest > 0.5:
            axes.axvspan(1, largest * 3, color=COLOUR["suspect"], alpha=0.15, linewidth=0)
            axes.text(1, -0.55, " zeros would pass", size=9, va="bottom", color=COLOUR["suspect"])
        for y, kernel in enumerate(kernels):
            axes.plot([min(spans[kernel]), max(spans[kernel])], [y, y], color=COLOUR["pass"], alpha=0.35, linewidth=5)
            axes.plot(medians[kernel], y, "o", color=COLOUR["pass"], markersize=7)
            axes.annotate(text.short(medians[kernel]), (medians[kernel], y), xytext=(0, 6), textcoords="offset points",
                          ha="center", size=9, color=COLOUR["muted"])
        axes.set_xlim(right=largest * 3)
        log_axis(axes.xaxis)
        axes.set_xlabel("bound / |o|")

    caption = "Dot: the median over the recorded outputs of each output’s median; bar: from its least median to its largest 99 % quantile."
    return figure("detectable", "Smallest detectable fault of each kernel", 2.9, 0.4 * len(kernels) + 0.9, paint, caption)


# Claims

CLAIM_FILLS = {
    "proven": ("series-1", 0.9),
    "verified": ("series-1", 0.45),
    "reproduced": ("series-3", 0.6),
    "refuted": ("fail", 0.9),
    "inconsistent": ("suspect", 0.7),
    "not_reproducible": ("indeterminate", 0.45),
    "unimplemented": ("indeterminate", 0.12),
}


def claims_by_verdict(papers):
    """`papers`: {paper: claims}"""
    if not papers:
        return None
    widest = max(len(claims) for claims in papers.values())

    def paint(axes):
        bare(axes)
        name_rows(axes, list(papers))
        axes.set_xticks([])
        for y, claims in enumerate(papers.values()):
            left = 0
            for verdict, (role, opacity) in CLAIM_FILLS.items():
                number = sum(claim["verdict"] == verdict for claim in claims)
                axes.barh(y, number, left=left, height=0.62, color=COLOUR[role], alpha=opacity, linewidth=0,
                          label=text.words(verdict) if y == 0 else None)
                if number >= widest / 40:
                    full = opacity > 0.8
                    axes.text(left + number / 2, y, f"{number}", ha="center", va="center", size=9,
                              color=COLOUR["paper" if full else "ink"])
                left += number
        axes.set_xlim(0, widest)
        axes.legend(loc="upper left", bbox_to_anchor=(0, 0), ncol=4, handlelength=0.9, columnspacing=1.2, borderpad=0.6)

    caption = "Rows of the ledger by the verdict that the audit computed."
    return figure("claims", "Claims of each paper by verdict", 6.4, 0.42 * len(papers) + 0.3, paint, caption)


# Mutants


def stacked(points):
    """A small vertical offset for each point, so that equal ones stand side by side."""
    seen = collections.Counter()
    for point in points:
        seen[point] += 1
        step = seen[point] - 1
        yield (step + 1) // 2 * (-1 if step % 2 else 1)


def mutants_by_kind(mutants):
    if not mutants:
        return None
    kinds = group(sorted(mutants, key=lambda m: m["kind"]), lambda m: m["kind"])
    most = max([m["cases"] for m in mutants] + [1])
    lanes = {"missed": most * 4, "stale": most * 12}
    marks = {"caught": ("o", "pass"), "missed": ("X", "fail"), "stale": ("s", "suspect")}
    states = {agreement.mutant_state(m) for m in mutants}

    def paint(axes):
        name_rows(axes, [text.words(kind) for kind in kinds])
        axes.set_xscale("log")
        for y, members in enumerate(kinds.values()):
            axes.axhline(y, color=COLOUR["rule"], linewidth=0.7, zorder=0)
            spots = [(agreement.mutant_state(m), lanes.get(agreement.mutant_state(m), max(m["cases"], 1))) for m in members]
            for (state, x), offset in zip(spots, stacked(spots)):
                marker, role = marks[state]
                axes.plot(x, y + 0.13 * offset, marker, color=COLOUR[role], alpha=0.8, markeredgewidth=0, markersize=6.5)
        for state in sorted(states - {"caught"}):
            axes.text(lanes[state], -0.65, state, ha="center", va="bottom", size=9, color=COLOUR[marks[state][1]])
        last = max([lanes[state] for state in states - {"caught"}] + [most])
        axes.set_xlim(0.7, last * 2)
        if last > most:
            axes.axvspan(most * 2, last * 2, color=COLOUR["rule"], alpha=0.4, linewidth=0, zorder=0)
        log_axis(axes.xaxis, highest=most)
        axes.set_xlabel("cases tried until the fault was caught")

    caption = "One mark a planted fault."
    if states != {"caught"}:
        caption += " Those that no case or law caught stand on the right."
    label = f"Cases needed to catch each of {len(mutants)} planted faults"
    return figure("mutants", label, 4.8, 0.44 * len(kinds) + 0.9, paint, caption)


# Drift


def positive(values):
    """Values for a logarithmic axis: what it cannot show becomes a gap."""
    return [float(v) if 0 < float(v) < math.inf else math.nan for v in values]


def growth(curve):
    if curve["exponent"] is None:
        return ""
    low_high = curve["exponent_ci"]
    interval = f" [{text.short(low_high[0])}, {text.short(low_high[1])}]" if low_high else ""
    return f"   x^{text.short(curve['exponent'])}{interval}"


def paint_curve(axes, curve, places, colour, marker):
    p50, p99, bound = (positive(curve[key]) for key in ("p50", "p99", "bound"))
    axes.fill_between(places, p50, p99, color=colour, alpha=0.18, linewidth=0)
    axes.plot(places, p50, color=colour, linewidth=1)
    axes.plot(places, p99, color=colour, marker=marker, markersize=4.5, label=algorithm_of(curve["kernel"]) + growth(curve))
    axes.plot(places, bound, color=colour, linestyle=(0, (4, 2)), linewidth=1.4)


def drift_panel(name, curves):
    """The kernels of one operator on one family, output and axis."""
    curves = sorted(curves, key=lambda curve: -float(curve["p99"][-1]))
    first = curves[0]
    xs = sorted({x for curve in curves for x in curve["x"]}, reverse=first["x"][0] > first["x"][-1])
    sizes = min(xs) > 0

    def paint(axes):
        axes.set(yscale="log", xscale="log" if sizes else "linear")
        for curve, (role, marker) in zip(curves, svg.SERIES.items()):
            places = curve["x"] if sizes else [xs.index(x) for x in curve["x"]]
            paint_curve(axes, curve, places, COLOUR[role], marker)
        log_axis(axes.yaxis)
        axes.xaxis.set_minor_locator(ticker.NullLocator())
        shown = xs[:: math.ceil(len(xs) / 6)]
        axes.set_xticks(shown if sizes else [xs.index(x) for x in shown], [text.short(x) for x in shown])
        axes.set_xlabel(text.words(first["axis"]))
        axes.set_ylabel("error / |o|")
        axes.set_title(f"{operator_of(first['kernel'])} · {text.words(first['family'])} · {first['output']}", pad=10)
        axes.legend(loc="upper left", bbox_to_anchor=(-0.15, -0.24), borderpad=0, handlelength=1.2)

    label = f"Error of {operator_of(first['kernel'])} against {text.words(first['axis'])}"
    return figure(name, label, 3.5, 2.4, paint, None)


def drift_panels(curves):
    panels = group(curves, lambda c: (operator_of(c["kernel"]), c["axis"], c["family"], c["output"]))
    pieces = [rows[i : i + len(svg.SERIES)] for rows in panels.values() for i in range(0, len(rows), len(svg.SERIES))]
    return [drift_panel(f"drift-{i}", rows) for i, rows in enumerate(pieces)]


# Bench


def bench_ratios(rows):
    compared = [row for row in rows if row["ratio"] is not None]
    if not compared:
        return None

    def paint(axes):
        name_rows(axes, [row["name"] for row in compared])
        axes.set_xscale("log")
        axes.axvline(1, color=COLOUR["muted"], linewidth=1.4)
        for y, row in enumerate(compared):
            colour = COLOUR["pass" if row["ratio"] >= 1 else "suspect"]
            axes.plot([1, row["ratio"]], [y, y], color=colour, linewidth=2.2)
            axes.plot(row["ratio"], y, "o" if row["ratio"] >= 1 else "^", color=colour, markersize=7)
            side = 1 if row["ratio"] >= 1 else -1
            axes.annotate(text.short(row["ratio"]), (row["ratio"], y), xytext=(8 * side, 0), va="center", size=9,
                          ha="left" if side > 0 else "right", textcoords="offset points")
        ratios = [row["ratio"] for row in compared] + [1]
        axes.set_xlim(min(ratios) / 2.5, max(ratios) * 4)
        log_axis(axes.xaxis)
        axes.set_xlabel("reference’s time / own time  (right of 1: faster)")

    return figure("bench", "Speed against references", 5.2, 0.36 * len(compared) + 0.9, paint,
                  "Both times were taken in the same run, one after the other.")
