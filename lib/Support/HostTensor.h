// Tensors in host memory: .npy files, values given on a command line, and their comparison.
#ifndef TILEC_LIB_SUPPORT_HOSTTENSOR_H
#define TILEC_LIB_SUPPORT_HOSTTENSOR_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tilec {

/// Element types in host memory. Booleans are one byte each.
enum class DType : uint8_t {
  I1,
  I8,
  I16,
  I32,
  I64,
  U8,
  U16,
  U32,
  U64,
  FP16,
  BF16,
  FP32,
  FP64,
  FP8E4NV,  ///< E4M3 with NaN and without infinities; the largest is 448.
  FP8E5,    ///< E5M2.
  FP8E4B15, ///< E4M3 with a bias of 15, without infinities and NaN.
};

/// The language's name: "fp32", "i1", "fp8e4nv".
llvm::StringRef getName(DType dtype);
/// The type of a name; also accepts "f16", "f32", "f64", "float16", "float32", "float64",
/// "bfloat16", "int1" to "int64", "uint8" to "uint64", "bool".
std::optional<DType> parseDType(llvm::StringRef name);
/// All names, comma-separated, for messages.
std::string listDTypes();
/// Size of an element in bytes.
unsigned getByteSize(DType dtype);
/// fp8, fp16, bf16, fp32, fp64.
bool isFloat(DType dtype);
/// i8 to i64.
bool isSignedInt(DType dtype);

/// A dense row-major tensor that owns its elements.
struct HostTensor {
  DType dtype = DType::FP32;
  std::vector<int64_t> shape;
  std::vector<uint8_t> bytes;

  HostTensor() = default;
  /// All elements zero.
  HostTensor(DType dtype, std::vector<int64_t> shape);

  int64_t getNumElements() const;
  /// Element `i` in row-major order. 64-bit integers beyond 2^53 are rounded.
  double getFloat(int64_t i) const;
  /// Element `i`; a float is truncated towards zero and saturated.
  int64_t getInt(int64_t i) const;
  /// Rounds to nearest even. Saturates for integers and fp8; NaN becomes 0 for integers.
  void setFloat(int64_t i, double value);
  /// Keeps the low bits for integers; rounds once for floats.
  void setInt(int64_t i, int64_t value);
  /// "fp32[1823, 781]".
  std::string describe() const;
};

//===--- .npy files ---------------------------------------------------------===//

/// Reads format versions 1 to 3 of f2, f4, f8, i1 to i8, u1 to u8 and b1, either byte order,
/// C or Fortran order. NumPy has no bf16 and fp8: a caller that wants them converts.
llvm::Expected<HostTensor> readNpy(llvm::StringRef path);
/// The same from memory; `name` stands in messages.
llvm::Expected<HostTensor> parseNpy(llvm::ArrayRef<uint8_t> data, llvm::StringRef name);
/// The bytes of a version 1 file. bf16 and fp8 are widened to f4, which loses nothing.
std::vector<uint8_t> formatNpy(const HostTensor &tensor);
/// Writes a file; it appears only when complete.
llvm::Error writeNpy(llvm::StringRef path, const HostTensor &tensor);

/// The same values as another element type, rounded as HostTensor::setFloat and setInt do.
HostTensor convertTensor(const HostTensor &tensor, DType dtype);

//===--- Values given as text -----------------------------------------------===//

/// The value of `--arg NAME=VALUE`.
struct ArgumentValue {
  enum class Kind : uint8_t { Integer, Float, Bool, Tensor };

  std::string name;
  Kind kind = Kind::Integer;
  /// Integer, or Bool as 0 and 1; values above 2^63 - 1 are kept modulo 2^64.
  int64_t integer = 0;
  double real = 0;
  HostTensor tensor;
  /// For tensors: false for `empty(...)`, whose elements count as not written.
  bool initialised = true;
  /// For numbers, the type of a suffix as in `3:i64`, if there is one.
  std::optional<DType> scalarType;
};

/// Parses `NAME=VALUE`. VALUE is
///   - a number (`42`, `0x10`, `-1.5e3`, `inf`, `nan`), `True` or `False`, with `:TYPE` if wanted
///   - `@FILE.npy`, with `:TYPE` to convert
///   - `randn(SHAPE)`, `rand(SHAPE)` in [0, 1), `zeros(SHAPE)`, `ones(SHAPE)`, `empty(SHAPE)`,
///     `full(SHAPE, VALUE)`, `arange(N)`, `arange(LO, HI)`, `arange(LO, HI, STEP)`,
///     `randint(LO, HI, SHAPE)` in [LO, HI), each with `:TYPE` or fp32, randint and arange i32.
///     SHAPE is `N` or `N, M, ...`, or a tuple of them.
/// The same text and seed give the same elements everywhere; arguments of different names draw
/// from different streams.
llvm::Expected<ArgumentValue> parseArgument(llvm::StringRef text, uint64_t seed = 0);

//===--- Comparison ---------------------------------------------------------===//

/// How far two tensors are apart. NaN equals NaN, and an infinity only itself.
struct Comparison {
  bool equal = true; ///< Every element is within the tolerance.
  double maxAbsError = 0;
  double maxRelError = 0; ///< |got - want| / |want|, over elements with a `want` other than 0.
  /// In units in the last place of the type of `got`; 0 for integers.
  double maxUlps = 0;
  int64_t mismatches = 0;
  /// The first element that is not within the tolerance, and its values.
  int64_t firstMismatch = -1;
  double got = 0, want = 0;
  /// Element with the largest absolute error; -1 if all are equal.
  int64_t worst = -1;

  /// One line for people, with the multi-dimensional index in `shape`.
  std::string describe(llvm::ArrayRef<int64_t> shape) const;
};

/// Compares |got - want| <= atol + rtol * |want|, in double. The tensors may differ in type but not
/// in their number of elements. Two integer tensors with zero tolerances are compared exactly.
llvm::Expected<Comparison> compareTensors(const HostTensor &got, const HostTensor &want,
                                          double rtol, double atol);

} // namespace tilec

#endif // TILEC_LIB_SUPPORT_HOSTTENSOR_H
