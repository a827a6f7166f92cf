"""The top of the page: one verdict, one sentence, one card a question."""

import collections

import rows as of
import tables
import text

WORST_FIRST = [verdict for verdict in reversed(of.SEVERITY) if verdict != "pass"]


def joined(counts, names):
    """"2 fail, 1 suspect": those of the names that were counted at all."""
    return ", ".join(f"{counts[name]:,} {text.words(name)}" for name in names if counts[name])


def card(value, note, wrong="", fails=True):
    """`wrong` says what is not in order; it is a failure unless `fails` is false."""
    whole_note = f"{note}; {wrong}" if wrong else note
    return {"value": value, "note": whole_note, "alarm": bool(wrong), "fails": bool(wrong) and fails}


def share(good, total):
    return f"{good:,} of {total:,}"


def cases(data):
    summary = data["summary"]
    apart = joined(summary, ("vacuous", "degenerate", "skipped"))
    note = "; ".join(filter(None, ["within their bound", apart]))
    wrong = joined(summary, WORST_FIRST)
    return card(share(summary["pass"], summary["cases"]), note, wrong, summary["fail"] > 0)


def laws(data):
    counts = collections.Counter(law["verdict"] for law in data["laws"])
    note = "; ".join(filter(None, ["hold", joined(counts, ["skipped"])]))
    return card(share(counts["pass"], len(data["laws"])), note, joined(counts, WORST_FIRST), counts["fail"] > 0)


def claims(data):
    unlike = sum(map(of.differs, data["claims"]))
    value = share(len(data["claims"]) - unlike, len(data["claims"]))
    return card(value, "as the ledger expects", f"{unlike:,} not" if unlike else "")


def mutants(data):
    summary = data["summary"]
    value = share(summary["caught"], summary["mutants"])
    return card(value, "planted faults caught", joined(summary, ("missed", "stale")))


def drift(data):
    above = sum(map(of.crosses, data["curves"]))
    value = share(len(data["curves"]) - above, len(data["curves"]))
    return card(value, "curves below their bound", f"{above:,} above" if above else "")


def gate(data):
    summary = data["summary"]
    good = sum(summary[name] for name in ("same_bits", "changed", "improved"))
    value = share(good, len(data["cells"]))
    return card(value, "cells no worse than the baseline", joined(summary, ("broken", "worse")))


def bits(data):
    summary = data["summary"]
    value = share(summary["elements"] - summary["differing"], summary["elements"])
    return card(value, "elements with the same bits", joined(summary, ["differing", "failing"]))


def bench(rows):
    compared = [row for row in rows if row["ratio"] is not None]
    return card(share(sum(row["ratio"] >= 1 for row in compared), len(compared)), "faster than their reference")


CARDS = [
    ("Cases", "verify", cases),
    ("Laws", "verify", laws),
    ("Claims", "audit", claims),
    ("Mutants", "mutants", mutants),
    ("Drift", "drift", drift),
    ("Gate", "gate", gate),
    ("Host and device", "bits kernels", bits),
]


def cards(forms):
    """[{title, anchor, value, note, alarm, fails}]; a card without a record says so."""
    found = {title: make(forms[form].data) for title, form, make in CARDS if form in forms}
    if tables.bench_records(forms):
        found["Bench"] = bench(tables.bench_rows(forms))
    titles = [title for title, _, _ in CARDS] + ["Bench"]
    return [
        {"title": title, "anchor": title.lower().replace(" ", "-"), **found.get(title, card("–", "no record"))}
        for title in titles
    ]


def headline(forms):
    """(verdict of all records together, one sentence)"""
    if "verify" not in forms:
        return "absent", "No record of assay verify: no kernel was judged."
    data = forms["verify"].data
    alarms = [made for made in cards(forms) if made["alarm"]]
    own = next((verdict for verdict in WORST_FIRST if data["summary"][verdict]), "pass")
    verdict = "fail" if any(made["fails"] for made in alarms) else own
    found = joined(data["summary"], WORST_FIRST) or "every one within its bound"
    elsewhere = ", ".join(made["title"].lower() for made in alarms if made["title"] != "Cases")
    kernels = text.counted(len(data["counts"]["kernel"]), "kernel")
    sentence = f"{kernels}, {text.counted(data['summary']['cases'], 'case')}: {found}."
    return verdict, sentence + (f" Not in order: {elsewhere}." if elsewhere else "")
