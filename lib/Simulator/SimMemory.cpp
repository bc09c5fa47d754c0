// Buffers of the simulated GPU.
#include "lib/Simulator/SimMemory.h"
#include "lib/Support/HostMemory.h"

#include "llvm/ADT/StringExtras.h"

#include <cstdlib>
#include <cstring>

namespace tilec {

static llvm::Error makeError(const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

static std::string hex(const void *address) {
  return "0x" + llvm::utohexstr(reinterpret_cast<uintptr_t>(address), /*LowerCase=*/true);
}

SimMemory::~SimMemory() {
  for (auto &[address, allocation] : allocations) {
    free(allocation.block);
    free(allocation.initialised);
  }
}

llvm::Expected<void *> SimMemory::allocate(uint64_t bytes) {
  uint64_t rounded = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  // The bytes, and as many that say which of them hold a value.
  auto *block =
      bytes > UINT64_MAX / 4 || !hasMemoryFor(2 * bytes)
          ? nullptr
          : static_cast<char *>(std::aligned_alloc(kAlignment, rounded + 2 * kGuardBytes));
  auto *initialised = block ? static_cast<uint8_t *>(calloc(bytes ? bytes : 1, 1)) : nullptr;
  if (!initialised) {
    free(block);
    return makeError("the host has no " + llvm::Twine(bytes) + " bytes for a buffer");
  }
  memset(block, 0xff, rounded + 2 * kGuardBytes);
  char *base = block + kGuardBytes;
  std::lock_guard<std::mutex> lock(mutex);
  allocations[reinterpret_cast<uintptr_t>(base)] = {bytes, block, initialised};
  bytesInUse += bytes;
  return base;
}

llvm::Error SimMemory::release(void *base) {
  if (!base)
    return llvm::Error::success();
  std::lock_guard<std::mutex> lock(mutex);
  auto it = allocations.find(reinterpret_cast<uintptr_t>(base));
  if (it == allocations.end())
    return makeError("free of " + hex(base) + ", where no buffer begins");
  bytesInUse -= it->second.size;
  free(it->second.block);
  free(it->second.initialised);
  allocations.erase(it);
  return llvm::Error::success();
}

llvm::Expected<std::map<uintptr_t, SimMemory::Allocation>::const_iterator>
SimMemory::find(llvm::StringRef verb, const void *address, uint64_t bytes) const {
  auto key = reinterpret_cast<uintptr_t>(address);
  auto it = allocations.upper_bound(key);
  if (it == allocations.begin() || key > std::prev(it)->first + std::prev(it)->second.size)
    return makeError(verb + " " + hex(address) + ", which no buffer holds");
  --it;
  uint64_t offset = key - it->first;
  if (bytes > it->second.size - offset)
    return makeError(verb + " " + llvm::Twine(bytes) + " bytes at byte " + llvm::Twine(offset) +
                     " of a buffer of " + llvm::Twine(it->second.size) + " bytes");
  return it;
}

llvm::Error SimMemory::copyToDevice(void *dst, const void *src, uint64_t bytes) {
  std::lock_guard<std::mutex> lock(mutex);
  auto it = find("copy to", dst, bytes);
  if (!it)
    return it.takeError();
  if (bytes == 0)
    return llvm::Error::success();
  memcpy(dst, src, bytes);
  memset((*it)->second.initialised + (reinterpret_cast<uintptr_t>(dst) - (*it)->first), 1, bytes);
  return llvm::Error::success();
}

llvm::Error SimMemory::copyToHost(void *dst, const void *src, uint64_t bytes) const {
  std::lock_guard<std::mutex> lock(mutex);
  auto it = find("copy from", src, bytes);
  if (!it)
    return it.takeError();
  if (bytes)
    memcpy(dst, src, bytes);
  return llvm::Error::success();
}

llvm::Error SimMemory::copyOnDevice(void *dst, const void *src, uint64_t bytes) {
  std::lock_guard<std::mutex> lock(mutex);
  auto to = find("copy to", dst, bytes);
  if (!to)
    return to.takeError();
  auto from = find("copy from", src, bytes);
  if (!from)
    return from.takeError();
  memmove(dst, src, bytes);
  memmove((*to)->second.initialised + (reinterpret_cast<uintptr_t>(dst) - (*to)->first),
          (*from)->second.initialised + (reinterpret_cast<uintptr_t>(src) - (*from)->first), bytes);
  return llvm::Error::success();
}

llvm::Error SimMemory::fill(void *dst, uint8_t value, uint64_t bytes) {
  std::lock_guard<std::mutex> lock(mutex);
  auto it = find("fill of", dst, bytes);
  if (!it)
    return it.takeError();
  memset(dst, value, bytes);
  memset((*it)->second.initialised + (reinterpret_cast<uintptr_t>(dst) - (*it)->first), 1, bytes);
  return llvm::Error::success();
}

std::vector<SimBuffer> SimMemory::getBuffers() const {
  std::lock_guard<std::mutex> lock(mutex);
  std::vector<SimBuffer> buffers;
  for (auto &[address, allocation] : allocations)
    buffers.push_back({reinterpret_cast<void *>(address), allocation.size, allocation.initialised});
  return buffers;
}

uint64_t SimMemory::getBytesInUse() const {
  std::lock_guard<std::mutex> lock(mutex);
  return bytesInUse;
}

} // namespace tilec
