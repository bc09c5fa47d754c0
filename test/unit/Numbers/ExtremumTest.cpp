// NaN, infinities and zeros of both signs at every place of maximum, minimum and clamp [R27].
#include "test/unit/Numbers/Formats.h"
#include "test/unit/Numbers/KernelRunner.h"

#include <gtest/gtest.h>

using namespace tilec::test;

namespace {

/// The order of numbers; -0 comes before +0.
int64_t orderOf(const Format &format, uint64_t code) {
  uint64_t sign = uint64_t(1) << (format.bits() - 1);
  int64_t magnitude = static_cast<int64_t>(code & (sign - 1));
  return code & sign ? -magnitude - 1 : magnitude;
}

uint64_t nanOf(const Format &format) { return encode(format, {false, true, false, 0, 0}); }

uint64_t extremum(const Format &format, bool isMax, bool propagates, uint64_t a, uint64_t b) {
  if (format.isNaN(a) || format.isNaN(b)) {
    if (propagates || (format.isNaN(a) && format.isNaN(b)))
      return nanOf(format);
    return format.isNaN(a) ? b : a;
  }
  bool takesFirst =
      isMax ? orderOf(format, a) >= orderOf(format, b) : orderOf(format, a) <= orderOf(format, b);
  return takesFirst ? a : b;
}

class Extremum : public testing::TestWithParam<const Format *> {};

TEST_P(Extremum, EveryTripleOfSpecialNumbers) {
  const Format &format = *GetParam();
  uint64_t sign = uint64_t(1) << (format.bits() - 1);
  uint64_t infinity = encode(format, {false, false, true, 0, 0});
  uint64_t one = encode(format, {false, false, false, 1, 0});
  std::vector<uint64_t> specials = {0,
                                    sign,
                                    one,
                                    sign | one,
                                    infinity,
                                    sign | infinity,
                                    nanOf(format),
                                    sign | nanOf(format),
                                    1,
                                    format.largest()};
  std::vector<uint64_t> x, y, z;
  for (uint64_t a : specials)
    for (uint64_t b : specials)
      for (uint64_t c : specials) {
        x.push_back(a);
        y.push_back(b);
        z.push_back(c);
      }
  while (x.size() < 1024)
    x.push_back(0), y.push_back(0), z.push_back(0);
  std::string text = "@triton.jit\ndef k(";
  for (const char *name : {"x", "y", "z", "hi", "lo", "hn", "ln", "c", "cn"})
    text += std::string(name[0] == 'x' ? "" : ", ") + name + ": \"*" + format.name + "\"";
  text += R"():
    i = tl.arange(0, 1024)
    a = tl.load(x + i)
    b = tl.load(y + i)
    e = tl.load(z + i)
    tl.store(hi + i, tl.maximum(a, b))
    tl.store(lo + i, tl.minimum(a, b))
    tl.store(hn + i, tl.maximum(a, b, propagate_nan=tl.PropagateNan.ALL))
    tl.store(ln + i, tl.minimum(a, b, propagate_nan=tl.PropagateNan.ALL))
    tl.store(c + i, tl.clamp(a, b, e))
    tl.store(cn + i, tl.clamp(a, b, e, propagate_nan=tl.PropagateNan.ALL))
)";
  for (const char *device : {"ref", "sim"}) {
    std::vector<Array> arrays = {Array::of(format.bytes(), x), Array::of(format.bytes(), y),
                                 Array::of(format.bytes(), z)};
    for (int i = 0; i < 6; ++i)
      arrays.push_back(Array::ofSize(format.bytes(), x.size()));
    ASSERT_EQ(runKernel(device, text, 1, arrays), "");
    for (size_t i = 0; i < x.size() && !HasFailure(); ++i) {
      auto clamp = [&](bool propagates) {
        return extremum(format, false, propagates, extremum(format, true, propagates, x[i], y[i]),
                        z[i]);
      };
      const uint64_t expected[] = {extremum(format, true, false, x[i], y[i]),
                                   extremum(format, false, false, x[i], y[i]),
                                   extremum(format, true, true, x[i], y[i]),
                                   extremum(format, false, true, x[i], y[i]),
                                   clamp(false),
                                   clamp(true)};
      for (unsigned k = 0; k < 6; ++k) {
        uint64_t got = arrays[3 + k][i];
        if (format.isNaN(expected[k]))
          EXPECT_TRUE(format.isNaN(got)) << device << ", store " << k << " of 0x" << std::hex
                                         << x[i] << ", 0x" << y[i] << ", 0x" << z[i];
        else
          EXPECT_EQ(got, expected[k]) << device << ", store " << k << " of 0x" << std::hex << x[i]
                                      << ", 0x" << y[i] << ", 0x" << z[i];
      }
    }
  }
}

const Format *const kFormats[] = {&kHalf, &kBFloat, &kSingle, &kDouble};

INSTANTIATE_TEST_SUITE_P(Each, Extremum, testing::ValuesIn(kFormats),
                         [](const auto &info) { return std::string(info.param->name); });

} // namespace
