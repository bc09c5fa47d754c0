"""Kernels of tiers T1 to T3: pointwise work, reductions, helper functions and control flow."""
import triton
import triton.language as tl

from helpers import SCALE, divmod_c, gelu, mean_and_variance, poly


@triton.jit
def add_kernel(x, y, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    tl.store(out + i, tl.load(x + i, mask=m) + tl.load(y + i, mask=m, other=0), mask=m)


@triton.jit
def weak_types_kernel(x, scale, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    v = tl.load(x + i, mask=m)
    half = 0.5
    weak = v * 0.5 + 1
    strong = v * half
    tl.store(out + i, weak + strong * scale + tl.where(v > 0, v, 0.0), mask=m)


@triton.jit
def integer_kernel(a, b, quotient, remainder, bits, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    x = tl.load(a + i, mask=m)
    y = tl.load(b + i, mask=m, other=1)
    q, r = divmod_c(x, y)
    tl.store(quotient + i, q, mask=m)
    tl.store(remainder + i, r, mask=m)
    shift = y & 15
    tl.store(bits + i, ((x << shift) ^ (x >> shift)) | (~x & 0x55), mask=m)


@triton.jit
def unsigned_kernel(a, b, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    x = tl.load(a + i, mask=m)
    y = tl.load(b + i, mask=m, other=1)
    less = tl.where(x < y, 1, 0)
    tl.store(out + i, x // y + (x % y) + (x >> 3) + less.to(tl.uint32), mask=m)


@triton.jit
def gelu_kernel(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    tl.store(out + i, gelu(tl.load(x + i, mask=m).to(tl.float32)) * SCALE, mask=m)


@triton.jit
def math_kernel(x, out, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    m = i < n
    v = tl.load(x + i, mask=m, other=1.0)
    a = tl.abs(v) + 0.1
    tl.store(out + i, tl.exp(-a), mask=m)
    tl.store(out + n + i, tl.log(a), mask=m)
    tl.store(out + 2 * n + i, tl.sqrt(a) + tl.rsqrt(a), mask=m)
    tl.store(out + 3 * n + i, tl.sin(v) * tl.cos(v), mask=m)
    tl.store(out + 4 * n + i, tl.exp2(v) + tl.log2(a), mask=m)
    tl.store(out + 5 * n + i, tl.sigmoid(v) + tl.erf(v), mask=m)
    tl.store(out + 6 * n + i, tl.floor(v) + tl.ceil(v * 2), mask=m)
    tl.store(out + 7 * n + i, tl.clamp(v, -0.5, 0.5) + tl.fma(v, a, 1.0), mask=m)


@triton.jit
def softmax_kernel(x, out, stride, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    v = tl.load(x + row * stride + i, mask=i < n, other=-float("inf")).to(tl.float32)
    e = tl.exp(v - tl.max(v, axis=0))
    tl.store(out + row * stride + i, e / tl.sum(e, axis=0), mask=i < n)


@triton.jit
def reductions_kernel(x, sums, highs, where, M: tl.constexpr, N: tl.constexpr):
    r = tl.arange(0, M)
    c = tl.arange(0, N)
    v = tl.load(x + r[:, None] * N + c[None, :])
    tl.store(sums + c, tl.sum(v, axis=0))
    tl.store(sums + N + r, tl.sum(v, axis=1))
    high, at = tl.max(v, axis=1, return_indices=True)
    tl.store(highs + r, high)
    tl.store(where + r, at)
    tl.store(where + M + r, tl.argmin(v, axis=1))
    tl.store(highs + M, tl.min(v))


@triton.jit
def small_reductions_kernel(x, total, bits, N: tl.constexpr):
    i = tl.arange(0, N)
    v = tl.load(x + i)
    tl.store(total, tl.sum(v))
    tl.store(total + 1, tl.max(v))
    tl.store(total + 2, tl.sum((v > 0).to(tl.int32)))
    tl.store(bits, tl.xor_sum(v.to(tl.int32)))


@triton.jit
def layernorm_kernel(x, w, b, out, n, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    i = tl.arange(0, BLOCK)
    m = i < n
    v = tl.load(x + row * n + i, mask=m, other=0.0).to(tl.float32)
    mean, var = mean_and_variance(v, m, n)
    y = (v - mean) * tl.rsqrt(var + eps)
    y = y * tl.load(w + i, mask=m).to(tl.float32) + tl.load(b + i, mask=m).to(tl.float32)
    tl.store(out + row * n + i, y, mask=m)


@triton.jit
def rows_kernel(x, lengths, out, stride, ACTIVATION: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    length = tl.load(lengths + row)
    if length == 0:
        tl.store(out + row, -1.0)
        return
    acc = tl.zeros([BLOCK], dtype=tl.float32)
    for start in range(0, length, BLOCK):
        i = start + tl.arange(0, BLOCK)
        v = tl.load(x + row * stride + i, mask=i < length, other=0.0)
        if ACTIVATION == "relu":
            v = tl.maximum(v, 0.0)
        elif ACTIVATION == "poly":
            v = poly(v, 3)
        acc += v
    tl.store(out + row, tl.sum(acc))


@triton.jit
def collatz_kernel(x, out, n):
    pid = tl.program_id(0)
    v = tl.load(x + pid)
    steps = 0
    while v != 1:
        if v % 2 == 0:
            v = v // 2
        else:
            v = 3 * v + 1
        steps += 1
    tl.store(out + pid, steps)


@triton.jit
def unrolled_kernel(x, out, n, ORDER: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n, other=0.0)
    y = tl.zeros_like(v)
    for k in tl.static_range(ORDER):
        y = y * v + (k + 1.0) / ORDER
    z = v
    for k in range(ORDER - 1, -1, -1):
        z = z * 0.5 + k
    tl.store(out + i, y + z, mask=i < n)


@triton.jit
def transpose_kernel(x, out, M, N, BM: tl.constexpr, BN: tl.constexpr):
    r = tl.program_id(0) * BM + tl.arange(0, BM)
    c = tl.program_id(1) * BN + tl.arange(0, BN)
    m = (r[:, None] < M) & (c[None, :] < N)
    tile = tl.load(x + r[:, None] * N + c[None, :], mask=m)
    tl.store(out + c[:, None] * M + r[None, :], tile.T, mask=(c[:, None] < N) & (r[None, :] < M))
