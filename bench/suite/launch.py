"""Launches of jit functions by tilec: binds the arguments with Triton's own code, writes the kernel as a
file, compiles it through libtilec and runs it on `sim`, `ref` or a GPU."""
import ctypes
import os
import re
import sys
import tempfile

import torch
import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import make_backend
from triton.compiler.errors import CompileTimeAssertionFailure, UnsupportedLanguageConstruct
from triton.runtime.jit import create_function_from_signature
from triton.tools.tensor_descriptor import TensorDescriptor

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import libtilec  # noqa: E402
from emit import File, NotWritten  # noqa: E402


class Rejected(CompileTimeAssertionFailure, UnsupportedLanguageConstruct):
    """tilec's error, of every kind that Triton raises when it compiles."""

    def __init__(self, message, text):
        Exception.__init__(self, message)
        self.src, self.node, self.error_message, self.message = text, None, message, message
        self.__cause__ = ValueError(message)


class Fault(RuntimeError):
    """A launch that failed."""


class OutOfScope(BaseException):
    """The test looks at what this harness has no counterpart of; it is skipped."""


class Code:
    """The `asm` of a compiled kernel: there is PTX only."""

    def __init__(self, engine, ptx):
        self.engine, self.ptx = engine, ptx

    def __getitem__(self, kind):
        self.engine.looked = True
        if kind != "ptx":
            raise OutOfScope("looks at code")
        return self.ptx

    def __getattr__(self, name):
        raise OutOfScope("looks at code")


class Compiled:
    """What a launch returns."""

    def __init__(self, engine, loaded):
        self.asm = Code(engine, loaded.ptx)

    def __getattr__(self, name):
        raise OutOfScope(f"asks for .{name}")


class Engine:
    def __init__(self, device, capability, keep=None):
        self.name, self.capability = device, capability
        self.is_host = not device.startswith("cuda")
        self.target = GPUTarget("cuda", capability, 32)
        self.backend = make_backend(self.target)
        self.library = libtilec.Library()
        self.device = None
        self.loaded, self.binders = {}, {}
        self.looked, self.launches = False, 0
        self.folder = keep or tempfile.mkdtemp(prefix="triton-suite-")
        os.makedirs(self.folder, exist_ok=True)
        self.last = None  # the file of the last kernel

    def open(self):
        if self.device is None:
            self.device = self.library.open(self.name)
        return self.device

    def begin(self):
        """A test begins."""
        self.last, self.looked, self.launches = None, False, 0

    # --- Triton's entry points -------------------------------------------------------------------

    def run(self, jit, *args, grid, warmup, **kwargs):
        kwargs["debug"] = kwargs.get("debug", jit.debug) or triton.knobs.runtime.debug
        for hook in jit.pre_run_hooks:
            hook(*args, **kwargs)
        if id(jit) not in self.binders:
            self.binders[id(jit)] = (jit, create_function_from_signature(jit.signature, jit.params,
                                                                         self.backend))
        bound, specialization, options = self.binders[id(jit)][1](*args, **kwargs)
        options, signature, constants, attributes = jit._pack_args(self.backend, kwargs, bound,
                                                                   specialization, options)
        if options.num_ctas > 1:
            raise OutOfScope("clusters of blocks")
        kernel, arguments = self.compile(jit, bound, signature, constants, attributes, options)
        if not warmup:
            grid = grid(bound) if callable(grid) else grid
            self.launch(kernel, grid, arguments)
            self.launches += 1
        return Compiled(self, kernel)

    def compile_source(self, source, target=None, options=None):
        """triton.compile of an ASTSource: compiles, launches nothing."""
        if not hasattr(source, "fn") or target is not None and target.arch != self.target.arch:
            raise OutOfScope("compiles IR, or for another GPU")
        names = [param.name for param in source.fn.params]
        constants = {path if isinstance(path, tuple) else (names.index(path), ): value
                     for path, value in source.constants.items()}
        signature = {name: source.signature.get(name, "constexpr") for name in names}
        bound = {name: constants.get((index, )) for index, name in enumerate(names)}
        options = self.backend.parse_options(dict(options or {}))
        kernel, _ = self.compile(source.fn, bound, signature, constants, source.attrs or {}, options)
        return Compiled(self, kernel)

    def compile_alone(self, jit, args=(), kwargs=None, target=None):
        """A kernel whose IR the test looks at: that it compiles is all."""
        self.run(jit, *args, grid=None, warmup=True, **(kwargs or {}))

    # --- Compiling -------------------------------------------------------------------------------

    def compile(self, jit, bound, signature, constants, attributes, options):
        file = File()
        call = Call(file, constants, attributes)
        try:
            name = file.define(jit)
            entries = [call.parameter(index, param, signature[param], bound[param])
                       for index, param in enumerate(bound)]
            if call.needs_entry:
                name = call.entry(name, list(bound), signature, bound)
                entries = call.types
        except NotWritten as error:
            raise OutOfScope(f"cannot write {error} as text") from error
        text = file.text()
        key = (text, name, tuple(entries), tuple(call.defines.items()), options.num_warps, options.debug)
        if key not in self.loaded:
            if len(self.loaded) == 64:  # Each loaded kernel of `sim` keeps memory for its threads.
                self.loaded.clear()
            self.loaded[key] = self.build(text, name, ", ".join(entries), call.defines, options)
        return self.loaded[key], call.arguments

    def build(self, text, name, signature, defines, options):
        path = os.path.join(self.folder, f"{name}.py")
        with open(path, "w") as out:
            out.write(text)
        flags = " ".join(f'-D "{key}={value}"' for key, value in defines.items())
        self.last = f'tilec {path} --kernel={name} --signature="{signature}" {flags} ' \
                    f"--num-warps={options.num_warps}{' --enable-asserts' * bool(options.debug)}\n{text}"
        device, message = self.open(), None
        try:
            artifact = self.library.compile(path, name, signature, defines, options.num_warps,
                                            device.target, device.max_ptx_version,
                                            enable_asserts=bool(options.debug))
        except libtilec.TilecError as error:
            message = str(error).partition(": ")[2]
        if message is not None:
            raise Rejected(message, text)
        try:
            loaded = device.load(artifact, name)
        except libtilec.TilecError as error:
            raise Fault(str(error)) from None
        loaded.ptx = artifact.ptx()
        return loaded

    # --- Launching -------------------------------------------------------------------------------

    def launch(self, kernel, grid, arguments):
        grid = tuple(int(extent) for extent in grid)
        try:
            if self.is_host:
                self.launch_on_host(kernel, grid, arguments)
            else:
                args = [a if isinstance(a, libtilec.Arg) else libtilec.pointer(a.data_ptr())
                        for a in arguments]
                kernel.prepare(grid, args, torch.cuda.current_stream().cuda_stream)()
        except libtilec.TilecError as error:
            raise Fault(str(error)) from None

    def launch_on_host(self, kernel, grid, arguments):
        """The storages of the tensors are copied to the device's memory and back."""
        call, held, args = self.library.call, {}, []
        try:
            for argument in arguments:
                if isinstance(argument, libtilec.Arg):
                    args.append(argument)
                    continue
                tensor = getattr(argument, "base", argument)
                storage = tensor.untyped_storage()
                if storage.data_ptr() == 0:
                    args.append(libtilec.pointer(None))
                    continue
                if storage.data_ptr() not in held:
                    address = ctypes.c_void_p()
                    call("tilec_device_allocate", self.device.handle, max(storage.nbytes(), 1),
                         ctypes.byref(address))
                    held[storage.data_ptr()] = (address, storage.nbytes())
                    call("tilec_device_copy_in", self.device.handle, address, storage.data_ptr(),
                         storage.nbytes())
                offset = argument.data_ptr() - storage.data_ptr()
                args.append(libtilec.pointer(held[storage.data_ptr()][0].value + offset))
            kernel.prepare(grid, args)()
            for pointer, (address, size) in held.items():
                call("tilec_device_copy_out", self.device.handle, pointer, address, size)
        finally:
            for address, _ in held.values():
                call("tilec_device_free", self.device.handle, address)


