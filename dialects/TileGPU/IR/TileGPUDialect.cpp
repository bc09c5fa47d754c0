// The tilegpu dialect's registration and its layout attribute.
#include "dialects/TileGPU/IR/TileGPU.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::tilegpu;

#include "dialects/TileGPU/IR/TileGPUDialect.cpp.inc"
#include "dialects/TileGPU/IR/TileGPUEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/TileGPU/IR/TileGPUAttrs.cpp.inc"

namespace {
/// Prints layouts once, at the top of a file.
struct LayoutAliases : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;

  AliasResult getAlias(Attribute attr, raw_ostream &os) const override {
    if (!isa<LayoutAttr>(attr))
      return AliasResult::NoAlias;
    os << "layout";
    return AliasResult::FinalAlias;
  }
};
} // namespace

void TileGPUDialect::initialize() {
  addInterfaces<LayoutAliases>();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/TileGPU/IR/TileGPUAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/TileGPU/IR/TileGPUOps.cpp.inc"
      >();
}

Operation *TileGPUDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type,
                                               Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

//===--- Syntax: <register = [[0, 1]], lane = [...], warp = [...]> ------------===//

/// Parses `[b, b]` for rank one or `[[b, b], [b, b]]`; sets or checks `rank` (0: not known yet).
static ParseResult parseBases(AsmParser &parser, StringRef keyword, unsigned &rank,
                              SmallVectorImpl<int32_t> &bases) {
  if (parser.parseKeyword(keyword) || parser.parseEqual())
    return failure();
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    unsigned got = 0;
    int32_t value;
    auto parseOne = [&]() -> ParseResult {
      if (parser.parseInteger(value))
        return failure();
      bases.push_back(value);
      ++got;
      return success();
    };
    OptionalParseResult scalar = parser.parseOptionalInteger(value);
    if (scalar.has_value()) {
      if (failed(*scalar))
        return failure();
      bases.push_back(value);
      got = 1;
    } else if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseOne)) {
      return failure();
    }
    if (rank == 0)
      rank = got;
    if (got != rank || got == 0)
      return parser.emitError(loc, "basis has ") << got << " coordinates, expected " << rank;
    return success();
  });
}

Attribute LayoutAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  unsigned rank = 0;
  SmallVector<int32_t> registers, lanes, warps;
  // The lane bases are never empty, but stand second: remember where an empty list left the rank
  // open.
  if (parser.parseLess() || parseBases(parser, "register", rank, registers) ||
      parser.parseComma() || parseBases(parser, "lane", rank, lanes) || parser.parseComma() ||
      parseBases(parser, "warp", rank, warps) || parser.parseGreater())
    return {};
  if (rank == 0) {
    parser.emitError(loc, "layout has no basis");
    return {};
  }
  return parser.getChecked<LayoutAttr>(loc, parser.getContext(), rank, registers, lanes, warps);
}

void LayoutAttr::print(AsmPrinter &printer) const {
  auto bases = [&](StringRef keyword, ArrayRef<int32_t> values) {
    printer << keyword << " = [";
    for (size_t i = 0; i < values.size(); i += getRank()) {
      if (i)
        printer << ", ";
      if (getRank() == 1) {
        printer << values[i];
        continue;
      }
      printer << "[";
      llvm::interleaveComma(values.slice(i, getRank()), printer);
      printer << "]";
    }
    printer << "]";
  };
  printer << "<";
  bases("register", getRegisterBases());
  printer << ", ";
  bases("lane", getLaneBases());
  printer << ", ";
  bases("warp", getWarpBases());
  printer << ">";
}

/// As many as one thread has that holds the largest tensor of the language alone.
static constexpr unsigned kMaxRegisterBases = 20;

LogicalResult LayoutAttr::verify(function_ref<InFlightDiagnostic()> emitError, unsigned rank,
                                 ArrayRef<int32_t> registers, ArrayRef<int32_t> lanes,
                                 ArrayRef<int32_t> warps) {
  if (rank == 0)
    return emitError() << "layout must have a rank of at least 1";
  if (lanes.size() != 5 * rank)
    return emitError() << "layout has " << lanes.size() / rank << " lane bases, a warp needs 5";
  for (ArrayRef<int32_t> bases : {registers, lanes, warps})
    for (int32_t coordinate : bases)
      if (coordinate < 0)
        return emitError() << "layout coordinates must not be negative, got " << coordinate;
  if (registers.size() / rank > kMaxRegisterBases)
    return emitError() << "layout has " << registers.size() / rank << " register bases, at most "
                       << kMaxRegisterBases << " are allowed";
  if (warps.size() / rank > 5)
    return emitError() << "layout has 2^" << warps.size() / rank
                       << " warps, a program has at most 32";
  return success();
}

LogicalResult LayoutAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                                         function_ref<InFlightDiagnostic()> emitError) const {
  if (shape.size() != getRank())
    return emitError() << "layout has rank " << getRank() << ", the tensor has rank "
                       << shape.size();
  unsigned indexBits = 0;
  for (auto [dim, extent] : llvm::enumerate(shape)) {
    if (extent <= 0 || !llvm::isPowerOf2_64(extent))
      return emitError() << "extent " << extent << " of dim " << dim
                         << " must be a power of two in a tensor with a layout";
    for (ArrayRef<int32_t> bases : {getRegisterBases(), getLaneBases(), getWarpBases()})
      for (size_t i = dim; i < bases.size(); i += getRank())
        if (bases[i] >= extent)
          return emitError() << "layout reaches index " << bases[i] << " of dim " << dim
                             << ", whose extent is " << extent;
    indexBits += llvm::Log2_64(extent);
    if (indexBits > 31)
      return emitError() << "a tensor with a layout has at most 2^31 elements";
  }
  if (!toLinear(shape).isSurjective())
    return emitError() << "layout does not cover every element of the tensor";
  return success();
}

LayoutAttr tilec::tilegpu::layoutOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? dyn_cast_or_null<LayoutAttr>(tensor.getEncoding()) : LayoutAttr();
}

LinearLayout tilec::tilegpu::linearLayoutOf(RankedTensorType type) {
  return layoutOf(type).toLinear(type.getShape());
}

LinearLayout LayoutAttr::toLinear(ArrayRef<int64_t> shape) const {
  auto flatten = [&](ArrayRef<int32_t> bases) {
    SmallVector<uint64_t, 8> flat;
    for (size_t i = 0; i < bases.size(); i += getRank()) {
      uint64_t index = 0;
      for (size_t dim = 0; dim < shape.size(); ++dim)
        index = index * shape[dim] + bases[i + dim];
      flat.push_back(index);
    }
    return flat;
  };
  return LinearLayout(shape, flatten(getRegisterBases()), flatten(getLaneBases()),
                      flatten(getWarpBases()));
}

LayoutAttr LayoutAttr::get(MLIRContext *context, const LinearLayout &layout) {
  auto bases = [&](InDim dim) {
    SmallVector<int32_t> coordinates;
    for (unsigned bit = 0; bit < layout.getBases(dim).size(); ++bit)
      llvm::append_range(coordinates, layout.getBasis(dim, bit));
    return coordinates;
  };
  return get(context, layout.getRank(), bases(InDim::Register), bases(InDim::Lane),
             bases(InDim::Warp));
}
