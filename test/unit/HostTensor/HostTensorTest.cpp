// Element types and conversions of host tensors.
#include "lib/Support/HostTensor.h"
#include "lib/Support/FloatFormats.h"

#include "llvm/ADT/APFloat.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

using namespace tilec;

namespace {

/// The format's own conversion in LLVM; saturating for fp8, as ours is.
uint64_t encodeWithAPFloat(double value, const llvm::fltSemantics &semantics, bool saturates) {
  llvm::APFloat number(value);
  bool losesInfo;
  auto status = number.convert(semantics, llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  if (saturates && !std::isnan(value) &&
      (!number.isFinite() || (status & llvm::APFloat::opOverflow)))
    number = llvm::APFloat::getLargest(semantics, std::signbit(value));
  return number.bitcastToAPInt().getZExtValue();
}

double decodeWithAPFloat(uint64_t bits, unsigned width, const llvm::fltSemantics &semantics) {
  llvm::APFloat number(semantics, llvm::APInt(width, bits));
  bool losesInfo;
  number.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  return number.convertToDouble();
}

struct Format {
  const char *name;
  unsigned width;
  const llvm::fltSemantics &semantics;
  uint64_t (*encode)(double);
  double (*decode)(uint64_t);
};

const Format kFormats[] = {
    {"fp16", 16, llvm::APFloat::IEEEhalf(), [](double x) -> uint64_t { return encodeFP16(x); },
     [](uint64_t b) { return decodeFP16(b); }},
    {"bf16", 16, llvm::APFloat::BFloat(), [](double x) -> uint64_t { return encodeBF16(x); },
     [](uint64_t b) { return decodeBF16(b); }},
    {"fp8e4nv", 8, llvm::APFloat::Float8E4M3FN(),
     [](double x) -> uint64_t { return encodeFP8E4(x); },
     [](uint64_t b) { return decodeFP8E4(b); }},
    {"fp8e5", 8, llvm::APFloat::Float8E5M2(), [](double x) -> uint64_t { return encodeFP8E5(x); },
     [](uint64_t b) { return decodeFP8E5(b); }}};

TEST(FloatFormats, EveryEncodingAgreesWithAPFloat) {
  for (const Format &format : kFormats)
    for (uint64_t code = 0; code < uint64_t(1) << format.width; ++code) {
      double value = format.decode(code),
             want = decodeWithAPFloat(code, format.width, format.semantics);
      if (std::isnan(want)) {
        ASSERT_TRUE(std::isnan(value)) << format.name << " " << code;
        ASSERT_TRUE(std::isnan(format.decode(format.encode(value))));
        continue;
      }
      ASSERT_EQ(bitCast<uint64_t>(value), bitCast<uint64_t>(want)) << format.name << " " << code;
      if (std::isfinite(value))
        ASSERT_EQ(format.encode(value), code) << format.name;
    }
}

TEST(FloatFormats, RoundingAgreesWithAPFloat) {
  std::mt19937_64 random(1);
  for (const Format &format : kFormats) {
    auto check = [&](double value) {
      ASSERT_EQ(format.encode(value), encodeWithAPFloat(value, format.semantics, format.width == 8))
          << format.name << " of " << value;
    };
    for (double value :
         {0.0,     -0.0,    1e300,     -1e300,  1e-300, 65504.0, 65519.99, 65520.0,
          448.0,   464.0,   240.0,     247.99,  248.0,  57344.0, 61440.0,  double(INFINITY),
          0x1p-24, 0x1p-25, 0x1.8p-25, 0x1p-10, 0x1p-9, 0x1p-17, 0x1p-1074})
      check(value);
    // Around every value and every midpoint.
    for (uint64_t code = 0; code + 1 < uint64_t(1) << (format.width - 1); ++code) {
      double low = format.decode(code), high = format.decode(code + 1);
      if (!std::isfinite(low) || !std::isfinite(high))
        break;
      double middle = (low + high) / 2;
      for (double x : {middle, std::nextafter(middle, 0), std::nextafter(middle, INFINITY)}) {
        check(x);
        check(-x);
      }
    }
    for (int i = 0; i < 20000; ++i) {
      double value = std::ldexp(static_cast<double>(static_cast<int64_t>(random())),
                                -63 + static_cast<int>(random() % 60) - 40);
      check(value);
    }
  }
}

TEST(FloatFormats, E4B15IsE4M3WithAnotherBiasAndTakesTheNearest) {
  for (unsigned code = 0; code < 256; ++code) {
    unsigned exponent = code >> 3 & 15, mantissa = code & 7;
    double want = exponent ? std::ldexp(8 + mantissa, static_cast<int>(exponent) - 18)
                           : std::ldexp(mantissa, -17);
    double value = decodeFP8E4B15(static_cast<uint8_t>(code));
    EXPECT_EQ(value, code & 128 ? -want : want) << code;
    // The largest code is a number that no conversion gives.
    EXPECT_EQ(encodeFP8E4B15(value), (code & 127) == 127 ? code - 1 : code);
    if ((code & 127) >= 126)
      continue;
    // Ties go away from zero.
    double next = decodeFP8E4B15(static_cast<uint8_t>(code + 1)), half = (value + next) / 2;
    EXPECT_EQ(encodeFP8E4B15(half), code + 1) << code;
    EXPECT_EQ(encodeFP8E4B15(std::nextafter(half, value)), code) << code;
  }
  for (double large : {1.75, 1e300, static_cast<double>(INFINITY), std::nan("")}) {
    EXPECT_EQ(encodeFP8E4B15(large), 0x7e);
    EXPECT_EQ(encodeFP8E4B15(-large), 0xfe);
  }
}

TEST(HostTensor, NamesOfTypes) {
  for (const char *name : {"i1", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "fp16",
                           "bf16", "fp32", "fp64", "fp8e4nv", "fp8e5", "fp8e4b15"}) {
    auto dtype = parseDType(name);
    ASSERT_TRUE(dtype) << name;
    EXPECT_EQ(getName(*dtype), name);
  }
  EXPECT_EQ(parseDType("float16"), DType::FP16);
  EXPECT_EQ(parseDType("bool"), DType::I1);
  EXPECT_FALSE(parseDType("fp24"));
  EXPECT_EQ(getByteSize(DType::I1), 1u);
  EXPECT_EQ(getByteSize(DType::FP8E5), 1u);
  EXPECT_EQ(getByteSize(DType::BF16), 2u);
  EXPECT_EQ(getByteSize(DType::U64), 8u);
}

TEST(HostTensor, FloatsSaturateIntoIntegers) {
  struct {
    DType dtype;
    double value;
    int64_t want;
  } cases[] = {{DType::I8, 127.9, 127},
               {DType::I8, 1000, 127},
               {DType::I8, -1000, -128},
               {DType::U8, -3, 0},
               {DType::U8, 256, 255},
               {DType::I16, NAN, 0},
               {DType::I32, 3e9, INT32_MAX},
               {DType::U32, 3e9, 3000000000},
               {DType::I64, 1e30, INT64_MAX},
               {DType::I64, -1e30, INT64_MIN},
               {DType::U64, 1e30, -1},
               {DType::I1, 0.5, 1},
               {DType::I1, 0, 0}};
  for (const auto &c : cases) {
    HostTensor tensor(c.dtype, {1});
    tensor.setFloat(0, c.value);
    EXPECT_EQ(tensor.getInt(0), c.want) << getName(c.dtype).str() << " " << c.value;
  }
}

TEST(HostTensor, IntegersKeepTheirLowBits) {
  HostTensor tensor(DType::I8, {2});
  tensor.setInt(1, 0x1ff);
  EXPECT_EQ(tensor.getInt(1), -1);
  EXPECT_EQ(tensor.getInt(0), 0);
  HostTensor unsignedTensor(DType::U64, {1});
  unsignedTensor.setInt(0, -1);
  EXPECT_EQ(unsignedTensor.getFloat(0), 0x1p64);
}

TEST(HostTensor, IntegersRoundOnceIntoNarrowFloats) {
  // Just above the midpoint of two neighbours in bf16; a double would round to the midpoint.
  int64_t value = (int64_t(1) << 62) + (int64_t(1) << 54) + 1;
  HostTensor tensor(DType::BF16, {2});
  tensor.setInt(0, value);
  tensor.setInt(1, -value);
  EXPECT_EQ(tensor.getFloat(0), 0x1p62 + 0x1p55);
  EXPECT_EQ(tensor.getFloat(1), -0x1p62 - 0x1p55);
}

TEST(HostTensor, DescribesItself) {
  EXPECT_EQ(HostTensor(DType::BF16, {3, 4}).describe(), "bf16[3, 4]");
  EXPECT_EQ(HostTensor(DType::I1, {}).describe(), "i1[]");
  EXPECT_EQ(HostTensor(DType::FP64, {5}).bytes.size(), 40u);
}

TEST(HostTensor, ConvertsElements) {
  HostTensor source(DType::FP32, {3});
  source.setFloat(0, 1.00390625); // Halfway between two bf16.
  source.setFloat(1, -2.75);
  source.setFloat(2, INFINITY);
  HostTensor narrow = convertTensor(source, DType::BF16);
  EXPECT_EQ(narrow.getFloat(0), 1.0);
  EXPECT_EQ(narrow.getFloat(2), INFINITY);
  EXPECT_EQ(convertTensor(source, DType::I32).getInt(1), -2);
  HostTensor wide(DType::I64, {1});
  wide.setInt(0, INT64_MAX);
  EXPECT_EQ(convertTensor(wide, DType::U64).getInt(0), INT64_MAX);
}

} // namespace
