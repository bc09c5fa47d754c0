// The pass that expands math operations into arithmetic and hardware approximations.
#ifndef TILEC_DIALECTS_TILEGPU_TRANSFORMS_EXPANDMATH_EXPANDMATH_H
#define TILEC_DIALECTS_TILEGPU_TRANSFORMS_EXPANDMATH_EXPANDMATH_H

#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"

#include <memory>

namespace tilec::tilegpu {

#define GEN_PASS_DECL
#include "dialects/TileGPU/Transforms/ExpandMath/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "dialects/TileGPU/Transforms/ExpandMath/Passes.h.inc"

} // namespace tilec::tilegpu

namespace tilec {

/// Registers `tilegpu-expand-math` by name.
inline void registerExpandMathPasses() { tilegpu::registerTileGPUExpandMathPasses(); }

} // namespace tilec

#endif // TILEC_DIALECTS_TILEGPU_TRANSFORMS_EXPANDMATH_EXPANDMATH_H
