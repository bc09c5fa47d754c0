// Runs expanded math functions on the host and measures their errors against higher precision.
#include "test/unit/Target/MathModel.h"

#include "dialects/TileGPU/IR/TileGPU.h"
#include "dialects/TileGPU/Transforms/ExpandMath/ExpandMath.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVMPass.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Support/TargetSelect.h"

#include <cmath>
#include <cstring>
#include <limits>

using namespace mlir;

namespace tilec::test {

namespace {

//===--- The hardware's approximations -------------------------------------===//

int perturbation = 0;

/// `exact` moved by `units` of its last place in the direction of the perturbation, and rounded.
/// Zeros, infinities and NaN are exact on the hardware.
float approximate(double exact, int units) {
  if (float(exact) == 0 || !std::isfinite(float(exact)))
    return float(exact);
  double ulp = std::ldexp(1.0, std::max(std::ilogb(exact), -126) - 23);
  return float(exact + perturbation * units * ulp);
}

// Errors as the PTX manual and CUDA's list of single-precision functions give them.
float modelEx2(float x) { return approximate(std::exp2(double(x)), 2); }
float modelRcp(float x) { return approximate(1 / double(x), 1); }
float modelRsqrt(float x) { return approximate(1 / std::sqrt(double(x)), 2); }
float modelSqrt(float x) { return approximate(std::sqrt(double(x)), 1); }
float modelDiv(float a, float b) { return approximate(double(a) / double(b), 2); }
// Only the special values of these two are used.
float modelLg2(float x) { return float(std::log2(double(x))); }
float modelTanh(float x) { return approximate(std::tanh(double(x)), 0); }

struct Model {
  const char *name;
  void *address;
};
const Model models[] = {
    {"model_ex2", reinterpret_cast<void *>(&modelEx2)},
    {"model_rcp", reinterpret_cast<void *>(&modelRcp)},
    {"model_rsqrt", reinterpret_cast<void *>(&modelRsqrt)},
    {"model_sqrt", reinterpret_cast<void *>(&modelSqrt)},
    {"model_lg2", reinterpret_cast<void *>(&modelLg2)},
    {"model_tanh", reinterpret_cast<void *>(&modelTanh)},
    {"model_div_full", reinterpret_cast<void *>(&modelDiv)},
};

/// Calls of the models in place of the hardware's operations.
struct CallModelsPass : PassWrapper<CallModelsPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CallModelsPass)
  void runOnOperation() override {
    getOperation().walk([](Operation *op) {
      std::string name;
      if (auto approx = dyn_cast<tilegpu::ApproxOp>(op))
        name = "model_" + tilegpu::stringifyApproxFn(approx.getFn()).str();
      else if (isa<tilegpu::DivFullOp>(op))
        name = "model_div_full";
      else
        return;
      OpBuilder builder(op);
      auto call = func::CallOp::create(builder, op->getLoc(), name, op->getResultTypes(),
                                       op->getOperands());
      op->replaceAllUsesWith(call);
      op->erase();
    });
  }
};

[[noreturn]] void fail(const llvm::Twine &message) { llvm::report_fatal_error(message); }

//===--- Functions ---------------------------------------------------------===//

template <typename T>
T rsqrtOf(T x) {
  return 1 / std::sqrt(x);
}

template <typename T>
constexpr T pi = T(3.14159265358979323846264338327950288L);

