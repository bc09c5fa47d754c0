#!/usr/bin/env python3
"""Feeds truncated and mutated inputs to tilec and tile-opt; neither may crash or hang.

usage: utils/fuzz.py BIN_DIR [--seconds=60] [--seed=N] [--keep=DIR]

Seeds are the examples and the inputs of the tests. A rejected input is a success: exit status 1 with
a message. A signal, another status, or more than 20 seconds is a failure; its input is kept.
"""
import argparse
import concurrent.futures
import glob
import os
import random
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TIME_LIMIT = 20
TOKENS = {
    ".tile": ["(", ")", "[", "]", ":", ",", "=", "==", "@", "if", "for", "while", "def", "lambda", "None",
              "tl.load", "tl.sum", "tl.arange(0, 3)", "axis=7", "1 << 70", "-1", "0", '"', "'''", "f'{x}'",
              "\n", "\n    ", "\t", "\\\n", "tl.constexpr", "\x00", "é", "9" * 40, "1e999", "**", "return",
              "x[:, None]", "(" * 200, "-" * 200],
    ".mlir": ["{", "}", "tensor<", "tensor<0xf32>", "!tile.ptr<f32>", "i64", "index", "-1", "scf.for", "#",
              "%0", "^bb0", "tile.load", "tile.reduce", "dense<0>", "loc(unknown)", "\x00", "<" * 200,
              "9" * 40, '"'],
}


def read_seeds():
    seeds = []
    for pattern in ("examples/*/*.tile", "test/*/**/*.tile", "test/*/**/*.mlir"):
        for path in sorted(glob.glob(os.path.join(ROOT, pattern), recursive=True)):
            with open(path, "rb") as file:
                data = file.read()
            if len(data) < 20000:
                seeds.append((os.path.splitext(path)[1], data))
    return seeds


def mutate(rng, kind, data, other):
    data = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 4, 8))):
        at = rng.randrange(len(data) + 1)
        to = min(len(data), at + rng.choice((1, 2, 5, 20, 100)))
        way = rng.randrange(7)
        if way == 0:
            del data[at:]
        elif way == 1:
            del data[at:to]
        elif way == 2:
            data[at:at] = rng.choice(TOKENS[kind]).encode()
        elif way == 3 and data:
            data[at % len(data)] = rng.randrange(256)
        elif way == 4:
            data[at:at] = data[at:to]
        elif way == 5 and other:
            start = rng.randrange(len(other))
            data[at:to] = other[start:start + rng.choice((5, 40, 200))]
        else:
            lines = bytes(data).split(b"\n")
            rng.shuffle(lines)
            data = bytearray(b"\n".join(lines[:rng.randrange(len(lines)) + 1]))
    return bytes(data)


def command(bin_dir, rng, kind):
    if kind == ".tile":
        emit = rng.choice(("ast", "tile", "tilegpu", "llvm", "ptx"))
        return [os.path.join(bin_dir, "tilec"), "-", f"--emit={emit}", "-o", "-"]
    pipeline = rng.choice(([], ["--canonicalize"], ["--cse"]))
    return [os.path.join(bin_dir, "tile-opt"), "-", *pipeline]


def run_one(line, data):
    """None if the tool behaved, else what it did."""
    try:
        run = subprocess.run(line, input=data, capture_output=True, timeout=TIME_LIMIT, check=False)
    except subprocess.TimeoutExpired:
        return f"no end after {TIME_LIMIT} s"
    if run.returncode not in (0, 1):
        return f"exit status {run.returncode}"
    if run.returncode == 1 and not run.stderr.strip():
        return "exit status 1 without a message"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("bin_dir")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=None, help="default: from the clock")
    parser.add_argument("--keep", default="build/fuzz", help="folder for inputs that failed")
    options = parser.parse_args()
    seed = options.seed if options.seed is not None else int(time.time())
    rng = random.Random(seed)
    seeds = read_seeds()
    end = time.monotonic() + options.seconds
    print(f"{len(seeds)} seeds, {options.seconds:.0f} s, --seed={seed}", flush=True)
    count, failures, said = 0, [], time.monotonic()
    workers = os.cpu_count() or 1
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        waiting = {}
        while time.monotonic() < end or waiting:
            while time.monotonic() < end and len(waiting) < 2 * workers:
                kind, data = rng.choice(seeds)
                other = rng.choice([d for k, d in seeds if k == kind])
                line, data = command(options.bin_dir, rng, kind), mutate(rng, kind, data, other)
                waiting[pool.submit(run_one, line, data)] = (kind, line, data)
            done, _ = concurrent.futures.wait(
                waiting, return_when=concurrent.futures.FIRST_COMPLETED)
            for future in done:
                kind, line, data = waiting.pop(future)
                count += 1
                if future.result():
                    os.makedirs(options.keep, exist_ok=True)
                    path = os.path.join(options.keep, f"crash-{len(failures)}{kind}")
                    with open(path, "wb") as file:
                        file.write(data)
                    failures.append(path)
                    print(f"{future.result()}: {' '.join(line)} < {path}", flush=True)
            if time.monotonic() - said > 15:
                said = time.monotonic()
                print(f"{count} inputs, {len(failures)} failures", flush=True)
            if len(failures) >= 20:
                end = 0
    print(f"{count} inputs, {len(failures)} failures")
    return 1 if failures or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
