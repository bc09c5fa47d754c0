"""Tests that are not run, and why. What others cannot go on with they say when they run."""

# Whole files and test functions.
TESTS = {
    "test_line_info.py": "debug information",
    "test_warp_specialization.py": "runs IR, or tests a scheduler",
    "test_reproducer.py": "Triton's passes",
    "test_compile_only.py": "looks at IR and assembly",
    "test_subprocess.py": "starts processes of its own",
    "test_module.py": "holds no test",
    "test_mxfp.py": "tests Triton's Python",
    "test_core.py::test_pointer_arguments": "which memory Triton's launcher takes",
    "test_core.py::test_value_specialization": "Triton's launcher",
    "test_core.py::test_override_arch": "Triton's options",
    "test_compile_errors.py::test_where_warning": "a warning of Triton",
    "test_tuple.py::test_passing_nested_tuple_with_constexpr_and_jit_hook": "Triton's hooks",
    "test_core.py::test_constexpr_assignment": "the types of constants",
    "test_tuple.py::test_passing_tuple_to_make_tensor_descriptor": "the types of constants",
    "test_debug.py::test_sanitize_int_add_overflow": "checks of overflow",
    "test_debug.py::test_sanitize_int_mul_overflow": "checks of overflow",
    "test_debug.py::test_sanitize_int_sub_overflow": "checks of overflow",
    "test_tma_descriptor.py": "descriptors in Triton's Python",
    "test_matmul.py::test_preshuffle_scale_mxfp_cdna4": "a GPU of another maker",
}

# What Triton refuses because a pointer is `tl.const`: stores, and branches with one that is and one
# that is not.
CONST = {
    f"test_core.py::test_const[{mode}-{known}-{chosen}]": "tl.const is not checked [R3]"
    for mode in ("direct", "call", "ternary", "if") for known in (True, False) for chosen in (True, False)
    if chosen or (not known and mode != "direct")
}

# Too much for a simulated GPU.
SLOW = {
    "test_core.py::test_load_store_same_ptr": "65 million programs",
    "test_conversions.py::test_typeconvert_downcast": "all 2^32 numbers",
}

# What Triton refuses and tilec takes; docs/language.md has the rules.
TAKEN = {
    "test_core.py::test_call[1-noinline]": "helpers are inlined whatever they say [R41]",
    "test_frontend.py::test_constexpr_min_error": "min of NaN and of zeros of both signs is Python's",
    "test_frontend.py::test_constexpr_max_error": "max of NaN and of zeros of both signs is Python's",
    "test_frontend.py::test_return_in_while": "return in loops [R38]",
    "test_compile_errors.py::test_global_var_access": "module-level values [R45]",
    "test_compile_errors.py::test_constexpr_annotated_global_var_access": "module-level values [R45]",
    "test_compile_errors.py::test_err_in_unary_op": "'not' of a tuple known at compile time",
    "test_compile_errors.py::test_err_constexpr_and_do_not_specialize": "a hint without a meaning here",
    "test_compile_errors.py::test_fp8_support[dtype4]": "products of fp8e4b15 on every target",
    "test_compile_errors.py::test_unused_result": "a call whose result nothing uses",
}

# What a simulated GPU does not do.
NOT_SIMULATED = {
    "test_annotations.py::test_int_annotation": "the test stores behind its tensor's end",
    "test_core.py::test_inline_asm_with_pointers": "memory in inline PTX [R48]",
}


def reason(function, name, device):
    """Why a test is not run, or None."""
    file = function.partition("::")[0]
    if device == "triton":
        return None
    one = f"{file}::{name}"
    found = TESTS.get(file) or TESTS.get(function) or TAKEN.get(function) or TAKEN.get(one) or CONST.get(one)
    if device in ("sim", "ref"):
        found = found or SLOW.get(function) or NOT_SIMULATED.get(function)
    return found
