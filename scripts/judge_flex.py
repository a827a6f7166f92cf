"""PyTorch's flex_attention judged by assay as attention by selected blocks with gates. How: outside.py. Needs PyTorch.

Gates are added to scores by its score_mod, blocks are left out by its block mask. On the CPU it is not fused; on a GPU torch.compile makes one
kernel of it. Gates outside the softmax are none of its: cases with them are left out.
"""

import functools
import importlib.metadata

import outside
from judge_sdpa import IN_BASE_TWO, heads_first, heads_last
from outside import Implementation


# Its log-sum-exp is divided by log 2, and multiplied by it again.
UNFUSED = {"base_two": True, "divides_weights": True}


def implementation(function, dtype, preset, machine, **more):
    return Implementation(function, "sas.attention", dtype, preset, "parallel", machine=machine,
                          takes=lambda parameters: parameters["position"] == 0, **more)


def implementations():
    for dtype, preset in (("f32", "f32"), ("bf16", "bf16-mma")):
        yield implementation("unfused", dtype, preset, "cpu", contract=f"{preset}-unfused", fields=UNFUSED)
        yield implementation("compiled", dtype, preset, "cuda", contract=f"{preset}-base-two", fields=IN_BASE_TWO)


def unfused():
    from torch.nn.attention.flex_attention import flex_attention
    return flex_attention


def compiled():
    import torch
    torch._dynamo.config.recompile_limit = 1000
    return torch.compile(unfused(), dynamic=True)


FUNCTIONS = {one.__name__: one for one in (unfused, compiled)}


def blocks_read(selected, blocks, block_size):
    """[H, T, blocks]: a query's own block, and those before it that it selects. selected [T, H, K]."""
    import torch
    tokens = selected.shape[0]
    own = torch.arange(tokens, device=selected.device)[:, None] // block_size
    m = torch.arange(blocks, device=selected.device)
    chosen = (selected[..., None] == m).any(2) & (m < own)[:, None]
    return (chosen | (m == own)[:, None]).transpose(0, 1)


def attention_of(function, parameters, q, k, v, selected, log_gate):
    """One sequence: q [1, T, H, G, d], k [1, T, H, d], v [1, T, H, dv], selected [1, T, H, K], log_gate [1, T, H, blocks]."""
    import torch
    from torch.nn.attention.flex_attention import create_block_mask
    tokens, heads, group = q.shape[1:4]
    block_size, blocks = int(parameters["b"]), log_gate.shape[-1]
    read = blocks_read(selected[0], blocks, block_size)
    token = torch.arange(tokens, device=q.device)
    is_own = (token[:, None] // block_size == torch.arange(blocks, device=q.device))[None]
    gate = log_gate[0].transpose(0, 1).masked_fill(is_own | ~read, 0).contiguous()

    def gated(score, b, h, i, j):
        return score + gate[h // group, i, j // block_size]

    def visible(b, h, i, j):
        return (j <= i) & read[h // group, i, j // block_size]

    mask = create_block_mask(visible, 1, heads * group, tokens, tokens, device=q.device)
    shared = [x.transpose(1, 2).repeat_interleave(group, 1).contiguous() for x in (k, v)]
    o, lse = function(heads_first(q, q.shape[-1]), *shared, score_mod=gated, block_mask=mask, scale=parameters["scale"], return_lse=True)
    return {"o": heads_last(o, (*q.shape[:4], v.shape[-1])), "lse": heads_last(lse[..., None], (*q.shape[:4], 1))[..., 0]}


def call(one):
    function = FUNCTIONS[one.function]()

    def outputs(x, parameters):
        q, v = x["q"], x["v"]
        log_gate = x.get("log_gate")
        if log_gate is None:
            blocks = -(-q.shape[1] // int(parameters["b"]))
            log_gate = q.new_zeros((*q.shape[:3], max(blocks, 1))).float()
        result = {"o": q.new_zeros((*q.shape[:4], v.shape[-1])), "lse": q.new_zeros(q.shape[:4]).float()}
        attend = functools.partial(attention_of, function, parameters)
        return outside.by_sequences(attend, x, [q, x["k"], v, x["selected"], log_gate], result)
    return outputs


def versions(machine):
    import torch
    where = torch.cuda.get_device_name() if machine == "cuda" else "CPU"
    return f"flex_attention, torch {importlib.metadata.version('torch')}, {where}"


FLEX = outside.Package("flex", list(implementations()), ["cpu", "cuda"], call, versions)

if __name__ == "__main__":
    outside.main(FLEX, "judges PyTorch's flex_attention with assay")
