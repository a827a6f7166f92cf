"""The figures of the page, each from the record that it shows."""

import tables
from plots.bench import bench_ratios
from plots.claims import claims_by_verdict
from plots.detectable_fault import detectable_fault
from plots.drift import drift_panels
from plots.error_and_bound import error_and_bound
from plots.mutants import mutants_by_kind
from plots.shares import shares_panels
from plots.slack_map import slack_map
from plots.slack_spread import slack_spread


def of_verify(data):
    return {
        "slack": slack_map(data["results"], list(data["counts"]["kernel"])),
        "spread": slack_spread(data["results"]),
        "error": error_and_bound(data["results"]),
        "detectable": detectable_fault(data["results"]),
    }


MAKERS = {
    "verify": of_verify,
    "audit": lambda data: {"claims": claims_by_verdict(tables.papers(data["claims"]))},
    "mutants": lambda data: {"mutants": mutants_by_kind(data["mutants"])},
    "drift": lambda data: {"drift": drift_panels(data["curves"]), "shares": shares_panels(data["shares"])},
}


def of_records(forms):
    """{name: {svg, caption}, or None where the record has nothing to draw}; `drift` and `shares` are lists."""
    drawn = {"bench": bench_ratios(tables.bench_rows(forms))}
    for form, make in MAKERS.items():
        drawn |= make(forms[form].data) if form in forms else {}
    return drawn
