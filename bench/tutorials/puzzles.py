"""Solutions of the twelve Triton puzzles (github.com/srush/Triton-Puzzles), with their parameters."""
import triton
import triton.language as tl


@triton.jit
def add_kernel(x_ptr, z_ptr, N0, B0: tl.constexpr):
    i = tl.arange(0, B0)
    tl.store(z_ptr + i, tl.load(x_ptr + i) + 10)


@triton.jit
def add_mask2_kernel(x_ptr, z_ptr, N0, B0: tl.constexpr):
    i = tl.program_id(0) * B0 + tl.arange(0, B0)
    tl.store(z_ptr + i, tl.load(x_ptr + i, mask=i < N0) + 10, mask=i < N0)


@triton.jit
def add_vec_kernel(x_ptr, y_ptr, z_ptr, N0, N1, B0: tl.constexpr, B1: tl.constexpr):
    i = tl.arange(0, B0)
    j = tl.arange(0, B1)
    z = tl.load(x_ptr + i)[None, :] + tl.load(y_ptr + j)[:, None]
    tl.store(z_ptr + j[:, None] * N0 + i[None, :], z)


@triton.jit
def add_vec_block_kernel(x_ptr, y_ptr, z_ptr, N0, N1, B0: tl.constexpr, B1: tl.constexpr):
    i = tl.program_id(0) * B0 + tl.arange(0, B0)
    j = tl.program_id(1) * B1 + tl.arange(0, B1)
    x = tl.load(x_ptr + i, mask=i < N0)
    y = tl.load(y_ptr + j, mask=j < N1)
    inside = (j < N1)[:, None] & (i < N0)[None, :]
    tl.store(z_ptr + j[:, None] * N0 + i[None, :], x[None, :] + y[:, None], mask=inside)


@triton.jit
def mul_relu_block_kernel(x_ptr, y_ptr, z_ptr, N0, N1, B0: tl.constexpr, B1: tl.constexpr):
    i = tl.program_id(0) * B0 + tl.arange(0, B0)
    j = tl.program_id(1) * B1 + tl.arange(0, B1)
    x = tl.load(x_ptr + i, mask=i < N0)
    y = tl.load(y_ptr + j, mask=j < N1)
    z = x[None, :] * y[:, None]
    inside = (j < N1)[:, None] & (i < N0)[None, :]
    tl.store(z_ptr + j[:, None] * N0 + i[None, :], tl.where(z > 0, z, 0), mask=inside)


@triton.jit
def mul_relu_block_back_kernel(x_ptr, y_ptr, dz_ptr, dx_ptr, N0, N1, B0: tl.constexpr,
                               B1: tl.constexpr):
    i = tl.program_id(0) * B0 + tl.arange(0, B0)
    j = tl.program_id(1) * B1 + tl.arange(0, B1)
    at = j[:, None] * N0 + i[None, :]
    inside = (j < N1)[:, None] & (i < N0)[None, :]
    x = tl.load(x_ptr + at, mask=inside)
    y = tl.load(y_ptr + j, mask=j < N1)[:, None]
    dz = tl.load(dz_ptr + at, mask=inside)
    tl.store(dx_ptr + at, tl.where(x * y > 0, dz * y, 0.0), mask=inside)


@triton.jit
def sum_kernel(x_ptr, z_ptr, N0, N1, T, B0: tl.constexpr, B1: tl.constexpr):
    row = tl.program_id(0) * B0 + tl.arange(0, B0)
    total = tl.zeros([B0], dtype=tl.float32)
    for start in range(0, T, B1):
        j = start + tl.arange(0, B1)
        inside = (row < N0)[:, None] & (j < T)[None, :]
        total += tl.sum(tl.load(x_ptr + row[:, None] * T + j[None, :], mask=inside, other=0.0), axis=1)
    tl.store(z_ptr + row, total, mask=row < N0)


@triton.jit
def softmax_kernel(x_ptr, z_ptr, N0, N1, T, B0: tl.constexpr, B1: tl.constexpr):
    row = tl.program_id(0) * B0 + tl.arange(0, B0)
    log2_e = 1.44269504
    high = tl.full([B0], -float("inf"), tl.float32)
    total = tl.zeros([B0], tl.float32)
    for start in range(0, T, B1):
        j = start + tl.arange(0, B1)
        inside = (row < N0)[:, None] & (j < T)[None, :]
        x = tl.load(x_ptr + row[:, None] * T + j[None, :], mask=inside, other=-float("inf"))
        now = tl.maximum(high, tl.max(x, axis=1))
        total = total * tl.exp2((high - now) * log2_e) + tl.sum(
            tl.exp2((x - now[:, None]) * log2_e), axis=1)
        high = now
    for start in range(0, T, B1):
        j = start + tl.arange(0, B1)
        inside = (row < N0)[:, None] & (j < T)[None, :]
        at = row[:, None] * T + j[None, :]
        x = tl.load(x_ptr + at, mask=inside, other=-float("inf"))
        tl.store(z_ptr + at, tl.exp2((x - high[:, None]) * log2_e) / total[:, None], mask=inside)


