// What parsing a block of inline PTX gives and evaluating it takes.
#ifndef TILEC_LIB_PTXASM_ASMIR_H
#define TILEC_LIB_PTXASM_ASMIR_H

#include "lib/PtxAsm/PtxAsm.h"

#include <vector>

namespace tilec::ptx {

/// An element type of PTX.
struct PtxType {
  enum class Kind : uint8_t { None, Bits, Unsigned, Signed, Float, Predicate };
  Kind kind = Kind::None;
  uint8_t bits = 0;
  /// Elements of a packed type: 2 in f16x2.
  uint8_t count = 1;
  /// Of a Float: exponent and mantissa bits; 8 and 0 is ue8m0.
  uint8_t exponent = 0, mantissa = 0;

  bool isFloat() const { return kind == Kind::Float; }
  bool isSigned() const { return kind == Kind::Signed; }
  unsigned totalBits() const { return bits * count; }
  /// "f16x2"; None if it is no type.
  static PtxType parse(llvm::StringRef text);
};

/// A slot with a value, or an immediate, or several of them in braces.
struct AsmOperand {
  enum class Kind : uint8_t { Slot, Integer, Float, Tuple, Sink, Timer };
  Kind kind = Kind::Slot;
  unsigned slot = 0;
  uint64_t integer = 0;
  double number = 0;
  /// Of a tuple: slots, ~0u for `_`.
  llvm::SmallVector<unsigned, 4> parts;
};

struct Instruction;
/// The values of all slots of a running program.
using Slots = llvm::MutableArrayRef<uint64_t>;
using Evaluation = void (*)(const Instruction &, Slots);

struct Instruction {
  Evaluation run = nullptr;
  /// "add".
  std::string name;
  /// Modifiers without types, in order: "rn", "ftz".
  llvm::SmallVector<std::string, 4> modifiers;
  /// Types in order: of the result first.
  llvm::SmallVector<PtxType, 2> types;
  llvm::SmallVector<AsmOperand, 4> operands;
  /// The slot of the predicate, or -1.
  int predicate = -1;
  bool negated = false;

  bool has(llvm::StringRef modifier) const {
    for (const std::string &m : modifiers)
      if (m == modifier)
        return true;
    return false;
  }
  const PtxType &type(unsigned i = 0) const {
    return types[i < types.size() ? i : types.size() - 1];
  }
};

/// Finds the evaluation of an instruction; null if it has none.
Evaluation findEvaluation(const Instruction &instruction);

struct ParsedAsm {
  AsmConstraints constraints;
  std::vector<Instruction> instructions;
  /// Bits of every slot; the outputs come first, then the inputs.
  std::vector<unsigned> slotBits;
};

llvm::Expected<ParsedAsm> parseAsm(llvm::StringRef text, llvm::StringRef constraints);

// Floats of every format (Formats.cpp).
enum class Rounding : uint8_t { Nearest, Zero, Down, Up, NearestAway };
double decode(const PtxType &type, uint64_t bits);
/// `finite`: what overflows becomes the largest number.
uint64_t encode(const PtxType &type, double value, Rounding rounding = Rounding::Nearest,
                bool finite = false);

} // namespace tilec::ptx

#endif // TILEC_LIB_PTXASM_ASMIR_H
