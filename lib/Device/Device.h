// The machines that run programs, behind one interface: `ref`, `sim` and `cuda:N`.
#ifndef TILEC_LIB_DEVICE_DEVICE_H
#define TILEC_LIB_DEVICE_DEVICE_H

#include "lib/Device/Artifact.h"
#include "tilert/Status.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace tilec {

/// An llvm::Error with the code, message and driver error of a runtime status.
class DeviceError : public llvm::ErrorInfo<DeviceError> {
public:
  static char ID;
  explicit DeviceError(rt::Status status) : status(std::move(status)) {}
  const rt::Status &getStatus() const { return status; }
  void log(llvm::raw_ostream &os) const override { os << status.getMessage(); }
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }

private:
  rt::Status status;
};

/// Success for an OK status.
llvm::Error toError(rt::Status status);
llvm::Error makeError(rt::Code code, const llvm::Twine &message);
/// Takes the error. A fault of a kernel becomes Code::KernelFault, what a device cannot run at a
/// place of the source Code::Unsupported, an error of no kind that is known here Code::Internal.
rt::Status toStatus(llvm::Error error);
/// Gives an error that has no code the code; success and an error with one stay as they are.
llvm::Error withCode(rt::Code code, llvm::Error error);

/// A place in a device's memory. On `ref` and `sim` it is also the address in this process.
using DeviceAddress = uint64_t;

/// The number of programs along each axis. A zero makes a launch do nothing.
struct Grid {
  uint64_t x = 1, y = 1, z = 1;
  bool isEmpty() const { return x == 0 || y == 0 || z == 0; }
};

/// A stream of the device: a CUstream on cuda, where null is the default stream. `ref` and `sim`
/// run a launch before they return and ignore it.
using Stream = void *;

enum class DeviceKind : uint8_t { Ref, Sim, Cuda };

/// One kernel, ready to launch. Safe to launch from many threads at once.
class Kernel {
public:
  virtual ~Kernel();
  Kernel(const Kernel &) = delete;
  Kernel &operator=(const Kernel &) = delete;

  const KernelMetadata &getMetadata() const { return metadata; }

  /// Launches. `params[i]` points to the value of parameter i, of the size its kind has; the values
  /// are copied before the call returns. Fails with InvalidArgument if the number of parameters or
  /// the grid is impossible or a promised divisibility does not hold, and with KernelFault if a
  /// checked device catches the kernel. On cuda the call never synchronizes or allocates.
  llvm::Error launch(const Grid &grid, llvm::ArrayRef<const void *> params, Stream stream);

  /// On a device with several memories, checks that the kernel's device can reach what the pointer
  /// parameters point to; costs a driver call for each. Else does nothing.
  virtual llvm::Error checkPointers(llvm::ArrayRef<const void *> params);

protected:
  explicit Kernel(KernelMetadata metadata) : metadata(std::move(metadata)) {}
  virtual llvm::Error doLaunch(const Grid &grid, llvm::ArrayRef<const void *> params,
                               Stream stream) = 0;

private:
  KernelMetadata metadata;
};

/// A loaded artifact. Lives as long as one of its kernels or handles does.
class Program {
public:
  virtual ~Program();
  /// An empty name means the only kernel. The kernel keeps the program alive.
  virtual llvm::Expected<std::shared_ptr<Kernel>> getKernel(llvm::StringRef name) = 0;
};

/// Two events and the time between them; on cuda on the device's clock.
class Timer {
public:
  virtual ~Timer();
  virtual llvm::Error start(Stream stream) = 0;
  virtual llvm::Error stop(Stream stream) = 0;
  /// Waits for the stop and returns milliseconds since the start.
  virtual llvm::Expected<double> elapsedMs() = 0;
};

/// One device. All functions may be called from any thread; on cuda no context needs to be current,
/// and the calling thread's current context is the same afterwards.
class Device : public std::enable_shared_from_this<Device> {
public:
  virtual ~Device();
  Device(const Device &) = delete;
  Device &operator=(const Device &) = delete;

