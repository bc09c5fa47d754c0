"""Kernels of tiers T5, T6 and T11: atomics, block pointers, descriptors."""
import triton
import triton.language as tl


@triton.jit
def atomic_histogram_kernel(x, counts, n, BINS: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n, other=0)
    tl.atomic_add(counts + v % BINS, 1, mask=i < n, sem="relaxed")


@triton.jit
def atomic_sum_kernel(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n, other=0.0)
    tl.atomic_add(out + tl.arange(0, BLOCK), v)
    tl.atomic_add(out + BLOCK, tl.sum(v))


@triton.jit
def atomic_all_kernel(x, f, out, outf, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    v = tl.load(x + i, mask=m, other=0)
    slot = tl.arange(0, BLOCK) % 8
    tl.atomic_max(out + slot, v, mask=m)
    tl.atomic_min(out + 8 + slot, v, mask=m)
    tl.atomic_and(out + 16 + slot, v | 1, mask=m)
    tl.atomic_or(out + 24 + slot, v, mask=m)
    tl.atomic_xor(out + 32 + slot, v, mask=m)
    w = tl.load(f + i, mask=m, other=0.0)
    tl.atomic_max(outf + slot, w, mask=m)
    tl.atomic_min(outf + 8 + slot, w, mask=m)


@triton.jit
def ticket_kernel(counter, order, done):
    """Every program draws a number; the last one says so."""
    ticket = tl.atomic_add(counter, 1)
    tl.store(order + ticket, 1)
    if ticket == tl.num_programs(0) - 1:
        tl.store(done, ticket)


@triton.jit
def locked_sum_kernel(x, lock, total, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.sum(tl.load(x + i))
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    tl.store(total, tl.load(total, volatile=True) + v)
    tl.debug_barrier()
    tl.atomic_xchg(lock, 0)


@triton.jit
def exchange_kernel(x, old, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    was = tl.atomic_xchg(x + i, i, mask=i < n)
    tl.store(old + i, was, mask=i < n)
    wide = i.to(tl.int64)
    again = tl.atomic_cas(x + i, wide, wide * 2)
    tl.store(old + n + i, again, mask=i < n)


@triton.jit
def block_copy_kernel(x, out, M, N, BM: tl.constexpr, BN: tl.constexpr):
    src = tl.make_block_ptr(x, shape=(M, N), strides=(N, 1), offsets=(tl.program_id(0) * BM, 0),
                            block_shape=(BM, BN), order=(1, 0))
    dst = tl.make_block_ptr(out, shape=(N, M), strides=(M, 1), offsets=(0, tl.program_id(0) * BM),
                            block_shape=(BN, BM), order=(1, 0))
    for _ in range(0, tl.cdiv(N, BN)):
        v = tl.load(src, boundary_check=(0, 1), padding_option="zero")
        tl.store(dst, (v * 2).to(out.dtype.element_ty).T, boundary_check=(0, 1))
        src = tl.advance(src, (0, BN))
        dst = tl.advance(dst, (BN, 0))


@triton.jit
def block_matmul_kernel(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0) * BM
    n = tl.program_id(1) * BN
    pa = tl.make_block_ptr(a, (M, K), (K, 1), (m, 0), (BM, BK), (1, 0))
    pb = tl.make_block_ptr(b, (K, N), (N, 1), (0, n), (BK, BN), (1, 0))
    acc = tl.zeros((BM, BN), tl.float32)
    for _ in range(0, K, BK):
        x = tl.load(pa, boundary_check=(0, 1), padding_option="zero")
        y = tl.load(pb, boundary_check=(0, 1), padding_option="zero")
        acc += tl.dot(x, y)
        pa = tl.advance(pa, (0, BK))
        pb = tl.advance(pb, (BK, 0))
    pc = tl.make_block_ptr(c, (M, N), (N, 1), (m, n), (BM, BN), (1, 0))
    tl.store(pc, acc.to(c.dtype.element_ty), boundary_check=(0, 1))


@triton.jit
def descriptor_kernel(x, out, M, N, BM: tl.constexpr, BN: tl.constexpr):
    src = tl.make_tensor_descriptor(x, shape=[M, N], strides=[N, 1], block_shape=[BM, BN])
    dst = tl.make_tensor_descriptor(out, shape=[M, N], strides=[N, 1], block_shape=[BM, BN])
    row = tl.program_id(0) * BM
    col = tl.program_id(1) * BN
    v = src.load([row, col])
    dst.store([row, col], v + 1)


@triton.jit
def pointer_table_kernel(table, out, n, BLOCK: tl.constexpr):
    """Each program reads the array that its entry of a table of addresses names."""
    pid = tl.program_id(0)
    x = tl.load(table + pid).to(tl.pointer_type(tl.float32))
    i = tl.arange(0, BLOCK)
    tl.store(out + pid * n + i, tl.load(x + i, mask=i < n), mask=i < n)
