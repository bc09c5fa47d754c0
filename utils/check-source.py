#!/usr/bin/env python3
"""The house rules that a script can check. Prints file:line: rule; exit status 1 if any is broken.

usage: utils/check-source.py [FILE...]     (default: every tracked file)
"""
import ast
import os
import re
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LENGTH_LIMITS = {".cpp": 800, ".h": 800, ".hpp": 800, ".td": 800, ".py": 800, ".tile": 800,
                 ".mlir": 800, ".test": 300, ".cmake": 150, "README.md": 200}
GENERATED = ("docs/generated/", "bench/results/")
BANNED_INCLUDES = {
    "mlir/Conversion/Passes.h": "register single passes instead",
    "mlir/InitAllDialects.h": "name the dialects that are used",
    "mlir/InitAllPasses.h": "name the passes that are used",
    "mlir/InitAllExtensions.h": "name the extensions that are used",
}
# Folders that a dialect may use besides other dialects: plain algebra and text.
BELOW_DIALECTS = {"lib/Layout", "lib/Support"}

problems = []


def report(path, line, text):
    problems.append(f"{path}:{line}: {text}")


def tracked_files():
    text = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True,
                          text=True).stdout
    return [f for f in text.splitlines() if os.path.isfile(os.path.join(ROOT, f))]


def is_input(path):
    """What a test gives the compiler to read is as odd as the test wants it."""
    return path.startswith("test/") and "/Inputs/" in path


def check_text(path, data):
    """Line ends, blanks at line ends, the last newline, paths of one machine."""
    if b"\r" in data:
        report(path, 1, "carriage returns; use plain newlines")
    if data and not data.endswith(b"\n"):
        report(path, data.count(b"\n") + 1, "no newline at the end of the file")
    for number, line in enumerate(data.split(b"\n"), 1):
        if line.endswith((b" ", b"\t")) and not path.endswith((".md", ".npy")):
            report(path, number, "blanks at the end of the line")
        if b"\t" in line and not is_input(path) and path.endswith((".cpp", ".h", ".hpp", ".td", ".py", ".tile", ".txt")):
            report(path, number, "a tab; indent by spaces")
        if re.search(rb"(?<![\w.])/(work|root|home/\w+)/", line):
            report(path, number, "a path of one machine")


def check_length(path, lines):
    limit = LENGTH_LIMITS.get(os.path.basename(path)) or LENGTH_LIMITS.get(
        os.path.splitext(path)[1])
    if limit and len(lines) > limit:
        report(path, len(lines), f"{len(lines)} lines; the limit is {limit}")


def check_notes(path, lines):
    for number, line in enumerate(lines, 1):
        found = re.search(r"\b(TODO|FIXME|HACK|XXX)\b(?!\(#\d+\))", line)
        if found and path != "utils/check-source.py" and not path.endswith(".md"):
            report(path, number, f"{found[1]} without the number of an issue, as {found[1]}(#12)")


def check_cpp(path, lines):
    text = "\n".join(lines)
    if not lines or not lines[0].startswith(("//", "/*")):
        report(path, 1, "no comment that says what the file is")
    if path.endswith(".h") and not path.startswith(("include/", "runtime/")):
        guard = "TILEC_" + re.sub(r"[^A-Za-z0-9]", "_", path).upper()
        if f"#ifndef {guard}\n#define {guard}\n" not in text:
            report(path, 1, f"the include guard is not {guard}")
    for number, line in enumerate(lines, 1):
        found = re.match(r'#include [<"]([^">]+)[">]', line)
        if found and found[1] in BANNED_INCLUDES:
            report(path, number, f"{found[1]} is slow to compile; {BANNED_INCLUDES[found[1]]}")
        found = re.search(r'(?:emitError\(|emitOpError\(|\.error\([^"]*|<< ?)"([^"]*)"', line)
        if found and "rror(" in line and re.match(r" ?[A-Z][a-z]", found[1]):
            report(path, number, "a diagnostic begins with a small letter")


def folder_of(path):
    parts = path.split("/")
    depth = {"dialects": 3, "lib": 2, "tools": 2, "runtime": 1, "include": 1}.get(parts[0], 1)
    if parts[0] == "lib":
        return "/".join(parts[:2])
    return "/".join(parts[:min(depth, len(parts) - 1)])


