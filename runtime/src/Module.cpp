// Modules, kernels and launches.

#include "CaptureScope.h"
#include "CudaDriver.h"
#include "tilert/Cuda.h"

#include <vector>

using namespace tilec::rt;

//===--- Modules -----------------------------------------------------------===//

/// The value of the first `.version` line of a PTX text, or "".
static std::string getPtxVersion(const std::string &ptx) {
  size_t begin = ptx.find(".version");
  if (begin == std::string::npos)
    return "";
  begin = ptx.find_first_not_of(" \t", begin + 8);
  if (begin == std::string::npos)
    return "";
  return ptx.substr(begin, ptx.find_first_of(" \t\r\n", begin) - begin);
}

Status Module::load(std::shared_ptr<Context> context, const std::string &ptx,
                    std::shared_ptr<Module> &module) {
  const Driver &driver = context->getDriver();
  ContextScope scope(*context);
  if (!scope.getStatus().ok())
    return scope.getStatus();

  std::vector<char> log(8192, '\0');
  int options[] = {cuda::kJitErrorLogBuffer, cuda::kJitErrorLogBufferSizeBytes};
  void *values[] = {log.data(), reinterpret_cast<void *>(static_cast<uintptr_t>(log.size()))};
  CaptureScope relaxed(driver);
  cuda::Module handle = nullptr;
  cuda::Result result = driver.moduleLoadDataEx(&handle, ptx.c_str(), 2, options, values);
  if (result == cuda::kSuccess) {
    module.reset(new Module(std::move(context), handle));
    return {};
  }

  std::string what = "the driver cannot load the PTX";
  if (result == cuda::kUnsupportedPtxVersion)
    what += " of version " + getPtxVersion(ptx) + "; it is for CUDA " +
            std::to_string(driver.version / 1000) + "." +
            std::to_string(driver.version % 1000 / 10);
  Status status = makeDriverStatus(driver, result, what);
  log.back() = '\0';
  std::string text = log.data();
  while (!text.empty() && (text.back() == '\n' || text.back() == ' '))
    text.pop_back();
  if (text.empty())
    return status;
  return {status.getCode(), status.getMessage() + "\n" + text, status.getDriverError()};
}

Module::~Module() {
  // A graph that holds a kernel of this module would run freed code.
  if (isCaptured.load(std::memory_order_relaxed))
    return;
  const Driver &driver = context->getDriver();
  ContextScope scope(*context);
  CaptureScope relaxed(driver);
  if (scope.getStatus().ok())
    driver.moduleUnload(handle);
}

Status Module::getFunction(const std::string &name, uint64_t sharedBytes,
                           std::shared_ptr<Function> &function) {
  const Driver &driver = context->getDriver();
  ContextScope scope(*context);
  if (!scope.getStatus().ok())
    return scope.getStatus();
  CaptureScope relaxed(driver);

  uint64_t limit = context->getInfo().maxSharedBytes;
  if (sharedBytes > limit)
    return {Code::Unsupported, "kernel '" + name + "' needs " + std::to_string(sharedBytes) +
                                   " bytes of shared memory a block, but '" +
                                   context->getInfo().name + "' has " + std::to_string(limit)};

  auto result = std::make_shared<Function>();
  result->name = name;
  if (cuda::Result error = driver.moduleGetFunction(&result->handle, handle, name.c_str())) {
    Status status = makeDriverStatus(driver, error, "cannot find kernel '" + name + "'");
    if (error == cuda::kNotFound)
      return {Code::NotFound, status.getMessage(), status.getDriverError()};
    return status;
  }
  // 48 KiB need no leave.
  constexpr uint64_t kFreeSharedBytes = 48 * 1024;
  if (sharedBytes > kFreeSharedBytes)
    if (cuda::Result error = driver.funcSetAttribute(
            result->handle, cuda::kMaxDynamicSharedSizeBytes, static_cast<int>(sharedBytes)))
      return makeDriverStatus(driver, error,
                              "cannot give kernel '" + name + "' " + std::to_string(sharedBytes) +
                                  " bytes of shared memory");
  int value = 0;
  if (driver.funcGetAttribute(&value, cuda::kNumRegs, result->handle) == cuda::kSuccess)
    result->numRegisters = value;
  if (driver.funcGetAttribute(&value, cuda::kLocalSizeBytes, result->handle) == cuda::kSuccess)
    result->localBytes = value;
  result->module = shared_from_this();
  function = std::move(result);
  return {};
}

//===--- Launches ----------------------------------------------------------===//

Status tilec::rt::checkGrid(const GridSize &grid) {
  struct {
    char axis;
    uint64_t extent, limit;
  } axes[] = {{'x', grid.x, 0x7fffffff}, {'y', grid.y, 65535}, {'z', grid.z, 65535}};
  for (const auto &axis : axes)
    if (axis.extent > axis.limit)
      return {Code::InvalidArgument, "the grid has " + std::to_string(axis.extent) +
                                         " programs along axis '" + axis.axis + "', the limit is " +
                                         std::to_string(axis.limit)};
  return {};
}

Status Function::launch(const GridSize &grid, unsigned numThreads, unsigned sharedBytes,
                        CUstream_st *stream, const void *const *params) {
  if (Status status = checkGrid(grid); !status.ok())
    return status;
  if (grid.x == 0 || grid.y == 0 || grid.z == 0)
    return {};

  Context &context = module->getContext();
  const Driver &driver = context.getDriver();
  ContextScope scope(context);
  if (!scope.getStatus().ok())
    return scope.getStatus();
  // The default stream cannot be captured, and asking about it during a capture ends the capture.
  int capturing = 0;
  bool isDefault = reinterpret_cast<uintptr_t>(stream) <= 1;
  if (!isDefault && driver.streamIsCapturing(stream, &capturing) == cuda::kSuccess && capturing)
    module->isCaptured.store(true, std::memory_order_relaxed);

  cuda::Result result =
      driver.launchKernel(handle, static_cast<unsigned>(grid.x), static_cast<unsigned>(grid.y),
                          static_cast<unsigned>(grid.z), numThreads, 1, 1, sharedBytes, stream,
                          const_cast<void **>(params), nullptr);
  if (result == cuda::kSuccess)
    return {};
  return makeDriverStatus(driver, result,
                          "cannot launch kernel '" + name + "' with a grid of " +
                              std::to_string(grid.x) + " x " + std::to_string(grid.y) + " x " +
                              std::to_string(grid.z) + ", " + std::to_string(numThreads) +
                              " threads and " + std::to_string(sharedBytes) +
                              " bytes of shared memory a block");
}
