"""Functions that the kernels beside this file import."""
import triton
import triton.language as tl

SCALE: tl.constexpr = tl.constexpr(1.25)


@triton.jit
def gelu(x):
    return 0.5 * x * (1.0 + tl.erf(x * 0.7071067811865476))


@triton.jit
def divmod_c(x, y):
    return x // y, x % y


@triton.jit
def poly(x, ORDER: tl.constexpr):
    y = x
    for _ in tl.static_range(ORDER):
        y = y * x + 1.0
    return y


@triton.jit
def mean_and_variance(v, mask, n):
    mean = tl.sum(v, axis=0) / n
    centred = tl.where(mask, v - mean, 0.0)
    return mean, tl.sum(centred * centred, axis=0) / n


@triton.jit
def welford(mean_a, m2_a, count_a, mean_b, m2_b, count_b):
    count = count_a + count_b
    delta = mean_b - mean_a
    share = tl.where(count == 0.0, 0.0, count_b / count)
    return mean_a + delta * share, m2_a + m2_b + delta * delta * count_a * share, count


@triton.jit
def linear(a_left, b_left, a_right, b_right):
    """The composition of two maps x -> a x + b, the left one first."""
    return a_left * a_right, b_left * a_right + b_right


@triton.jit
def larger(a, b):
    return tl.where(a > b, a, b)
