// Launches the addition without its mask on the simulated GPU, which must refuse it and say where.
#include "../support/Host.h"

static bool mustBeCaught(const tilec::Device &device) {
  const int64_t n = 1000001;
  const tilec::Kernel kernel = host::loadKernel(device, "10-missing-mask/missing_mask.tile",
                                                "missing_mask", {{"BLOCK", "1024"}});
  const tilec::Buffer x = device.upload(host::randomNormal(n, 1)).value();
  const tilec::Buffer y = device.upload(host::randomNormal(n, 2)).value();
  const tilec::Buffer out = host::allocate<float>(device, n);

  const tilec::Status status = kernel.launch({host::ceilDiv(n, 1024)}, {x, y, out, n});
  if (status.code() != TILEC_KERNEL_FAULT) {
    std::printf("the access past the end was not caught\n");
    return false;
  }
  std::printf("caught: %s\n", status.message().c_str());
  return true;
}

int main() {
  // Only the simulated GPU checks: a real one may write over what is not its own.
  char name[] = "missing-mask", device[] = "--device=sim";
  char *arguments[] = {name, device, nullptr};
  return host::run(2, arguments, mustBeCaught);
}
