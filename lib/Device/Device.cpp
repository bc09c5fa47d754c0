// What all devices share: errors, names, arguments and the checks of a launch.

#include "lib/Device/Device.h"
#include "lib/Device/Devices.h"
#include "lib/Interpreter/AccessFault.h"
#include "lib/Support/FloatFormats.h"
#include "lib/Support/SourceError.h"

#include "tilert/Cuda.h"

#include "llvm/ADT/StringExtras.h"

#include <cstring>

using namespace llvm;

namespace tilec {

//===--- Errors ------------------------------------------------------------===//

char DeviceError::ID = 0;

Error toError(rt::Status status) {
  if (status.ok())
    return Error::success();
  return make_error<DeviceError>(std::move(status));
}

Error makeError(rt::Code code, const Twine &message) { return toError({code, message.str()}); }

rt::Status toStatus(Error error) {
  rt::Status status;
  handleAllErrors(
      std::move(error), [&](const DeviceError &info) { status = info.getStatus(); },
      [&](const AccessFaultError &info) { status = {rt::Code::KernelFault, info.message()}; },
      [&](const SourceError &info) { status = {rt::Code::Unsupported, info.message()}; },
      [&](const ErrorInfoBase &info) { status = {rt::Code::Internal, info.message()}; });
  return status;
}

Error withCode(rt::Code code, Error error) {
  if (!error || error.isA<DeviceError>() || error.isA<AccessFaultError>() ||
      error.isA<SourceError>())
    return error;
  return makeError(code, toString(std::move(error)));
}

//===--- Opening -----------------------------------------------------------===//

Kernel::~Kernel() = default;
Program::~Program() = default;
Timer::~Timer() = default;
Device::~Device() = default;

Expected<std::shared_ptr<Device>> openDevice(StringRef name, const DeviceOptions &options) {
  if (name == "ref")
    return createRefDevice(options);
  if (name == "sim")
    return createSimDevice(options);
  if (name == "cuda")
    return createCudaDevice(std::nullopt);
  StringRef rest = name;
  int ordinal = 0;
  if (rest.consume_front("cuda:") && !rest.getAsInteger(10, ordinal) && ordinal >= 0)
    return createCudaDevice(ordinal);
  return makeError(rt::Code::NotFound,
                   "unknown device '" + name + "'; the devices are 'ref', 'sim' and 'cuda:N'");
}

//===--- Launches ----------------------------------------------------------===//

/// The integer or address at `data`, zero-extended.
static uint64_t readBits(const void *data, unsigned size) {
  uint64_t value = 0;
  std::memcpy(&value, data, size);
  return value;
}

Error Kernel::launch(const Grid &grid, ArrayRef<const void *> params, Stream stream) {
  if (params.size() != metadata.params.size())
    return makeError(rt::Code::InvalidArgument,
                     "kernel '" + metadata.name + "' takes " + Twine(metadata.params.size()) +
                         " arguments, but " + Twine(params.size()) + " were given");
  if (rt::Status status = rt::checkGrid({grid.x, grid.y, grid.z}); !status.ok())
    return toError(std::move(status));
  for (auto [param, data] : zip_equal(metadata.params, params)) {
    if (param.divisibility <= 1)
      continue;
    unsigned size = getSizeInBytes(param.kind);
    uint64_t value = readBits(data, size);
    // Whether an integer has a sign is not known here: what it is with one or without may do.
    int64_t number = SignExtend64(value, 8 * size);
    if (value % param.divisibility == 0 || number % int64_t(param.divisibility) == 0)
      continue;
    std::string shown =
        param.kind == ScalarKind::Pointer ? "0x" + utohexstr(value, true) : std::to_string(number);
    return makeError(rt::Code::InvalidArgument,
                     "argument '" + param.name + "' of kernel '" + metadata.name + "' is " + shown +
                         ", but was promised to be a multiple of " + Twine(param.divisibility));
  }
  if (grid.isEmpty())
    return Error::success();
  return doLaunch(grid, params, stream);
}

Error Kernel::checkPointers(ArrayRef<const void *>) { return Error::success(); }

//===--- Arguments ---------------------------------------------------------===//

ArgValue ArgValue::ofPointer(DeviceAddress address) {
  ArgValue value;
  value.kind = Pointer;
  value.pointer = address;
  return value;
}

ArgValue ArgValue::ofInt(int64_t integer) {
  ArgValue value;
  value.kind = Int;
  value.integer = integer;
  return value;
}

ArgValue ArgValue::ofFloat(double real) {
  ArgValue value;
  value.kind = Float;
  value.real = real;
  return value;
}

/// Whether an integer can be a value of the parameter.
static bool fits(const ParamMetadata &param, int64_t value) {
  bool isUnsigned = StringRef(param.type).starts_with("u");
  switch (param.kind) {
  case ScalarKind::I1:
    return value == 0 || value == 1;
  case ScalarKind::I8:
    return isUnsigned ? isUInt<8>(value) : isInt<8>(value);
  case ScalarKind::I16:
    return isUnsigned ? isUInt<16>(value) : isInt<16>(value);
  case ScalarKind::I32:
    return isUnsigned ? isUInt<32>(value) : isInt<32>(value);
  default:
    return true;
  }
}

static uint64_t encodeFloat(ScalarKind kind, double value) {
  switch (kind) {
  case ScalarKind::F16:
    return encodeFP16(value);
  case ScalarKind::BF16:
    return encodeBF16(value);
  case ScalarKind::F32: {
    float narrow = static_cast<float>(value);
    uint32_t bits;
    std::memcpy(&bits, &narrow, sizeof bits);
    return bits;
  }
  default: {
    uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
  }
  }
}

static const char *getKindName(ArgValue::Kind kind) {
  switch (kind) {
  case ArgValue::Pointer:
    return "a pointer";
  case ArgValue::Int:
    return "an integer";
  case ArgValue::Float:
    return "a float";
  }
  return "";
}

Error PackedArgs::pack(const KernelMetadata &kernel, ArrayRef<ArgValue> args) {
  storage.clear();
  pointers.clear();
  if (args.size() != kernel.params.size())
    return makeError(rt::Code::InvalidArgument,
                     "kernel '" + kernel.name + "' takes " + Twine(kernel.params.size()) +
                         " arguments, but " + Twine(args.size()) + " were given");
  for (auto [index, arg] : enumerate(args)) {
    const ParamMetadata &param = kernel.params[index];
    bool matches = param.kind == ScalarKind::Pointer ? arg.kind == ArgValue::Pointer
                   : isFloat(param.kind)             ? arg.kind != ArgValue::Pointer
                                                     : arg.kind == ArgValue::Int;
    if (!matches)
      return makeError(rt::Code::InvalidArgument,
                       "argument '" + param.name + "' of kernel '" + kernel.name + "' is " +
                           getKindName(arg.kind) + ", but the parameter is of type '" + param.type +
                           "'");
    if (arg.kind == ArgValue::Pointer) {
      storage.push_back(arg.pointer);
    } else if (isFloat(param.kind)) {
      storage.push_back(encodeFloat(
          param.kind, arg.kind == ArgValue::Float ? arg.real : static_cast<double>(arg.integer)));
    } else if (fits(param, arg.integer)) {
      storage.push_back(static_cast<uint64_t>(arg.integer));
    } else {
      return makeError(rt::Code::InvalidArgument, "argument '" + param.name + "' of kernel '" +
                                                      kernel.name + "' is " + Twine(arg.integer) +
                                                      ", which does not fit its type '" +
                                                      param.type + "'");
    }
  }
  // Little-endian: the low bytes of a value come first.
  for (const uint64_t &value : storage)
    pointers.push_back(&value);
  return Error::success();
}

} // namespace tilec
