// The part of the C interface that loads programs and launches kernels.

#include "lib/JIT/Handles.h"

using namespace tilec;
using namespace tilec::jit;

//===--- Programs ----------------------------------------------------------===//

tilec_code tilec_program_load(tilec_device *device, const tilec_artifact *artifact,
                              tilec_program **program, tilec_status **status) {
  if (!program)
    return reportNull(status, "program");
  *program = nullptr;
  if (!device || !artifact)
    return reportNull(status, device ? "artifact" : "device");
  llvm::Expected<std::shared_ptr<Program>> loaded = device->device->load(artifact->artifact);
  if (!loaded)
    return report(status, loaded.takeError());
  *program = new tilec_program;
  (*program)->program = std::move(*loaded);
  return reportOk(status);
}

tilec_program *tilec_program_retain(tilec_program *program) { return retain(program); }
void tilec_program_release(tilec_program *program) { release(program); }

tilec_code tilec_program_kernel(tilec_program *program, const char *name, tilec_kernel **kernel,
                                tilec_status **status) {
  if (!kernel)
    return reportNull(status, "kernel");
  *kernel = nullptr;
  if (!program)
    return reportNull(status, "program");
  llvm::Expected<std::shared_ptr<Kernel>> found = program->program->getKernel(name ? name : "");
  if (!found)
    return report(status, found.takeError());
  auto *handle = new tilec_kernel;
  handle->kernel = std::move(*found);
  handle->program = program->program;
  *kernel = handle;
  return reportOk(status);
}

tilec_code tilec_kernel_get_info(const tilec_kernel *kernel, tilec_kernel_info *info) {
  if (!kernel || !info)
    return TILEC_INVALID_ARGUMENT;
  *info = describe(kernel->kernel->getMetadata());
  return TILEC_OK;
}

tilec_code tilec_kernel_get_param_info(const tilec_kernel *kernel, size_t param,
                                       tilec_param_info *info) {
  if (!kernel || !info)
    return TILEC_INVALID_ARGUMENT;
  const std::vector<ParamMetadata> &params = kernel->kernel->getMetadata().params;
  if (param >= params.size())
    return TILEC_NOT_FOUND;
  *info = describe(params[param]);
  return TILEC_OK;
}

tilec_kernel *tilec_kernel_retain(tilec_kernel *kernel) { return retain(kernel); }
void tilec_kernel_release(tilec_kernel *kernel) { release(kernel); }

//===--- Launches ----------------------------------------------------------===//

static bool readArg(const tilec_arg &from, ArgValue &to) {
  switch (from.kind) {
  case TILEC_ARG_POINTER:
    to = ArgValue::ofPointer(
        static_cast<DeviceAddress>(reinterpret_cast<uintptr_t>(from.value.pointer)));
    return true;
  case TILEC_ARG_INT:
    to = ArgValue::ofInt(from.value.integer);
    return true;
  case TILEC_ARG_FLOAT:
    to = ArgValue::ofFloat(from.value.real);
    return true;
  }
  return false;
}

/// Before anything is read: a wrong number may lead beyond the caller's array.
static llvm::Error checkCount(const Kernel &kernel, size_t count) {
  const KernelMetadata &metadata = kernel.getMetadata();
  if (count == metadata.params.size())
    return llvm::Error::success();
  return makeError(rt::Code::InvalidArgument,
                   "kernel '" + metadata.name + "' takes " + llvm::Twine(metadata.params.size()) +
                       " arguments, but " + llvm::Twine(count) + " were given");
}

tilec_code tilec_kernel_launch(tilec_kernel *kernel, tilec_grid grid, const tilec_arg *args,
                               size_t num_args, void *stream, tilec_status **status) {
  if (!kernel)
    return reportNull(status, "kernel");
  if (!args && num_args)
    return reportNull(status, "args");
  if (llvm::Error error = checkCount(*kernel->kernel, num_args))
    return report(status, std::move(error));
  llvm::SmallVector<ArgValue, 32> values(num_args);
  for (size_t i = 0; i != num_args; ++i)
    if (!readArg(args[i], values[i]))
      return report(status,
                    rt::Status(rt::Code::InvalidArgument,
                               "argument " + std::to_string(i) + " has the kind " +
                                   std::to_string(args[i].kind) + ", which is no tilec_arg_kind"));
  PackedArgs packed;
  if (llvm::Error error = packed.pack(kernel->kernel->getMetadata(), values))
    return report(status, std::move(error));
  if (llvm::Error error = kernel->kernel->checkPointers(packed.getParams()))
    return report(status, std::move(error));
  return report(status,
                kernel->kernel->launch({grid.x, grid.y, grid.z}, packed.getParams(), stream));
}

tilec_code tilec_kernel_launch_params(tilec_kernel *kernel, tilec_grid grid,
                                      const void *const *params, size_t num_params, void *stream,
                                      tilec_status **status) {
  if (!kernel)
    return reportNull(status, "kernel");
  if (!params && num_params)
    return reportNull(status, "params");
  if (llvm::Error error = checkCount(*kernel->kernel, num_params))
    return report(status, std::move(error));
  for (size_t i = 0; i < num_params; ++i)
    if (!params[i])
      return reportNull(status, "params[" + std::to_string(i) + "]");
  return report(status, kernel->kernel->launch({grid.x, grid.y, grid.z},
                                               llvm::ArrayRef(params, num_params), stream));
}
