// Matrix products: what the lowered code computes on the simulated GPU equals what the interpreter
// computes. Factors are small whole numbers, so that every order of the sums gives the same bits.
#include "dialects/TileGPU/IR/TileGPU.h"
#include "lib/Interpreter/Interpreter.h"
#include "lib/Pipeline/Pipeline.h"
#include "lib/Simulator/SimMemory.h"
#include "lib/Simulator/Simulator.h"
#include "lib/Support/FloatFormats.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"
#include <cstring>

using namespace tilec;

namespace {

struct Element {
  const char *name;
  unsigned bytes;
};
constexpr Element kF16{"f16", 2}, kBF16{"bf16", 2}, kF32{"f32", 4}, kF64{"f64", 8}, kI8{"i8", 1},
    kI32{"i32", 4}, kF8E4{"f8E4M3FN", 1}, kF8E5{"f8E5M2", 1};

struct Product {
  Element factor, sum;
  int64_t m, n, k;
  unsigned warps = 4;
  int64_t batch = 0; // none
  std::string precision = "tf32";
  std::string target = "sm_90a";

  std::string name() const {
    return std::string(factor.name) + " " + std::to_string(batch) + "x" + std::to_string(m) + "x" +
           std::to_string(n) + "x" + std::to_string(k) + ", " + std::to_string(warps) + " warps, " +
           precision + ", " + target;
  }
};

uint64_t encode(const Element &element, double value) {
  if (element.name == kF16.name)
    return encodeFP16(value);
  if (element.name == kBF16.name)
    return encodeBF16(value);
  if (element.name == kF32.name)
    return bitCast<uint32_t>(static_cast<float>(value));
  if (element.name == kF64.name)
    return bitCast<uint64_t>(value);
  if (element.name == kF8E4.name)
    return encodeFP8E4(value);
  if (element.name == kF8E5.name)
    return encodeFP8E5(value);
  return static_cast<uint64_t>(static_cast<int64_t>(value));
}

class Dot : public ::testing::Test {
protected:
  Dot() {
    mlir::DialectRegistry registry;
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    context.disableMultithreading();
  }

  using Bytes = std::vector<uint8_t>;

  static Bytes numbers(const Element &element, int64_t count, int bound, uint32_t seed) {
    Bytes bytes(count * element.bytes);
    for (int64_t i = 0; i < count; ++i) {
      seed = seed * 1664525 + 1013904223;
      uint64_t bits = encode(element, static_cast<int>(seed >> 24) % (2 * bound + 1) - bound);
      std::memcpy(&bytes[i * element.bytes], &bits, element.bytes);
    }
    return bytes;
  }

  static std::string tensor(llvm::ArrayRef<int64_t> shape, const std::string &element) {
    std::string text = "tensor<";
    for (int64_t extent : shape)
      text += std::to_string(extent) + "x";
    return text + element + ">";
  }

  /// Code that makes %NAME_ptr, pointers to the elements of a row-major array.
  static std::string pointers(const std::string &name, llvm::ArrayRef<int64_t> shape,
                              const Element &element) {
    std::string pointer = "!tile.ptr<" + std::string(element.name) + ">", offsets, code;
    int64_t stride = 1;
    unsigned rank = shape.size();
    for (unsigned dim = rank; dim-- > 0; stride *= shape[dim]) {
      std::string id = "%" + name + std::to_string(dim), shaped = id;
      llvm::SmallVector<int64_t> partial{shape[dim]};
      code += id + " = tile.arange 0, " + std::to_string(shape[dim]) + " : " +
              tensor(partial, "i32") + "\n";
      for (unsigned other = 0; other < rank; ++other) {
        if (other == dim)
          continue;
        std::string before = tensor(partial, "i32");
        partial.insert(partial.begin() + other, 1);
        std::string next = id + "_" + std::to_string(other);
        code += next + " = tile.expand_dims " + shaped + " {axis = " + std::to_string(other) +
                " : i32} : " + before + " -> " + tensor(partial, "i32") + "\n";
        shaped = next;
      }
      std::string whole = tensor(shape, "i32");
      code += id + "b = tile.broadcast " + shaped + " : " + tensor(partial, "i32") + " -> " +
              whole + "\n" + id + "s = arith.constant dense<" + std::to_string(stride) +
              "> : " + whole + "\n" + id + "o = arith.muli " + id + "b, " + id + "s : " + whole +
              "\n";
      if (offsets.empty()) {
        offsets = id + "o";
      } else {
        code += id + "a = arith.addi " + offsets + ", " + id + "o : " + whole + "\n";
        offsets = id + "a";
      }
    }
    return code + "%" + name + "_splat = tile.splat %" + name + " : " + pointer + " -> " +
           tensor(shape, pointer) + "\n%" + name + "_ptr = tile.addptr %" + name + "_splat, " +
           offsets + " : " + tensor(shape, pointer) + ", " + tensor(shape, "i32") + "\n";
  }

