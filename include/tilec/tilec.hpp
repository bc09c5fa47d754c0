// The C++ layer over tilec.h: owners for the handles, values for the arguments. Header only, C++17,
// with or without exceptions: what can fail returns a Status or a Result.
//
//     auto device = tilec::Device::open("sim");
//     if (!device)
//       return fail(device.status().message());
//
// With exceptions on, `tilec::Device::open("sim").value()` throws tilec::Error instead.
//
// Artifact, Device, Program, Kernel and Status are handles: copies share one object, which lives as
// long as one of them, or what was made from it. Their const functions may be called from many
// threads at once; one and the same variable is assigned and destroyed by one thread at a time, as
// a std::shared_ptr. A handle that was moved from is good for assignment and destruction only. What
// a function means, its units and how it fails stand in tilec.h at the function of its name.
#ifndef TILEC_TILEC_HPP
#define TILEC_TILEC_HPP

#include "tilec/tilec.h"

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#ifdef __cpp_exceptions
#include <stdexcept>
#endif

namespace tilec {

/// What a call came to. OK by default.
class [[nodiscard]] Status {
public:
  Status() = default;
  /// Takes ownership of the handle; `code` counts where there is none.
  explicit Status(tilec_status *handle, tilec_code code = TILEC_OK)
      : handle(handle, tilec_status_release),
        statusCode(handle ? tilec_status_code(handle) : code) {}

  bool ok() const { return statusCode == TILEC_OK; }
  explicit operator bool() const { return ok(); }
  tilec_code code() const { return statusCode; }
  /// For the compiler: every diagnostic with its source line.
  std::string message() const { return tilec_status_message(handle.get()); }
  std::string driverError() const { return tilec_status_driver_error(handle.get()); }
  /// The text in them lives as long as a copy of the status.
  std::vector<tilec_diagnostic> diagnostics() const {
    std::vector<tilec_diagnostic> list(tilec_status_num_diagnostics(handle.get()));
    for (size_t i = 0; i != list.size(); ++i)
      tilec_status_diagnostic(handle.get(), i, &list[i]);
    return list;
  }

private:
  std::shared_ptr<tilec_status> handle;
  tilec_code statusCode = TILEC_OK;
};

#ifdef __cpp_exceptions
/// What Result::value throws.
class Error : public std::runtime_error {
public:
  explicit Error(Status status) : std::runtime_error(status.message()), failed(std::move(status)) {}
  const Status &status() const { return failed; }

private:
  Status failed;
};
#endif

/// A value, or the status that says why there is none. `*` and `->` need a value: test first.
template <typename T>
class [[nodiscard]] Result {
public:
  Result(T value, Status status = {}) : held(std::move(value)), held_status(std::move(status)) {}
  Result(Status status) : held_status(std::move(status)) {}

