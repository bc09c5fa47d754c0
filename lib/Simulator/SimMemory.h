// The memory of the simulated GPU: buffers with guard zones and a map of what has been written.
#ifndef TILEC_LIB_SIMULATOR_SIMMEMORY_H
#define TILEC_LIB_SIMULATOR_SIMMEMORY_H

#include "lib/Simulator/Simulator.h"

#include <map>
#include <mutex>
#include <vector>

namespace tilec {

/// Allocates buffers for SimProgram::launch and moves data in and out of them. Addresses are plain
/// host addresses. New memory is filled with 0xFF, which is NaN in every float type and -1 in every
/// integer type, and counts as not initialised. Thread-safe; copies of the same bytes from several
/// threads are the caller's race.
class SimMemory {
public:
  /// Bytes on both sides of a buffer that belong to no buffer.
  static constexpr uint64_t kGuardBytes = 4096;
  static constexpr uint64_t kAlignment = 256;

  SimMemory() = default;
  ~SimMemory();
  SimMemory(const SimMemory &) = delete;
  SimMemory &operator=(const SimMemory &) = delete;

  /// A new buffer, aligned to 256 bytes; of size 0 it has an address of its own that no access may
  /// touch. Fails when the host has not enough memory.
  llvm::Expected<void *> allocate(uint64_t bytes);
  /// Frees a buffer; `base` is what `allocate` returned, null does nothing.
  llvm::Error release(void *base);

  /// Copies from the host into a buffer, or out of it. The device range may begin inside a buffer
  /// but must not leave it.
  llvm::Error copyToDevice(void *dst, const void *src, uint64_t bytes);
  llvm::Error copyToHost(void *dst, const void *src, uint64_t bytes) const;
  /// Copies between buffers; the parts of the source that nothing has written stay unwritten.
  llvm::Error copyOnDevice(void *dst, const void *src, uint64_t bytes);
  /// Sets every byte of a range.
  llvm::Error fill(void *dst, uint8_t value, uint64_t bytes);

  /// All buffers, sorted by address, for SimProgram::launch.
  std::vector<SimBuffer> getBuffers() const;
  uint64_t getBytesInUse() const;

private:
  struct Allocation {
    uint64_t size;
    char *block;
    uint8_t *initialised;
  };
  /// The allocation that holds a range, or an error that says what `verb` did wrong.
  llvm::Expected<std::map<uintptr_t, Allocation>::const_iterator>
  find(llvm::StringRef verb, const void *address, uint64_t bytes) const;

  mutable std::mutex mutex;
  std::map<uintptr_t, Allocation> allocations;
  uint64_t bytesInUse = 0;
};

} // namespace tilec

#endif // TILEC_LIB_SIMULATOR_SIMMEMORY_H