template <typename T>
T rcbrtOf(T x) {
  return 1 / std::cbrt(x);
}
template <typename T>
T exp10Of(T x) {
  return std::pow(T(10), x);
}
/// x less the nearest multiple of 2 is exact, and so is what the symmetries take off.
template <typename T>
T sinpiOf(T x) {
  T r = std::remainder(x, T(2));
  if (std::fabs(r) > T(0.5))
    r = std::copysign(T(1), r) - r;
  return r == 0 ? std::copysign(r, x) : std::sin(pi<T> * r);
}
template <typename T>
T cospiOf(T x) {
  T r = std::fabs(std::remainder(x, T(2)));
  if (r > T(0.25) && r < T(0.75))
    return r == T(0.5) ? T(0) : std::sin(pi<T> * (T(0.5) - r));
  return r > T(0.5) ? -std::cos(pi<T> * (1 - r)) : std::cos(pi<T> * r);
}
/// e^(x^2) erfc(x): Laplace's continued fraction where it is quick.
template <typename T>
T erfcxOf(T x) {
  if (x < 2)
    return std::exp(x * x) * std::erfc(x);
  T tail = x;
  for (int k = 150; k > 0; --k)
    tail = x + T(k) / 2 / tail;
  return 1 / (tail * std::sqrt(pi<T>));
}
template <typename T>
T normcdfOf(T x) {
  return std::erfc(-x / std::sqrt(T(2))) / 2;
}
/// The root of erfc(y) = z for z in (0, 1], by bisection.
template <typename T>
T erfcRoot(T z) {
  T low = 0, high = 28;
  for (int i = 0; i < 90; ++i) {
    T middle = (low + high) / 2;
    (std::erfc(middle) > z ? low : high) = middle;
  }
  return low;
}
template <typename T>
T erfcinvOf(T z) {
  if (!(z >= 0 && z <= 2))
    return std::numeric_limits<T>::quiet_NaN();
  if (z == 0 || z == 2)
    return z == 0 ? std::numeric_limits<T>::infinity() : -std::numeric_limits<T>::infinity();
  return z > 1 ? -erfcRoot(2 - z) : erfcRoot(z);
}
template <typename T>
T erfinvOf(T x) {
  T m = std::fabs(x);
  if (!(m <= 1))
    return std::numeric_limits<T>::quiet_NaN();
  if (m == 1)
    return std::copysign(std::numeric_limits<T>::infinity(), x);
  if (m > T(0.25))
    return std::copysign(erfcRoot(1 - m), x);
  // Where 1 - x loses bits, the root of erf.
  T low = 0, high = m;
  for (int i = 0; i < 90; ++i) {
    T middle = (low + high) / 2;
    (std::erf(middle) < m ? low : high) = middle;
  }
  return std::copysign(low, x);
}
template <typename T>
T normcdfinvOf(T p) {
  return -std::sqrt(T(2)) * erfcinvOf(2 * p);
}
template <typename T>
T powOf(T x) {
  return std::pow(x, T(2.5));
}
template <typename T>
T powNegativeOf(T x) {
  return std::pow(T(0.75), x);
}
template <typename T>
T atan2Of(T x) {
  return std::atan2(x, T(-0.75));
}
template <typename T>
T hypotOf(T x) {
  return std::hypot(x, T(1.5));
}

/// The C library's in the type at hand. Those of the second kind are asked for positive numbers
/// only.
long double j0Of(long double x) { return j0l(x); }
double j0Of(double x) { return double(j0l(x)); }
long double j1Of(long double x) { return j1l(x); }
double j1Of(double x) { return double(j1l(x)); }
template <typename T>
T besselYOf(T x, long double (*function)(long double)) {
  if (x <= 0)
    return x == 0 ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::quiet_NaN();
  return T(function(x));
}
template <typename T>
T y0Of(T x) {
  return besselYOf(x, y0l);
}
template <typename T>
T y1Of(T x) {
  return besselYOf(x, y1l);
}
/// The power series in long double: all terms have one sign.
template <typename T>
T modifiedBesselOf(T x, int order) {
  if (!(std::fabs(x) < 800))
    return std::copysign(T(1), order ? x : T(1)) * std::fabs(x) *
           std::numeric_limits<T>::infinity();
  long double square = (long double)(x)*x / 4, sum = 0, term = order ? x / 2.0L : 1;
  for (int k = 1; k < 1500; ++k) {
    sum += term;
    term *= square / ((long double)(k) * (k + order));
  }
  return T(sum);
}
template <typename T>
T i0Of(T x) {
  return modifiedBesselOf(x, 0);
}
template <typename T>
T i1Of(T x) {
  return modifiedBesselOf(x, 1);
}

#define TILEC_REFERENCE(f)                                                                         \
  [](long double x) -> long double { return f(x); }, [](double x) -> double { return f(x); }

constexpr double kAll = std::numeric_limits<double>::infinity();

