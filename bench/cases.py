"""The kernels of examples/ as launches: buffers, arguments, grids and double-precision references."""
import dataclasses
import importlib.machinery
import os
import types

import torch

import libtilec

EXAMPLES = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "examples")
DTYPES = {"fp32": torch.float32, "fp16": torch.float16, "bf16": torch.bfloat16}
TYPE_NAMES = {torch.float32: "fp32", torch.float16: "fp16", torch.bfloat16: "bf16",
              torch.int32: "i32"}
# Relative and absolute tolerance by type of the result.
TOLERANCES = {torch.float32: (2e-5, 5e-6), torch.float16: (2e-3, 1e-3), torch.bfloat16: (1.6e-2, 1e-2),
              torch.int32: (0, 0)}


@dataclasses.dataclass
class Case:
    """One launch. `args` are (name, tensor, int or float) in the kernel's order, constexprs apart."""
    file: str
    kernel: str
    args: list
    defines: dict
    grid: tuple
    outputs: dict           # name -> a function that computes the double-precision reference
    traffic: int = 0        # bytes that the work must move
    title: str = ""

    def path(self):
        return os.path.join(EXAMPLES, self.file)

    def tensors(self):
        return {name: value for name, value in self.args if torch.is_tensor(value)}

    def signature(self):
        """Triton's notation, with the hints that a launch of these arguments allows."""
        parts = []
        for _, value in self.args:
            if torch.is_tensor(value):
                aligned = value.data_ptr() % 16 == 0
                parts.append("*" + TYPE_NAMES[value.dtype] + (":16" if aligned else ""))
            elif isinstance(value, float):
                parts.append("fp32")
            else:
                parts.append("i32:16" if value % 16 == 0 else "i32")
        return ", ".join(parts + ["constexpr"] * len(self.defines))

    def tilec(self, library, device, num_warps=0, stream=0):
        """Compiles and loads. Returns (launch function, loaded kernel)."""
        key = (self.file, self.kernel, self.signature(), str(self.defines), num_warps)
        kernel = _compiled.get(key)
        if kernel is None:
            artifact = library.compile(self.path(), self.kernel, self.signature(), self.defines,
                                       num_warps, device.target, device.max_ptx_version)
            kernel = _compiled[key] = device.load(artifact, self.kernel)
        args = [libtilec.pointer(v.data_ptr()) if torch.is_tensor(v) else libtilec.scalar(v)
                for _, v in self.args]
        return kernel.prepare(self.grid, args, stream), kernel

    def triton(self, num_warps=4):
        """The same kernel of the same file, compiled by Triton. Returns a launch function."""
        kernel = load_triton(self.path(), self.kernel)
        values = [value for _, value in self.args]

        def run():
            kernel[self.grid](*values, **self.defines, num_warps=num_warps)

        return run

    def elements(self):
        """Elements of the largest tile: the product of the block sizes."""
        product = 1
        for extent in self.defines.values():
            product *= extent
        return product

    def check(self):
        """The largest error of each output in units of its tolerance; at most 1 is right."""
        worst = 0.0
        tensors = self.tensors()
        for name, reference in self.outputs.items():
            got = tensors[name].double()
            want = reference().double()
            rtol, atol = TOLERANCES[tensors[name].dtype]
            both_nan = got.isnan() & want.isnan()
            error = torch.where(both_nan | (got == want), 0.0, (got - want).abs())
            error = error / (atol + rtol * want.abs() + 1e-300)
            error = torch.nan_to_num(error, nan=float("inf"))
            worst = max(worst, error.max().item() if error.numel() else 0.0)
        return worst


_loaded = {}    # what Triton made
_compiled = {}  # what tilec made


