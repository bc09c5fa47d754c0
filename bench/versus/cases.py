"""The launches of the kernels beside this file: inputs, grids, and how equal results must be.

Arrays are NumPy's. Types that NumPy lacks are kept as bits: bf16 as uint16, fp8 as uint8."""
import dataclasses
import os

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
STORAGE = {"fp64": np.float64, "fp32": np.float32, "fp16": np.float16, "bf16": np.uint16,
           "fp8e4nv": np.uint8, "fp8e5": np.uint8, "i64": np.int64, "i32": np.int32, "i16": np.int16,
           "i8": np.int8, "u64": np.uint64, "u32": np.uint32, "u16": np.uint16, "u8": np.uint8,
           "i1": np.bool_}
EXACT = (0.0, 0.0)
CLOSE = (2e-5, 2e-6)
HALF = (2e-3, 2e-3)
BRAIN = (1.6e-2, 1.6e-2)


class Expr(str):
    """A constexpr given as the text of an expression, such as tl.float32."""


@dataclasses.dataclass
class Buffer:
    type: str
    data: np.ndarray
    is_output: bool = False


@dataclasses.dataclass
class Addresses:
    """A buffer of i64 that holds the addresses of other buffers."""
    of: list


@dataclasses.dataclass
class Case:
    """One launch. `args` are (name, Buffer, Addresses, int or float) in the kernel's order."""
    tier: str
    file: str
    kernel: str
    args: dict
    constexprs: dict
    grid: tuple
    tolerance: tuple = EXACT
    num_warps: int = 4
    title: str = ""

    @property
    def name(self):
        return self.kernel.removesuffix("_kernel") + (" " + self.title if self.title else "")

    def path(self):
        return os.path.join(HERE, self.file)


def to_bf16(values):
    """Bits of the nearest bf16, ties to even."""
    bits = np.asarray(values, np.float32).view(np.uint32).astype(np.uint64)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)


def fp8_table(exponent_bits, mantissa_bits, has_inf):
    """The value of each of the 256 codes. Without infinities only all ones is NaN."""
    table = np.zeros(256)
    bias = (1 << (exponent_bits - 1)) - 1
    for code in range(256):
        exponent = (code >> mantissa_bits) & ((1 << exponent_bits) - 1)
        mantissa = code & ((1 << mantissa_bits) - 1)
        if exponent == 0:
            value = mantissa * 2.0 ** (1 - bias - mantissa_bits)
        else:
            value = (1 + mantissa / (1 << mantissa_bits)) * 2.0 ** (exponent - bias)
        if exponent == (1 << exponent_bits) - 1:
            if has_inf:
                value = np.nan if mantissa else np.inf
            elif mantissa == (1 << mantissa_bits) - 1:
                value = np.nan
        table[code] = -value if code >> 7 else value
    return table


FP8 = {"fp8e4nv": fp8_table(4, 3, False), "fp8e5": fp8_table(5, 2, True)}


