import torch
import triton
import triton.language as tl


@triton.jit
def scale(x, out, factor, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(out + offsets, tl.load(x + offsets, mask=mask) * factor, mask=mask)


@triton.jit
def fill(out, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + offsets, offsets, mask=offsets < n)


def host(x):
    out = torch.empty_like(x)
    scale[(1,)](x, out, 2.0, x.numel(), BLOCK=128)
    return out