  static llvm::SmallVector<int64_t> shape(const Product &p, int64_t rows, int64_t columns) {
    return p.batch ? llvm::SmallVector<int64_t>{p.batch, rows, columns}
                   : llvm::SmallVector<int64_t>{rows, columns};
  }

  /// c += a * b, with what is in `between` computed from the product first.
  static std::string kernel(const Product &p) {
    auto a = shape(p, p.m, p.k), b = shape(p, p.k, p.n), c = shape(p, p.m, p.n);
    auto pointer = [](const Element &element) {
      return "!tile.ptr<" + std::string(element.name) + ">";
    };
    std::string divisible = " {tile.divisibility = 16 : i32}";
    std::string text = "func.func @k(%a: " + pointer(p.factor) + divisible +
                       ", %b: " + pointer(p.factor) + divisible + ", %c: " + pointer(p.sum) +
                       divisible + ") attributes {tile.kernel} {\n";
    text += pointers("a", a, p.factor) + pointers("b", b, p.factor) + pointers("c", c, p.sum);
    text += "%x = tile.load %a_ptr : " + tensor(a, pointer(p.factor)) + "\n";
    text += "%y = tile.load %b_ptr : " + tensor(b, pointer(p.factor)) + "\n";
    text += "%z = tile.load %c_ptr : " + tensor(c, pointer(p.sum)) + "\n";
    text += "%r = tile.dot %x, %y, %z precision " + p.precision + " : " + tensor(a, p.factor.name) +
            ", " + tensor(b, p.factor.name) + " -> " + tensor(c, p.sum.name) + "\n";
    text += "tile.store %c_ptr, %r : " + tensor(c, pointer(p.sum)) + "\n";
    return text + "return\n}\n";
  }

  mlir::OwningOpRef<mlir::ModuleOp> parse(const std::string &text) {
    return mlir::parseSourceString<mlir::ModuleOp>(text, &context, "k.mlir");
  }

  void check(const Product &p, int bound = 3) {
    SCOPED_TRACE(p.name());
    const int64_t batch = std::max<int64_t>(p.batch, 1);
    std::vector<Bytes> buffers = {numbers(p.factor, batch * p.m * p.k, bound, 1),
                                  numbers(p.factor, batch * p.k * p.n, bound, 2),
                                  numbers(p.sum, batch * p.m * p.n, bound, 3)};
    std::vector<Bytes> expected = buffers;
    auto module = parse(kernel(p));
    ASSERT_TRUE(module) << kernel(p);
    std::vector<RefArgument> refArgs;
    for (Bytes &bytes : expected)
      refArgs.push_back(RefArgument::buffer(bytes.data(), bytes.size()));
    RefLaunch reference;
    reference.kernel = *module->getOps<mlir::func::FuncOp>().begin();
    reference.grid = {1, 1, 1};
    reference.args = refArgs;
    reference.numThreads = 1;
    ASSERT_EQ(llvm::toString(runReference(reference)), "");

    PipelineOptions options;
    options.numWarps = p.warps;
    options.target = p.target;
    mlir::PassManager passes(&context);
    buildTilePipeline(passes, options);
    buildTileGPUPipeline(passes, options);
    buildLoweringPipeline(passes, options);
    ASSERT_TRUE(mlir::succeeded(passes.run(*module)));
    instructions = 0;
    module->walk([&](tilegpu::MmaOp) { ++instructions; });
    SimOptions simOptions;
    simOptions.numThreads = 1;
    simOptions.timeoutSeconds = 60;
    auto program = SimProgram::create(*module, simOptions);
    if (!program)
      FAIL() << llvm::toString(program.takeError());
    SimMemory memory;
    std::vector<void *> pointers, args;
    for (const Bytes &bytes : buffers) {
      pointers.push_back(llvm::cantFail(memory.allocate(bytes.size())));
      llvm::cantFail(memory.copyToDevice(pointers.back(), bytes.data(), bytes.size()));
    }
    for (void *&pointer : pointers)
      args.push_back(&pointer);
    std::vector<SimBuffer> registered = memory.getBuffers();
    ASSERT_EQ(llvm::toString((*program)->launch("k", {1, 1, 1}, args, registered)), "");
    Bytes result(buffers[2].size());
    llvm::cantFail(memory.copyToHost(result.data(), pointers[2], result.size()));
    for (int64_t i = 0; i < batch * p.m * p.n; ++i)
      ASSERT_EQ(std::memcmp(&result[i * p.sum.bytes], &expected[2][i * p.sum.bytes], p.sum.bytes),
                0)
          << "element " << i;
  }

