#!/usr/bin/env python3
"""Casts, integers, extremes, functions of libdevice and random numbers on a device against the
interpreter, by `tile-run --compare=ref`: exactly, but for functions, which have bounds in ulp. Prints a
line each; exit status 1 if any is wrong. Needs no PyTorch.

usage: bench/number_check.py [--device=cuda] [--tile-run=FILE] [--only=WORD] [-v]
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

BUILT = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "build", "dev", "bin", "tile-run")
BITS = {"fp8e4nv": 8, "fp8e5": 8, "fp16": 16, "bf16": 16, "fp32": 32, "fp64": 64}
INTS = {"i8": "int8", "u8": "uint8", "i16": "int16", "u16": "uint16", "i32": "int32", "u32": "uint32", "i64": "int64",
        "u64": "uint64"}
LONG = {"fp8e4nv": "float8e4nv", "fp8e5": "float8e5", "fp16": "float16", "bf16": "bfloat16", "fp32": "float32",
        "fp64": "float64"}
BLOCK = 1024


def cast_kernel(source):
    """All codes of the narrow formats, two million of the wide ones, to every other format."""
    bits = BITS[source]
    count = min(1 << bits, 1 << 21) if bits > 8 else BLOCK
    # An odd factor visits all exponents; the low bits are those that decide roundings.
    value = {32: "i.to(tl.uint32) * 4079 * 512 + i.to(tl.uint32) % 5 * 4096 - 2",
             64: "(i.to(tl.uint64) * 8796093022 * 4096 + 1) ^ (i.to(tl.uint64) % 3 << 28)"}
    code = value.get(bits, f"(i % {1 << bits}).to(tl.uint{bits})")
    outs, stores = {}, ""
    for target in BITS:
        for mode in ("rtne", "rtz"):
            if target == source or (mode == "rtz" and BITS[target] >= bits):
                continue
            name = f"{target}_{mode}"
            outs[name] = target
            rounding = f', fp_downcast_rounding="{mode}"' if BITS[target] < bits else ""
            stores += f"    tl.store({name} + i, v.to(tl.{LONG[target]}{rounding}))\n"
    # Out of range too, and NaN; fp8 goes through another float.
    for target in INTS if bits > 8 else ():
        outs[target] = target
        stores += f"    tl.store({target} + i, v.to(tl.{INTS[target]}))\n"
    return f"    v = ({code}).to(tl.{LONG[source]}, bitcast=True)\n" + stores, outs, count


def int_kernel(kind):
    """Edges against edges: division, remainder, shifts by any amount, products, their upper halves."""
    bits = int(kind[1:])
    edge = f"tl.where(j < 8, j - 4, tl.where(j < 16, ((wide * 0 + 1) << {bits - 1}) + j - 12, j * {min(bits, 31)} // 16))"
    body = f"""    wide = i.to(tl.int64)
    j = wide % 32
    a = ({edge}).to(tl.{INTS[kind]})
    j = wide // 32
    b = ({edge}).to(tl.{INTS[kind]})
    d = tl.where(b == 0, 1, b)