def check_arrows(files):
    """dialects <- lib <- tools without circles; runtime and include/ know nothing of LLVM."""
    edges = {}
    for path in files:
        if not path.endswith((".cpp", ".h", ".hpp")):
            continue
        if path.split("/")[0] not in ("dialects", "lib", "tools", "runtime", "include"):
            continue
        with open(os.path.join(ROOT, path), encoding="utf-8") as file:
            lines = file.read().split("\n")
        for number, line in enumerate(lines, 1):
            found = re.match(r'#include [<"]([^">]+)[">]', line)
            if not found:
                continue
            target = found[1]
            if path.startswith(("runtime/", "include/")) and target.startswith(
                    ("llvm/", "mlir/", "lib/", "dialects/")):
                report(path, number, f"{path.split('/')[0]}/ must not include {target}")
            if not target.startswith(("dialects/", "lib/", "tools/")):
                continue
            here, there = folder_of(path), folder_of(target)
            if here.startswith("dialects/") and there.startswith("lib/") and (
                    there not in BELOW_DIALECTS):
                report(path, number, f"a dialect must not include {target}")
            if here.startswith("lib/") and there.startswith("tools/"):
                report(path, number, f"a library must not include {target}")
            if here != there:
                edges.setdefault(here, {}).setdefault(there, f"{path}:{number}")
    find_circles(edges)


def find_circles(edges):
    state = {}

    def visit(node, trail):
        state[node] = "open"
        for other, place in edges.get(node, {}).items():
            if state.get(other) == "open":
                circle = trail[trail.index(other):] + [other]
                path, line = place.rsplit(":", 1)
                report(path, line, "a circle of includes: " + " -> ".join(circle))
            elif other not in state:
                visit(other, trail + [other])
        state[node] = "done"

    for node in sorted(edges):
        if node not in state:
            visit(node, [node])


def check_lit(path, lines):
    """A test that never runs: no RUN line, or a RUN or CHECK line without its colon."""
    if "/Inputs/" in path or os.path.basename(path).startswith("lit."):
        return
    if not any(re.search(r"RUN:", line) for line in lines):
        report(path, 1, "a test without a RUN line")
    for number, line in enumerate(lines, 1):
        if re.match(r"\s*(#|//|;)\s*RUN\b(?!:)", line):
            report(path, number, "RUN without a colon never runs")
        if re.match(r"\s*(#|//|;)\s*CHECK(-[A-Z]+)*(?![-A-Z:{])\s", line):
            report(path, number, "CHECK without a colon checks nothing")


def check_python(path, text):
    if is_input(path):
        return
    try:
        ast.parse(text)
    except SyntaxError as error:
        report(path, error.lineno or 1, f"not valid Python: {error.msg}")


def check_shell(files):
    if not shutil.which("shellcheck"):
        return
    scripts = [f for f in files if f in ("dev", ".ci/run") or f.endswith(".sh")]
    if scripts:
        run = subprocess.run(["shellcheck", "-f", "gcc", *scripts], cwd=ROOT, capture_output=True,
                             text=True)
        problems.extend(run.stdout.splitlines())


def main():
    everything = tracked_files()
    files = sys.argv[1:] or everything
    for path in files:
        if path.startswith(GENERATED):
            continue
        with open(os.path.join(ROOT, path), "rb") as file:
            data = file.read()
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError:
            if not path.startswith("test/"):
                report(path, 1, "not UTF-8 text")
            continue
        lines = text.split("\n")[:-1] if text.endswith("\n") else text.split("\n")
        in_test = path.startswith("test/") and not path.startswith(("test/unit/", "test/lib/"))
        # What a test feeds to the compiler may break the rules on purpose.
        if not (in_test and path.endswith((".tile", ".mlir"))):
            check_text(path, data)
        check_length(path, lines)
        check_notes(path, lines)
        if path.endswith((".cpp", ".h", ".hpp")):
            check_cpp(path, lines)
        if path.endswith(".py") or (path.endswith(".tile") and path.startswith("examples/")):
            check_python(path, text)
        if in_test and path.endswith((".tile", ".mlir", ".test", ".ll")):
            check_lit(path, lines)
    check_arrows(everything)
    check_shell(everything)
    for problem in problems:
        print(problem)
    if problems:
        print(f"{len(problems)} problems in {len(files)} files", file=sys.stderr)
    else:
        print(f"{len(files)} files follow the rules")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
