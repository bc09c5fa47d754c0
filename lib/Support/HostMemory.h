// How much memory there is to be had.
#ifndef TILEC_LIB_SUPPORT_HOSTMEMORY_H
#define TILEC_LIB_SUPPORT_HOSTMEMORY_H

#include <cstdint>
#include <cstdlib>
#include <unistd.h>

namespace tilec {

/// Whether this process may have so many bytes. Asks for them and gives them back; because Linux
/// promises more than it has, what is beyond the machine's memory is refused before.
inline bool hasMemoryFor(uint64_t bytes) {
  auto pages = static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES));
  if (bytes / static_cast<uint64_t>(sysconf(_SC_PAGESIZE)) >= pages)
    return false;
  // Volatile, or the compiler sees that nothing is done with it.
  void *volatile memory = std::malloc(bytes ? bytes : 1);
  bool isThere = memory != nullptr;
  std::free(memory);
  return isThere;
}

} // namespace tilec

#endif // TILEC_LIB_SUPPORT_HOSTMEMORY_H
