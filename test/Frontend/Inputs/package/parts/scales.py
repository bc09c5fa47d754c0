import triton

# Absolute, from the folder that the top package stands in.
from package.constants import FACTOR


@triton.jit
def double(x):
    return x * FACTOR
