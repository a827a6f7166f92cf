"""The rows of the page's tables of times on a GPU."""

import fnmatch
import pathlib
import tomllib

import rows as of

HERE = pathlib.Path(__file__).resolve().parent
FAR = 10  # times its floor


def read_table(name):
    return tomllib.loads((HERE / name).read_text(encoding="utf-8"))


REASONS = read_table("speed_reasons.toml")["reason"]
PUBLISHED = read_table("speed_published.toml")


def by_operator(data):
    """{operator: its kernels' rows, then those of peers}"""
    kernels = of.group(data["rows"], lambda row: of.operator_of(row["kernel"]))
    peers = of.group(data.get("peers", []), lambda row: row["operator"])
    return {name: {"rows": rows, "peers": peers.get(name, [])} for name, rows in kernels.items()}


def how(row):
    """in turn, 8 sets of arrays"""
    number = row["number"]
    return {
        "in_turn": f"in turn, {number} sets of arrays" if number > 1 else "larger than the cache",
        "again": "in the cache",
        "in_a_row": f"{number} in a row",
    }[row["runs"]]


def reason_for(kernel):
    """The first reason whose pattern names the kernel; none if nothing is known."""
    return next((reason["text"] for reason in REASONS if fnmatch.fnmatchcase(kernel, reason["kernels"])), None)


def far(data):
    """[(reason, rows)] of rows whose time is more than FAR floors, the farthest reason first."""
    rows = [row for row in data["rows"] if row["floor"] and row["floor"]["ratio"] > FAR]
    rows.sort(key=lambda row: -row["floor"]["ratio"])
    return list(of.group(rows, lambda row: reason_for(row["kernel"])).items())


def spans(rows):
    """[(kernel, least, most)]: the rows' times in floors, by kernel."""
    ratios = of.group(rows, lambda row: row["kernel"])
    return [(kernel, min(found), max(found)) for kernel, of_kernel in ratios.items()
            for found in [[row["floor"]["ratio"] for row in of_kernel]]]


def row_of(data, kernel, tokens, runs):
    """The kernel's row of so many tokens, or None; an operator without an axis of tokens takes one."""
    return next((row for row in data["rows"]
                 if (row["kernel"], row["shapes"].get("T", 1), row["runs"]) == (kernel, tokens, runs)), None)


def published_times(data):
    """[(printed time with its claim, the record's row)], of rows that the record has."""
    pairs = [(one, row_of(data, one["kernel"], one["T"], "in_a_row")) for one in PUBLISHED["time"]]
    return [(one, row) for one, row in pairs if row]


def published_speed_ups(data):
    """[(printed speed-up with its claim, the record's)]"""
    found = []
    for one in PUBLISHED["speed_up"]:
        dense, sparse = (row_of(data, one[kind], one["T"], "in_turn") for kind in ("dense", "sparse"))
        if dense and sparse:
            found.append((one, dense["graph"] / sparse["graph"]))
    return found
