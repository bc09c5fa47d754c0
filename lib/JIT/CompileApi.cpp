// The part of the C interface that compiles, and reads artifacts.

#include "lib/Driver/Compiler.h"
#include "lib/JIT/Handles.h"

#include "llvm/Support/FileSystem.h"

#include <algorithm>
#include <cstring>

using namespace tilec;
using namespace tilec::jit;

const char *tilec_version(void) { return TILEC_VERSION; }

//===--- Compiling ---------------------------------------------------------===//

/// Reads the caller's options, which may be of an older and so shorter structure.
static rt::Status readOptions(const tilec_compile_options *from, CompileOptions &to) {
  tilec_compile_options options = TILEC_COMPILE_OPTIONS_INIT;
  if (from) {
    if (from->struct_size < sizeof(size_t))
      return {rt::Code::InvalidArgument,
              "tilec_compile_options.struct_size is not set: use TILEC_COMPILE_OPTIONS_INIT"};
    std::memcpy(&options, from, std::min(from->struct_size, sizeof options));
  }

  auto isMissing = [](const void *array, size_t count) { return count && !array; };
  if (isMissing(options.kernels, options.num_kernels) ||
      isMissing(options.defines, options.num_defines) ||
      isMissing(options.include_dirs, options.num_include_dirs))
    return {rt::Code::InvalidArgument, "an array of tilec_compile_options is NULL but not empty"};
  // A structure that was not initialised says any number, and its pointers lead anywhere.
  constexpr size_t kMost = 65536;
  if (std::max({options.num_kernels, options.num_defines, options.num_include_dirs}) > kMost)
    return {rt::Code::InvalidArgument, "an array of tilec_compile_options has more than " +
                                           std::to_string(kMost) +
                                           " elements: start from TILEC_COMPILE_OPTIONS_INIT"};
  for (size_t i = 0; i != options.num_kernels; ++i)
    to.kernels.push_back(options.kernels[i] ? options.kernels[i] : "");
  for (size_t i = 0; i != options.num_defines; ++i) {
    const tilec_define &define = options.defines[i];
    if (!define.name || !define.value)
      return {rt::Code::InvalidArgument, "a tilec_define has no name or no value"};
    to.defines.push_back({define.name, define.value});
  }
  for (size_t i = 0; i != options.num_include_dirs; ++i)
    to.includeDirs.push_back(options.include_dirs[i] ? options.include_dirs[i] : "");

  if (options.num_warps < 0 || options.num_stages < 0 || options.max_ptx_version < 0)
    return {rt::Code::InvalidArgument, "a number in tilec_compile_options is negative"};
  if (options.opt_level < -1 || options.opt_level > 3)
    return {rt::Code::InvalidArgument, "tilec_compile_options.opt_level is " +
                                           std::to_string(options.opt_level) +
                                           "; it goes from -1 to 3"};
  if (options.signature)
    to.signature = options.signature;
  if (options.target)
    to.target = options.target;
  to.numWarps = options.num_warps;
  to.numStages = options.num_stages;
  to.maxPtxVersion = options.max_ptx_version;
  to.lineInfo = options.line_info != 0;
  to.enableAsserts = options.enable_asserts != 0;
  if (options.opt_level)
    to.optLevel = std::max(options.opt_level, 0);
  return {};
}

static tilec_code finish(CompileResult result, tilec_artifact **artifact, tilec_status **status) {
  if (!result.succeeded)
    return report(status, rt::Code::CompileError, *result.diagnostics);
  *artifact = new tilec_artifact;
  (*artifact)->artifact = std::move(result.artifact);
  return report(status, rt::Code::Ok, *result.diagnostics);
}

tilec_code tilec_compile(const char *name, const char *source, size_t length,
                         const tilec_compile_options *options, tilec_artifact **artifact,
                         tilec_status **status) {
  if (!artifact)
    return reportNull(status, "artifact");
  *artifact = nullptr;
  if (!source && length)
    return reportNull(status, "source");
  CompileOptions compileOptions;
  if (rt::Status read = readOptions(options, compileOptions); !read.ok())
    return report(status, std::move(read));
  return finish(
      compileText(name ? name : "<source>", llvm::StringRef(source, length), compileOptions),
      artifact, status);
}

