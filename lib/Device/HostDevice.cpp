// Memory, clock and modules of the devices that run in this process.

#include "lib/Device/HostDevice.h"
#include "lib/Pipeline/Pipeline.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"

#include <chrono>

using namespace llvm;

namespace tilec {

static void *toPointer(DeviceAddress address) {
  return reinterpret_cast<void *>(static_cast<uintptr_t>(address));
}

std::string HostDevice::getTarget() const { return kDefaultTarget.str(); }

Expected<DeviceAddress> HostDevice::allocate(uint64_t bytes) {
  Expected<void *> address = memory.allocate(bytes);
  if (!address)
    return withCode(rt::Code::OutOfMemory, address.takeError());
  return static_cast<DeviceAddress>(reinterpret_cast<uintptr_t>(*address));
}

Error HostDevice::free(DeviceAddress address) {
  return withCode(rt::Code::InvalidArgument, memory.release(toPointer(address)));
}

Error HostDevice::copyIn(DeviceAddress target, const void *source, uint64_t bytes) {
  if (!bytes)
    return Error::success();
  return withCode(rt::Code::InvalidArgument, memory.copyToDevice(toPointer(target), source, bytes));
}

Error HostDevice::copyOut(void *target, DeviceAddress source, uint64_t bytes) {
  if (!bytes)
    return Error::success();
  return withCode(rt::Code::InvalidArgument, memory.copyToHost(target, toPointer(source), bytes));
}

Error HostDevice::fill(DeviceAddress target, uint8_t byte, uint64_t bytes) {
  if (!bytes)
    return Error::success();
  return withCode(rt::Code::InvalidArgument, memory.fill(toPointer(target), byte, bytes));
}

namespace {

class HostTimer : public Timer {
public:
  Error start(Stream) override {
    begin = Clock::now();
    return Error::success();
  }
  Error stop(Stream) override {
    end = Clock::now();
    return Error::success();
  }
  Expected<double> elapsedMs() override {
    return std::chrono::duration<double, std::milli>(end - begin).count();
  }

private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point begin, end;
};

} // namespace

Expected<std::unique_ptr<Timer>> HostDevice::createTimer() {
  return std::unique_ptr<Timer>(new HostTimer);
}

Expected<LoadedModule> loadModule(StringRef bytecode, StringRef what) {
  if (bytecode.empty())
    return makeError(rt::Code::Unsupported, "the artifact holds no " + what);
  LoadedModule result;
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  result.context =
      std::make_unique<mlir::MLIRContext>(registry, mlir::MLIRContext::Threading::DISABLED);
  std::string messages;
  mlir::ScopedDiagnosticHandler handler(result.context.get(), [&](mlir::Diagnostic &diagnostic) {
    if (!messages.empty())
      messages += "; ";
    messages += diagnostic.str();
  });
  result.module =
      mlir::parseSourceString<mlir::ModuleOp>(bytecode, mlir::ParserConfig(result.context.get()));
  if (!result.module)
    return makeError(rt::Code::BadArtifact, "cannot read the " + what + ": " + messages);
  return std::move(result);
}

} // namespace tilec
