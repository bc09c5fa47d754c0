// Kernels for the interpreter's tests.
#include "TestKernel.h"

#include "dialects/Tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace tilec::test {

mlir::MLIRContext &getContext() {
  static mlir::MLIRContext *context = [] {
    auto *result = new mlir::MLIRContext(mlir::MLIRContext::Threading::DISABLED);
    result->loadDialect<tile::TileDialect, mlir::arith::ArithDialect, mlir::math::MathDialect,
                        mlir::scf::SCFDialect, mlir::func::FuncDialect>();
    return result;
  }();
  return *context;
}

TestKernel::TestKernel(const std::string &text)
    : module(mlir::parseSourceString<mlir::ModuleOp>(text, &getContext(), "test.mlir")) {
  if (!module)
    ADD_FAILURE() << "cannot parse:\n" << text;
}

mlir::func::FuncOp TestKernel::get() { return *module->getOps<mlir::func::FuncOp>().begin(); }

std::string TestKernel::run(std::vector<RefArgument> args, std::array<int64_t, 3> grid,
                            uint64_t stepLimit, unsigned numThreads) {
  if (!module)
    return "not parsed";
  RefLaunch launch;
  launch.kernel = get();
  launch.grid = grid;
  launch.args = args;
  launch.stepLimit = stepLimit;
  launch.numThreads = numThreads;
  return llvm::toString(runReference(launch));
}

