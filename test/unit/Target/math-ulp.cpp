// Prints the table of docs/math.md: the largest error of each expanded function.
//
//     math-ulp [STRIDE [NAME]]    every STRIDE-th float, 1 for all of them (the default is 101)
#include "test/unit/Target/MathModel.h"

#include <cstdio>
#include <cstdlib>
#include <string>

using namespace tilec::test;

int main(int argc, char **argv) {
  uint32_t stride = argc > 1 ? uint32_t(std::strtoul(argv[1], nullptr, 10)) : 101;
  if (stride == 0) {
    std::fprintf(stderr, "math-ulp: the stride must be a positive number\n");
    return 1;
  }
  std::printf("| function | f32 | at | f32, hardware off by its bound | f64 | at |\n"
              "|---|---|---|---|---|---|\n");
  for (const MathFunction &about : allMathFunctions()) {
    if (argc > 2 && std::string(argv[2]) != about.name)
      continue;
    HostFunction f32(about.op, false), f64(about.op, true);
    setPerturbation(0);
    Error plain = sweepF32(f32, about, stride);
    double hardware = 0;
    for (int direction : {-1, 1}) {
      setPerturbation(direction);
      hardware = std::max(hardware, sweepF32(f32, about, stride).ulps);
    }
    setPerturbation(0);
    Error wide = sweepF64(f64, about, 100000000 / stride);
    std::printf("| %s | %.2f | %a | %.2f | %.2f | %a |\n", about.name, plain.ulps, plain.argument,
                hardware, wide.ulps, wide.argument);
    std::fflush(stdout);
  }
  return 0;
}
