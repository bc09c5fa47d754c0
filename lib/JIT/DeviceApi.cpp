// The part of the C interface that opens devices and moves memory.

#include "lib/JIT/Handles.h"

using namespace tilec;
using namespace tilec::jit;

static DeviceAddress toAddress(const void *pointer) {
  return static_cast<DeviceAddress>(reinterpret_cast<uintptr_t>(pointer));
}

tilec_code tilec_device_open(const char *name, tilec_device **device, tilec_status **status) {
  if (!device)
    return reportNull(status, "device");
  *device = nullptr;
  if (!name)
    return reportNull(status, "name");
  llvm::Expected<std::shared_ptr<Device>> opened = openDevice(name);
  if (!opened)
    return report(status, opened.takeError());
  auto *handle = new tilec_device;
  handle->device = std::move(*opened);
  handle->description = handle->device->getDescription();
  handle->target = handle->device->getTarget();
  *device = handle;
  return reportOk(status);
}

const char *tilec_device_name(const tilec_device *device) {
  return device ? device->device->getName().data() : "";
}

const char *tilec_device_description(const tilec_device *device) {
  return device ? device->description.c_str() : "";
}

const char *tilec_device_target(const tilec_device *device) {
  return device ? device->target.c_str() : "";
}

int tilec_device_max_ptx_version(const tilec_device *device) {
  return device ? static_cast<int>(device->device->getMaxPtxVersion().value_or(0)) : 0;
}

tilec_device *tilec_device_retain(tilec_device *device) { return retain(device); }
void tilec_device_release(tilec_device *device) { release(device); }

tilec_code tilec_device_allocate(tilec_device *device, size_t bytes, void **address,
                                 tilec_status **status) {
  if (!device || !address)
    return reportNull(status, device ? "address" : "device");
  *address = nullptr;
  llvm::Expected<DeviceAddress> allocated = device->device->allocate(bytes);
  if (!allocated)
    return report(status, allocated.takeError());
  *address = reinterpret_cast<void *>(static_cast<uintptr_t>(*allocated));
  return reportOk(status);
}

tilec_code tilec_device_free(tilec_device *device, void *address, tilec_status **status) {
  if (!device)
    return reportNull(status, "device");
  return report(status, device->device->free(toAddress(address)));
}

tilec_code tilec_device_copy_in(tilec_device *device, void *target, const void *source,
                                size_t bytes, tilec_status **status) {
  if (!device)
    return reportNull(status, "device");
  if (bytes && (!target || !source))
    return reportNull(status, target ? "source" : "target");
  return report(status, device->device->copyIn(toAddress(target), source, bytes));
}

tilec_code tilec_device_copy_out(tilec_device *device, void *target, const void *source,
                                 size_t bytes, tilec_status **status) {
  if (!device)
    return reportNull(status, "device");
  if (bytes && (!target || !source))
    return reportNull(status, target ? "source" : "target");
  return report(status, device->device->copyOut(target, toAddress(source), bytes));
}

tilec_code tilec_device_fill(tilec_device *device, void *target, int byte, size_t bytes,
                             tilec_status **status) {
  if (!device)
    return reportNull(status, "device");
  if (bytes && !target)
    return reportNull(status, "target");
  return report(status, device->device->fill(toAddress(target), static_cast<uint8_t>(byte), bytes));
}

tilec_code tilec_device_synchronize(tilec_device *device, tilec_status **status) {
  if (!device)
    return reportNull(status, "device");
  return report(status, device->device->synchronize());
}