"""
    outs = {}
    for name, expression in (("quotient", "a // d"), ("rest", "a % d"), ("left", "a << b"), ("right", "a >> b"),
                             ("product", "a * b"), ("least", "tl.minimum(a, b)"), ("most", "tl.maximum(a, b)")):
        outs[name] = kind
        body += f"    tl.store({name} + i, {expression})\n"
    for target in ("fp16", "bf16", "fp32", "fp64"):
        outs[target] = target
        body += f"    tl.store({target} + i, a.to(tl.{LONG[target]}))\n"
    return body, outs, BLOCK


def extreme_kernel(kind):
    """NaN, infinities and zeros at every place."""
    special = ("tl.where(j == 0, 0.0, tl.where(j == 1, -0.0, tl.where(j == 2, float('inf'), tl.where(j == 3, "
               "float('-inf'), tl.where(j == 4, float('nan'), tl.where(j == 5, 1.0, tl.where(j == 6, -1.0, 6e-8)))))))")
    body = ""
    for name, index in (("a", "i % 8"), ("b", "i // 8 % 8"), ("c", "i // 64 % 8")):
        body += f"    j = {index}\n    {name} = ({special}).to(tl.{LONG[kind]})\n"
    outs = {}
    for mode in ("NONE", "ALL"):
        for name, call in (("most", "maximum(a, b"), ("least", "minimum(a, b"), ("clamped", "clamp(a, b, c")):
            outs[f"{name}_{mode}"] = kind
            body += f"    tl.store({name}_{mode} + i, tl.{call}, propagate_nan=tl.PropagateNan.{mode}))\n"
    return body, outs, BLOCK


# Function: (arguments, bound in ulp for fp32, for fp64). `x` has every exponent, `z` is within 26 of 0,
# `u` within 1.
FUNCTIONS = {
    "acos": ("u", 3, 3), "acosh": ("tl.abs(z) + 1.0", 5, 3), "add_rd": ("x, z", 0, 0), "add_ru": ("x, z", 0, 0),
    "add_rz": ("x, z", 0, 0), "asin": ("u", 4, 4), "asinh": ("z", 5, 3), "atan": ("x", 4, 3),
    "atan2": ("x, z", 4, 3), "atanh": ("u", 6, 4), "cbrt": ("x", 3, 3), "ceil": ("x", 0, 0),
    "copysign": ("x, z", 0, 0), "cos": ("z", 4, 4), "cosh": ("z", 9, 4), "cospi": ("z", 4, 4),
    "cyl_bessel_i0": ("z", 1, 6), "cyl_bessel_i1": ("z", 1, 6),
    "div_rd": ("x, z", 0, 0), "div_ru": ("x, z", 0, 0), "div_rz": ("x, z", 0, 0), "erf": ("z", 3, 3),
    "erfc": ("z * 0.4", 9, 6), "erfcinv": ("u + 1.0", 8, 6), "erfcx": ("z * 0.4", 9, 6), "erfinv": ("u", 6, 6),
    "exp": ("z", 6, 3), "exp10": ("z", 6, 3), "exp2": ("z", 4, 3), "expm1": ("z", 3, 3), "fdim": ("x, z", 0, 0),
    "fma_rd": ("x, z, u", 0, 0), "fma_ru": ("x, z, u", 0, 0), "fma_rz": ("x, z, u", 0, 0), "hypot": ("x, z", 3, 3),
    "j0": ("z * 0.3", 1, 8), "j1": ("z * 0.3", 1, 8), "jn": ("i % 9, z * 0.1", 1, 80),
    "ldexp": ("x, i % 300 - 150", 0, 0), "lgamma": ("tl.abs(z) + 3.0", 3, 99), "log": ("tl.abs(x)", 3, 3),
    "log10": ("tl.abs(x)", 3, 3), "log1p": ("tl.abs(z)", 3, 3), "log2": ("tl.abs(x)", 3, 3), "logb": ("x", 0, 0),
    "mul_rd": ("x, z", 0, 0), "mul_ru": ("x, z", 0, 0), "mul_rz": ("x, z", 0, 0), "nextafter": ("x, z", 0, 0),
    "norm3d": ("x, z, u", 3, 3), "norm4d": ("x, z, u, u", 3, 3), "normcdf": ("z", 9, 6), "normcdfinv": ("tl.abs(u)", 9, 9),
    "pow": ("tl.abs(x), z * 0.1", 3, 3), "rcbrt": ("x", 4, 4), "rcp_rd": ("x", 0, 0), "rcp_ru": ("x", 0, 0),
    "rcp_rz": ("x", 0, 0), "rhypot": ("x, z", 5, 4), "rint": ("x", 0, 0), "round": ("x", 0, 0), "rsqrt": ("tl.abs(x)", 3, 3),
    "sin": ("z", 4, 4), "sinh": ("z", 9, 4), "sinpi": ("z", 4, 4), "sqrt_rd": ("x", 0, 0), "sqrt_rn": ("x", 0, 0),
    "sqrt_ru": ("x", 0, 0), "sqrt_rz": ("x", 0, 0), "tan": ("z", 8, 5), "tanh": ("z", 4, 3), "tgamma": ("z", 3, 60),
    "trunc": ("x", 0, 0), "y0": ("tl.abs(z) * 0.3", 1, 8), "y1": ("tl.abs(z) * 0.3", 1, 8),
    "yn": ("i % 9, tl.abs(z) * 0.1", 1, 80),
}


def function_kernel(name, kind):
    arguments, single, double = FUNCTIONS[name]
    bits = "(i.to(tl.uint32) * 32749 + 12345)" if kind == "fp32" else "(i.to(tl.uint64) * 140668768878593 + 12345678901)"
    long = LONG[kind]
    body = f"""    x = {bits}.to(tl.{long}, bitcast=True)
    u = (i * 7919 % 4001 - 2000).to(tl.{long}) / 2048.0
    z = tl.math.mul_rn(u, 26.0)
    tl.store(y + i, tl.extra.cuda.libdevice.{name}({arguments}))
