// Spelling of the front end's types, and their MLIR types.
#include "lib/Frontend/MLIRGen/Types.h"

#include "dialects/Tile/IR/Tile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace tilec::frontend {

static llvm::StringRef spell(Scalar scalar) {
  static constexpr llvm::StringLiteral names[] = {
      "void",    "i1",    "i8",       "i16",     "i32",      "i64",  "u8",   "u16",  "u32", "u64",
      "fp8e4nv", "fp8e5", "fp8e4b15", "fp8e4b8", "fp8e5b16", "fp16", "bf16", "fp32", "fp64"};
  return names[static_cast<unsigned>(scalar)];
}

unsigned DType::getBits() const {
  if (pointer)
    return 64;
  switch (scalar) {
  case Scalar::Void:
    return 0;
  case Scalar::I1:
    return 1;
  case Scalar::I8:
  case Scalar::U8:
  case Scalar::FP8E4NV:
  case Scalar::FP8E5:
  case Scalar::FP8E4B15:
  case Scalar::FP8E4B8:
  case Scalar::FP8E5B16:
    return 8;
  case Scalar::I16:
  case Scalar::U16:
  case Scalar::FP16:
  case Scalar::BF16:
    return 16;
  case Scalar::I32:
  case Scalar::U32:
  case Scalar::FP32:
    return 32;
  case Scalar::I64:
  case Scalar::U64:
  case Scalar::FP64:
    return 64;
  }
  llvm_unreachable("bad scalar");
}

unsigned DType::getMantissaBits() const {
  if (pointer)
    return 0;
  switch (scalar) {
  case Scalar::FP8E4NV:
  case Scalar::FP8E4B15:
  case Scalar::FP8E4B8:
    return 3;
  case Scalar::FP8E5:
  case Scalar::FP8E5B16:
    return 2;
  case Scalar::FP16:
    return 10;
  case Scalar::BF16:
    return 7;
  case Scalar::FP32:
    return 23;
  case Scalar::FP64:
    return 52;
  default:
    return 0;
  }
}

static Type scalarToMLIR(Scalar scalar, MLIRContext *context) {
  switch (scalar) {
  case Scalar::FP8E4NV:
    return Float8E4M3FNType::get(context);
  case Scalar::FP8E5:
    return Float8E5M2Type::get(context);
  case Scalar::FP16:
    return Float16Type::get(context);
  case Scalar::BF16:
    return BFloat16Type::get(context);
  case Scalar::FP32:
    return Float32Type::get(context);
  case Scalar::FP64:
    return Float64Type::get(context);
  default:
    return IntegerType::get(context, DType(scalar).getBits());
  }
}

Type DType::toMLIR(MLIRContext *context) const {
  if (!pointer)
    return scalarToMLIR(scalar, context);
  Scalar stored = scalar == Scalar::I1 || scalar == Scalar::Void ? Scalar::I8 : scalar;
  return tile::PtrType::get(scalarToMLIR(stored, context));
}

std::string DType::str() const { return ((pointer ? "*" : "") + spell(scalar)).str(); }

std::string DType::getName() const {
  if (pointer)
    return "pointer<" + getPointee().getName() + ">";
  if (!isInt())
    return str();
  return (isUnsigned() && !isBool() ? "uint" : "int") + std::to_string(getBits());
}

llvm::raw_ostream &operator<<(llvm::raw_ostream &os, DType type) { return os << type.str(); }

std::optional<DType> parseDType(llvm::StringRef text) {
  text = text.trim();
  if (text.consume_front("*")) {
    std::optional<DType> pointee = parseDType(text);
    if (!pointee)
      return std::nullopt;
    return pointee->getPointerTo();
  }
  return llvm::StringSwitch<std::optional<DType>>(text)
      .Cases({"i1", "int1", "B", "bool", "u1"}, DType(Scalar::I1))
      .Cases({"i8", "int8"}, DType(Scalar::I8))
      .Cases({"i16", "int16"}, DType(Scalar::I16))
      .Cases({"i32", "int32", "i"}, DType(Scalar::I32))
      .Cases({"i64", "int64"}, DType(Scalar::I64))
      .Cases({"u8", "uint8"}, DType(Scalar::U8))
      .Cases({"u16", "uint16"}, DType(Scalar::U16))
      .Cases({"u32", "uint32"}, DType(Scalar::U32))
      .Cases({"u64", "uint64"}, DType(Scalar::U64))
      .Cases({"fp8e4nv", "float8e4nv", "float8_e4m3fn"}, DType(Scalar::FP8E4NV))
      .Cases({"fp8e5", "float8e5", "float8_e5m2"}, DType(Scalar::FP8E5))
      .Cases({"fp8e4b15", "float8e4b15"}, DType(Scalar::FP8E4B15))
      .Cases({"fp16", "float16", "f16", "half"}, DType(Scalar::FP16))
      .Cases({"bf16", "bfloat16"}, DType(Scalar::BF16))
      .Cases({"fp32", "float32", "f32", "f"}, DType(Scalar::FP32))
      .Cases({"fp64", "float64", "f64", "double"}, DType(Scalar::FP64))
      .Case("void", DType(Scalar::Void))
      .Default(std::nullopt);
}

int64_t TileType::getNumElements() const {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

Type TileType::toMLIR(MLIRContext *context) const {
  Type type = element.toMLIR(context);
  return shape.empty() ? type : RankedTensorType::get(shape, type);
}

std::string shapeToString(llvm::ArrayRef<int64_t> shape) {
  std::string text = "[";
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(shape, os);
  os << "]";
  return text;
}

std::string TileType::str() const {
  return shape.empty() ? element.str() : element.str() + shapeToString(shape);
}

llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const TileType &type) {
  return os << type.str();
}

} // namespace tilec::frontend