const MathFunction functions[] = {
    {"exp", "math.exp", TILEC_REFERENCE(std::exp), 1.01, 4.6, 1, kAll, kAll},
    {"exp2", "math.exp2", TILEC_REFERENCE(std::exp2), 0.51, 3.01, 1, kAll, kAll},
    {"expm1", "math.expm1", TILEC_REFERENCE(std::expm1), 1.5, 1.5, 1.9, kAll, kAll},
    {"log", "math.log", TILEC_REFERENCE(std::log), 1, 1, 0.85, kAll, kAll},
    {"log2", "math.log2", TILEC_REFERENCE(std::log2), 1.5, 1.5, 0.95, kAll, kAll},
    {"log10", "math.log10", TILEC_REFERENCE(std::log10), 1.25, 1.25, 0.9, kAll, kAll},
    {"log1p", "math.log1p", TILEC_REFERENCE(std::log1p), 1.55, 1.55, 1.45, kAll, kAll},
    {"rsqrt", "math.rsqrt", TILEC_REFERENCE(rsqrtOf), 0.51, 3.01, 1.5, kAll, kAll},
    {"sin", "math.sin", TILEC_REFERENCE(std::sin), 2.4, 2.4, 1.5, kAll, 0x1p30},
    {"cos", "math.cos", TILEC_REFERENCE(std::cos), 2.4, 2.4, 1.5, kAll, 0x1p30},
    {"tan", "math.tan", TILEC_REFERENCE(std::tan), 4, 7.5, 3.2, kAll, 0x1p30},
    {"erf", "math.erf", TILEC_REFERENCE(std::erf), 1.25, 1.8, 1.3, kAll, kAll},
    {"tanh", "math.tanh", TILEC_REFERENCE(std::tanh), 1.7, 2.4, 1.4, kAll, kAll},
    {"asin", "math.asin", TILEC_REFERENCE(std::asin), 2.4, 2.4, 2.2, kAll, kAll, 8},
    {"acos", "math.acos", TILEC_REFERENCE(std::acos), 1.2, 1.2, 1.2, kAll, kAll, 8},
    {"atan", "math.atan", TILEC_REFERENCE(std::atan), 1.4, 2.9, 1.5, kAll, kAll, 8},
    {"atan2", "%c = arith.constant -0.75 : $T\n %r = math.atan2 %x, %c : $T",
     TILEC_REFERENCE(atan2Of), 1.4, 2.2, 1.4, kAll, kAll, 8},
    {"sinh", "math.sinh", TILEC_REFERENCE(std::sinh), 3.2, 9, 2.7, kAll, kAll, 8},
    {"cosh", "math.cosh", TILEC_REFERENCE(std::cosh), 3.2, 9, 2.7, kAll, kAll, 8},
    {"asinh", "math.asinh", TILEC_REFERENCE(std::asinh), 1.9, 2.4, 1.8, kAll, kAll, 8},
    {"acosh", "math.acosh", TILEC_REFERENCE(std::acosh), 1.9, 1.9, 1.8, kAll, kAll, 8},
    {"atanh", "math.atanh", TILEC_REFERENCE(std::atanh), 2.3, 6.5, 2, kAll, kAll, 8},
    {"x^2.5", "%c = arith.constant 2.5 : $T\n %r = math.powf %x, %c : $T", TILEC_REFERENCE(powOf),
     1.2, 1.2, 1.2, kAll, kAll, 8},
    {"0.75^x", "%c = arith.constant 0.75 : $T\n %r = math.powf %c, %x : $T",
     TILEC_REFERENCE(powNegativeOf), 1.2, 1.2, 1.2, kAll, kAll, 8},
    {"cbrt", "math.cbrt", TILEC_REFERENCE(std::cbrt), 0.9, 0.95, 0.8, kAll, kAll, 8},
    {"rcbrt", "%r = tile.math \"rcbrt\" %x : ($T) -> $T", TILEC_REFERENCE(rcbrtOf), 1.9, 4.2, 1.7,
     kAll, kAll, 8},
    {"hypot", "%c = arith.constant 1.5 : $T\n %r = tile.math \"hypot\" %x, %c : ($T, $T) -> $T",
     TILEC_REFERENCE(hypotOf), 1.2, 1.2, 1.2, kAll, kAll, 8},
    {"exp10", "%r = tile.math \"exp10\" %x : ($T) -> $T", TILEC_REFERENCE(exp10Of), 1.2, 5, 1.4,
     kAll, kAll, 8},
    {"sinpi", "%r = tile.math \"sinpi\" %x : ($T) -> $T", TILEC_REFERENCE(sinpiOf), 2.5, 2.5, 2,
     kAll, kAll, 8},
    {"cospi", "%r = tile.math \"cospi\" %x : ($T) -> $T", TILEC_REFERENCE(cospiOf), 2.5, 2.5, 2,
     kAll, kAll, 8},
    {"erfc", "math.erfc", TILEC_REFERENCE(std::erfc), 4.5, 11, 4.7, kAll, kAll, 8},
    {"erfcx", "%r = tile.math \"erfcx\" %x : ($T) -> $T", TILEC_REFERENCE(erfcxOf), 6, 12, 4.2,
     kAll, kAll, 8},
    {"erfinv", "%r = tile.math \"erfinv\" %x : ($T) -> $T", TILEC_REFERENCE(erfinvOf), 2.8, 6.5,
     2.2, kAll, kAll, 40},
    {"erfcinv", "%r = tile.math \"erfcinv\" %x : ($T) -> $T", TILEC_REFERENCE(erfcinvOf), 2.8, 6.5,
     22, kAll, kAll, 40},
    {"normcdf", "%r = tile.math \"normcdf\" %x : ($T) -> $T", TILEC_REFERENCE(normcdfOf), 4.8, 11,
     4.8, kAll, kAll, 8},
    {"normcdfinv", "%r = tile.math \"normcdfinv\" %x : ($T) -> $T", TILEC_REFERENCE(normcdfinvOf),
     3.6, 9, 18, kAll, kAll, 40},
    {"lgamma", "%r = tile.math \"lgamma\" %x : ($T) -> $T", TILEC_REFERENCE(std::lgamma), 0.51,
     0.51, 2.5, kAll, kAll, 8, 3e-14},
    {"tgamma", "%r = tile.math \"tgamma\" %x : ($T) -> $T", TILEC_REFERENCE(std::tgamma), 0.51,
     0.51, 30, kAll, 170, 8},
    {"j0", "%r = tile.math \"j0\" %x : ($T) -> $T", TILEC_REFERENCE(j0Of), 0.51, 0.51, 4.5, kAll,
     kAll, 8, 2e-16, 8},
    {"j1", "%r = tile.math \"j1\" %x : ($T) -> $T", TILEC_REFERENCE(j1Of), 0.51, 0.51, 4.5, kAll,
     kAll, 8, 2e-16, 8},
    {"y0", "%r = tile.math \"y0\" %x : ($T) -> $T", TILEC_REFERENCE(y0Of), 0.51, 0.51, 4.5, kAll,
     kAll, 8, 2e-16, 8},
    {"y1", "%r = tile.math \"y1\" %x : ($T) -> $T", TILEC_REFERENCE(y1Of), 0.51, 0.51, 4.5, kAll,
     kAll, 8, 2e-16, 8},
    {"cyl_bessel_i0", "%r = tile.math \"cyl_bessel_i0\" %x : ($T) -> $T", TILEC_REFERENCE(i0Of),
     0.51, 0.51, 4, kAll, kAll, 40},
    {"cyl_bessel_i1", "%r = tile.math \"cyl_bessel_i1\" %x : ($T) -> $T", TILEC_REFERENCE(i1Of),
     0.51, 0.51, 4, kAll, kAll, 40},
};