  bool ok() const { return held.has_value(); }
  explicit operator bool() const { return ok(); }
  /// With a value it may hold warnings of the compiler.
  const Status &status() const { return held_status; }
  T &operator*() { return *held; }
  const T &operator*() const { return *held; }
  T *operator->() { return &*held; }
  const T *operator->() const { return &*held; }
#ifdef __cpp_exceptions
  /// The value; throws tilec::Error if there is none.
  T value() && {
    if (!held)
      throw Error(held_status);
    return std::move(*held);
  }
#endif

private:
  std::optional<T> held;
  Status held_status;
};

/// See tilec_compile_options.
struct CompileOptions {
  std::vector<std::string> kernels;
  std::string signature;
  std::vector<std::pair<std::string, std::string>> defines;
  int numWarps = 0;
  int numStages = 0;
  std::string target;
  int maxPtxVersion = 0;
  std::vector<std::string> includeDirs;
  bool lineInfo = false;
  int optLevel = 0;
  bool enableAsserts = false;
};

namespace detail {

/// The C options with the arrays that they point to.
class Options {
public:
  explicit Options(const CompileOptions &from) {
    for (const std::string &kernel : from.kernels)
      kernels.push_back(kernel.c_str());
    for (const auto &[name, value] : from.defines)
      defines.push_back({name.c_str(), value.c_str()});
    for (const std::string &dir : from.includeDirs)
      includeDirs.push_back(dir.c_str());
    options.kernels = kernels.data();
    options.num_kernels = kernels.size();
    options.signature = from.signature.empty() ? nullptr : from.signature.c_str();
    options.defines = defines.data();
    options.num_defines = defines.size();
    options.num_warps = from.numWarps;
    options.num_stages = from.numStages;
    options.target = from.target.empty() ? nullptr : from.target.c_str();
    options.max_ptx_version = from.maxPtxVersion;
    options.include_dirs = includeDirs.data();
    options.num_include_dirs = includeDirs.size();
    options.line_info = from.lineInfo;
    options.opt_level = from.optLevel;
    options.enable_asserts = from.enableAsserts;
  }
  const tilec_compile_options *get() const { return &options; }

private:
  tilec_compile_options options = TILEC_COMPILE_OPTIONS_INIT;
  std::vector<const char *> kernels, includeDirs;
  std::vector<tilec_define> defines;
};

} // namespace detail

/// A compiled module. Compiling needs no device.
class Artifact {
public:
  /// Compiles source text; `name` stands for the file in messages. See tilec_compile.
  static Result<Artifact> compile(const std::string &name, std::string_view source,
                                  const CompileOptions &options = {}) {
    tilec_artifact *artifact = nullptr;
    tilec_status *status = nullptr;
    tilec_code code = tilec_compile(name.c_str(), source.data(), source.size(),
                                    detail::Options(options).get(), &artifact, &status);
    return make(code, artifact, status);
  }
  /// Compiles a file. See tilec_compile_file.
  static Result<Artifact> compileFile(const std::string &path, const CompileOptions &options = {}) {
    tilec_artifact *artifact = nullptr;
    tilec_status *status = nullptr;
    tilec_code code =
        tilec_compile_file(path.c_str(), detail::Options(options).get(), &artifact, &status);
    return make(code, artifact, status);
  }
  /// Makes an artifact from what `save` gave, which may be freed. See tilec_artifact_load.
  static Result<Artifact> load(std::string_view bytes) {
    tilec_artifact *artifact = nullptr;
    tilec_status *status = nullptr;
    tilec_code code = tilec_artifact_load(bytes.data(), bytes.size(), &artifact, &status);
    return make(code, artifact, status);
  }
  /// The artifact as bytes, which live as long as the artifact.
  std::string_view save() const {
    const void *data = nullptr;
    size_t length = 0;
    tilec_artifact_save(handle.get(), &data, &length, nullptr);
    return {static_cast<const char *>(data), length};
  }

