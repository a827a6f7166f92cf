"""What one row of a record says, and how many rows are taken together."""

import collections
import json
import math

SEVERITY = ["pass", "indeterminate", "suspect", "fail"]


def group(rows, key):
    """{key(row): rows}, in order of first appearance."""
    groups = collections.defaultdict(list)
    for row in rows:
        groups[key(row)].append(row)
    return dict(groups)


def operator_of(kernel):
    """kda.attention/scan.f32 -> kda.attention"""
    return kernel.split("/")[0]


def algorithm_of(kernel):
    """kda.attention/scan.f32 -> scan.f32"""
    return kernel.split("/", 1)[-1]


def case_of(result):
    """What makes two results the same case."""
    return (result["operator"], result["family"], json.dumps(result["shapes"], sort_keys=True), result["seed"])


def severity(result):
    return SEVERITY.index(result["verdict"])


def worst_verdicts(results):
    """{case: the worst verdict of its results}"""
    return {case: max(members, key=severity)["verdict"] for case, members in group(results, case_of).items()}


def slack_of(result):
    """The largest slack of a result; 0 for an output without elements."""
    return float(result["slack"]["max"]) if result["slack"] else 0.0


def size(value):
    """A key by which nan is larger than inf."""
    return (math.isnan(float(value)), float(value))


def gravity(result):
    """A key by which the worst verdict, then the largest slack, is largest."""
    return (severity(result), *size(slack_of(result)))


def worst_of(results):
    """The result that stands for many."""
    return max(results, key=gravity)


def differs(claim):
    """The audit found another verdict than the ledger expects."""
    return claim["verdict"] != claim["expected"]


def mutant_state(mutant):
    if mutant.get("stale", False):
        return "stale"
    return "missed" if mutant["caught_by"] is None else "caught"


def crosses(curve):
    """A curve with a 99 % quantile above its bound, or with an error that is no number."""
    return any(not float(error) <= float(bound) for error, bound in zip(curve["p99"], curve["bound"]))
