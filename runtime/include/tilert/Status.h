// What a call of the runtime came to: a code, the driver's name for the error, and a message.
#ifndef TILERT_STATUS_H
#define TILERT_STATUS_H

#include <string>
#include <utility>

namespace tilec::rt {

/// The kinds of failure, the same in the runtime, the devices and the C ABI (`tilec_code` in
/// tilec/tilec.h has the same numbers).
enum class Code : int {
  Ok = 0,
  InvalidArgument = 1, ///< The caller passed something that cannot be meant.
  NotFound = 2,        ///< A file, kernel or device of that name does not exist.
  CompileError = 3,    ///< The source or the assembled program was rejected.
  NoDriver = 4,        ///< There is no CUDA driver, or one that is too old.
  DriverError = 5,     ///< The CUDA driver refused a call.
  OutOfMemory = 6,     ///< The device has no memory left.
  KernelFault = 7,     ///< A checked device found the kernel at fault: out of bounds, a race, ...
  BadArtifact = 8,     ///< A saved artifact is damaged or of another version.
  Unsupported = 9,     ///< The device or target cannot do this.
  Internal = 10,       ///< A defect of tilec itself.
};

/// The result of a call: OK, or a code with a message. Making, moving and testing an OK status does
/// not allocate.
class [[nodiscard]] Status {
public:
  Status() = default;
  Status(Code code, std::string message, std::string driverError = {})
      : code(code), message(std::move(message)), driverError(std::move(driverError)) {}

  bool ok() const { return code == Code::Ok; }
  Code getCode() const { return code; }
  /// Lower-case first letter, no full stop; empty if OK.
  const std::string &getMessage() const { return message; }
  /// "CUDA_ERROR_INVALID_VALUE" and the like; empty if no driver call failed.
  const std::string &getDriverError() const { return driverError; }

private:
  Code code = Code::Ok;
  std::string message;
  std::string driverError;
};

} // namespace tilec::rt

#endif // TILERT_STATUS_H
