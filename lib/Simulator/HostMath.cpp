// Host functions: special registers, hardware functions, traps, and what x86 code generation calls
// for types that the processor lacks.
#include "lib/Simulator/Block.h"
#include "lib/Support/DirectedRounding.h"
#include "lib/Support/FloatFormats.h"

#include <cmath>
#include <cstring>

namespace tilec::sim {

namespace {

uint32_t special(uint32_t which) { return Block::current().special[which]; }

void exitThread(uint32_t site) { Block::current().noteExit(site); }

void assume(bool condition, uint32_t site) {
  Block &block = Block::current();
  if (condition || !block.options().checkAssumptions)
    return;
  FaultRecord record;
  record.kind = FaultKind::Assumption;
  record.site = site;
  block.fail(record);
}

void trap(uint32_t site) {
  FaultRecord record;
  record.kind = FaultKind::Trap;
  record.site = site;
  Block::current().fail(record);
}

// The approximations of the hardware differ from these by the errors that the PTX manual allows.
float ex2(float x) { return static_cast<float>(std::exp2(static_cast<double>(x))); }
float lg2(float x) { return static_cast<float>(std::log2(static_cast<double>(x))); }
float rcp(float x) { return static_cast<float>(1.0 / static_cast<double>(x)); }
float rsqrt(float x) { return static_cast<float>(1.0 / std::sqrt(static_cast<double>(x))); }
float squareRoot(float x) { return static_cast<float>(std::sqrt(static_cast<double>(x))); }
float hyperbolicTangent(float x) { return static_cast<float>(std::tanh(static_cast<double>(x))); }
float sine(float x) { return static_cast<float>(std::sin(static_cast<double>(x))); }
float cosine(float x) { return static_cast<float>(std::cos(static_cast<double>(x))); }

//===--- Arithmetic that rounds in a direction --------------------------------===//

template <RoundedOp Op, Rounding Mode, typename T>
T rounded1(T a) {
  return roundedArithmetic(Op, Mode, a);
}
template <RoundedOp Op, Rounding Mode, typename T>
T rounded2(T a, T b) {
  return roundedArithmetic(Op, Mode, a, b);
}
template <RoundedOp Op, Rounding Mode, typename T>
T rounded3(T a, T b, T c) {
  return roundedArithmetic(Op, Mode, a, b, c);
}

#define TILEC_ROUNDED(name, op, count)                                                             \
  {"tilec_sim_" name "_rz_f",                                                                      \
   reinterpret_cast<void *>(rounded##count<RoundedOp::op, Rounding::TowardZero, float>)},          \
      {"tilec_sim_" name "_rz_d",                                                                  \
       reinterpret_cast<void *>(rounded##count<RoundedOp::op, Rounding::TowardZero, double>)},     \
      {"tilec_sim_" name "_rm_f",                                                                  \
       reinterpret_cast<void *>(rounded##count<RoundedOp::op, Rounding::Down, float>)},            \
      {"tilec_sim_" name "_rm_d",                                                                  \
       reinterpret_cast<void *>(rounded##count<RoundedOp::op, Rounding::Down, double>)},           \
      {"tilec_sim_" name "_rp_f",                                                                  \
       reinterpret_cast<void *>(rounded##count<RoundedOp::op, Rounding::Up, float>)},              \
  {                                                                                                \
    "tilec_sim_" name "_rp_d",                                                                     \
        reinterpret_cast<void *>(rounded##count<RoundedOp::op, Rounding::Up, double>)              \
  }

//===--- What compiler-rt or libgcc would provide ----------------------------===//

using Half = _Float16;

float halfToFloat(Half x) { return static_cast<float>(x); }

Half fromBits(uint16_t bits) {
  Half value;
  memcpy(&value, &bits, sizeof(value));
  return value;
}

// Both 16-bit formats travel in the low bits of a vector register, so that one C++ type does.
Half floatToHalf(float x) { return fromBits(encodeFP16(x)); }
Half doubleToHalf(double x) { return fromBits(encodeFP16(x)); }
Half floatToBFloat(float x) { return fromBits(encodeBF16(x)); }
Half doubleToBFloat(double x) { return fromBits(encodeBF16(x)); }

double powerOfInteger(double x, int n) { return std::pow(x, n); }
float powerOfIntegerFloat(float x, int n) {
  return static_cast<float>(std::pow(static_cast<double>(x), n));
}

const HostSymbol kSymbols[] = {
    {"tilec_sim_special", reinterpret_cast<void *>(special)},
    {"tilec_sim_exit", reinterpret_cast<void *>(exitThread)},
    {"tilec_sim_assume", reinterpret_cast<void *>(assume)},
    {"tilec_sim_trap", reinterpret_cast<void *>(trap)},
    {"tilec_sim_ex2", reinterpret_cast<void *>(ex2)},
    {"tilec_sim_lg2", reinterpret_cast<void *>(lg2)},
    {"tilec_sim_rcp", reinterpret_cast<void *>(rcp)},
    {"tilec_sim_rsqrt", reinterpret_cast<void *>(rsqrt)},
    {"tilec_sim_sqrt", reinterpret_cast<void *>(squareRoot)},
    {"tilec_sim_tanh", reinterpret_cast<void *>(hyperbolicTangent)},
    {"tilec_sim_sin", reinterpret_cast<void *>(sine)},
    {"tilec_sim_cos", reinterpret_cast<void *>(cosine)},
    TILEC_ROUNDED("add", Add, 2),
    TILEC_ROUNDED("mul", Mul, 2),
    TILEC_ROUNDED("div", Div, 2),
    TILEC_ROUNDED("fma", Fma, 3),
    TILEC_ROUNDED("rcp", Rcp, 1),
    TILEC_ROUNDED("sqrt", Sqrt, 1),
    {"__extendhfsf2", reinterpret_cast<void *>(halfToFloat)},
    {"__truncsfhf2", reinterpret_cast<void *>(floatToHalf)},
    {"__truncdfhf2", reinterpret_cast<void *>(doubleToHalf)},
    {"__truncsfbf2", reinterpret_cast<void *>(floatToBFloat)},
    {"__truncdfbf2", reinterpret_cast<void *>(doubleToBFloat)},
    {"__powisf2", reinterpret_cast<void *>(powerOfIntegerFloat)},
    {"__powidf2", reinterpret_cast<void *>(powerOfInteger)},
};

} // namespace

llvm::ArrayRef<HostSymbol> getMathSymbols() { return kSymbols; }

} // namespace tilec::sim
