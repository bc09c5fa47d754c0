#!/usr/bin/env python3
"""Triton's tutorials 01 to 06 and 08 from their own files, and the twelve Triton puzzles
(bench/tutorials/puzzles.py), end to end against NumPy in double precision: on the simulated GPU, the
interpreter, or a GPU. Prints a line a launch; exit status 1 if any result is wrong. Needs NumPy only.

usage: bench/tutorials.py [--tutorials=DIR] [--device=sim|ref|cuda:0] [--library=FILE] [--json=FILE]
                          [--only=TEXT] [--seed=N]

  --tutorials=DIR   python/tutorials of a checkout of Triton; without it only the puzzles run
"""
import argparse
import json
import os
import sys

import numpy as np

import libtilec

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "tutorials")
TYPES = {"float16": "fp16", "float32": "fp32", "int32": "i32", "int64": "i64", "bool": "i1",
         "uint8": "u8"}


class Session:
    """Buffers by name on one device, and launches over them."""

    def __init__(self, library, device, directory):
        self.library, self.device, self.directory = library, device, directory
        self.arrays, self.addresses = {}, {}

    def put(self, **arrays):
        for name, array in arrays.items():
            self.arrays[name] = np.ascontiguousarray(array)
            self.addresses[name] = self.device.copy_in(self.arrays[name])

    def get(self, name):
        data = np.empty_like(self.arrays[name])
        self.device.copy_out(self.addresses[name], data)
        return data.astype(np.float64)

    def run(self, file, kernel, args, defines, grid, num_warps=4):
        """`args` are names of buffers, or numbers."""
        types, values = [], []
        for arg in args:
            if isinstance(arg, str):
                address = self.addresses[arg]
                types.append("*" + TYPES[self.arrays[arg].dtype.name] + (":16" if address % 16 == 0 else ""))
                values.append(libtilec.pointer(address))
            else:
                wide = isinstance(arg, int) and not -2**31 <= arg < 2**31
                types.append("fp32" if isinstance(arg, float) else "i64" if wide else "i32")
                values.append(libtilec.scalar(arg))
        path = file if os.path.isabs(file) else os.path.join(self.directory, file)
        text = {name: value if isinstance(value, Raw) else repr(value) for name, value in defines.items()}
        artifact = self.library.compile(path, kernel, ", ".join(types + ["constexpr"] * len(defines)),
                                        text, num_warps, self.device.target,
                                        self.device.max_ptx_version)
        self.device.load(artifact, kernel).prepare(grid, values)()
        self.library.call("tilec_device_synchronize", self.device.handle)

    def close(self):
        for address in self.addresses.values():
            self.device.free(address)


class Raw(str):
    """The text of a constexpr."""


