#!/usr/bin/env python3
"""Compiles public kernels from their original files to PTX and assembles the PTX.

usage: bench/corpus/run.py MANIFEST TREES [options]

Prints a table by tier and one by reason. Exit status 1 if fewer kernels than --require pass.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time

import corpus

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def limit_memory(megabytes):
    def apply():
        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    return apply


def run(words, options, limit=True):
    """(exit status, or None after the time limit; output; seconds)"""
    begin = time.monotonic()
    process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, start_new_session=True,
                               preexec_fn=limit_memory(options.memory) if limit else None)
    try:
        output, _ = process.communicate(timeout=options.timeout)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return None, "", time.monotonic() - begin
    return process.returncode, output.decode("utf8", "replace"), time.monotonic() - begin


def find_error(output):
    """(place, message) of the first error of a compiler's output."""
    for line in output.splitlines():
        place, mark, message = line.partition("error: ")
        if mark:
            return place.rstrip(": "), message.strip()
    lines = output.strip().splitlines()
    return "", lines[0] if lines else "no message"


def find_crash(status, output):
    """What to call an end that is no diagnostic, else None."""
    if status == 1:
        return None
    if "bad_alloc" in output or "out of memory" in output.lower():
        return "memory limit"
    lines = [line for line in output.splitlines() if "ssertion" in line or "LLVM ERROR" in line]
    name = signal.Signals(-status).name if status < 0 else f"exit status {status}"
    return "crash: " + name + (": " + corpus.normalise(lines[0]) if lines else "")


def examine(kernel, options):
    record = {"id": kernel.id, "tier": kernel.tier, "path": kernel.row["path"], "function": kernel.function,
              "stage": "tilec", "ok": False}
    ptx = os.path.join(options.scratch, kernel.id + ".ptx")
    words = [options.tilec, *kernel.tilec_arguments(), "--emit=ptx", "--target=" + options.target, "-o", ptx]
    record["command"] = words
    status, output, record["seconds"] = run(words, options)
    if status != 0:
        if status is None:
            record["reason"] = f"longer than {options.timeout:g} s"
            return record
        record["reason"] = find_crash(status, output)
        record["place"], record["message"] = find_error(output)
        if not record["reason"]:
            record["reason"] = corpus.normalise(record["message"])
        record["output"] = output[:4000]
        return record
    if "warning: " in output:
        record["warnings"] = [find_warning for line in output.splitlines()
                              for _, mark, find_warning in [line.partition("warning: ")] if mark]
    record["ptx_bytes"] = os.path.getsize(ptx)
    if options.ptxas:
        record["stage"] = "ptxas"
        words = [options.ptxas, "-v", "-arch=" + options.target, ptx, "-o", os.devnull]
        status, output, record["ptxas_seconds"] = run(words, options, limit=False)
        if status != 0:
            message = "longer than the limit" if status is None else find_error(output.replace("fatal   :", "error: "))[1]
            record.update(message=message, reason="ptxas: " + corpus.normalise(message), output=output[:4000])
            return record
    if not options.keep:
        os.remove(ptx)
    record["ok"] = True
    return record


def compare(records, path):
    """What changed against an earlier run."""
    with open(path, encoding="utf8") as file:
        before = {row["id"]: row for row in map(json.loads, file)}
    now = [(row, before[row["id"]]) for row in records if row["id"] in before]
    gained = [row for row, old in now if row["ok"] and not old["ok"]]
    lost = [row for row, old in now if old["ok"] and not row["ok"]]
    moved = collections.Counter((old["reason"], row["reason"]) for row, old in now
                                if not row["ok"] and not old["ok"] and row["reason"] != old["reason"])
    print(f"\nagainst {path}: {len(gained)} gained, {len(lost)} lost, {sum(moved.values())} fail otherwise")
    for row in lost:
        print(f"  lost {row['id']}: {row['reason']}")
    for (old, new), count in moved.most_common(20):
        print(f"  {count} x {old}\n      -> {new}")


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    corpus.add_options(parser)
    parser.add_argument("--tilec", help="the compiler (default: that of build/dev, else of build/release)")
    parser.add_argument("--ptxas", default=shutil.which("ptxas"),
                        help="the assembler (default: of the PATH; without one the PTX is not assembled)")
    parser.add_argument("--target", default="sm_90")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--timeout", type=float, default=60, metavar="SECONDS")
    parser.add_argument("--memory", type=int, default=6144, metavar="MIB", help="the compiler's limit")
    parser.add_argument("--json", metavar="FILE", help="one line a kernel: what became of it")
    parser.add_argument("--baseline", metavar="FILE", help="an earlier --json: print what changed")
    parser.add_argument("--keep", metavar="DIR", help="leave the PTX there")
    parser.add_argument("--require", type=float, metavar="PERCENT", help="fail if fewer pass")
    options = parser.parse_args()
    if not options.tilec:
        found = [path for preset in ("dev", "release")
                 if os.path.exists(path := os.path.join(ROOT, "build", preset, "bin", "tilec"))]
        if not found:
            parser.error("no tilec: build it with './dev build' or pass --tilec=FILE")
        options.tilec = found[0]
    return options


def main():
    options = parse_options()
    kernels = corpus.read_manifest(options)
    if options.keep:
        os.makedirs(options.keep, exist_ok=True)
        shutil.rmtree(options.scratch)
        options.scratch = options.keep
        for kernel in kernels:
            kernel.scratch = options.keep
    if not options.ptxas:
        print("no ptxas: the PTX is not assembled", file=sys.stderr)
    try:
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            records = list(pool.map(lambda kernel: examine(kernel, options), kernels))
    finally:
        if not options.keep:
            shutil.rmtree(options.scratch, ignore_errors=True)
    if options.json:
        with open(options.json, "w", encoding="utf8") as file:
            file.writelines(json.dumps(record) + "\n" for record in records)
    corpus.print_tiers(records, lambda row: row["ok"], sys.stdout)
    corpus.print_reasons(records, sys.stdout)
    slow = sorted(records, key=lambda row: -row["seconds"])[:5]
    print("\nslowest: " + ", ".join(f"{row['id']} {row['seconds']:.1f} s" for row in slow))
    if options.baseline:
        compare(records, options.baseline)
    passed = 100 * sum(row["ok"] for row in records) / len(records)
    return int(options.require is not None and passed < options.require)


if __name__ == "__main__":
    sys.exit(main())
