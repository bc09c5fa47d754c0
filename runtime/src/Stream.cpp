// Streams and events.

#include "CaptureScope.h"
#include "CudaDriver.h"
#include "tilert/Cuda.h"

using namespace tilec::rt;

//===--- Streams -----------------------------------------------------------===//

Status Stream::create(std::shared_ptr<Context> context, std::unique_ptr<Stream> &stream) {
  const Driver &driver = context->getDriver();
  ContextScope scope(*context);
  if (!scope.getStatus().ok())
    return scope.getStatus();
  constexpr unsigned kNonBlocking = 1;
  cuda::Stream handle = nullptr;
  if (cuda::Result result = driver.streamCreate(&handle, kNonBlocking))
    return makeDriverStatus(driver, result, "cannot create a stream");
  stream.reset(new Stream(std::move(context), handle));
  return {};
}

Stream::~Stream() {
  ContextScope scope(*context);
  if (scope.getStatus().ok())
    context->getDriver().streamDestroy(handle);
}

//===--- Events ------------------------------------------------------------===//

Status Event::create(std::shared_ptr<Context> context, std::unique_ptr<Event> &event) {
  const Driver &driver = context->getDriver();
  ContextScope scope(*context);
  if (!scope.getStatus().ok())
    return scope.getStatus();
  cuda::Event handle = nullptr;
  if (cuda::Result result = driver.eventCreate(&handle, 0))
    return makeDriverStatus(driver, result, "cannot create an event");
  event.reset(new Event(std::move(context), handle));
  return {};
}

Event::~Event() {
  ContextScope scope(*context);
  if (scope.getStatus().ok())
    context->getDriver().eventDestroy(handle);
}

Status Event::record(CUstream_st *stream) {
  const Driver &driver = context->getDriver();
  ContextScope scope(*context);
  if (!scope.getStatus().ok())
    return scope.getStatus();
  if (cuda::Result result = driver.eventRecord(handle, stream))
    return makeDriverStatus(driver, result, "cannot record an event");
  return {};
}

Status Event::synchronize() {
  const Driver &driver = context->getDriver();
  ContextScope scope(*context);
  if (!scope.getStatus().ok())
    return scope.getStatus();
  if (cuda::Result result = driver.eventSynchronize(handle))
    return makeDriverStatus(driver, result, "a kernel or copy failed");
  return {};
}

Status Event::getElapsedMs(const Event &start, float &milliseconds) const {
  const Driver &driver = context->getDriver();
  ContextScope scope(*context);
  if (!scope.getStatus().ok())
    return scope.getStatus();
  if (cuda::Result result = driver.eventElapsedTime(&milliseconds, start.handle, handle))
    return makeDriverStatus(driver, result, "cannot read the time between two events");
  return {};
}
