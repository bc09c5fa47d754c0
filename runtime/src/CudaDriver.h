// The CUDA driver, opened at run time: the table of its entry points and how its errors read.
#ifndef TILERT_SRC_CUDADRIVER_H
#define TILERT_SRC_CUDADRIVER_H

#include "CudaTypes.h"
#include "tilert/Status.h"

#include <string>

namespace tilec::rt {

namespace cuda {
/// The entry points, named without their "cu" and version suffix.
struct Table {
#define TILERT_CUDA_FN(member, symbol, params) Result(*member) params = nullptr;
#include "CudaDriver.def"
};
} // namespace cuda

/// The loaded and initialised driver.
struct Driver : cuda::Table {
  /// As cuDriverGetVersion gives it: 12040 is 12.4.
  int version = 0;
};

/// The driver, which is opened on first use and stays for the life of the process. Fails with
/// NoDriver; a failure is remembered. Thread-safe, and without a lock once it is open.
Status getDriver(const Driver *&driver);

/// The status of a driver call that did not succeed: "WHAT: TEXT". `what` says what was tried, in
/// the caller's words.
Status makeDriverStatus(const Driver &driver, cuda::Result result, const std::string &what);

/// Opens another library in place of libcuda.so.1 from the next getDriver on; null means the real
/// one. Objects of the old one must be gone. Not thread-safe.
void setDriverLibraryForTesting(const char *path);

} // namespace tilec::rt

#endif // TILERT_SRC_CUDADRIVER_H