class Call:
    """The signature, constants and arguments of one launch."""

    def __init__(self, file, constants, attributes):
        self.file, self.constants, self.attributes = file, constants, attributes
        self.arguments, self.types, self.defines = [], [], {}
        self.needs_entry = False

    def parameter(self, index, name, kind, value):
        """The entry of one parameter in tilec's signature."""
        if isinstance(kind, tuple):
            self.needs_entry = True
            self.leaves((index, ), kind, value)
            return None
        if kind == "constexpr":
            value = self.constants.get((index, ), value)
            text = self.file.value(value)
            if text.startswith("tl.constexpr("):
                text = self.file.value(value.value)
            self.defines[name] = text
            return "constexpr"
        return self.leaf((index, ), kind, value)

    def leaf(self, path, kind, value):
        """One run-time argument."""
        hint = ":16" if any(name == "tt.divisibility" for name, _ in self.attributes.get(path, ())) else ""
        if kind.startswith("tensordesc"):
            entry = self.descriptor(kind, value)
        elif kind.startswith("*"):
            entry = "*" + element_type(kind[1:].removeprefix("k")) + hint
            self.arguments.append(value)
        else:
            entry = element_type(kind) + hint
            if value is not None:
                number = float(value) if kind[:2] in ("fp", "bf") else int(value)
                self.arguments.append(libtilec.scalar(number))
        self.types.append(entry)
        return entry

    def descriptor(self, kind, value):
        if not isinstance(value, TensorDescriptor):
            raise OutOfScope("a descriptor that is none of Triton's")
        element = re.match(r"tensordesc<(\w+)", kind).group(1)
        block = ", ".join(str(extent) for extent in value.block_shape)
        self.arguments.append(value.base)
        self.arguments += [libtilec.scalar(int(n)) for n in (*value.shape, *value.strides)]
        padding = ", nan" if value.padding == "nan" else ""
        return f"tensordesc<{element_type(element)}[{block}]{padding}>"

    # --- Tuples: a kernel of flat arguments that calls the function with them ---------------------

    def leaves(self, path, kind, value):
        """Collects the run-time arguments inside a tuple."""
        if isinstance(kind, tuple):
            for index, inner in enumerate(kind):
                self.leaves(path + (index, ), inner, value[index])
        elif kind != "constexpr":
            self.leaf(path, kind, value)

    def entry(self, name, names, signature, bound):
        self.count = 0
        passed = [self.expression((index, ), signature[param], bound[param])
                  for index, param in enumerate(names)]
        entry = self.file.free_name("entry")
        parameters = ", ".join(f"a{index}" for index in range(self.count))
        self.file.parts.append(f"@triton.jit\ndef {entry}({parameters}):\n"
                               f"    {name}({', '.join(passed)})")
        self.defines = {}
        return entry

    def expression(self, path, kind, value):
        if kind == "constexpr":
            text = self.file.value(self.constants.get(path, value))
            return text
        if isinstance(kind, tuple):
            inner = [self.expression(path + (index, ), part, value[index])
                     for index, part in enumerate(kind)]
            if hasattr(value, "_fields"):
                return f"{self.file.define(type(value))}({', '.join(inner)})"
            return "(" + "".join(part + ", " for part in inner) + ")"
        self.count += 1
        return f"a{self.count - 1}"


def element_type(name):
    return "i1" if name == "u1" else name
