# Imports inside a package, where nothing but the file's own place says where the package begins.
import triton
import triton.language as tl

import package.parts.scales
import package.parts.scales as scales
from . import double, unreadable
from .parts import scales as same
from ..package.constants import FACTOR


# CHECK-LABEL: func.func @packaged
# CHECK: arith.constant 3.000000e+00
# CHECK-COUNT-4: arith.mulf
@triton.jit
def packaged(x: "*fp32"):
    value = double(tl.load(x))
    value = scales.double(value)
    value = same.double(value)
    value = package.parts.scales.double(value)
    tl.store(x, value + FACTOR)


# UNREADABLE: unreadable.py:1:{{[0-9]+}}: error:
@triton.jit
def reads_unreadable(x: tl.pointer_type(tl.float32), n):
    tl.store(x, unreadable.nothing(n))
