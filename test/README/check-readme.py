#!/usr/bin/env python3
"""Runs what a README shows and compares the output with what it says.

usage: check-readme.py README SOURCE_DIR BUILD_DIR SCRATCH_DIR [--update]

In blocks fenced as `console`, lines that begin with `$ ` are commands (a line that ends with a
backslash goes on), the lines after them what they print. A line `...` stands for any lines. Times, rates,
shares, the number of CPU threads, and errors that were found small enough are compared as if all were
the same. A `cpp`, `tile` or `mlir` block whose first line is a
comment that begins with a file name is written to that file first. Commands run in the scratch folder,
which looks like the root of the tree with its build in build/dev. --update writes real output into
the README, except where it has `...`.
"""
import argparse
import difflib
import os
import re
import shutil
import subprocess
import sys

UNITS = r"(ns|us|µs|ms|s|MB/s|GB/s|TB/s|GFLOP/s|TFLOP/s)"


def normalize(line):
    line = re.sub(r"\b\d+(\.\d+)?(e[+-]?\d+)? ?" + UNITS + r"\b", r"N \3", line)
    line = re.sub(r"\b\d+(\.\d+)? ?%", "N %", line)
    line = re.sub(r"\blargest error \S+", "largest error N", line)
    # A row of tile-run's comparison: the errors may be any that it finds small enough.
    line = re.sub(r"^(\w+) +\S+ +\S+ +0 +(\S+) +(\S+) +ok$", r"\1 N N 0 \2 \3 ok", line)
    line = re.sub(r"\bon \d+ CPU threads?\b", "on N CPU threads", line)
    return re.sub(r"\s+", " ", line).strip()


def matches(expected, actual):
    """Whether the lines agree; `...` in expected stands for any number of lines."""
    if not expected:
        return not actual
    if expected[0] == "...":
        return any(matches(expected[1:], actual[i:]) for i in range(len(actual) + 1))
    return bool(actual) and expected[0] == actual[0] and matches(expected[1:], actual[1:])


def blocks(lines):
    """(language, first line, line after the last) of each fenced block."""
    start, language = None, ""
    for number, line in enumerate(lines):
        if line.startswith("```"):
            if start is None:
                start, language = number + 1, line[3:].strip()
            else:
                yield language, start, number
                start = None


def commands(lines, first, last):
    """(command, first and last line of its output) in a console block."""
    number = first
    while number < last:
        if not lines[number].startswith("$ "):
            raise SystemExit(f"line {number + 1}: output without a command before it")
        command = lines[number][2:]
        number += 1
        while command.endswith("\\") and number < last:
            command = command[:-1] + lines[number].strip()
            number += 1
        start = number
        while number < last and not lines[number].startswith("$ "):
            number += 1
        yield command, start, number


def prepare(source, build, scratch):
    shutil.rmtree(scratch, ignore_errors=True)
    os.makedirs(os.path.join(scratch, "build"))
    for name in os.listdir(source):
        if name not in ("build", ".git"):
            os.symlink(os.path.join(source, name), os.path.join(scratch, name))
    os.symlink(build, os.path.join(scratch, "build", "dev"))


def run(command, source, scratch, build):
    """The lines that the command prints; paths into the tree are given from its root."""
    path = os.pathsep.join([os.path.join(build, "bin"), os.environ["PATH"]])
    done = subprocess.run(["bash", "-c", command], cwd=scratch, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, timeout=280, check=False,
                          env={**os.environ, "PATH": path, "NO_COLOR": "1"})
    text = done.stdout.replace(source + os.sep, "").rstrip("\n")
    return [line.rstrip() for line in text.split("\n")] if text else []


def main():
    parser = argparse.ArgumentParser(description="run what a README shows")
    parser.add_argument("readme")
    parser.add_argument("source")
    parser.add_argument("build")
    parser.add_argument("scratch")
    parser.add_argument("--update", action="store_true")
    options = parser.parse_args()
    with open(options.readme, encoding="utf-8") as file:
        lines = file.read().split("\n")
    source, build, scratch = (os.path.abspath(path) for path in (
        options.source, options.build, options.scratch))
    prepare(source, build, scratch)
    count, failed, replacements = 0, 0, []
    for language, first, last in blocks(lines):
        if language in ("cpp", "tile", "mlir") and first < last:
            name = re.match(r"(?://|#)\s*([\w-]+\.(?:cpp|tile|mlir))\b", lines[first])
            if name:
                with open(os.path.join(scratch, name[1]), "w", encoding="utf-8") as file:
                    file.write("\n".join(lines[first:last]) + "\n")
        if language != "console":
            continue
        for command, start, end in commands(lines, first, last):
            actual = run(command, source, scratch, build)
            expected = lines[start:end]
            count += 1
            if matches([normalize(e) for e in expected], [normalize(a) for a in actual]):
                continue
            if options.update and "..." not in expected:
                replacements.append((start, end, actual))
                continue
            failed += 1
            print(f"{options.readme}:{start}: $ {command}")
            print("\n".join(difflib.unified_diff(expected, actual, "says", "prints", lineterm="")))
    for start, end, actual in reversed(replacements):
        lines[start:end] = actual
    if replacements:
        with open(options.readme, "w", encoding="utf-8") as file:
            file.write("\n".join(lines))
    print(f"{os.path.relpath(options.readme, options.source)}: {count} commands, {failed} failed, "
          f"{len(replacements)} updated")
    return 1 if failed or not count else 0


if __name__ == "__main__":
    sys.exit(main())
