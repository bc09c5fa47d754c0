// The lines that a kernel prints.
#include "lib/Support/DevicePrint.h"

#include "lib/Support/FloatFormats.h"
#include "llvm/ADT/StringExtras.h"

#include <cstdio>

namespace tilec {

static constexpr llvm::StringLiteral kProgram = "pid (%u, %u, %u)";

/// A prefix is text, whatever it holds.
static void appendText(std::string &format, llvm::StringRef text) {
  for (char c : text) {
    format += c;
    if (c == '%')
      format += c;
  }
}

static std::string conversionOf(const PrintedOperand &operand) {
  bool isLong = operand.bits > 32;
  if (operand.type == Printed::Pointer)
    return "%p";
  if (operand.hex)
    return "0x%0" + std::to_string((operand.bits + 3) / 4) + (isLong ? "llx" : "x");
  switch (operand.type) {
  case Printed::Int:
    return "%i";
  case Printed::UInt:
    return "%u";
  case Printed::Long:
    return "%lli";
  case Printed::ULong:
    return "%llu";
  default:
    return "%f";
  }
}

std::string makePrintFormat(llvm::StringRef prefix) {
  std::string format = kProgram.str();
  appendText(format, prefix);
  return format + "\n";
}

std::string makePrintFormat(llvm::StringRef prefix, const PrintedOperand &operand) {
  std::string format = kProgram.str() + " idx (";
  for (auto [i, extent] : llvm::enumerate(operand.shape)) {
    size_t width = std::to_string(extent - 1).size();
    format += (i ? ", %" : "%") + std::to_string(width) + "u";
  }
  format += ")";
  appendText(format, prefix);
  if (operand.count > 1)
    format += "(operand " + std::to_string(operand.number) + ") ";
  return format + conversionOf(operand) + "\n";
}

std::string formatPrint(llvm::StringRef format, llvm::ArrayRef<uint64_t> args) {
  std::string text;
  size_t next = 0;
  while (!format.empty()) {
    size_t percent = format.find('%');
    text += format.take_front(percent);
    if (percent == llvm::StringRef::npos)
      break;
    format = format.drop_front(percent);
    if (format.consume_front("%%")) {
      text += '%';
      continue;
    }
    size_t length = format.find_first_of("iuxfpd", 1);
    if (length == llvm::StringRef::npos || next == args.size())
      return text;
    std::string conversion = format.take_front(length + 1).str();
    format = format.drop_front(length + 1);
    uint64_t arg = args[next++];
    char buffer[400]; // the longest double has 309 digits before the point
    char kind = conversion.back();
    if (kind == 'f')
      std::snprintf(buffer, sizeof buffer, conversion.c_str(), bitCast<double>(arg));
    else if (kind == 'p')
      std::snprintf(buffer, sizeof buffer, conversion.c_str(), reinterpret_cast<void *>(arg));
    else if (conversion.find("ll") != std::string::npos)
      std::snprintf(buffer, sizeof buffer, conversion.c_str(),
                    static_cast<unsigned long long>(arg));
    else
      std::snprintf(buffer, sizeof buffer, conversion.c_str(), static_cast<unsigned>(arg));
    text += buffer;
  }
  return text;
}

void writePrint(llvm::StringRef line) {
  std::fwrite(line.data(), 1, line.size(), stdout);
  // In order with what others write to the same place.
  std::fflush(stdout);
}

} // namespace tilec
