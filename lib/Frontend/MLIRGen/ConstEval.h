// Python's arithmetic on compile-time values.
#ifndef TILEC_LIB_FRONTEND_MLIRGEN_CONSTEVAL_H
#define TILEC_LIB_FRONTEND_MLIRGEN_CONSTEVAL_H

#include "lib/Frontend/MLIRGen/Value.h"

#include <optional>

namespace tilec::frontend {

/// Most characters or elements of a string or sequence that is made at compile time.
inline constexpr size_t kMaxSequence = 1 << 16;

/// A result, or why there is none, as the text of an error message.
struct Folded {
  Value value;
  std::string error;
  Folded(Value value) : value(std::move(value)) {}
  static Folded failure(std::string error) {
    Folded folded{Value()};
    folded.error = std::move(error);
    return folded;
  }
};

/// Why there is no string or sequence that would be longer than kMaxSequence.
Folded tooLong(llvm::StringRef what);

/// `lhs OP rhs` as Python computes it: floor division, exact integers [R7].
Folded foldBinary(ast::BinaryOp op, const Value &lhs, const Value &rhs);

/// `OP operand`.
Folded foldUnary(ast::UnaryOp op, const Value &operand);

/// `lhs OP rhs` for every comparison, `is` and `in` included.
Folded foldCompare(ast::CompareOp op, const Value &lhs, const Value &rhs);

/// `base[index]` of a tuple or a string.
Folded foldSubscript(const Value &base, const Value &index);

/// `base[start:stop:step]` of a tuple or a string; a bound that is left out is None.
Folded foldSlice(const Value &base, const Value &start, const Value &stop, const Value &step);

/// The value of a key of a dictionary.
std::optional<Value> findEntry(const Value &dict, const Value &key);
/// The dictionary with one entry set.
Value withEntry(const Value &dict, const Value &key, const Value &value);
/// What a loop over a tuple, a string or a dictionary runs over; none if it is nothing of these.
std::optional<std::vector<Value>> listElements(const Value &sequence);
/// The numbers of `range(start, stop, step)`, whose step is not 0; none if they are too many.
std::optional<std::vector<Value>> listRange(Int start, Int stop, Int step);

/// `math.NAME(args)`.
Folded foldMath(llvm::StringRef name, llvm::ArrayRef<Value> args);

} // namespace tilec::frontend

#endif // TILEC_LIB_FRONTEND_MLIRGEN_CONSTEVAL_H
