// Inline PTX on the host: the constraints of a block of assembly, and an evaluator for the
// instructions that compute. Without MLIR: the interpreter and the simulator's library share it.
#ifndef TILEC_LIB_PTXASM_PTXASM_H
#define TILEC_LIB_PTXASM_PTXASM_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <memory>
#include <string>

namespace tilec::ptx {

/// A register that a block of assembly reads or writes.
struct AsmRegister {
  /// LLVM's letter: 'b' a predicate, 'h' 16 bits, 'r' 32, 'l' 64, 'f' and 'd' floats of 32 and 64;
  /// 'n' a constant, which is written into the text.
  char code = 'r';
  /// Of an input: the output that it shares a register with, or -1.
  int tied = -1;

  unsigned getBits() const {
    return code == 'b' ? 1 : code == 'h' ? 16 : code == 'r' || code == 'f' ? 32 : 64;
  }
  bool isConstant() const { return code == 'n'; }
  bool isFloat() const { return code == 'f' || code == 'd'; }
};

/// Constraints in LLVM's notation: outputs, inputs, clobbers.
struct AsmConstraints {
  llvm::SmallVector<AsmRegister> outputs, inputs;

  static llvm::Expected<AsmConstraints> parse(llvm::StringRef text);
};

/// How elements of `bits` bits travel: so many in each register of a group of `pack` elements.
inline unsigned elementsPerRegister(unsigned bits, unsigned pack) {
  unsigned fit = bits < 32 ? 32 / (bits < 8 ? 8 : bits) : 1;
  return fit < pack ? fit : pack;
}

/// A block of inline PTX that has been parsed. Immutable.
class AsmProgram {
public:
  virtual ~AsmProgram() = default;
  virtual size_t getNumInputs() const = 0;
  virtual size_t getNumOutputs() const = 0;

  /// The program for a block of assembly, parsed once in a process. The error names the instruction
  /// that has no evaluation. Thread-safe.
  static llvm::Expected<std::shared_ptr<const AsmProgram>> get(llvm::StringRef text,
                                                               llvm::StringRef constraints);

  /// Runs it on the bits of its inputs, in the order of the constraints. Thread-safe.
  virtual void run(llvm::ArrayRef<uint64_t> inputs,
                   llvm::MutableArrayRef<uint64_t> outputs) const = 0;
};

} // namespace tilec::ptx

#endif // TILEC_LIB_PTXASM_PTXASM_H