namespace {

unsigned bytesOf(const std::string &type) {
  if (type == "i1" || type == "i8" || type.substr(0, 2) == "f8")
    return 1;
  if (type == "i16" || type == "f16" || type == "bf16")
    return 2;
  return type == "i32" || type == "f32" ? 4 : 8;
}

void replaceAll(std::string &text, const std::string &from, const std::string &to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

} // namespace

std::vector<uint64_t> evaluate(const std::vector<std::string> &inputTypes,
                               const std::string &resultType, const std::string &body,
                               const std::vector<std::vector<uint64_t>> &inputs,
                               std::string *error) {
  size_t count = inputs.front().size(), size = 1;
  while (size < count)
    size *= 2;
  auto tensor = [&](const std::string &element) {
    return "tensor<" + std::to_string(size) + "x" + element + ">";
  };
  // Booleans lie in memory as bytes.
  auto stored = [](const std::string &type) { return type == "i1" ? std::string("i8") : type; };
  auto pointers = [&](const std::string &type) {
    return tensor("!tile.ptr<" + stored(type) + ">");
  };

  std::string text = "func.func @k(";
  for (size_t i = 0; i < inputTypes.size(); ++i)
    text += "%in" + std::to_string(i) + ": !tile.ptr<" + stored(inputTypes[i]) + ">, ";
  text += "%out: !tile.ptr<" + stored(resultType) + ">) attributes {tile.kernel} {\n";
  text += "%lane = tile.arange 0, " + std::to_string(size) + " : " + tensor("i32") + "\n";
  auto address = [&](const std::string &name, const std::string &type) {
    text += "%s" + name + " = tile.splat %" + name + " : !tile.ptr<" + stored(type) + "> -> " +
            pointers(type) + "\n%p" + name + " = tile.addptr %s" + name +
            ", %lane : " + pointers(type) + ", " + tensor("i32") + "\n";
  };
  std::string kernelBody = body;
  for (size_t i = 0; i < inputTypes.size(); ++i) {
    std::string n = std::to_string(i);
    address("in" + n, inputTypes[i]);
    bool isBool = inputTypes[i] == "i1";
    text += "%" + std::string(isBool ? "byte" : "") + n + " = tile.load %pin" + n + " : " +
            pointers(inputTypes[i]) + "\n";
    if (isBool)
      text += "%" + n + " = arith.trunci %byte" + n + " : " + tensor("i8") + " to " + tensor("i1") +
              "\n";
    replaceAll(kernelBody, "$" + n, tensor(inputTypes[i]));
  }
  replaceAll(kernelBody, "$r", tensor(resultType));
  text += kernelBody + "\n";
  address("out", resultType);
  if (resultType == "i1")
    text += "%stored = arith.extui %r : " + tensor("i1") + " to " + tensor("i8") + "\n";
  text += "tile.store %pout, " + std::string(resultType == "i1" ? "%stored" : "%r") + " : " +
          pointers(resultType) + "\nreturn\n}\n";

  std::vector<std::vector<uint8_t>> memory;
  for (size_t i = 0; i < inputs.size(); ++i) {
    unsigned bytes = bytesOf(inputTypes[i]);
    auto &buffer = memory.emplace_back(size * bytes);
    for (size_t e = 0; e < size; ++e) // Padding repeats the last element.
      std::memcpy(buffer.data() + e * bytes, &inputs[i][std::min(e, count - 1)], bytes);
  }
  unsigned bytes = bytesOf(resultType);
  memory.emplace_back(size * bytes);
  std::vector<RefArgument> args;
  for (auto &buffer : memory)
    args.push_back(bufferOf(buffer));
  std::string message = TestKernel(text).run(args);
  if (error)
    *error = message;
  else
    EXPECT_EQ(message, "") << text;
  std::vector<uint64_t> result(count, 0);
  for (size_t e = 0; e < count; ++e)
    std::memcpy(&result[e], memory.back().data() + e * bytes, bytes);
  return result;
}

uint64_t bits(float value) {
  uint32_t result;
  std::memcpy(&result, &value, 4);
  return result;
}
uint64_t bits(double value) {
  uint64_t result;
  std::memcpy(&result, &value, 8);
  return result;
}
float toFloat(uint64_t bits) {
  float value;
  std::memcpy(&value, &bits, 4);
  return value;
}
double toDouble(uint64_t bits) {
  double value;
  std::memcpy(&value, &bits, 8);
  return value;
}

FloatTable::FloatTable(const std::string &type) {
  expBits = type == "bf16" ? 8 : type == "f8E4M3FN" ? 4 : 5;
  manBits = type == "f16" ? 10 : type == "bf16" ? 7 : type == "f8E4M3FN" ? 3 : 2;
  bitWidth = 1 + expBits + manBits;
  hasInf = type != "f8E4M3FN";
  int bias = (1 << (expBits - 1)) - 1;
  uint64_t end = hasInf ? ((uint64_t(1) << expBits) - 1) << manBits : 0x7f;
  for (uint64_t code = 0; code < end; ++code) {
    int exponent = static_cast<int>(code >> manBits);
    long double mantissa = static_cast<long double>(code & ((1u << manBits) - 1));
    if (exponent)
      mantissa += 1u << manBits;
    finite.push_back(
        std::ldexp(mantissa, std::max(exponent, 1) - bias - static_cast<int>(manBits)));
  }
}

long double FloatTable::valueOf(uint64_t bits) const {
  uint64_t sign = bits >> (bitWidth - 1), code = bits & ((uint64_t(1) << (bitWidth - 1)) - 1);
  long double magnitude = code < finite.size()              ? finite[code]
                          : hasInf && code == finite.size() ? HUGE_VALL
                                                            : std::nanl("");
  return sign ? -magnitude : magnitude;
}

bool FloatTable::isNaN(uint64_t bits) const { return std::isnan(valueOf(bits)); }

bool FloatTable::isMidpoint(long double value) const {
  long double magnitude = std::fabs(value);
  auto above = std::upper_bound(finite.begin(), finite.end(), magnitude);
  return above != finite.end() && magnitude - above[-1] == *above - magnitude;
}

uint64_t FloatTable::nearest(long double value) const {
  uint64_t sign = std::signbit(value) ? uint64_t(1) << (bitWidth - 1) : 0;
  long double magnitude = std::fabs(value);
  bool saturates = bitWidth == 8;
  auto above = std::upper_bound(finite.begin(), finite.end(), magnitude);
  uint64_t high = above - finite.begin(), low = high - 1; // low <= magnitude < high
  if (high == finite.size()) {
    if (saturates)
      return sign | low;
    // Infinity begins where the next value would have been the nearest.
    long double step = finite[low] - finite[low - 1];
    return sign | (magnitude - finite[low] >= step / 2 ? high : low);
  }
  long double toLow = magnitude - finite[low], toHigh = finite[high] - magnitude;
  if (toLow == toHigh)
    return sign | (low & 1 ? high : low);
  return sign | (toLow < toHigh ? low : high);
}

} // namespace tilec::test
