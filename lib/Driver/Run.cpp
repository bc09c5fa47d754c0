// Runs a kernel with arguments that were given as text.

#include "lib/Driver/Run.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace tilec {

//===--- Signatures --------------------------------------------------------===//

/// The type of a value, for a parameter that has none declared.
static std::string getTypeOf(const ArgumentValue &value) {
  if (value.kind == ArgumentValue::Kind::Tensor)
    return "*" + getName(value.tensor.dtype).str();
  if (value.scalarType)
    return getName(*value.scalarType).str();
  switch (value.kind) {
  case ArgumentValue::Kind::Bool:
    return "i1";
  case ArgumentValue::Kind::Float:
    return "fp32";
  default:
    return isInt<32>(value.integer) ? "i32" : "i64";
  }
}

static Error makeUnknownArgument(const KernelInfo &kernel, StringRef name) {
  std::string message =
      ("kernel '" + kernel.name + "' has no parameter '" + name + "'; it has").str();
  for (auto [index, param] : enumerate(kernel.params))
    message += (index ? ", '" : " '") + param.name + "'";
  return makeError(rt::Code::InvalidArgument, message);
}

Expected<std::string> inferSignature(const KernelInfo &kernel, ArrayRef<ArgumentValue> args,
                                     ArrayRef<std::pair<std::string, std::string>> defines,
                                     Specialize mode, unsigned misalign) {
  for (const ArgumentValue &arg : args)
    if (none_of(kernel.params, [&](const ParamInfo &param) { return param.name == arg.name; }))
      return makeUnknownArgument(kernel, arg.name);

  std::string signature;
  for (const ParamInfo &param : kernel.params) {
    if (!signature.empty())
      signature += ", ";
    bool isDefined =
        any_of(defines, [&](const auto &define) { return define.first == param.name; });
    const ArgumentValue *value =
        find_if(args, [&](const ArgumentValue &arg) { return arg.name == param.name; });
    bool isGiven = value != args.end();
    if (param.isConstexpr || isDefined) {
      if (isGiven)
        return makeError(rt::Code::InvalidArgument,
                         "parameter '" + param.name + "' of kernel '" + kernel.name +
                             "' is a compile-time constant: give it with -D " + param.name +
                             "=VALUE");
      signature += "constexpr";
      continue;
    }
    if (!isGiven && param.hasDefault) {
      signature += "constexpr";
      continue;
    }
    if (!isGiven)
      return makeError(rt::Code::InvalidArgument,
                       "parameter '" + param.name + "' of kernel '" + kernel.name +
                           "' has no value: give it with --arg " + param.name + "=VALUE");
    std::string type = param.type.empty() ? getTypeOf(*value) : param.type;
    bool isInteger = value->kind == ArgumentValue::Kind::Integer && type.front() != '*' &&
                     StringRef(type).find("fp") == StringRef::npos &&
                     StringRef(type).find("bf") == StringRef::npos;
    if (mode == Specialize::Full && isInteger && value->integer == 1) {
      signature += "1";
      continue;
    }
    signature += type;
    // Memory of every device is aligned to more than 16 bytes.
    bool isAligned = (value->kind == ArgumentValue::Kind::Tensor &&
                      misalign * getByteSize(value->tensor.dtype) % 16 == 0) ||
                     (isInteger && type != "i1" && value->integer % 16 == 0);
    if (mode != Specialize::None && isAligned)
      signature += ":16";
    else if (param.divisibility > 1)
      signature += ":" + std::to_string(param.divisibility);
  }
  return signature;
}

void adjustForDevice(CompileOptions &options, const Device &device, bool targetIsGiven) {
  if (!targetIsGiven)
    options.target = device.getTarget();
  options.maxPtxVersion = device.getMaxPtxVersion().value_or(0);
  options.stage = device.getKind() == DeviceKind::Ref ? Stage::Tile : Stage::PTX;
  options.wantPtx = device.getKind() == DeviceKind::Cuda;
  options.wantTileModule = device.getKind() == DeviceKind::Ref;
  options.wantLoweredModule = device.getKind() == DeviceKind::Sim;
}

//===--- Tolerances --------------------------------------------------------===//

Tolerance getDefaultTolerance(DType dtype) {
  switch (dtype) {
  case DType::FP64:
    return {1e-12, 1e-12};
  case DType::FP32:
    return {1e-5, 1e-5};
  case DType::FP16:
    return {2e-3, 1e-4};
  case DType::BF16:
    return {1.6e-2, 1e-4};
  case DType::FP8E4NV:
  case DType::FP8E4B15:
    return {0.13, 0.01};
  case DType::FP8E5:
    return {0.26, 0.01};
  default:
    return {0, 0};
  }
}

//===--- Launches ----------------------------------------------------------===//