  /// Lives as long as the artifact.
  std::string_view ptx() const {
    size_t length = 0;
    const char *text = tilec_artifact_ptx(handle.get(), &length);
    return {text, length};
  }
  std::string target() const { return tilec_artifact_target(handle.get()); }
  /// The text in them lives as long as the artifact.
  std::vector<tilec_kernel_info> kernels() const {
    std::vector<tilec_kernel_info> list(tilec_artifact_num_kernels(handle.get()));
    for (size_t i = 0; i != list.size(); ++i)
      tilec_artifact_kernel_info(handle.get(), i, &list[i]);
    return list;
  }
  /// The C handle, borrowed.
  tilec_artifact *get() const { return handle.get(); }

private:
  explicit Artifact(tilec_artifact *artifact) : handle(artifact, tilec_artifact_release) {}
  static Result<Artifact> make(tilec_code code, tilec_artifact *artifact, tilec_status *status) {
    if (code != TILEC_OK)
      return Status(status, code);
    return {Artifact(artifact), Status(status)};
  }
  std::shared_ptr<tilec_artifact> handle;
};

/// The number of programs along each axis.
struct Grid {
  uint64_t x = 1, y = 1, z = 1;
};

class Buffer;

/// One argument of a launch: any pointer, integer, bool or float, or a Buffer.
class Arg {
public:
  template <typename T,
            typename = std::enable_if_t<std::is_arithmetic_v<T> || std::is_pointer_v<T>>>
  Arg(T value) {
    if constexpr (std::is_pointer_v<T>) {
      arg.kind = TILEC_ARG_POINTER;
      arg.value.pointer = value;
    } else if constexpr (std::is_integral_v<T>) {
      arg.kind = TILEC_ARG_INT;
      arg.value.integer = static_cast<int64_t>(value);
    } else {
      arg.kind = TILEC_ARG_FLOAT;
      arg.value.real = static_cast<double>(value);
    }
  }
  inline Arg(const Buffer &buffer);

private:
  tilec_arg arg;
};
static_assert(sizeof(Arg) == sizeof(tilec_arg), "an array of one is an array of the other");

/// A kernel on a device, ready to launch.
class Kernel {
public:
  /// Takes ownership of one count of the handle.
  explicit Kernel(tilec_kernel *kernel) : handle(kernel, tilec_kernel_release) {}

  /// The text in it lives as long as the kernel.
  tilec_kernel_info info() const {
    tilec_kernel_info info = {};
    tilec_kernel_get_info(handle.get(), &info);
    return info;
  }
  /// Launches on a CUstream, or on the default stream. See tilec_kernel_launch.
  Status launch(Grid grid, std::initializer_list<Arg> args, void *stream = nullptr) const {
    tilec_status *status = nullptr;
    tilec_code code = tilec_kernel_launch(handle.get(), {grid.x, grid.y, grid.z},
                                          reinterpret_cast<const tilec_arg *>(args.begin()),
                                          args.size(), stream, &status);
    return Status(status, code);
  }
  /// The C handle, borrowed.
  tilec_kernel *get() const { return handle.get(); }

private:
  std::shared_ptr<tilec_kernel> handle;
};

/// A loaded artifact.
class Program {
public:
  /// Takes ownership of one count of the handle.
  explicit Program(tilec_program *program) : handle(program, tilec_program_release) {}

  /// Without a name, the only kernel.
  Result<Kernel> kernel(const std::string &name = "") const {
    tilec_kernel *kernel = nullptr;
    tilec_status *status = nullptr;
    tilec_code code = tilec_program_kernel(handle.get(), name.c_str(), &kernel, &status);
    if (code != TILEC_OK)
      return Status(status, code);
    return Kernel(kernel);
  }
  /// The C handle, borrowed.
  tilec_program *get() const { return handle.get(); }

private:
  std::shared_ptr<tilec_program> handle;
};

/// A device: "ref", "sim", "cuda" or "cuda:N".
class Device {
public:
  /// See tilec_device_open.
  static Result<Device> open(const std::string &name) {
    tilec_device *device = nullptr;
    tilec_status *status = nullptr;
    tilec_code code = tilec_device_open(name.c_str(), &device, &status);
    if (code != TILEC_OK)
      return Status(status, code);
    return Device(device);
  }

  std::string name() const { return tilec_device_name(handle.get()); }
  std::string description() const { return tilec_device_description(handle.get()); }
  /// Options to compile for this device.
  CompileOptions compileOptions() const {
    CompileOptions options;
    options.target = tilec_device_target(handle.get());
    options.maxPtxVersion = tilec_device_max_ptx_version(handle.get());
    return options;
  }

