// Transposes matrices of several types; the result must be exact.
#include "../support/Host.h"

template <typename T>
static bool transpose(const tilec::Device &device, int64_t rows, int64_t cols) {
  const std::string pointer = std::string("*") + host::typeName<T>() + ", ";
  const tilec::Kernel kernel = host::loadKernel(
      device, "07-transpose/transpose.tile", "transpose", {{"TILE_R", "64"}, {"TILE_C", "64"}},
      pointer + pointer + "i32, i32, constexpr, constexpr");
  const std::vector<T> x = host::randomNormal<T>(rows * cols, 1);
  const tilec::Buffer input = device.upload(x).value(), out = host::allocate<T>(device, x.size());
  host::require(
      kernel.launch({host::ceilDiv(rows, 64), host::ceilDiv(cols, 64)}, {input, out, rows, cols}));

  std::vector<double> want(x.size());
  for (int64_t row = 0; row != rows; ++row)
    for (int64_t col = 0; col != cols; ++col)
      want[col * rows + row] = double(x[row * cols + col]);
  return host::check(std::string(host::typeName<T>()) + ", " + std::to_string(rows) + " x " +
                         std::to_string(cols),
                     out.download<T>().value(), want, {0, 0});
}

static bool transposeAll(const tilec::Device &device) {
  return transpose<float>(device, 257, 129) && transpose<float>(device, 512, 256) &&
         transpose<host::Half>(device, 300, 70) && transpose<host::BFloat16>(device, 1, 1000);
}

int main(int argc, char **argv) { return host::run(argc, argv, transposeAll); }
