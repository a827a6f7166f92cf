"""flash-linear-attention judged by assay: its naive references and its Triton kernels on exported cases. How: outside.py.

--machine says what runs: cpu, the naive references; cuda, the Triton kernels; interpreter, these in Triton's interpreter, in
float32 alone, since it truncates to bf16 and multiplies bit patterns of bf16 as integers. Needs fla-core, PyTorch and Triton.
"""

import importlib
import importlib.metadata
import math
import os

import outside
from outside import Implementation, sequences_of


def naive(dtype):
    return [
        Implementation("delta_rule.naive.delta_rule_recurrence", "delta.attention", dtype, dtype, "scan"),
        Implementation("delta_rule.naive.delta_rule_chunkwise", "delta.attention", dtype, dtype, "chunk", from_zero=True,
                       contract=f"{dtype}-by-32", fields={"chunk": 32}),
        Implementation("gated_delta_rule.naive.naive_recurrent_gated_delta_rule", "gated_delta.attention", dtype, dtype, "scan"),
        Implementation("gated_delta_rule.naive.naive_chunk_gated_delta_rule", "gated_delta.attention", dtype, dtype, "chunk"),
        Implementation("kda.naive.naive_recurrent_kda", "kda.attention", dtype, dtype, "scan"),
        Implementation("kda.naive.naive_chunk_kda", "kda.attention", dtype, dtype, "chunk"),
    ]


def triton_kernels(machine):
    """tf32 is what the kernels' products of float32 are on a GPU; chunk_delta_rule takes no float32."""
    chunked = [("f32", "f32")] if machine == "interpreter" else [("f32", "f32-tf32"), ("bf16", "bf16-mma")]
    for rule, operator in (("delta_rule", "delta"), ("gated_delta_rule", "gated_delta"), ("kda", "kda")):
        for dtype, preset in chunked:
            yield Implementation(f"{rule}.fused_recurrent_{rule}", f"{operator}.attention", dtype, dtype, "scan",
                                 machine=machine)
            if (rule, dtype) != ("delta_rule", "f32"):
                yield Implementation(f"{rule}.chunk_{rule}", f"{operator}.attention", dtype, preset, "chunk",
                                     machine=machine)


IMPLEMENTATIONS = [*naive("f32"), *naive("bf16"), *triton_kernels("interpreter"), *triton_kernels("cuda")]


def padded(tensor, axis, size):
    """Zeros behind the last element of an axis."""
    import torch
    shape = list(tensor.shape)
    shape[axis] = size - shape[axis]
    return torch.cat([tensor, tensor.new_zeros(shape)], axis)


def whole_chunks(x, size):
    """Tokens of zeros behind the last: with beta = 0 and log_alpha = 0 they leave the state as it is."""
    tokens = -(-x["q"].shape[1] // size) * size
    return {name: tensor if name == "S0" else padded(tensor, 1, tokens) for name, tensor in x.items()}


def scaled_delta_rule(function, x, **state):
    """fla scales q by d^-1/2 and has no argument for it. Features of zeros make d a power of four, so that the scale is one
    of two, and its inverse exact. The layout is [B, H, T, ...]."""
    features = x["q"].shape[-1]
    width = power_of_four(features)
    q, k = (padded(x[name], -1, width).transpose(1, 2) for name in ("q", "k"))
    o, S = function(q * math.isqrt(width), k, x["v"].transpose(1, 2), x["beta"].transpose(1, 2), **state)
    return o.transpose(1, 2), S[:, :, :features]


def power_of_four(features):
    return 4 ** math.ceil(math.log(features, 4))


def delta_rule_recurrence(function, x):
    state = padded(x["S0"], 2, power_of_four(x["q"].shape[-1])) if "S0" in x else None
    return scaled_delta_rule(function, x, initial_state=state)


def delta_rule_chunkwise(function, x):
    return scaled_delta_rule(function, whole_chunks({name: tensor.float() for name, tensor in x.items()}, 32))


def gated(function, x, **more):
    """The arguments that all functions with decays share, and the kernels without them too."""
    gate = {"g": x["log_alpha"]} if "log_alpha" in x else {}
    return function(q=x["q"], k=x["k"], v=x["v"], beta=x["beta"], scale=1.0, initial_state=x.get("S0"),
                    output_final_state=True, **gate, **more)


def packed(function, x):
    """The kernels take packed sequences as they are."""
    return gated(function, x, cu_seqlens=x.get("cu_seqlens"))


def each_sequence(call):
    """For functions that know no packed sequences."""
    def run(function, x):
        o = x["v"].float().clone()
        states = x["q"].new_zeros((len(sequences_of(x)), *x["q"].shape[2:], x["v"].shape[-1])).float()
        for n, (row, begin, end) in enumerate(sequences_of(x)):
            one = {name: x[name][row:row + 1, begin:end] for name in x if name not in ("cu_seqlens", "S0")}
            if "S0" in x:
                one["S0"] = states[n:n + 1] = x["S0"][n:n + 1]
            if begin < end:
                of_sequence, states[n:n + 1] = call(function, one)
                o[row, begin:end] = of_sequence[0, :end - begin]
        return o, states
    return run


CALLS = {
    "delta_rule_recurrence": each_sequence(delta_rule_recurrence),
    "delta_rule_chunkwise": each_sequence(delta_rule_chunkwise),
    "naive_recurrent_gated_delta_rule": each_sequence(gated),
    "naive_chunk_gated_delta_rule": each_sequence(gated),
    "naive_recurrent_kda": each_sequence(gated),
    "naive_chunk_kda": each_sequence(lambda function, x: gated(function, whole_chunks(x, 64))),
}


def without_tuning():
    """Each Triton kernel in the first of its configurations: tuning is for times, and needs a GPU."""
    from triton.runtime.autotuner import Autotuner
    whole = Autotuner.__init__

    def first(self, fn, arg_names, configs, *rest, **named):
        whole(self, fn, arg_names, configs[:1], *rest, **named)

    Autotuner.__init__ = first


def interpreted_loops():
    """What compiled code gives, a number with a type, where the interpreter hands out Python's own."""
    import triton.language as tl
    from fla.ops.common import chunk_delta_h
    chunk_delta_h.range = lambda *ends: (tl.full((), i, tl.int32) for i in range(*map(int, ends)))


def versions(machine):
    """fla-core 0.6.0, torch 2.15.0, ..., and what ran it."""
    import torch
    named = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in ("fla-core", "torch", "triton"))
    places = {"cpu": "CPU", "interpreter": "Triton's interpreter"}
    return f"{named}, {places.get(machine) or torch.cuda.get_device_name()}"


def prepare(machine):
    if machine == "interpreter":
        os.environ["TRITON_INTERPRET"] = "1"  # before Triton is imported
    without_tuning()  # before fla is
    if machine == "interpreter":
        interpreted_loops()


def call(one):
    module, name = ("fla.ops." + one.function).rsplit(".", 1)
    function, run = getattr(importlib.import_module(module), name), CALLS.get(name, packed)

    def outputs(x, parameters):
        o, S = run(function, x)
        return {"o": o.to(x["v"].dtype), "S": S.float()}
    return outputs


FLA = outside.Package("fla", IMPLEMENTATIONS, ["cpu", "interpreter", "cuda"], call, versions, prepare)

if __name__ == "__main__":
    outside.main(FLA, "judges flash-linear-attention with assay")
