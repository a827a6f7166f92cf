"""PyTorch's scaled_dot_product_attention judged by assay, a backend an implementation. How: outside.py. Needs PyTorch.

--machine says where: cpu, or cuda, whose fused backends are flash, memory-efficient and cuDNN attention. They are called below
scaled_dot_product_attention, which keeps the log-sum-exp of a row to itself; `math` has none, and torch.logsumexp stands for it.
"""

import importlib.metadata

import outside
from outside import Implementation


# What the fused kernels of a GPU do beside their presets.
IN_BASE_TWO = {"base_two": True, "flushes_subnormals": True}


def implementation(function, dtype, preset, machine, **more):
    return Implementation(function, "softmax.attention", dtype, preset, "parallel", machine=machine, **more)


def fused(function, dtype, preset):
    return implementation(function, dtype, preset, "cuda", contract=f"{preset}-base-two", fields=IN_BASE_TWO)


def implementations():
    """tf32 is off, PyTorch's default: float32 products on a GPU are of float32."""
    for dtype, preset in (("f32", "f32"), ("bf16", "bf16-mma")):
        yield from (implementation("math", dtype, dtype, machine) for machine in ("cpu", "cuda"))
        yield implementation("flash_for_cpu", dtype, preset, "cpu")
        yield fused("efficient", dtype, preset)
    yield from (fused(function, "bf16", "bf16-mma") for function in ("flash", "cudnn"))


def math(q, k, v, scale):
    import torch
    from torch.nn.attention import SDPBackend, sdpa_kernel
    with sdpa_kernel(SDPBackend.MATH):
        o = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True, scale=scale)
    scores = scale * q.float() @ k.float().mT
    later = torch.ones_like(scores, dtype=torch.bool).triu(1)
    return o, scores.masked_fill(later, -torch.inf).logsumexp(-1)


def flash_for_cpu(q, k, v, scale):
    import torch
    return torch.ops.aten._scaled_dot_product_flash_attention_for_cpu(q, k, v, 0.0, True, scale=scale)[:2]


def flash(q, k, v, scale):
    import torch
    return torch.ops.aten._scaled_dot_product_flash_attention(q, k, v, 0.0, True, False, scale=scale)[:2]


def efficient(q, k, v, scale):
    import torch
    return torch.ops.aten._scaled_dot_product_efficient_attention(q, k, v, None, True, 0.0, True, scale=scale)[:2]


def cudnn(q, k, v, scale):
    import torch
    return torch.ops.aten._scaled_dot_product_cudnn_attention(q, k, v, None, True, 0.0, True, False, scale=scale)[:2]


FUNCTIONS = {one.__name__: one for one in (math, flash_for_cpu, flash, efficient, cudnn)}


def heads_first(tensor, width):
    """[1, T, H, ..., n] as [1, heads, T, width], with zeros behind the last column: fused kernels want one width for all."""
    import torch
    flat = tensor.flatten(2, -2).transpose(1, 2)
    return torch.nn.functional.pad(flat, (0, width - flat.shape[-1])).contiguous()


def attention_of(function, q, k, v, scale):
    """One sequence: q [1, T, H, G, d], k [1, T, H, d], v [1, T, H, dv]; o [1, T, H, G, dv] and its log-sum-exp [1, T, H, G]."""
    group, dv = q.shape[3], v.shape[-1]
    width = -(-max(q.shape[-1], dv) // 8) * 8
    shared = [heads_first(x, width).repeat_interleave(group, 1) for x in (k, v)]
    o, lse = function(heads_first(q, width), *shared, scale)
    o = o[..., :dv].transpose(1, 2).reshape(*q.shape[:4], dv)
    return o, lse.reshape(1, q.shape[2] * group, -1)[..., :q.shape[1]].transpose(1, 2).reshape(q.shape[:4])


def call(one):
    function = FUNCTIONS[one.function]

    def outputs(x, parameters):
        q, k, v = x["q"], x["k"], x["v"]
        o, lse = q.new_zeros((*q.shape[:4], v.shape[-1])), q.new_zeros(q.shape[:4]).float()
        for row, begin, end in outside.sequences_of(x):
            if begin == end:
                continue
            at = (slice(row, row + 1), slice(begin, end))
            o[at], lse[at] = attention_of(function, q[at], k[at], v[at], parameters["scale"])
        return {"o": o, "lse": lse}
    return outputs


def versions(machine):
    import torch
    where = torch.cuda.get_device_name() if machine == "cuda" else "CPU"
    return f"scaled_dot_product_attention, torch {importlib.metadata.version('torch')}, {where}"


SDPA = outside.Package("sdpa", list(implementations()), ["cpu", "cuda"], call, versions)

if __name__ == "__main__":
    outside.main(SDPA, "judges PyTorch's scaled_dot_product_attention with assay")
