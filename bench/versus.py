#!/usr/bin/env python3
"""The kernels of bench/versus, which are Triton's as they stand, run twice on the same inputs: on a GPU
by tilec and by Triton, or without one on the simulated GPU and on the reference interpreter. Results
must be equal to the bit, or within the tolerance that the case states where the order of operations is
the compiler's. Prints a line a case; exit status 1 if any differs. Needs NumPy, and on a GPU PyTorch
and Triton.

usage: bench/versus.py [--device=cuda|sim] [--library=FILE] [--json=FILE] [--only=TEXT] [--seed=N]
                       [--accept]

  --accept   no launches: only let Triton compile the kernels, for sm_90, to see that they are its
"""
import argparse
import json
import os
import sys

import numpy as np

import libtilec

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "versus"))
import cases as versus  # noqa: E402


def constexpr_text(value):
    return str(value) if isinstance(value, versus.Expr) or not isinstance(value, str) else repr(value)


def signature(case, hints):
    """Triton's notation. `hints` promises divisibility where the arguments allow it."""
    parts = []
    for value in case.args.values():
        if isinstance(value, versus.Buffer):
            parts.append("*" + value.type + (":16" if hints else ""))
        elif isinstance(value, versus.Addresses):
            parts.append("*i64" + (":16" if hints else ""))
        elif isinstance(value, float):
            parts.append("fp32")
        else:
            parts.append("i32:16" if hints and value % 16 == 0 else "i32")
    return ", ".join(parts + ["constexpr"] * len(case.constexprs))


def compile_case(library, case, device, hints):
    defines = {name: constexpr_text(value) for name, value in case.constexprs.items()}
    return library.compile(case.path(), case.kernel, signature(case, hints), defines, case.num_warps,
                           device.target, device.max_ptx_version)


def run_on_host(library, case, device):
    """Runs on `sim` or `ref`. Returns the outputs by name."""
    kernel = device.load(compile_case(library, case, device, hints=False), case.kernel)
    held, args, outputs = [], [], {}

    def put(array):
        held.append(device.copy_in(array))
        return held[-1]

    for name, value in case.args.items():
        if isinstance(value, versus.Buffer):
            address = put(np.ascontiguousarray(value.data))
            if value.is_output:
                outputs[name] = (address, value)
            args.append(libtilec.pointer(address))
        elif isinstance(value, versus.Addresses):
            table = np.array([put(buffer.data) for buffer in value.of], np.int64)
            args.append(libtilec.pointer(put(table)))
        else:
            args.append(libtilec.scalar(value))
    kernel.prepare(case.grid, args)()
    results = {}
    for name, (address, buffer) in outputs.items():
        data = np.empty_like(buffer.data)
        device.copy_out(address, data)
        results[name] = versus.Buffer(buffer.type, data)
    for address in held:
        device.free(address)
    return results


# --- GPU -------------------------------------------------------------------------------------------

def torch_type(name):
    import torch
    return {"fp64": torch.float64, "fp32": torch.float32, "fp16": torch.float16,
            "bf16": torch.bfloat16, "fp8e4nv": torch.float8_e4m3fn, "fp8e5": torch.float8_e5m2,
            "i64": torch.int64, "i32": torch.int32, "i16": torch.int16, "i8": torch.int8,
            "u64": torch.uint64, "u32": torch.uint32, "u16": torch.uint16, "u8": torch.uint8,
            "i1": torch.bool}[name]


def to_gpu(buffer):
    import torch
    raw = torch.from_numpy(np.ascontiguousarray(buffer.data).reshape(-1).view(np.uint8).copy())
    return raw.cuda().view(torch_type(buffer.type)).reshape(buffer.data.shape)


def from_gpu(tensor, buffer):
    import torch
    raw = tensor.contiguous().reshape(-1).view(torch.uint8).cpu().numpy()
    return versus.Buffer(buffer.type, raw.view(buffer.data.dtype).reshape(buffer.data.shape))


def gpu_arguments(case):
    """Fresh tensors for every argument, and what must stay alive beside them."""
    import torch
    values, held = {}, []
    for name, value in case.args.items():
        if isinstance(value, versus.Buffer):
            values[name] = to_gpu(value)
        elif isinstance(value, versus.Addresses):
            held += [to_gpu(buffer) for buffer in value.of]
            addresses = [tensor.data_ptr() for tensor in held]
            values[name] = torch.tensor(addresses, dtype=torch.int64, device="cuda")
        else:
            values[name] = value
    return values, held


def gpu_results(case, values):
    import torch
    torch.cuda.synchronize()
    return {name: from_gpu(values[name], value) for name, value in case.args.items()
            if isinstance(value, versus.Buffer) and value.is_output}


