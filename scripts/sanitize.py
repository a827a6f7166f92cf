#!/usr/bin/env python3
"""Runs every kernel under one tool of compute-sanitizer, on a GPU, and writes what it found as a record.

    sanitize.py TOOL ASSAY --json FILE [--cases N]

Exit codes: 0 the tool found nothing; 1 it found something; 3 there is no compute-sanitizer, or it did not run.
"""

import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")
SUMMARY = re.compile(r"(?:ERROR|RACECHECK) SUMMARY: (\d+)")


def stop(code, line):
    print(f"sanitize: {line}", file=sys.stderr)
    sys.exit(code)


def run_tool(options, record):
    """What the tool said."""
    command = ["compute-sanitizer", "--tool", options.tool, "--target-processes", "all", options.assay]
    command += ["bits", "kernels", "--cases", str(options.cases), "--source", ".", "--quiet", "--json", str(record)]
    return subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False).stdout


def write_whole(record, path):
    partial = path.with_suffix(".partial")
    partial.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    partial.replace(path)


def main():
    parser = argparse.ArgumentParser(description="Runs every kernel under a tool of compute-sanitizer.")
    parser.add_argument("tool", choices=TOOLS)
    parser.add_argument("assay")
    parser.add_argument("--json", required=True, type=pathlib.Path, metavar="FILE")
    parser.add_argument("--cases", type=int, default=1, help="of each kernel")
    options = parser.parse_args()
    if shutil.which("compute-sanitizer") is None:
        stop(3, "compute-sanitizer is not on the path: it comes with the CUDA toolkit")
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        compared = pathlib.Path(folder) / "record.json"
        log = run_tool(options, compared)
        found = [int(count) for count in SUMMARY.findall(log)]
        if not compared.exists() or not found:
            stop(3, f"{options.tool}: no summary:\n{log[-2000:]}")
        data = json.loads(compared.read_text(encoding="utf-8"))
    errors = sum(found)
    row = {"tool": options.tool, "kernels": data["summary"]["kernels"], "cases": options.cases, "errors": errors}
    write_whole({"schema": 1, "command": f"scripts/gpu.sh sanitize-{options.tool}", "environment": data["environment"],
                 "seconds": round(time.monotonic() - start, 1), "summary": {"runs": 1, "errors": errors},
                 "rows": [row]}, options.json)
    print(f"{options.tool}: {row['kernels']} kernels, {errors} errors")
    if errors:
        print(log)
    sys.exit(1 if errors else 0)


if __name__ == "__main__":
    main()
