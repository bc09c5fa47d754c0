#!/usr/bin/env python3
"""Runs one kernel of examples/ on the simulated GPU over sizes, types, alignments and warp counts,
each held to the reference interpreter by tile-run.

usage: sweep.py EXAMPLES KERNEL [DEVICE]
"""
import os
import shlex
import subprocess
import sys

TYPES = ("fp32", "fp16", "bf16")
WARPS = (1, 2, 4, 8, 16)


def array(kind, shape, dtype):
    return f"{kind}({','.join(str(extent) for extent in shape)}):{dtype}"


def block_for(n):
    return max(1, 1 << (n - 1).bit_length())


def cdiv(a, b):
    return -(-a // b)


def pointwise(kernel, file, inputs, blocks):
    """One launch a (size, block, type, skew, warps) that tells something the others don't."""
    def launch(n, block, dtype="fp32", skew=0, warps=0):
        args = {name: array("randn", (n,), dtype) for name in inputs}
        args["out"] = array("zeros", (n,), dtype)
        return file, kernel, (cdiv(n, block),), {**args, "n": n}, {"BLOCK": block}, warps, skew

    for n in (1, 1000):
        for block in blocks:
            yield launch(n, block)
    yield launch(1_000_001, 1024)
    yield launch(1_000_001, 16384, skew=1)
    for dtype in TYPES:
        for warps in WARPS:
            yield launch(3000, 1024, dtype, 0, warps)
        for skew in (1, 2, 3):
            yield launch(4096, 1024, dtype, skew, 4)
    yield launch(4096, 1024, "fp16", 0)  # No ragged end, everything aligned: the widest accesses.


def rows_sweep(wide):
    """(rows, n, type, skew, warps): ragged, exact, tiny and very wide rows."""
    yield 1823, 781, "fp32", 0, 0
    for rows, n in ((3, 1), (5, 2), (7, 33), (4, 1000), (6, 4096)):
        for dtype in TYPES:
            yield rows, n, dtype, 0, 0
    for warps in WARPS:
        yield 9, 781, "fp32", 0, warps
        yield 5, 1024, "fp16", 0, warps
    for dtype in TYPES:
        for skew in (1, 2, 3):
            yield 5, 1000, dtype, skew, 4
    yield 2, wide, "fp32", 0, 0
    yield 2, wide - 3, "bf16", 1, 16


def vector_add():
    return pointwise("vector_add", "01-vector-add/vector_add.tile", ("x", "y"),
                     (32, 64, 256, 1024, 4096, 16384))


def gelu():
    return pointwise("gelu", "03-gelu/gelu.tile", ("x",), (64, 2048))


def softmax():
    for rows, n, dtype, skew, warps in rows_sweep(32768):
        args = {"x": array("randn", (rows, n), dtype),
                "out": array("zeros", (rows, n), dtype), "stride": n, "n": n}
        yield "02-softmax/softmax.tile", "softmax", (rows,), args, {"BLOCK": block_for(n)}, warps, skew
    # The stride is the memory's, not the row's; the columns between stay as they are.
    args = {"x": array("randn", (20, 800), "fp32"), "out": array("zeros", (20, 800), "fp32"),
            "stride": 800, "n": 781}
    yield "02-softmax/softmax.tile", "softmax", (20,), args, {"BLOCK": 1024}, 4, 0


def softmax_persistent():
    for rows, n, dtype, skew, warps in rows_sweep(32768):
        args = {"x": array("randn", (rows, n), dtype),
                "out": array("zeros", (rows, n), dtype), "stride": n, "rows": rows, "n": n}
        for grid in {1, min(4, rows)} if rows < 100 else {13}:
            yield ("02-softmax/softmax.tile", "softmax_persistent", (grid,), args,
                   {"BLOCK": block_for(n)}, warps, skew)


def softmax_unfused():
    file = "04-softmax-unfused/softmax_unfused.tile"
    for rows, n, dtype, skew, warps in rows_sweep(32768):
        sizes, defines = {"stride": n, "n": n}, {"BLOCK": block_for(n)}
        x, out = array("randn", (rows, n), dtype), array("zeros", (rows, n), dtype)
        wide, one = array("randn", (rows, n), "fp32"), array("randn", (rows,), "fp32")
        zeros = array("zeros", (rows,), "fp32")
        yield file, "row_max", (rows,), {"x": x, "peak": zeros, **sizes}, defines, warps, skew
        yield (file, "exp_and_sum", (rows,), {
            "x": x, "peak": array("full", (rows, "4.5"), "fp32"),
            "e": array("zeros", (rows, n), "fp32"), "total": zeros, **sizes}, defines, warps, skew)
        yield file, "divide_rows", (rows,), {"e": wide, "total": one, "out": out, **sizes}, defines, warps, skew


def layernorm():
    for rows, n, dtype, skew, warps in rows_sweep(16384):
        args = {"x": array("randn", (rows, n), dtype), "weight": array("randn", (n,), dtype),
                "bias": array("randn", (n,), dtype), "out": array("zeros", (rows, n), dtype),
                "stride": n, "n": n, "eps": "1e-5"}
        yield ("05-layernorm/layernorm.tile", "layernorm", (rows,), args, {"BLOCK": block_for(n)},
               warps, skew)


def rmsnorm():
    for rows, n, dtype, skew, warps in rows_sweep(16384):
        args = {"x": array("randn", (rows, n), dtype), "weight": array("randn", (n,), dtype),
                "out": array("zeros", (rows, n), dtype), "stride": n, "n": n, "eps": "1e-6"}
        yield "06-rmsnorm/rmsnorm.tile", "rmsnorm", (rows,), args, {"BLOCK": block_for(n)}, warps, skew


def transpose():
    def launch(rows, cols, dtype="fp32", skew=0, warps=0, tile=(64, 64)):
        args = {"x": array("randn", (rows, cols), dtype),
                "out": array("zeros", (cols, rows), dtype), "rows": rows, "cols": cols}
        return ("07-transpose/transpose.tile", "transpose",
                (cdiv(rows, tile[0]), cdiv(cols, tile[1])), args,
                {"TILE_R": tile[0], "TILE_C": tile[1]}, warps, skew)

    for dtype in TYPES:
        for shape in ((1, 1), (5, 300), (300, 5), (256, 128), (257, 129)):
            yield launch(*shape, dtype)
        for warps in WARPS:
            yield launch(100, 70, dtype, 0, warps)
        for skew in (1, 2, 3):
            yield launch(64, 128, dtype, skew, 4)
    for tile in ((1, 64), (64, 1), (8, 128), (128, 8), (32, 32), (16, 64), (128, 64)):
        yield launch(200, 150, tile=tile)


def argmax():
    for rows, n, dtype, skew, warps in rows_sweep(32768):
        args = {"x": array("randn", (rows, n), dtype), "index": array("zeros", (rows,), "i32"),
                "stride": n, "n": n}
        yield "08-argmax/argmax.tile", "argmax", (rows,), args, {"BLOCK": block_for(n)}, warps, skew
        # Few different values: the first of equal ones must win.
        if dtype == "fp32" and not skew:
            ties = {**args, "x": f"randint(0,3,{rows},{n}):fp32"}
            yield "08-argmax/argmax.tile", "argmax", (rows,), ties, {"BLOCK": block_for(n)}, warps, skew


def matvec():
    def launch(m, k, dtype="fp32", skew=0, warps=0, block=(16, 128)):
        args = {"a": array("randn", (m, k), dtype), "x": array("randn", (k,), dtype),
                "y": array("zeros", (m,), dtype), "m": m, "k": k, "stride": k}
        return ("09-matvec/matvec.tile", "matvec", (cdiv(m, block[0]),), args,
                {"BLOCK_M": block[0], "BLOCK_K": block[1]}, warps, skew)

    for dtype in TYPES:
        for shape in ((1, 1), (33, 1000), (64, 512), (100, 129)):
            yield launch(*shape, dtype)
        for warps in WARPS:
            yield launch(50, 300, dtype, 0, warps)
        for skew in (1, 2, 3):
            yield launch(20, 256, dtype, skew, 4)
    for block in ((1, 256), (4, 64), (64, 16), (128, 4)):
        yield launch(70, 200, block=block)


# A sum over k products of unit normals grows with sqrt(k), its cancellation does not shrink.
TOLERANCES = {"matvec": {"fp32": ("1e-5", "1e-4"), "fp16": ("2e-3", "2e-2"), "bf16": ("2e-2", "2e-1")}}


def signature(args, defines, skew):
    """The types that the arguments have, for a kernel whose annotations say fp32."""
    parts = []
    for name, value in args.items():
        dtype = str(value).rpartition(":")[2]
        if isinstance(value, int):
            parts.append("i32:16" if value % 16 == 0 else "i32")
        elif "(" not in value:
            parts.append("fp32")
        else:
            aligned = skew * (4 if dtype.endswith("32") else 2) % 16 == 0
            parts.append("*" + dtype + (":16" if aligned else ""))
    return ", ".join(parts + ["constexpr"] * len(defines))


def command(examples, device, launch):
    file, kernel, grid, args, defines, warps, skew = launch
    line = ["tile-run", os.path.join(examples, file), f"--kernel={kernel}", f"--device={device}",
            "--grid=" + ",".join(str(extent) for extent in grid), "--compare=ref"]
    for name, value in defines.items():
        line += ["-D", f"{name}={value}"]
    for name, value in args.items():
        line += ["--arg", f"{name}={value}"]
    if any(str(value).endswith((":fp16", ":bf16")) for value in args.values()):
        line.append("--signature=" + signature(args, defines, skew))
    if skew:
        line.append(f"--misalign={skew}")
    if warps:
        line.append(f"--num-warps={warps}")
    for dtype, (rtol, atol) in TOLERANCES.get(kernel, {}).items():
        if any(f":{dtype}" in str(value) for value in args.values()):
            line += [f"--rtol={rtol}", f"--atol={atol}"]
    return line


def main():
    examples, kernel = sys.argv[1:3]
    device = sys.argv[3] if len(sys.argv) > 3 else "sim"
    count, failed = 0, 0
    for launch in globals()[kernel]():
        line = command(examples, device, launch)
        run = subprocess.run(line, capture_output=True, text=True, check=False)
        count += 1
        if run.returncode != 0 or " ok\n" not in run.stdout:
            failed += 1
            print(f"FAILED ({run.returncode}): {shlex.join(line)}\n{run.stdout}{run.stderr}")
            if failed == 5:
                break
    print(f"{kernel}: {count} launches, {failed} failed")
    return 1 if failed or not count else 0


if __name__ == "__main__":
    sys.exit(main())