  DeviceKind getKind() const { return kind; }
  /// "cuda:0".
  llvm::StringRef getName() const { return name; }
  /// One line: "cuda:0: NVIDIA H200, sm_90a, 132 SMs, 140 GiB, driver 13.0".
  virtual std::string getDescription() const = 0;
  /// The target to compile for, "sm_90a"; on ref and sim the compiler's default.
  virtual std::string getTarget() const = 0;
  /// The newest PTX version that the device loads, as 83 for 8.3; nothing if any.
  virtual std::optional<unsigned> getMaxPtxVersion() const { return std::nullopt; }

  /// Memory aligned to 256 bytes; zero bytes are allowed. On `ref` and `sim` it counts as never
  /// written, and a kernel that reads it is at fault.
  virtual llvm::Expected<DeviceAddress> allocate(uint64_t bytes) = 0;
  /// Does nothing for address 0.
  virtual llvm::Error free(DeviceAddress address) = 0;
  /// The copies wait for the work that was launched before on the default stream.
  virtual llvm::Error copyIn(DeviceAddress target, const void *source, uint64_t bytes) = 0;
  virtual llvm::Error copyOut(void *target, DeviceAddress source, uint64_t bytes) = 0;
  virtual llvm::Error fill(DeviceAddress target, uint8_t byte, uint64_t bytes) = 0;

  /// Prepares everything that a launch needs, so that a launch loads nothing.
  virtual llvm::Expected<std::shared_ptr<Program>> load(const Artifact &artifact) = 0;

  /// Waits for all work; reports what went wrong in launches since the last time.
  virtual llvm::Error synchronize() = 0;
  virtual llvm::Error synchronize(Stream stream) = 0;
  virtual llvm::Expected<std::unique_ptr<Timer>> createTimer() = 0;

protected:
  Device(DeviceKind kind, std::string name) : kind(kind), name(std::move(name)) {}

private:
  DeviceKind kind;
  std::string name;
};

struct DeviceOptions {
  /// CPU threads that `sim` and `ref` use; 0 is one a core.
  unsigned numThreads = 0;
  /// Seconds after which a launch on `sim` or `ref` is given up, a fault at the loop that runs; 0 is
  /// never.
  double timeoutSeconds = 0;
};

/// Opens a device by name: `ref`, `sim`, `cuda` (the context current on this thread if there is
/// one, else device 0) or `cuda:N` (the primary context of device N).
llvm::Expected<std::shared_ptr<Device>> openDevice(llvm::StringRef name,
                                                   const DeviceOptions &options = {});

/// The value of one argument as callers have it, before it takes the parameter's type.
struct ArgValue {
  enum Kind : uint8_t { Pointer, Int, Float } kind = Int;
  union {
    DeviceAddress pointer;
    int64_t integer;
    double real;
  };
  ArgValue() : integer(0) {}
  static ArgValue ofPointer(DeviceAddress address);
  static ArgValue ofInt(int64_t value);
  static ArgValue ofFloat(double value);
};

/// Arguments converted to the types of a kernel's parameters, as a launch takes them. Allocates
/// only beyond 32 arguments.
class PackedArgs {
public:
  PackedArgs() = default;
  PackedArgs(const PackedArgs &) = delete;
  PackedArgs &operator=(const PackedArgs &) = delete;

  /// Fails with InvalidArgument, naming argument and parameter, if the number is wrong, a kind does
  /// not match, or an integer does not fit. An integer is accepted where a float is expected.
  llvm::Error pack(const KernelMetadata &kernel, llvm::ArrayRef<ArgValue> args);
  llvm::ArrayRef<const void *> getParams() const { return pointers; }

private:
  llvm::SmallVector<uint64_t, 32> storage;
  llvm::SmallVector<const void *, 32> pointers;
};

} // namespace tilec

#endif // TILEC_LIB_DEVICE_DEVICE_H
