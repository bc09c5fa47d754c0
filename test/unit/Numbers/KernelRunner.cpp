// Compiles a kernel's text and runs it on `ref` and on `sim`.
#include "test/unit/Numbers/KernelRunner.h"

#include "lib/Device/Device.h"
#include "lib/Driver/Compiler.h"

using namespace tilec;
using namespace tilec::test;

std::string tilec::test::runKernel(const std::string &deviceName, const std::string &text,
                                   unsigned grid, std::vector<Array> &arrays) {
  CompileOptions options;
  options.wantPtx = false;
  CompileResult compiled = compileText("k.tile", text, options);
  if (!compiled.succeeded)
    return compiled.diagnostics->renderToString();
  auto device = openDevice(deviceName);
  if (!device)
    return llvm::toString(device.takeError());
  auto program = (*device)->load(compiled.artifact);
  if (!program)
    return llvm::toString(program.takeError());
  auto kernel = (*program)->getKernel("");
  if (!kernel)
    return llvm::toString(kernel.takeError());
  std::vector<DeviceAddress> addresses;
  std::vector<const void *> params;
  for (Array &array : arrays) {
    addresses.push_back(llvm::cantFail((*device)->allocate(array.bytes.size())));
    llvm::cantFail((*device)->copyIn(addresses.back(), array.bytes.data(), array.bytes.size()));
  }
  for (DeviceAddress &address : addresses)
    params.push_back(&address);
  std::string message;
  Grid programs;
  programs.x = grid;
  if (llvm::Error error = (*kernel)->launch(programs, params, nullptr))
    message = llvm::toString(std::move(error));
  else if (llvm::Error later = (*device)->synchronize())
    message = llvm::toString(std::move(later));
  for (size_t i = 0; i < arrays.size(); ++i) {
    llvm::cantFail(
        (*device)->copyOut(arrays[i].bytes.data(), addresses[i], arrays[i].bytes.size()));
    llvm::cantFail((*device)->free(addresses[i]));
  }
  return message;
}
