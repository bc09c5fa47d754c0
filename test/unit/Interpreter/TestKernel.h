// Kernels for the interpreter's tests, given as text, and what they compute.
#ifndef TILEC_TEST_UNIT_INTERPRETER_TESTKERNEL_H
#define TILEC_TEST_UNIT_INTERPRETER_TESTKERNEL_H

#include "lib/Interpreter/Interpreter.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tilec::test {

/// The context with every dialect of a kernel.
mlir::MLIRContext &getContext();

/// A parsed module; its first function is the kernel.
class TestKernel {
public:
  /// Lines in positions count from the first line of `text`, in a file called "test.mlir".
  explicit TestKernel(const std::string &text);

  mlir::func::FuncOp get();
  /// Runs it; the message of the error, or nothing.
  std::string run(std::vector<RefArgument> args, std::array<int64_t, 3> grid = {1, 1, 1},
                  uint64_t stepLimit = 0, unsigned numThreads = 0);

private:
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

template <class T>
RefArgument bufferOf(std::vector<T> &values, uint8_t *initialised = nullptr) {
  return RefArgument::buffer(values.data(), values.size() * sizeof(T), initialised);
}

/// Runs `body` on tensors of the elements whose bits are `inputs`, of the types `inputTypes`, and
/// returns the bits of %r. In the body %0, %1, ... are the inputs, and $0, $1, ... and $r the
/// tensor types. Inputs have equal lengths, which are padded to a power of two. The text of the
/// error goes to `error` if that is given; else there must be none.
std::vector<uint64_t> evaluate(const std::vector<std::string> &inputTypes,
                               const std::string &resultType, const std::string &body,
                               const std::vector<std::vector<uint64_t>> &inputs,
                               std::string *error = nullptr);

/// The bits of a float or double.
uint64_t bits(float value);
uint64_t bits(double value);
float toFloat(uint64_t bits);
double toDouble(uint64_t bits);

/// The elements of a small float type, and the nearest one to a number; written independently of
/// the conversions under test: it searches the table of all values.
class FloatTable {
public:
  /// "f16", "bf16", "f8E4M3FN" or "f8E5M2".
  explicit FloatTable(const std::string &type);

  unsigned width() const { return bitWidth; }
  long double valueOf(uint64_t bits) const;
  bool isNaN(uint64_t bits) const;
  /// To nearest even; fp8 saturates.
  uint64_t nearest(long double value) const;
  /// Whether a number is as near to one value as to the next.
  bool isMidpoint(long double value) const;

private:
  unsigned bitWidth, expBits, manBits;
  bool hasInf;
  std::vector<long double> finite; ///< Positive ones, by their bits.
};

} // namespace tilec::test

#endif // TILEC_TEST_UNIT_INTERPRETER_TESTKERNEL_H
