#!/usr/bin/env python3
"""Runs the kernels of test/Integration/rules-*.tile on a device and on the reference interpreter; both must
store what the comments above each kernel say. Without --device the simulated GPU runs them. Prints what is
wrong and a count; exit status 1 if anything is. Needs no package.

usage: bench/rules.py [FILE...] [--device=cuda] [--tile-run=FILE] [--only=WORD] [--dump]

Above a kernel stand lines `# NAME = VALUES`, one for each parameter that is not a constexpr. Tensors named
`out...` hold zeros first and must end up with the values, `_` is any; the others begin with them. The
line `# options = ...` gives tile-run more options. A kernel with a parameter KNOWN runs
twice: with None, and with a tuple of what `x` holds (bits for floats), so that its operations fold. A type is `*i32` or the like.
"""
import argparse
import ast
import glob
import math
import os
import re
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CODES = {"i1": "?", "i8": "b", "u8": "B", "i16": "h", "u16": "H", "i32": "i", "u32": "I", "i64": "q", "u64": "Q",
         "fp16": "e", "bf16": "f", "fp32": "f", "fp64": "d"}
NUMPY = {"?": "|b1", "b": "|i1", "B": "|u1", "h": "<i2", "H": "<u2", "i": "<i4", "I": "<u4", "q": "<i8", "Q": "<u8",
         "e": "<f2", "f": "<f4", "d": "<f8"}


class Kernel:
    def __init__(self, path, comment, name, parameters):
        self.path, self.name = path, name
        self.types = dict(re.findall(r'(\w+)\s*:\s*"(.*?)"', parameters))
        self.folds = "KNOWN" in parameters
        self.values = {key: value.split() for key, value in re.findall(r"^# (\w+) = (.*)$", comment, re.M)}
        self.options = shlex.split(" ".join(self.values.pop("options", ["--grid=1"])))

    def numbers(self, name):
        kind = self.types[name][1:]
        convert = float if CODES[kind] in "efd" else lambda text: int(text, 0)
        return [None if text == "_" else convert(text) for text in self.values[name]]


def kernels(path):
    with open(path) as file:
        text = file.read()
    found = re.findall(r"((?:^#.*\n)*)@triton\.jit\ndef (\w+)\(((?:[^()]|\([^()]*\))*)\):", text, re.M)
    return [Kernel(path, *groups) for groups in found if re.search(r"^# out\w* = ", groups[0], re.M)]


def write(path, code, numbers):
    header = f"{{'descr': '{NUMPY[code]}', 'fortran_order': False, 'shape': ({len(numbers)},), }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        file.write(struct.pack(f"<{len(numbers)}{code}", *numbers))


def read(path):
    with open(path, "rb") as file:
        data = file.read()
    length, = struct.unpack_from("<H", data, 8)
    header = ast.literal_eval(data[10:10 + length].decode())
    code = {value: key for key, value in NUMPY.items()}[header["descr"]]
    return list(struct.unpack_from(f"<{math.prod(header['shape'])}{code}", data, 10 + length))


def bits(code, number, kind):
    if kind == "bf16":
        return struct.unpack("<I", struct.pack("<f", number))[0] >> 16
    wide = {"e": "H", "f": "I", "d": "Q"}[code]
    return struct.unpack("<" + wide, struct.pack("<" + code, number))[0]


def same(got, want):
    """Equal, with the sign of zero; one NaN is as good as another."""
    if want is None:
        return True
    if isinstance(want, float):
        return math.isnan(got) if math.isnan(want) else got == want and math.copysign(1, got) == math.copysign(1, want)
    return int(got) == want


def run(options, kernel, device, known, folder):
    command = [options.tile_run, kernel.path, f"--kernel={kernel.name}", f"--device={device}", *kernel.options]
    outs = {}
    for name, kind in kernel.types.items():
        if not kind.startswith("*"):
            command += ["--arg", f"{name}={kernel.values[name][0]}:{kind}"]
            continue
        kind = kind[1:]
        numbers, file, code = kernel.numbers(name), os.path.join(folder, f"{name}.npy"), CODES[kind]
        if name.startswith("out"):
            outs[name] = (numbers, file)
            command += ["--arg", f"{name}=zeros({len(numbers)}):{kind}", "--save", f"{name}={file}"]
            continue
        write(file, code, numbers)
        command += ["--arg", f"{name}=@{file}:{kind}"]
        if name == "x" and known:
            # A bool is one, and of a tuple of one the comma makes it a tuple.
            items = [bits(code, number, kind) if code in "efd" else number for number in numbers]
            command += ["-D", f"KNOWN=({', '.join(map(str, items))},)"]
    if kernel.folds and not known:
        command += ["-D", "KNOWN=None"]
    result = subprocess.run(command, capture_output=True, text=True)
    title = f"{os.path.basename(kernel.path)}: {kernel.name} on {device}{', known' if known else ''}"
    if result.returncode:
        print(f"{title}: tile-run failed\n{result.stdout}{result.stderr}")
        return False
    good = True
    for name, (numbers, file) in outs.items():
        stored = read(file)
        if options.dump:
            print(f"{title}: {name} =", *stored)
        for i, (got, want) in enumerate(zip(stored, numbers)):
            if not same(got, want):
                print(f"{title}: {name}[{i}] is {got}, not {want}")
                good = False
    return good


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1])
    parser.add_argument("files", nargs="*", default=sorted(glob.glob(f"{ROOT}/test/Integration/rules-*.tile")))
    parser.add_argument("--device", default="sim")
    parser.add_argument("--tile-run", default=shutil.which("tile-run") or f"{ROOT}/build/dev/bin/tile-run")
    parser.add_argument("--only", default="")
    parser.add_argument("--dump", action="store_true")
    options = parser.parse_args()
    if not shutil.which(options.tile_run):
        parser.error("no tile-run: build it with './dev build dev tile-run' or pass --tile-run=FILE")
    runs = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for kernel in (kernel for path in options.files for kernel in kernels(path) if options.only in kernel.name):
            for device in dict.fromkeys(("ref", options.device)):
                for known in (False, True) if kernel.folds else (False,):
                    runs += 1
                    failed += not run(options, kernel, device, known, folder)
    print(f"rules: {runs} launches, {failed} failed")
    return failed > 0 or not runs


if __name__ == "__main__":
    sys.exit(main())
