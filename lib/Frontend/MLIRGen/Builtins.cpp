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
         {getAtomicBuiltins(),     getEffectBuiltins(),       getMemoryBuiltins(),
          getMathBuiltins(),       getLibdeviceBuiltins(),    getShapeBuiltins(),
          getDotBuiltins(),        getBlockPointerBuiltins(), getDecoratorBuiltins(),
          getDescriptorBuiltins(), getTensorMapBuiltins(),    getRearrangeBuiltins(),
          getReduceBuiltins(),     getScanBuiltins(),         getMapBuiltins(),
          getProgramBuiltins(),    getPythonBuiltins(),       getContainerBuiltins(),
          getStringBuiltins(),     getClassBuiltins(),        getHostBuiltins(),
          getOperatorBuiltins()})
      for (const Builtin &builtin : family)
        result[(builtin.module + "." + builtin.name).str()] = &builtin;
    return result;
  }();
  return table;
}

/// The functions of libdevice that are the same as one of `tl`, by their names there.
static llvm::StringRef sameInTl(llvm::StringRef name) {
  return llvm::StringSwitch<llvm::StringRef>(name)
      .Cases({"exp", "exp2", "log", "log2", "sin", "cos", "tanh"}, name)
      .Cases({"sqrt", "rsqrt", "erf", "floor", "ceil", "fma", "abs"}, name)
      .Case("fabs", "abs")
      .Case("fast_dividef", "fdiv")
      .Default("");
}

const Builtin *findBuiltin(llvm::StringRef module, llvm::StringRef name) {
  auto find = [](llvm::StringRef where, llvm::StringRef what) {
    return getTable().lookup((where + "." + what).str());
  };
  if (module == "tl.math" || module == "libdevice") {
    llvm::StringRef same = sameInTl(name);
    if (const Builtin *builtin = same.empty() ? find("libdevice", name) : find("tl", same))
      return builtin;
    if (module == "libdevice")
      return nullptr;
    // Names of older releases.
    if (name == "max" || name == "min")
      return find("tl", name == "max" ? "maximum" : "minimum");
    return find("tl", name);
  }
  if (module == "triton" && name == "cdiv")
    return find("tl", name);
  if (module == "tl" && name == "to")
    return nullptr;
  return find(module, name);
}

const Builtin *findTensorMethod(llvm::StringRef name) {
  static const llvm::StringSet<> methods = {"associative_scan",
                                            "cumsum",
                                            "cumprod",
                                            "split",
                                            "gather",
                                            "histogram",
                                            "flip",
                                            "item",
                                            "squeeze",
                                            "unsqueeze",
                                            "atomic_add",
                                            "atomic_and",
                                            "atomic_cas",
                                            "atomic_max",
                                            "atomic_min",
                                            "atomic_or",
                                            "atomic_xchg",
                                            "atomic_xor",
                                            "store",
                                            "to",
                                            "cast",
                                            "sum",
                                            "max",
                                            "min",
                                            "argmax",
                                            "argmin",
                                            "xor_sum",
                                            "reduce_or",
                                            "reduce",
                                            "softmax",
                                            "reshape",
                                            "view",
                                            "ravel",
                                            "permute",
                                            "trans",
                                            "expand_dims",
                                            "broadcast_to",
                                            "exp",
                                            "exp2",
                                            "log",
                                            "log2",
                                            "sin",
                                            "cos",
                                            "sqrt",
                                            "sqrt_rn",
                                            "rsqrt",
                                            "erf",
                                            "floor",
                                            "ceil",
                                            "abs",
                                            "sigmoid",
                                            "cdiv",
                                            "fma"};
  // What tensors have and `tl` has not.
  if (const Builtin *builtin = getTable().lookup(("tensor." + name).str()))
    return builtin;
  return methods.contains(name) ? getTable().lookup(("tl." + name).str()) : nullptr;
}

bool isKnownUnsupported(llvm::StringRef module, llvm::StringRef name) {
  static const llvm::StringSet<> language = {"block_type", "constexpr_type", "slice"};
  return (module == "tl" || module.starts_with("tl.")) && language.contains(name);
}

/// Insertions, deletions, replacements and swaps of neighbours between two names.
static unsigned countEdits(llvm::StringRef from, llvm::StringRef to) {
  std::vector<std::vector<unsigned>> edits(from.size() + 1,
                                           std::vector<unsigned>(to.size() + 1, 0));
  for (size_t i = 0; i <= from.size(); ++i)
    for (size_t j = 0; j <= to.size(); ++j) {
      if (i == 0 || j == 0) {
        edits[i][j] = static_cast<unsigned>(i + j);
        continue;
      }
      edits[i][j] = std::min({edits[i - 1][j] + 1, edits[i][j - 1] + 1,
                              edits[i - 1][j - 1] + (from[i - 1] != to[j - 1])});
      if (i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1])
        edits[i][j] = std::min(edits[i][j], edits[i - 2][j - 2] + 1);
    }
  return edits[from.size()][to.size()];
}

llvm::StringRef closestName(llvm::StringRef name, llvm::ArrayRef<llvm::StringRef> candidates) {
  llvm::StringRef best;
  // A short name is near to too many.
  unsigned bestEdits = name.size() < 4 ? 2 : 3;
  for (llvm::StringRef candidate : candidates) {
    size_t longer = std::max(candidate.size(), name.size());
    if (longer - std::min(candidate.size(), name.size()) > 2 || longer > 100 ||
        candidate.starts_with("<"))
      continue;
    unsigned edits = countEdits(name, candidate);
    // With no letter in common, 'z' is not near 'i', but 'n' is near 'N'.
    if (edits >= longer && !name.equals_insensitive(candidate))
      continue;
    if (edits < bestEdits || (edits == bestEdits && !best.empty() && candidate < best)) {
      best = candidate;
      bestEdits = edits;
    }
  }
  return best;
}

llvm::StringRef suggestBuiltin(llvm::StringRef module, llvm::StringRef name) {
  llvm::SmallVector<llvm::StringRef> candidates;
  llvm::StringRef where = module == "tl.math" || module == "libdevice" ? "tl" : module;
  for (const auto &entry : getTable())
    if (entry.getValue()->module == where && entry.getValue()->name != "to")
      candidates.push_back(entry.getValue()->name);
  return closestName(name, candidates);
}

} // namespace tilec::frontend
