// The devices `cuda:N`: GPUs by way of the runtime.

#include "lib/Device/Devices.h"
#include "lib/Target/NVPTX/NVPTX.h"

#include "tilert/Cuda.h"

#include <cstring>

using namespace llvm;

namespace tilec {
namespace {

CUstream_st *toHandle(Stream stream) { return static_cast<CUstream_st *>(stream); }

class CudaDevice : public Device {
public:
  CudaDevice(std::shared_ptr<rt::Context> context, const TargetInfo &target, int driverVersion,
             int gpuCount)
      : Device(DeviceKind::Cuda, "cuda:" + std::to_string(context->getInfo().ordinal)),
        context(std::move(context)), target(target), driverVersion(driverVersion),
        gpuCount(gpuCount) {}

  std::string getDescription() const override;
  std::string getTarget() const override { return target.name.str(); }
  std::optional<unsigned> getMaxPtxVersion() const override {
    return ptxVersionOfDriver(driverVersion);
  }

  Expected<DeviceAddress> allocate(uint64_t bytes) override {
    DeviceAddress address = 0;
    if (Error error = toError(context->allocate(bytes, address)))
      return std::move(error);
    return address;
  }
  Error free(DeviceAddress address) override { return toError(context->free(address)); }
  Error copyIn(DeviceAddress to, const void *from, uint64_t bytes) override {
    return toError(context->copyIn(to, from, bytes));
  }
  Error copyOut(void *to, DeviceAddress from, uint64_t bytes) override {
    return toError(context->copyOut(to, from, bytes));
  }
  Error fill(DeviceAddress to, uint8_t byte, uint64_t bytes) override {
    return toError(context->fill(to, byte, bytes));
  }
  Expected<std::shared_ptr<Program>> load(const Artifact &artifact) override;
  Error synchronize() override { return toError(context->synchronize()); }
  Error synchronize(Stream stream) override {
    return toError(context->synchronize(toHandle(stream)));
  }
  Expected<std::unique_ptr<Timer>> createTimer() override;

  const std::shared_ptr<rt::Context> &getContext() const { return context; }
  int getGpuCount() const { return gpuCount; }

private:
  std::shared_ptr<rt::Context> context;
  const TargetInfo &target;
  int driverVersion;
  int gpuCount;
};

/// A kernel keeps its function, which keeps module and context.
class CudaKernel : public Kernel {
public:
  CudaKernel(std::shared_ptr<CudaDevice> device, std::shared_ptr<rt::Function> function,
             KernelMetadata metadata)
      : Kernel(std::move(metadata)), device(std::move(device)), function(std::move(function)) {}

  Error checkPointers(ArrayRef<const void *> params) override {
    // With one GPU a wrong pointer can only be one of the host, which the kernel itself reports.
    if (device->getGpuCount() < 2)
      return Error::success();
    for (auto [param, data] : zip_equal(getMetadata().params, params)) {
      if (param.kind != ScalarKind::Pointer)
        continue;
      DeviceAddress address;
      std::memcpy(&address, data, sizeof address);
      rt::Status status = device->getContext()->checkPointer(
          address, "argument '" + param.name + "' of kernel '" + getMetadata().name + "'");
      if (!status.ok())
        return toError(std::move(status));
    }
    return Error::success();
  }

protected:
  Error doLaunch(const Grid &grid, ArrayRef<const void *> params, Stream stream) override {
    return toError(function->launch({grid.x, grid.y, grid.z}, getMetadata().getNumThreads(),
                                    static_cast<unsigned>(getMetadata().sharedBytes),
                                    toHandle(stream), params.data()));
  }

private:
  std::shared_ptr<CudaDevice> device;
  std::shared_ptr<rt::Function> function;
};

/// All kernels are found when the program is loaded, so that a later look-up cannot fail half-way
/// through a capture.
class CudaProgram : public Program {
public:
  CudaProgram(const Artifact &artifact, std::vector<std::shared_ptr<Kernel>> kernels)
      : kernels(std::move(kernels)) {
    names.sourceName = artifact.sourceName;
    names.kernels = artifact.kernels;
  }

