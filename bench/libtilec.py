"""libtilec through its C interface: just enough of include/tilec/tilec.h for the benchmarks."""
import ctypes
import os

VOID = ctypes.c_void_p
TEXT = ctypes.c_char_p


class Define(ctypes.Structure):
    _fields_ = [("name", TEXT), ("value", TEXT)]


class CompileOptions(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("kernels", ctypes.POINTER(TEXT)),
                ("num_kernels", ctypes.c_size_t), ("signature", TEXT),
                ("defines", ctypes.POINTER(Define)), ("num_defines", ctypes.c_size_t),
                ("num_warps", ctypes.c_int), ("num_stages", ctypes.c_int), ("target", TEXT),
                ("max_ptx_version", ctypes.c_int), ("include_dirs", ctypes.POINTER(TEXT)),
                ("num_include_dirs", ctypes.c_size_t), ("line_info", ctypes.c_int),
                ("opt_level", ctypes.c_int), ("enable_asserts", ctypes.c_int)]


class KernelInfo(ctypes.Structure):
    _fields_ = [("name", TEXT), ("num_params", ctypes.c_size_t), ("num_warps", ctypes.c_uint),
                ("shared_bytes", ctypes.c_uint64)]


class ArgValue(ctypes.Union):
    _fields_ = [("pointer", VOID), ("integer", ctypes.c_int64), ("real", ctypes.c_double)]


class Arg(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_int), ("value", ArgValue)]


class Grid(ctypes.Structure):
    _fields_ = [("x", ctypes.c_uint64), ("y", ctypes.c_uint64), ("z", ctypes.c_uint64)]


class TilecError(Exception):
    """A call that failed, with the library's message."""


POINTER, INT, FLOAT = range(3)


def pointer(address):
    return Arg(POINTER, ArgValue(pointer=address))


def scalar(value):
    if isinstance(value, float):
        return Arg(FLOAT, ArgValue(real=value))
    return Arg(INT, ArgValue(integer=int(value)))


class Library:
    """One loaded libtilec.so."""

    def __init__(self, path=None):
        self.path = path or find_library()
        lib = self.lib = ctypes.CDLL(self.path)
        for name in ("tilec_version", "tilec_status_message", "tilec_device_description",
                     "tilec_device_target"):
            getattr(lib, name).restype = TEXT
        lib.tilec_artifact_ptx.restype = VOID
        lib.tilec_artifact_num_kernels.restype = ctypes.c_size_t
        lib.tilec_status_message.argtypes = [VOID]
        lib.tilec_status_release.argtypes = [VOID]
        lib.tilec_compile_file.argtypes = [TEXT, ctypes.POINTER(CompileOptions), VOID, VOID]
        lib.tilec_compile.argtypes = [TEXT, TEXT, ctypes.c_size_t, ctypes.POINTER(CompileOptions),
                                      VOID, VOID]
        lib.tilec_artifact_ptx.argtypes = [VOID, VOID]
        lib.tilec_artifact_release.argtypes = [VOID]
        lib.tilec_device_open.argtypes = [TEXT, VOID, VOID]
        for name in ("tilec_device_description", "tilec_device_target",
                     "tilec_device_max_ptx_version", "tilec_device_release",
                     "tilec_program_release", "tilec_kernel_release"):
            getattr(lib, name).argtypes = [VOID]
        lib.tilec_device_allocate.argtypes = [VOID, ctypes.c_size_t, VOID, VOID]
        lib.tilec_device_free.argtypes = [VOID, VOID, VOID]
        for name in ("tilec_device_copy_in", "tilec_device_copy_out"):
            getattr(lib, name).argtypes = [VOID, VOID, VOID, ctypes.c_size_t, VOID]
        lib.tilec_program_load.argtypes = [VOID, VOID, VOID, VOID]
        lib.tilec_program_kernel.argtypes = [VOID, TEXT, VOID, VOID]
        lib.tilec_kernel_get_info.argtypes = [VOID, ctypes.POINTER(KernelInfo)]
        lib.tilec_kernel_launch.argtypes = [VOID, Grid, ctypes.POINTER(Arg), ctypes.c_size_t, VOID,
                                            VOID]

    def version(self):
        return self.lib.tilec_version().decode()

    def call(self, name, *args):
        """Calls a function whose last parameter is a status; raises TilecError if it fails."""
        status = VOID()
        code = getattr(self.lib, name)(*args, ctypes.byref(status))
        message = self.lib.tilec_status_message(status).decode() if status.value else ""
        self.lib.tilec_status_release(status)
        if code:
            raise TilecError(f"{name}: {message or code}")

    def compile(self, path, kernel, signature=None, defines=None, num_warps=0, target=None,
                max_ptx_version=0, include_dirs=(), enable_asserts=False):
        """Compiles one kernel of a file. Returns an Artifact."""
        pairs = [(k.encode(), str(v).encode()) for k, v in (defines or {}).items()]
        array = (Define * max(1, len(pairs)))(*[Define(*pair) for pair in pairs])
        kernels = (TEXT * 1)(kernel.encode())
        folders = (TEXT * max(1, len(include_dirs)))(*[folder.encode() for folder in include_dirs])
        options = CompileOptions(struct_size=ctypes.sizeof(CompileOptions), kernels=kernels,
                                 num_kernels=1, signature=signature.encode() if signature else None,
                                 defines=array, num_defines=len(pairs), num_warps=num_warps,
                                 target=target.encode() if target else None,
                                 max_ptx_version=max_ptx_version, include_dirs=folders,
                                 num_include_dirs=len(include_dirs),
                                 enable_asserts=enable_asserts)
        handle = VOID()
        self.call("tilec_compile_file", path.encode(), ctypes.byref(options), ctypes.byref(handle))
        return Artifact(self, handle)

    def open(self, name="cuda:0"):
        handle = VOID()
        self.call("tilec_device_open", name.encode(), ctypes.byref(handle))
        return Device(self, handle)