#undef TILEC_REFERENCE

//===--- Errors ------------------------------------------------------------===//

/// |got - expected| in units of the last place of the format with `digits` bits, the smallest
/// normal number 2^minExponent. An infinity counts as the power of two after the largest number.
template <typename Wide>
double ulpsBetween(Wide got, Wide expected, int digits, int minExponent, int maxExponent) {
  if (std::isnan(got) || std::isnan(expected))
    return std::isnan(got) && std::isnan(expected) ? 0 : std::numeric_limits<double>::infinity();
  Wide over = std::ldexp(Wide(1), maxExponent);
  auto bounded = [&](Wide x) { return std::fabs(x) > over ? std::copysign(over, x) : x; };
  // Zeros of the wrong sign are wrong, unless the true result is too small to matter.
  if (got == 0 && expected == 0 && std::signbit(got) != std::signbit(expected))
    return std::numeric_limits<double>::infinity();
  got = bounded(got);
  expected = bounded(expected);
  int exponent = minExponent;
  if (expected != 0)
    exponent = std::max(minExponent, std::min(std::ilogb(expected), maxExponent - 1));
  return double(std::fabs(got - expected) / std::ldexp(Wide(1), exponent - digits + 1));
}

void note(Error &worst, double ulps, double argument, double got, double expected) {
  if (!(ulps <= worst.ulps))
    worst = {ulps, argument, got, expected};
}

} // namespace

void setPerturbation(int direction) { perturbation = direction; }

llvm::ArrayRef<MathFunction> allMathFunctions() { return functions; }

struct HostFunction::Impl {
  std::unique_ptr<llvm::orc::LLJIT> jit;
};

