"""Somebody else's kernel, played by NumPy: assay export, exchange.py, assay judge. A right one passes, wrong ones fail.

test_exchange.py PATH/TO/assay. Prints what two usual tolerances say of the same outputs: allclose with rtol = atol = 0.005,
and 0.005 of the root mean square.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

import exchange

TOLERANCE = 0.005


def rows_of(inputs):
    """Sequence number, row and first and last-plus-one token of each sequence."""
    batch, tokens = inputs["q"].shape[:2]
    if "cu_seqlens" in inputs:
        ends = inputs["cu_seqlens"]
        return [(n, 0, begin, end) for n, (begin, end) in enumerate(zip(ends, ends[1:]))]
    return [(b, b, 0, tokens) for b in range(batch)]


def delta_rule(inputs, fault="", real=np.float32):
    """S_t = (I - beta k k*) Lambda S_(t-1) + beta k v*, o_t = S_t* q_t, in that precision, token after token."""
    q, k, v = inputs["q"], inputs["k"], inputs["v"]
    number = np.result_type(real, q.dtype)
    decay = np.exp(inputs["log_alpha"].astype(np.float64) + (1j * inputs["theta"] if "theta" in inputs else 0))
    decay = decay.astype(number)
    q, k, v, beta = q.astype(number), k.astype(number), v.astype(number), inputs["beta"].astype(real)
    if fault == "beta squared":
        beta = beta * beta
    rows = rows_of(inputs)
    o = np.zeros(v.shape, number)
    last = np.zeros((len(rows), *q.shape[2:], v.shape[-1]), number)
    for n, b, begin, end in rows:
        S = inputs["S0"][n].astype(number) if "S0" in inputs else last[n]
        for t in range(begin, end):
            if fault == "decay after the erasure":
                held = np.einsum("hij,hi->hj", S.conj(), k[b, t])
                S = decay[b, t][..., None] * (S - k[b, t][..., None] * (beta[b, t][:, None] * held).conj()[:, None])
                u = beta[b, t][:, None] * v[b, t]
            else:
                S = decay[b, t][..., None] * S
                u = beta[b, t][:, None] * (v[b, t] - np.einsum("hij,hi->hj", S.conj(), k[b, t]))
            S = S + k[b, t][..., None] * u.conj()[:, None]
            o[b, t] = np.einsum("hij,hi->hj", S.conj(), q[b, t])
        last[n] = S
    if fault == "one row of 40 is the row before":
        o[:, 39::40] = o[:, 38::40][:, :o[:, 39::40].shape[1]]
    if fault == "one row of 40 is 1 + 2^-8 times itself":
        o[:, 39::40] *= real(1 + 2**-8)
    return {"o": o, "S": last}


def truncated_to_bf16(values):
    return (values.view(np.uint32) & np.uint32(0xFFFF0000)).view(np.float32)


def bf16_kernel(inputs, fault=""):
    """Arithmetic in float32, bf16 in and out."""
    outputs = delta_rule(inputs)
    narrow = truncated_to_bf16 if fault == "truncated to bf16" else exchange.round_to_bf16
    return outputs | {"o": narrow(outputs["o"])}


def swapped_kernel(inputs):
    """Takes and returns [B, H, T, ...]."""
    swapped = {name: array.swapaxes(1, 2) if name != "S0" else array for name, array in inputs.items()}
    outputs = delta_rule(swapped)
    return outputs | {"o": outputs["o"].swapaxes(1, 2)}


def allclose(got, want):
    return all(np.allclose(got[name], want[name], rtol=TOLERANCE, atol=TOLERANCE) for name in want)


def rms_ratio(got, want):
    def rms(x):
        return np.sqrt(np.mean(np.abs(x) ** 2)) if x.size else 0.0
    return all(rms(got[name] - want[name]) <= TOLERANCE * rms(want[name]) or
               np.max(np.abs(got[name] - want[name]), initial=0) <= 1e-6 for name in want)


def largest_difference(got, right):
    """Beside the largest element of an output."""
    return max(np.max(np.abs(got[name] - right[name]), initial=0) / max(np.max(np.abs(right[name]), initial=0), 1e-300)
               for name in right)


class Assay:
    """The program, and a folder to work in."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder

    def run(self, *words):
        return subprocess.run([self.program, *map(str, words)], text=True, capture_output=True)

    def export(self, name, *words):
        done = self.run("export", "--out", self.folder / name, *words)
        assert done.returncode == 0, done.stderr
        return self.folder / name

    def record(self, folder, *words):
        """Exit code, record, and what people are told."""
        done = self.run("judge", folder, "--all-results", "--json", "-", *words)
        return done.returncode, json.loads(done.stdout), done.stderr

    def judge(self, folder, *words):
        """Exit code, verdict and rule by seed, and what people are told."""
        code, record, told = self.record(folder, *words)
        return code, {row["seed"]: (row["verdict"], row["rule"]) for row in record["results"]}, told


