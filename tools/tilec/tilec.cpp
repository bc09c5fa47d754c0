// tilec: the compiler. See lib/Driver/TilecMain.cpp.

#include "lib/Driver/Tools.h"

int main(int argc, char **argv) {
  llvm::ArrayRef<const char *> args(argv, argc);
  tilec::ToolStreams streams{llvm::outs(), llvm::errs()};
  return tilec::finishTool(streams, "tilec",
                           tilec::tilecMain(args.drop_front(argc ? 1 : 0), streams));
}
