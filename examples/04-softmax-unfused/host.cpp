// Row softmax as three launches with buffers between them.
#include "../support/Host.h"

#include <algorithm>

static bool softmax(const tilec::Device &device, int64_t rows, int64_t n) {
  const char *file = "04-softmax-unfused/softmax_unfused.tile";
  const host::Defines defines = {{"BLOCK", std::to_string(host::nextPowerOfTwo(n))}};
  const std::vector<float> x = host::randomNormal(rows * n, 1);
  const tilec::Buffer input = device.upload(x).value();
  const tilec::Buffer peak = host::allocate<float>(device, rows);
  const tilec::Buffer total = host::allocate<float>(device, rows);
  const tilec::Buffer exponentials = host::allocate<float>(device, x.size());
  const tilec::Buffer out = host::allocate<float>(device, x.size());

  // Launches on one stream run in order, so nothing waits on the host between them.
  const tilec::Grid grid = {uint64_t(rows)};
  host::require(
      host::loadKernel(device, file, "row_max", defines).launch(grid, {input, peak, n, n}));
  host::require(host::loadKernel(device, file, "exp_and_sum", defines)
                    .launch(grid, {input, peak, exponentials, total, n, n}));
  host::require(host::loadKernel(device, file, "divide_rows", defines)
                    .launch(grid, {exponentials, total, out, n, n}));

  std::vector<double> want(x.size());
  for (int64_t row = 0; row != rows; ++row) {
    const float *from = &x[row * n];
    const double largest = *std::max_element(from, from + n);
    double sum = 0;
    for (int64_t i = 0; i != n; ++i)
      sum += want[row * n + i] = std::exp(from[i] - largest);
    for (int64_t i = 0; i != n; ++i)
      want[row * n + i] /= sum;
  }
  return host::check(std::to_string(rows) + " x " + std::to_string(n),
                     out.download<float>().value(), want);
}

static bool softmaxAll(const tilec::Device &device) {
  return softmax(device, 500, 781) && softmax(device, 16, 4096);
}

int main(int argc, char **argv) { return host::run(argc, argv, softmaxAll); }