  Expected<std::shared_ptr<Kernel>> getKernel(StringRef name) override {
    const KernelMetadata *metadata = names.findKernel(name);
    if (!metadata)
      return makeNoKernelError(names, name);
    return kernels[metadata - names.kernels.data()];
  }

private:
  std::vector<std::shared_ptr<Kernel>> kernels;
  /// The artifact without its programs.
  Artifact names;
};

class CudaTimer : public Timer {
public:
  CudaTimer(std::unique_ptr<rt::Event> begin, std::unique_ptr<rt::Event> end)
      : begin(std::move(begin)), end(std::move(end)) {}
  Error start(Stream stream) override { return toError(begin->record(toHandle(stream))); }
  Error stop(Stream stream) override { return toError(end->record(toHandle(stream))); }
  Expected<double> elapsedMs() override {
    if (Error error = toError(end->synchronize()))
      return std::move(error);
    float milliseconds = 0;
    if (Error error = toError(end->getElapsedMs(*begin, milliseconds)))
      return std::move(error);
    return milliseconds;
  }

private:
  std::unique_ptr<rt::Event> begin, end;
};

std::string CudaDevice::getDescription() const {
  const rt::GpuInfo &info = context->getInfo();
  std::string text;
  raw_string_ostream(text) << getName() << ": " << info.name << ", " << target.name << ", "
                           << info.numMultiprocessors << " multiprocessors, "
                           << (info.memoryBytes >> 30) << " GiB, driver for CUDA "
                           << driverVersion / 1000 << '.' << driverVersion % 1000 / 10;
  return text;
}

Expected<std::shared_ptr<Program>> CudaDevice::load(const Artifact &artifact) {
  if (artifact.ptx.empty())
    return makeError(rt::Code::Unsupported, "the artifact holds no PTX");
  std::shared_ptr<rt::Module> module;
  rt::Status status = rt::Module::load(context, artifact.ptx, module);
  if (!status.ok())
    return toError({status.getCode(),
                    "'" + artifact.sourceName + "', compiled for " + artifact.target + ", on " +
                        getDescription() + ": " + status.getMessage(),
                    status.getDriverError()});
  auto self = std::static_pointer_cast<CudaDevice>(shared_from_this());
  std::vector<std::shared_ptr<Kernel>> kernels;
  for (const KernelMetadata &metadata : artifact.kernels) {
    std::shared_ptr<rt::Function> function;
    if (Error error = toError(module->getFunction(metadata.name, metadata.sharedBytes, function)))
      return std::move(error);
    kernels.push_back(std::make_shared<CudaKernel>(self, std::move(function), metadata));
  }
  return std::make_shared<CudaProgram>(artifact, std::move(kernels));
}

Expected<std::unique_ptr<Timer>> CudaDevice::createTimer() {
  std::unique_ptr<rt::Event> begin, end;
  if (Error error = toError(rt::Event::create(context, begin)))
    return std::move(error);
  if (Error error = toError(rt::Event::create(context, end)))
    return std::move(error);
  return std::make_unique<CudaTimer>(std::move(begin), std::move(end));
}

} // namespace

Expected<std::shared_ptr<Device>> createCudaDevice(std::optional<int> ordinal) {
  std::shared_ptr<rt::Context> context;
  if (!ordinal)
    if (Error error = toError(rt::Context::openCurrent(context)))
      return std::move(error);
  if (!context)
    if (Error error = toError(rt::Context::openPrimary(ordinal.value_or(0), context)))
      return std::move(error);
  int version = 0, count = 0;
  if (Error error = toError(rt::getDriverVersion(version)))
    return std::move(error);
  if (Error error = toError(rt::getGpuCount(count)))
    return std::move(error);
  const rt::GpuInfo &info = context->getInfo();
  const TargetInfo *target = targetForDevice(info.computeCapability);
  if (!target)
    return makeError(rt::Code::Unsupported, "'cuda:" + Twine(info.ordinal) + "' (" + info.name +
                                                ") is of sm_" + Twine(info.computeCapability) +
                                                ", older than the oldest target, " +
                                                allTargets().front().name);
  return std::make_shared<CudaDevice>(std::move(context), *target, version, count);
}

} // namespace tilec
