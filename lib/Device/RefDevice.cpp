// The device `ref`: the reference interpreter of the tile dialect.

#include "lib/Device/Devices.h"
#include "lib/Device/HostDevice.h"
#include "lib/Interpreter/Interpreter.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <cstring>

using namespace llvm;

namespace tilec {
namespace {

class RefDevice : public HostDevice {
public:
  explicit RefDevice(const DeviceOptions &options)
      : HostDevice(DeviceKind::Ref, "ref"), options(options) {}

  std::string getDescription() const override { return "ref: the reference interpreter"; }
  Expected<std::shared_ptr<Program>> load(const Artifact &artifact) override;
  const DeviceOptions &getOptions() const { return options; }

private:
  DeviceOptions options;
};

class RefProgram : public Program, public std::enable_shared_from_this<RefProgram> {
public:
  RefProgram(std::shared_ptr<RefDevice> device, const Artifact &artifact, LoadedModule loaded)
      : device(std::move(device)), loaded(std::move(loaded)) {
    names.sourceName = artifact.sourceName;
    names.kernels = artifact.kernels;
  }

  Expected<std::shared_ptr<Kernel>> getKernel(StringRef name) override;
  RefDevice &getDevice() { return *device; }

private:
  std::shared_ptr<RefDevice> device;
  LoadedModule loaded;
  /// The artifact without its programs.
  Artifact names;
};

class RefKernel : public Kernel {
public:
  RefKernel(std::shared_ptr<RefProgram> program, mlir::func::FuncOp function,
            KernelMetadata metadata)
      : Kernel(std::move(metadata)), program(std::move(program)), function(function) {}

protected:
  Error doLaunch(const Grid &grid, ArrayRef<const void *> params, Stream stream) override;

private:
  std::shared_ptr<RefProgram> program;
  mlir::func::FuncOp function;
};

/// The part of the device's memory that a pointer argument may reach: from the pointer to the end
/// of its buffer. A pointer to no buffer reaches nothing.
RefArgument findBuffer(ArrayRef<SimBuffer> buffers, void *pointer) {
  auto *address = static_cast<uint8_t *>(pointer);
  for (const SimBuffer &buffer : buffers) {
    auto *base = static_cast<uint8_t *>(buffer.base);
    if (address < base || address > base + buffer.size)
      continue;
    uint64_t offset = address - base;
    return RefArgument::buffer(address, buffer.size - offset,
                               buffer.initialised ? buffer.initialised + offset : nullptr);
  }
  return RefArgument::buffer(pointer, 0);
}

Error RefKernel::doLaunch(const Grid &grid, ArrayRef<const void *> params, Stream) {
  std::vector<SimBuffer> buffers = program->getDevice().getMemory().getBuffers();
  SmallVector<RefArgument> args;
  for (auto [param, data] : zip_equal(getMetadata().params, params)) {
    if (param.kind == ScalarKind::Pointer) {
      void *pointer;
      std::memcpy(&pointer, data, sizeof pointer);
      args.push_back(findBuffer(buffers, pointer));
    } else {
      uint64_t bits = 0;
      std::memcpy(&bits, data, getSizeInBytes(param.kind));
      args.push_back(RefArgument::scalar(bits));
    }
  }
  SmallVector<RefArgument> memory;
  for (const SimBuffer &buffer : buffers)
    memory.push_back(RefArgument::buffer(buffer.base, buffer.size, buffer.initialised));
  RefLaunch launch;
  launch.kernel = function;
  launch.grid = {static_cast<int64_t>(grid.x), static_cast<int64_t>(grid.y),
                 static_cast<int64_t>(grid.z)};
  launch.args = args;
  launch.memory = memory;
  launch.numThreads = program->getDevice().getOptions().numThreads;
  launch.timeoutSeconds = program->getDevice().getOptions().timeoutSeconds;
  return withCode(rt::Code::Unsupported, runReference(launch));
}

Expected<std::shared_ptr<Program>> RefDevice::load(const Artifact &artifact) {
  Expected<LoadedModule> loaded = loadModule(artifact.tileModule, "tile module");
  if (!loaded)
    return loaded.takeError();
  auto self = std::static_pointer_cast<RefDevice>(shared_from_this());
  return std::make_shared<RefProgram>(std::move(self), artifact, std::move(*loaded));
}

Expected<std::shared_ptr<Kernel>> RefProgram::getKernel(StringRef name) {
  const KernelMetadata *metadata = names.findKernel(name);
  if (!metadata)
    return makeNoKernelError(names, name);
  auto function = loaded.module->lookupSymbol<mlir::func::FuncOp>(metadata->name);
  if (!function)
    return makeError(rt::Code::BadArtifact,
                     "the tile module has no function '" + metadata->name + "'");
  return std::make_shared<RefKernel>(shared_from_this(), function, *metadata);
}

} // namespace

Expected<std::shared_ptr<Device>> createRefDevice(const DeviceOptions &options) {
  return std::make_shared<RefDevice>(options);
}

} // namespace tilec
