// The makers of the three devices; everyone else uses openDevice.
#ifndef TILEC_LIB_DEVICE_DEVICES_H
#define TILEC_LIB_DEVICE_DEVICES_H

#include "lib/Device/Device.h"

namespace tilec {

llvm::Expected<std::shared_ptr<Device>> createRefDevice(const DeviceOptions &options);
llvm::Expected<std::shared_ptr<Device>> createSimDevice(const DeviceOptions &options);
/// Without an ordinal, the context current on this thread, or else GPU 0.
llvm::Expected<std::shared_ptr<Device>> createCudaDevice(std::optional<int> ordinal);

} // namespace tilec

#endif // TILEC_LIB_DEVICE_DEVICES_H