"""
    return body, {"y": kind}, 1 << 17, single if kind == "fp32" else double


def random_kernel():
    body, outs = "", {}
    for name, kind, call in (("words", "u32", "randint(seed, i)"), ("uniform", "fp32", "rand(seed, i)"),
                             ("wide", "u32", "randint(seed, i.to(tl.int64) << 20)")):
        outs[name] = kind
        body += f"    tl.store({name} + i, tl.{call})\n"
    return body, outs, 1 << 16


def run(options, title, body, outs, count, bound=0, extra=""):
    text = "@triton.jit\ndef k(" + ", ".join(f'{name}: "*{kind}"' for name, kind in outs.items())
    text += (", " + extra if extra else "") + f"):\n    i = tl.program_id(0) * {BLOCK} + tl.arange(0, {BLOCK})\n" + body
    with tempfile.NamedTemporaryFile("w", suffix=".tile", delete=False) as file:
        file.write(text)
    command = [options.tile_run, file.name, f"--device={options.device}", f"--grid={count // BLOCK}", "--compare=ref",
               # What is not equal counts as a mismatch; functions are judged by their ulp below.
               "--rtol=0", "--atol=0"]
    for name, kind in outs.items():
        command += ["--arg", f"{name}=empty({count}):{kind}"]
    if extra:
        command += ["--arg", "seed=81985529216486895:i64"]
    result = subprocess.run(command, capture_output=True, text=True)
    os.unlink(file.name)
    output = result.stdout + result.stderr
    rows = re.findall(r"^(\w+) +(\S+) +(\S+) +(\d+) +0 +0 ", output[output.find("compared with"):], re.M)
    if len(rows) != len(outs):
        print(f"{title}: failed\n{output}")
        return False
    worst = max(float(row[2]) for row in rows)
    mismatches = sum(int(row[3]) for row in rows)
    good = worst <= bound if bound else mismatches == 0
    if options.v or not good:
        print(f"{title}: {mismatches} of {count * len(rows)} differ, at most {worst:g} ulp"
              + ("" if good else f", allowed are {bound}"), flush=True)
    return good


def main():
    parser = argparse.ArgumentParser(description="check numbers on a device against the interpreter")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--tile-run", default=shutil.which("tile-run") or BUILT)
    parser.add_argument("--only", default="", help="what the titles must contain")
    parser.add_argument("-v", action="store_true", help="a line for each kernel")
    options = parser.parse_args()
    if not shutil.which(options.tile_run):
        parser.error("no tile-run: build it with './dev build dev tile-run' or pass --tile-run=FILE")
    work = [(f"casts of {kind}", *cast_kernel(kind)) for kind in BITS]
    work += [(f"integers {kind}", *int_kernel(kind)) for kind in INTS]
    work += [(f"extremes of {kind}", *extreme_kernel(kind)) for kind in ("fp16", "bf16", "fp32", "fp64")]
    work += [("random numbers", *random_kernel(), 0, 'seed: "i64"')]
    work += [(f"{name} of {kind}", *function_kernel(name, kind)) for name in FUNCTIONS for kind in ("fp32", "fp64")]
    work = [entry for entry in work if options.only in entry[0]]
    wrong = sum(not run(options, *entry) for entry in work)
    print(f"{len(work)} kernels, {wrong} wrong")
    return 1 if wrong or not work else 0


if __name__ == "__main__":
    sys.exit(main())
