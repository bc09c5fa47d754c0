// Collecting diagnostics.
#include "lib/Support/Diagnostics.h"

namespace tilec {

llvm::StringRef getSeverityName(Severity severity) {
  switch (severity) {
  case Severity::Error:
    return "error";
  case Severity::Warning:
    return "warning";
  case Severity::Note:
    return "note";
  case Severity::Remark:
    return "remark";
  }
  return "";
}

DiagnosticBuilder::DiagnosticBuilder(DiagnosticEngine &engine, Severity severity, SourceRange range)
    : engine(&engine) {
  diagnostic.severity = severity;
  diagnostic.range = range;
}

DiagnosticBuilder::DiagnosticBuilder(DiagnosticBuilder &&other)
    : engine(other.engine), diagnostic(std::move(other.diagnostic)) {
  other.engine = nullptr;
}

DiagnosticBuilder::~DiagnosticBuilder() {
  if (engine)
    engine->report(std::move(diagnostic));
}

DiagnosticBuilder &DiagnosticBuilder::note(SourceRange range) & {
  Diagnostic note;
  note.severity = Severity::Note;
  note.range = range;
  diagnostic.notes.push_back(std::move(note));
  return *this;
}

DiagnosticBuilder DiagnosticEngine::error(SourceRange range) {
  return DiagnosticBuilder(*this, Severity::Error, range);
}

DiagnosticBuilder DiagnosticEngine::warning(SourceRange range) {
  return DiagnosticBuilder(*this, Severity::Warning, range);
}

DiagnosticBuilder DiagnosticEngine::remark(SourceRange range) {
  return DiagnosticBuilder(*this, Severity::Remark, range);
}

/// Cuts the middle out of a text that quotes more of a program than anybody reads.
static void shorten(std::string &text) {
  constexpr size_t kMost = 8192, kFront = 4096, kBack = 1024;
  if (text.size() <= kMost)
    return;
  auto isInside = [&](size_t pos) { return (uint8_t(text[pos]) & 0xC0) == 0x80; };
  size_t front = kFront, back = text.size() - kBack;
  while (front > 0 && isInside(front))
    --front;
  while (back < text.size() && isInside(back))
    ++back;
  text = text.substr(0, front) + " [... " + std::to_string(back - front) + " bytes ...] " +
         text.substr(back);
}

void DiagnosticEngine::report(Diagnostic diagnostic) {
  if (limitReached)
    return;
  shorten(diagnostic.message);
  for (Diagnostic &note : diagnostic.notes)
    shorten(note.message);
  if (diagnostic.severity == Severity::Error) {
    if (errorLimit != 0 && errorCount == errorLimit) {
      limitReached = true;
      return;
    }
    ++errorCount;
  }
  if (diagnostic.severity == Severity::Warning && ++warningCount > kWarningLimit)
    return;
  diagnostics.push_back(std::move(diagnostic));
  if (listener)
    listener(diagnostics.back());
}

void DiagnosticEngine::render(llvm::raw_ostream &os, const RenderOptions &options) const {
  for (const Diagnostic &diagnostic : diagnostics)
    renderDiagnostic(os, sources, diagnostic, options);
  renderLimits(os);
}

void DiagnosticEngine::renderLimits(llvm::raw_ostream &os) const {
  if (warningCount > kWarningLimit)
    os << warningCount - kWarningLimit << " more warnings are not shown\n";
  if (limitReached)
    os << "too many errors emitted, stopping now\n";
}

std::string DiagnosticEngine::renderToString(const RenderOptions &options) const {
  std::string text;
  llvm::raw_string_ostream os(text);
  render(os, options);
  return text;
}

} // namespace tilec
