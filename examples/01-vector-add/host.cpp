// Adds two vectors on a GPU, or on the simulated one, and checks the sum. The other examples do
// these steps through helpers of support/Host.h; here they stand one by one.
#include "../support/Host.h"

static bool addVectors(const tilec::Device &device, int64_t n, int block) {
  // Compile for this device. A constexpr of the kernel is a define here.
  tilec::CompileOptions options = device.compileOptions();
  options.kernels = {"vector_add"};
  options.defines = {{"BLOCK", std::to_string(block)}};
  tilec::Artifact artifact =
      tilec::Artifact::compileFile(TILEC_EXAMPLES_DIR "/01-vector-add/vector_add.tile", options)
          .value();

  // Load it, and find the kernel.
  tilec::Program program = device.load(artifact).value();
  tilec::Kernel kernel = program.kernel("vector_add").value();

  // Move the inputs to the device, launch, bring the result back.
  std::vector<float> x = host::randomNormal(n, 1), y = host::randomNormal(n, 2);
  tilec::Buffer xOnDevice = device.upload(x).value(), yOnDevice = device.upload(y).value();
  tilec::Buffer out = device.allocate(n * sizeof(float)).value();
  host::require(kernel.launch({host::ceilDiv(n, block)}, {xOnDevice, yOnDevice, out, n}));
  host::require(device.synchronize());
  std::vector<float> sum = out.download<float>().value();

  std::vector<double> want(n);
  for (int64_t i = 0; i != n; ++i)
    want[i] = double(x[i]) + double(y[i]);
  return host::check("n " + std::to_string(n) + ", BLOCK " + std::to_string(block), sum, want);
}

static bool addAll(const tilec::Device &device) {
  bool right = true;
  for (int64_t n : {1, 1000, 1000001})
    for (int block : {32, 1024, 16384})
      if (n < 100000 || block > 32)
        right &= addVectors(device, n, block);
  return right;
}

int main(int argc, char **argv) { return host::run(argc, argv, addAll); }
