#!/usr/bin/env python3
"""Every example on the GPU against a double-precision reference: types, ragged sizes, misaligned
pointers, 1 to 16 warps. Prints a line a kernel and a JSON object with --json; exit status 1 if any
result is wrong. Needs PyTorch; no Triton.

usage: bench/check.py [--library=FILE] [--json=FILE] [-v]
"""
import argparse
import json
import sys

import torch

import cases
import libtilec

WARPS = (0, 1, 2, 4, 8, 16)
# No more elements a thread than this, unless the compiler chose: beyond it registers spill for sure.
MOST_A_THREAD = 256


def sweep():
    """All launches, as lists that must run in order."""
    for dtype in cases.DTYPES.values():
        for skew in (0, 1, 3):
            for n in (1, 1000, 1_000_001):
                for block in (32, 1024, 16384):
                    yield [cases.add(n, dtype, skew, block)]
                yield [cases.gelu(n, dtype, skew)]
            for rows, n in ((1823, 781), (7, 1), (64, 4096), (5, 32768), (33, 1000)):
                yield [cases.softmax(rows, n, dtype, skew)]
                yield [cases.softmax(rows, n, dtype, skew, persistent=True)]
                yield cases.softmax_unfused(rows, n, dtype, skew)
                yield [cases.layernorm(rows, n, dtype, skew)]
                yield [cases.rmsnorm(rows, n, dtype, skew)]
                yield [cases.argmax(rows, n, dtype, skew)]
            for rows, n in ((1, 1), (1000, 777), (512, 512), (33, 4097)):
                yield [cases.transpose(rows, n, dtype, skew)]
                yield [cases.matvec(rows, n, dtype, skew)]


def run_group(library, device, group, warps):
    """Runs the launches of a group in order. Returns [(case, error or message)]."""
    results = []
    for case in group:
        try:
            launch, _ = case.tilec(library, device, warps, torch.cuda.current_stream().cuda_stream)
            launch()
            torch.cuda.synchronize()
            results.append((case, case.check()))
        except libtilec.TilecError as error:
            results.append((case, str(error)))
    return results


def main():
    parser = argparse.ArgumentParser(description="check every example on the GPU")
    parser.add_argument("--library")
    parser.add_argument("--json")
    parser.add_argument("-v", action="store_true", help="a line for each launch")
    options = parser.parse_args()
    torch.manual_seed(0)
    library = libtilec.Library(options.library)
    device = library.open("cuda:0")
    print(f"tilec {library.version()} on {device.description} ({device.target})", flush=True)
    kernels, failures = {}, []
    for group in sweep():
        for warps in WARPS:
            if warps and max(c.elements() for c in group) > MOST_A_THREAD * 32 * warps:
                continue
            for case, error in run_group(library, device, group, warps):
                entry = kernels.setdefault(case.kernel, {"launches": 0, "wrong": 0, "worst": 0.0})
                entry["launches"] += 1
                bad = isinstance(error, str) or not error <= 1.0
                if not isinstance(error, str):
                    entry["worst"] = max(entry["worst"], error)
                if bad:
                    entry["wrong"] += 1
                    failures.append({"case": case.title, "signature": case.signature(),
                                     "defines": case.defines, "warps": warps, "error": error})
                if options.v or (bad and len(failures) <= 20):
                    print(f"  {'WRONG' if bad else 'ok':5} {case.title} [{case.signature()}] "
                          f"{case.defines} warps {warps}: {error}", flush=True)
    print(f"\n{'kernel':22} {'launches':>8} {'wrong':>6}  largest error, in tolerances")
    for name, entry in sorted(kernels.items()):
        print(f"{name:22} {entry['launches']:8} {entry['wrong']:6}  {entry['worst']:.3f}")
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({"device": device.description, "kernels": kernels, "failures": failures},
                      file, indent=1, default=str)
    return 1 if failures or not kernels else 0


if __name__ == "__main__":
    sys.exit(main())
