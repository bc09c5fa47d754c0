// Casts between element types, over whole formats, on the reference and on the simulated GPU, and
// what constants fold to [R12, R13].
#include "test/unit/Numbers/Formats.h"
#include "test/unit/Numbers/KernelRunner.h"

#include <gtest/gtest.h>

using namespace tilec::test;

namespace {

const Format *const kFormats[] = {&kE4M3, &kE5M2, &kHalf, &kBFloat, &kSingle, &kDouble};

/// A cast to `target`, and how its result is found.
struct Target {
  const Format *format;
  bool towardZero;
  std::string cast() const {
    return std::string("tl.") + tritonName(*format) +
           (towardZero ? ", fp_downcast_rounding=\"rtz\"" : "");
  }
  static std::string tritonName(const Format &format) {
    std::string name = format.name;
    return name[0] == 'b' ? "bfloat16" : "float" + name.substr(2);
  }
};

std::vector<Target> targetsOf(const Format &source) {
  std::vector<Target> targets;
  for (const Format *format : kFormats) {
    if (format == &source)
      continue;
    targets.push_back({format, false});
    if (format->bits() < source.bits())
      targets.push_back({format, true});
  }
  return targets;
}

/// All codes of the narrow formats; of the wide ones the codes of every narrow format, the middles
/// between them, and their neighbours.
std::vector<uint64_t> codesOf(const Format &source) {
  std::vector<uint64_t> codes;
  if (source.bits() <= 16) {
    for (uint64_t code = 0; code < uint64_t(1) << source.bits(); ++code)
      codes.push_back(code);
    return codes;
  }
  for (const Format *narrow : {&kE4M3, &kE5M2, &kHalf, &kBFloat})
    for (uint64_t code = 0; code<uint64_t(1) << narrow->bits(); code += narrow->bits()> 8 ? 5 : 1) {
      uint64_t here = encode(source, decode(*narrow, code));
      Exact middle = decode(*narrow, code);
      middle.mantissa = 2 * middle.mantissa + 1;
      middle.exponent -= 1;
      uint64_t between = encode(source, middle);
      for (uint64_t at : {here, between})
        for (int step : {-1, 0, 1})
          codes.push_back((at + step) & (~uint64_t(0) >> (64 - source.bits())));
    }
  // The ends of the format itself, and of fp32 in fp64.
  for (uint64_t code :
       {uint64_t(1), source.largest(), source.largest() + 1,
        encode(source, decode(kSingle, kSingle.largest())), encode(source, decode(kSingle, 1))})
    for (int step : {-1, 0, 1})
      codes.push_back(code + step);
  return codes;
}

uint64_t expectedOf(const Format &source, const Target &target, uint64_t code) {
  return encode(*target.format, decode(source, code), target.towardZero);
}

void expectSame(const Format &source, const Target &target, uint64_t code, uint64_t got,
                const std::string &device) {
  uint64_t expected = expectedOf(source, target, code);
  if (target.format->isNaN(expected))
    EXPECT_TRUE(target.format->isNaN(got))
        << device << ": " << source.name << " 0x" << std::hex << code << " to "
        << target.format->name << ": NaN became 0x" << got;
  else
    EXPECT_EQ(got, expected) << device << ": " << source.name << " 0x" << std::hex << code << " to "
                             << target.format->name << (target.towardZero ? " rtz" : "");
}

class Cast : public testing::TestWithParam<const Format *> {};

TEST_P(Cast, EveryCode) {
  const Format &source = *GetParam();
  std::vector<Target> targets = targetsOf(source);
  std::vector<uint64_t> codes = codesOf(source);
  while (codes.size() % 1024)
    codes.push_back(0);
  std::string text = std::string("@triton.jit\ndef k(x: \"*") + source.name + "\"";
  std::string body =
      "    i = tl.program_id(0) * 1024 + tl.arange(0, 1024)\n    v = tl.load(x + i)\n";
  for (size_t t = 0; t < targets.size(); ++t) {
    std::string out = "o" + std::to_string(t);
    text += ", " + out + ": \"*" + targets[t].format->name + "\"";
    body += "    tl.store(" + out + " + i, v.to(" + targets[t].cast() + "))\n";
  }
  text += "):\n" + body;
  for (const char *device : {"ref", "sim"}) {
    std::vector<Array> arrays = {Array::of(source.bytes(), codes)};
    for (const Target &target : targets)
      arrays.push_back(Array::ofSize(target.format->bytes(), codes.size()));
    ASSERT_EQ(runKernel(device, text, codes.size() / 1024, arrays), "");
    for (size_t t = 0; t < targets.size(); ++t)
      for (size_t i = 0; i < codes.size() && !HasFailure(); ++i)
        expectSame(source, targets[t], codes[i], arrays[t + 1][i], device);
  }
}

TEST_P(Cast, ConstantsFoldToTheSame) {
  const Format &source = *GetParam();
  std::vector<Target> targets = targetsOf(source);
  // Zeros, ones, ends, infinities, NaN, and what overflows the narrow formats.
  std::vector<uint64_t> codes;
  for (int exponent : {-1074, -149, -17, -10, -9, -7, 0, 7, 8, 9, 15, 16, 127, 128})
    for (uint64_t mantissa : {uint64_t(16), uint64_t(17), uint64_t(27), uint64_t(31)})
      for (bool negative : {false, true})
        codes.push_back(encode(source, {negative, false, false, mantissa, exponent - 4}));
  codes.push_back(encode(source, {false, false, true, 0, 0}));
  codes.push_back(encode(source, {true, false, true, 0, 0}));
  codes.push_back(encode(source, {false, true, false, 0, 0}));
  std::string bits = std::to_string(source.bits());
  std::string text = "@triton.jit\ndef k(";
  std::string body;
  for (size_t t = 0; t < targets.size(); ++t) {
    std::string out = "o" + std::to_string(t);
    text += (t ? ", " : "") + out + ": \"*" + targets[t].format->name + "\"";
  }
  for (size_t i = 0; i < codes.size(); ++i) {
    body += "    v = tl.full((), " + std::to_string(codes[i]) + ", tl.uint" + bits + ").to(tl." +
            Target::tritonName(source) + ", bitcast=True)\n";
    for (size_t t = 0; t < targets.size(); ++t)
      body += "    tl.store(o" + std::to_string(t) + " + " + std::to_string(i) + ", v.to(" +
              targets[t].cast() + "))\n";
  }
  text += "):\n" + body;
  for (const char *device : {"ref", "sim"}) {
    std::vector<Array> arrays;
    for (const Target &target : targets)
      arrays.push_back(Array::ofSize(target.format->bytes(), codes.size()));
    ASSERT_EQ(runKernel(device, text, 1, arrays), "");
    for (size_t t = 0; t < targets.size(); ++t)
      for (size_t i = 0; i < codes.size() && !HasFailure(); ++i)
        expectSame(source, targets[t], codes[i], arrays[t][i], device);
  }
}

INSTANTIATE_TEST_SUITE_P(Each, Cast, testing::ValuesIn(kFormats),
                         [](const auto &info) { return std::string(info.param->name); });

/// fp8e4b15: fp16's numbers up to 1.75 with three bits of mantissa; ties away from zero.
TEST(CastE4B15, EveryCode) {
  const std::string text = R"(
@triton.jit
def k(x: "*fp8e4b15", half: "*fp16", wide: "*fp32", y: "*fp16", z: "*fp32", back: "*u8", rounded: "*u8", single: "*u8"):
    i = tl.program_id(0) * 1024 + tl.arange(0, 1024)
    v = tl.load(x + i % 256)
    tl.store(half + i, v.to(tl.float16))
    tl.store(wide + i, v.to(tl.float32))
    tl.store(back + i, v.to(tl.float16).to(tl.float8e4b15).to(tl.uint8, bitcast=True))
    tl.store(rounded + i, tl.load(y + i).to(tl.float8e4b15).to(tl.uint8, bitcast=True))
    tl.store(single + i, tl.load(z + i).to(tl.float8e4b15).to(tl.uint8, bitcast=True))
)";
  std::vector<uint64_t> bytes, halves, singles;
  for (uint64_t i = 0; i < 65536; ++i) {
    if (i < 256)
      bytes.push_back(i);
    halves.push_back(i);
    // Between two halves: the bits that fp16 lacks are dropped.
    singles.push_back(encode(kSingle, decode(kHalf, i)) | 0x1fff);
  }
  for (const char *device : {"ref", "sim"}) {
    std::vector<Array> arrays = {Array::of(1, bytes),     Array::ofSize(2, 65536),
                                 Array::ofSize(4, 65536), Array::of(2, halves),
                                 Array::of(4, singles),   Array::ofSize(1, 65536),
                                 Array::ofSize(1, 65536), Array::ofSize(1, 65536)};
    ASSERT_EQ(runKernel(device, text, 64, arrays), "");
    for (uint64_t i = 0; i < 65536 && !HasFailure(); ++i) {
      uint64_t code = i % 256, half = (code & 0x80) << 8 | (code & 0x7f) << 7;
      EXPECT_EQ(arrays[1][i], half) << device << " 0x" << std::hex << code;
      EXPECT_EQ(arrays[2][i], encode(kSingle, decode(kHalf, half))) << device << std::hex << code;
      // 1.875 is a number of the format that Triton's cast never makes.
      if ((code & 0x7f) != 0x7f)
        EXPECT_EQ(arrays[5][i], code) << device;
      uint64_t magnitude = i & 0x7fff, limited = magnitude < 0x3f00 ? magnitude : 0x3f00;
      uint64_t expected = (i >> 8 & 0x80) | (limited + 0x40) >> 7;
      EXPECT_EQ(arrays[6][i], expected) << device << " 0x" << std::hex << i;
      if (!kHalf.isNaN(i))
        EXPECT_EQ(arrays[7][i], expected) << device << " 0x" << std::hex << i;
    }
  }
}

