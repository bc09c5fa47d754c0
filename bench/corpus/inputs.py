"""Arguments for a kernel of which only the signature is known.

`attempts` gives schemes, one after the other: small sizes, strides that keep elements apart, buffers
that hold any index which these give, then sizes, lengths, masks and locks that are drawn one by one. Where a
run shows that a buffer is too short, `Arguments.grow` makes it longer. `apart` gives those in which two
programs, or two elements of one, are least likely to store to one place. Nothing here knows a particular kernel.
"""
import re
import zlib

import numpy as np

# How elements lie in memory, and what a tolerance of a comparison is relative to.
STORAGE = {"fp64": np.float64, "fp32": np.float32, "fp16": np.float16, "bf16": np.uint16, "fp8e4nv": np.uint8,
           "fp8e5": np.uint8, "i1": np.uint8, "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64,
           "u8": np.uint8, "u16": np.uint16, "u32": np.uint32, "u64": np.uint64}
MOST_BYTES = 1 << 27


def decode(array, dtype):
    """The numbers that a buffer of that type holds, in double precision."""
    if dtype == "bf16":
        return (array.astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    if dtype in ("fp8e4nv", "fp8e5"):
        codes = np.arange(256, dtype=np.uint8)
        if dtype == "fp8e5":
            table = (codes.astype(np.uint16) << 8).view(np.float16).astype(np.float64)
        else:
            exponent, mantissa = (codes >> 3 & 15).astype(int), (codes & 7).astype(int)
            table = np.where(exponent == 0, mantissa * 2.0 ** -9, (8 + mantissa) * 2.0 ** (exponent - 10.0))
            table = np.where(codes & 0x7f == 0x7f, np.nan, np.where(codes & 0x80, -table, table))
        return table[array]
    return array.astype(np.float64)


def encode(numbers, dtype):
    if dtype == "bf16":
        return (numbers.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
    return numbers.astype(STORAGE[dtype])


# What a size, a length or a flag may be where it is drawn: around a tile, and more than a block.
DRAWN = (1, 1, 2, 3, 4, 8, 16, 37, 64, 128, 1500)


def unfold(name, kind):
    """The arguments that a parameter stands for: of a tensor descriptor its address, shape and strides."""
    match = re.match(r"tensordesc<(\w+)\[([^\]]*)\]", kind)
    if not match:
        return [(name, kind)]
    rank = match[2].count(",") + 1
    return ([(name, "*" + match[1])] + [(f"{name}.shape{i}", "i32") for i in range(rank)]
            + [(f"{name}.stride{i}", "i64") for i in range(rank)])


def is_stride(name):
    return bool(re.search(r"stride|^ld[a-z]?$|_ld$|pitch", name.lower()))


def stride_stem(name):
    """What the strides of one buffer have in common: `k` of `stride_k_bs`, `k_batch_stride` and `stride_kbs`,
    `do` of `stride_dom`, nothing of `stride_tok`."""
    words = [word for word in re.split(r"_|strides?", name.lower()) if word]
    if len(words) > 1:
        return "_".join(words[:-1])
    word = words[0] if words else ""
    if word in ("batch", "bs", "head", "seq", "seqlen", "tok", "token", "row", "col", "dim"):
        return ""
    return word[:2] if word[:1] == "d" and len(word) > 2 else word[:1] if len(word) > 1 else ""


def stride_groups(params):
    """Runs of stride parameters that belong to one buffer: neighbours with a common beginning."""
    groups = []
    for name, kind in params:
        if kind.startswith("*") or kind == "constexpr" or not is_stride(name):
            groups.append([])
            continue
        stem = stride_stem(name)
        if groups and groups[-1] and groups[-1][0][1] == stem:
            groups[-1].append((name, stem))
        else:
            groups.append([(name, stem)])
    return [[name for name, _ in group] for group in groups if group]


class Arguments:
    """One choice of a value for each run-time parameter. `values` maps names to an int, a float or
    an array; `types` to types."""

    def __init__(self, kernel, scheme, axes):
        self.scheme = scheme
        self.grid = tuple(extent if axis in axes else 1 for axis, extent in zip("xyz", scheme["grid"]))
        self.params = [part for name, kind in kernel.row["signature"] if kind != "constexpr"
                       for part in unfold(name, kind)]
        self.types = dict(self.params)
        self.lengths, self.values, self.leads = {}, {}, {}
        seed = scheme.get("seed")
        draw = np.random.default_rng(seed) if seed else None
        strides = {}
        unfolded = [part for name, kind in kernel.row["signature"] for part in unfold(name, kind)]
        for group in stride_groups(unfolded):
            for position, name in enumerate(reversed(group)):
                # The innermost dimension is contiguous; a single stride is that of the rows.
                power = position + (len(group) == 1)
                most = 1 << 40 if scheme.get("apart") else scheme["stride"] ** 2 * 8
                # What a kernel calls a stride of columns may be that of channels, which hold many elements.
                strides[name] = min(scheme["stride"] ** power, most) * scheme.get("inner", 1)
        self.fillings = {}
        for name, kind in self.params:
            if kind.startswith("*"):
                self.lengths[name] = scheme["length"]
                self.leads[name] = 0
                self.fillings[name] = draw.choice(("zero", "one", "few", "size", "count", "steps")) if draw else None
                self.fill(name)
            elif kind.startswith("fp") or kind.startswith("bf"):
                self.values[name] = 1e-5 if "eps" in name.lower() else 0.5
            elif kind == "i1":
                self.values[name] = int(draw.integers(2)) if draw else 1
            elif name in strides:
                self.values[name] = strides[name]
            else:
                self.values[name] = int(draw.choice(DRAWN)) if draw and draw.random() < 0.7 else scheme["size"]

    def fill(self, name):
        """Random contents, the same for a name whatever its length."""
        dtype = self.types[name][1:]
        count = self.lengths[name]
        rng = np.random.default_rng(zlib.crc32(name.encode()))
        lower, filling = name.lower(), self.fillings[name]
        numbers = {"zero": lambda: np.zeros(count), "one": lambda: np.ones(count),
                   "few": lambda: rng.integers(0, self.scheme["index"] + 1, count),
                   "size": lambda: np.full(count, self.scheme["size"]), "count": lambda: np.arange(count),
                   "steps": lambda: np.arange(count) * self.scheme["step"]}
        if filling and not dtype.startswith(("fp", "bf")):
            with np.errstate(over="ignore"):
                data = numbers[filling]().astype(np.int64).astype(STORAGE[dtype])
            data = data != 0 if dtype == "i1" else data
            data = data.astype(STORAGE[dtype])
        elif dtype.startswith(("fp8",)):
            data = rng.integers(0x20, 0x50, count, np.uint8) | rng.integers(0, 2, count, np.uint8) << 7
        elif dtype.startswith(("fp", "bf")):
            data = encode(rng.standard_normal(count) * (500 if filling == "size" else 0.5), dtype)
        elif dtype == "i1":
            data = rng.integers(0, 2, count, np.uint8)
        elif re.search(r"cu_|seqlens?_?(q|k)?$|offset|indptr|start|cumsum|_loc$", lower):
            # Positions: each after the one before.
            data = (np.arange(count) * self.scheme["step"]).astype(STORAGE[dtype])
        else:
            data = rng.integers(0, self.scheme["index"] + 1, count).astype(STORAGE[dtype])
        self.values[name] = data

    def grow(self, name, index, elements=1):
        """Makes a buffer hold that index too. False if it would be too long."""
        if name not in self.lengths:
            return False
        size = np.dtype(STORAGE[self.types[name][1:]]).itemsize
        if index < 0:
            # Elements before the one that the pointer names.
            if self.leads[name] or -index * size > MOST_BYTES:
                return False
            self.leads[name] = max(1 << 16, -2 * index)
        else:
            needed = index + elements - self.leads[name]
            if needed * size > MOST_BYTES:
                return False
            self.lengths[name] = min(max(2 * needed, 2 * self.lengths[name]), MOST_BYTES // size)
        lead, length = self.leads[name], self.lengths[name]
        self.lengths[name] = lead + length
        self.fill(name)
        self.lengths[name] = length
        return True


def schemes(*rows, **more):
    for size, stride, index, step, grid in rows:
        yield {"size": size, "stride": stride, "index": index, "step": step, "grid": grid, "length": 1 << 14, **more}


def attempts(kernel, axes="xyz", drawn=40):
    """Choices of the arguments, the most telling first. `axes` are those of the grid that count. The last `drawn`
    have sizes and contents of their own for each parameter."""
    plain = ((37, 160, 3, 16, (2, 2, 2)), (16, 64, 3, 8, (2, 2, 1)), (64, 128, 1, 32, (2, 1, 1)),
             (5, 96, 1, 2, (2, 2, 1)), (128, 512, 0, 128, (1, 1, 1)), (2, 64, 1, 1, (2, 2, 1)),
             (1, 64, 0, 1, (1, 1, 1)), (0, 64, 0, 1, (1, 1, 1)), (1500, 2048, 3, 512, (3, 2, 2)))
    for scheme in schemes(*plain):
        yield Arguments(kernel, scheme, axes)
    for seed in range(1, drawn + 1):
        row = plain[seed % 3]
        for scheme in schemes((*row[:4], (2, 2, 2) if seed % 2 else (3, 1, 1)), seed=seed):
            yield Arguments(kernel, scheme, axes)


def apart(kernel, axes="xyz"):
    """Choices with which rows, and what different programs store, are unlikely to overlap: strides that are
    powers of one number whatever the rank, more than a block at last, and one program."""
    rows = [(37, 64, 3, 16, (2, 2, 2)), (16, 160, 3, 8, (2, 2, 2)), (5, 160, 1, 2, (2, 2, 2)), (2, 512, 1, 2, (2, 2, 2)),
            (4096, 1 << 13, 3, 4096, (1, 1, 1)), (1024, 1 << 12, 1, 1024, (1, 1, 1)), (256, 1 << 12, 0, 256, (1, 1, 1)),
            (37, 1 << 13, 1, 64, (1, 1, 1)), (16, 1 << 10, 3, 16, (1, 1, 1)), (2, 1 << 10, 1, 2, (1, 1, 1)),
            (1, 1 << 10, 0, 1, (1, 1, 1))]
    for scheme in schemes(*rows, apart=True):
        yield Arguments(kernel, scheme, axes)
    for scheme in (*schemes(*rows[4:]), *schemes(*rows[:2], inner=1024)):
        yield Arguments(kernel, scheme, axes)
    for seed in range(1, 13):
        for scheme in schemes(rows[7 + seed % 4], seed=seed):
            yield Arguments(kernel, scheme, axes)
