// Sites: what the simulator's library knows about one instrumented operation.
#ifndef TILEC_LIB_SIMULATOR_SITES_H
#define TILEC_LIB_SIMULATOR_SITES_H

#include "lib/PtxAsm/PtxAsm.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <memory>
#include <string>

namespace tilec::sim {

/// The module attribute that carries the sites from `simt-to-host` to SimProgram: an array of
/// dictionaries in the order of the numbers in the calls.
inline constexpr llvm::StringLiteral kSitesAttr = "tilegpu.sim_sites";
/// Put before a kernel's name, it is the name of the function that takes the arguments' addresses.
inline constexpr llvm::StringLiteral kEntryPrefix = "__sim_";

/// The number of launches that want to end, which loops look at.
inline constexpr llvm::StringLiteral kAlarmSymbol = "tilec_sim_alarm";

struct Site {
  /// Size of an access and the alignment it promises, in bytes.
  uint32_t bytes = 0;
  uint32_t align = 1;
  /// The kernel argument that the address comes from, or -1.
  int32_t arg = -1;
  uint32_t elementBytes = 1;
  bool isAtomic = false;
  /// What the operation is, for messages, the format of a print or the text of an assertion: "load", "store", "atomic", "barrier", "shuffle", ...
  std::string what;
  /// The type of an element as the language spells it, for accesses whose argument has none.
  std::string elementType;
  /// What inline PTX does.
  std::shared_ptr<const ptx::AsmProgram> program;
  std::string file;
  unsigned line = 0, column = 0;
};

} // namespace tilec::sim

#endif // TILEC_LIB_SIMULATOR_SITES_H
