// What went wrong while a program ran on the host: the fault, its text and the llvm::Error around
// it. Free of MLIR, so that the simulator's run-time library can report the same faults.
#ifndef TILEC_LIB_INTERPRETER_ACCESSFAULT_H
#define TILEC_LIB_INTERPRETER_ACCESSFAULT_H

#include "llvm/Support/Error.h"

#include <array>
#include <cstdint>
#include <string>

namespace tilec {

/// One fault of one program of a launch. Fields that a kind does not use keep their defaults.
struct AccessFault {
  enum class Kind : uint8_t {
    OutOfBounds,    ///< An access that is not inside the argument's buffer.
    Misaligned,     ///< An address that is not a multiple of the element's size.
    Uninitialised,  ///< A load of bytes that nothing has written.
    UnknownAddress, ///< An address that was derived from no argument.
    FalseAssume,    ///< `tl.assume` of something false.
    FalseAssert,    ///< An assertion of the program; `message` is its text.
    DivisionByZero, ///< An integer division or remainder.
    BadLoopStep,    ///< A loop whose step is not positive.
    StepLimit,      ///< The program ran more operations than it was allowed to.
    Timeout,        ///< The launch took longer than it was allowed to.
    Other,          ///< `detail` is the whole message.
  };

  Kind kind = Kind::Other;
  std::string kernel;
  /// Source position; an empty file means that it is not known.
  std::string file;
  unsigned line = 0, column = 0;
  /// For accesses: whether it writes, the argument's source name, the index in elements from the
  /// argument's start (negative before it), the buffer's length in elements, and their type as
  /// the language spells it ("fp32").
  bool isStore = false;
  std::string argument;
  int64_t index = 0;
  int64_t elements = 0;
  std::string elementType;
  /// For UnknownAddress and Misaligned: the address in bytes.
  uint64_t address = 0;
  /// The program's index in the grid.
  std::array<int64_t, 3> program = {0, 0, 0};
  /// Kind::Other: the message. Other kinds: appended in brackets if not empty.
  std::string detail;
  /// Kind::FalseAssert: the text of the assertion. Kind::Timeout: what was running, as "loop".
  std::string message;
  /// Kind::Timeout: the limit.
  double seconds = 0;

  /// The message without kernel and position: `load of 'x_ptr' at index 1000001 is out of bounds
  /// (1000001 elements of fp32)`.
  std::string describe() const;
  /// The whole line: `kernel 'add', softmax.tile:12:18: load of ... in program (976, 0, 0)`.
  std::string render() const;
};

/// An AccessFault as an llvm::Error; its message is `render()`.
class AccessFaultError : public llvm::ErrorInfo<AccessFaultError> {
public:
  static char ID;

  explicit AccessFaultError(AccessFault fault) : fault(std::move(fault)) {}
  const AccessFault &getFault() const { return fault; }
  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;

private:
  AccessFault fault;
};

} // namespace tilec

#endif // TILEC_LIB_INTERPRETER_ACCESSFAULT_H
