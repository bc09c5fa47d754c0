// One comparison: a kernel on the reference, and the same or an equal one on a device.
#ifndef TILEC_LIB_FUZZ_TRIAL_H
#define TILEC_LIB_FUZZ_TRIAL_H

#include "lib/Fuzz/Case.h"

#include <optional>

namespace tilec::fuzz {

/// What is run against what.
struct Trial {
  /// What the right result is.
  Case expected;
  /// What is held to it; without one, `expected` itself.
  std::optional<Case> tested;
  /// "sim" or "cuda:N".
  std::string device = "sim";
  /// For tests of the fuzzer: the tested source gets NEW where OLD stands.
  std::string plantOld, plantNew;

  const Case &getTested() const { return tested ? *tested : expected; }
  /// As bytes, and back.
  std::string serialize() const;
  static Trial deserialize(llvm::StringRef bytes);
};

struct Outcome {
  enum Kind : uint8_t {
    Pass,
    Rejected,     ///< The front end gives an error.
    CompileError, ///< A later stage does.
    RefFault,     ///< The reference catches the kernel.
    DeviceFault,  ///< The device refuses or catches it.
    Mismatch,     ///< The results differ.
    Crash,        ///< The process ended.
    Timeout,
    NoDevice, ///< The device cannot be opened, whatever the kernel.
  };
  Kind kind = Pass;
  std::string message;

  bool isFinding() const { return kind != Pass; }
  /// "results differ: exact_i32[3] is 4, expected 5".
  std::string describe() const;
  /// Equal for outcomes that are taken to have one cause: the kind, and of an error the text
  /// without names and numbers.
  std::string getClass() const;

  std::string serialize() const;
  static Outcome deserialize(llvm::StringRef bytes);
};

/// Results in tensors of this prefix are compared with kLooseTolerance; others as their case or
/// their type says.
inline constexpr llvm::StringLiteral kLoosePrefix = "approx";
inline constexpr double kLooseTolerance = 1e-2;
/// Results in tensors of this prefix are equal to the last bit, but for NaN and the sign of 0. It is
/// none that the kernels of people use: what these round is the type's to tolerate.
inline constexpr llvm::StringLiteral kExactPrefix = "exact_";

/// Runs a trial in this process, which a defect may end.
Outcome runTrial(const Trial &trial);

} // namespace tilec::fuzz

#endif // TILEC_LIB_FUZZ_TRIAL_H
