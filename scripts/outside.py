"""Functions of other packages judged by assay, in three steps; the programs judge_*.py name functions and how to call them.

    judge_NAME.py export FOLDER --assay build/release/assay    # cases, a folder an implementation
    judge_NAME.py run FOLDER                                   # in an environment with the package
    judge_NAME.py judge FOLDER --assay build/release/assay     # writes reports/records/NAME

`run` needs neither assay nor a build: FOLDER may travel to a machine with a GPU and back. --only GLOB chooses implementations.
"""

import argparse
import dataclasses
import fnmatch
import json
import pathlib
import shutil
import subprocess
import sys
import typing

import exchange

SEED = 1


@dataclasses.dataclass(frozen=True)
class Implementation:
    """A function, the operator that it computes, and the contract that its text promises."""

    function: str  # module within the package, and name
    operator: str
    dtype: str
    preset: str
    algorithm: str
    from_zero: bool = False  # takes no initial states
    group: int = 2  # most query heads that share keys
    takes: typing.Callable = lambda parameters: True  # of a case; others are left out
    contract: str = ""  # name of a contract of its own: the preset with these fields
    fields: dict = dataclasses.field(default_factory=dict)

    machine: str = "cpu"

    @property
    def name(self):
        return f"{self.function.split('.')[-1]}.{self.dtype}" + ("" if self.machine == "cpu" else f".{self.machine}")


@dataclasses.dataclass(frozen=True)
class Package:
    name: str
    implementations: list
    machines: list
    call: typing.Callable  # of an implementation: a function of (inputs, parameters) that returns a dict of outputs
    versions: typing.Callable  # of a machine: what ran, and on what
    prepare: typing.Callable = lambda machine: None  # before anything is imported


def sequences_of(x):
    """Row, first and last-plus-one token of each sequence."""
    if "cu_seqlens" not in x:
        return [(row, 0, x["q"].shape[1]) for row in range(x["q"].shape[0])]
    ends = x["cu_seqlens"].tolist()
    return [(0, begin, end) for begin, end in zip(ends, ends[1:])]


def by_sequences(of_sequence, x, tensors, outputs):
    """Outputs, zeros before, of a function that takes one sequence of these tensors and returns a dict of its part of them."""
    for row, begin, end in sequences_of(x):
        if begin == end:
            continue
        at = (slice(row, row + 1), slice(begin, end))
        for name, part in of_sequence(*(tensor[at] for tensor in tensors)).items():
            outputs[name][at] = part
    return outputs


def chosen(package, options):
    found = [one for one in package.implementations
             if one.machine == options.machine and fnmatch.fnmatch(one.name, options.only)]
    if not found:
        sys.exit(f"no implementation matches '{options.only}' on {options.machine}")
    return found


def export(package, options):
    for one in chosen(package, options):
        words = ["--operator", one.operator, "--dtype", one.dtype, "--cases", options.cases, "--seed", SEED,
                 "--tokens", options.tokens, "--width", options.width, "--group", one.group, "--ragged",
                 *["--from-zero"] * one.from_zero]
        subprocess.run([options.assay, "export", "--out", options.folder / one.name, *map(str, words)], check=True)
        for case in exchange.case_folders(options.folder / one.name):
            if not one.takes(json.loads((case / "case.json").read_text())["parameters"]):
                shutil.rmtree(case)


def run(package, options):
    package.prepare(options.machine)
    for one in chosen(package, options):
        folder = options.folder / one.name
        (folder / "implementation.txt").write_text(f"{one.function} of {package.versions(options.machine)}")
        run_one(package.call(one), folder, "cuda" if options.machine == "cuda" else "cpu")
        print(one.name, flush=True)


def run_one(call, folder, device):
    """A case on which the function raises has no output, and fails."""
    for case in exchange.case_folders(folder):
        x, parameters = exchange.load(case, device)
        try:
            exchange.store(case, **call(x, parameters))
        except Exception as error:
            print(f"{case}: {type(error).__name__}: {str(error).splitlines()[:1]}")


def contract_of(one, folder):
    """The preset, or a file beside the cases."""
    if not one.fields:
        return one.preset
    (folder / f"{one.contract}.json").write_text(json.dumps({"preset": one.preset, **one.fields}))
    return f"{one.contract}.json"


def judge(package, options):
    """Records are written for fails, too. Commands are given in FOLDER, so that records name no other place."""
    assay = options.assay.resolve()
    options.records.mkdir(parents=True, exist_ok=True)
    for one in chosen(package, options):
        implementation = (options.folder / one.name / "implementation.txt").read_text()
        words = ["judge", one.name, "--contract", contract_of(one, options.folder), "--algorithm", one.algorithm,
                 "--implementation", implementation, "--quiet", "--json", f"{one.name}.json"]
        done = subprocess.run([assay, *words], cwd=options.folder, text=True, capture_output=True)
        shutil.copy(options.folder / f"{one.name}.json", options.records)
        print(one.name, *(done.stdout + done.stderr).splitlines()[-3:], sep="\n  ", flush=True)


def main(package, description):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("step", choices=["export", "run", "judge"])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--machine", choices=package.machines, default=package.machines[0])
    parser.add_argument("--only", default="*", metavar="GLOB", help="of implementations: *kda*, *.bf16")
    parser.add_argument("--assay", type=pathlib.Path, default=pathlib.Path("build/release/assay"))
    parser.add_argument("--records", type=pathlib.Path, default=pathlib.Path("reports/records") / package.name)
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("--tokens", type=int, default=512)
    parser.add_argument("--width", type=int, default=128)
    options = parser.parse_args()
    {"export": export, "run": run, "judge": judge}[options.step](package, options)
