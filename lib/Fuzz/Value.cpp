// Element types and ranges.

#include "lib/Fuzz/Value.h"

#include <algorithm>

namespace tilec::fuzz {

static const ElemInfo kElems[] = {
    {"i1", "int1", 1, false, false, 0, 0, 0},
    {"i8", "int8", 8, false, true, 0, 0, 0},
    {"i16", "int16", 16, false, true, 0, 0, 0},
    {"i32", "int32", 32, false, true, 0, 0, 0},
    {"i64", "int64", 64, false, true, 0, 0, 0},
    {"u8", "uint8", 8, false, false, 0, 0, 0},
    {"u16", "uint16", 16, false, false, 0, 0, 0},
    {"u32", "uint32", 32, false, false, 0, 0, 0},
    {"u64", "uint64", 64, false, false, 0, 0, 0},
    {"fp16", "float16", 16, true, true, 1024, 0x1p-11, 65504},
    {"bf16", "bfloat16", 16, true, true, 128, 0x1p-8, 3e38},
    {"fp32", "float32", 32, true, true, 0x1p22, 0x1p-24, 3e38},
    {"fp64", "float64", 64, true, true, 0x1p50, 0x1p-53, 1e308},
    {"fp8e4nv", "float8e4nv", 8, true, true, 8, 0x1p-4, 448},
    {"fp8e5", "float8e5", 8, true, true, 4, 0x1p-3, 57344},
};

const ElemInfo &getInfo(Elem elem) { return kElems[size_t(elem)]; }

Elem getIntType(unsigned bits, bool isSigned) {
  for (Elem elem : {Elem::I8, Elem::I16, Elem::I32, Elem::I64, Elem::U8, Elem::U16, Elem::U32})
    if (getInfo(elem).bits == bits && getInfo(elem).isSigned == isSigned)
      return elem;
  return Elem::U64;
}

int64_t countOf(const Shape &shape) {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

std::string spell(const Shape &shape) {
  std::string text = "[";
  for (size_t d = 0; d != shape.size(); ++d)
    text += (d ? ", " : "") + std::to_string(shape[d]);
  return text + "]";
}

Wide leastOf(Elem elem) {
  return getInfo(elem).isSigned ? -(Wide(1) << (getInfo(elem).bits - 1)) : Wide(0);
}

Wide greatestOf(Elem elem) {
  return (Wide(1) << (getInfo(elem).bits - (getInfo(elem).isSigned ? 1 : 0))) - 1;
}

std::string Value::type() const { return getInfo(elem).name + (shape.empty() ? "" : spell(shape)); }

void join(Value &a, const Value &b) {
  a.low = std::min(a.low, b.low);
  a.high = std::max(a.high, b.high);
  a.exactness = std::max(a.exactness, b.exactness);
  a.magnitude = std::max(a.magnitude, b.magnitude);
  a.error = std::max(a.error, b.error);
  a.special |= b.special;
  a.product |= b.product;
}

} // namespace tilec::fuzz
