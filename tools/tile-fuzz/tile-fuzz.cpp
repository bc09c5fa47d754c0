// tile-fuzz: random kernels on a device and the reference. See lib/Fuzz/TileFuzzMain.cpp.

#include "lib/Driver/Tools.h"
#include "lib/Fuzz/Fuzz.h"

int main(int argc, char **argv) {
  llvm::ArrayRef<const char *> args(argv, argc);
  tilec::ToolStreams streams{llvm::outs(), llvm::errs()};
  return tilec::finishTool(streams, "tile-fuzz",
                           tilec::fuzz::tileFuzzMain(args.drop_front(argc ? 1 : 0), streams));
}
