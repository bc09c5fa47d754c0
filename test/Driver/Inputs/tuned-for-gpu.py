import torch
import triton
import triton.language as tl

BLOCK = 256 if torch.cuda.get_device_capability()[0] >= 9 else 64


@triton.autotune(configs=[triton.Config({"BLOCK": BLOCK})], key=[])
@triton.jit
def fill(out, BLOCK: tl.constexpr):
    tl.store(out + tl.arange(0, BLOCK), 0.0)
