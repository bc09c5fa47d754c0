// The column of each row's largest element; of equal ones the first.
#include "../support/Host.h"

#include <algorithm>

static bool argmax(const tilec::Device &device, int64_t rows, int64_t n, bool ties) {
  const tilec::Kernel kernel =
      host::loadKernel(device, "08-argmax/argmax.tile", "argmax",
                       {{"BLOCK", std::to_string(host::nextPowerOfTwo(n))}});
  std::vector<float> x = host::randomNormal(rows * n, 1);
  if (ties)
    for (float &value : x)
      value = std::round(value);
  const tilec::Buffer input = device.upload(x).value();
  const tilec::Buffer index = host::allocate<int32_t>(device, rows);
  host::require(kernel.launch({uint64_t(rows)}, {input, index, n, n}));

  std::vector<double> want(rows);
  for (int64_t row = 0; row != rows; ++row) {
    const float *from = &x[row * n];
    want[row] = double(std::max_element(from, from + n) - from);
  }
  return host::check(std::to_string(rows) + " x " + std::to_string(n) +
                         (ties ? ", many equal" : ""),
                     index.download<int32_t>().value(), want);
}

static bool argmaxAll(const tilec::Device &device) {
  return argmax(device, 200, 781, false) && argmax(device, 200, 781, true) &&
         argmax(device, 4, 32768, true);
}

int main(int argc, char **argv) { return host::run(argc, argv, argmaxAll); }
