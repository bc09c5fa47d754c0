"""A machine as Triton's tests expect one: a driver that names a GPU, and for `sim` and `ref` a PyTorch
whose "cuda" tensors lie in this process."""
import contextlib
import subprocess
import sys
from types import SimpleNamespace

import torch
import triton
from torch.overrides import TorchFunctionMode
from triton.backends.compiler import GPUTarget


class Driver:
    """Answers what tests and Triton's launcher ask of a driver, without one."""

    def __init__(self, capability, is_host):
        self.target = GPUTarget("cuda", capability, 32)
        self.is_host = is_host
        limits = {"max_shared_mem": 232448, "multiprocessor_count": 4, "max_num_regs": 65536, "warpSize": 32}
        self.utils = SimpleNamespace(get_device_properties=lambda _: limits)

    def get_current_target(self):
        return self.target

    def get_current_device(self):
        return 0

    def get_current_stream(self, device):
        return 0 if self.is_host else torch.cuda.current_stream().cuda_stream

    def get_active_torch_device(self):
        return torch.device("cpu" if self.is_host else "cuda")

    def get_device_capability(self, *_):
        return divmod(self.target.arch, 10)

    def get_device_interface(self):
        return torch.cuda

    def clear_cache(self, cache):
        cache.zero_()

    def get_empty_cache_for_benchmark(self):
        return torch.zeros(1, dtype=torch.int32)

    def get_benchmarker(self):
        return lambda call, **_: (call(), [1.0, 1.0, 1.0])[1]


def moved(value):
    if isinstance(value, str) and (value == "cuda" or value.startswith("cuda:")):
        return "cpu"
    if isinstance(value, torch.device) and value.type == "cuda":
        return torch.device("cpu")
    return value


class CudaIsHere(TorchFunctionMode):
    """Makes in this process what a test makes on the GPU."""

    def __torch_function__(self, func, types, args=(), kwargs=None):
        if func in (torch.Tensor.cuda, torch.Tensor.pin_memory):
            return args[0]
        return func(*map(moved, args), **{name: moved(value) for name, value in (kwargs or {}).items()})


def capability_of_gpu():
    """9.0 as 90. Asked in a process of its own: this one forks later, and must have no CUDA context."""
    ask = "import torch; print(*torch.cuda.get_device_capability())"
    text = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True).stdout
    major, minor = text.split()
    return 10 * int(major) + int(minor)


def prepare(capability, is_host):
    """Before the tests are collected: nothing here touches a GPU."""
    triton.runtime.driver.set_active(Driver(capability, is_host))
    torch.cuda.get_device_capability = lambda *_: divmod(capability, 10)
    torch.cuda.get_device_name = lambda *_: f"sm_{capability}"
    torch.cuda.is_available = lambda: True
    if not is_host:
        return
    torch.cuda.synchronize = lambda *_: None
    torch.cuda.current_device = lambda: 0
    torch.cuda.device = lambda _: contextlib.nullcontext()
    torch.cuda.get_device_properties = lambda *_: SimpleNamespace(
        multi_processor_count=4, name="simulated", total_memory=1 << 34, major=capability // 10,
        minor=capability % 10)
    CudaIsHere().__enter__()
