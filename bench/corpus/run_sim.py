#!/usr/bin/env python3
"""Runs public kernels on the reference interpreter and on the simulated GPU, with the same inputs, and
compares every buffer.

usage: bench/corpus/run_sim.py MANIFEST TREES [options]

The inputs are made from the signature alone (inputs.py). Arguments with which the interpreter finds an
access out of bounds, a division by zero or a loop without end are replaced by others; a kernel for which
none are found is left out. Prints a table by tier and one by reason. Needs NumPy. Exit status 1 if
results differ or if fewer kernels than --require ran.
"""
import argparse
import collections
import concurrent.futures
import json
import multiprocessing
import os
import re
import resource
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import corpus  # noqa: E402
import inputs  # noqa: E402
import libtilec  # noqa: E402

import numpy as np  # noqa: E402

RELATIVE = {"fp64": 1e-9, "fp32": 1e-4, "fp16": 4e-3, "bf16": 3e-2, "fp8e4nv": 0.26, "fp8e5": 0.51}
MOST_GROWTHS = 64
SECONDS_TO_FIND, SECONDS_TO_RUN = 90, {"ref": 8, "sim": 90}
Device = collections.namedtuple("Device", "library name")
FORK = multiprocessing.get_context("fork")
# To the bit; within the tolerance of each buffer's type; within that of the narrowest float of the kernel, in
# which it may compute what it stores in a wider one.
PASSED = ("equal", "close", "near")


def launch_here(device, artifact, kernel, arguments):
    """Runs the kernel. Returns the buffers after it, by name."""
    function = device.load(artifact, kernel.entry())
    held, args = {}, []
    try:
        for name, kind in arguments.params:
            value = arguments.values[name]
            if kind.startswith("*"):
                held[name] = device.copy_in(value)
                args.append(libtilec.pointer(held[name] + arguments.leads[name] * value.itemsize))
            else:
                args.append(libtilec.scalar(float(value) if kind[0] in "fb" else value))
        function.prepare(arguments.grid, args)()
        results = {}
        for name, address in held.items():
            results[name] = np.empty_like(arguments.values[name])
            device.copy_out(address, results[name])
        return results
    finally:
        for address in held.values():
            device.free(address)


def launch(device, artifact, kernel, arguments):
    """The same on the device of that name, in a process of its own: a kernel may wait for what never comes."""
    def work():
        try:
            sender.send((launch_here(libtilec.Library(device.library).open(device.name), artifact, kernel, arguments), None))
        except libtilec.TilecError as error:
            sender.send((None, str(error)))

    receiver, sender = FORK.Pipe(duplex=False)
    process = FORK.Process(target=work)
    process.start()
    sender.close()
    try:
        if not receiver.poll(SECONDS_TO_RUN[device.name]):
            raise libtilec.TilecError(f"longer than {SECONDS_TO_RUN[device.name]} s")
        results, fault = receiver.recv()
    except EOFError:
        process.join()
        raise RuntimeError(f"{device.name} ended with status {process.exitcode}") from None
    finally:
        process.kill()
        process.join()
    if results is None:
        raise libtilec.TilecError(fault)
    return results


def axes_of(artifact):
    ptx = artifact.ptx()
    return [axis for axis in "xyz" if f"ctaid.{axis}" in ptx]


def runs(device, artifact, kernel, choices):
    """(arguments, results, None) of each choice with which the interpreter runs the kernel, its buffers grown as
    it needs, (None, None, fault) of each with which it does not."""
    for arguments in choices:
        fault = None
        for _ in range(MOST_GROWTHS):
            try:
                yield arguments, launch(device, artifact, kernel, arguments), None
                break
            except libtilec.TilecError as error:
                fault = str(error)
            match = re.search(r"'([\w.]+)' at index (-?\d+) is out of bounds(?: \((\d+) element)?", fault)
            if not match or not arguments.grow(match[1], int(match[2])):
                yield None, None, fault
                break


def is_changed(arguments, results):
    return any((results[name] != arguments.values[name]).any() for name in results)


