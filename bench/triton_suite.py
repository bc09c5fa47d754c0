#!/usr/bin/env python3
"""Runs Triton's own tests of its language with every launch by tilec: on the simulated GPU, on the
interpreter or on a GPU. Needs PyTorch, Triton 3.6, pytest, NumPy and SciPy, and a checkout of Triton's
tests, which is not part of this repository.

usage: bench/triton_suite.py --suite=TRITON/python/test/unit [--device=sim|ref|cuda|triton] [--files=A,B]
                             [--only=TEXT] [--only-param=TEXT] [--per-test=N] [--seed=N] [--jobs=N]
                             [--capability=N] [--limit=SECONDS] [--total=SECONDS] [--library=FILE]
                             [--json=FILE] [--keep=DIR]

  --device=triton  Triton launches its kernels itself: what fails so fails on this machine
  --capability=N   the GPU that sim and ref pass for: 100 runs tests that Hopper skips (default 90)
  --per-test=N     at most N parameter sets of a test function, drawn with --seed (default 40; 0: all)
  --limit=S        of a test; --total=S of all: tests that have not begun by then are not run
  --jobs=N         N processes, each with every N-th test
  --keep=DIR       leaves the files of the kernels there

Prints the test functions with failures, the first line of each kind of failure, and the totals; --json
has every result, with tilec's error and the kernel's file where a test failed. Exit status 1 if one did.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter

HERE = os.path.dirname(os.path.abspath(__file__))
FILES = ["test_core.py", "test_standard.py", "test_random.py", "test_block_pointer.py",
         "test_conversions.py", "test_libdevice.py", "test_tensor_descriptor.py", "test_tuple.py",
         "test_annotations.py", "test_decorator.py", "test_compile_errors.py", "test_frontend.py",
         "test_pipeliner.py", "test_matmul.py", "../test_debug.py", "../cuda/test_libdevice.py",
         "../cuda/test_mixed_io.py", "../cuda/test_tensor_descriptor.py",
         "../cuda/test_tma_store_gemm.py"]


def command(options, shard, result):
    """The command line of one pytest."""
    folder = os.path.join(os.path.abspath(options.suite), "language")
    paths = [os.path.normpath(os.path.join(folder, name)) for name in options.files.split(",")]
    missing = [path for path in paths if not os.path.exists(path)]
    if missing:
        sys.exit(f"no {missing[0]}: --suite is Triton's python/test/unit")
    words = [sys.executable, "-m", "pytest", "-p", "plugin", "-p", "no:cacheprovider",
             "--import-mode=importlib", "-q", "--tb=short", "--no-header", "--no-summary", "-W", "ignore",
             f"--rootdir={folder}", f"--tilec={options.device}", f"--per-test={options.per_test}",
             f"--sample-seed={options.seed}", f"--limit-s={options.limit}", f"--total-s={options.total}",
             f"--capability={options.capability}", f"--shard={shard}/{options.jobs}",
             f"--json-out={result}"]
    if options.only:
        words += ["-k", options.only]
    if options.only_param:
        words.append(f"--only-param={options.only_param}")
    if options.keep:
        words.append(f"--keep={os.path.join(os.path.abspath(options.keep), str(shard))}")
    return words + paths


def run(options, folder):
    """Runs every part, the first one's progress to be seen. Returns what they wrote."""
    environment = dict(os.environ)
    if options.library:
        environment["TILEC_LIBRARY"] = os.path.abspath(options.library)
    environment["PYTORCH_NVML_BASED_CUDA_CHECK"] = "1"  # Collecting makes no CUDA context.
    environment["PYTHONPATH"] = os.path.join(HERE, "suite") + os.pathsep + environment.get("PYTHONPATH", "")
    files = [os.path.join(folder, f"{shard}.json") for shard in range(options.jobs)]
    processes = []
    for shard, path in enumerate(files):
        words = command(options, shard, path)
        with open(path + ".log", "w") as log:
            processes.append(subprocess.Popen(words, env=environment, stdout=None if shard == 0 else log,
                                              stderr=subprocess.STDOUT if shard else None))
    for process in processes:
        process.wait()
    parts = []
    for path in files:
        if not os.path.exists(path):
            sys.exit("a part of the tests gave no results:\n" + open(path + ".log").read()[-2000:])
        parts.append(json.load(open(path)))
    return parts


def merge(parts):
    whole = {"device": parts[0]["device"], "totals": Counter(), "tests": {},
             "deselected": parts[0]["deselected"], "results": []}
    for part in parts:
        whole["results"] += part["results"]
        for name, counts in part["tests"].items():
            whole["tests"].setdefault(name, Counter()).update(counts)
            whole["totals"].update(counts)
    return whole


def report(whole):
    print()
    for name, counts in whole["tests"].items():
        if counts["failed"] or counts["not run"]:
            print(f"{name}: " + ", ".join(f"{count} {what}" for what, count in counts.items() if count))
    kinds = Counter(result["text"].split("\n")[0][:160] for result in whole["results"]
                    if result["outcome"] == "failed")
    for text, count in kinds.most_common(40):
        print(f"{count:5} {text}")
    print(", ".join(f"{count} {what}" for what, count in sorted(whole["totals"].items())))


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1])
    parser.add_argument("--suite", required=True)
    parser.add_argument("--device", default="sim")
    parser.add_argument("--files", default=",".join(FILES))
    parser.add_argument("--only")
    parser.add_argument("--only-param")
    parser.add_argument("--per-test", type=int, default=40)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--capability", type=int, default=90)
    parser.add_argument("--limit", type=float, default=60)
    parser.add_argument("--total", type=float, default=0)
    parser.add_argument("--library")
    parser.add_argument("--json")
    parser.add_argument("--keep")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        whole = merge(run(options, folder))
    if options.json:
        with open(options.json, "w") as out:
            json.dump(whole, out, indent=1)
    report(whole)
    return 1 if whole["totals"]["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