class Test:
    def __init__(self, assay):
        self.assay, self.found = assay, []

    def demand(self, holds, what):
        if not holds:
            self.found.append(what)

    def run_faulty(self, folder, kernel, fault):
        """What the kernel stored, what float64 says, and what the kernel returns without the fault, by seed."""
        got, want, right = {}, {}, {}
        for case in exchange.case_folders(folder):
            seed = exchange.describe(case)["seed"]
            inputs, _ = exchange.load(case)
            want[seed], got[seed] = delta_rule(inputs, real=np.float64), kernel(inputs, fault)
            right[seed] = kernel(inputs)
            exchange.store(case, **got[seed])
        return got, want, right

    def passes(self, folder, kernel, contract, **options):
        exchange.run_all(folder, lambda inputs, parameters: kernel(inputs), **options)
        code, verdicts, told = self.assay.judge(folder, *contract)
        self.demand(code == 0 and all(verdict == "pass" for verdict, _ in verdicts.values()),
                    f"a right kernel under {' '.join(contract)}: exit {code}:\n{told}")
        print(f"{'nothing':<40} {len(verdicts):>5}     under {' '.join(contract)}")

    def fails(self, folder, kernel, fault, contract):
        """Prints how many cases each judge accepts. Returns whether both tolerances accept a case that assay fails, and
        whether they accept all."""
        got, want, right = self.run_faulty(folder, kernel, fault)
        code, record, told = self.assay.record(folder, *contract, "--implementation", f"NumPy, {fault}")
        self.demand(code == 1, f"{fault}: exit {code}, wanted 1:\n{told}")
        close = {seed for seed in got if allclose(got[seed], want[seed])}
        near = {seed for seed in got if rms_ratio(got[seed], want[seed])}
        failed = {row["seed"] for row in record["results"] if row["verdict"] == "fail"}
        hidden = close & near & failed
        self.demand(record["stored_outputs"] == {
            "implementation": f"NumPy, {fault}", "without_final_states": 0,
            "accepted": {"allclose": len(close), "rms_ratio": len(near), "both": len(close & near),
                         "both_but_fail": len(hidden)}}, f"{fault}: {record['stored_outputs']}, NumPy finds "
                    f"{len(close)} {len(near)} {len(close & near)} {len(hidden)}")
        missed = max((largest_difference(got[seed], right[seed]) for seed in got.keys() - failed), default=0)
        print(f"{fault:<40} {len(got) - len(failed):>5} {len(close):>8} {len(near):>5} {len(hidden):>18}   of {len(got)}; "
              f"the largest that assay accepts is {missed:.1e} of the largest element")
        return bool(hidden), len(close) == len(near) == len(got)

    def refuses(self, folder, spoil, wanted):
        """One spoilt output among right ones fails its case alone, in one line."""
        exchange.run_all(folder, lambda inputs, parameters: delta_rule(inputs))
        case = exchange.case_folders(folder)[0]
        spoil(case / "out")
        code, verdicts, told = self.assay.judge(folder, "--contract", "f32", "--algorithm", "scan")
        seed = exchange.describe(case)["seed"]
        lines = [line for line in told.splitlines() if line.startswith("  output ")]
        self.demand(code == 1 and verdicts[seed] == ("fail", "output_is_not_readable")
                    and sum(verdict == "fail" for verdict, _ in verdicts.values()) == 1
                    and len(lines) == 1 and wanted in lines[0], f"wanted {wanted!r}: exit {code}:\n{told}")


def cut_short(path):
    path.write_bytes(path.read_bytes()[:-100])


def without_final_state(inputs):
    return {"o": delta_rule(inputs)["o"]}


def test(assay):
    t = Test(assay)
    scan = ("--contract", "f32", "--algorithm", "scan")
    small = ("--tokens", 160, "--width", 64)
    print(f"{'accepted by':<40} {'assay':>5} {'allclose':>8} {'RMS':>5} {'both but not assay':>18}")

    kda = assay.export("kda", "--operator", "kda.attention", "--cases", 42, "--ragged", *small)
    t.passes(kda, delta_rule, scan)
    t.passes(kda, delta_rule, ("--contract", "f32"))
    t.passes(kda, without_final_state, scan)
    hidden = [t.fails(kda, delta_rule, fault, scan)[0]
              for fault in ("decay after the erasure", "beta squared", "one row of 40 is the row before")]
    t.demand(any(hidden), "no fault of a case passes both tolerances")
    _, unseen = t.fails(kda, delta_rule, "one row of 40 is 1 + 2^-8 times itself", scan)
    t.demand(unseen, "a fault of one row in 40 does not pass both tolerances")

    narrow = assay.export("bf16", "--operator", "kda.attention", "--cases", 42, "--dtype", "bf16", *small)
    t.passes(narrow, bf16_kernel, ("--contract", "bf16-mma"))
    t.passes(narrow, bf16_kernel, ("--contract", "bf16", "--algorithm", "scan"))
    t.fails(narrow, bf16_kernel, "truncated to bf16", ("--contract", "bf16", "--algorithm", "scan"))

    planes = assay.export("planes", "--operator", "sfda.attention", "--cases", 24, *small)
    t.passes(planes, swapped_kernel, scan, layout="BHTD", complex_numbers=True)

    few = assay.export("few", "--operator", "kda.attention", "--cases", 3, *small)
    t.refuses(few, lambda out: cut_short(out / "o.npy"), "bytes of data: needs")
    t.refuses(few, lambda out: (out / "o.npy").write_bytes(b"\x93NUM"), "o.npy: is no .npy file")
    t.refuses(few, lambda out: (out / "o.npy").unlink(), "o.npy: no such file")
    t.refuses(few, lambda out: np.save(out / "o.npy", np.zeros((1, 2), np.float32)), "shape (1, 2): needs (")
    t.refuses(few, lambda out: np.save(out / "S.npy", np.load(out / "S.npy").astype(float)), "dtype '<f8': needs '<f4'")
    t.refuses(few, lambda out: (out / "S.npy").rename(out / "state.npy"), "kda.attention has no such output")
    return t.found


def main():
    with tempfile.TemporaryDirectory() as name:
        found = test(Assay(sys.argv[1], pathlib.Path(name)))
    for line in found:
        print(line)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