def find_arguments(device, artifact, kernel):
    """(arguments, results) with which the interpreter runs the kernel and something is written, else the
    last that ran at all; or (None, the first fault)."""
    quiet, first = None, "no scheme"
    begin = time.monotonic()
    for arguments, results, fault in runs(device, artifact, kernel, inputs.attempts(kernel, axes_of(artifact))):
        if arguments and is_changed(arguments, results):
            return arguments, results
        if arguments:
            quiet = quiet or (arguments, results)
        elif first == "no scheme":
            first = fault
        if time.monotonic() - begin > SECONDS_TO_FIND:
            break
    return quiet or (None, first)


def narrowest(arguments):
    """The type with the fewest digits among the kernel's floats: it may compute in that one."""
    floats = [kind.lstrip("*") for _, kind in arguments.params if kind.lstrip("*") in RELATIVE]
    return max(floats, key=RELATIVE.get, default="fp32")


def compare(dtype, left, right, relative, absolute):
    """None if two buffers are equal within the tolerances, else what differs. The absolute one is times the
    largest element: sums that cancel are compared with what was summed, not with what is left."""
    if left.tobytes() == right.tobytes():
        return None
    if dtype not in RELATIVE:
        where = np.flatnonzero(left != right)
        return f"{len(where)} of {len(left)} elements, first [{where[0]}]: {left[where[0]]} and {right[where[0]]}"
    a, b = inputs.decode(left, dtype), inputs.decode(right, dtype)
    finite = np.isfinite(a)
    largest = np.abs(a[finite]).max() if finite.any() else 0.0
    with np.errstate(invalid="ignore"):
        close = np.abs(a - b) <= relative * np.abs(a) + absolute * min(largest, 1e3)
    wrong = np.flatnonzero(~(close | (a == b) | (np.isnan(a) & np.isnan(b))))
    if not len(wrong):
        return None
    return f"{len(wrong)} of {len(a)} elements, first [{wrong[0]}]: {a[wrong[0]]:.6g} and {b[wrong[0]]:.6g}"


def judge(arguments, expected, actual):
    """(one of PASSED or "differs", which buffers are apart and how)"""
    if all(expected[name].tobytes() == actual[name].tobytes() for name in expected):
        return "equal", None

    def differences(least, absolute):
        found = {}
        for name in expected:
            dtype = arguments.types[name][1:]
            relative = max(least, RELATIVE.get(dtype, 0))
            difference = compare(dtype, expected[name], actual[name], relative, absolute * relative)
            if difference:
                found[name] = difference
        return found

    apart = differences(0, 0.01)
    if not apart:
        return "close", None
    within = not differences(4 * RELATIVE[narrowest(arguments)], 0.1)
    return ("near" if within else "differs"), str(apart)


def is_unordered(sim, compile, kernel, arguments):
    """Whether the result depends on the number of warps: then elements are stored to one place."""
    results = []
    for num_warps in (1, 2, 8):
        try:
            results.append(launch(sim, compile(num_warps), kernel, arguments))
        except libtilec.TilecError:
            continue
    return any(judge(arguments, results[0], other)[0] == "differs" for other in results[1:])