def cdiv(a, b):
    return -(-a // b)


def poison(*shape, dtype=np.float32):
    return np.full(shape, np.nan if np.dtype(dtype).kind == "f" else -1, dtype)


# --- Tutorials ---------------------------------------------------------------------------------------

def vector_add(s, rng):
    n = 98432 // 8
    x, y = (rng.random(n).astype(np.float32) for _ in range(2))
    s.put(x=x, y=y, out=poison(n))
    s.run("01-vector-add.py", "add_kernel", ["x", "y", "out", n], {"BLOCK_SIZE": 1024},
          (cdiv(n, 1024),))
    yield "01 vector add", s.get("out"), x.astype(np.float64) + y, 1e-6


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def fused_softmax(s, rng):
    rows, cols = 123, 781
    x = rng.standard_normal((rows, cols)).astype(np.float32)
    s.put(x=x, out=poison(rows, cols))
    s.run("02-fused-softmax.py", "softmax_kernel", ["out", "x", cols, cols, rows, cols],
          {"BLOCK_SIZE": 1024, "num_stages": 4}, (16,), 8)
    yield "02 fused softmax", s.get("out"), softmax(x.astype(np.float64)), 1e-6


def matmul(s, rng):
    M, N, K = 200, 136, 160
    a, b = (rng.standard_normal(shape).astype(np.float16) for shape in ((M, K), (K, N)))
    s.put(a=a, b=b, c=poison(M, N, dtype=np.float16))
    want = a.astype(np.float64) @ b.astype(np.float64)
    for activation in ("", "leaky_relu"):
        s.run("03-matrix-multiplication.py", "matmul_kernel",
              ["a", "b", "c", M, N, K, K, 1, N, 1, N, 1],
              {"BLOCK_SIZE_M": 64, "BLOCK_SIZE_N": 32, "BLOCK_SIZE_K": 32, "GROUP_SIZE_M": 8,
               "ACTIVATION": activation}, (cdiv(M, 64) * cdiv(N, 32),))
        if activation:
            want = np.where(want >= 0, want, 0.01 * want)
        yield "03 matmul " + activation, s.get("c"), want, 2e-2


def philox(seed, offsets):
    """Philox 4x32-10 (Salmon et al., Parallel random numbers: as easy as 1, 2, 3, 2011): the first
    of the four words for each counter."""
    c = [offsets.astype(np.uint64), *(np.zeros_like(offsets, np.uint64) for _ in range(3))]
    key = [np.uint64(seed & 0xFFFFFFFF), np.uint64(seed >> 32)]
    mask = np.uint64(0xFFFFFFFF)
    for _ in range(10):
        wide_a, wide_b = c[0] * np.uint64(0xD2511F53), c[2] * np.uint64(0xCD9E8D57)
        c = [(wide_b >> np.uint64(32)) ^ c[1] ^ key[0], wide_b & mask,
             (wide_a >> np.uint64(32)) ^ c[3] ^ key[1], wide_a & mask]
        key = [(key[0] + np.uint64(0x9E3779B9)) & mask, (key[1] + np.uint64(0xBB67AE85)) & mask]
    return c[0].astype(np.uint32)


def dropout(s, rng):
    n, p = 5000, 0.5
    x = rng.standard_normal(n).astype(np.float32)
    keep = rng.random(n) > p
    s.put(x=x, keep=keep, out=poison(n))
    s.run("04-low-memory-dropout.py", "_dropout", ["x", "keep", "out", n, p], {"BLOCK_SIZE": 1024},
          (cdiv(n, 1024),))
    yield "04 dropout", s.get("out"), np.where(keep, x.astype(np.float64) / (1 - p), 0), 1e-6
    for seed in (123, 512):
        s.run("04-low-memory-dropout.py", "_seeded_dropout", ["x", "out", n, p, seed],
              {"BLOCK_SIZE": 1024}, (cdiv(n, 1024),))
        word = philox(seed, np.arange(n)).view(np.int32)
        uniform = np.where(word < 0, ~word, word) * 4.6566127342e-10
        yield f"04 seeded dropout {seed}", s.get("out"), np.where(uniform > p, x / (1.0 - p), 0), 1e-6


def layer_norm(s, rng):
    M, N, group = 40, 500, 16
    x, dy = (rng.standard_normal((M, N)).astype(np.float16) for _ in range(2))
    w, b = (rng.random(N).astype(np.float16) for _ in range(2))
    eps = 1e-5
    s.put(x=x, dy=dy, w=w, b=b, y=poison(M, N, dtype=np.float16), mean=poison(M), rstd=poison(M),
          dx=poison(M, N, dtype=np.float16), part_w=np.zeros((group, N), np.float16),
          part_b=np.zeros((group, N), np.float16), dw=poison(N, dtype=np.float16),
          db=poison(N, dtype=np.float16), locks=np.zeros(2 * group, np.int32))
    file = "05-layer-norm.py"
    s.run(file, "_layer_norm_fwd_fused", ["x", "y", "w", "b", "mean", "rstd", N, N, eps],
          {"BLOCK_SIZE": 512}, (M,))
    x, dy, w, b = (v.astype(np.float64) for v in (x, dy, w, b))
    mean, var = x.mean(axis=1, keepdims=True), x.var(axis=1, keepdims=True)
    rstd = 1 / np.sqrt(var + eps)
    hat = (x - mean) * rstd
    yield "05 layer norm", s.get("y"), hat * w + b, 5e-3
    s.run(file, "_layer_norm_bwd_dx_fused",
          ["dx", "dy", "part_w", "part_b", "x", "w", "mean", "rstd", "locks", N, N],
          {"GROUP_SIZE_M": group, "BLOCK_SIZE_N": 512}, (M,))
    wdy = w * dy
    dx = (wdy - hat * (hat * wdy).mean(1, keepdims=True) - wdy.mean(1, keepdims=True)) * rstd
    yield "05 layer norm, dx", s.get("dx"), dx, 1e-2
    s.run(file, "_layer_norm_bwd_dwdb", ["part_w", "part_b", "dw", "db", group, N],
          {"BLOCK_SIZE_M": 32, "BLOCK_SIZE_N": 128}, (cdiv(N, 128),))
    yield "05 layer norm, dw", s.get("dw"), (dy * hat).sum(0), 3e-2
    yield "05 layer norm, db", s.get("db"), dy.sum(0), 3e-2


def attention(s, rng):
    Z, H, S, D = 1, 2, 256, 64
    scale = 0.5
    q, k, v, do = (rng.normal(0, 0.5, (Z, H, S, D)).astype(np.float16) for _ in range(4))
    for causal in (True, False):
        s.put(q=q, k=k, v=v, do=do, out=poison(Z, H, S, D, dtype=np.float16), lse=poison(Z, H, S),
              delta=poison(Z, H, S), **{name: poison(Z, H, S, D, dtype=np.float16)
                                        for name in ("dq", "dk", "dv")})
        file = "06-fused-attention.py"
        s.run(file, "_attn_fwd", [scale, "lse", Z, H, "q", "k", "v", "out", S],
              {"HEAD_DIM": D, "BLOCK_M": 64, "BLOCK_N": 32, "FP8_OUTPUT": False,
               "STAGE": 3 if causal else 1, "warp_specialize": False, "IS_HOPPER": False},
              (cdiv(S, 64), Z * H))
        Q, K, V, DO = (t.astype(np.float64) for t in (q, k, v, do))
        scores = Q @ K.swapaxes(2, 3) * scale
        if causal:
            scores = np.where(np.tril(np.ones((S, S), bool)), scores, -np.inf)
        p = softmax(scores)
        out = p @ V
        title = "06 attention" + (", causal" if causal else "")
        yield title, s.get("out"), out, 1e-2
        s.put(scaled_k=(k * np.float16(scale * 1.4426950408889634)).astype(np.float16))
        s.run(file, "_attn_bwd_preprocess", ["out", "do", "delta", Z, H, S],
              {"BLOCK_M": 128, "HEAD_DIM": D}, (cdiv(S, 128), Z * H))
        s.run(file, "_attn_bwd",
              ["q", "scaled_k", "v", scale, "do", "dq", "dk", "dv", "lse", "delta", H * S * D, S * D, D, 1,
               H, S],
              {"BLOCK_M1": 32, "BLOCK_N1": 128, "BLOCK_M2": 128, "BLOCK_N2": 32,
               "BLK_SLICE_FACTOR": 2, "HEAD_DIM": D, "CAUSAL": causal}, (cdiv(S, 128), 1, Z * H))
        dv = p.swapaxes(2, 3) @ DO
        dp = DO @ V.swapaxes(2, 3)
        ds = p * (dp - (dp * p).sum(-1, keepdims=True))
        yield title + ", dv", s.get("dv"), dv, 1e-2
        yield title + ", dk", s.get("dk"), ds.swapaxes(2, 3) @ Q * scale, 1e-2
        yield title + ", dq", s.get("dq"), ds @ K * scale, 1e-2


def grouped_gemm(s, rng):
    sizes = [(128, 64, 96), (64, 128, 64), (192, 64, 32)]
    for tma in (False, True):
        want, lds = [], []
        for i, (M, N, K) in enumerate(sizes):
            a, b = (rng.standard_normal(shape).astype(np.float16) for shape in ((M, K), (K, N)))
            want.append(a.astype(np.float64) @ b.astype(np.float64))
            s.put(**{f"a{i}": a, f"b{i}": b.T if tma else b, f"c{i}": poison(M, N, dtype=np.float16)})
            lds += [K, K if tma else N, N]
        tables = {f"{m}_table": np.array([s.addresses[f"{m}{i}"] for i in range(len(sizes))], np.int64)
                  for m in "abc"}
        s.put(sizes=np.array(sizes, np.int32), lds=np.array(lds, np.int32), **tables)
        args = ["a_table", "b_table", "c_table", "sizes", "lds", len(sizes)]
        defines = {"NUM_SM": 4, "BLOCK_SIZE_M": 64, "BLOCK_SIZE_N": 64, "BLOCK_SIZE_K": 32}
        if tma:
            s.run("08-grouped-gemm.py", "grouped_matmul_tma_kernel", args, {**defines, "FP8": False}, (4,))
        else:
            s.run("08-grouped-gemm.py", "grouped_matmul_kernel", args, defines, (4,))
        for i, expected in enumerate(want):
            yield f"08 grouped gemm{', descriptors' if tma else ''}, {i}", s.get(f"c{i}"), expected, 3e-2


# --- Puzzles -------------------------------------------------------------------------------------------

def puzzles(s, rng):
    def run(kernel, args, defines, grid):
        s.run(os.path.join(HERE, "puzzles.py"), kernel, args, defines, grid)

    def uniform(*shape):
        return (rng.random(shape) - 0.5).astype(np.float32)

    x = uniform(32)
    s.put(x=x, z=poison(32))
    run("add_kernel", ["x", "z", 32], {"B0": 32}, (1,))
    yield "puzzle 1", s.get("z"), x + 10.0, 1e-6
    x = uniform(200)
    s.put(x=x, z=poison(200))
    run("add_mask2_kernel", ["x", "z", 200], {"B0": 32}, (7,))
    yield "puzzle 2", s.get("z"), x + 10.0, 1e-6
    x, y = uniform(32), uniform(32)
    s.put(x=x, y=y, z=poison(32, 32))
    run("add_vec_kernel", ["x", "y", "z", 32, 32], {"B0": 32, "B1": 32}, (1,))
    yield "puzzle 3", s.get("z"), x[None, :] + y[:, None], 1e-6
    x, y, dz, x2 = uniform(100), uniform(90), uniform(90, 100), uniform(90, 100)
    s.put(x=x, y=y, z=poison(90, 100), x2=x2, dz=dz, dx=poison(90, 100))
    blocks = {"B0": 32, "B1": 32}
    run("add_vec_block_kernel", ["x", "y", "z", 100, 90], blocks, (4, 3))
    yield "puzzle 4", s.get("z"), x[None, :] + y[:, None], 1e-6
    run("mul_relu_block_kernel", ["x", "y", "z", 100, 90], blocks, (4, 3))
    yield "puzzle 5", s.get("z"), np.maximum(x[None, :].astype(np.float64) * y[:, None], 0), 1e-6
    run("mul_relu_block_back_kernel", ["x2", "y", "dz", "dx", 100, 90], blocks, (4, 3))
    yield "puzzle 6", s.get("dx"), np.where(x2 * y[:, None] > 0, dz * y[:, None], 0), 1e-6
    x = uniform(4, 200)
    s.put(x=x, z=poison(4), zz=poison(4, 200))
    run("sum_kernel", ["x", "z", 4, 32, 200], {"B0": 1, "B1": 32}, (4,))
    yield "puzzle 7", s.get("z"), x.astype(np.float64).sum(1), 1e-5
    run("softmax_kernel", ["x", "zz", 4, 32, 200], {"B0": 1, "B1": 32}, (4,))
    yield "puzzle 8", s.get("zz"), softmax(x.astype(np.float64)), 1e-6
    q, k, v = uniform(200), uniform(200), uniform(200)
    s.put(q=q, k=k, v=v, z=poison(200))
    run("flashatt_kernel", ["q", "k", "v", "z", 200, 200], {"B0": 64, "B1": 32}, (4,))
    yield ("puzzle 9", s.get("z"), softmax(q[:, None].astype(np.float64) * k[None, :]) @
           v.astype(np.float64), 1e-5)
    x, k = uniform(4, 8, 8), uniform(4, 4)
    s.put(x=x, k=k, z=poison(4, 8, 8))
    run("conv2d_kernel", ["x", "k", "z", 4, 8, 8], {"KH": 4, "KW": 4, "B0": 1}, (4,))
    padded = np.pad(x.astype(np.float64), ((0, 0), (0, 4), (0, 4)))
    want = sum(k[i, j] * padded[:, i:i + 8, j:j + 8] for i in range(4) for j in range(4))
    yield "puzzle 10", s.get("z"), want, 1e-5
    x, y = uniform(4, 32, 32), uniform(4, 32, 32)
    s.put(x=x, y=y, z=poison(4, 32, 32))
    run("dot_kernel", ["x", "y", "z", 32, 32, 4, 32], {"B0": 16, "B1": 16, "B2": 1, "B_MID": 16},
        (2, 2, 4))
    yield "puzzle 11", s.get("z"), x.astype(np.float64) @ y, 5e-3  # the operands are tf32
    scale, activation = uniform(32, 8), uniform(64, 32)
    offset = rng.integers(-2**31, 2**31, 32).astype(np.int32)
    weight = rng.integers(-2**31, 2**31, (32, 8)).astype(np.int32)
    s.put(scale=scale, offset=offset, weight=weight, activation=activation, z=poison(32, 32))
    run("quant_dot_kernel", ["scale", "offset", "weight", "activation", "z", 32, 32, 64],
        {"B0": 16, "B1": 16, "B_MID": 64}, (2, 2))
    nibbles = np.arange(8) * 4
    values = (weight[:, :, None] >> nibbles) & 15
    shift = ((offset[:, None] >> nibbles) & 15)[:, :, None]
    dense = (scale[:, :, None] * (values - shift)).reshape(32, 64).astype(np.float64)
    yield "puzzle 12", s.get("z"), dense @ activation, 2e-2  # the operands are tf32


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1])
    parser.add_argument("--tutorials")
    parser.add_argument("--device", default="cuda:0")
    parser.add_argument("--library")
    parser.add_argument("--json")
    parser.add_argument("--only", default="")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    library = libtilec.Library(options.library)
    device = library.open(options.device)
    parts = [puzzles]
    if options.tutorials:
        parts = [vector_add, fused_softmax, matmul, dropout, layer_norm, attention, grouped_gemm, puzzles]
    rows, failures = [], 0
    for part in parts:
        if options.only not in part.__name__:
            continue
        session = Session(library, device, os.path.abspath(options.tutorials or "."))
        try:
            for title, got, want, tolerance in part(session, np.random.default_rng(options.seed)):
                error = float(np.nan_to_num(np.abs(got - want) / (1 + np.abs(want)), nan=np.inf).max())
                failures += error > tolerance
                print(f"{title:32} {'FAILED' if error > tolerance else 'right'}  "
                      f"largest error {error:.2g}, {tolerance:.2g} allowed", flush=True)
                rows.append({"case": title, "error": error, "tolerance": tolerance})
        except libtilec.TilecError as error:
            failures += 1
            print(f"{part.__name__}: FAILED\n     " + str(error).replace("\n", "\n     "), flush=True)
            rows.append({"case": part.__name__, "failure": str(error)})
        session.close()
    print(f"{len(rows)} results, {failures} failed")
    if options.json:
        with open(options.json, "w") as file:
            json.dump({"device": device.description, "seed": options.seed, "results": rows}, file, indent=1)
    return 1 if failures or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