struct IntType {
  const char *name, *tritonName;
  unsigned bits;
  bool isSigned;
};
const IntType kInts[] = {{"i8", "int8", 8, true},    {"u8", "uint8", 8, false},
                         {"i16", "int16", 16, true}, {"u16", "uint16", 16, false},
                         {"i32", "int32", 32, true}, {"u32", "uint32", 32, false},
                         {"i64", "int64", 64, true}, {"u64", "uint64", 64, false}};

class IntCast : public testing::TestWithParam<IntType> {};

/// Integers round once, but to bf16 they go through fp32.
TEST_P(IntCast, ToFloats) {
  const IntType &type = GetParam();
  std::vector<uint64_t> codes;
  if (type.bits <= 16) {
    for (uint64_t code = 0; code < 65536; ++code)
      codes.push_back(code & ((uint64_t(1) << type.bits) - 1));
  } else {
    for (unsigned shift = 0; shift < type.bits; ++shift)
      for (uint64_t odd : {0x1, 0x1fe, 0x1ff, 0x201, 0xffffff, 0x1000001, 0x1000003, 0x800400})
        for (int step : {-1, 0, 1})
          codes.push_back(((odd << shift) + step) & (~uint64_t(0) >> (64 - type.bits)));
    while (codes.size() % 1024)
      codes.push_back(0);
  }
  std::string text = std::string("@triton.jit\ndef k(x: \"*") + type.name +
                     "\", h: \"*fp16\", b: \"*bf16\", s: \"*fp32\", d: \"*fp64\"):\n" + R"(
    i = tl.program_id(0) * 1024 + tl.arange(0, 1024)
    v = tl.load(x + i)
    tl.store(h + i, v.to(tl.float16))
    tl.store(b + i, v.to(tl.bfloat16))
    tl.store(s + i, v.to(tl.float32))
    tl.store(d + i, v.to(tl.float64))
)";
  for (const char *device : {"ref", "sim"}) {
    std::vector<Array> arrays = {Array::of(type.bits / 8, codes)};
    for (unsigned bytes : {2, 2, 4, 8})
      arrays.push_back(Array::ofSize(bytes, codes.size()));
    ASSERT_EQ(runKernel(device, text, codes.size() / 1024, arrays), "");
    for (size_t i = 0; i < codes.size() && !HasFailure(); ++i) {
      Exact number;
      number.negative = type.isSigned && codes[i] >> (type.bits - 1) & 1;
      number.mantissa = codes[i];
      if (number.negative)
        number.mantissa = -codes[i] & (~uint64_t(0) >> (64 - type.bits));
      unsigned out = 1;
      for (const Format *format : {&kHalf, &kBFloat, &kSingle, &kDouble}) {
        uint64_t expected = encode(*format, number);
        if (format == &kBFloat)
          expected = encode(kBFloat, decode(kSingle, encode(kSingle, number)));
        EXPECT_EQ(arrays[out++][i], expected) << device << ": " << type.name << " 0x" << std::hex
                                              << codes[i] << " to " << format->name;
      }
    }
  }
}

