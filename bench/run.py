#!/usr/bin/env python3
"""tilec, Triton and PyTorch on the same buffers in one process: a table, a plot and JSON.

usage: bench/run.py [--library=FILE] [--only=SUBSTRING] [--reps=N] [--out=DIR] [--commit=ID]
                    [--no-compile-time]

Every figure is the median of --reps event-timed launches after a warm-up; a buffer larger than the L2
cache is written before each; the contenders take turns, so that all see the same clocks. Triton
compiles the same .tile file. Both compilers get the same choice of block sizes and warp counts and
report their best; `auto` is tilec's own choice of the warp count. Bandwidth counts each input once
and each output once. Exit status 1 if a result is wrong.
"""
import argparse
import datetime
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time

import torch

import cases
import libtilec
import plot

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SHAPES = [(32768, 1024), (32768, 4096), (16384, 8192), (8192, 16384), (4096, 32768), (4096, 4096),
          (1823, 781)]


def measure(contenders, reps):
    """{name: function} -> {name: median ms}. The contenders take turns."""
    flush = torch.empty(512 << 20, dtype=torch.uint8, device="cuda")
    times = {name: [] for name in contenders}
    for run in contenders.values():
        for _ in range(3):
            run()
    torch.cuda.synchronize()
    for _ in range(reps):
        events = {}
        for name, run in contenders.items():
            flush.zero_()
            start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            start.record()
            run()
            end.record()
            events[name] = (start, end)
        torch.cuda.synchronize()
        for name, (start, end) in events.items():
            times[name].append(start.elapsed_time(end))
    return {name: statistics.median(values) for name, values in times.items()}