tilec_code tilec_compile_file(const char *path, const tilec_compile_options *options,
                              tilec_artifact **artifact, tilec_status **status) {
  if (!artifact)
    return reportNull(status, "artifact");
  *artifact = nullptr;
  if (!path)
    return reportNull(status, "path");
  CompileOptions compileOptions;
  if (rt::Status read = readOptions(options, compileOptions); !read.ok())
    return report(status, std::move(read));
  // A library leaves standard input alone, and a folder can be opened but not read.
  if (!llvm::sys::fs::is_regular_file(path))
    return report(status, rt::Status(rt::Code::NotFound, std::string("cannot read '") + path +
                                                             (llvm::sys::fs::exists(path)
                                                                  ? "': it is not a file"
                                                                  : "': there is no such file")));
  return finish(compileFile(path, compileOptions), artifact, status);
}

//===--- Artifacts ---------------------------------------------------------===//

tilec_kernel_info tilec::jit::describe(const KernelMetadata &kernel) {
  return {kernel.name.c_str(), kernel.params.size(), kernel.numWarps, kernel.sharedBytes};
}

tilec_param_info tilec::jit::describe(const ParamMetadata &param) {
  return {param.name.c_str(), param.type.c_str(), getSizeInBytes(param.kind), param.divisibility};
}

const char *tilec_artifact_ptx(const tilec_artifact *artifact, size_t *length) {
  if (length)
    *length = artifact ? artifact->artifact.ptx.size() : 0;
  return artifact ? artifact->artifact.ptx.c_str() : "";
}

const char *tilec_artifact_target(const tilec_artifact *artifact) {
  return artifact ? artifact->artifact.target.c_str() : "";
}

size_t tilec_artifact_num_kernels(const tilec_artifact *artifact) {
  return artifact ? artifact->artifact.kernels.size() : 0;
}

const char *tilec_artifact_kernel_name(const tilec_artifact *artifact, size_t index) {
  if (index >= tilec_artifact_num_kernels(artifact))
    return nullptr;
  return artifact->artifact.kernels[index].name.c_str();
}

tilec_code tilec_artifact_kernel_info(const tilec_artifact *artifact, size_t kernel,
                                      tilec_kernel_info *info) {
  if (!artifact || !info)
    return TILEC_INVALID_ARGUMENT;
  if (kernel >= artifact->artifact.kernels.size())
    return TILEC_NOT_FOUND;
  *info = describe(artifact->artifact.kernels[kernel]);
  return TILEC_OK;
}

tilec_code tilec_artifact_param_info(const tilec_artifact *artifact, size_t kernel, size_t param,
                                     tilec_param_info *info) {
  if (!artifact || !info)
    return TILEC_INVALID_ARGUMENT;
  if (kernel >= artifact->artifact.kernels.size() ||
      param >= artifact->artifact.kernels[kernel].params.size())
    return TILEC_NOT_FOUND;
  *info = describe(artifact->artifact.kernels[kernel].params[param]);
  return TILEC_OK;
}

tilec_code tilec_artifact_save(tilec_artifact *artifact, const void **data, size_t *length,
                               tilec_status **status) {
  if (!artifact)
    return reportNull(status, "artifact");
  if (!data || !length)
    return reportNull(status, data ? "length" : "data");
  std::call_once(artifact->saved, [&] { artifact->bytes = artifact->artifact.serialize(); });
  *data = artifact->bytes.data();
  *length = artifact->bytes.size();
  return reportOk(status);
}

tilec_code tilec_artifact_load(const void *data, size_t length, tilec_artifact **artifact,
                               tilec_status **status) {
  if (!artifact)
    return reportNull(status, "artifact");
  *artifact = nullptr;
  if (!data && length)
    return reportNull(status, "data");
  llvm::Expected<Artifact> read =
      Artifact::deserialize(llvm::StringRef(static_cast<const char *>(data), length));
  if (!read)
    return report(status, read.takeError());
  *artifact = new tilec_artifact;
  (*artifact)->artifact = std::move(*read);
  return reportOk(status);
}

tilec_artifact *tilec_artifact_retain(tilec_artifact *artifact) { return retain(artifact); }
void tilec_artifact_release(tilec_artifact *artifact) { release(artifact); }