class Artifact:
    def __init__(self, library, handle):
        self.library, self.handle = library, handle

    def ptx(self):
        return ctypes.string_at(self.library.lib.tilec_artifact_ptx(self.handle, None)).decode()

    def __del__(self):
        self.library.lib.tilec_artifact_release(self.handle)


class Device:
    def __init__(self, library, handle):
        self.library, self.handle = library, handle
        self.description = library.lib.tilec_device_description(handle).decode()
        self.target = library.lib.tilec_device_target(handle).decode()
        self.max_ptx_version = library.lib.tilec_device_max_ptx_version(handle)

    def load(self, artifact, kernel):
        program, handle = VOID(), VOID()
        call = self.library.call
        call("tilec_program_load", self.handle, artifact.handle, ctypes.byref(program))
        call("tilec_program_kernel", program, kernel.encode(), ctypes.byref(handle))
        self.library.lib.tilec_program_release(program)  # The kernel keeps it alive.
        return Kernel(self.library, handle)

    def copy_in(self, array):
        """The address of a new copy of a NumPy array in the device's memory. The caller frees it."""
        address = VOID()
        call = self.library.call
        call("tilec_device_allocate", self.handle, max(array.nbytes, 1), ctypes.byref(address))
        call("tilec_device_copy_in", self.handle, address, array.ctypes.data, array.nbytes)
        return address.value

    def copy_out(self, address, array):
        """Overwrites a NumPy array with what lies at an address."""
        self.library.call("tilec_device_copy_out", self.handle, array.ctypes.data, address,
                          array.nbytes)

    def free(self, address):
        self.library.call("tilec_device_free", self.handle, address)

    def __del__(self):
        self.library.lib.tilec_device_release(self.handle)


class Kernel:
    def __init__(self, library, handle):
        self.library, self.handle = library, handle
        info = KernelInfo()
        library.lib.tilec_kernel_get_info(handle, ctypes.byref(info))
        self.num_warps, self.shared_bytes = info.num_warps, info.shared_bytes

    def prepare(self, grid, args, stream=0):
        """A function that launches with these arguments and does as little else as it can."""
        extents = Grid(*(tuple(grid) + (1, 1))[:3])
        array = (Arg * len(args))(*args)
        launch, handle, count = self.library.lib.tilec_kernel_launch, self.handle, len(args)
        where = VOID(stream)

        def run():
            if launch(handle, extents, array, count, where, None):
                self.library.call("tilec_kernel_launch", handle, extents, array, count, where)

        return run

    def __del__(self):
        self.library.lib.tilec_kernel_release(self.handle)


def find_library():
    """TILEC_LIBRARY, else the release build's library, else the development build's."""
    if os.environ.get("TILEC_LIBRARY"):
        return os.environ["TILEC_LIBRARY"]
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    for preset in ("release", "dev"):
        path = os.path.join(root, "build", preset, "lib", "libtilec.so")
        if os.path.exists(path):
            return path
    raise SystemExit("no libtilec.so: build it with './dev build release' or pass --library=FILE")