  mlir::MLIRContext context;
  unsigned instructions = 0; // of the tensor cores, in the last kernel
};

TEST_F(Dot, TensorCoreTypes) {
  struct Case {
    Element factor, sum;
    const char *precision, *target;
    unsigned instructions; // of a warp for 32x32x32
  };
  for (const Case &c : {Case{kF16, kF32, "tf32", "sm_80", 4},
                        {kBF16, kF32, "tf32", "sm_80", 4},
                        {kF16, kF16, "tf32", "sm_80", 4},
                        {kF32, kF32, "tf32", "sm_80", 8},
                        {kF32, kF32, "tf32x3", "sm_80", 24},
                        {kF32, kF32, "bf16x3", "sm_80", 12},
                        {kF32, kF32, "bf16x6", "sm_80", 24},
                        {kF32, kF32, "ieee", "sm_80", 0},
                        {kI8, kI32, "tf32", "sm_80", 2},
                        {kF8E4, kF32, "tf32", "sm_80", 4},
                        {kF8E4, kF32, "tf32", "sm_89", 2},
                        {kF8E5, kF32, "tf32", "sm_89", 2},
                        {kF8E5, kF32, "tf32", "sm_90a", 4},
                        {kF8E4, kF16, "tf32", "sm_89", 4},
                        {kF64, kF64, "tf32", "sm_80", 0}}) {
    Product product{c.factor, c.sum, 32, 32, 32};
    product.precision = c.precision;
    product.target = c.target;
    check(product);
    if (HasFatalFailure())
      return;
    EXPECT_EQ(instructions, c.instructions) << product.name();
  }
}

/// Extents below the instruction's repeat rows and columns; K below it leaves the tensor cores.
TEST_F(Dot, Extents) {
  for (int64_t m : {1, 2, 16, 64})
    for (int64_t n : {1, 4, 8, 64})
      for (int64_t k : {1, 8, 16, 64})
        for (unsigned warps : {1, 8}) {
          check({kF16, kF32, m, n, k, warps});
          if (HasFatalFailure())
            return;
          EXPECT_EQ(instructions > 0, k >= 16);
        }
}

TEST_F(Dot, MultiplyAddExtents) {
  for (int64_t m : {1, 4, 32})
    for (int64_t n : {1, 16, 64})
      for (int64_t k : {1, 2, 32})
        for (unsigned warps : {1, 4, 16}) {
          check({kF64, kF64, m, n, k, warps});
          if (HasFatalFailure())
            return;
        }
}

TEST_F(Dot, Batches) {
  for (int64_t batch : {1, 2, 8})
    for (unsigned warps : {1, 4})
      for (const Product &product :
           {Product{kF16, kF32, 16, 32, 16}, Product{kF64, kF64, 8, 16, 4}}) {
        Product batched = product;
        batched.batch = batch;
        batched.warps = warps;
        check(batched);
        if (HasFatalFailure())
          return;
      }
}

/// Sums of i8 wrap around as 32-bit integers.
TEST_F(Dot, WholeBytes) { check({kI8, kI32, 16, 16, 128}, /*bound=*/127); }

/// Numbers that need more bits than one piece has: the pieces add up to them.
TEST_F(Dot, Pieces) {
  for (const char *precision : {"ieee", "tf32x3", "bf16x6"}) {
    Product product{kF32, kF32, 16, 16, 32};
    product.precision = precision;
    check(product, /*bound=*/127);
    if (HasFatalFailure())
      return;
  }
}

} // namespace
