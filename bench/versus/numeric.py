"""Kernels of tiers T9 and T10: narrow floats, rounding, libdevice, random numbers, inline PTX."""
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def to_fp8_kernel(x, e4, e5, back, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    v = tl.load(x + i, mask=m)
    a = v.to(tl.float8e4nv)
    b = v.to(tl.float8e5)
    tl.store(e4 + i, a, mask=m)
    tl.store(e5 + i, b, mask=m)
    tl.store(back + i, a.to(tl.float32) + b.to(tl.float32), mask=m)


@triton.jit
def from_fp8_kernel(e4, e5, half, single, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    tl.store(half + i, tl.load(e4 + i, mask=m).to(tl.float16), mask=m)
    tl.store(half + n + i, tl.load(e5 + i, mask=m).to(tl.float16), mask=m)
    tl.store(single + i, tl.load(e4 + i, mask=m).to(tl.float32), mask=m)
    tl.store(single + n + i, tl.load(e5 + i, mask=m).to(tl.bfloat16).to(tl.float32), mask=m)


@triton.jit
def rounding_kernel(x, half, brain, ints, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    v = tl.load(x + i, mask=m, other=0.0)
    tl.store(half + i, v.to(tl.float16), mask=m)
    tl.store(half + n + i, v.to(tl.float16, fp_downcast_rounding="rtz"), mask=m)
    tl.store(brain + i, v.to(tl.bfloat16), mask=m)
    tl.store(brain + n + i, v.to(tl.bfloat16, fp_downcast_rounding="rtz"), mask=m)
    tl.store(ints + i, v.to(tl.int32), mask=m)
    tl.store(ints + n + i, v.to(tl.int32, bitcast=True) ^ (v * 3).to(tl.uint8).to(tl.int32), mask=m)


@triton.jit
def libdevice_kernel(x, y, out, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    m = i < n
    v = tl.load(x + i, mask=m, other=0.5)
    w = tl.load(y + i, mask=m, other=0.5)
    tl.store(out + i, libdevice.tanh(v) + libdevice.asin(tl.clamp(v, -1.0, 1.0)), mask=m)
    tl.store(out + n + i, libdevice.pow(tl.abs(v) + 0.1, w), mask=m)
    tl.store(out + 2 * n + i, libdevice.log1p(tl.abs(v)) + libdevice.expm1(w), mask=m)
    tl.store(out + 3 * n + i, libdevice.atan2(v, w) + libdevice.hypot(v, w), mask=m)
    tl.store(out + 4 * n + i, libdevice.round(v * 10) + libdevice.rint(w * 10), mask=m)
    tl.store(out + 5 * n + i, libdevice.fmod(v, w) + libdevice.copysign(v, w), mask=m)
    tl.store(out + 6 * n + i, libdevice.cosh(v) + libdevice.cbrt(w), mask=m)
    tl.store(out + 7 * n + i, tl.where(libdevice.isnan(v), 1.0, 2.0) + libdevice.trunc(w), mask=m)


@triton.jit
def random_kernel(out, ints, seed, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    tl.store(out + i, tl.rand(seed, i), mask=m)
    tl.store(ints + i, tl.randint(seed, i), mask=m)
    a, b, c, d = tl.randint4x(seed, i)
    tl.store(ints + n + i, a ^ b ^ c ^ d, mask=m)


@triton.jit
def normal_kernel(out, seed, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, tl.randn(seed, i), mask=i < n)


@triton.jit
def dropout_kernel(x, out, p, seed, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n)
    keep = tl.rand(seed, i) > p
    tl.store(out + i, tl.where(keep, v / (1 - p), 0.0), mask=i < n)


@triton.jit
def inline_asm_kernel(x, y, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    a = tl.load(x + i, mask=m, other=0)
    b = tl.load(y + i, mask=m, other=0)
    s = tl.inline_asm_elementwise("add.s32 $0, $1, $2;", "=r,r,r", [a, b], dtype=tl.int32,
                                  is_pure=True, pack=1)
    t = tl.inline_asm_elementwise("lop3.b32 $0, $1, $2, 0, 0x3c;", "=r,r,r", [s, b], dtype=tl.int32,
                                  is_pure=True, pack=1)
    tl.store(out + i, t, mask=m)


@triton.jit
def narrow_ints_kernel(x, y, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    a = tl.load(x + i, mask=m, other=0)
    b = tl.load(y + i, mask=m, other=1)
    tl.store(out + i, (a * b + (a >> 2)).to(tl.int8) // 3 + tl.maximum(a, b), mask=m)