HostFunction::HostFunction(const char *op, bool isDouble) : impl(std::make_unique<Impl>()) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();

  DialectRegistry registry;
  registry.insert<arith::ArithDialect, func::FuncDialect, math::MathDialect, LLVM::LLVMDialect,
                  tile::TileDialect, tilegpu::TileGPUDialect>();
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);

  std::string type = isDouble ? "f64" : "f32";
  std::string body = op;
  if (body.find("%r") == std::string::npos) {
    // "math.sqrt fastmath<afn>" has its operand before the flags.
    size_t space = std::min(body.find(' '), body.size());
    body.insert(space, " %x");
    body = "%r = " + body + " : $T";
  }
  for (size_t at; (at = body.find("$T")) != std::string::npos;)
    body.replace(at, 2, type);
  std::string text = "func.func @f(%x: " + type + ") -> " + type + " {\n  " + body +
                     "\n  return %r : " + type + "\n}\n";
  for (const Model &model : models)
    text +=
        std::string("func.func private @") + model.name +
        (llvm::StringRef(model.name).ends_with("full") ? "(f32, f32) -> f32\n" : "(f32) -> f32\n");
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  if (!module)
    fail("cannot parse:\n" + text);

  PassManager passes(&context);
  passes.addPass(tilegpu::createExpandMathPass());
  passes.addPass(std::make_unique<CallModelsPass>());
  passes.addPass(createConvertMathToLLVMPass());
  passes.addPass(createArithToLLVMConversionPass());
  passes.addPass(createConvertFuncToLLVMPass());
  if (failed(passes.run(*module)))
    fail("cannot lower:\n" + text);
  auto llvmContext = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> llvmModule = translateModuleToLLVMIR(*module, *llvmContext);
  if (!llvmModule)
    fail("cannot translate:\n" + text);

  auto jit = llvm::orc::LLJITBuilder().create();
  if (!jit)
    fail(toString(jit.takeError()));
  impl->jit = std::move(*jit);
  llvm::orc::SymbolMap symbols;
  for (const Model &model : models)
    symbols[impl->jit->mangleAndIntern(model.name)] = {
        llvm::orc::ExecutorAddr::fromPtr(model.address), llvm::JITSymbolFlags::Exported};
  llvm::cantFail(
      impl->jit->getMainJITDylib().define(llvm::orc::absoluteSymbols(std::move(symbols))));
  llvm::cantFail(impl->jit->addIRModule({std::move(llvmModule), std::move(llvmContext)}));
  auto address = impl->jit->lookup("f");
  if (!address)
    fail(toString(address.takeError()));
  if (isDouble)
    f64 = address->toPtr<double (*)(double)>();
  else
    f32 = address->toPtr<float (*)(float)>();
}

HostFunction::~HostFunction() = default;

Error sweepF32(const HostFunction &function, const MathFunction &about, uint32_t stride) {
  Error worst;
  for (uint64_t i = 0; i < (uint64_t(1) << 32); i += uint64_t(stride) * about.sparseness) {
    uint32_t bits = uint32_t(i);
    float x;
    std::memcpy(&x, &bits, 4);
    if (std::isfinite(x) && std::fabs(x) > about.limitF32)
      continue;
    float got = function(x);
    double expected = about.referenceDouble(double(x));
    note(worst, ulpsBetween<double>(got, expected, 24, -126, 128), x, got, expected);
  }
  return worst;
}

Error sweepF64(const HostFunction &function, const MathFunction &about, uint64_t count) {
  Error worst;
  count /= about.sparseness;
  // Steps of an odd number of bits visit all exponents and ever other fractions.
  uint64_t step = (~uint64_t(0) / count) | 1;
  auto check = [&](double x) {
    if (std::isfinite(x) && std::fabs(x) > about.limitF64)
      return;
    double got = function(x);
    long double expected = about.reference(x);
    if (std::fabs(x) >= about.absoluteFrom && std::fabs(got - expected) <= about.absoluteF64)
      return;
    note(worst, ulpsBetween<long double>(got, expected, 53, -1022, 1024), x, got, double(expected));
  };
  uint64_t bits = 0;
  for (uint64_t i = 0; i < count; ++i, bits += step) {
    double x;
    std::memcpy(&x, &bits, 8);
    check(x);
    // And as many where functions have most to say.
    check(std::ldexp(double(int64_t(bits)), -63 + int(i % 12)));
  }
  for (double x : {0.0, -0.0, 1.0, -1.0, double(kAll), -double(kAll), std::nan("")})
    check(x);
  return worst;
}

} // namespace tilec::test
