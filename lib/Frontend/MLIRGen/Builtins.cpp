// Finding the functions of the language by name.
#include "lib/Frontend/MLIRGen/Builtins.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"

namespace tilec::frontend {

/// All functions by "MODULE.NAME".
static const llvm::StringMap<const Builtin *> &getTable() {
  static const llvm::StringMap<const Builtin *> table = [] {
    llvm::StringMap<const Builtin *> result;
    for (llvm::ArrayRef<Builtin> family :
         {getAtomicBuiltins(), getEffectBuiltins(), getMemoryBuiltins(), getMathBuiltins(), getShapeBuiltins(), getDotBuiltins(),
          getReduceBuiltins(), getProgramBuiltins(), getPythonBuiltins()})
      for (const Builtin &builtin : family)
        result[(builtin.module + "." + builtin.name).str()] = &builtin;
    return result;
  }();
  return table;
}

/// The functions of libdevice that are the same as one of `tl`, by their names there.
static llvm::StringRef sameInTl(llvm::StringRef name) {
  return llvm::StringSwitch<llvm::StringRef>(name)
      .Cases({"exp", "fast_expf"}, "exp")
      .Case("exp2", "exp2")
      .Cases({"log", "fast_logf"}, "log")
      .Cases({"log2", "fast_log2f"}, "log2")
      .Cases({"sin", "fast_sinf"}, "sin")
      .Cases({"cos", "fast_cosf"}, "cos")
      .Cases({"tanh", "fast_tanhf"}, "tanh")
      .Cases({"sqrt", "rsqrt", "erf", "floor", "ceil", "fma"}, name)
      .Cases({"abs", "fabs"}, "abs")
      .Case("sqrt_rn", "sqrt_rn")
      .Case("div_rn", "div_rn")
      .Case("fast_dividef", "fdiv")
      .Default("");
}

const Builtin *findBuiltin(llvm::StringRef module, llvm::StringRef name) {
  auto find = [](llvm::StringRef where, llvm::StringRef what) {
    return getTable().lookup((where + "." + what).str());
  };
  if (module == "tl.math") {
    // Names of older releases.
    if (name == "max" || name == "min")
      return find("tl", name == "max" ? "maximum" : "minimum");
    if (const Builtin *builtin = find("libdevice", name))
      return builtin;
    llvm::StringRef same = sameInTl(name);
    return find("tl", same.empty() ? name : same);
  }
  if (module == "libdevice") {
    if (const Builtin *builtin = find("libdevice", name))
      return builtin;
    llvm::StringRef same = sameInTl(name);
    return same.empty() ? nullptr : find("tl", same);
  }
  if (module == "triton" && name == "cdiv")
    return find("tl", name);
  if (module == "tl" && name == "to")
    return nullptr;
  return find(module, name);
}

const Builtin *findTensorMethod(llvm::StringRef name) {
  static const llvm::StringSet<> methods = {
      "atomic_add", "atomic_and", "atomic_cas", "atomic_max", "atomic_min", "atomic_or", "atomic_xchg", "atomic_xor",
      "to",      "cast",      "sum",         "max",          "min",     "argmax", "argmin",
      "xor_sum", "reduce_or", "reduce",      "softmax",      "reshape", "view",   "ravel",
      "permute", "trans",     "expand_dims", "broadcast_to", "exp",     "exp2",   "log",
      "log2",    "sin",       "cos",         "sqrt",         "sqrt_rn", "rsqrt",  "erf",
      "floor",   "ceil",      "abs",         "sigmoid",      "cdiv",    "fma"};
  return methods.contains(name) ? getTable().lookup(("tl." + name).str()) : nullptr;
}

bool isKnownUnsupported(llvm::StringRef module, llvm::StringRef name) {
  static const llvm::StringSet<> language = {"dot_scaled",
                                             "cumsum",
                                             "cumprod",
                                             "associative_scan",
                                             "histogram",
                                             "sort",
                                             "topk",
                                             "gather",
                                             "scatter",
                                             "cat",
                                             "join",
                                             "split",
                                             "interleave",
                                             "flip",
                                             "make_block_ptr",
                                             "advance",
                                             "make_tensor_descriptor",
                                             "load_tensor_descriptor",
                                             "store_tensor_descriptor",
                                             "_experimental_descriptor_load",
                                             "_experimental_descriptor_store",
                                             "_experimental_make_tensor_descriptor",
                                             "experimental_device_tensormap_create2d",
                                             "experimental_tensormap_fenceproxy_acquire",
                                             "tensor_descriptor",
                                             "block_type",
                                             "tensor_descriptor_base",
                                             "swizzle2d",
                                             "map_elementwise",
                                             "async_task",
                                             "bitonic_merge",
                                             "_log2",
                                             "sqrt_rz",
                                             "pow",
                                             "store_to",
                                             "item",
                                             "reduce_and",
                                             "argsort",
                                             "squeeze",
                                             "unsqueeze",
                                             "is_cuda",
                                             "current_target"};
  static const llvm::StringSet<> device = {
      "acos",         "acosh",        "asin",          "asinh",         "atan",
      "atan2",        "atanh",        "brev",          "byte_perm",     "cbrt",
      "clz",          "copysign",     "cosh",          "cospi",         "div_rd",
      "div_ru",       "div_rz",       "erfc",          "erfcinv",       "erfcx",
      "erfinv",       "exp10",        "fdim",          "ffs",           "finitef",
      "fmod",         "hypot",        "ilogb",         "isfinited",     "j0",
      "j1",           "jn",           "ldexp",         "lgamma",        "llrint",
      "llround",      "logb",         "mulhi",         "nearbyint",     "nextafter",
      "norm3d",       "popc",         "pow",           "rcbrt",         "rcp64h",
      "remainder",    "rint",         "round",         "saturatef",     "signbit",
      "sinh",         "sinpi",        "tgamma",        "trunc",         "y0",
      "y1",           "yn",           "rsqrt_rn",      "mul24",         "sad",
      "float2int_rn", "int2float_rn", "float_as_uint", "uint_as_float", "double2float_rn"};
  if (module == "tl" || module.starts_with("tl."))
    return language.contains(name) || device.contains(name);
  return module == "libdevice" && device.contains(name);
}

llvm::StringRef suggestBuiltin(llvm::StringRef module, llvm::StringRef name) {
  llvm::StringRef best;
  unsigned bestDistance = name.size() < 4 ? 1 : 2;
  llvm::StringRef where = module == "tl.math" || module == "libdevice" ? "tl" : module;
  for (const auto &entry : getTable()) {
    const Builtin &builtin = *entry.getValue();
    if (builtin.module != where || builtin.name == "to")
      continue;
    unsigned distance = builtin.name.edit_distance(name, true, bestDistance);
    if (distance < bestDistance ||
        (distance == bestDistance && (best.empty() || builtin.name < best))) {
      best = builtin.name;
      bestDistance = distance;
    }
  }
  return best;
}

} // namespace tilec::frontend
