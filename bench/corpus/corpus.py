"""The public kernels of a manifest: where their text lies and how a compiler is told to compile one.

A manifest has one JSON object a line, one a kernel: id, repo, path, function, line, tier, signature
(pairs of name and type, in order), constexprs (name to value), num_warps and num_stages. In constexprs,
{"dtype": "fp16"} is a type, {"fn": "f"} a function of the kernel's file, a list a tuple. The trees lie in one
folder, OWNER+NAME each.
"""
import collections
import json
import os
import re
import tempfile

TIERS = ["T1", "T2", "T3", "T4", "T5", "T6", "T7", "T8", "T9", "T10", "T11", "beyond"]


def constant_text(value):
    """A value of `constexprs` as tilec's -D takes it."""
    if isinstance(value, dict):
        return value.get("dtype") or value["fn"]
    if isinstance(value, list):
        return "(" + "".join(constant_text(v) + ", " for v in value) + ")"
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return f"float('{value}')"
    return repr(value)


class Kernel:
    """One line of the manifest."""

    def __init__(self, row, options):
        self.row = row
        self.id, self.tier, self.function = row["id"], row["tier"], row["function"]
        self.num_warps = row.get("num_warps", 4)
        self.tree = os.path.join(options.trees, row["repo"].replace("/", "+"))
        self.original = os.path.join(self.tree, row["path"])
        self.slices = options.slices
        self.scratch = options.scratch

    def signature(self):
        return ", ".join(kind for _, kind in self.row["signature"])

    def defines(self):
        return {name: constant_text(value) for name, value in self.row["constexprs"].items()}

    def entry(self):
        """The kernel's name in the file that `source` gives."""
        return self.row.get("entry", self.function) if self.slices else self.function

    def source(self):
        """The file to compile. A notebook, and a file that defines the name more than once, is written out
        with the one definition that is meant."""
        if self.slices:
            return os.path.join(self.slices, self.id + ".py")
        with open(self.original, encoding="utf8", errors="replace") as file:
            text = file.read()
        is_notebook = self.original.endswith(".ipynb")
        if is_notebook:
            text = notebook_text(text)
        lines = text.split("\n")
        pattern = re.compile(r"(\s*def\s+)" + re.escape(self.function) + r"(\s*\()")
        places = [i for i, line in enumerate(lines) if pattern.match(line)]
        if not is_notebook and len(places) <= 1:
            return self.original
        # Decorators stand above the line that the manifest names, or it names the first of them.
        wanted = min(places, key=lambda i: (abs(i + 1 - self.row["line"]), i), default=None)
        for i in places:
            if i != wanted:
                lines[i] = pattern.sub(rf"\g<1>{self.function}_at_line_{i + 1}\g<2>", lines[i])
        path = os.path.join(self.scratch, self.id + ".py")
        with open(path, "w", encoding="utf8") as file:
            file.write("\n".join(lines))
        return path

    def include_dirs(self):
        return [] if self.slices else [self.tree, os.path.dirname(self.original)]

    def tilec_arguments(self):
        """The command line of tilec after the program's name, without what to write and where."""
        words = [self.source(), "--kernel=" + self.entry(), "--signature=" + self.signature(),
                 f"--num-warps={self.num_warps}"]
        if "num_stages" in self.row:
            words.append(f"--num-stages={self.row['num_stages']}")
        for folder in self.include_dirs():
            words += ["-I", folder]
        for name, value in self.defines().items():
            words += ["-D", f"{name}={value}"]
        return words


def notebook_text(text):
    """The code cells of a notebook as one module: without the lines that are for the notebook alone, and
    without the cells that are not Python."""
    cells = []
    for cell in json.loads(text).get("cells", []):
        if cell.get("cell_type") != "code":
            continue
        source = cell.get("source", "")
        source = source if isinstance(source, str) else "".join(source)
        source = "\n".join("" if re.match(r"\s*[%!]", line) else line for line in source.split("\n"))
        try:
            compile(source, "cell", "exec")
        except SyntaxError:
            continue
        cells.append(source)
    return "\n".join(cells)


def add_options(parser):
    """The options that say which kernels, for every script of this folder."""
    parser.add_argument("manifest", help="the kernels, one JSON object a line")
    parser.add_argument("trees", help="the folder of the checked-out repositories, OWNER+NAME each")
    parser.add_argument("--only", action="append", default=[], metavar="TEXT",
                        help="only kernels whose id contains TEXT; may be given many times")
    parser.add_argument("--tier", action="append", default=[], metavar="TIER",
                        help="only kernels of this tier; may be given many times")
    parser.add_argument("--slices", metavar="DIR",
                        help="compile DIR/ID.py, the kernel's self-contained text, instead of its file")


def read_manifest(options):
    """The chosen kernels. Sets `options.scratch`, a folder for files that have to be written."""
    options.scratch = tempfile.mkdtemp(prefix="tilec-corpus-")
    kernels = []
    with open(options.manifest, encoding="utf8") as file:
        for line in file:
            if not line.strip():
                continue
            row = json.loads(line)
            if options.tier and row["tier"] not in options.tier:
                continue
            if options.only and not any(text in row["id"] for text in options.only):
                continue
            kernels.append(Kernel(row, options))
    if not kernels:
        raise SystemExit("no kernel of the manifest is chosen")
    return kernels


def print_tiers(rows, passed, file):
    """A table by tier of records that have a tier; `passed` says of a record whether it counts."""
    counts = collections.Counter(row["tier"] for row in rows)
    good = collections.Counter(row["tier"] for row in rows if passed(row))
    print("| tier | kernels | pass | % |\n|---|---:|---:|---:|", file=file)
    for tier in sorted(counts, key=lambda t: TIERS.index(t) if t in TIERS else len(TIERS)):
        print(f"| {tier} | {counts[tier]} | {good[tier]} | {100 * good[tier] / counts[tier]:.1f} |", file=file)
    total, hits = len(rows), sum(good.values())
    print(f"| all | {total} | {hits} | {100 * hits / total:.1f} |", file=file)


def print_reasons(rows, file, most=40):
    """A table of the records that have a reason, most frequent first, each with an example."""
    groups = collections.defaultdict(list)
    for row in rows:
        if row.get("reason"):
            groups[row["reason"]].append(row["id"])
    if not groups:
        return
    print("\n| kernels | reason | for example |\n|---:|---|---|", file=file)
    ordered = sorted(groups.items(), key=lambda item: (-len(item[1]), item[0]))
    for reason, ids in ordered[:most]:
        print(f"| {len(ids)} | {reason.replace('|', chr(92) + '|')} | {ids[0]} |", file=file)
    if len(ordered) > most:
        print(f"| {sum(len(ids) for _, ids in ordered[most:])} | {len(ordered) - most} further reasons | |", file=file)


def normalise(message):
    """A message without what differs between kernels that fail for one reason."""
    message = re.sub(r"'[^']*/[^']*'", "'FILE'", message)
    message = re.sub(r"tensor<[^>]*>+", "tensor<..>", message)
    message = re.sub(r"\[[\d, ]+\]", "[..]", message)
    message = re.sub(r"%\w+", "%..", message)
    message = re.sub(r"(?<![\w.])-?\d+(?![\w.])", "N", message)
    return message.strip()[:160]
