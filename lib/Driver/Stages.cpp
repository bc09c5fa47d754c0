// The stages of a compilation as the command line names them.

#include "lib/Driver/Compiler.h"

#include "llvm/ADT/STLExtras.h"

using namespace tilec;

static constexpr StageInfo kStages[] = {
    {Stage::AST, "ast", ".ast", "the syntax tree"},
    {Stage::Tile, "tile", ".tile.mlir", "the tile dialect: what the program means"},
    {Stage::TileGPU, "tilegpu", ".tilegpu.mlir", "the tilegpu dialect: with layouts"},
    {Stage::LLVM, "llvm", ".ll", "LLVM IR, optimized"},
    {Stage::PTX, "ptx", ".ptx", "PTX"},
};

llvm::ArrayRef<StageInfo> tilec::getStages() { return kStages; }

std::optional<Stage> tilec::findStage(llvm::StringRef name) {
  const StageInfo *info =
      llvm::find_if(kStages, [&](const StageInfo &stage) { return stage.name == name; });
  if (info == std::end(kStages))
    return std::nullopt;
  return info->stage;
}
