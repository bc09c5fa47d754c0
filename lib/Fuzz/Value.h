// What the generator knows of the values in the kernel that it writes.
#ifndef TILEC_LIB_FUZZ_VALUE_H
#define TILEC_LIB_FUZZ_VALUE_H

#include <cstdint>
#include <string>
#include <vector>

namespace tilec::fuzz {

/// Element types, in the order of `kElems`.
enum class Elem : uint8_t {
  I1,
  I8,
  I16,
  I32,
  I64,
  U8,
  U16,
  U32,
  U64,
  F16,
  BF16,
  F32,
  F64,
  E4M3,
  E5M2
};

struct ElemInfo {
  const char *name;   ///< In annotations: "i32".
  const char *tlName; ///< "int32"
  unsigned bits;
  bool isFloat, isSigned;
  /// Floats: every whole number up to here is exact, with room to spare for one operation.
  double exact;
  /// Floats: half a unit in the last place, relative.
  double epsilon;
  double largest;
};
const ElemInfo &getInfo(Elem elem);
inline bool isFloat(Elem elem) { return getInfo(elem).isFloat; }
inline bool isInt(Elem elem) { return !isFloat(elem) && elem != Elem::I1; }
inline bool isFp8(Elem elem) { return elem == Elem::E4M3 || elem == Elem::E5M2; }
/// The integer type of a width.
Elem getIntType(unsigned bits, bool isSigned);

using Shape = std::vector<int64_t>;
int64_t countOf(const Shape &shape);
/// "[64, 32]"
std::string spell(const Shape &shape);

using Wide = __int128;
/// The least and the greatest value of an integer type; booleans too.
Wide leastOf(Elem elem);
Wide greatestOf(Elem elem);

/// How sure every right implementation gives the same float.
enum class Exactness : uint8_t {
  Whole,  ///< A whole number that takes part in sums and products without rounding.
  Bits,   ///< Any number; equal to the last bit as long as it is only moved, compared and rounded.
  Approx, ///< Within `error`.
};

/// An expression of the kernel, with its type and what is known of its elements.
struct Value {
  std::string text;
  /// Needs no brackets as an operand.
  bool isAtom = true;
  /// Empty for a scalar.
  Shape shape;
  Elem elem = Elem::I32;

  /// Integers: within [low, high].
  Wide low = 0, high = 0;

  /// Floats.
  Exactness exactness = Exactness::Whole;
  double magnitude = 0; ///< The largest absolute value, NaN and infinities apart.
  double error = 0;     ///< Absolute.
  bool special = false; ///< May be NaN or infinite.
  bool product = false; ///< Its sum with another may contract to an fma [R32].

  /// As an operand.
  std::string get() const { return isAtom ? text : "(" + text + ")"; }
  /// "i32[64, 32]"
  std::string type() const;
};

/// Widens `a` to what may be either; both have one type.
void join(Value &a, const Value &b);

} // namespace tilec::fuzz

#endif // TILEC_LIB_FUZZ_VALUE_H