@triton.jit
def flashatt_kernel(q_ptr, k_ptr, v_ptr, z_ptr, N0, T, B0: tl.constexpr, B1: tl.constexpr):
    i = tl.program_id(0) * B0 + tl.arange(0, B0)
    log2_e = 1.44269504
    q = tl.load(q_ptr + i, mask=i < N0, other=0.0)
    high = tl.full([B0], -1.0e30, tl.float32)
    total = tl.zeros([B0], tl.float32)
    z = tl.zeros([B0], tl.float32)
    for start in range(0, T, B1):
        j = start + tl.arange(0, B1)
        k = tl.load(k_ptr + j, mask=j < T, other=0.0)
        v = tl.load(v_ptr + j, mask=j < T, other=0.0)
        x = tl.where((j < T)[None, :], q[:, None] * k[None, :], -1.0e30)
        now = tl.maximum(high, tl.max(x, axis=1))
        shrink = tl.exp2((high - now) * log2_e)
        e = tl.exp2((x - now[:, None]) * log2_e)
        total = total * shrink + tl.sum(e, axis=1)
        z = z * shrink + tl.sum(e * v[None, :], axis=1)
        high = now
    tl.store(z_ptr + i, z / total, mask=i < N0)


@triton.jit
def conv2d_kernel(x_ptr, k_ptr, z_ptr, N0, H, W, KH: tl.constexpr, KW: tl.constexpr,
                  B0: tl.constexpr):
    image = tl.program_id(0) * B0 + tl.arange(0, B0)
    kh = tl.arange(0, KH)[None, :, None]
    kw = tl.arange(0, KW)[None, None, :]
    k = tl.load(k_ptr + kh * KW + kw)
    for y in range(0, H):
        for x in range(0, W):
            inside = (image < N0)[:, None, None] & (y + kh < H) & (x + kw < W)
            patch = tl.load(x_ptr + image[:, None, None] * H * W + (y + kh) * W + x + kw,
                            mask=inside, other=0.0)
            z = tl.sum(tl.sum(patch * k, axis=2), axis=1)
            tl.store(z_ptr + image * H * W + y * W + x, z, mask=image < N0)


@triton.jit
def dot_kernel(x_ptr, y_ptr, z_ptr, N0, N1, N2, MID, B0: tl.constexpr, B1: tl.constexpr,
               B2: tl.constexpr, B_MID: tl.constexpr):
    i = tl.program_id(0) * B0 + tl.arange(0, B0)
    j = tl.program_id(1) * B1 + tl.arange(0, B1)
    batch = tl.program_id(2) * B2 + tl.arange(0, B2)
    rows = batch[:, None, None] * N0 + i[None, :, None]
    acc = tl.zeros([B2, B0, B1], tl.float32)
    for start in range(0, MID, B_MID):
        m = start + tl.arange(0, B_MID)
        x = tl.load(x_ptr + rows * MID + m[None, None, :],
                    mask=(batch < N2)[:, None, None] & (i < N0)[None, :, None] & (m < MID)[None, None, :],
                    other=0.0)
        y = tl.load(y_ptr + (batch[:, None, None] * MID + m[None, :, None]) * N1 + j[None, None, :],
                    mask=(batch < N2)[:, None, None] & (m < MID)[None, :, None] & (j < N1)[None, None, :],
                    other=0.0)
        acc += tl.dot(x, y)
    tl.store(z_ptr + rows * N1 + j[None, None, :], acc,
             mask=(batch < N2)[:, None, None] & (i < N0)[None, :, None] & (j < N1)[None, None, :])


@triton.jit
def quant_dot_kernel(scale_ptr, offset_ptr, weight_ptr, activation_ptr, z_ptr, N0, N1, MID,
                     B0: tl.constexpr, B1: tl.constexpr, B_MID: tl.constexpr):
    PER_WORD: tl.constexpr = 8
    GROUP: tl.constexpr = 8
    i = tl.program_id(0) * B0 + tl.arange(0, B0)
    j = tl.program_id(1) * B1 + tl.arange(0, B1)
    acc = tl.zeros([B0, B1], tl.float32)
    nibble = tl.arange(0, PER_WORD) * 4
    for start in range(0, MID, B_MID):
        word = start // PER_WORD + tl.arange(0, B_MID // PER_WORD)
        group = start // GROUP + tl.arange(0, B_MID // GROUP)
        inside = (i < N0)[:, None] & (word < MID // PER_WORD)[None, :]
        packed = tl.load(weight_ptr + i[:, None] * (MID // PER_WORD) + word[None, :], mask=inside, other=0)
        weight = (packed[:, :, None] >> nibble[None, None, :]) & 15
        scale = tl.load(scale_ptr + i[:, None] * (MID // GROUP) + group[None, :], mask=inside, other=0.0)
        shift = (tl.load(offset_ptr + i, mask=i < N0, other=0)[:, None] >> (group * 4)[None, :]) & 15
        value = scale[:, :, None] * (weight - shift[:, :, None]).to(tl.float32)
        m = start + tl.arange(0, B_MID)
        activation = tl.load(activation_ptr + m[:, None] * N1 + j[None, :],
                             mask=(m < MID)[:, None] & (j < N1)[None, :], other=0.0)
        acc += tl.dot(tl.reshape(value, (B0, B_MID)), activation)
    tl.store(z_ptr + i[:, None] * N1 + j[None, :], acc, mask=(i < N0)[:, None] & (j < N1)[None, :])
