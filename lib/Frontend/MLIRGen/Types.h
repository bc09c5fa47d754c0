// The front end's types: elements with signedness, and values of a shape.
#ifndef TILEC_LIB_FRONTEND_MLIRGEN_TYPES_H
#define TILEC_LIB_FRONTEND_MLIRGEN_TYPES_H

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>
#include <string>

namespace tilec::frontend {

/// Scalar types in the order of their kinds: boolean, integers, floats.
enum class Scalar : uint8_t {
  Void,
  I1,
  I8,
  I16,
  I32,
  I64,
  U8,
  U16,
  U32,
  U64,
  FP8E4NV,
  FP8E5,
  FP8E4B15, ///< Of bits in an i8: only moved and cast.
  FP8E4B8,  ///< Known by name only, as FP8E5B16.
  FP8E5B16,
  FP16,
  BF16,
  FP32,
  FP64,
};

/// Kinds as promotion orders them [R1].
enum class Kind : uint8_t { Boolean, Integer, Float };

/// The type of an element: a scalar, or a pointer to one.
struct DType {
  Scalar scalar = Scalar::Void;
  bool pointer = false;

  DType() = default;
  constexpr DType(Scalar scalar, bool pointer = false) : scalar(scalar), pointer(pointer) {}

  bool operator==(DType other) const { return scalar == other.scalar && pointer == other.pointer; }
  bool operator!=(DType other) const { return !(*this == other); }

  bool isPointer() const { return pointer; }
  bool isBool() const { return !pointer && scalar == Scalar::I1; }
  /// Integers, with i1.
  bool isInt() const { return !pointer && scalar >= Scalar::I1 && scalar <= Scalar::U64; }
  bool isSigned() const { return !pointer && scalar >= Scalar::I8 && scalar <= Scalar::I64; }
  /// Unsigned integers, with i1.
  bool isUnsigned() const { return isInt() && !isSigned(); }
  bool isFloat() const { return !pointer && scalar >= Scalar::FP8E4NV; }
  bool isFP8() const { return isFloat() && scalar <= Scalar::FP8E5B16; }
  /// A type of Triton that no GPU of NVIDIA has.
  bool isForeign() const { return scalar == Scalar::FP8E4B8 || scalar == Scalar::FP8E5B16; }
  Kind getKind() const {
    return isFloat() ? Kind::Float : isBool() ? Kind::Boolean : Kind::Integer;
  }
  /// Bits of a value; 64 for a pointer.
  unsigned getBits() const;
  /// The bits of the significand, the hidden one left out; 0 if not a float.
  unsigned getMantissaBits() const;
  DType getPointee() const { return DType(scalar); }
  DType getPointerTo() const { return DType(pointer ? Scalar::I64 : scalar, true); }

  /// The MLIR type of a scalar; pointers to i1 point to i8 [R13].
  mlir::Type toMLIR(mlir::MLIRContext *context) const;
  /// As signatures spell it: "i32", "*fp16".
  std::string str() const;
  /// As Triton's types print: "int32", "fp16", "pointer<fp16>".
  std::string getName() const;
};

llvm::raw_ostream &operator<<(llvm::raw_ostream &os, DType type);

/// Reads "i32", "u8", "fp16", "B", "*fp32", "**fp32" or a long name such as "float16" and "int1".
/// None if it is no type.
std::optional<DType> parseDType(llvm::StringRef text);

/// An element type and a shape; no extents means a scalar. The shape is owned by an MLIR type.
struct TileType {
  DType element;
  llvm::ArrayRef<int64_t> shape;

  TileType() = default;
  TileType(DType element, llvm::ArrayRef<int64_t> shape = {}) : element(element), shape(shape) {}
  bool operator==(const TileType &other) const {
    return element == other.element && shape == other.shape;
  }
  bool operator!=(const TileType &other) const { return !(*this == other); }
  bool isScalar() const { return shape.empty(); }
  int64_t getNumElements() const;
  mlir::Type toMLIR(mlir::MLIRContext *context) const;
  /// "fp32[128, 64]", or "fp32" for a scalar.
  std::string str() const;
};

llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const TileType &type);

/// "[128, 64]".
std::string shapeToString(llvm::ArrayRef<int64_t> shape);

/// Most elements that a tensor may have [R10].
constexpr int64_t kMaxElements = 1048576;

} // namespace tilec::frontend

#endif // TILEC_LIB_FRONTEND_MLIRGEN_TYPES_H
