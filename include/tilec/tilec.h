/* The C interface of libtilec: compile block-level kernels, load them on a device, launch them.
 *
 *     tilec_status *status = NULL;
 *     tilec_artifact *artifact = NULL;
 *     if (tilec_compile_file("softmax.tile", NULL, &artifact, &status))
 *       fputs(tilec_status_message(status), stderr);
 *
 * Conventions, which hold for every function unless it says otherwise:
 *  - A function that can fail returns a tilec_code and takes a `tilec_status **status`, or NULL.
 *    A failure stores a status there that the caller releases. Success stores NULL or, from the
 *    compile functions, a status of code TILEC_OK that holds warnings.
 *  - Outputs are written only on success; on failure an output handle is set to NULL.
 *  - Handles are counted references. What a function returns in an output the caller owns and gives
 *    up with tilec_X_release; tilec_X_retain makes one more owner. A kernel keeps its program alive
 *    and a program its device, so they may be released in any order. Releasing NULL does nothing.
 *  - Text is UTF-8, ends with a 0 byte, and lives as long as the handle it came from.
 *  - All functions may be called from any thread at any time. One handle may be used by many
 *    threads at once.
 *  - NULL, wrong kinds, numbers, sizes and names are errors, and no crash. What cannot be seen is not
 *    checked: that a handle has an owner still, and that lengths are those of the caller's memory.
 *  - An artifact is code: the checksum finds damage, not malice.
 *  - Nothing here prints, ends the process, or throws.
 */
#ifndef TILEC_TILEC_H
#define TILEC_TILEC_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define TILEC_API __attribute__((visibility("default")))
#else
#define TILEC_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* --- Version ------------------------------------------------------------------------------ */

/* The version of the library that runs, such as "0.1.0". */
TILEC_API const char *tilec_version(void);

/* --- Status -------------------------------------------------------------------------------- */

typedef enum tilec_code {
  TILEC_OK = 0,
  TILEC_INVALID_ARGUMENT = 1, /* the caller passed something that cannot be meant */
  TILEC_NOT_FOUND = 2,        /* no file, kernel or device of that name */
  TILEC_COMPILE_ERROR = 3,    /* the source, or the assembled program, was rejected */
  TILEC_NO_DRIVER = 4,        /* no CUDA driver, or one that is too old */
  TILEC_DRIVER_ERROR = 5,     /* the CUDA driver refused a call */
  TILEC_OUT_OF_MEMORY = 6,    /* the device has no memory left */
  TILEC_KERNEL_FAULT = 7,     /* a checked device caught the kernel: out of bounds, a race, ... */
  TILEC_BAD_ARTIFACT = 8,     /* a saved artifact is damaged or of another version */
  TILEC_UNSUPPORTED = 9,      /* the device or target cannot do this */
  TILEC_INTERNAL = 10         /* a defect of the library */
} tilec_code;

typedef enum tilec_severity {
  TILEC_ERROR = 0,
  TILEC_WARNING = 1,
  TILEC_NOTE = 2, /* belongs to the diagnostic before it that is not a note */
  TILEC_REMARK = 3
} tilec_severity;

/* One message of the compiler. */
typedef struct tilec_diagnostic {
  tilec_severity severity;
  const char *file;  /* "" if the message is about no place */
  unsigned line;     /* counts from 1; 0 if there is no place */
  unsigned column;   /* counts from 1, in code points; 0 if there is no place */
  unsigned end_line; /* the range ends before this place */
  unsigned end_column;
  const char *text; /* lower-case first letter, no full stop */
} tilec_diagnostic;

typedef struct tilec_status tilec_status;

/* A status of NULL is OK: its message is "", its code TILEC_OK. */
TILEC_API tilec_code tilec_status_code(const tilec_status *status);
/* What went wrong, in one line or, for the compiler, as a terminal shows it: every diagnostic with
 * its source line and a caret. */
TILEC_API const char *tilec_status_message(const tilec_status *status);
/* The CUDA driver's name for the error, such as "CUDA_ERROR_OUT_OF_MEMORY"; "" if none. */
TILEC_API const char *tilec_status_driver_error(const tilec_status *status);
TILEC_API size_t tilec_status_num_diagnostics(const tilec_status *status);
/* Stores diagnostic `index`. Returns TILEC_INVALID_ARGUMENT if there is none. */
TILEC_API tilec_code tilec_status_diagnostic(const tilec_status *status, size_t index,
                                             tilec_diagnostic *diagnostic);
/* A status is not counted: it has one owner. */
TILEC_API void tilec_status_release(tilec_status *status);

/* --- Compiling ----------------------------------------------------------------------------- */

typedef struct tilec_artifact tilec_artifact;

typedef struct tilec_define {
  const char *name;
  const char *value; /* as -D takes it: "128", "True", "tl.float16", "'relu'" */
} tilec_define;

