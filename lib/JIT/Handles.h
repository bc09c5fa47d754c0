// What stands behind the opaque handles of tilec.h.
#ifndef TILEC_LIB_JIT_HANDLES_H
#define TILEC_LIB_JIT_HANDLES_H

#include "lib/Device/Device.h"
#include "lib/Support/Diagnostics.h"
#include "tilec/tilec.h"

#include <atomic>
#include <deque>
#include <mutex>
#include <string>
#include <vector>

namespace tilec::jit {

/// A handle with several owners.
class Counted {
public:
  void retain() { count.fetch_add(1, std::memory_order_relaxed); }
  /// True for the last owner, who deletes.
  bool release() { return count.fetch_sub(1, std::memory_order_acq_rel) == 1; }

private:
  std::atomic<unsigned> count{1};
};

template <typename T>
T *retain(T *handle) {
  if (handle)
    handle->retain();
  return handle;
}

template <typename T>
void release(T *handle) {
  if (handle && handle->release())
    delete handle;
}

/// Hands the status to the caller if they want one, and returns its code.
tilec_code report(tilec_status **out, rt::Status status);
/// Takes the error; a fault of a kernel comes with its place as a diagnostic.
tilec_code report(tilec_status **out, llvm::Error error);
/// A failed compilation, or warnings with TILEC_OK.
tilec_code report(tilec_status **out, rt::Code code, const DiagnosticEngine &diagnostics);

inline tilec_code reportOk(tilec_status **out) {
  if (out)
    *out = nullptr;
  return TILEC_OK;
}

/// For an argument of the C interface that must not be NULL.
inline tilec_code reportNull(tilec_status **out, const std::string &name) {
  return report(
      out, rt::Status(rt::Code::InvalidArgument, std::string("'") + name + "' must not be NULL"));
}

/// Fills in the C structures, whose text lives in the metadata.
tilec_kernel_info describe(const KernelMetadata &kernel);
tilec_param_info describe(const ParamMetadata &param);

} // namespace tilec::jit

struct tilec_status {
  tilec::rt::Status status;
  /// A deque, because the text of the entries must stay where it is.
  std::deque<std::string> texts;
  std::vector<tilec_diagnostic> diagnostics;

  const char *keep(llvm::StringRef text) { return texts.emplace_back(text.str()).c_str(); }
};

struct tilec_artifact : tilec::jit::Counted {
  tilec::Artifact artifact;
  std::once_flag saved;
  std::string bytes;
};

struct tilec_device : tilec::jit::Counted {
  std::shared_ptr<tilec::Device> device;
  std::string description, target;
};

struct tilec_program : tilec::jit::Counted {
  std::shared_ptr<tilec::Program> program;
};

struct tilec_kernel : tilec::jit::Counted {
  std::shared_ptr<tilec::Kernel> kernel;
  /// Keeps the program, for the `ref` and `sim` kernels that live in it.
  std::shared_ptr<tilec::Program> program;
};

#endif // TILEC_LIB_JIT_HANDLES_H