  /// Loads what was compiled for this device. See tilec_program_load.
  Result<Program> load(const Artifact &artifact) const {
    tilec_program *program = nullptr;
    tilec_status *status = nullptr;
    tilec_code code = tilec_program_load(handle.get(), artifact.get(), &program, &status);
    if (code != TILEC_OK)
      return Status(status, code);
    return Program(program);
  }
  /// Memory of `bytes` bytes that nothing wrote.
  inline Result<Buffer> allocate(size_t bytes) const;
  /// Allocates memory for the elements and copies them there.
  template <typename T>
  Result<Buffer> upload(const std::vector<T> &values) const;

  /// Waits for all work; a kernel that failed on a GPU shows here.
  Status synchronize() const {
    tilec_status *status = nullptr;
    tilec_code code = tilec_device_synchronize(handle.get(), &status);
    return Status(status, code);
  }
  /// The C handle, borrowed.
  tilec_device *get() const { return handle.get(); }

private:
  explicit Device(tilec_device *device) : handle(device, tilec_device_release) {}
  std::shared_ptr<tilec_device> handle;
};

/// Memory of a device, freed with its owner: launches that use it must have ended. Moves only, and
/// is used by one thread at a time.
class Buffer {
public:
  Buffer(Buffer &&other) noexcept
      : device(std::move(other.device)), base(std::exchange(other.base, nullptr)),
        bytes(std::exchange(other.bytes, 0)) {}
  Buffer &operator=(Buffer &&other) noexcept {
    std::swap(device, other.device);
    std::swap(base, other.base);
    std::swap(bytes, other.bytes);
    return *this;
  }
  ~Buffer() {
    if (base)
      tilec_device_free(device.get(), base, nullptr);
  }

  /// Where the memory begins, for kernels; on a GPU not to be read by the host.
  void *address() const { return base; }
  /// In bytes.
  size_t size() const { return bytes; }

  /// Copies `length` bytes to the byte `offset` of the buffer, which must hold them.
  Status copyIn(const void *source, size_t length, size_t offset = 0) {
    tilec_status *status = nullptr;
    tilec_code code = tilec_device_copy_in(device.get(), static_cast<char *>(base) + offset, source,
                                           length, &status);
    return Status(status, code);
  }
  /// Copies `length` bytes from the byte `offset` of the buffer, which must hold them.
  Status copyOut(void *target, size_t length, size_t offset = 0) const {
    tilec_status *status = nullptr;
    tilec_code code = tilec_device_copy_out(
        device.get(), target, static_cast<const char *>(base) + offset, length, &status);
    return Status(status, code);
  }
  /// The whole buffer as elements.
  template <typename T>
  Result<std::vector<T>> download() const {
    std::vector<T> values(bytes / sizeof(T));
    if (Status status = copyOut(values.data(), values.size() * sizeof(T)); !status)
      return status;
    return values;
  }
  /// Sets every byte.
  Status fill(int byte) {
    tilec_status *status = nullptr;
    tilec_code code = tilec_device_fill(device.get(), base, byte, bytes, &status);
    return Status(status, code);
  }

private:
  friend class Device;
  Buffer(Device device, void *base, size_t bytes)
      : device(std::move(device)), base(base), bytes(bytes) {}
  Device device;
  void *base;
  size_t bytes;
};

inline Arg::Arg(const Buffer &buffer) : Arg(static_cast<const void *>(buffer.address())) {}

inline Result<Buffer> Device::allocate(size_t bytes) const {
  void *base = nullptr;
  tilec_status *status = nullptr;
  tilec_code code = tilec_device_allocate(handle.get(), bytes, &base, &status);
  if (code != TILEC_OK)
    return Status(status, code);
  return Buffer(*this, base, bytes);
}

template <typename T>
Result<Buffer> Device::upload(const std::vector<T> &values) const {
  static_assert(std::is_trivially_copyable_v<T>, "the bytes are copied");
  Result<Buffer> buffer = allocate(values.size() * sizeof(T));
  if (buffer)
    if (Status status = buffer->copyIn(values.data(), buffer->size()); !status)
      return status;
  return buffer;
}

} // namespace tilec

#endif // TILEC_TILEC_HPP
