// Comparison of tensors.
#include "lib/Support/HostTensor.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace tilec;

namespace {

HostTensor tensorOf(DType dtype, std::vector<double> values) {
  HostTensor tensor(dtype, {static_cast<int64_t>(values.size())});
  for (size_t i = 0; i < values.size(); ++i)
    tensor.setFloat(i, values[i]);
  return tensor;
}

Comparison compare(const HostTensor &got, const HostTensor &want, double rtol = 0,
                   double atol = 0) {
  return llvm::cantFail(compareTensors(got, want, rtol, atol));
}

TEST(TensorComparison, ErrorsOfFloats) {
  auto got = tensorOf(DType::FP32, {1, 2 + 0x1p-20, -4, 0.5});
  auto want = tensorOf(DType::FP32, {1, 2, -4.25, 0.5});
  auto result = compare(got, want, 1e-6);
  EXPECT_FALSE(result.equal);
  EXPECT_EQ(result.maxAbsError, 0.25);
  EXPECT_EQ(result.maxRelError, 0.25 / 4.25);
  EXPECT_EQ(result.maxUlps, 0.25 * 0x1p21);
  EXPECT_EQ(result.mismatches, 1);
  EXPECT_EQ(result.firstMismatch, 2);
  EXPECT_EQ(result.worst, 2);
  EXPECT_EQ(result.got, -4);
  EXPECT_EQ(result.want, -4.25);
  EXPECT_TRUE(compare(got, want, 0.06).equal);
  EXPECT_TRUE(compare(got, want, 0, 0.25).equal);
  EXPECT_EQ(compare(got, want).mismatches, 2);
}

TEST(TensorComparison, UlpsAreThoseOfTheTypeOfGot) {
  auto want = tensorOf(DType::FP64, {1.0});
  EXPECT_EQ(compare(tensorOf(DType::FP16, {1 + 0x1p-10}), want).maxUlps, 1);
  EXPECT_EQ(compare(tensorOf(DType::BF16, {1 + 0x1p-7}), want).maxUlps, 1);
  EXPECT_EQ(compare(tensorOf(DType::FP64, {1 + 0x1p-52}), want).maxUlps, 1);
  EXPECT_EQ(compare(tensorOf(DType::FP32, {0x1p-149}), tensorOf(DType::FP32, {0.0})).maxUlps, 1);
}

TEST(TensorComparison, NaNAndInfinities) {
  auto nan = tensorOf(DType::FP32, {NAN, INFINITY, -INFINITY});
  EXPECT_TRUE(compare(nan, nan).equal);
  auto result = compare(tensorOf(DType::FP32, {1, INFINITY, INFINITY}), nan, 1, 1);
  EXPECT_EQ(result.mismatches, 2);
  EXPECT_EQ(result.firstMismatch, 0);
  EXPECT_EQ(result.maxAbsError, INFINITY);
  // A finite value is never within the tolerance of an infinity, nor the other way round.
  EXPECT_FALSE(
      compare(tensorOf(DType::FP32, {3e38}), tensorOf(DType::FP32, {INFINITY}), 1, 1).equal);
  EXPECT_FALSE(
      compare(tensorOf(DType::FP32, {INFINITY}), tensorOf(DType::FP32, {3e38}), 1, 1).equal);
}

TEST(TensorComparison, ZerosAreEqual) {
  EXPECT_TRUE(compare(tensorOf(DType::FP32, {-0.0}), tensorOf(DType::FP32, {0.0})).equal);
}

TEST(TensorComparison, IntegersAreExact) {
  HostTensor a(DType::I64, {2}), b(DType::I64, {2});
  a.setInt(1, INT64_MAX);
  b.setInt(1, INT64_MAX - 1);
  auto result = compare(a, b);
  EXPECT_FALSE(result.equal);
  EXPECT_EQ(result.firstMismatch, 1);
  HostTensor c(DType::U64, {1}), d(DType::I64, {1});
  c.setInt(0, -1);
  d.setInt(0, -1);
  EXPECT_FALSE(compare(c, d).equal);
  EXPECT_TRUE(compare(tensorOf(DType::U8, {200}), tensorOf(DType::I32, {200})).equal);
}

TEST(TensorComparison, DescribesTheFirstMismatch) {
  HostTensor got(DType::FP32, {2, 3}), want(DType::FP32, {2, 3});
  got.setFloat(5, 1.5);
  want.setFloat(5, 1.0);
  auto result = compare(got, want);
  EXPECT_EQ(result.describe(got.shape),
            "1 element differs, the first at [1, 2]: got 1.5, expected 1; max abs error 5.00e-01, "
            "max rel error 5.00e-01, max ulp 4194304.0");
  EXPECT_EQ(compare(want, want).describe(want.shape),
            "max abs error 0.00e+00, max rel error 0.00e+00, max ulp 0.0");
}

TEST(TensorComparison, DifferentNumbersOfElements) {
  auto result = compareTensors(HostTensor(DType::FP32, {2, 3}), HostTensor(DType::FP32, {7}), 0, 0);
  ASSERT_FALSE(static_cast<bool>(result));
  EXPECT_EQ(llvm::toString(result.takeError()),
            "cannot compare fp32[2, 3] with fp32[7]: the numbers of elements differ");
}

} // namespace