def run_tilec(library, case, device):
    import torch
    values, held = gpu_arguments(case)
    kernel = device.load(compile_case(library, case, device, hints=True), case.kernel)
    args = [libtilec.pointer(v.data_ptr()) if torch.is_tensor(v) else libtilec.scalar(v)
            for v in values.values()]
    kernel.prepare(case.grid, args, torch.cuda.current_stream().cuda_stream)()
    return gpu_results(case, values)


def triton_kernel(case):
    import importlib
    return getattr(importlib.import_module(case.file.removesuffix(".py")), case.kernel)


def triton_constexprs(case):
    import triton.language as tl
    return {name: getattr(tl, value.removeprefix("tl.")) if isinstance(value, versus.Expr) else value
            for name, value in case.constexprs.items()}


def run_triton(case):
    import torch
    import triton
    triton.set_allocator(lambda size, align, stream: torch.empty(size, dtype=torch.int8, device="cuda"))
    values, held = gpu_arguments(case)
    triton_kernel(case)[case.grid](*values.values(), **triton_constexprs(case),
                                   num_warps=case.num_warps)
    return gpu_results(case, values)


def accept(case):
    """Lets Triton compile a case. Raises what it raises."""
    import triton
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource
    names = list(case.args)
    types = [part.strip() for part in signature(case, hints=False).split(",")]
    source = ASTSource(triton_kernel(case), dict(zip(names + list(case.constexprs), types)),
                       triton_constexprs(case))
    triton.compile(source, target=GPUTarget("cuda", 90, 32), options={"num_warps": case.num_warps})


# --- Comparison ------------------------------------------------------------------------------------

def compare(case, got, want):
    """What differs, as text; "" if nothing does. Returns it with the largest error."""
    worst = 0.0
    for name in want:
        a, b = versus.values(got[name]), versus.values(want[name])
        if case.tolerance == versus.EXACT:
            both_nan = (a != a) & (b != b)
            wrong = ~both_nan & (got[name].data.view(bits_of(a, got[name])) !=
                                 want[name].data.view(bits_of(b, want[name])))
        else:
            rtol, atol = case.tolerance
            with np.errstate(invalid="ignore"):
                error = np.abs(a - b) / (atol + rtol * np.abs(b))
            equal = (a == b) | ((a != a) & (b != b))
            error = np.where(equal, 0.0, np.nan_to_num(error, nan=np.inf))
            worst = max(worst, float(error.max()))
            wrong = error > 1
        if wrong.any():
            at = tuple(int(i) for i in np.argwhere(wrong)[0])
            return (f"{name}{list(at)} is {a[at]}, not {b[at]}; {int(wrong.sum())} of {wrong.size} "
                    f"elements differ"), worst
    return "", worst


def bits_of(_, buffer):
    return {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}[buffer.data.dtype.itemsize]


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1])
    parser.add_argument("--device", choices=("cuda", "sim"), default="cuda")
    parser.add_argument("--library")
    parser.add_argument("--json")
    parser.add_argument("--only", default="")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--accept", action="store_true")
    options = parser.parse_args()
    library = None if options.accept else libtilec.Library(options.library)
    if library:
        device = library.open("cuda:0" if options.device == "cuda" else "sim")
        reference = library.open("ref") if options.device == "sim" else None
    rows, failures = [], 0
    for case in versus.all_cases(options.seed):
        if options.only not in f"{case.tier} {case.name}":
            continue
        message, worst = "", 0.0
        try:
            if options.accept:
                accept(case)
            elif options.device == "sim":
                got, want = (run_on_host(library, case, d) for d in (device, reference))
                message, worst = compare(case, got, want)
            else:
                message, worst = compare(case, run_tilec(library, case, device), run_triton(case))
        except Exception as error:  # a case must not hide the others
            message = f"{type(error).__name__}: {error}".strip()
        failures += bool(message)
        exact = case.tolerance == versus.EXACT
        print(f"{case.tier:4} {case.name:32} {'FAILED' if message else 'equal' if exact else 'close'}"
              + ("" if exact or message else f"  {worst:.3f} of the tolerance"))
        if message:
            print("     " + message.replace("\n", "\n     "))
        rows.append({"tier": case.tier, "case": case.name, "exact": exact, "worst": worst,
                     "failure": message})
        sys.stdout.flush()
    print(f"{len(rows)} cases, {failures} failed")
    if options.json:
        with open(options.json, "w") as file:
            json.dump({"device": options.device, "seed": options.seed, "cases": rows}, file, indent=1)
    return 1 if failures or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
