// A CUDA driver that does nothing but remember: the test sets what it answers and reads what it was
// asked. It is a shared library, opened in place of libcuda.so.1.
#ifndef TILEC_TEST_UNIT_DEVICE_MOCKDRIVER_H
#define TILEC_TEST_UNIT_DEVICE_MOCKDRIVER_H

#include <map>
#include <string>
#include <vector>

struct MockState {
  /// Names of the calls in order, while `recording`.
  std::vector<std::string> calls;
  bool recording = true;
  /// What a call of that name returns instead of doing its work.
  std::map<std::string, int> failures;

  int driverVersion = 13000;
  int deviceCount = 1;
  int computeCapability = 90;
  int maxSharedBytes = 232448;
  /// What the assembler writes to its log.
  std::string jitLog;
  bool streamsCapture = false;
  /// The device that owns a pointer; a pointer that is not here is unknown to the driver.
  std::map<unsigned long long, int> pointers;

  /// The grid, block and shared memory of the last launch, and the context it ran in.
  unsigned grid[3] = {}, block = 0, sharedBytes = 0;
  void *launchContext = nullptr;
  void *launchFunction = nullptr;
  void **launchParams = nullptr;
  /// The capture mode at the last load or unload of a module; 2 is relaxed.
  int captureModeAtUnload = -1, captureModeAtLoad = -1;
  int modulesLoaded = 0, contextsRetained = 0;
};

extern "C" MockState *mockState();
/// The context and capture mode of the calling thread.
extern "C" void *mockCurrentContext();
extern "C" int mockCaptureMode();
extern "C" void mockSetCurrentContext(void *context);

#endif // TILEC_TEST_UNIT_DEVICE_MOCKDRIVER_H
