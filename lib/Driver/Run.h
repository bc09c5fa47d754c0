// Running one kernel on one device with arguments given as text: what tile-run does, without its
// command line.
#ifndef TILEC_LIB_DRIVER_RUN_H
#define TILEC_LIB_DRIVER_RUN_H

#include "lib/Device/Device.h"
#include "lib/Driver/Compiler.h"
#include "lib/Frontend/MLIRGen/Frontend.h"
#include "lib/Support/HostTensor.h"

#include <string>
#include <vector>

namespace tilec {

/// What the values of the arguments may tell the compiler, as a launch from Python would.
enum class Specialize : uint8_t {
  None,  ///< Their types only.
  Align, ///< Also that pointers and integers are multiples of 16.
  Full,  ///< Also that an integer is 1, which makes it a constant.
};

/// The signature of a kernel for these arguments. A parameter's declared type counts; one without
/// gets the type of its value: a tensor's elements, i32 or i64, fp32, i1. Parameters that are
/// constexpr or defined are left to `defines` and defaults. Fails if a value is missing or there is
/// no parameter for one. `misalign` is PreparedRun's: what it moves off 16 bytes is not promised.
llvm::Expected<std::string>
inferSignature(const KernelInfo &kernel, llvm::ArrayRef<ArgumentValue> args,
               llvm::ArrayRef<std::pair<std::string, std::string>> defines, Specialize mode,
               unsigned misalign = 0);

/// How exact results of a type are compared with those of `ref`.
struct Tolerance {
  double relative = 0, absolute = 0;
};
Tolerance getDefaultTolerance(DType dtype);

/// Times of repeated launches in milliseconds.
struct BenchResult {
  double median = 0, fastest = 0, slowest = 0;
  unsigned launches = 0;
};

/// A loaded kernel with its arguments in the device's memory.
class PreparedRun {
public:
  /// Loads, allocates and copies. Finds the value of each parameter by name. Every tensor begins
  /// `misalign` elements past the start of its memory, which is aligned.
  static llvm::Expected<std::unique_ptr<PreparedRun>>
  create(std::shared_ptr<Device> device, const Artifact &artifact, llvm::StringRef kernel,
         llvm::ArrayRef<ArgumentValue> args, unsigned misalign = 0);
  ~PreparedRun();
  PreparedRun(const PreparedRun &) = delete;
  PreparedRun &operator=(const PreparedRun &) = delete;

  const KernelMetadata &getMetadata() const { return kernel->getMetadata(); }

  /// Launches and waits.
  llvm::Error run(const Grid &grid);
  /// The tensors as they are on the device now, one for each tensor argument, in order.
  llvm::Expected<std::vector<std::pair<std::string, HostTensor>>> readTensors();
  /// Launches until the times settle.
  llvm::Expected<BenchResult> bench(const Grid &grid);

private:
  explicit PreparedRun(std::shared_ptr<Device> device) : device(std::move(device)) {}

  struct Tensor {
    std::string name;
    DeviceAddress base;    ///< Of the memory.
    DeviceAddress address; ///< Of the first element.
    DType dtype;
    std::vector<int64_t> shape;
  };
  std::shared_ptr<Device> device;
  std::shared_ptr<Kernel> kernel;
  std::vector<Tensor> tensors;
  PackedArgs packed;
};

/// Limits a compilation to what a device loads, and chooses the device's target if none was named.
void adjustForDevice(CompileOptions &options, const Device &device, bool targetIsGiven);

} // namespace tilec

#endif // TILEC_LIB_DRIVER_RUN_H
