// What `ref` and `sim` share: memory of this process, a clock, and modules read from bytecode.
#ifndef TILEC_LIB_DEVICE_HOSTDEVICE_H
#define TILEC_LIB_DEVICE_HOSTDEVICE_H

#include "lib/Device/Device.h"
#include "lib/Simulator/SimMemory.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

namespace tilec {

/// A device whose memory is checked memory of this process and whose launches have run when they
/// return.
class HostDevice : public Device {
public:
  std::string getTarget() const override;
  llvm::Expected<DeviceAddress> allocate(uint64_t bytes) override;
  llvm::Error free(DeviceAddress address) override;
  llvm::Error copyIn(DeviceAddress target, const void *source, uint64_t bytes) override;
  llvm::Error copyOut(void *target, DeviceAddress source, uint64_t bytes) override;
  llvm::Error fill(DeviceAddress target, uint8_t byte, uint64_t bytes) override;
  llvm::Error synchronize() override { return llvm::Error::success(); }
  llvm::Error synchronize(Stream) override { return llvm::Error::success(); }
  llvm::Expected<std::unique_ptr<Timer>> createTimer() override;

  const SimMemory &getMemory() const { return memory; }

protected:
  using Device::Device;

private:
  SimMemory memory;
};

/// A module and the context that it lives in.
struct LoadedModule {
  std::unique_ptr<mlir::MLIRContext> context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

/// Reads a module from MLIR bytecode; `what` names it in the message.
llvm::Expected<LoadedModule> loadModule(llvm::StringRef bytecode, llvm::StringRef what);

} // namespace tilec

#endif // TILEC_LIB_DEVICE_HOSTDEVICE_H
