// PTX instructions on integers, bits and predicates.
#include "lib/PtxAsm/Evaluate.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>

namespace tilec::ptx {

namespace {

using Wide = __int128;

Wide readWide(const AsmOperand &operand, const PtxType &type, Slots slots) {
  int64_t value = readInt(operand, type, slots);
  return type.isSigned() ? Wide(value) : Wide(static_cast<uint64_t>(value));
}

/// `a op b`, in the type's width or, with `wide`, in twice of it.
template <typename Function>
void arithmetic(const Instruction &in, Slots slots, Function function) {
  PtxType type = in.type();
  Wide a = readWide(in.operands[1], type, slots);
  Wide b = in.operands.size() > 2 ? readWide(in.operands[2], type, slots) : 0;
  Wide result = function(a, b, type);
  if (in.has("sat")) {
    Wide top = (Wide(1) << (type.bits - 1)) - 1;
    result = std::clamp<Wide>(result, -top - 1, top);
  }
  writeBits(in.operands[0], static_cast<uint64_t>(result), slots);
}

void add(const Instruction &in, Slots slots) {
  arithmetic(in, slots, [](Wide a, Wide b, PtxType) { return a + b; });
}
void subtract(const Instruction &in, Slots slots) {
  arithmetic(in, slots, [](Wide a, Wide b, PtxType) { return a - b; });
}
/// The hardware divides by zero to all ones.
void divide(const Instruction &in, Slots slots) {
  arithmetic(in, slots, [](Wide a, Wide b, PtxType) { return b == 0 ? Wide(-1) : a / b; });
}
void remainder(const Instruction &in, Slots slots) {
  arithmetic(in, slots, [](Wide a, Wide b, PtxType) { return b == 0 ? a : a % b; });
}
void minimum(const Instruction &in, Slots slots) {
  arithmetic(in, slots, [](Wide a, Wide b, PtxType) { return std::min(a, b); });
}
void maximum(const Instruction &in, Slots slots) {
  arithmetic(in, slots, [](Wide a, Wide b, PtxType) { return std::max(a, b); });
}
void negate(const Instruction &in, Slots slots) {
  arithmetic(in, slots, [](Wide a, Wide, PtxType) { return -a; });
}
void absolute(const Instruction &in, Slots slots) {
  arithmetic(in, slots, [](Wide a, Wide, PtxType) { return a < 0 ? -a : a; });
}

/// The part of a product that `lo`, `hi` or `wide` names.
uint64_t product(const Instruction &in, Slots slots) {
  PtxType type = in.type();
  Wide a = readWide(in.operands[1], type, slots), b = readWide(in.operands[2], type, slots);
  auto full = static_cast<unsigned __int128>(a) * static_cast<unsigned __int128>(b);
  return static_cast<uint64_t>(in.has("hi") ? full >> type.bits : full);
}
void multiply(const Instruction &in, Slots slots) {
  writeBits(in.operands[0], product(in, slots), slots);
}
void multiplyAdd(const Instruction &in, Slots slots) {
  PtxType type = in.type();
  if (in.has("wide"))
    type.bits *= 2;
  writeBits(in.operands[0],
            product(in, slots) + static_cast<uint64_t>(readInt(in.operands[3], type, slots)),
            slots);
}

template <typename Function>
void onBits(const Instruction &in, Slots slots, Function function) {
  const PtxType &type = in.type();
  uint64_t values[4] = {};
  for (size_t k = 1; k < in.operands.size() && k <= 4; ++k)
    values[k - 1] = readBits(in.operands[k], type, slots);
  writeBits(in.operands[0], maskTo(function(values, type.totalBits()), type.totalBits()), slots);
}

void andBits(const Instruction &in, Slots slots) {
  onBits(in, slots, [](const uint64_t *v, unsigned) { return v[0] & v[1]; });
}
void orBits(const Instruction &in, Slots slots) {
  onBits(in, slots, [](const uint64_t *v, unsigned) { return v[0] | v[1]; });
}
void xorBits(const Instruction &in, Slots slots) {
  onBits(in, slots, [](const uint64_t *v, unsigned) { return v[0] ^ v[1]; });
}
void notBits(const Instruction &in, Slots slots) {
  onBits(in, slots, [](const uint64_t *v, unsigned) { return ~v[0]; });
}
void isZero(const Instruction &in, Slots slots) {
  onBits(in, slots, [](const uint64_t *v, unsigned) { return uint64_t(v[0] == 0); });
}

/// Amounts are 32 bits; those past the width shift everything out.
uint32_t shiftAmount(const Instruction &in, Slots slots) {
  return static_cast<uint32_t>(readBits(in.operands[2], PtxType::parse("u32"), slots));
}
void shiftLeft(const Instruction &in, Slots slots) {
  unsigned bits = in.type().bits, amount = shiftAmount(in, slots);
  uint64_t value = readBits(in.operands[1], in.type(), slots);
  writeBits(in.operands[0], amount >= bits ? 0 : maskTo(value << amount, bits), slots);
}
void shiftRight(const Instruction &in, Slots slots) {
  unsigned bits = in.type().bits, amount = std::min(shiftAmount(in, slots), 64u);
  if (in.type().isSigned()) {
    int64_t value = readInt(in.operands[1], in.type(), slots);
    writeBits(in.operands[0], static_cast<uint64_t>(value >> std::min(amount, 63u)), slots);
    return;
  }
  uint64_t value = readBits(in.operands[1], in.type(), slots);
  writeBits(in.operands[0], amount >= bits ? 0 : value >> amount, slots);
}
void funnelShift(const Instruction &in, Slots slots) {
  onBits(in, slots, [&](const uint64_t *v, unsigned) {
    auto amount = static_cast<uint32_t>(v[2]);
    amount = in.has("wrap") ? amount & 31 : std::min(amount, 32u);
    uint64_t both = v[1] << 32 | v[0];
    return in.has("l") ? (both << amount) >> 32 : both >> amount;
  });
}

void countOnes(const Instruction &in, Slots slots) {
  onBits(in, slots, [](const uint64_t *v, unsigned) { return uint64_t(llvm::popcount(v[0])); });
}
void leadingZeros(const Instruction &in, Slots slots) {
  onBits(in, slots, [](const uint64_t *v, unsigned bits) {
    return uint64_t(llvm::countl_zero(v[0]) - (64 - bits));
  });
}
void reverseBits(const Instruction &in, Slots slots) {
  onBits(in, slots,
         [](const uint64_t *v, unsigned bits) { return llvm::reverseBits(v[0]) >> (64 - bits); });
}

void extractField(const Instruction &in, Slots slots) {
  const PtxType &type = in.type(), word = PtxType::parse("u32");
  uint64_t value = readBits(in.operands[1], type, slots);
  auto begin = static_cast<unsigned>(readBits(in.operands[2], word, slots) & 0xff);
  auto length = static_cast<unsigned>(readBits(in.operands[3], word, slots) & 0xff);
  unsigned kept = begin >= type.bits ? 0 : std::min<unsigned>(length, type.bits - begin);
  uint64_t field = kept ? maskTo(value >> begin, kept) : 0;
  if (type.isSigned() && length) {
    unsigned top = std::min<unsigned>(begin + length - 1, type.bits - 1);
    if (value >> top & 1)
      field |= kept >= 64 ? 0 : ~uint64_t(0) << kept;
  }
  writeBits(in.operands[0], maskTo(field, type.bits), slots);
}
void insertField(const Instruction &in, Slots slots) {
  const PtxType &type = in.type(), word = PtxType::parse("u32");
  uint64_t field = readBits(in.operands[1], type, slots);
  uint64_t into = readBits(in.operands[2], type, slots);
  auto begin = static_cast<unsigned>(readBits(in.operands[3], word, slots) & 0xff);
  auto length = static_cast<unsigned>(readBits(in.operands[4], word, slots) & 0xff);
  uint64_t mask = begin >= type.bits ? 0 : maskTo(~uint64_t(0), std::min(length, 64u)) << begin;
  if (length == 0)
    mask = 0;
  writeBits(in.operands[0], maskTo((into & ~mask) | (field << (begin & 63) & mask), type.bits),
            slots);
}

void permuteBytes(const Instruction &in, Slots slots) {
  onBits(in, slots, [](const uint64_t *v, unsigned) {
    uint64_t bytes = v[1] << 32 | v[0], result = 0;
    for (unsigned i = 0; i < 4; ++i) {
      uint64_t selector = v[2] >> (4 * i) & 0xf;
      uint64_t byte = bytes >> (8 * (selector & 7)) & 0xff;
      // The top bit of a selector replicates the sign.
      if (selector & 8)
        byte = byte & 0x80 ? 0xff : 0;
      result |= byte << (8 * i);
    }
    return result;
  });
}
void lookUp3(const Instruction &in, Slots slots) {
  onBits(in, slots, [&](const uint64_t *v, unsigned) {
    uint64_t table = v[3], result = 0;
    for (unsigned i = 0; i < 8; ++i)
      if (table >> i & 1)
        result |= (i & 4 ? v[0] : ~v[0]) & (i & 2 ? v[1] : ~v[1]) & (i & 1 ? v[2] : ~v[2]);
    return result;
  });
}

/// Packs, unpacks or copies.
void move(const Instruction &in, Slots slots) {
  const AsmOperand &to = in.operands[0], &from = in.operands[1];
  const PtxType &type = in.type();
  if (from.kind == AsmOperand::Kind::Tuple) {
    unsigned bits = type.totalBits() / from.parts.size();
    uint64_t value = 0;
    for (auto [i, slot] : llvm::enumerate(from.parts))
      if (slot != ~0u)
        value |= maskTo(slots[slot], bits) << (i * bits);
    return writeBits(to, value, slots);
  }
  uint64_t value = readBits(from, type, slots);
  if (to.kind != AsmOperand::Kind::Tuple)
    return writeBits(to, value, slots);
  unsigned bits = type.totalBits() / to.parts.size();
  for (auto [i, slot] : llvm::enumerate(to.parts))
    if (slot != ~0u)
      slots[slot] = maskTo(value >> (i * bits), bits);
}

void select(const Instruction &in, Slots slots) {
  bool which = readBits(in.operands[3], PtxType::parse("pred"), slots) & 1;
  writeBits(in.operands[0], readBits(in.operands[which ? 1 : 2], in.type(), slots), slots);
}

/// "lt", with unordered, unsigned and signed forms.
bool compare(const Instruction &in, Slots slots, const AsmOperand &lhs, const AsmOperand &rhs) {
  const PtxType &type = in.type();
  int order = 0;
  bool unordered = false;
  if (type.isFloat()) {
    double a = readFloat(lhs, type, slots), b = readFloat(rhs, type, slots);
    unordered = std::isnan(a) || std::isnan(b);
    order = a < b ? -1 : a > b ? 1 : 0;
  } else {
    Wide a = readWide(lhs, type, slots), b = readWide(rhs, type, slots);
    order = a < b ? -1 : a > b ? 1 : 0;
  }
  auto is = [&](llvm::StringRef name) { return in.has(name); };
  if (is("num") || is("nan"))
    return unordered == is("nan");
  bool takesNaN = is("equ") || is("neu") || is("ltu") || is("leu") || is("gtu") || is("geu");
  if (unordered)
    return takesNaN;
  if (is("eq") || is("equ"))
    return order == 0;
  if (is("ne") || is("neu"))
    return order != 0;
  if (is("lt") || is("ltu") || is("lo"))
    return order < 0;
  if (is("le") || is("leu") || is("ls"))
    return order <= 0;
  if (is("gt") || is("gtu") || is("hi"))
    return order > 0;
  return order >= 0;
}

/// `setp.lt.and.f32 p|q, a, b, c`
void setPredicate(const Instruction &in, Slots slots) {
  bool combines = in.has("and") || in.has("or") || in.has("xor");
  bool hasSecond = in.operands.size() - combines == 4;
  const AsmOperand &a = in.operands[hasSecond ? 2 : 1], &b = in.operands[hasSecond ? 3 : 2];
  bool first = compare(in, slots, a, b), second = !first;
  if (combines) {
    bool c = readBits(in.operands.back(), PtxType::parse("pred"), slots) & 1;
    auto combine = [&](bool x) { return in.has("and") ? x && c : in.has("or") ? x || c : x != c; };
    first = combine(first);
    second = combine(second);
  }
  writeBits(in.operands[0], first, slots);
  if (hasSecond)
    writeBits(in.operands[1], second, slots);
}

constexpr llvm::StringLiteral kCompare =
    "eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan and or xor ftz";

/// On integers.
constexpr EvaluationRow kIntegerRows[] = {
    {"add", 3, 3, "sat", add},
    {"sub", 3, 3, "sat", subtract},
    {"mul", 3, 3, "lo hi wide", multiply},
    {"mad", 4, 4, "lo hi wide", multiplyAdd},
    {"div", 3, 3, "", divide},
    {"rem", 3, 3, "", remainder},
    {"min", 3, 3, "", minimum},
    {"max", 3, 3, "", maximum},
    {"neg", 2, 2, "", negate},
    {"abs", 2, 2, "", absolute},
    {"bfe", 4, 4, "", extractField},
    {"shr", 3, 3, "", shiftRight},
};
/// On bits of any type.
constexpr EvaluationRow kBitRows[] = {
    {"and", 3, 3, "", andBits},
    {"or", 3, 3, "", orBits},
    {"xor", 3, 3, "", xorBits},
    {"not", 2, 2, "", notBits},
    {"cnot", 2, 2, "", isZero},
    {"shl", 3, 3, "", shiftLeft},
    {"shr", 3, 3, "", shiftRight},
    {"shf", 4, 4, "l r wrap clamp", funnelShift},
    {"popc", 2, 2, "", countOnes},
    {"clz", 2, 2, "", leadingZeros},
    {"brev", 2, 2, "", reverseBits},
    {"bfi", 5, 5, "", insertField},
    {"prmt", 4, 4, "", permuteBytes},
    {"lop3", 5, 5, "", lookUp3},
    {"mov", 2, 2, "", move},
    {"selp", 4, 4, "", select},
    {"setp", 3, 5, kCompare, setPredicate},
};

} // namespace

Evaluation findIntegerEvaluation(const Instruction &instruction) {
  if (instruction.types.size() != 1)
    return nullptr;
  const PtxType &type = instruction.types[0];
  if (Evaluation run = findRow(kBitRows, instruction))
    return type.count == 1 || instruction.name == "mov" ? run : nullptr;
  bool isInteger = type.kind == PtxType::Kind::Unsigned || type.kind == PtxType::Kind::Signed;
  return isInteger && type.count == 1 ? findRow(kIntegerRows, instruction) : nullptr;
}

} // namespace tilec::ptx