/* How to compile. Zero and NULL in a field choose its default, so start from
 *     tilec_compile_options options = TILEC_COMPILE_OPTIONS_INIT; */
typedef struct tilec_compile_options {
  size_t struct_size;         /* sizeof(tilec_compile_options) */
  const char *const *kernels; /* NULL: every kernel whose parameters have types */
  size_t num_kernels;
  const char *signature; /* types of the parameters, if the file does not say them */
  const tilec_define *defines;
  size_t num_defines;
  int num_warps;       /* 0: chosen by the compiler */
  int num_stages;      /* buffers of a pipelined loop, 0: chosen; without effect so far */
  const char *target;  /* NULL: "sm_90a"; see tilec_device_target */
  int max_ptx_version; /* the newest PTX to write, 83 for 8.3; 0: no limit */
  const char *const *include_dirs;
  size_t num_include_dirs;
  int line_info; /* nonzero: source lines in the PTX */
  int opt_level; /* 1 to 3, or -1 for none; 0: the default */
  int enable_asserts; /* nonzero: kernels check their assertions when they run */
} tilec_compile_options;

#define TILEC_COMPILE_OPTIONS_INIT                                                                 \
  {sizeof(tilec_compile_options), NULL, 0, NULL, NULL, 0, 0, 0, NULL, 0, NULL, 0, 0, 0, 0}

/* Compiles `length` bytes of source. `name` stands for the file in messages. `options` may be NULL.
 * Fails with TILEC_COMPILE_ERROR and diagnostics. */
TILEC_API tilec_code tilec_compile(const char *name, const char *source, size_t length,
                                   const tilec_compile_options *options, tilec_artifact **artifact,
                                   tilec_status **status);
/* Compiles a file. Fails also with TILEC_NOT_FOUND. */
TILEC_API tilec_code tilec_compile_file(const char *path, const tilec_compile_options *options,
                                        tilec_artifact **artifact, tilec_status **status);

/* The PTX, and its number of bytes if `length` is not NULL. */
TILEC_API const char *tilec_artifact_ptx(const tilec_artifact *artifact, size_t *length);
/* The target that the PTX is for, such as "sm_90a". */
TILEC_API const char *tilec_artifact_target(const tilec_artifact *artifact);
TILEC_API size_t tilec_artifact_num_kernels(const tilec_artifact *artifact);
/* The name of kernel `index`; NULL if there is none. */
TILEC_API const char *tilec_artifact_kernel_name(const tilec_artifact *artifact, size_t index);

/* What is known of a kernel. */
typedef struct tilec_kernel_info {
  const char *name;
  size_t num_params;     /* run-time parameters: constexpr ones are not among them; a tensor
                            descriptor is its address, shape and strides, one after the other */
  unsigned num_warps;    /* a block has 32 times as many threads */
  uint64_t shared_bytes; /* shared memory of a block */
} tilec_kernel_info;

typedef struct tilec_param_info {
  const char *name;
  const char *type;      /* "*fp32", "i32", "bf16" */
  size_t size;           /* bytes of the value */
  uint64_t divisibility; /* the value, or address in bytes, must be a multiple of this */
} tilec_param_info;

/* TILEC_NOT_FOUND if there is no such kernel or parameter. */
TILEC_API tilec_code tilec_artifact_kernel_info(const tilec_artifact *artifact, size_t kernel,
                                                tilec_kernel_info *info);
TILEC_API tilec_code tilec_artifact_param_info(const tilec_artifact *artifact, size_t kernel,
                                               size_t param, tilec_param_info *info);

/* The artifact as bytes, which live as long as the artifact. */
TILEC_API tilec_code tilec_artifact_save(tilec_artifact *artifact, const void **data,
                                         size_t *length, tilec_status **status);
/* Makes an artifact from bytes that tilec_artifact_save gave. Damaged bytes are TILEC_BAD_ARTIFACT.
 */
TILEC_API tilec_code tilec_artifact_load(const void *data, size_t length, tilec_artifact **artifact,
                                         tilec_status **status);
TILEC_API tilec_artifact *tilec_artifact_retain(tilec_artifact *artifact);
TILEC_API void tilec_artifact_release(tilec_artifact *artifact);

/* --- Devices ------------------------------------------------------------------------------- */

typedef struct tilec_device tilec_device;

/* Opens a device by name:
 *   "cuda:N"  the primary context of GPU N, as the CUDA run-time library uses it
 *   "cuda"    the context current on this thread if there is one, else as "cuda:0"
 *   "sim"     a simulated GPU on the CPU that checks every memory access
 *   "ref"     a reference interpreter of the language
 * Fails with TILEC_NOT_FOUND or TILEC_NO_DRIVER. */
TILEC_API tilec_code tilec_device_open(const char *name, tilec_device **device,
                                       tilec_status **status);
