"""Bad usage of the command line: one clear line on standard error, exit code 2, at once, nothing written; without a GPU exit code 3.

test_command_line.py PATH/TO/assay
"""

import pathlib
import subprocess
import sys
import tempfile

# What a program without a device machine, or a machine without a GPU, says.
NO_GPU = [
    ("bench kernels --backend cuda --json {}/new.json", "assay: --backend cuda: simt: "),
    ("verify --backend cuda --cases 1", "assay: --backend cuda: simt: "),
]

# Arguments, with {} for an empty folder; what the line must say.
BAD = [
    ("verfy", "no command matches 'verfy': did you mean verify?"),
    ("verify --kernal x", "--kernal"),
    ("verify --kernel sanatan.attention/scan.f23", "did you mean sanatan.attention/scan.f32?"),
    ("verify --kernel nothing*", "no kernel matches 'nothing*'"),
    ("verify --paper sanatam", "no paper matches 'sanatam': did you mean sanatan?"),
    ("verify --family unifrom", "no family matches 'unifrom': did you mean uniform?"),
    ("verify --law nothing*", "no law matches 'nothing*'"),
    ("verify --mutant stale_zz", "no mutant matches 'stale_zz': did you mean stale_z?"),
    ("verify --cases -3", "--cases -3: needs a whole number from 0"),
    ("verify --cases 1e3", "--cases 1e3: needs a whole number from 0"),
    ("verify --cases 99999999999999999999", "--cases 99999999999999999999: needs a whole number from 0"),
    ("verify --seed 1.5", "--seed 1.5: needs a whole number from 0"),
    ("verify --json {}/none/x.json", "cannot be written: No such file or directory"),
    ("verify --json {}", "cannot be written: is a folder"),
    ("drift --lengths 0", "length '0': needs a whole number from 1"),
    ("drift --lengths 64,x", "length 'x': needs a whole number from 1"),
    ("drift --paper sanatam", "no paper matches 'sanatam'"),
    ("drift --kernel delta* --family unit_kyes", "no family matches 'unit_kyes': did you mean unit_keys?"),
    ("drift --lengths 1048577", "length '1048577': needs a whole number from 1 to 1048576"),
    ("drift --width 129", "--width 129: needs a whole number from 1 to 128"),
    ("drift --lengths 64 --progress {}/half.json/x", "half.json/x: Not a directory"),
    ("gate", "--baseline is required"),
    ("gate --baseline {}/none.json", "No such file or directory"),
    ("gate --baseline {}/half.json", "not a whole JSON text"),
    ("gate --baseline {}/empty.json", "not a baseline"),
    ("audit --claim XX-*", "no claim matches 'XX-*'"),
    ("audit --claim SAN-001 --out {}/half.json/x", "half.json/x: Not a directory"),
    ("drift --lengths 64 --out {}/half.json/x", "half.json/x: Not a directory"),
    ("audit --paper sanatam", "no paper matches 'sanatam'"),
    ("export --operator kda.atention --out {}/new", "no operator matches 'kda.atention': did you mean kda.attention?"),
    ("export --operator kda.attention --out {}", "is not empty"),
    ("export --operator kda.attention --out {}/half.json", "half.json: "),
    ("export --operator kda.attention --out {}/new --dtype f16", "--dtype f16: needs f32 or bf16"),
    ("export --operator kda.attention --out {}/new --family field", "no family with values due matches 'field'"),
    ("export --operator kda.attention --out {}/new --width 0", "--width 0: needs a whole number from 1"),
    ("judge {} --contract f32", "neither a case folder nor a folder of some"),
    ("judge {}", "--contract is required"),
    ("judge {}/half.json --contract f32 --implementation", "--implementation: 1 required TEXT missing"),
    ("judge {} --contract bf16mma", "contract 'bf16mma': neither a preset (f32, f32-tf32, bf16, bf16-mma) nor a file"),
    ("judge {} --contract f32 --algorithm chunks", "algorithm = \"chunks\": needs one of pointwise, scan, chunk"),
    ("judge {} --contract {}/half.json", "half.json: not a whole JSON text"),
    ("judge {} --contract {}/heigth.json", "unknown field 'read_heigth': did you mean read_height?"),
    ("judge {} --contract {}/state.json", 'state = "bf16": needs f32'),
    ("judge {} --contract {}/chunk.json", "chunk = 0: needs a whole number from 1"),
    ("judge {} --contract {}/function.json", "elementary_ulp: unknown 'expf': did you mean exp?"),
    ("bits mma --host --record {}/none.json", "No such file or directory"),
    ("bits functions --host --record {}/half.json", "not a whole JSON text"),
    ("bits fma", "A subcommand is required"),
    ("bench kernels --backend gpu", "--backend: gpu not in {host,cuda}"),
    ("bench oracle --backend cuda", "--backend"),
    ("mutants --cases 0", "--cases 0: needs a whole number from 1"),
    ("list kernelz", "kernelz"),
    ("list kernels --paper sanatam", "no paper matches 'sanatam'"),
]


def complaint(assay, words, wanted, folder, code=2):
    before = sorted(folder.iterdir())
    result = subprocess.run([assay, *words], text=True, capture_output=True, timeout=60)
    lines = result.stderr.splitlines()
    if (result.returncode == code and len(lines) == 1 and wanted in lines[0] and lines[0].startswith("assay: ")
            and sorted(folder.iterdir()) == before):
        return None
    return f"assay {' '.join(words)}: exit {result.returncode}, wanted {code} and {wanted!r}: {result.stderr.strip()}"


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "half.json").write_text('{"schema": 1, "cells": [')
        (folder / "empty.json").write_text("{}")
        (folder / "heigth.json").write_text('{"preset": "bf16-mma", "read_heigth": 8}')
        (folder / "state.json").write_text('{"preset": "bf16-mma", "state": "bf16"}')
        (folder / "chunk.json").write_text('{"chunk": 0}')
        (folder / "function.json").write_text('{"elementary_ulp": {"expf": 2}}')
        found = [complaint(sys.argv[1], line.replace("{}", name).split(), wanted, folder) for line, wanted in BAD]
        if not pathlib.Path("/proc/driver/nvidia/version").exists():
            found += [complaint(sys.argv[1], line.replace("{}", name).split(), wanted, folder, 3) for line, wanted in NO_GPU]
    for line in filter(None, found):
        print(line)
    sys.exit(1 if any(found) else 0)


if __name__ == "__main__":
    main()