def examine(kernel, options):
    record = {"id": kernel.id, "tier": kernel.tier, "outcome": "left out"}
    library = libtilec.Library(options.library)
    begin = time.monotonic()

    def compile(num_warps):
        return library.compile(kernel.source(), kernel.entry(), kernel.signature(), kernel.defines(), num_warps,
                               options.target, include_dirs=kernel.include_dirs())

    try:
        artifact = compile(kernel.num_warps)
    except libtilec.TilecError as error:
        text = re.sub(r"^.*?error: ", "", str(error).strip().splitlines()[0])
        record["reason"] = "does not compile: " + corpus.normalise(text)
        return record
    ref, sim = Device(options.library, "ref"), Device(options.library, "sim")
    arguments, expected = find_arguments(ref, artifact, kernel)
    record["ref_seconds"] = time.monotonic() - begin
    if arguments is None:
        record["reason"] = "no valid arguments: " + fault_text(expected)
        record["message"] = expected
        return record
    record["arguments"] = {name: value if np.isscalar(value) else f"{arguments.types[name]}[{len(value)}]"
                           for name, value in arguments.values.items()}
    record["written"] = [name for name in expected if (expected[name] != arguments.values[name]).any()]
    begin = time.monotonic()
    try:
        record["outcome"], message = judge(arguments, expected, launch(sim, artifact, kernel, arguments))
        if record["outcome"] == "differs":
            # Elements that are stored to one place have no order [R14], and made-up strides let rows overlap:
            # choices that keep them apart decide.
            record["overlapping"] = message
            choices = inputs.apart(kernel, axes_of(artifact))
            for other, results, _ in runs(ref, artifact, kernel, choices):
                if other is None or not is_changed(other, results):
                    continue
                outcome, difference = judge(other, results, launch(sim, artifact, kernel, other))
                if outcome in PASSED:
                    arguments, expected, message = other, results, difference
                    record["outcome"] = outcome
                    break
    except libtilec.TilecError as error:
        record.update(outcome="differs", reason="sim fails: " + fault_text(str(error)), message=str(error))
        return record
    record["sim_seconds"] = time.monotonic() - begin
    record["grid"] = arguments.grid
    if message:
        record["message"] = message
    if record["outcome"] == "differs" and is_unordered(sim, compile, kernel, arguments):
        record.update(outcome="unordered", reason="several elements are stored to one place")
    if record["outcome"] == "differs":
        record["reason"] = "ref and sim differ"
    elif not record["written"]:
        record.update(outcome="idle", reason="ran, but wrote nothing")
    return record


def fault_text(message):
    return corpus.normalise(re.sub(r"^.*?\d+:\d+: ", "", message))


def run_apart(kernel, options):
    """Examines one kernel in a process of its own, which may crash or hang."""
    words = [sys.executable, os.path.abspath(__file__), options.manifest, options.trees, "--worker=" + kernel.id]
    for name in ("library", "target", "slices"):
        if getattr(options, name):
            words.append(f"--{name}={getattr(options, name)}")
    limit = options.memory << 20
    record = {"id": kernel.id, "tier": kernel.tier, "outcome": "left out"}
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=options.timeout,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
    except subprocess.TimeoutExpired:
        record["reason"] = f"longer than {options.timeout:g} s"
        return record
    try:
        return json.loads(done.stdout.splitlines()[-1])
    except (IndexError, ValueError):
        tail = done.stderr.strip().splitlines()
        record.update(outcome="differs", message=done.stderr[-2000:],
                      reason=f"crash: exit status {done.returncode}: " + corpus.normalise(tail[-1] if tail else ""))
        return record


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    corpus.add_options(parser)
    parser.add_argument("--library", help="libtilec.so (default: that of build/release, else of build/dev)")
    parser.add_argument("--target", default="sm_90")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--timeout", type=float, default=300, metavar="SECONDS")
    parser.add_argument("--memory", type=int, default=8192, metavar="MIB")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every N-th kernel")
    parser.add_argument("--json", metavar="FILE", help="one line a kernel: what became of it")
    parser.add_argument("--require", type=int, default=0, metavar="KERNELS", help="fail if fewer ran and wrote")
    parser.add_argument("--worker", metavar="ID", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        options.only, options.tier = [options.worker], []
        kernel = next(k for k in corpus.read_manifest(options) if k.id == options.worker)
        print(json.dumps(examine(kernel, options)))
        return 0
    kernels = corpus.read_manifest(options)[::options.every]
    records = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool, \
            open(options.json or os.devnull, "w", encoding="utf8") as file:
        for record in pool.map(lambda kernel: run_apart(kernel, options), kernels):
            records.append(record)
            print(json.dumps(record), file=file, flush=True)

    counts = {name: sum(row["outcome"] == name for row in records)
              for name in ("equal", "close", "near", "differs", "unordered", "idle", "left out")}
    corpus.print_tiers(records, lambda row: row["outcome"] in PASSED, sys.stdout)
    print("\n" + ", ".join(f"{count} {name}" for name, count in counts.items()))
    corpus.print_reasons([row for row in records if row["outcome"] == "differs"], sys.stdout)
    corpus.print_reasons([row for row in records if row["outcome"] != "differs"], sys.stdout)
    return int(counts["differs"] > 0 or sum(counts[name] for name in PASSED) < options.require)


if __name__ == "__main__":
    sys.exit(main())
