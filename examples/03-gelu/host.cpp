// GELU over fp32, fp16 and bf16 buffers.
#include "../support/Host.h"

template <typename T>
static bool gelu(const tilec::Device &device, int64_t n) {
  const std::string pointer = std::string("*") + host::typeName<T>();
  const tilec::Kernel kernel =
      host::loadKernel(device, "03-gelu/gelu.tile", "gelu", {{"BLOCK", "2048"}},
                       pointer + ", " + pointer + ", i32, constexpr");
  const std::vector<T> x = host::randomNormal<T>(n, 1);
  const tilec::Buffer input = device.upload(x).value(), out = host::allocate<T>(device, n);
  host::require(kernel.launch({host::ceilDiv(n, 2048)}, {input, out, n}));

  std::vector<double> want(n);
  for (int64_t i = 0; i != n; ++i)
    want[i] = double(x[i]) / 2 * (1 + std::erf(double(x[i]) / std::sqrt(2.0)));
  return host::check(std::string(host::typeName<T>()) + ", n " + std::to_string(n),
                     out.download<T>().value(), want);
}

static bool geluAll(const tilec::Device &device) {
  return gelu<float>(device, 100001) && gelu<host::Half>(device, 100001) &&
         gelu<host::BFloat16>(device, 100001);
}

int main(int argc, char **argv) { return host::run(argc, argv, geluAll); }
