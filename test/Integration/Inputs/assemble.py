#!/usr/bin/env python3
"""PTX of every kernel of examples/ for every target goes through ptxas.

usage: assemble.py EXAMPLES PTXAS WORK_DIR
"""
import concurrent.futures
import glob
import os
import re
import subprocess
import sys


def kernels(examples):
    """(file, kernel, its signature in each type that its annotations allow)."""
    for path in sorted(glob.glob(os.path.join(examples, "*", "*.tile"))):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for name, params in re.findall(r"@triton\.jit\ndef (\w+)\((.*?)\):\n", text, re.S):
            types = []
            for param in re.split(r",\s*", params):
                annotation = param.split(":", 1)[1].split("=")[0].strip().strip('"')
                types.append("constexpr" if annotation == "tl.constexpr" else annotation)
            yield path, name, types


def assemble(ptxas, work, path, name, signature, target):
    """None, or what went wrong."""
    stem = os.path.join(work, f"{name}-{target}-{abs(hash(signature))}")
    compiled = subprocess.run(["tilec", path, f"--kernel={name}", f"--target={target}",
                               f"--signature={signature}", "-o", stem + ".ptx"],
                              capture_output=True, text=True, check=False)
    if compiled.returncode:
        return f"tilec {name} for {target} [{signature}]:\n{compiled.stderr}"
    done = subprocess.run([ptxas, f"-arch={target}", stem + ".ptx", "-o", stem + ".cubin"],
                          capture_output=True, text=True, check=False)
    if done.returncode:
        return f"ptxas {name} for {target} [{signature}]:\n{done.stderr}"
    return None


def main():
    examples, ptxas, work = sys.argv[1:]
    os.makedirs(work, exist_ok=True)
    listed = subprocess.run(["tilec", "--list-targets"], capture_output=True, text=True, check=True)
    targets = sorted(set(re.findall(r"\bsm_\d+a?\b", listed.stdout)))
    jobs = []
    for path, name, types in kernels(examples):
        hinted = [t + ":16" if t.startswith("*") or t == "i32" else t for t in types]
        jobs += [(path, name, ", ".join(hinted), target) for target in targets]
        jobs.append((path, name, ", ".join(types), "sm_90a"))
        for other in ("fp16", "bf16"):
            swapped = [t.replace("*fp32", "*" + other) for t in hinted]
            jobs += [(path, name, ", ".join(swapped), target) for target in ("sm_80", "sm_90a")]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        problems = [p for p in pool.map(lambda job: assemble(ptxas, work, *job), jobs) if p]
    for problem in problems[:5]:
        print(problem)
    print(f"{len(targets)} targets, {len(jobs)} programs, {len(problems)} failed")
    return 1 if problems or not jobs or len(targets) < 7 else 0


if __name__ == "__main__":
    sys.exit(main())
