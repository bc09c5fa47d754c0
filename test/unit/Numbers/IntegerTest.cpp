// The signs of division and remainder, and shifts by any amount, on the reference and on the
// simulated GPU, and what constants fold to [R7, R8].
#include "test/unit/Numbers/KernelRunner.h"

#include <gtest/gtest.h>

using namespace tilec::test;

namespace {

struct IntType {
  const char *name, *tritonName;
  unsigned bits;
  bool isSigned;

  uint64_t mask() const { return ~uint64_t(0) >> (64 - bits); }
  __int128 valueOf(uint64_t code) const {
    code &= mask();
    if (isSigned && code >> (bits - 1) & 1)
      return static_cast<__int128>(code) - (static_cast<__int128>(1) << bits);
    return code;
  }
};
const IntType kInts[] = {{"i8", "int8", 8, true},    {"u8", "uint8", 8, false},
                         {"i16", "int16", 16, true}, {"u16", "uint16", 16, false},
                         {"i32", "int32", 32, true}, {"u32", "uint32", 32, false},
                         {"i64", "int64", 64, true}, {"u64", "uint64", 64, false}};

std::vector<uint64_t> edgesOf(const IntType &type) {
  uint64_t least = uint64_t(1) << (type.bits - 1);
  std::vector<uint64_t> edges;
  for (uint64_t code : {uint64_t(0),
                        uint64_t(1),
                        uint64_t(2),
                        uint64_t(3),
                        uint64_t(7),
                        uint64_t(8),
                        ~uint64_t(0),
                        ~uint64_t(1),
                        ~uint64_t(2),
                        ~uint64_t(6),
                        least,
                        least + 1,
                        least - 1,
                        least - 2,
                        least / 2,
                        uint64_t(type.bits) - 1,
                        uint64_t(type.bits),
                        uint64_t(type.bits) + 1,
                        uint64_t(31),
                        uint64_t(32),
                        uint64_t(33),
                        uint64_t(63),
                        uint64_t(64),
                        uint64_t(65)})
    edges.push_back(code & type.mask());
  return edges;
}

const char *const kOperators[] = {"//", "%", "<<", ">>"};

/// What `a op b` is. Of a zero divisor: what the lowered code makes of it.
uint64_t expectedOf(const IntType &type, unsigned op, uint64_t a, uint64_t b) {
  __int128 x = type.valueOf(a), y = type.valueOf(b), result = 0;
  bool isFar = (b & type.mask()) >= type.bits;
  switch (op) {
  case 0:
    result = y == 0 ? x : x / y;
    break;
  case 1:
    result = y == 0 ? 0 : x % y;
    break;
  case 2:
    result =
        isFar ? 0 : static_cast<__int128>(static_cast<unsigned __int128>(x) << (b & type.mask()));
    break;
  default:
    result = isFar ? (x < 0 ? -1 : 0) : x >> static_cast<int>(b & type.mask());
  }
  return static_cast<uint64_t>(result) & type.mask();
}

class IntTable : public testing::TestWithParam<IntType> {};

TEST_P(IntTable, EveryPairOfEdges) {
  const IntType &type = GetParam();
  std::vector<uint64_t> edges = edgesOf(type), left, right;
  for (uint64_t a : edges)
    for (uint64_t b : edges) {
      left.push_back(a);
      right.push_back(b);
    }
  while (left.size() % 1024) {
    left.push_back(1);
    right.push_back(1);
  }
  for (const char *device : {"ref", "sim"}) {
    bool isReference = device == std::string("ref");
    std::string text =
        "@triton.jit\ndef k(x: \"*T\", y: \"*T\", q: \"*T\", r: \"*T\", l: \"*T\", s: \"*T\"):\n";
    text += "    i = tl.arange(0, 1024)\n    a = tl.load(x + i)\n    b = tl.load(y + i)\n";
    // The reference faults where what was divided by zero reaches memory.
    text += isReference ? "    d = tl.where(b == 0, 1, b)\n" : "    d = b\n";
    text += "    tl.store(q + i, a // d)\n    tl.store(r + i, a % d)\n";
    text += "    tl.store(l + i, a << b)\n    tl.store(s + i, a >> b)\n";
    for (size_t at; (at = text.find("*T")) != std::string::npos;)
      text.replace(at + 1, 1, type.name);
    std::vector<Array> arrays = {Array::of(type.bits / 8, left), Array::of(type.bits / 8, right)};
    for (int i = 0; i < 4; ++i)
      arrays.push_back(Array::ofSize(type.bits / 8, left.size()));
    ASSERT_EQ(runKernel(device, text, left.size() / 1024, arrays), "");
    for (unsigned op = 0; op < 4; ++op)
      for (size_t i = 0; i < left.size() && !HasFailure(); ++i) {
        if (isReference && op < 2 && right[i] == 0)
          continue;
        EXPECT_EQ(arrays[2 + op][i], expectedOf(type, op, left[i], right[i]))
            << device << ": " << type.name << " 0x" << std::hex << left[i] << " " << kOperators[op]
            << " 0x" << right[i];
      }
  }
}

TEST_P(IntTable, ConstantsFoldToTheSame) {
  const IntType &type = GetParam();
  uint64_t least = uint64_t(1) << (type.bits - 1);
  std::string text = std::string("@triton.jit\ndef k(out: \"*") + type.name + "\"):\n";
  std::vector<uint64_t> expected;
  auto literal = [&](uint64_t code) {
    __int128 value = type.valueOf(code);
    std::string digits = std::to_string(static_cast<uint64_t>(value < 0 ? -value : value));
    return "tl.full((), " + std::string(value < 0 ? "-" : "") + digits + ", tl." + type.tritonName +
           ")";
  };
  for (uint64_t a : {uint64_t(7), ~uint64_t(6), least, least - 1})
    for (uint64_t b : {uint64_t(3), ~uint64_t(2), ~uint64_t(0), uint64_t(type.bits) - 1,
                       uint64_t(type.bits), least})
      for (unsigned op = 0; op < 4; ++op) {
        text += "    tl.store(out + " + std::to_string(expected.size()) + ", " +
                literal(a & type.mask()) + " " + kOperators[op] + " " + literal(b & type.mask()) +
                ")\n";
        expected.push_back(expectedOf(type, op, a & type.mask(), b & type.mask()));
      }
  for (const char *device : {"ref", "sim"}) {
    std::vector<Array> arrays = {Array::ofSize(type.bits / 8, expected.size())};
    ASSERT_EQ(runKernel(device, text, 1, arrays), "");
    for (size_t i = 0; i < expected.size(); ++i)
      EXPECT_EQ(arrays[0][i], expected[i]) << device << ": store " << i << " of\n" << text;
  }
}

INSTANTIATE_TEST_SUITE_P(Each, IntTable, testing::ValuesIn(kInts),
                         [](const auto &info) { return std::string(info.param.name); });

} // namespace