def warp_choices(case):
    per_warp = case.elements() // 32
    return [w for w in (1, 2, 4, 8, 16, 32) if 4 <= per_warp // w <= 128] or [4]


class Bench:
    def __init__(self, options):
        self.options = options
        self.library = libtilec.Library(options.library)
        self.device = self.library.open("cuda:0")
        self.stream = torch.cuda.current_stream().cuda_stream
        try:
            import triton
            self.triton = triton.__version__
        except ImportError:
            self.triton = None
        self.rows, self.wrong = [], []

    def verify(self, case, run, who):
        for name in case.outputs:
            case.tensors()[name].fill_(-1 if not case.tensors()[name].is_floating_point()
                                       else float("nan"))
        run()
        torch.cuda.synchronize()
        error = case.check()
        if not error <= 1.0:
            self.wrong.append(f"{who}: {case.title}: {error:.3g} tolerances off")
            print(f"  WRONG {self.wrong[-1]}", flush=True)

    def contenders(self, variants):
        """variants: cases over the same buffers that differ in block size."""
        runs = {}
        for case in variants:
            block = "x".join(str(v) for v in case.defines.values())
            launch, kernel = case.tilec(self.library, self.device, 0, self.stream)
            self.verify(case, launch, "tilec auto")
            runs[("auto", block, kernel.num_warps)] = launch
            for warps in warp_choices(case):
                launch, _ = case.tilec(self.library, self.device, warps, self.stream)
                self.verify(case, launch, f"tilec warps {warps}")
                runs[("tilec", block, warps)] = launch
                if self.triton:
                    launch = case.triton(warps)
                    self.verify(case, launch, f"triton warps {warps}")
                    runs[("triton", block, warps)] = launch
        return runs

    def compare(self, title, traffic, runs):
        """Times all, keeps each contender's best, prints a line."""
        if self.options.only and self.options.only not in title:
            return
        runs = runs() if callable(runs) else runs
        # A first short pass chooses each contender's configuration, the second times the chosen.
        best = {}
        for key, ms in measure(runs, max(10, self.options.reps // 10)).items():
            if key[0] not in best or ms < best[key[0]][0]:
                best[key[0]] = (ms, key)
        times = measure({who: runs[key] for who, (_, key) in best.items()}, self.options.reps)
        row = {"case": title, "bytes": traffic,
               "times": {who: {"ms": ms, "tbs": traffic / ms / 1e9, "block": best[who][1][1],
                               "warps": best[who][1][2]} for who, ms in times.items()}}
        self.rows.append(row)
        text = "  ".join(f"{who} {entry['tbs']:.3f}" for who, entry in row["times"].items())
        print(f"{title:30} {text}  TB/s", flush=True)

    def bandwidth(self):
        n = 1 << 28
        x, y, out = (torch.randn(n, device="cuda") for _ in range(3))
        self.compare("copy 2^28 fp32", 2 * n * 4, {("torch", "", ""): lambda: out.copy_(x)})
        del y

        def pointwise(make, torch_run):
            base = make(block=1024)
            variants = [base]
            for block in (2048, 4096):
                variants.append(cases.dataclasses.replace(
                    base, defines={"BLOCK": block}, grid=(cases.cdiv(n, block),)))
            buffers = base.tensors()
            return {**self.contenders(variants),
                    ("torch", "", ""): lambda: torch_run(**buffers)}

        self.compare("add 2^28 fp32", 3 * n * 4, lambda: pointwise(
            lambda block: cases.add(n, block=block),
            lambda x, y, out: torch.add(x, y, out=out)))
        self.compare("gelu 2^28 fp32", 2 * n * 4, lambda: pointwise(
            lambda block: cases.gelu(n, block=block),
            lambda x, out: torch.nn.functional.gelu(x)))

    def row_kernels(self):
        for rows, n in SHAPES:
            def softmax(rows=rows, n=n):
                case = cases.softmax(rows, n)
                x = case.tensors()["x"]
                return {**self.contenders([case]), ("torch", "", ""): lambda: torch.softmax(x, 1)}

            def unfused(rows=rows, n=n):
                group = cases.softmax_unfused(rows, n)
                launches = [c.tilec(self.library, self.device, 0, self.stream)[0] for c in group]
                for case, launch in zip(group, launches):
                    self.verify(case, launch, "tilec")
                return {("three kernels", "", ""): lambda: [launch() for launch in launches]}

            def layernorm(rows=rows, n=n):
                case = cases.layernorm(rows, n, torch.float16)
                b = case.tensors()
                return {**self.contenders([case]),
                        ("torch", "", ""): lambda: torch.nn.functional.layer_norm(
                            b["x"], (n,), b["weight"], b["bias"], 1e-5)}

            self.compare(f"softmax {rows}x{n} fp32", 8 * rows * n, softmax)
            self.compare(f"softmax unfused {rows}x{n} fp32", 8 * rows * n, unfused)
            self.compare(f"layernorm {rows}x{n} fp16", 4 * rows * n, layernorm)

    def others(self):
        for make, args in ((cases.rmsnorm, (8192, 8192, torch.bfloat16)),
                           (cases.transpose, (8192, 8192)), (cases.argmax, (16384, 8192)),
                           (cases.matvec, (16384, 16384))):
            def runs(make=make, args=args):
                return self.contenders([make(*args)])

            shape = f"{args[0]}x{args[1]} {cases.TYPE_NAMES[(*args, torch.float32)[2]]}"
            size = 2 if "bf16" in shape else 4
            passes = 2 if make in (cases.rmsnorm, cases.transpose) else 1
            self.compare(f"{make.__name__} {shape}", passes * size * args[0] * args[1], runs)

    def launch_cost(self):
        """Host microseconds of one launch of a small vector add."""
        case = cases.add(1024)
        out = {}
        runs = {"tilec": case.tilec(self.library, self.device, 4, self.stream)[0]}
        if self.triton:
            runs["triton"] = case.triton(4)
        for who, run in runs.items():
            samples = []
            for _ in range(20):
                torch.cuda.synchronize()
                start = time.perf_counter()
                for _ in range(500):
                    run()
                samples.append((time.perf_counter() - start) / 500 * 1e6)
            torch.cuda.synchronize()
            out[who] = statistics.median(samples)
        return out


def compile_times(bench):
    """Milliseconds from source to PTX in a warm process: the median of 20 compilations."""
    result = {}
    for make in (lambda: cases.add(1000), lambda: cases.softmax(4, 781),
                 lambda: cases.softmax(4, 4096), lambda: cases.layernorm(4, 4096)):
        case = make()
        samples = []
        for _ in range(22):
            start = time.perf_counter()
            bench.library.compile(case.path(), case.kernel, case.signature(), case.defines, 4,
                                  bench.device.target)
            samples.append((time.perf_counter() - start) * 1e3)
        entry = {"tilec to PTX": statistics.median(samples[2:])}
        if bench.triton:
            entry.update(triton_compile_time(case, bench.device.target))
        result[f"{case.kernel} BLOCK {case.elements()}"] = entry
    return result


def triton_compile_time(case, target):
    """Triton's, third of three cold-cache compilations; to PTX where this version tells its stages."""
    import triton
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource
    kernel = cases.load_triton(case.path(), case.kernel)
    arch = int("".join(c for c in target if c.isdigit()))
    signature = {}
    for name, value in case.args:
        signature[name] = ("*" + cases.TYPE_NAMES[value.dtype] if torch.is_tensor(value)
                           else "fp32" if isinstance(value, float) else "i32")
    signature.update({name: "constexpr" for name in case.defines})
    told = {}

    def listener(**event):
        times = event.get("times")
        stages = dict(getattr(times, "lowering_stages", []) or [])
        if "ptx" in stages:
            names = list(stages)
            told["us"] = getattr(times, "ir_initialization", 0) + sum(
                stages[name] for name in names[:names.index("ptx") + 1])

    knobs = getattr(triton, "knobs", None)
    if knobs is not None and hasattr(knobs, "compilation"):
        knobs.compilation.listener = listener
    try:
        for _ in range(3):
            with tempfile.TemporaryDirectory() as folder:
                os.environ["TRITON_CACHE_DIR"] = folder
                if knobs is not None and hasattr(knobs, "cache"):
                    knobs.cache.dir = folder
                start = time.perf_counter()
                triton.compile(ASTSource(kernel, signature, dict(case.defines)),
                               target=GPUTarget("cuda", arch, 32), options={"num_warps": 4})
                total = (time.perf_counter() - start) * 1e3
        result = {"triton to cubin": total}
        if "us" in told:
            result["triton to PTX"] = told["us"] / 1e3
        return result
    except Exception as error:  # A peer's private interface may have moved.
        return {"triton": f"not measured: {error}"}
    finally:
        if knobs is not None and hasattr(knobs, "compilation"):
            knobs.compilation.listener = None


def process_time():
    """Milliseconds of a whole `tilec softmax.tile -o FILE` process; None without the tool."""
    for preset in ("release", "dev"):
        tool = os.path.join(ROOT, "build", preset, "bin", "tilec")
        if os.path.exists(tool):
            source = os.path.join(cases.EXAMPLES, "02-softmax", "softmax.tile")
            samples = []
            with tempfile.TemporaryDirectory() as folder:
                line = [tool, source, "--kernel=softmax", "-o", os.path.join(folder, "out.ptx")]
                for _ in range(22):
                    start = time.perf_counter()
                    if subprocess.run(line, check=False).returncode:
                        return None
                    samples.append((time.perf_counter() - start) * 1e3)
            return {"preset": preset, "ms": statistics.median(samples[2:])}
    return None


def commit():
    try:
        line = ["git", "-C", ROOT, "rev-parse", "--short", "HEAD"]
        return subprocess.run(line, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def describe(bench):
    commit = bench.options.commit or subprocess.run(
        ["git", "-C", ROOT, "rev-parse", "--short", "HEAD"], capture_output=True, text=True,
        check=False).stdout.strip()
    return {"date": datetime.date.today().isoformat(), "commit": commit or "unknown",
            "card": torch.cuda.get_device_name(0), "tilec": bench.library.version(),
            "target": bench.device.target, "torch": torch.__version__, "triton": bench.triton,
            "cuda": torch.version.cuda, "driver": bench.device.description,
            "host": platform.processor() or platform.machine(), "reps": bench.options.reps}


def write_table(path, data):
    names = ["auto", "tilec", "triton", "torch", "three kernels"]
    copy = next((r["times"]["torch"]["tbs"] for r in data["rows"] if r["case"].startswith("copy")),
                None)
    about = data["about"]
    lines = [f"# {about['card']}, {about['date']}, commit {about['commit']}", "",
             f"tilec {about['tilec']} for {about['target']}, Triton {about['triton']}, PyTorch "
             f"{about['torch']}, CUDA {about['cuda']}; TB/s, median of {about['reps']}; `auto` is "
             "tilec's own choice of warps, the others' warps and block are the best of those tried "
             "(block/warps in brackets).", "",
             "| case | " + " | ".join(names) + " | tilec / Triton | auto / Triton | of a copy |",
             "|---|" + "---:|" * (len(names) + 3)]
    for row in data["rows"]:
        times = row["times"]
        cells = []
        for name in names:
            if name not in times:
                cells.append("")
                continue
            entry = times[name]
            how = f" ({entry['block']}/{entry['warps']})" if entry["warps"] else ""
            cells.append(f"{entry['tbs']:.3f}{how}")
        for name in ("tilec", "auto"):
            both = name in times and "triton" in times
            cells.append(f"{times['triton']['ms'] / times[name]['ms']:.3f}" if both else "")
        cells.append(f"{times['tilec']['tbs'] / copy:.3f}" if copy and "tilec" in times else "")
        lines.append(f"| {row['case']} | " + " | ".join(cells) + " |")
    if data.get("launch_us"):
        lines += ["", "Host cost of a launch of a four-argument kernel, called from Python: " + ", ".join(
            f"{who} {us:.2f} µs" for who, us in data["launch_us"].items()) + "."]
    if data.get("compile_ms"):
        lines += ["", "Compilation in a warm process, ms:", ""]
        for kernel, entry in data["compile_ms"].items():
            text = ", ".join(f"{k} {v:.1f}" if isinstance(v, float) else f"{k} {v}"
                             for k, v in entry.items())
            lines.append(f"- {kernel}: {text}")
    if data.get("process"):
        lines += ["", f"The process `tilec softmax.tile` ({data['process']['preset']} build): "
                  f"{data['process']['ms']:.1f} ms."]
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def main():
    parser = argparse.ArgumentParser(description="tilec, Triton and PyTorch side by side")
    parser.add_argument("--library", help="libtilec.so (default: build/release, then build/dev)")
    parser.add_argument("--only", help="run the cases whose title contains this")
    parser.add_argument("--reps", type=int, default=100)
    parser.add_argument("--out", default=os.path.join(ROOT, "bench", "results"))
    parser.add_argument("--commit", help="what to record where the checkout has no history")
    parser.add_argument("--no-compile-time", action="store_true")
    options = parser.parse_args()
    torch.manual_seed(0)
    bench = Bench(options)
    about = describe(bench)
    print(json.dumps(about), flush=True)
    bench.bandwidth()
    torch.cuda.empty_cache()
    bench.row_kernels()
    bench.others()
    data = {"about": about, "rows": bench.rows, "wrong": bench.wrong,
            "launch_us": bench.launch_cost()}
    if not options.no_compile_time:
        data["compile_ms"], data["process"] = compile_times(bench), process_time()
    os.makedirs(options.out, exist_ok=True)
    card = "".join(c if c.isalnum() else "-" for c in about["card"]).lower()
    stem = os.path.join(options.out, f"{about['date']}-{card}-{about['commit']}")
    with open(stem + ".json", "w", encoding="utf-8") as file:
        json.dump(data, file, indent=1)
        file.write("\n")
    write_table(stem + ".md", data)
    plot.write_svg(stem + ".svg", data)
    with open(stem + ".md", encoding="utf-8") as file:
        print("\n" + file.read())
    return 1 if bench.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