Expected<std::unique_ptr<PreparedRun>>
PreparedRun::create(std::shared_ptr<Device> device, const Artifact &artifact, StringRef kernel,
                    ArrayRef<ArgumentValue> args, unsigned misalign) {
  std::unique_ptr<PreparedRun> run(new PreparedRun(device));
  Expected<std::shared_ptr<Program>> program = device->load(artifact);
  if (!program)
    return program.takeError();
  Expected<std::shared_ptr<Kernel>> found = (*program)->getKernel(kernel);
  if (!found)
    return found.takeError();
  run->kernel = std::move(*found);

  SmallVector<ArgValue> values;
  for (const ParamMetadata &param : run->getMetadata().params) {
    const ArgumentValue *value =
        find_if(args, [&](const ArgumentValue &arg) { return arg.name == param.name; });
    if (value == args.end())
      return makeError(rt::Code::InvalidArgument,
                       "parameter '" + param.name + "' of kernel '" + kernel +
                           "' has no value: give it with --arg " + param.name + "=VALUE");
    if (value->kind == ArgumentValue::Kind::Float) {
      values.push_back(ArgValue::ofFloat(value->real));
      continue;
    }
    if (value->kind != ArgumentValue::Kind::Tensor) {
      values.push_back(ArgValue::ofInt(value->integer));
      continue;
    }
    const HostTensor &tensor = value->tensor;
    std::string type = "*" + getName(tensor.dtype).str();
    if (param.kind == ScalarKind::Pointer && param.type != type)
      return makeError(rt::Code::InvalidArgument,
                       "argument '" + param.name + "' is a tensor of " + getName(tensor.dtype) +
                           ", but the parameter is of type '" + param.type +
                           "'; write the type behind the value, as in " + param.name +
                           "=...:" + param.type.substr(1));
    const uint64_t skipped = uint64_t(misalign) * getByteSize(tensor.dtype);
    Expected<DeviceAddress> base = device->allocate(skipped + tensor.bytes.size());
    if (!base)
      return base.takeError();
    const DeviceAddress address = *base + skipped;
    run->tensors.push_back({param.name, *base, address, tensor.dtype, tensor.shape});
    // The devices that check know what was never written; a GPU shows it by a pattern.
    Error error =
        value->initialised ? device->copyIn(address, tensor.bytes.data(), tensor.bytes.size())
        : device->getKind() == DeviceKind::Cuda ? device->fill(address, 0xff, tensor.bytes.size())
                                                : Error::success();
    if (error)
      return std::move(error);
    values.push_back(ArgValue::ofPointer(address));
  }
  if (Error error = run->packed.pack(run->getMetadata(), values))
    return std::move(error);
  return std::move(run);
}

PreparedRun::~PreparedRun() {
  for (const Tensor &tensor : tensors)
    consumeError(device->free(tensor.base));
}

Error PreparedRun::run(const Grid &grid) {
  if (Error error = kernel->launch(grid, packed.getParams(), nullptr))
    return error;
  return device->synchronize();
}

Expected<std::vector<std::pair<std::string, HostTensor>>> PreparedRun::readTensors() {
  std::vector<std::pair<std::string, HostTensor>> result;
  for (const Tensor &tensor : tensors) {
    HostTensor host(tensor.dtype, tensor.shape);
    if (Error error = device->copyOut(host.bytes.data(), tensor.address, host.bytes.size()))
      return std::move(error);
    result.push_back({tensor.name, std::move(host)});
  }
  return std::move(result);
}

Expected<BenchResult> PreparedRun::bench(const Grid &grid) {
  // A GPU needs some launches to reach its clock; a simulation is slow and needs none.
  bool isGpu = device->getKind() == DeviceKind::Cuda;
  const unsigned warmUps = isGpu ? 20 : 1, maxLaunches = isGpu ? 200 : 5;
  for (unsigned i = 0; i != warmUps; ++i)
    if (Error error = run(grid))
      return std::move(error);

  Expected<std::unique_ptr<Timer>> timer = device->createTimer();
  if (!timer)
    return timer.takeError();
  constexpr double kEnoughMs = 2000;
  std::vector<double> times;
  double sum = 0;
  while (times.size() < maxLaunches && sum < kEnoughMs) {
    if (Error error = (*timer)->start(nullptr))
      return std::move(error);
    if (Error error = kernel->launch(grid, packed.getParams(), nullptr))
      return std::move(error);
    if (Error error = (*timer)->stop(nullptr))
      return std::move(error);
    Expected<double> time = (*timer)->elapsedMs();
    if (!time)
      return time.takeError();
    times.push_back(*time);
    sum += *time;
  }
  llvm::sort(times);
  BenchResult result;
  result.median = times[times.size() / 2];
  result.fastest = times.front();
  result.slowest = times.back();
  result.launches = times.size();
  return result;
}

} // namespace tilec
