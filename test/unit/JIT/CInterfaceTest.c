/* tilec.h from C99: compile a kernel, run it on a device, read what went wrong with another. */

#include "tilec/tilec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures = 0;

static void check(int condition, const char *text, int line, tilec_status *status) {
  if (condition)
    return;
  ++failures;
  fprintf(stderr, "line %d: %s: %s\n", line, text, tilec_status_message(status));
}
#define CHECK(condition) check((condition) != 0, #condition, __LINE__, status)

static const char *const kAdd =
    "@triton.jit\n"
    "def add(x: \"*fp32\", y: \"*fp32\", out: \"*fp32\", n: \"i32\", BLOCK: tl.constexpr):\n"
    "    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)\n"
    "    m = i < n\n"
    "    tl.store(out + i, tl.load(x + i, mask=m) + tl.load(y + i, mask=m), mask=m)\n";

enum { kSize = 1000 };

static void runOn(const char *name) {
  tilec_status *status = NULL;
  tilec_device *device = NULL;
  tilec_artifact *artifact = NULL;
  tilec_program *program = NULL;
  tilec_kernel *kernel = NULL;
  tilec_compile_options options = TILEC_COMPILE_OPTIONS_INIT;
  tilec_define block = {"BLOCK", "128"};
  float in[kSize], out[kSize];
  void *memory[3] = {NULL, NULL, NULL};
  tilec_arg args[4];
  tilec_grid grid = {8, 1, 1};
  int i;

  options.defines = &block;
  options.num_defines = 1;
  CHECK(tilec_device_open(name, &device, &status) == TILEC_OK);
  CHECK(strcmp(tilec_device_name(device), name) == 0);
  CHECK(tilec_compile("add.tile", kAdd, strlen(kAdd), &options, &artifact, &status) == TILEC_OK);
  CHECK(tilec_program_load(device, artifact, &program, &status) == TILEC_OK);
  tilec_artifact_release(artifact);
  CHECK(tilec_program_kernel(program, NULL, &kernel, &status) == TILEC_OK);

  for (i = 0; i != kSize; ++i)
    in[i] = (float)i;
  for (i = 0; i != 3; ++i) {
    CHECK(tilec_device_allocate(device, sizeof in, &memory[i], &status) == TILEC_OK);
    args[i].kind = TILEC_ARG_POINTER;
    args[i].value.pointer = memory[i];
  }
  CHECK(tilec_device_copy_in(device, memory[0], in, sizeof in, &status) == TILEC_OK);
  CHECK(tilec_device_copy_in(device, memory[1], in, sizeof in, &status) == TILEC_OK);
  args[3].kind = TILEC_ARG_INT;
  args[3].value.integer = kSize;

  /* A kernel outlives the handles that it came from. */
  tilec_program_release(program);
  CHECK(tilec_kernel_launch(kernel, grid, args, 4, NULL, &status) == TILEC_OK);
  CHECK(tilec_device_synchronize(device, &status) == TILEC_OK);
  CHECK(tilec_device_copy_out(device, out, memory[2], sizeof out, &status) == TILEC_OK);
  for (i = 0; i != kSize; ++i)
    if (out[i] != 2.0f * (float)i) {
      CHECK(out[i] == 2.0f * (float)i);
      break;
    }

  for (i = 0; i != 3; ++i)
    CHECK(tilec_device_free(device, memory[i], &status) == TILEC_OK);
  tilec_device_release(device);
  tilec_kernel_release(kernel);
}

int main(void) {
  tilec_status *status = NULL;
  tilec_artifact *artifact = NULL;
  tilec_diagnostic diagnostic;

  runOn("ref");
  runOn("sim");

  CHECK(tilec_compile("bad.tile", "def f(:\n", 8, NULL, &artifact, &status) == TILEC_COMPILE_ERROR);
  CHECK(artifact == NULL);
  CHECK(tilec_status_num_diagnostics(status) >= 1);
  CHECK(tilec_status_diagnostic(status, 0, &diagnostic) == TILEC_OK);
  CHECK(strcmp(diagnostic.file, "bad.tile") == 0);
  CHECK(diagnostic.line == 1 && diagnostic.column >= 1);
  tilec_status_release(status);
  return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
