# A kernel outside of the project's packages, which stand in a usual folder and beside a folder above it.
import triton
import triton.language as tl
from deep.helpers import double
from sibling.widths import WIDTH


# CHECK-LABEL: func.func @kernel
# CHECK: tile.arange 0, 32
# CHECK: arith.muli
@triton.jit
def kernel(x: "*i32"):
    i = tl.arange(0, WIDTH)
    tl.store(x + i, double(tl.load(x + i)))
