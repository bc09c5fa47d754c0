// The device `sim`: the simulated GPU.

#include "lib/Device/Devices.h"
#include "lib/Device/HostDevice.h"
#include "lib/Simulator/Simulator.h"

#include "llvm/Support/Threading.h"

using namespace llvm;

namespace tilec {
namespace {

class SimDevice : public HostDevice {
public:
  explicit SimDevice(const DeviceOptions &options)
      : HostDevice(DeviceKind::Sim, "sim"), options(options) {}

  std::string getDescription() const override {
    unsigned threads =
        options.numThreads ? options.numThreads : hardware_concurrency().compute_thread_count();
    return "sim: a simulated GPU on " + std::to_string(threads) +
           (threads == 1 ? " CPU thread" : " CPU threads");
  }
  Expected<std::shared_ptr<Program>> load(const Artifact &artifact) override;

private:
  DeviceOptions options;
};

class SimDeviceProgram : public Program, public std::enable_shared_from_this<SimDeviceProgram> {
public:
  SimDeviceProgram(std::shared_ptr<SimDevice> device, const Artifact &artifact,
                   std::unique_ptr<SimProgram> program)
      : device(std::move(device)), program(std::move(program)) {
    names.sourceName = artifact.sourceName;
    names.kernels = artifact.kernels;
  }

  Expected<std::shared_ptr<Kernel>> getKernel(StringRef name) override;
  SimDevice &getDevice() { return *device; }
  SimProgram &getProgram() { return *program; }

private:
  std::shared_ptr<SimDevice> device;
  std::unique_ptr<SimProgram> program;
  /// The artifact without its programs.
  Artifact names;
};

class SimKernel : public Kernel {
public:
  SimKernel(std::shared_ptr<SimDeviceProgram> program, KernelMetadata metadata)
      : Kernel(std::move(metadata)), program(std::move(program)) {}

protected:
  Error doLaunch(const Grid &grid, ArrayRef<const void *> params, Stream) override {
    SmallVector<void *, 32> pointers;
    for (const void *data : params)
      pointers.push_back(const_cast<void *>(data));
    std::array<unsigned, 3> extents = {static_cast<unsigned>(grid.x), static_cast<unsigned>(grid.y),
                                       static_cast<unsigned>(grid.z)};
    return withCode(rt::Code::Unsupported,
                    program->getProgram().launch(getMetadata().name, extents, pointers,
                                                 program->getDevice().getMemory().getBuffers()));
  }

private:
  std::shared_ptr<SimDeviceProgram> program;
};

Expected<std::shared_ptr<Program>> SimDevice::load(const Artifact &artifact) {
  Expected<LoadedModule> loaded = loadModule(artifact.loweredModule, "lowered module");
  if (!loaded)
    return loaded.takeError();
  SimOptions simOptions;
  simOptions.numThreads = options.numThreads;
  simOptions.timeoutSeconds = options.timeoutSeconds;
  Expected<std::unique_ptr<SimProgram>> program = SimProgram::create(*loaded->module, simOptions);
  if (!program)
    return withCode(rt::Code::Unsupported, program.takeError());
  auto self = std::static_pointer_cast<SimDevice>(shared_from_this());
  return std::make_shared<SimDeviceProgram>(std::move(self), artifact, std::move(*program));
}

Expected<std::shared_ptr<Kernel>> SimDeviceProgram::getKernel(StringRef name) {
  const KernelMetadata *metadata = names.findKernel(name);
  if (!metadata)
    return makeNoKernelError(names, name);
  return std::make_shared<SimKernel>(shared_from_this(), *metadata);
}

} // namespace

Expected<std::shared_ptr<Device>> createSimDevice(const DeviceOptions &options) {
  return std::make_shared<SimDevice>(options);
}

} // namespace tilec
