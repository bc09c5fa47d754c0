// The lines that a kernel prints: their format, and filling it in on the host.
#ifndef TILEC_LIB_SUPPORT_DEVICEPRINT_H
#define TILEC_LIB_SUPPORT_DEVICEPRINT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>

namespace tilec {

/// What a printed element is, once it is as wide as C passes it.
enum class Printed : uint8_t { Int, UInt, Long, ULong, Double, Pointer };

/// One operand of a print.
struct PrintedOperand {
  Printed type = Printed::Int;
  /// Bits of an element; `hex` shows as many.
  unsigned bits = 32;
  bool hex = false;
  llvm::ArrayRef<int64_t> shape;
  /// Its number among so many operands.
  unsigned number = 0, count = 1;
};

/// The format of the lines of an operand, in C's notation: three program indices, the element's
/// indices, its value. As Triton's: "pid (%u, %u, %u) idx (%3u) x: %i\n".
std::string makePrintFormat(llvm::StringRef prefix, const PrintedOperand &operand);
/// The format of a print without operands.
std::string makePrintFormat(llvm::StringRef prefix);

/// Fills in a format; every argument is 64 bits of which it takes what it needs.
std::string formatPrint(llvm::StringRef format, llvm::ArrayRef<uint64_t> args);

/// Writes a line to standard output, whole.
void writePrint(llvm::StringRef line);

} // namespace tilec

#endif // TILEC_LIB_SUPPORT_DEVICEPRINT_H
