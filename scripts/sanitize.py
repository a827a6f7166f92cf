#!/usr/bin/env python3
"""Runs every kernel under each tool of compute-sanitizer, on a GPU, and writes what they found as a record.

    sanitize.py ASSAY --json FILE [--cases N]

Exit codes: 0 no tool found anything; 1 one did; 3 there is no compute-sanitizer, or it did not run.
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
PAPERS = ("sanatan", "sfda", "sas")
SUMMARY = re.compile(r"(?:ERROR|RACECHECK) SUMMARY: (\d+)")


def stop(code, line):
    print(f"sanitize: {line}", file=sys.stderr)
    sys.exit(code)


def run_tool(tool, paper, options, folder):
    """A row of the record, its log, and the environment that assay ran in."""
    record = folder / "record.json"
    command = ["compute-sanitizer", "--tool", tool, "--target-processes", "all", options.assay, "bits", "kernels"]
    command += ["--paper", paper, "--cases", str(options.cases), "--source", ".", "--quiet", "--json", str(record)]
    log = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False).stdout
    errors = [int(count) for count in SUMMARY.findall(log)]
    if not record.exists() or not errors:
        stop(3, f"{tool} of {paper}: no summary:\n{log[-2000:]}")
    data = json.loads(record.read_text(encoding="utf-8"))
    row = {"tool": tool, "paper": paper, "kernels": data["summary"]["kernels"], "cases": options.cases,
           "processes": len(errors), "errors": sum(errors)}
    record.unlink()
    return row, log, data["environment"]


def main():
    parser = argparse.ArgumentParser(description="Runs every kernel under compute-sanitizer.")
    parser.add_argument("assay")
    parser.add_argument("--json", required=True, type=pathlib.Path, metavar="FILE")
    parser.add_argument("--cases", type=int, default=2, help="of each kernel")
    options = parser.parse_args()
    if shutil.which("compute-sanitizer") is None:
        stop(3, "compute-sanitizer is not on the path: it comes with the CUDA toolkit")
    start, rows, environment = time.monotonic(), [], {}
    with tempfile.TemporaryDirectory() as folder:
        for tool in TOOLS:
            for paper in PAPERS:
                row, log, environment = run_tool(tool, paper, options, pathlib.Path(folder))
                rows.append(row)
                print(f"{tool} of {paper}: {row['kernels']} kernels, {row['errors']} errors")
                if row["errors"]:
                    print(log)
    errors = sum(row["errors"] for row in rows)
    record = {"schema": 1, "command": "scripts/gpu.sh sanitize", "environment": environment,
              "seconds": round(time.monotonic() - start, 1), "summary": {"runs": len(rows), "errors": errors},
              "rows": rows}
    partial = options.json.with_suffix(".partial")
    partial.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    partial.replace(options.json)
    sys.exit(1 if errors else 0)


if __name__ == "__main__":
    main()
