// Matrix times vector, with a ragged matrix in memory of a larger stride.
#include "../support/Host.h"

static bool matvec(const tilec::Device &device, int64_t m, int64_t k, int64_t stride) {
  const int blockM = 16;
  const tilec::Kernel kernel =
      host::loadKernel(device, "09-matvec/matvec.tile", "matvec",
                       {{"BLOCK_M", std::to_string(blockM)}, {"BLOCK_K", "128"}});
  const std::vector<float> a = host::randomNormal(m * stride, 1), x = host::randomNormal(k, 2);
  const tilec::Buffer matrix = device.upload(a).value(), vector = device.upload(x).value();
  const tilec::Buffer y = host::allocate<float>(device, m);
  host::require(kernel.launch({host::ceilDiv(m, blockM)}, {matrix, vector, y, m, k, stride}));

  std::vector<double> want(m);
  for (int64_t row = 0; row != m; ++row)
    for (int64_t j = 0; j != k; ++j)
      want[row] += double(a[row * stride + j]) * double(x[j]);
  // The sum of k products of size one: its rounding grows with sqrt(k), its value may cancel.
  return host::check(std::to_string(m) + " x " + std::to_string(k) + ", stride " +
                         std::to_string(stride),
                     y.download<float>().value(), want, {1e-5, 2e-6 * std::sqrt(double(k))});
}

static bool matvecAll(const tilec::Device &device) {
  return matvec(device, 1, 1, 1) && matvec(device, 100, 129, 129) &&
         matvec(device, 512, 1000, 1024);
}

int main(int argc, char **argv) { return host::run(argc, argv, matvecAll); }