def values(buffer):
    """The elements as numbers that can be compared: doubles, or integers as they are."""
    if buffer.type == "bf16":
        return (buffer.data.astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    if buffer.type in FP8:
        return FP8[buffer.type][buffer.data]
    if buffer.data.dtype.kind == "f":
        return buffer.data.astype(np.float64)
    return buffer.data


class Maker:
    """Makes inputs of a seed, and poisoned outputs."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)

    def randn(self, type, *shape, scale=1.0):
        data = self.rng.standard_normal(shape).astype(np.float32) * np.float32(scale)
        if type == "bf16":
            return Buffer(type, to_bf16(data))
        if type in FP8:
            # The codes of moderate numbers: no NaN or infinity.
            codes = self.rng.integers(0x20, 0x48, shape) | (self.rng.integers(0, 2, shape) << 7)
            return Buffer(type, codes.astype(np.uint8))
        return Buffer(type, data.astype(STORAGE[type]))

    def ints(self, type, low, high, *shape):
        return Buffer(type, self.rng.integers(low, high, shape).astype(STORAGE[type]))

    def codes(self, type, *shape):
        """All bit patterns of a narrow type in turn."""
        count = int(np.prod(shape))
        return Buffer(type, np.arange(count).astype(STORAGE[type]).reshape(shape))

    def special(self, *shape):
        """fp32 of all magnitudes, with zeros, infinities and NaN among them."""
        data = (self.rng.standard_normal(shape) *
                10.0 ** self.rng.integers(-8, 8, shape)).astype(np.float32)
        flat = data.reshape(-1)
        for i, value in enumerate((0.0, -0.0, np.inf, -np.inf, np.nan, 448.0, 464.0, 57344.0, 1e-45)):
            flat[i * 7 % flat.size] = value
        return Buffer("fp32", data)

    def out(self, type, *shape, fill=None):
        data = np.empty(shape, STORAGE[type])
        if fill is not None:
            data.fill(fill)
        elif data.dtype.kind == "f":
            data.fill(np.nan)
        else:
            data.view(np.uint8).fill(0xA5) if data.dtype != np.bool_ else data.fill(True)
        return Buffer(type, data, is_output=True)


def all_cases(seed=0):
    make = Maker(seed)
    cases = []

    def add(tier, file, kernel, args, constexprs, grid, tolerance=EXACT, num_warps=4, title=""):
        cases.append(Case(tier, file, kernel, args, constexprs, grid, tolerance, num_warps, title))

    n = 5000
    programs = (-(-n // 1024),)
    block = {"BLOCK": 1024}
    # --- T1 ---
    for type in ("fp16", "bf16", "i64"):
        x, y = (make.ints(type, -10**12, 10**12, n) if type == "i64" else make.randn(type, n)
                for _ in range(2))
        add("T1", "pointwise.py", "add_kernel", dict(x=x, y=y, out=make.out(type, n), n=n), block,
            programs, title=type)
    for type in ("fp16", "bf16"):
        add("T1", "pointwise.py", "weak_types_kernel",
            dict(x=make.randn(type, n), scale=1.7, out=make.out(type, n), n=n), block, programs,
            HALF if type == "fp16" else BRAIN, title=type)  # products and sums may be fused
    b = make.ints("i32", -9, 10, n)
    b.data[b.data == 0] = 3
    add("T1", "pointwise.py", "integer_kernel",
        dict(a=make.ints("i32", -2**31, 2**31, n), b=b, quotient=make.out("i32", n),
             remainder=make.out("i32", n), bits=make.out("i32", n), n=n), block, programs)
    add("T1", "pointwise.py", "unsigned_kernel",
        dict(a=make.ints("u32", 0, 2**32, n), b=make.ints("u32", 1, 2**32, n),
             out=make.out("u32", n), n=n), block, programs)
    add("T1", "pointwise.py", "math_kernel",
        dict(x=make.randn("fp32", 1000, scale=2), out=make.out("fp32", 8000), n=1000), block, (1,),
        (1e-5, 1e-5))
    add("T1", "pointwise.py", "transpose_kernel",
        dict(x=make.randn("fp16", 200, 333), out=make.out("fp16", 333, 200), M=200, N=333),
        dict(BM=64, BN=32), (4, 11))
    # --- T2 ---
    add("T2", "pointwise.py", "softmax_kernel",
        dict(x=make.randn("fp16", 37, 800), out=make.out("fp16", 37, 800), stride=800, n=781), block,
        (37,), HALF)
    x = make.randn("fp32", 64, 128)
    x.data[3, 5] = np.nan
    x.data[4, 7] = x.data[4, 99] = 9.0
    add("T2", "pointwise.py", "reductions_kernel",
        dict(x=x, sums=make.out("fp32", 192), highs=make.out("fp32", 65), where=make.out("i32", 128)),
        dict(M=64, N=128), (1,), CLOSE)
    add("T2", "pointwise.py", "small_reductions_kernel",
        dict(x=make.ints("i8", -128, 128, 512), total=make.out("i32", 3), bits=make.out("i32", 1)),
        dict(N=512), (1,))
    # --- T3 ---
    add("T3", "pointwise.py", "gelu_kernel",
        dict(x=make.randn("bf16", n), out=make.out("bf16", n), n=n), block, programs, BRAIN)
    add("T3", "pointwise.py", "layernorm_kernel",
        dict(x=make.randn("fp16", 20, 781), w=make.randn("fp16", 781), b=make.randn("fp16", 781),
             out=make.out("fp16", 20, 781), n=781, eps=1e-5), block, (20,), HALF)
    for activation in ("relu", "poly"):
        add("T3", "pointwise.py", "rows_kernel",
            dict(x=make.randn("fp32", 16, 512, scale=0.5), lengths=make.ints("i32", 0, 512, 16),
                 out=make.out("fp32", 16), stride=512), dict(ACTIVATION=activation, BLOCK=128), (16,),
            (1e-4, 1e-4), title=activation)
    add("T3", "pointwise.py", "collatz_kernel",
        dict(x=make.ints("i32", 1, 1000, 64), out=make.out("i32", 64), n=64), {}, (64,))
    add("T3", "pointwise.py", "unrolled_kernel",
        dict(x=make.randn("fp32", n), out=make.out("fp32", n), n=n), dict(ORDER=6, BLOCK=512), (10,),
        CLOSE)
    # --- T4 ---
    # Triton's tensor cores sum fp8 products with about 14 bits [R23].
    for type, acc, precision, tolerance in (
            ("fp16", "fp32", "tf32", (1e-3, 1e-2)), ("bf16", "fp32", "tf32", (1e-3, 1e-2)),
            ("fp32", "fp32", "tf32", (1e-3, 1e-2)), ("fp32", "fp32", "tf32x3", (1e-4, 1e-4)),
            ("fp32", "fp32", "ieee", (1e-5, 1e-4)), ("fp8e4nv", "fp32", "tf32", (1e-2, 5e-2)),
            ("fp8e5", "fp32", "tf32", (1e-2, 5e-2)), ("i8", "i32", "tf32", EXACT),
            ("fp64", "fp64", "ieee", (1e-12, 1e-12)), ("fp16", "fp16", "tf32", (2e-2, 1e-1))):
        M, N, K = 100, 72, 136
        a, b = (make.ints("i8", -128, 128, *s) if type == "i8" else make.randn(type, *s)
                for s in ((M, K), (K, N)))
        dtype = {"fp32": "tl.float32", "i32": "tl.int32", "fp64": "tl.float64", "fp16": "tl.float16"}
        add("T4", "dot.py", "matmul_kernel", dict(a=a, b=b, c=make.out(acc, M, N), M=M, N=N, K=K),
            dict(PRECISION=precision, ACC=Expr(dtype[acc]), BM=64, BN=32, BK=32), (2, 3), tolerance,
            title=f"{type} {precision} {acc}")
    add("T4", "dot.py", "batched_kernel",
        dict(a=make.randn("fp16", 4, 32, 16), b=make.randn("fp16", 4, 16, 32),
             c=make.out("fp32", 4, 32, 32)), dict(B=4, M=32, N=32, K=16), (1,), (1e-3, 1e-3))
    add("T4", "dot.py", "transposed_kernel",
        dict(a=make.randn("fp16", 64, 64), b=make.randn("fp16", 64, 64), c=make.out("fp32", 64, 64)),
        dict(N=64), (1,), (1e-3, 1e-2))
    for causal in (False, True):
        S, D = 150, 32
        add("T4", "dot.py", "attention_kernel",
            dict(q=make.randn("fp16", 2, S, D), k=make.randn("fp16", 2, S, D),
                 v=make.randn("fp16", 2, S, D), out=make.out("fp16", 2, S, D), scale=D ** -0.5, S=S),
            dict(D=D, BM=64, BN=32, CAUSAL=causal), (3, 2), (5e-3, 5e-3),
            title="causal" if causal else "")
    # --- T5 ---
    add("T5", "memory.py", "atomic_histogram_kernel",
        dict(x=make.ints("i32", 0, 1000, n), counts=make.out("i32", 37, fill=0), n=n),
        dict(BINS=37, BLOCK=512), (10,))
    add("T5", "memory.py", "atomic_sum_kernel",
        dict(x=make.randn("fp32", n), out=make.out("fp32", 513, fill=0), n=n), dict(BLOCK=512), (10,),
        (1e-4, 1e-4))
    add("T5", "memory.py", "atomic_all_kernel",
        dict(x=make.ints("i32", -10**9, 10**9, n), f=make.randn("fp32", n),
             out=make.out("i32", 40, fill=7), outf=make.out("fp32", 16, fill=0.25), n=n),
        dict(BLOCK=512), (10,))
    add("T5", "memory.py", "ticket_kernel",
        dict(counter=make.out("i32", 1, fill=0), order=make.out("i32", 50, fill=0),
             done=make.out("i32", 1)), {}, (50,))
    add("T5", "memory.py", "locked_sum_kernel",
        dict(x=make.ints("i32", -100, 100, 2048), lock=make.out("i32", 1, fill=0),
             total=make.out("i32", 1, fill=0)), dict(BLOCK=128), (16,))
    add("T5", "memory.py", "exchange_kernel",
        dict(x=make.out("i64", 1024, fill=5), old=make.out("i64", 2048), n=1024), dict(BLOCK=256),
        (4,))
    # --- T6 ---
    add("T6", "memory.py", "block_copy_kernel",
        dict(x=make.randn("fp16", 100, 70), out=make.out("fp16", 70, 100), M=100, N=70),
        dict(BM=32, BN=16), (4,))
    add("T6", "memory.py", "block_matmul_kernel",
        dict(a=make.randn("fp16", 100, 90), b=make.randn("fp16", 90, 70), c=make.out("fp16", 100, 70),
             M=100, N=70, K=90), dict(BM=32, BN=32, BK=32), (4, 3), (2e-3, 2e-2))
    # --- T7 ---
    add("T7", "shape.py", "cumsum_kernel",
        dict(x=make.ints("i32", -99, 99, 16, 256), out=make.out("i32", 2, 16, 256)),
        dict(M=16, N=256), (1,), title="i32")
    add("T7", "shape.py", "cumsum_kernel",
        dict(x=make.randn("fp32", 32, 64), out=make.out("fp32", 2, 32, 64)), dict(M=32, N=64), (1,),
        (1e-4, 1e-4), title="fp32")
    add("T7", "shape.py", "cumprod_kernel",
        dict(x=make.ints("i64", -3, 4, 128), out=make.out("i64", 128)), dict(N=128), (1,))
    for reverse in (False, True):
        add("T7", "shape.py", "recurrence_kernel",
            dict(a=make.randn("fp32", 8, 256, scale=0.5), b=make.randn("fp32", 8, 256),
                 out=make.out("fp32", 8, 256)), dict(M=8, N=256, REVERSE=reverse), (1,), (1e-4, 1e-4),
            title="reverse" if reverse else "")
    add("T7", "shape.py", "running_max_kernel",
        dict(x=make.randn("fp32", 512), out=make.out("fp32", 512)), dict(N=512), (1,), num_warps=8)
    add("T7", "shape.py", "welford_kernel",
        dict(x=make.randn("fp32", 16, 256), out=make.out("fp32", 32)), dict(M=16, N=256), (1,),
        (1e-4, 1e-5))
    add("T7", "shape.py", "largest_kernel",
        dict(x=make.ints("i16", -999, 999, 16, 64), out=make.out("i16", 16)), dict(M=16, N=64), (1,))
    # --- T8 ---
    add("T8", "shape.py", "permute_kernel",
        dict(x=make.ints("i32", 0, 10**6, 1024), out=make.out("i32", 1024)),
        dict(A=2, B=8, C=16, D=4), (1,))
    add("T8", "shape.py", "rank5_kernel",
        dict(x=make.ints("i32", -99, 99, 32 * 16), out=make.out("i32", 128)), dict(N=16), (1,))
    add("T8", "shape.py", "pairs_kernel",
        dict(x=make.randn("bf16", 512), out=make.out("bf16", 1024)), dict(N=512), (1,))
    add("T8", "shape.py", "flip_kernel",
        dict(x=make.randn("fp32", 8, 128), out=make.out("fp32", 8, 128)), dict(M=8, N=128), (1,))
    add("T8", "shape.py", "gather_kernel",
        dict(x=make.randn("fp32", 16, 64), index=make.ints("i32", 0, 64, 16, 64),
             out=make.out("fp32", 16, 64)), dict(M=16, N=64), (1,))
    add("T8", "shape.py", "histogram_kernel",
        dict(x=make.ints("i32", 0, 32, 1024), out=make.out("i32", 32)), dict(N=1024, BINS=32), (1,))
    # --- T9 ---
    add("T9", "shape.py", "sort_kernel",
        dict(x=make.randn("fp32", 8, 128), out=make.out("fp32", 8, 128)),
        dict(M=8, N=128, DESCENDING=True), (1,), title="fp32")
    add("T9", "shape.py", "sort_kernel",
        dict(x=make.ints("i32", -99, 99, 4, 64), out=make.out("i32", 4, 64)),
        dict(M=4, N=64, DESCENDING=False), (1,), title="i32")
    add("T9", "shape.py", "topk_kernel",
        dict(x=make.randn("fp32", 8, 64), out=make.out("fp32", 8, 8)), dict(M=8, N=64, K=8), (1,))
    add("T9", "memory.py", "pointer_table_kernel",
        dict(table=Addresses([make.randn("fp32", 100) for _ in range(3)]),
             out=make.out("fp32", 3, 100), n=100), dict(BLOCK=128), (3,))
    add("T9", "numeric.py", "to_fp8_kernel",
        dict(x=make.special(4096), e4=make.out("fp8e4nv", 4096), e5=make.out("fp8e5", 4096),
             back=make.out("fp32", 4096), n=4096), block, (4,))
    e5 = make.codes("fp8e5", 256)
    e5.data[(e5.data & 0x7C) == 0x7C] = 0x3C  # Triton makes 65536 of an infinity on its way to bf16
    add("T9", "numeric.py", "from_fp8_kernel",
        dict(e4=make.codes("fp8e4nv", 256), e5=e5, half=make.out("fp16", 512),
             single=make.out("fp32", 512), n=256), dict(BLOCK=256), (1,))
    x = make.special(4096)
    x.data[~(np.abs(x.data) < 1e9)] = 0.75  # what an integer cannot hold is undefined
    x.data[:64] = np.linspace(0, 80, 64)
    x.data[64:] = np.where(np.abs(x.data[64:]) > 80, x.data[64:] % 80, np.abs(x.data[64:]))
    add("T9", "numeric.py", "rounding_kernel",
        dict(x=x, half=make.out("fp16", 8192), brain=make.out("bf16", 8192),
             ints=make.out("i32", 8192), n=4096), block, (4,))
    add("T9", "numeric.py", "libdevice_kernel",
        dict(x=make.randn("fp32", 1000), y=make.randn("fp32", 1000), out=make.out("fp32", 8000),
             n=1000), block, (1,), (1e-5, 2e-5))
    add("T9", "numeric.py", "random_kernel",
        dict(out=make.out("fp32", n), ints=make.out("i32", 2 * n), seed=1234567, n=n), block, programs)
    add("T9", "numeric.py", "normal_kernel", dict(out=make.out("fp32", n), seed=42, n=n), block,
        programs, (1e-4, 1e-5))
    add("T9", "numeric.py", "dropout_kernel",
        dict(x=make.randn("fp32", n), out=make.out("fp32", n), p=0.3, seed=7, n=n), block, programs,
        (1e-6, 0))
    add("T9", "numeric.py", "narrow_ints_kernel",
        dict(x=make.ints("i8", -128, 128, n), y=make.ints("i8", -128, 128, n), out=make.out("i8", n),
             n=n), block, programs)
    # --- T10, T11 ---
    add("T10", "numeric.py", "inline_asm_kernel",
        dict(x=make.ints("i32", -999, 999, n), y=make.ints("i32", -999, 999, n),
             out=make.out("i32", n), n=n), block, programs)
    add("T11", "memory.py", "descriptor_kernel",
        dict(x=make.randn("fp16", 100, 80), out=make.out("fp16", 100, 80), M=100, N=80),
        dict(BM=32, BN=32), (4, 3))
    for a_format, b_format in (("e4m3", "e4m3"), ("e2m1", "bf16")):
        M, N, K = 64, 32, 64
        packs = {"e4m3": 1, "bf16": 1, "e2m1": 2}
        types = {"e4m3": "fp8e4nv", "bf16": "bf16", "e2m1": "u8"}

        def operand(format, *shape):
            if format == "e2m1":
                return make.ints("u8", 0, 256, *shape)
            return make.randn(types[format], *shape)

        add("T11", "dot.py", "scaled_kernel",
            dict(a=operand(a_format, M, K // packs[a_format]),
                 a_scale=make.ints("u8", 120, 134, M, K // 32),
                 b=operand(b_format, K // packs[b_format], N),
                 b_scale=make.ints("u8", 120, 134, N, K // 32), c=make.out("fp32", M, N)),
            dict(M=M, N=N, K=K, A_FORMAT=a_format, B_FORMAT=b_format, A_PACK=packs[a_format],
                 B_PACK=packs[b_format]), (1,), (2e-3, 2e-2), title=f"{a_format} {b_format}")
    return cases
