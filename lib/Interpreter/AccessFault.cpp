// The text of faults.
#include "lib/Interpreter/AccessFault.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

namespace tilec {

char AccessFaultError::ID = 0;

std::string AccessFault::describe() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  auto access = [&]() -> llvm::raw_ostream & {
    os << (isStore ? "store to" : "load of");
    if (!argument.empty())
      os << " '" << argument << "' at index " << index;
    else
      os << " address 0x" << llvm::utohexstr(address, /*LowerCase=*/true);
    return os;
  };
  switch (kind) {
  case Kind::OutOfBounds:
    access() << " is out of bounds (" << elements
             << (elements == 1 ? " element of " : " elements of ") << elementType << ')';
    break;
  case Kind::Misaligned:
    access() << " is misaligned (address 0x" << llvm::utohexstr(address, /*LowerCase=*/true)
             << " is not a multiple of the size of " << elementType << ')';
    break;
  case Kind::Uninitialised:
    access() << " reads memory that nothing has written";
    break;
  case Kind::UnknownAddress:
    access() << ", which no argument holds";
    break;
  case Kind::FalseAssume:
    os << "assumption is false";
    break;
  case Kind::FalseAssert:
    os << "assertion does not hold";
    if (!message.empty())
      os << ": " << message;
    break;
  case Kind::DivisionByZero:
    os << "integer division by zero";
    break;
  case Kind::BadLoopStep:
    os << "loop step is not positive";
    break;
  case Kind::StepLimit:
    os << "program did not end within the step limit";
    break;
  case Kind::Timeout:
    os << "launch did not end within " << llvm::format("%g", seconds) << " s";
    if (!message.empty())
      os << ": this " << message << " was running";
    break;
  case Kind::Other:
    return detail;
  }
  if (!detail.empty())
    os << " (" << detail << ')';
  return text;
}

std::string AccessFault::render() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "kernel '" << kernel << "', ";
  if (!file.empty())
    os << file << ':' << line << ':' << column << ": ";
  os << describe() << ", in program (" << program[0] << ", " << program[1] << ", " << program[2]
     << ')';
  return text;
}

void AccessFaultError::log(llvm::raw_ostream &os) const { os << fault.render(); }

std::error_code AccessFaultError::convertToErrorCode() const {
  return llvm::inconvertibleErrorCode();
}

} // namespace tilec
