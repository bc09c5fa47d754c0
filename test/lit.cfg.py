# How lit runs the tests of this tree; the paths come from lit.site.cfg.py, which CMake writes.
import ctypes
import os
import shutil

import lit.formats

config.name = "tilec"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".tile", ".mlir", ".test", ".ll"]
config.excludes = ["Inputs", "unit", "lib", "CMakeLists.txt", "lit.cfg.py"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = config.tilec_test_dir

config.environment["PATH"] = os.pathsep.join(
    [config.tilec_bin_dir, config.llvm_bin_dir, config.environment["PATH"]])
# A test must not see the colours or the settings of the terminal that it is run from.
for name in list(config.environment):
    if name.startswith("TILEC_"):
        del config.environment[name]
config.environment["NO_COLOR"] = "1"
for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

config.substitutions += [
    ("%examples", os.path.join(config.tilec_source_dir, "examples")),
    ("%source", config.tilec_source_dir),
    ("%python", config.python),
    ("%build", config.tilec_build_dir),
    ("%bin", config.tilec_bin_dir),
    ("%lib", config.tilec_lib_dir),
]


def has_cuda():
    """A driver that starts and has a device."""
    try:
        cuda = ctypes.CDLL("libcuda.so.1")
        count = ctypes.c_int(0)
        return (cuda.cuInit(0) == 0 and cuda.cuDeviceGetCount(ctypes.byref(count)) == 0
                and count.value > 0)
    except (OSError, AttributeError):
        return False


def find_ptxas():
    for root in (os.environ.get("CUDA_HOME"), "/usr/local/cuda"):
        if root and os.access(os.path.join(root, "bin", "ptxas"), os.X_OK):
            return os.path.join(root, "bin", "ptxas")
    return shutil.which("ptxas")


ptxas = find_ptxas()
if ptxas:
    config.available_features.add("ptxas")
    config.substitutions.append(("%ptxas", ptxas))
if has_cuda():
    config.available_features.add("cuda")
if config.tilec_asserts:
    config.available_features.add("asserts")
if config.tilec_sanitize:
    config.available_features.add("sanitizer")

try:
    import psutil  # lit needs it to stop a test that hangs.
    lit_config.maxIndividualTestTime = 300
except ImportError:
    pass
