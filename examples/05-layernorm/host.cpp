// Layer normalization over fp32, fp16 and bf16 buffers.
#include "../support/Host.h"

template <typename T>
static bool layernorm(const tilec::Device &device, int64_t rows, int64_t n) {
  const double eps = 1e-5;
  const std::string pointer = std::string("*") + host::typeName<T>() + ", ";
  const tilec::Kernel kernel =
      host::loadKernel(device, "05-layernorm/layernorm.tile", "layernorm",
                       {{"BLOCK", std::to_string(host::nextPowerOfTwo(n))}},
                       pointer + pointer + pointer + pointer + "i32, i32, fp32, constexpr");
  const std::vector<T> x = host::randomNormal<T>(rows * n, 1);
  const std::vector<T> weight = host::randomNormal<T>(n, 2), bias = host::randomNormal<T>(n, 3);
  const tilec::Buffer input = device.upload(x).value(), w = device.upload(weight).value();
  const tilec::Buffer b = device.upload(bias).value();
  const tilec::Buffer out = host::allocate<T>(device, x.size());
  host::require(kernel.launch({uint64_t(rows)}, {input, w, b, out, n, n, eps}));

  std::vector<double> want(x.size());
  for (int64_t row = 0; row != rows; ++row) {
    const T *from = &x[row * n];
    double mean = 0, variance = 0;
    for (int64_t i = 0; i != n; ++i)
      mean += double(from[i]) / double(n);
    for (int64_t i = 0; i != n; ++i)
      variance += (double(from[i]) - mean) * (double(from[i]) - mean) / double(n);
    for (int64_t i = 0; i != n; ++i)
      want[row * n + i] = (double(from[i]) - mean) / std::sqrt(variance + eps) * double(weight[i]) +
                          double(bias[i]);
  }
  return host::check(std::string(host::typeName<T>()) + ", " + std::to_string(rows) + " x " +
                         std::to_string(n),
                     out.download<T>().value(), want);
}

static bool layernormAll(const tilec::Device &device) {
  return layernorm<float>(device, 100, 781) && layernorm<host::Half>(device, 100, 1000) &&
         layernorm<host::BFloat16>(device, 20, 4096);
}

int main(int argc, char **argv) { return host::run(argc, argv, layernormAll); }
