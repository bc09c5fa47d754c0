// Compiles, loads and launches an add of the file named on the command line, as a user would.
#include "tilec/tilec.hpp"

#include <cstdio>
#include <vector>

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  tilec::Device device = tilec::Device::open("sim").value();
  tilec::CompileOptions options = device.compileOptions();
  options.kernels = {"vector_add"};
  tilec::Artifact artifact = tilec::Artifact::compileFile(argv[1], options).value();
  tilec::Program program = device.load(artifact).value();
  tilec::Kernel kernel = program.kernel("vector_add").value();
  const int64_t n = 1000;
  std::vector<float> x(n, 1.5f), y(n, 2.25f);
  tilec::Buffer xOnDevice = device.upload(x).value(), yOnDevice = device.upload(y).value();
  tilec::Buffer out = device.allocate(n * sizeof(float)).value();
  if (!kernel.launch({1}, {xOnDevice, yOnDevice, out, n}).ok() || !device.synchronize().ok())
    return 1;
  for (float sum : out.download<float>().value())
    if (sum != 3.75f)
      return 1;
  std::puts("right");
}
