// GPUs by way of the CUDA driver, which is opened at run time: contexts, modules, launches, memory,
// events. No LLVM, no CUDA headers, no exceptions.
//
// Everything here may be called from any thread. No context has to be current, and the one that is
// current stays so. What may not be called while a stream is being captured into a graph (loading
// and unloading, allocation) is done in the relaxed capture mode, so it does no harm to a capture.
#ifndef TILERT_CUDA_H
#define TILERT_CUDA_H

#include "tilert/Status.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

struct CUctx_st;
struct CUmod_st;
struct CUfunc_st;
struct CUstream_st;
struct CUevent_st;

namespace tilec::rt {

struct Driver;

/// What is known of a GPU.
struct GpuInfo {
  int ordinal = 0;
  std::string name;
  /// 10 * major + minor.
  unsigned computeCapability = 0;
  unsigned numMultiprocessors = 0;
  uint64_t memoryBytes = 0;
  uint64_t l2Bytes = 0;
  /// The most shared memory that one block may have.
  uint64_t maxSharedBytes = 0;
  unsigned maxThreadsPerBlock = 0;
  /// Kernels can read any memory of the process.
  bool reachesPageableMemory = false;
};

/// The version of the driver, as cuDriverGetVersion gives it: 12040 is 12.4.
Status getDriverVersion(int &version);
Status getGpuCount(int &count);
/// NotFound if there is no GPU of that number; the message says how many there are.
Status getGpuInfo(int ordinal, GpuInfo &info);

/// A context of the driver on one GPU.
class Context {
public:
  /// The primary context of a GPU, which the CUDA run-time library uses too. It is retained.
  static Status openPrimary(int ordinal, std::shared_ptr<Context> &context);
  /// The context that is current on this thread, borrowed: the caller keeps it alive. A null
  /// context and OK if none is current.
  static Status openCurrent(std::shared_ptr<Context> &context);
  ~Context();
  Context(const Context &) = delete;
  Context &operator=(const Context &) = delete;

  const GpuInfo &getInfo() const { return info; }
  CUctx_st *getHandle() const { return handle; }
  const Driver &getDriver() const { return driver; }

  /// Waits for all work of the context.
  Status synchronize();
  Status synchronize(CUstream_st *stream);

  Status allocate(uint64_t bytes, uint64_t &address);
  Status free(uint64_t address);
  Status copyIn(uint64_t target, const void *source, uint64_t bytes);
  Status copyOut(void *target, uint64_t source, uint64_t bytes);
  Status fill(uint64_t target, uint8_t byte, uint64_t bytes);

  /// OK if a kernel in this context can follow the pointer, as far as the driver knows. `what`
  /// names it in the message: "argument 'x'".
  Status checkPointer(uint64_t address, const std::string &what);

private:
  Context(const Driver &driver, CUctx_st *handle, GpuInfo info, bool isPrimary)
      : driver(driver), handle(handle), info(std::move(info)), isPrimary(isPrimary) {}

  const Driver &driver;
  CUctx_st *handle;
  GpuInfo info;
  bool isPrimary;
};

/// Makes a context current on this thread while it lives.
class ContextScope {
public:
  explicit ContextScope(const Context &context);
  ~ContextScope();
  ContextScope(const ContextScope &) = delete;
  ContextScope &operator=(const ContextScope &) = delete;

  const Status &getStatus() const { return status; }

private:
  const Driver &driver;
  Status status;
  bool pushed = false;
};

/// A grid of blocks, in 64 bits so that nothing wraps before it was checked.
struct GridSize {
  uint64_t x = 1, y = 1, z = 1;
};

/// OK if the driver can launch the grid; else InvalidArgument with the axis and its limit.
Status checkGrid(const GridSize &grid);

class Module;

/// One kernel of a module, which it keeps loaded.
class Function {
public:
  const std::string &getName() const { return name; }
  unsigned getNumRegisters() const { return numRegisters; }
  /// Bytes of local memory a thread; more than 0 usually means spilled registers.
  unsigned getLocalBytes() const { return localBytes; }

  /// Launches `numThreads` threads a block. A grid with an extent of 0 does nothing and is OK.
  /// `params[i]` points to the value of parameter i. Never synchronizes or allocates.
  Status launch(const GridSize &grid, unsigned numThreads, unsigned sharedBytes,
                CUstream_st *stream, const void *const *params);

private:
  friend class Module;
  std::shared_ptr<Module> module;
  CUfunc_st *handle = nullptr;
  std::string name;
  unsigned numRegisters = 0, localBytes = 0;
};

/// A loaded module. It is unloaded with its last owner, unless one of its kernels was launched into
/// a stream that was being captured: the graph may then run at any time.
class Module : public std::enable_shared_from_this<Module> {
public:
  /// Loads PTX text, which the driver assembles. On failure the message holds the assembler's log.
  static Status load(std::shared_ptr<Context> context, const std::string &ptx,
                     std::shared_ptr<Module> &module);
  ~Module();
  Module(const Module &) = delete;
  Module &operator=(const Module &) = delete;

  Context &getContext() const { return *context; }

  /// Finds a kernel and lets it have `sharedBytes` of shared memory at launch.
  Status getFunction(const std::string &name, uint64_t sharedBytes,
                     std::shared_ptr<Function> &function);

private:
  friend class Function;
  Module(std::shared_ptr<Context> context, CUmod_st *handle)
      : context(std::move(context)), handle(handle) {}

  std::shared_ptr<Context> context;
  CUmod_st *handle;
  std::atomic<bool> isCaptured{false};
};

/// A stream of its own, which waits for no other.
class Stream {
public:
  static Status create(std::shared_ptr<Context> context, std::unique_ptr<Stream> &stream);
  ~Stream();
  Stream(const Stream &) = delete;
  Stream &operator=(const Stream &) = delete;
  CUstream_st *getHandle() const { return handle; }

private:
  Stream(std::shared_ptr<Context> context, CUstream_st *handle)
      : context(std::move(context)), handle(handle) {}
  std::shared_ptr<Context> context;
  CUstream_st *handle;
};

/// A point in a stream, with the time it was passed.
class Event {
public:
  static Status create(std::shared_ptr<Context> context, std::unique_ptr<Event> &event);
  ~Event();
  Event(const Event &) = delete;
  Event &operator=(const Event &) = delete;

  Status record(CUstream_st *stream);
  Status synchronize();
  /// Milliseconds from `start` to this event; both must have been passed.
  Status getElapsedMs(const Event &start, float &milliseconds) const;

private:
  Event(std::shared_ptr<Context> context, CUevent_st *handle)
      : context(std::move(context)), handle(handle) {}
  std::shared_ptr<Context> context;
  CUevent_st *handle;
};

} // namespace tilec::rt

#endif // TILERT_CUDA_H
