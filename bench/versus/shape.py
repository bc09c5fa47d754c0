"""Kernels of tiers T7 and T8: scans, user-made reductions, and moving elements about."""
import triton
import triton.language as tl

from helpers import larger, linear, welford


@triton.jit
def cumsum_kernel(x, out, M: tl.constexpr, N: tl.constexpr):
    at = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    v = tl.load(x + at)
    tl.store(out + at, tl.cumsum(v, axis=1))
    tl.store(out + M * N + at, tl.cumsum(v, axis=0, reverse=True))


@triton.jit
def cumprod_kernel(x, out, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i, tl.cumprod(tl.load(x + i), axis=0))


@triton.jit
def recurrence_kernel(a, b, out, M: tl.constexpr, N: tl.constexpr, REVERSE: tl.constexpr):
    at = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    _, h = tl.associative_scan((tl.load(a + at), tl.load(b + at)), 1, linear, reverse=REVERSE)
    tl.store(out + at, h)


@triton.jit
def running_max_kernel(x, out, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i, tl.associative_scan(tl.load(x + i), 0, larger))


@triton.jit
def welford_kernel(x, out, M: tl.constexpr, N: tl.constexpr):
    r = tl.arange(0, M)
    at = r[:, None] * N + tl.arange(0, N)[None, :]
    v = tl.load(x + at)
    zero = tl.zeros([M, N], tl.float32)
    mean, m2, count = tl.reduce((v, zero, zero + 1.0), 1, welford)
    tl.store(out + r, mean)
    tl.store(out + M + r, m2 / count)


@triton.jit
def largest_kernel(x, out, M: tl.constexpr, N: tl.constexpr):
    r = tl.arange(0, M)
    v = tl.load(x + r[:, None] * N + tl.arange(0, N)[None, :])
    tl.store(out + r[:, None], tl.reduce(v, 1, larger, keep_dims=True))


@triton.jit
def permute_kernel(x, out, A: tl.constexpr, B: tl.constexpr, C: tl.constexpr, D: tl.constexpr):
    v = tl.load(x + tl.arange(0, A * B * C * D))
    v = tl.reshape(v, (A, B, C, D)).permute(2, 0, 3, 1)
    tl.store(out + tl.arange(0, A * B * C * D), tl.ravel(v + 1))


@triton.jit
def rank5_kernel(x, out, N: tl.constexpr):
    v = tl.load(x + tl.arange(0, 32 * N)).reshape(2, 2, 2, 4, N)
    s = tl.sum(v, axis=2)
    t = tl.max(s, axis=0)
    i = tl.arange(0, 8 * N)
    tl.store(out + i, tl.reshape(t, (8 * N,)))


@triton.jit
def pairs_kernel(x, out, N: tl.constexpr):
    """Rotates pairs of neighbours, as rotary embeddings do."""
    i = tl.arange(0, N)
    even, odd = tl.split(tl.reshape(tl.load(x + i), (N // 2, 2)))
    tl.store(out + i, tl.interleave(-odd, even))
    tl.store(out + N + i, tl.reshape(tl.trans(tl.join(even, odd)), (N,)))


@triton.jit
def flip_kernel(x, out, M: tl.constexpr, N: tl.constexpr):
    at = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    v = tl.load(x + at)
    tl.store(out + at, tl.flip(v, 1))


@triton.jit
def gather_kernel(x, index, out, M: tl.constexpr, N: tl.constexpr):
    at = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    tl.store(out + at, tl.gather(tl.load(x + at), tl.load(index + at), 1))


@triton.jit
def histogram_kernel(x, out, N: tl.constexpr, BINS: tl.constexpr):
    v = tl.load(x + tl.arange(0, N))
    tl.store(out + tl.arange(0, BINS), tl.histogram(v, BINS))


@triton.jit
def sort_kernel(x, out, M: tl.constexpr, N: tl.constexpr, DESCENDING: tl.constexpr):
    at = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    tl.store(out + at, tl.sort(tl.load(x + at), descending=DESCENDING))


@triton.jit
def topk_kernel(x, out, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    r = tl.arange(0, M)[:, None]
    v = tl.load(x + r * N + tl.arange(0, N)[None, :])
    tl.store(out + r * K + tl.arange(0, K)[None, :], tl.topk(v, K))