def load_triton(path, name):
    """The jit function `name` of a .tile file, which is valid Python.

    Triton takes a pointer's type from an annotation before it looks at the argument, so pointer
    annotations are dropped: these launches pass buffers of several types."""
    import triton
    key = (path, name)
    if key not in _loaded:
        module_name = os.path.basename(path)[:-5]
        loader = importlib.machinery.SourceFileLoader(module_name, path)
        module = types.ModuleType(loader.name)
        module.__file__ = path
        exec(compile(loader.get_data(path), path, "exec"), module.__dict__)
        function = module.__dict__[name].fn
        function.__annotations__ = {
            k: v for k, v in function.__annotations__.items()
            if not (isinstance(v, str) and v.startswith("*"))}
        _loaded[key] = triton.jit(function)
    return _loaded[key]


def buffer(shape, dtype, skew=0, fill="randn"):
    """A contiguous tensor on the GPU whose address is `skew` elements past an aligned one."""
    count = 1
    for extent in shape:
        count *= extent
    base = torch.empty(count + skew, device="cuda", dtype=dtype)
    if fill == "randn":
        base.normal_()
    elif dtype.is_floating_point:
        base.fill_(float("nan"))
    else:
        base.fill_(-1)
    return base[skew:].view(shape)


def cdiv(a, b):
    return -(-a // b)


def block_for(n):
    return max(1, 1 << (n - 1).bit_length())


def add(n, dtype=torch.float32, skew=0, block=1024):
    x, y = buffer((n,), dtype, skew), buffer((n,), dtype, skew)
    out = buffer((n,), dtype, skew, "nan")
    return Case("01-vector-add/vector_add.tile", "vector_add",
                [("x", x), ("y", y), ("out", out), ("n", n)], {"BLOCK": block},
                (cdiv(n, block),), {"out": lambda: x.double() + y.double()},
                3 * n * x.element_size(), f"add {n} {TYPE_NAMES[dtype]}")


def gelu(n, dtype=torch.float32, skew=0, block=2048):
    x, out = buffer((n,), dtype, skew), buffer((n,), dtype, skew, "nan")
    return Case("03-gelu/gelu.tile", "gelu", [("x", x), ("out", out), ("n", n)], {"BLOCK": block},
                (cdiv(n, block),),
                {"out": lambda: torch.nn.functional.gelu(x.double())},
                2 * n * x.element_size(), f"gelu {n} {TYPE_NAMES[dtype]}")


def softmax(rows, n, dtype=torch.float32, skew=0, persistent=False):
    x, out = buffer((rows, n), dtype, skew), buffer((rows, n), dtype, skew, "nan")
    name = "softmax_persistent" if persistent else "softmax"
    args = [("x", x), ("out", out), ("stride", n)]
    args += [("rows", rows), ("n", n)] if persistent else [("n", n)]
    sms = torch.cuda.get_device_properties(0).multi_processor_count
    return Case("02-softmax/softmax.tile", name, args, {"BLOCK": block_for(n)},
                (min(rows, 4 * sms) if persistent else rows,),
                {"out": lambda: torch.softmax(x.double(), 1)},
                2 * rows * n * x.element_size(), f"{name} {rows}x{n} {TYPE_NAMES[dtype]}")


def layernorm(rows, n, dtype=torch.float32, skew=0):
    x, out = buffer((rows, n), dtype, skew), buffer((rows, n), dtype, skew, "nan")
    w, b = buffer((n,), dtype, skew), buffer((n,), dtype, skew)
    return Case("05-layernorm/layernorm.tile", "layernorm",
                [("x", x), ("weight", w), ("bias", b), ("out", out), ("stride", n), ("n", n),
                 ("eps", 1e-5)], {"BLOCK": block_for(n)}, (rows,),
                {"out": lambda: torch.nn.functional.layer_norm(
                    x.double(), (n,), w.double(), b.double(), 1e-5)},
                2 * rows * n * x.element_size(), f"layernorm {rows}x{n} {TYPE_NAMES[dtype]}")


def rmsnorm(rows, n, dtype=torch.float32, skew=0):
    x, out = buffer((rows, n), dtype, skew), buffer((rows, n), dtype, skew, "nan")
    w = buffer((n,), dtype, skew)

    def reference():
        v = x.double()
        return v * torch.rsqrt(v.square().mean(1, keepdim=True) + 1e-6) * w.double()

    return Case("06-rmsnorm/rmsnorm.tile", "rmsnorm",
                [("x", x), ("weight", w), ("out", out), ("stride", n), ("n", n), ("eps", 1e-6)],
                {"BLOCK": block_for(n)}, (rows,), {"out": reference},
                2 * rows * n * x.element_size(), f"rmsnorm {rows}x{n} {TYPE_NAMES[dtype]}")


def transpose(rows, cols, dtype=torch.float32, skew=0, tile=64):
    x, out = buffer((rows, cols), dtype, skew), buffer((cols, rows), dtype, skew, "nan")
    return Case("07-transpose/transpose.tile", "transpose",
                [("x", x), ("out", out), ("rows", rows), ("cols", cols)],
                {"TILE_R": tile, "TILE_C": tile}, (cdiv(rows, tile), cdiv(cols, tile)),
                {"out": lambda: x.t()}, 2 * rows * cols * x.element_size(),
                f"transpose {rows}x{cols} {TYPE_NAMES[dtype]}")


def argmax(rows, n, dtype=torch.float32, skew=0):
    x, index = buffer((rows, n), dtype, skew), buffer((rows,), torch.int32, skew, "nan")

    def reference():  # The first of equal values, which torch.argmax does not promise.
        columns = torch.arange(n, device="cuda").expand(rows, n)
        return torch.where(x == x.amax(1, keepdim=True), columns, n).amin(1)

    return Case("08-argmax/argmax.tile", "argmax",
                [("x", x), ("index", index), ("stride", n), ("n", n)], {"BLOCK": block_for(n)},
                (rows,), {"index": reference}, rows * n * x.element_size(),
                f"argmax {rows}x{n} {TYPE_NAMES[dtype]}")


def matvec(m, k, dtype=torch.float32, skew=0):
    a, x = buffer((m, k), dtype, skew), buffer((k,), dtype, skew)
    a /= k**0.5  # Results near 1, so that the tolerance means something.
    y = buffer((m,), dtype, skew, "nan")
    return Case("09-matvec/matvec.tile", "matvec",
                [("a", a), ("x", x), ("y", y), ("m", m), ("k", k), ("stride", k)],
                {"BLOCK_M": 16, "BLOCK_K": 128}, (cdiv(m, 16),),
                {"y": lambda: a.double() @ x.double()}, m * k * a.element_size(),
                f"matvec {m}x{k} {TYPE_NAMES[dtype]}")


def softmax_unfused(rows, n, dtype=torch.float32, skew=0):
    """The three launches of 04-softmax-unfused, in order."""
    x, out = buffer((rows, n), dtype, skew), buffer((rows, n), dtype, skew, "nan")
    e = buffer((rows, n), torch.float32, skew, "nan")
    peak = buffer((rows,), torch.float32, skew, "nan")
    total = buffer((rows,), torch.float32, skew, "nan")
    file, defines = "04-softmax-unfused/softmax_unfused.tile", {"BLOCK": block_for(n)}
    sizes = [("stride", n), ("n", n)]
    kind = f"{rows}x{n} {TYPE_NAMES[dtype]}"

    def exponentials():
        v = x.double()
        return torch.exp(v - v.amax(1, keepdim=True))

    return [
        Case(file, "row_max", [("x", x), ("peak", peak), *sizes], defines, (rows,),
             {"peak": lambda: x.double().amax(1)}, title=f"unfused: row_max {kind}"),
        Case(file, "exp_and_sum", [("x", x), ("peak", peak), ("e", e), ("total", total), *sizes],
             defines, (rows,), {"e": exponentials, "total": lambda: exponentials().sum(1)},
             title=f"unfused: exp_and_sum {kind}"),
        Case(file, "divide_rows", [("e", e), ("total", total), ("out", out), *sizes], defines,
             (rows,), {"out": lambda: torch.softmax(x.double(), 1)},
             title=f"unfused: divide_rows {kind}"),
    ]