/* "cuda:0" */
TILEC_API const char *tilec_device_name(const tilec_device *device);
/* One line about the device, for people. */
TILEC_API const char *tilec_device_description(const tilec_device *device);
/* The target to compile for: tilec_compile_options.target. */
TILEC_API const char *tilec_device_target(const tilec_device *device);
/* The newest PTX that the device's driver takes: tilec_compile_options.max_ptx_version. */
TILEC_API int tilec_device_max_ptx_version(const tilec_device *device);
TILEC_API tilec_device *tilec_device_retain(tilec_device *device);
TILEC_API void tilec_device_release(tilec_device *device);

/* Device memory, for programs without their own. On `cuda` these are plain driver allocations, and
 * memory that came from elsewhere serves as well. On `sim` and `ref` a kernel may touch only memory
 * that was allocated here; its address is also an address in this process. */
TILEC_API tilec_code tilec_device_allocate(tilec_device *device, size_t bytes, void **address,
                                           tilec_status **status);
/* Frees what tilec_device_allocate gave. NULL does nothing. */
TILEC_API tilec_code tilec_device_free(tilec_device *device, void *address, tilec_status **status);
/* The copies return when the data has arrived. They wait for work on the default stream only. */
TILEC_API tilec_code tilec_device_copy_in(tilec_device *device, void *target, const void *source,
                                          size_t bytes, tilec_status **status);
TILEC_API tilec_code tilec_device_copy_out(tilec_device *device, void *target, const void *source,
                                           size_t bytes, tilec_status **status);
/* Sets every byte. */
TILEC_API tilec_code tilec_device_fill(tilec_device *device, void *target, int byte, size_t bytes,
                                       tilec_status **status);
/* Waits for all work on the device. On cuda a kernel that failed shows here. */
TILEC_API tilec_code tilec_device_synchronize(tilec_device *device, tilec_status **status);

/* --- Programs and kernels ------------------------------------------------------------------ */

typedef struct tilec_program tilec_program;
typedef struct tilec_kernel tilec_kernel;

/* Loads an artifact; everything that a launch needs is done here. The artifact may be released. */
TILEC_API tilec_code tilec_program_load(tilec_device *device, const tilec_artifact *artifact,
                                        tilec_program **program, tilec_status **status);
TILEC_API tilec_program *tilec_program_retain(tilec_program *program);
/* A program that was launched into a CUDA graph stays loaded after its last release, because the
 * graph may run again; any other is unloaded, which is safe while a stream is being captured. */
TILEC_API void tilec_program_release(tilec_program *program);

/* Finds a kernel. A name of NULL or "" means the only one. */
TILEC_API tilec_code tilec_program_kernel(tilec_program *program, const char *name,
                                          tilec_kernel **kernel, tilec_status **status);
/* What is known of the kernel. */
TILEC_API tilec_code tilec_kernel_get_info(const tilec_kernel *kernel, tilec_kernel_info *info);
TILEC_API tilec_code tilec_kernel_get_param_info(const tilec_kernel *kernel, size_t param,
                                                 tilec_param_info *info);
TILEC_API tilec_kernel *tilec_kernel_retain(tilec_kernel *kernel);
TILEC_API void tilec_kernel_release(tilec_kernel *kernel);

/* --- Launching ----------------------------------------------------------------------------- */

typedef enum tilec_arg_kind {
  TILEC_ARG_POINTER = 0,
  TILEC_ARG_INT = 1,  /* i1 to i64; must fit the parameter. Also taken where a float is expected */
  TILEC_ARG_FLOAT = 2 /* fp16, bf16, fp32, fp64: rounded to the parameter's type */
} tilec_arg_kind;

typedef struct tilec_arg {
  tilec_arg_kind kind;
  union {
    const void *pointer;
    int64_t integer;
    double real;
  } value;
} tilec_arg;

/* The number of programs along each axis: x up to 2^31 - 1, y and z up to 65535. If one is 0 the
 * launch does nothing and succeeds. */
typedef struct tilec_grid {
  uint64_t x, y, z;
} tilec_grid;

/* Launches on `stream`, a CUstream, or NULL for the default stream; `sim` and `ref` ignore it and
 * have run the kernel when the call returns. The arguments are checked against the parameters:
 * number, kind, range and promised divisibility, and on a machine with several GPUs that pointers
 * can be reached from this one. Never synchronizes and, up to 32 arguments, never allocates. Works
 * on a thread that has no CUDA context, and while the stream is being captured. */
TILEC_API tilec_code tilec_kernel_launch(tilec_kernel *kernel, tilec_grid grid,
                                         const tilec_arg *args, size_t num_args, void *stream,
                                         tilec_status **status);
/* The same with arguments as cuLaunchKernel takes them: params[i] points to a value of the size of
 * parameter i. Checks their number and the divisibility only. */
TILEC_API tilec_code tilec_kernel_launch_params(tilec_kernel *kernel, tilec_grid grid,
                                                const void *const *params, size_t num_params,
                                                void *stream, tilec_status **status);

#ifdef __cplusplus
}
#endif

#endif /* TILEC_TILEC_H */
