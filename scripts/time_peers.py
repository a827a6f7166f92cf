#!/usr/bin/env python3
"""Times what other packages do for the same work, on a GPU, and adds it to a record of `assay bench kernels --backend cuda`.

    time_peers.py RECORD --json FILE

PyTorch's scaled_dot_product_attention by its backends, forward, backward and for one query, and flash-linear-attention's
chunk_kda and fused_recurrent_kda, at the sizes and with the sets of arrays of the record's rows. What a package does not do, or
where it is not installed, is left out with a line. Exit codes: 0 the record is written; 2 RECORD is none of such times.
"""

import argparse
import importlib
import importlib.metadata
import json
import math
import pathlib
import statistics
import sys

from sanitize import write_whole

SECONDS_OF_A_SAMPLE = 1e-3
SAMPLES = 15
MOST_NODES = 1000


def median_seconds(work):
    """Between events before and after the work; the first time warms up."""
    import torch
    samples = []
    for _ in range(1 + SAMPLES):
        before, after = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        before.record()
        work()
        after.record()
        after.synchronize()
        samples.append(before.elapsed_time(after) / 1000)
    return statistics.median(samples[1:])


def captured(work, passes):
    """On the stream that is current: a backward pass runs on that of its forward pass."""
    import torch
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, stream=torch.cuda.current_stream()):
        for _ in range(passes):
            work()
    return graph


