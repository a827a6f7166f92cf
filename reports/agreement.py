"""What a record must say of itself twice in the same way: counts and the rows they count."""

import collections
import math

import rows as of


def disagreements(form, data):
    """One line for each place where the record contradicts itself."""
    return RULES[form](data)


def unequal(where, value, rule, want):
    if value != want:
        yield f"{where} = {value}: needs {rule} = {want}"


def count(data, key, rows):
    yield from unequal(f"summary.{key}", data["summary"][key], f"rows of {rows}", len(data[rows]))


def tally(data, keys, what, found):
    """The summary counts what `found` lists."""
    counted = collections.Counter(found)
    for key in keys:
        yield from unequal(f"summary.{key}", data["summary"][key], f"number of {what} {key}", counted[key])


def verify(data):
    summary = data["summary"]
    judged = sum(summary[verdict] for verdict in of.SEVERITY)
    yield from unequal("summary.cases", summary["cases"], "pass + suspect + fail + indeterminate", judged)
    if "laws" in data:
        yield from count(data, "laws", "laws")
    if "results" in data:
        worst = of.worst_verdicts(data["results"]).values()
        yield from tally(data, of.SEVERITY[1:], "cases in results that are", worst)
        yield from results(data)
    if "stored_outputs" in data:
        yield from stored(data)


def stored(data):
    accepted = data["stored_outputs"]["accepted"]
    for key in ("allclose", "rms_ratio"):
        if accepted["both"] > accepted[key]:
            yield f"stored_outputs.accepted.both = {accepted['both']}: needs at most {key} = {accepted[key]}"
    if accepted["both_but_fail"] > min(accepted["both"], data["summary"]["fail"]):
        yield f"stored_outputs.accepted.both_but_fail = {accepted['both_but_fail']}: needs at most both and fail"


def results(data):
    known = data.get("counts", {}).get("kernel")
    for i, result in enumerate(data["results"]):
        if known is not None and result["kernel"] not in known:
            yield f"results[{i}].kernel = {result['kernel']}: needs to be a key of counts.kernel"
        if result["worst"] and result["slack"]:
            largest, decisive = result["slack"]["max"], result["worst"]["slack"]
            if result["verdict"] == "pass":
                yield from unequal(f"results[{i}].slack.max", largest, "worst.slack", decisive)
            elif float(largest) < float(decisive):
                yield f"results[{i}].slack.max = {largest}: needs at least worst.slack = {decisive}"


def audit(data):
    yield from count(data, "claims", "claims")
    verdicts = [claim["verdict"] for claim in data["claims"]]
    yield from tally(data, [key for key in data["summary"] if key != "claims"], "claims", verdicts)


def mutants(data):
    yield from count(data, "mutants", "mutants")
    yield from tally(data, ("caught", "missed", "stale"), "mutants", map(of.mutant_state, data["mutants"]))


def drift(data):
    yield from count(data, "curves", "curves")
    for i, curve in enumerate(data["curves"]):
        for key in ("p50", "p99", "bound"):
            yield from unequal(f"length of curves[{i}].{key}", len(curve[key]), "length of x", len(curve["x"]))
    for i, row in enumerate(data["shares"]):
        parts = sum(map(float, row["kinds"].values()))
        if row["kinds"] and not abs(parts - 1) < 1e-6:
            yield f"sum of shares[{i}].kinds = {parts:g}: needs 1"
    for i, row in enumerate(data["counters"]):
        yield from unequal(f"length of counters[{i}].measured", len(row["measured"]), "moduli", len(row["moduli"]))


def gate(data):
    yield from verify(data)
    classes = ("same_bits", "changed", "improved", "worse", "broken")
    yield from tally(data, classes, "cells", [cell["class"] for cell in data["cells"]])


def asks_the_machine(data):
    """Of the forms of assay bits, all but kernels have rows of outputs."""
    return data["command"].split()[2:3] != ["kernels"]


def machine_bits(data):
    yield from count(data, "rows", "rows")
    for key in ("outputs", "mismatches"):
        yield from unequal(f"summary.{key}", data["summary"][key], "sum over rows", sum(row[key] for row in data["rows"]))


def bits(data):
    if asks_the_machine(data):
        yield from machine_bits(data)
        return
    yield from count(data, "kernels", "rows")
    for key in ("cases", "elements", "differing", "failing"):
        total = sum(row.get(key, 0) for row in data["rows"])
        yield from unequal(f"summary.{key}", data["summary"][key], "sum over rows", total)
    for i, row in enumerate(data["rows"]):
        if "digests" in row:
            yield from unequal(f"length of rows[{i}].digests", len(row["digests"]), "cases", row["cases"])
    unlike = {row["kernel"] for row in data["differences"]}
    for i, row in enumerate(data["rows"]):
        wrong = row.get("differing", 0) + row.get("failing", 0)
        if (wrong != 0) != (row["kernel"] in unlike):
            yield f"rows[{i}] = {row['kernel']}: needs a row of differences where something differs, and only there"


def sanitize(data):
    yield from count(data, "runs", "rows")
    errors = sum(row["errors"] for row in data["rows"])
    yield from unequal("summary.errors", data["summary"]["errors"], "sum over rows", errors)


def speed(data):
    yield from count(data, "rows", "rows")
    for i, row in enumerate(data["rows"]):
        floor = row["floor"]
        if not floor:
            continue
        if not math.isclose(floor["ratio"], row["graph"] / floor["seconds"], rel_tol=2**-23):
            yield f"rows[{i}].floor.ratio = {floor['ratio']}: needs graph / floor.seconds"
        bytes_seconds = row["bytes"] / data["rates"]["copy"]
        if floor["seconds"] < bytes_seconds * (1 - 2**-23):
            yield f"rows[{i}].floor.seconds = {floor['seconds']}: needs bytes / rates.copy = {bytes_seconds} or more"


def bench(data):
    if "rates" in data:
        yield from speed(data)
        return
    yield from count(data, "rows", "rows")
    for i, row in enumerate(data["rows"]):
        compared = [row[key] is not None for key in ("reference", "reference_seconds", "ratio")]
        if any(compared) != all(compared):
            yield f"rows[{i}]: needs reference, reference_seconds and ratio, or null in all three"
        elif all(compared):
            ratio = row["reference_seconds"] / row["seconds"]
            # A ratio may have been taken before the seconds were written in float32 precision.
            if not math.isclose(row["ratio"], ratio, rel_tol=2**-23):
                yield f"rows[{i}].ratio = {row['ratio']}: needs reference_seconds / seconds = {ratio}"


def listing(data):
    yield from count(data, "items", "items")


RULES = {
    "verify": verify,
    "replay": verify,
    "judge": verify,
    "audit": audit,
    "mutants": mutants,
    "drift": drift,
    "gate": gate,
    "bits": bits,
    **{f"sanitize-{tool}": sanitize for tool in ("memcheck", "racecheck", "initcheck", "synccheck")},
    "bench": bench,
    "list": listing,
}
