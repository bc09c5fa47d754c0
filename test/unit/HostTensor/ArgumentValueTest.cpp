// Values of `--arg NAME=VALUE`.
#include "lib/Support/HostTensor.h"

#include "llvm/Support/FileSystem.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

using namespace tilec;

namespace {

ArgumentValue parse(const std::string &text, uint64_t seed = 0) {
  auto value = parseArgument(text, seed);
  if (value)
    return std::move(*value);
  ADD_FAILURE() << text << ": " << llvm::toString(value.takeError());
  return {};
}

std::string errorOf(const std::string &text) {
  auto value = parseArgument(text);
  return value ? "" : llvm::toString(value.takeError());
}

TEST(ArgumentValue, Numbers) {
  EXPECT_EQ(parse("n=42").integer, 42);
  EXPECT_EQ(parse("n=42").kind, ArgumentValue::Kind::Integer);
  EXPECT_EQ(parse(" n = -7 ").integer, -7);
  EXPECT_EQ(parse("n=-7").name, "n");
  EXPECT_EQ(parse("n=0x10").integer, 16);
  EXPECT_EQ(parse("n=010").integer, 10);
  EXPECT_EQ(parse("n=1_000_000").integer, 1000000);
  EXPECT_EQ(static_cast<uint64_t>(parse("n=18446744073709551615").integer), ~uint64_t(0));
  EXPECT_EQ(parse("n=-9223372036854775808").integer, INT64_MIN);
  EXPECT_EQ(parse("x=1.5e-3").kind, ArgumentValue::Kind::Float);
  EXPECT_EQ(parse("x=1.5e-3").real, 1.5e-3);
  EXPECT_EQ(parse("x=-inf").real, -INFINITY);
  EXPECT_TRUE(std::isnan(parse("x=nan").real));
  EXPECT_TRUE(std::signbit(parse("x=-0.0").real));
  EXPECT_EQ(parse("x=2:fp32").kind, ArgumentValue::Kind::Float);
  EXPECT_EQ(parse("x=2:fp32").real, 2.0);
  EXPECT_EQ(parse("n=3:i64").scalarType, DType::I64);
  EXPECT_EQ(parse("b=True").kind, ArgumentValue::Kind::Bool);
  EXPECT_EQ(parse("b=True").integer, 1);
  EXPECT_EQ(parse("b=False").integer, 0);
}

TEST(ArgumentValue, Shapes) {
  for (const char *text : {"x=zeros(3,4)", "x=zeros((3, 4))", "x=zeros([3,4])", "x=zeros( 3 , 4 )"})
    EXPECT_EQ(parse(text).tensor.describe(), "fp32[3, 4]") << text;
  EXPECT_EQ(parse("x=zeros((5,)):i8").tensor.describe(), "i8[5]");
  EXPECT_EQ(parse("x=ones(0):bf16").tensor.describe(), "bf16[0]");
  EXPECT_EQ(parse("x=randint(0, 9, (2, 3))").tensor.describe(), "i32[2, 3]");
}

TEST(ArgumentValue, ConstantTensors) {
  auto full = parse("x=full(2,3,-1.5):fp16").tensor;
  EXPECT_EQ(full.describe(), "fp16[2, 3]");
  for (int i = 0; i < 6; ++i)
    EXPECT_EQ(full.getFloat(i), -1.5);
  EXPECT_EQ(parse("x=full((2,3), -7):i16").tensor.getInt(5), -7);
  EXPECT_EQ(parse("x=full(1, -inf)").tensor.getFloat(0), -INFINITY);
  EXPECT_EQ(parse("x=full(1, -2):fp64").tensor.getFloat(0), -2.0);
  EXPECT_EQ(parse("x=full(1, 18446744073709551615):u64").tensor.getFloat(0), 0x1p64);
  EXPECT_EQ(parse("x=ones(4):fp8e4nv").tensor.getFloat(3), 1);
  EXPECT_TRUE(parse("x=zeros(4)").initialised);
  EXPECT_FALSE(parse("x=empty(4)").initialised);
}

TEST(ArgumentValue, Ranges) {
  auto range = parse("x=arange(4)").tensor;
  EXPECT_EQ(range.describe(), "i32[4]");
  EXPECT_EQ(range.getInt(3), 3);
  EXPECT_EQ(parse("x=arange(5, 8):fp32").tensor.getFloat(2), 7);
  auto down = parse("x=arange(10, 0, -3):i64").tensor;
  EXPECT_EQ(down.describe(), "i64[4]");
  EXPECT_EQ(down.getInt(3), 1);
  EXPECT_EQ(parse("x=arange(3, 3)").tensor.describe(), "i32[0]");
}

TEST(ArgumentValue, RandomTensorsHaveTheirMoments) {
  auto normal = parse("x=randn(100000)").tensor;
  double sum = 0, squares = 0, fourth = 0;
  for (int i = 0; i < 100000; ++i) {
    double v = normal.getFloat(i);
    sum += v;
    squares += v * v;
    fourth += v * v * v * v;
  }
  EXPECT_NEAR(sum / 1e5, 0, 0.015);
  EXPECT_NEAR(squares / 1e5, 1, 0.02);
  EXPECT_NEAR(fourth / 1e5, 3, 0.15);
  for (const char *type : {"fp64", "fp32", "fp16", "bf16", "fp8e5"}) {
    auto uniform = parse(std::string("x=rand(20000):") + type).tensor;
    double mean = 0;
    for (int i = 0; i < 20000; ++i) {
      double v = uniform.getFloat(i);
      ASSERT_TRUE(v >= 0 && v < 1) << type << " " << v;
      mean += v / 20000;
    }
    EXPECT_NEAR(mean, 0.5, type == std::string("fp8e5") ? 0.08 : 0.02) << type;
  }
  std::set<int64_t> seen;
  auto integers = parse("x=randint(-2,3,1000):i8").tensor;
  for (int i = 0; i < 1000; ++i)
    seen.insert(integers.getInt(i));
  EXPECT_EQ(seen, (std::set<int64_t>{-2, -1, 0, 1, 2}));
  auto wide = parse("x=randint(-9223372036854775808,9223372036854775807,1000):i64").tensor;
  int negative = 0;
  for (int i = 0; i < 1000; ++i)
    negative += wide.getInt(i) < 0;
  EXPECT_NEAR(negative, 500, 80);
}

TEST(ArgumentValue, SeedsAndNamesMakeStreams) {
  auto x = parse("x=randn(64)", 1).tensor.bytes;
  EXPECT_EQ(parse("x=randn(64)", 1).tensor.bytes, x);
  EXPECT_NE(parse("x=randn(64)", 2).tensor.bytes, x);
  EXPECT_NE(parse("y=randn(64)", 1).tensor.bytes, x);
}

TEST(ArgumentValue, Files) {
  llvm::SmallString<128> path;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("tilec", "npy", path));
  HostTensor tensor(DType::FP32, {2});
  tensor.setFloat(0, 1.00390625);
  llvm::cantFail(writeNpy(path, tensor));
  std::string file = path.str().str();
  EXPECT_EQ(parse("x=@" + file).tensor.describe(), "fp32[2]");
  EXPECT_EQ(parse("x=@" + file + ":bf16").tensor.getFloat(0), 1.0);
  llvm::sys::fs::remove(path);
  EXPECT_EQ(errorOf("x=@" + file), "argument 'x=@" + file + "': '" + file +
                                       "': cannot be read: No such file or directory");
}

