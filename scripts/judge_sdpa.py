"""PyTorch's scaled_dot_product_attention judged by assay, a backend an implementation. How: outside.py. Needs PyTorch.

--machine says where: cpu, or cuda, whose fused backends are flash, memory-efficient and cuDNN attention. They are called below
scaled_dot_product_attention, which keeps the log-sum-exp of a row to itself; `math` has none, and torch.logsumexp stands for it.
Their backward passes take the o and the log-sum-exp of a case as they are, one query head a head of keys: for more, PyTorch adds up
gradients that it has rounded for each.
"""

import functools
import importlib.metadata

import outside
from outside import Implementation


# What the fused kernels of a GPU do beside their presets.
IN_BASE_TWO = {"base_two": True, "flushes_subnormals": True}


def implementation(function, dtype, preset, machine, operator="softmax.attention", **more):
    return Implementation(function, operator, dtype, preset, "parallel", machine=machine, **more)


def backward(function, dtype, preset, machine, **more):
    return implementation(f"{function}_backward", dtype, preset, machine, "softmax.gradients", group=1, **more)


def fused(function, dtype, preset, direction=implementation):
    return direction(function, dtype, preset, "cuda", contract=f"{preset}-base-two", fields=IN_BASE_TWO)


def implementations():
    """tf32 is off, PyTorch's default: float32 products on a GPU are of float32."""
    for dtype, preset in (("f32", "f32"), ("bf16", "bf16-mma")):
        yield from (implementation("math", dtype, dtype, machine) for machine in ("cpu", "cuda"))
        for direction in (implementation, backward):
            yield direction("flash_for_cpu", dtype, preset, "cpu")
            yield fused("efficient", dtype, preset, direction)
    for direction in (implementation, backward):
        yield from (fused(function, "bf16", "bf16-mma", direction) for function in ("flash", "cudnn"))


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


def gradients(function, q, k, v, scale, o, lse, d_output):
    """dq, dk, dv of a function's backward pass, for which o and lse lie where its forward pass stored its own."""
    import torch
    inputs = [x.requires_grad_() for x in (q, k, v)]
    stored_o, stored_lse = function(*inputs, scale)
    stored_o.data.copy_(o)
    stored_lse.data.view(*lse.shape[:2], -1)[..., :lse.shape[-1]] = lse  # rows of some are longer
    return torch.autograd.grad(stored_o, inputs, d_output)


def heads_first(tensor, width):
    """[1, T, H, ..., n] as [1, heads, T, width], with zeros behind the last column: fused kernels want one width for all."""
    import torch
    flat = tensor.flatten(2, -2).transpose(1, 2)
    return torch.nn.functional.pad(flat, (0, width - flat.shape[-1])).contiguous()


def heads_last(tensor, shape):
    """The reverse."""
    return tensor[..., :shape[-1]].transpose(1, 2).reshape(shape)


def width_of(q, v):
    return -(-max(q.shape[-1], v.shape[-1]) // 8) * 8


def attention_of(function, scale, q, k, v):
    """One sequence: q [1, T, H, G, d], k [1, T, H, d], v [1, T, H, dv]; o [1, T, H, G, dv] and its log-sum-exp [1, T, H, G]."""
    shared = [heads_first(x, width_of(q, v)).repeat_interleave(q.shape[3], 1) for x in (k, v)]
    o, lse = function(heads_first(q, width_of(q, v)), *shared, scale)
    lse = lse.reshape(1, q.shape[2] * q.shape[3], -1)[..., :q.shape[1], None]
    return {"o": heads_last(o, (*q.shape[:4], v.shape[-1])), "lse": heads_last(lse, (*q.shape[:4], 1))[..., 0]}


def gradients_of(function, scale, q, k, v, o, lse, do):
    """One sequence, G = 1: dq, dk, dv of the shapes of q, k, v."""
    width = width_of(q, v)
    wide = [heads_first(x, width) for x in (q, k, v)]
    found = gradients(function, *wide, scale, heads_first(o, width), heads_first(lse[..., None], 1)[..., 0], heads_first(do, width))
    return {f"d{name}": heads_last(d, x.shape) for name, d, x in zip("qkv", found, (q, k, v))}


def call(one):
    backward = one.operator == "softmax.gradients"
    function = FUNCTIONS[one.function.removesuffix("_backward")]
    of_sequence, takes = (gradients_of, ("q", "k", "v", "o", "lse", "do")) if backward else (attention_of, ("q", "k", "v"))

    def outputs(x, parameters):
        q, k, v = x["q"], x["k"], x["v"]
        if backward:
            result = {"dq": q.new_zeros(q.shape), "dk": k.new_zeros(k.shape), "dv": v.new_zeros(v.shape)}
        else:
            result = {"o": q.new_zeros((*q.shape[:4], v.shape[-1])), "lse": q.new_zeros(q.shape[:4]).float()}
        attend = functools.partial(of_sequence, function, parameters["scale"])
        return outside.by_sequences(attend, x, [x[name] for name in takes], result)
    return outputs


def versions(machine):
    import torch
    where = torch.cuda.get_device_name() if machine == "cuda" else "CPU"
    return f"scaled_dot_product_attention, torch {importlib.metadata.version('torch')}, {where}"


SDPA = outside.Package("sdpa", list(implementations()), ["cpu", "cuda"], call, versions)

if __name__ == "__main__":
    outside.main(SDPA, "judges PyTorch's scaled_dot_product_attention with assay")
