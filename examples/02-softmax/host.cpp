// Row softmax, one program a row and with a fixed number of programs.
#include "../support/Host.h"

#include <algorithm>

static std::vector<double> referenceSoftmax(const std::vector<float> &x, int64_t rows, int64_t n) {
  std::vector<double> want(x.size());
  for (int64_t row = 0; row != rows; ++row) {
    const float *from = &x[row * n];
    const double peak = *std::max_element(from, from + n);
    double total = 0;
    for (int64_t i = 0; i != n; ++i)
      total += want[row * n + i] = std::exp(from[i] - peak);
    for (int64_t i = 0; i != n; ++i)
      want[row * n + i] /= total;
  }
  return want;
}

static bool softmax(const tilec::Device &device, int64_t rows, int64_t n) {
  const char *file = "02-softmax/softmax.tile";
  const host::Defines defines = {{"BLOCK", std::to_string(host::nextPowerOfTwo(n))}};
  const std::vector<float> x = host::randomNormal(rows * n, 1);
  const std::vector<double> want = referenceSoftmax(x, rows, n);
  const std::string shape = std::to_string(rows) + " x " + std::to_string(n);
  const tilec::Buffer input = device.upload(x).value();

  const tilec::Buffer out = host::allocate<float>(device, x.size());
  host::require(host::loadKernel(device, file, "softmax", defines)
                    .launch({uint64_t(rows)}, {input, out, n, n}));
  bool right = host::check(shape, out.download<float>().value(), want);

  const tilec::Buffer again = host::allocate<float>(device, x.size());
  host::require(host::loadKernel(device, file, "softmax_persistent", defines)
                    .launch({13}, {input, again, n, rows, n}));
  right &= host::check(shape + ", 13 programs", again.download<float>().value(), want);
  return right;
}

static bool softmaxAll(const tilec::Device &device) {
  return softmax(device, 1823, 781) && softmax(device, 64, 4096) && softmax(device, 2, 32768);
}

int main(int argc, char **argv) { return host::run(argc, argv, softmaxAll); }