TEST(ArgumentValue, Errors) {
  const std::pair<const char *, const char *> cases[] = {
      {"n", "argument 'n' is not of the form NAME=VALUE"},
      {"=3", "argument '=3' is not of the form NAME=VALUE"},
      {"n=abc",
       "argument 'n=abc': expected a number, True, False, @FILE.npy, or one of randn, rand, "
       "randint, zeros, ones, full, arange, empty with its arguments"},
      {"n=1.5:i32", "argument 'n=1.5:i32': '1.5' is not an integer, but its type is i32"},
      {"n=300:u8", "argument 'n=300:u8': an element does not fit into u8"},
      {"n=-1:u64", "argument 'n=-1:u64': an element does not fit into u64"},
      {"n=--1", "argument 'n=--1': expected a number, True, False, @FILE.npy, or one of randn, "
                "rand, randint, zeros, ones, full, arange, empty with its arguments"},
      {"x=randm(3)", "argument 'x=randm(3)': 'randm' is not known; use randn, rand, randint, "
                     "zeros, ones, full, arange or empty"},
      {"x=randn(3):fp31", "argument 'x=randn(3):fp31': 'fp31' is not a type; types are i1, i8, "
                          "i16, i32, i64, u8, u16, u32, u64, fp16, bf16, fp32, fp64, fp8e4nv, "
                          "fp8e5, fp8e4b15"},
      {"x=randn(3", "argument 'x=randn(3': the ')' is missing or something follows it"},
      {"x=randn()", "argument 'x=randn()': the shape is missing"},
      {"x=randn(-3)",
       "argument 'x=randn(-3)': an extent of the shape is not a whole number of 0 or more"},
      {"x=randn(3,a)", "argument 'x=randn(3,a)': 'a' is not a number"},
      {"x=randn((3)", "argument 'x=randn((3)': the brackets do not match"},
      {"x=randn(3):i32", "argument 'x=randn(3):i32': randn makes floats, but the type is i32; use "
                         "randint"},
      {"x=zeros(1000000,1000000)",
       "argument 'x=zeros(1000000,1000000)': the tensor is too large; at most 2^34 elements are "
       "made"},
      {"x=full(3)", "argument 'x=full(3)': full takes a shape and a value, as in full(4, 8, 1.5)"},
      {"x=full(3,1.5):i32",
       "argument 'x=full(3,1.5):i32': the value is not an integer, but the type is i32"},
      {"x=full(3,200):i8", "argument 'x=full(3,200):i8': an element does not fit into i8"},
      {"x=arange(1,2,0)", "argument 'x=arange(1,2,0)': the step is 0"},
      {"x=arange(0,300):u8", "argument 'x=arange(0,300):u8': an element does not fit into u8"},
      {"x=randint(5,5,3)", "argument 'x=randint(5,5,3)': no integer is at least the first bound "
                           "and less than the second"},
      {"x=randint(0,300,4):u8",
       "argument 'x=randint(0,300,4):u8': an element does not fit into u8"},
  };
  for (const auto &[text, message] : cases)
    EXPECT_EQ(errorOf(text), message);
}

} // namespace
