#!/usr/bin/env python3
"""The largest error of each math function on the GPU over all floats, for docs/math.md. Prints a
Markdown table; exit status 1 if an error is above its bound. Needs PyTorch, which also gives the
references, in double.

usage: bench/math_ulp.py [--library=FILE] [--stride=N]
"""
import argparse
import os
import sys
import tempfile

import torch

import libtilec

CHUNK = 1 << 26
BLOCK = 1024
# Name: (expression, reference in double, bound in ulp). The bounds are those of the model of the
# hardware that test/unit/Target/MathModel.cpp has.
FUNCTIONS = {
    "exp": ("tl.exp(v)", torch.exp, 4.6),
    "exp2": ("tl.exp2(v)", torch.exp2, 3.01),
    "log": ("tl.log(v)", torch.log, 1.0),
    "log2": ("tl.log2(v)", torch.log2, 1.5),
    "sqrt": ("tl.sqrt(v)", torch.sqrt, 1.51),
    "sqrt_rn": ("tl.sqrt_rn(v)", torch.sqrt, 0.501),
    "rsqrt": ("tl.rsqrt(v)", torch.rsqrt, 3.01),
    "sin": ("tl.sin(v)", torch.sin, 2.4),
    "cos": ("tl.cos(v)", torch.cos, 2.4),
    "erf": ("tl.erf(v)", torch.erf, 1.8),
    "tanh": ("tl.extra.cuda.libdevice.tanh(v)", torch.tanh, 2.4),
    "sigmoid": ("tl.sigmoid(v)", torch.sigmoid, 8.0),
    "1 / x": ("1.0 / v", torch.reciprocal, 2.01),
}
# Where exp(-x) overflows, 1 / (1 + exp(-x)) is zero and the function itself a denormal: left out.
NORMAL_ONLY = {"sigmoid"}
KERNEL = '''import triton
import triton.language as tl


@triton.jit
def kernel(x: "*fp32:16", y: "*fp32:16", BLOCK: tl.constexpr = {block}):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i)
    tl.store(y + i, {expression})
'''


def ulps(got, want):
    """The error in units of the last place; NaN for a number, or the other way about, is infinite."""
    over = 2.0 ** 128
    got, want = got.double().clamp(-over, over), want.clamp(-over, over)
    exponent = torch.frexp(want)[1].clamp(-125, 128) - 1
    error = (got - want).abs() / torch.ldexp(torch.ones_like(want), exponent - 23)
    wrong = torch.where(got.isnan() & want.isnan(), 0.0, float("inf"))
    return torch.where(got.isnan() | want.isnan(), wrong.to(error.dtype), error)


def measure(library, device, name, expression, reference, stride):
    """The largest error and its argument."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "kernel.tile")
        with open(path, "w", encoding="utf-8") as file:
            file.write(KERNEL.format(block=BLOCK, expression=expression))
        artifact = library.compile(path, "kernel", target=device.target)
    kernel = device.load(artifact, "kernel")
    y = torch.empty(CHUNK, dtype=torch.float32, device="cuda")
    worst, argument = -1.0, 0.0
    for first in range(0, 1 << 32, CHUNK * stride):
        bits = first + stride * torch.arange(CHUNK, dtype=torch.int64, device="cuda")
        bits = torch.where(bits >= 1 << 31, bits - (1 << 32), bits).clamp(max=(1 << 31) - 1)
        x = bits.to(torch.int32).view(torch.float32)
        launch = kernel.prepare((CHUNK // BLOCK,),
                                [libtilec.pointer(x.data_ptr()), libtilec.pointer(y.data_ptr())],
                                torch.cuda.current_stream().cuda_stream)
        launch()
        want = reference(x.double())
        error = ulps(y, want)
        if name in NORMAL_ONLY:
            error = torch.where(want.abs() < 2.0 ** -126, 0.0, error)
        largest, place = error.max(dim=0)
        if largest.item() > worst:
            worst, argument = largest.item(), x[place].item()
    return worst, argument


def main():
    parser = argparse.ArgumentParser(description="errors of math functions on the GPU")
    parser.add_argument("--library")
    parser.add_argument("--stride", type=int, default=1, help="every N-th float (default: all)")
    options = parser.parse_args()
    library = libtilec.Library(options.library)
    device = library.open("cuda:0")
    print(f"{torch.cuda.get_device_name()}, tilec {library.version()}, every {options.stride}. float\n")
    print("| function | ulp | at | bound |\n|---|---|---|---|")
    failed = False
    for name, (expression, reference, bound) in FUNCTIONS.items():
        worst, argument = measure(library, device, name, expression, reference,
                                  options.stride)
        failed |= not worst <= bound
        print(f"| `{name}` | {worst:.2f} | {float(argument).hex()} | {bound} |", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
