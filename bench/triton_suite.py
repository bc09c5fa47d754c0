#!/usr/bin/env python3
"""Runs Triton's own tests of its language with every launch by tilec: on the simulated GPU, on the
interpreter or on a GPU. Needs PyTorch, Triton 3.6, pytest, NumPy and SciPy, and a checkout of Triton's
tests, which is not part of this repository.

usage: bench/triton_suite.py --suite=TRITON/python/test/unit [--device=sim|ref|cuda|triton] [--files=A,B]
                             [--only=TEXT] [--only-param=TEXT] [--per-test=N] [--seed=N] [--limit=SECONDS]
                             [--total=SECONDS] [--library=FILE] [--json=FILE] [--keep=DIR]

  --device=triton  Triton launches its kernels itself: what fails so fails on this machine
  --per-test=N     at most N parameter sets of a test function, drawn with --seed (default 40; 0: all)
  --keep=DIR       leaves the files of the kernels there

Prints the test functions with failures and the totals; --json has every result, with tilec's error and
the kernel's file where a test failed (FILEl, a line each, while the tests run). Exit status 1 if one did.
"""
import argparse
import os
import sys

FILES = ["test_core.py", "test_standard.py", "test_random.py", "test_block_pointer.py",
         "test_conversions.py", "test_libdevice.py", "test_tensor_descriptor.py", "test_tuple.py",
         "test_annotations.py", "test_decorator.py", "test_compile_errors.py", "test_frontend.py",
         "test_pipeliner.py", "test_matmul.py", "../test_debug.py", "../cuda/test_libdevice.py",
         "../cuda/test_mixed_io.py", "../cuda/test_tensor_descriptor.py",
         "../cuda/test_tma_store_gemm.py"]


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1])
    parser.add_argument("--suite", required=True)
    parser.add_argument("--device", default="sim")
    parser.add_argument("--files", default=",".join(FILES))
    parser.add_argument("--only")
    parser.add_argument("--only-param")
    parser.add_argument("--per-test", type=int, default=40)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--limit", type=float, default=60)
    parser.add_argument("--total", type=float, default=0)
    parser.add_argument("--library")
    parser.add_argument("--json")
    parser.add_argument("--keep")
    options = parser.parse_args()
    if options.library:
        os.environ["TILEC_LIBRARY"] = os.path.abspath(options.library)
    os.environ["PYTORCH_NVML_BASED_CUDA_CHECK"] = "1"  # Collecting makes no CUDA context.
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path.insert(0, os.path.join(here, "suite"))
    import pytest

    folder = os.path.join(os.path.abspath(options.suite), "language")
    paths = [os.path.normpath(os.path.join(folder, name)) for name in options.files.split(",")]
    arguments = ["-p", "plugin", "-p", "no:cacheprovider", "--import-mode=importlib", "-q", "--tb=short",
                 "--no-header", "--no-summary", "-W", "ignore", f"--rootdir={folder}",
                 f"--tilec={options.device}", f"--per-test={options.per_test}",
                 f"--sample-seed={options.seed}", f"--limit-s={options.limit}",
                 f"--total-s={options.total}"]
    if options.only:
        arguments += ["-k", options.only]
    for name in ("json_out", "keep", "only_param"):
        value = getattr(options, name.removesuffix("_out"))
        if value:
            value = value if name == "only_param" else os.path.abspath(value)
            arguments.append(f"--{name.replace('_', '-')}={value}")
    missing = [path for path in paths if not os.path.exists(path)]
    if missing:
        sys.exit(f"no {missing[0]}: --suite is Triton's python/test/unit")
    return pytest.main(arguments + paths)


if __name__ == "__main__":
    status = main()
    sys.stdout.flush()
    os._exit(status)  # Two LLVMs in one process do not take each other down.
