"""The rows of the page's tables, computed from records."""

import collections
import dataclasses
import math

import load
import rows as of

NOT_FOR_THE_PAGE = ("list", "replay", "judge", "export")
JOINED = ("bits kernels", "sanitize")
GATE_CLASSES = ("broken", "worse", "changed", "improved", "same_bits")


def form_of(record):
    """The command's word; of bench and bits, whose commands have two, both; of every tool that sanitizes, one, and of times on a
    GPU."""
    if "rates" in record.data:
        return "speed"
    words = record.command.split()[1:3]
    if record.form.startswith("sanitize"):
        return "sanitize"
    return " ".join(words) if record.form in ("bench", "bits") else words[0]


def joined(records):
    """One record in place of several, of one paper or one tool each."""
    data = [record.data for record in records]
    summary = {key: sum(one["summary"][key] for one in data) for key in data[0]["summary"]}
    rows = {key: [row for one in data for row in one[key]] for key in ("rows", "differences") if key in data[0]}
    files = ", ".join(record.file for record in records)
    return dataclasses.replace(records[0], file=files, data={**data[0], "summary": summary, **rows})


def by_form(records):
    """{form: record}; those of bits kernels, of one paper each, and of sanitizers, of one tool each, are joined."""
    found = {}
    for form in JOINED:
        parts = [record for record in records if form_of(record) == form]
        if parts:
            found[form] = joined(parts)
    for record in records:
        form = form_of(record)
        if form in JOINED:
            continue
        if record.form in NOT_FOR_THE_PAGE:
            continue
        if form in found:
            raise load.RecordError(f"{record.file}: a second record of assay {form}, after {found[form].file}")
        found[form] = record
    return found


def not_passed(results):
    """Every result that is not pass, the worst first."""
    return sorted((result for result in results if result["verdict"] != "pass"), key=of.gravity, reverse=True)


def closest_passes(results, number=4):
    """The passing results with the largest slack."""
    passing = [result for result in results if result["verdict"] == "pass" and result["worst"]]
    return sorted(passing, key=of.gravity, reverse=True)[:number]


def kernel_rows(data):
    """One row a kernel: its cases, verdicts, largest slack and smallest detectable fault."""
    results = of.group(data["results"], lambda result: result["kernel"])
    return [kernel_row(name, cases, results.get(name, [])) for name, cases in sorted(data["counts"]["kernel"].items())]


def kernel_row(name, cases, results):
    verdicts = collections.Counter(of.worst_verdicts(results).values())
    slacks = [result["slack"]["max"] for result in results if result["slack"]]
    faults = [result["detectable_fault"]["p50"] for result in results if "detectable_fault" in result]
    return {
        "name": name,
        "cases": cases,
        "verdict": of.worst_of(results)["verdict"] if results else "pass",
        **{verdict: verdicts[verdict] for verdict in ("fail", "suspect", "indeterminate")},
        "families": len({result["family"] for result in results}),
        "slack": max(slacks, key=of.size, default=None),
        "fault": max(faults, key=of.size, default=None),
    }


def stored_rows(records):
    """One row a record of assay judge that names an implementation: whose outputs, and what three judges say of them."""
    judged = [record.data for record in records if record.form == "judge"]
    return [stored_row(data) for data in judged if data.get("stored_outputs", {}).get("implementation")]


def stored_row(data):
    stored, results = data["stored_outputs"], data["results"]
    failing = collections.Counter(result["family"] for result in results if result["verdict"] == "fail")
    kernels = data["counts"]["kernel"]
    finite = [slack for slack in map(of.slack_of, results) if math.isfinite(slack)]
    return {
        "implementation": stored["implementation"],
        "kernel": ", ".join(kernels),
        "verdict": of.worst_of(results)["verdict"] if results else "pass",
        **{key: data["summary"][key] for key in ("cases", "fail")},
        "slack": max(finite, default=None),
        **stored["accepted"],
        "failing": dict(sorted(failing.items())),
    }


def law_groups(laws):
    """Laws by the first word of their name, which is a paper, an operator or a part of the tool."""
    return of.group(laws, lambda law: law["name"].split(".")[0])


def surprising(claims):
    """Claims that a reader should see first: those that differ from the ledger, then those that do not hold."""
    shown = [c for c in claims if of.differs(c) or c["verdict"] in ("refuted", "inconsistent")]
    return sorted(shown, key=lambda claim: not of.differs(claim))


def papers(claims):
    return of.group(claims, lambda claim: claim.get("paper", claim["id"].split("-")[0]))


def gate_rows(cells):
    """The worst class first."""
    return sorted(cells, key=lambda cell: GATE_CLASSES.index(cell["class"]))


def bench_records(forms):
    return [record for form, record in forms.items() if form.startswith("bench")]


def bench_rows(forms):
    """The rows of all bench records together."""
    return [row for record in bench_records(forms) for row in record.data["rows"]]


def environments(records):
    """[(environment, files that share it)]"""
    groups = of.group(records, lambda record: tuple(record.data["environment"].items()))
    return [(dict(environment), [record.file for record in members]) for environment, members in groups.items()]
