// Reads kernel metadata from the attributes of functions.

#include "lib/Driver/Metadata.h"
#include "dialects/Tile/IR/Tile.h"
#include "dialects/TileGPU/IR/TileGPU.h"
#include "lib/Frontend/MLIRGen/Frontend.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace tilec {

static ScalarKind getScalarKind(Type type) {
  if (isa<tile::PtrType>(type))
    return ScalarKind::Pointer;
  if (auto integer = dyn_cast<IntegerType>(type)) {
    switch (integer.getWidth()) {
    case 1:
      return ScalarKind::I1;
    case 8:
      return ScalarKind::I8;
    case 16:
      return ScalarKind::I16;
    case 32:
      return ScalarKind::I32;
    default:
      return ScalarKind::I64;
    }
  }
  if (type.isF16())
    return ScalarKind::F16;
  if (type.isBF16())
    return ScalarKind::BF16;
  return type.isF64() ? ScalarKind::F64 : ScalarKind::F32;
}

/// A type as signatures spell it, if the front end left no spelling.
static std::string spellType(Type type) {
  if (auto pointer = dyn_cast<tile::PtrType>(type))
    return "*" + spellType(pointer.getPointeeType());
  if (auto integer = dyn_cast<IntegerType>(type))
    return "i" + std::to_string(integer.getWidth());
  if (type.isF16())
    return "fp16";
  if (type.isBF16())
    return "bf16";
  if (type.isF64())
    return "fp64";
  if (isa<Float8E4M3FNType>(type))
    return "fp8e4nv";
  if (isa<Float8E5M2Type>(type))
    return "fp8e5";
  return "fp32";
}

std::vector<KernelMetadata> readKernels(ModuleOp module) {
  std::vector<KernelMetadata> kernels;
  for (func::FuncOp function : module.getOps<func::FuncOp>()) {
    if (!function->hasAttr(tile::kKernelAttr))
      continue;
    KernelMetadata kernel;
    kernel.name = function.getName().str();
    for (unsigned index = 0, count = function.getNumArguments(); index != count; ++index) {
      Type type = function.getArgumentTypes()[index];
      ParamMetadata param;
      auto name = function.getArgAttrOfType<StringAttr>(index, tile::kNameAttr);
      param.name = name ? name.str() : "arg" + std::to_string(index);
      auto spelling = function.getArgAttrOfType<StringAttr>(index, kTypeAttr);
      param.type = spelling ? spelling.str() : spellType(type);
      param.kind = getScalarKind(type);
      auto divisibility = function.getArgAttrOfType<IntegerAttr>(index, tile::kDivisibilityAttr);
      if (divisibility && divisibility.getInt() > 1)
        param.divisibility = divisibility.getInt();
      kernel.params.push_back(std::move(param));
    }
    kernels.push_back(std::move(kernel));
  }
  return kernels;
}

void readLaunchFacts(ModuleOp module, std::vector<KernelMetadata> &kernels) {
  for (KernelMetadata &kernel : kernels) {
    Operation *function = module.lookupSymbol(kernel.name);
    if (!function)
      continue;
    if (auto warps = function->getAttrOfType<IntegerAttr>(tilegpu::kNumWarpsAttr))
      kernel.numWarps = static_cast<unsigned>(warps.getInt());
    if (auto bytes = function->getAttrOfType<IntegerAttr>(tilegpu::kSharedBytesAttr))
      kernel.sharedBytes = bytes.getInt();
  }
}

} // namespace tilec
