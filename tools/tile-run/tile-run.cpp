// tile-run: runs a kernel on a device. See lib/Driver/TileRunMain.cpp.

#include "lib/Driver/Tools.h"

int main(int argc, char **argv) {
  llvm::ArrayRef<const char *> args(argv, argc);
  tilec::ToolStreams streams{llvm::outs(), llvm::errs()};
  return tilec::finishTool(streams, "tile-run",
                           tilec::tileRunMain(args.drop_front(argc ? 1 : 0), streams));
}
