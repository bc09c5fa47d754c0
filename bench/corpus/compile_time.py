#!/usr/bin/env python3
"""How long public kernels take from source text to PTX: by tilec and by Triton, in one warm process.

usage: bench/corpus/compile_time.py MANIFEST TREES --slices=DIR [options]

tilec reads the kernel's original file and what it imports, through libtilec. Triton gets DIR/ID.py,
the kernel's self-contained text, imported beforehand: its time is that of its stages from the syntax
tree to PTX, without the import, its cache and the assembler. Both compile a kernel in turn, --reps times
or until half a second is spent, and the median counts. Needs Triton. Exit status 1 if the ratio of tilec
to Triton exceeds --require at the median, the 90th or the 99th percentile.
"""
import argparse
import importlib.util
import json
import os
import statistics
import sys
import time
import warnings

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import corpus  # noqa: E402
import libtilec  # noqa: E402

import triton  # noqa: E402
import triton.language as tl  # noqa: E402
from triton._C.libtriton import ir  # noqa: E402
from triton.backends.compiler import GPUTarget  # noqa: E402
from triton.compiler.compiler import ASTSource, make_backend  # noqa: E402

DTYPES = {"fp16": tl.float16, "bf16": tl.bfloat16, "fp32": tl.float32, "fp64": tl.float64,
          "fp8e4nv": tl.float8e4nv, "fp8e5": tl.float8e5, "i1": tl.int1, "i8": tl.int8, "i16": tl.int16,
          "i32": tl.int32, "i64": tl.int64, "u8": tl.uint8, "u16": tl.uint16, "u32": tl.uint32,
          "u64": tl.uint64}


def constant(value, module):
    """A value of the manifest's `constexprs` as Triton takes it."""
    if isinstance(value, dict):
        return DTYPES[value["dtype"]] if "dtype" in value else getattr(module, value["fn"])
    if isinstance(value, list):
        return tuple(constant(v, module) for v in value)
    return value


def import_file(path):
    spec = importlib.util.spec_from_file_location("kernel_" + str(abs(hash(path))), path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Triton:
    """Triton's stages up to PTX, for one GPU."""

    def __init__(self, capability):
        self.target = GPUTarget("cuda", capability, 32)
        self.backend = make_backend(self.target)

    def prepare(self, kernel, slices):
        """A function that compiles the kernel and returns its PTX."""
        module = import_file(os.path.join(slices, kernel.id + ".py"))
        function = getattr(module, kernel.row["entry"])
        constants = {name: constant(value, module) for name, value in kernel.row["constexprs"].items()}

        def compile():
            source = ASTSource(function, dict(kernel.row["signature"]), constants)
            options = self.backend.parse_options({"num_warps": kernel.num_warps,
                                                  "num_stages": kernel.row["num_stages"]})
            context = ir.context()
            ir.load_dialects(context)
            self.backend.load_dialects(context)
            stages = {}
            self.backend.add_stages(stages, options, source.language)
            metadata = {"target": self.target, **options.__dict__}
            result = source.make_ir(self.target, options, self.backend.get_codegen_implementation(options),
                                    self.backend.get_module_map(), context)
            for name, stage in stages.items():
                result = stage(result, metadata)
                if name == "ptx":
                    return result

        return compile


def timed(run):
    begin = time.perf_counter()
    run()
    return 1e3 * (time.perf_counter() - begin)


def measure(contenders, reps):
    """{name: function} -> {name: median ms}; the contenders take turns."""
    times = {name: [] for name in contenders}
    for _ in range(reps):
        for name, run in contenders.items():
            times[name].append(timed(run))
        if sum(map(sum, times.values())) > 500:
            break
    return {name: statistics.median(values) for name, values in times.items()}


def percentile(values, percent):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))]


def print_table(records):
    """Prints the percentiles; returns the largest ratio of them."""
    rows = [("tilec, ms", [r["tilec_ms"] for r in records]), ("Triton, ms", [r["triton_ms"] for r in records]),
            ("ratio of one kernel's times", [r["tilec_ms"] / r["triton_ms"] for r in records])]
    columns = (50, 90, 99)
    print("| | median | p90 | p99 |\n|---|---:|---:|---:|")
    table = {}
    for name, values in rows:
        table[name] = [percentile(values, percent) for percent in columns]
        digits = 3 if "ratio" in name else 1
        print(f"| {name} | " + " | ".join(f"{value:.{digits}f}" for value in table[name]) + " |")
    ratios = [a / b for a, b in zip(table["tilec, ms"], table["Triton, ms"])]
    print("| ratio of the percentiles | " + " | ".join(f"{ratio:.3f}" for ratio in ratios) + " |")
    return max(ratios)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    corpus.add_options(parser)
    parser.add_argument("--library", help="libtilec.so (default: that of build/release)")
    parser.add_argument("--target", default="sm_90")
    parser.add_argument("--reps", type=int, default=3)
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every N-th kernel")
    parser.add_argument("--json", metavar="FILE", help="one line a kernel")
    parser.add_argument("--require", type=float, default=0.2, metavar="RATIO")
    options = parser.parse_args()
    if not options.slices:
        parser.error("Triton needs --slices=DIR")
    slices, options.slices = options.slices, None
    kernels = corpus.read_manifest(options)[::options.every]
    library = libtilec.Library(options.library)
    warnings.simplefilter("ignore")  # Triton's, of the kernels.
    reference = Triton(int(options.target.split("_")[1].rstrip("af")))

    records, failures, warm = [], [], False
    for kernel in kernels:
        path = kernel.source()

        def compile():
            return library.compile(path, kernel.entry(), kernel.signature(), kernel.defines(), kernel.num_warps,
                                   options.target, include_dirs=kernel.include_dirs()).ptx()

        try:
            contenders = {"tilec": compile, "Triton": reference.prepare(kernel, slices)}
            if not warm:
                measure(contenders, 2)
                warm = True
            times = measure(contenders, options.reps)
        except Exception as error:  # Triton raises what it likes.
            failures.append((kernel.id, str(error).strip().splitlines()[0] if str(error).strip() else repr(error)))
            continue
        records.append({"id": kernel.id, "tier": kernel.tier, "tilec_ms": times["tilec"],
                        "triton_ms": times["Triton"]})
    if options.json:
        with open(options.json, "w", encoding="utf8") as file:
            file.writelines(json.dumps(record) + "\n" for record in records)
    print(f"tilec {library.version()}, Triton {triton.__version__}: {len(records)} kernels, "
          f"{len(failures)} left out because one of them failed\n")
    if not records:
        raise SystemExit("nothing was measured; the first failure: " + ": ".join(failures[0]))
    for name, message in failures:
        print(f"left out {name}: {message}")
    worst = print_table(records)
    print("\nhighest ratios: " + ", ".join(
        f"{r['id']} {r['tilec_ms']:.0f}/{r['triton_ms']:.0f} ms"
        for r in sorted(records, key=lambda r: -r["tilec_ms"] / r["triton_ms"])[:5]))
    print("slowest: " + ", ".join(f"{r['id']} {r['tilec_ms']:.0f} ms"
                                  for r in sorted(records, key=lambda r: -r["tilec_ms"])[:5]))
    return int(worst > options.require)


if __name__ == "__main__":
    sys.exit(main())
