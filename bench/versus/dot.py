"""Kernels of tier T4: matrix products of every type, batched, chained; scaled products (T11)."""
import triton
import triton.language as tl


@triton.jit
def matmul_kernel(a, b, c, M, N, K, PRECISION: tl.constexpr, ACC: tl.constexpr, BM: tl.constexpr,
                  BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), dtype=ACC)
    for k in range(0, tl.cdiv(K, BK)):
        kk = k * BK + rk
        x = tl.load(a + rm[:, None] * K + kk[None, :],
                    mask=(rm[:, None] < M) & (kk[None, :] < K), other=0.0)
        y = tl.load(b + kk[:, None] * N + rn[None, :],
                    mask=(kk[:, None] < K) & (rn[None, :] < N), other=0.0)
        acc = tl.dot(x, y, acc, input_precision=PRECISION, out_dtype=ACC)
    tl.store(c + rm[:, None] * N + rn[None, :], acc.to(c.dtype.element_ty),
             mask=(rm[:, None] < M) & (rn[None, :] < N))


@triton.jit
def batched_kernel(a, b, c, B: tl.constexpr, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    rb = tl.arange(0, B)[:, None, None]
    rm = tl.arange(0, M)
    rn = tl.arange(0, N)
    rk = tl.arange(0, K)
    x = tl.load(a + rb * M * K + rm[None, :, None] * K + rk[None, None, :])
    y = tl.load(b + rb * K * N + rk[None, :, None] * N + rn[None, None, :])
    tl.store(c + rb * M * N + rm[None, :, None] * N + rn[None, None, :], tl.dot(x, y))


@triton.jit
def transposed_kernel(a, b, c, N: tl.constexpr):
    i = tl.arange(0, N)
    at = tl.load(a + i[:, None] * N + i[None, :])
    bt = tl.load(b + i[:, None] * N + i[None, :])
    d = tl.dot(tl.trans(at), bt.T)
    tl.store(c + i[:, None] * N + i[None, :], d + d.T)


@triton.jit
def attention_kernel(q, k, v, out, scale, S, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr,
                     CAUSAL: tl.constexpr):
    head = tl.program_id(1) * S * D
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.arange(0, BN)
    rd = tl.arange(0, D)
    query = tl.load(q + head + rm[:, None] * D + rd[None, :], mask=rm[:, None] < S, other=0.0)
    top = tl.full((BM,), -float("inf"), tl.float32)
    total = tl.zeros((BM,), tl.float32)
    acc = tl.zeros((BM, D), tl.float32)
    end = tl.minimum((tl.program_id(0) + 1) * BM, S) if CAUSAL else S
    for start in range(0, end, BN):
        n = start + rn
        key = tl.load(k + head + n[None, :] * D + rd[:, None], mask=n[None, :] < S, other=0.0)
        scores = tl.dot(query, key) * scale
        seen = n[None, :] < S
        if CAUSAL:
            seen = seen & (rm[:, None] >= n[None, :])
        scores = tl.where(seen, scores, -1.0e30)
        high = tl.maximum(top, tl.max(scores, 1))
        p = tl.exp2((scores - high[:, None]) * 1.44269504)
        shrink = tl.exp2((top - high) * 1.44269504)
        total = total * shrink + tl.sum(p, 1)
        value = tl.load(v + head + n[:, None] * D + rd[None, :], mask=n[:, None] < S, other=0.0)
        acc = acc * shrink[:, None] + tl.dot(p.to(value.dtype), value)
        top = high
    tl.store(out + head + rm[:, None] * D + rd[None, :], acc / total[:, None], mask=rm[:, None] < S)


@triton.jit
def scaled_kernel(a, a_scale, b, b_scale, c, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr,
                  A_FORMAT: tl.constexpr, B_FORMAT: tl.constexpr, A_PACK: tl.constexpr,
                  B_PACK: tl.constexpr):
    rm = tl.arange(0, M)
    rn = tl.arange(0, N)
    ka = tl.arange(0, K // A_PACK)
    kb = tl.arange(0, K // B_PACK)
    ks = tl.arange(0, K // 32)
    x = tl.load(a + rm[:, None] * (K // A_PACK) + ka[None, :])
    y = tl.load(b + kb[:, None] * N + rn[None, :])
    xs = tl.load(a_scale + rm[:, None] * (K // 32) + ks[None, :])
    ys = tl.load(b_scale + rn[:, None] * (K // 32) + ks[None, :])
    d = tl.dot_scaled(x, xs, A_FORMAT, y, ys, B_FORMAT)
    tl.store(c + rm[:, None] * N + rn[None, :], d)