def times(calls):
    """Seconds of one pass over the calls, made one by one and replayed from a graph; None where it cannot be captured."""
    import torch

    def once():
        for call in calls:
            call()

    for _ in range(3):  # tuning and allocation before anything is captured
        once()
    passes = max(1, min(MOST_NODES // len(calls), math.ceil(SECONDS_OF_A_SAMPLE / median_seconds(once))))
    events = median_seconds(lambda: [once() for _ in range(passes)]) / passes
    try:
        graph = captured(once, passes)
    except RuntimeError as error:
        print(f"peers: not captured: {str(error).splitlines()[0]}", flush=True)
        torch.cuda.synchronize()
        return events, None
    return events, median_seconds(graph.replay) / passes


class Sdpa:
    """One backend of PyTorch: [B, H, T, d], as it wants them."""

    package = "torch"

    def __init__(self, backend, operator, formats):
        self.name, self.operator, self.formats = f"scaled_dot_product_attention.{backend.lower()}", operator, formats
        self.backend = backend

    def call(self, shapes, dtype):
        import torch
        from torch.nn.attention import SDPBackend, sdpa_kernel
        B, T, H, d, dv = (shapes.get(axis, 1) for axis in ("B", "T", "H", "d", "dv"))
        decode = self.operator == "softmax.decode"
        q = torch.randn(B, H, 1 if decode else T, d, device="cuda", dtype=dtype)
        k, v = (torch.randn(B, H, T, width, device="cuda", dtype=dtype) for width in (d, dv))
        backward = self.operator == "softmax.gradients"
        inputs = [x.requires_grad_(backward) for x in (q, k, v)]

        def forward():
            with sdpa_kernel(getattr(SDPBackend, self.backend)):
                return torch.nn.functional.scaled_dot_product_attention(*inputs, is_causal=not decode)

        if not backward:
            return forward
        o = forward()
        d_output = torch.randn_like(o)
        return lambda: torch.autograd.grad(o, inputs, d_output, retain_graph=True)


class Kda:
    """A function of flash-linear-attention: [B, T, H, d]."""

    package = "fla-core"
    operator = "kda.attention"

    def __init__(self, name, formats, one_token):
        self.name, self.formats, self.one_token = name, formats, one_token

    def call(self, shapes, dtype):
        import torch
        function = getattr(importlib.import_module("fla.ops.kda"), self.name)
        B, T, H, d, dv = (shapes.get(axis, 1) for axis in ("B", "T", "H", "d", "dv"))
        q, k = (torch.nn.functional.normalize(torch.randn(B, T, H, d, device="cuda"), dim=-1).to(dtype) for _ in range(2))
        v = torch.randn(B, T, H, dv, device="cuda", dtype=dtype)
        log_alpha, beta = -torch.rand(B, T, H, d, device="cuda"), torch.rand(B, T, H, device="cuda")
        S0 = torch.randn(B, H, d, dv, device="cuda") if T == 1 else None

        def run():
            with torch.no_grad():
                return function(q, k, v, log_alpha, beta, scale=1.0, initial_state=S0, output_final_state=True)

        return run


def peers():
    for backend, formats in (("FLASH_ATTENTION", ["bf16"]), ("CUDNN_ATTENTION", ["bf16"]),
                             ("EFFICIENT_ATTENTION", ["f32", "bf16"]), ("MATH", ["f32", "bf16"])):
        for operator in ("softmax.attention", "softmax.gradients", "softmax.decode"):
            if (backend, operator) != ("MATH", "softmax.gradients"):
                yield Sdpa(backend, operator, formats)
    yield Kda("chunk_kda", ["f32", "bf16"], one_token=False)
    yield Kda("fused_recurrent_kda", ["f32", "bf16"], one_token=None)


def settings_of(peer, rows):
    """{(format, shapes, runs, number)} of the operator's rows that the peer can take."""
    found = {}
    for row in rows:
        operator, algorithm = row["kernel"].split("/") if "/" in row["kernel"] else (row["kernel"], "")
        element = algorithm.split(".")[1] if "." in algorithm else ""
        one_token = row["shapes"].get("T", 1) == 1
        if operator != peer.operator or element not in peer.formats:
            continue
        if getattr(peer, "one_token", None) is not None and one_token != peer.one_token:
            continue
        found.setdefault((element, json.dumps(row["shapes"]), row["runs"]), row["number"])
    return [(element, json.loads(shapes), runs, number) for (element, shapes, runs), number in found.items()]


def time_one(peer, element, shapes, runs, number):
    import torch
    dtype = {"f32": torch.float32, "bf16": torch.bfloat16}[element]
    with torch.cuda.stream(torch.cuda.Stream()):
        events, graph = times([peer.call(shapes, dtype) for _ in range(number)])
    of_all = number if runs == "in_turn" else 1
    torch.cuda.empty_cache()
    return {"name": peer.name, "operator": peer.operator, "format": element, "shapes": shapes, "runs": runs, "number": number,
            "events": events / of_all, "graph": None if graph is None else graph / of_all}


def installed(package):
    """Its version, or None."""
    try:
        importlib.import_module({"fla-core": "fla"}.get(package, package))
        return importlib.metadata.version(package)
    except ImportError:
        return None


def time_peers(rows):
    """Rows, and a line for each that is left out."""
    found, left_out = [], []
    for peer in peers():
        if installed("torch") is None or installed(peer.package) is None:
            left_out.append(f"{peer.name}: {peer.package} is not installed")
            continue
        for setting in settings_of(peer, rows):
            try:
                found.append(time_one(peer, *setting))
            except Exception as error:  # whatever another package does
                what = (str(error) or type(error).__name__).splitlines()[0]
                left_out.append(f"{peer.name}, {setting[0]}, {setting[1]}: {what}")
    return found, sorted(set(left_out))


def versions():
    named = {name: installed(name) for name in ("torch", "triton", "fla-core")}
    return ", ".join(f"{name} {version}" for name, version in named.items() if version)


def main():
    parser = argparse.ArgumentParser(description="Adds the times of other packages to a record of times on a GPU.")
    parser.add_argument("record", type=pathlib.Path, metavar="RECORD")
    parser.add_argument("--json", required=True, type=pathlib.Path, metavar="FILE")
    options = parser.parse_args()
    record = json.loads(options.record.read_text(encoding="utf-8"))
    if "rates" not in record:
        print(f"peers: {options.record}: no record of assay bench kernels --backend cuda", file=sys.stderr)
        sys.exit(2)
    found, left_out = time_peers(record["rows"])
    for line in left_out:
        print(f"peers: left out: {line}")
    write_whole({**record, "command": "scripts/gpu.sh bench peers", "peers": found, "packages": versions(), "left_out": left_out},
                options.json)
    print(f"peers: {len(found)} rows beside {len(record['rows'])} of kernels")


if __name__ == "__main__":
    main()
