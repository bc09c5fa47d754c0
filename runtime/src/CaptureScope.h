// Lets this thread do what a capture of a stream would forbid, without ending the capture.
#ifndef TILERT_SRC_CAPTURESCOPE_H
#define TILERT_SRC_CAPTURESCOPE_H

#include "CudaDriver.h"

namespace tilec::rt {

/// Puts the thread into the relaxed capture mode while it lives.
class CaptureScope {
public:
  explicit CaptureScope(const Driver &driver) : driver(driver) {
    exchanged = driver.threadExchangeStreamCaptureMode(&mode) == cuda::kSuccess;
  }
  ~CaptureScope() {
    if (exchanged)
      driver.threadExchangeStreamCaptureMode(&mode);
  }
  CaptureScope(const CaptureScope &) = delete;
  CaptureScope &operator=(const CaptureScope &) = delete;

private:
  const Driver &driver;
  int mode = cuda::kCaptureModeRelaxed;
  bool exchanged;
};

} // namespace tilec::rt

#endif // TILERT_SRC_CAPTURESCOPE_H
