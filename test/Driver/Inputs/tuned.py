import torch
import triton
import triton.language as tl
from other_package import util


def get_configs():
    configs = []
    for block in [64, 128]:
        for warps in (2, 4):
            if block == 64 and warps == 4:
                continue
            configs.append(triton.Config({"BLOCK": block, "MODE": "fast"}, num_warps=warps))
    return configs


@triton.jit
def scaled(ptr, offsets, mask, by):
    return tl.load(ptr + offsets, mask=mask) * by


@triton.autotune(configs=get_configs(), key=["n"])
@triton.heuristics({"EVEN": lambda args: args["n"] % args["BLOCK"] == 0})
@triton.jit(do_not_specialize=["n"])
def scale(x, out, by: float, n, unused, BLOCK: tl.constexpr, MODE: tl.constexpr, EVEN: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    out += n * 0
    tl.store(out + offsets, scaled(x, offsets, mask, by), mask=mask)


@triton.autotune(
    configs=[triton.Config({"BLOCK": b}, num_stages=s) for b in (32, 64) for s in (1, 2)],
    key=[])
@triton.jit
def fill(out: "*fp32:16", n: tl.int32, BLOCK: "tl.constexpr" = 16, value: "tl.constexpr | None" = None):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + offsets, 0.0 if value is None else value, mask=offsets < n)


class Softmax:
    @staticmethod
    @util.autotune(util.configs(), ["n"])
    @triton.jit
    def forward(out: "*fp16", n: "i32", BLOCK: tl.constexpr):
        tl.store(out + tl.arange(0, BLOCK), n)


@triton.jit
def wrong(out: "*fp32"):
    tl.store(out, missing)