/// Floats truncate on their way to integers that hold them.
TEST_P(IntCast, FromHalves) {
  const IntType &type = GetParam();
  std::string text = std::string("@triton.jit\ndef k(h: \"*fp16\", b: \"*bf16\", x: \"*") +
                     type.name + "\", y: \"*" + type.name + "\"):\n" + R"(
    i = tl.program_id(0) * 1024 + tl.arange(0, 1024)
    tl.store(x + i, tl.load(h + i).to(tl.)" +
                     type.tritonName + R"())
    tl.store(y + i, tl.load(b + i).to(tl.)" +
                     type.tritonName + R"())
)";
  std::vector<uint64_t> codes;
  for (uint64_t code = 0; code < 65536; ++code)
    codes.push_back(code);
  for (const char *device : {"ref", "sim"}) {
    std::vector<Array> arrays = {Array::of(2, codes), Array::of(2, codes),
                                 Array::ofSize(type.bits / 8, codes.size()),
                                 Array::ofSize(type.bits / 8, codes.size())};
    ASSERT_EQ(runKernel(device, text, 64, arrays), "");
    for (size_t i = 0; i < codes.size() && !HasFailure(); ++i)
      for (unsigned half : {0, 1}) {
        Exact number = decode(half ? kBFloat : kHalf, codes[i]);
        unsigned __int128 whole = number.exponent < -63 ? 0
                                  : number.exponent < 0 ? number.mantissa >> -number.exponent
                                  : number.exponent < 64
                                      ? static_cast<unsigned __int128>(number.mantissa)
                                            << number.exponent
                                      : ~static_cast<unsigned __int128>(0);
        unsigned __int128 limit = static_cast<unsigned __int128>(1)
                                  << (type.isSigned ? type.bits - 1 : type.bits);
        bool fits =
            !number.isNaN && !number.isInfinite &&
            (number.negative ? (type.isSigned ? whole <= limit : whole == 0) : whole < limit);
        if (!fits)
          continue;
        uint64_t expected =
            number.negative ? -static_cast<uint64_t>(whole) : static_cast<uint64_t>(whole);
        EXPECT_EQ(arrays[2 + half][i], expected & (~uint64_t(0) >> (64 - type.bits)))
            << device << ": " << (half ? "bf16" : "fp16") << " 0x" << std::hex << codes[i] << " to "
            << type.name;
      }
  }
}

INSTANTIATE_TEST_SUITE_P(Each, IntCast, testing::ValuesIn(kInts),
                         [](const auto &info) { return std::string(info.param.name); });

} // namespace
