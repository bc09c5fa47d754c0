// Errors, warnings, notes and remarks: how they are collected and how they are shown.
#ifndef TILEC_LIB_SUPPORT_DIAGNOSTICS_H
#define TILEC_LIB_SUPPORT_DIAGNOSTICS_H

#include "lib/Support/SourceManager.h"

#include "llvm/Support/LogicalResult.h"
#include "llvm/Support/raw_ostream.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace tilec {

enum class Severity : uint8_t { Error, Warning, Note, Remark };

/// The word that the severity is shown as: "error", "warning", "note" or "remark".
llvm::StringRef getSeverityName(Severity severity);

/// One message about one place, and the notes that belong to it. An invalid range means that the
/// message is about no place.
struct Diagnostic {
  Severity severity = Severity::Error;
  SourceRange range;
  std::string message;
  std::vector<Diagnostic> notes;
};

class DiagnosticEngine;

/// Builds one diagnostic and hands it to the engine when it dies. Text goes to the message, or to
/// the note begun last:
///
///     return diags.error(range) << "shapes differ: " << a << " and " << b;
///     diags.error(close) << "unmatched ')'";
///     diags.error(range).note(other) << "..."   // a note with its text
///
/// It converts to `failure()`, so that a function may return it.
class DiagnosticBuilder {
public:
  DiagnosticBuilder(DiagnosticBuilder &&other);
  DiagnosticBuilder(const DiagnosticBuilder &) = delete;
  DiagnosticBuilder &operator=(const DiagnosticBuilder &) = delete;
  DiagnosticBuilder &operator=(DiagnosticBuilder &&) = delete;
  ~DiagnosticBuilder();

  /// Appends whatever a raw_ostream can print.
  template <typename T>
  DiagnosticBuilder &operator<<(const T &value) & {
    append(value);
    return *this;
  }
  template <typename T>
  DiagnosticBuilder &&operator<<(const T &value) && {
    append(value);
    return std::move(*this);
  }

  /// Begins a note; text appended from here on is the note's.
  DiagnosticBuilder &note(SourceRange range = {}) &;
  DiagnosticBuilder &&note(SourceRange range = {}) && { return std::move(note(range)); }

  operator llvm::LogicalResult() const { return llvm::failure(); }

private:
  friend class DiagnosticEngine;
  DiagnosticBuilder(DiagnosticEngine &engine, Severity severity, SourceRange range);

  template <typename T>
  void append(const T &value) {
    std::string &text =
        diagnostic.notes.empty() ? diagnostic.message : diagnostic.notes.back().message;
    llvm::raw_string_ostream(text) << value;
  }

  DiagnosticEngine *engine;
  Diagnostic diagnostic;
};

enum class ColorMode : uint8_t {
  Auto, ///< Colours if the stream is a terminal that has them.
  Always,
  Never,
};

/// How diagnostics are shown.
struct RenderOptions {
  ColorMode color = ColorMode::Never;
  /// Longest part of a source line that is shown, in columns; 0 shows all of it.
  unsigned maxColumns = 160;
  /// Columns from one tab stop to the next.
  unsigned tabWidth = 4;
};

/// Collects the diagnostics of one compilation, in the order they were reported. Not thread-safe:
/// every compilation has its own.
class DiagnosticEngine {
public:
  static constexpr unsigned kDefaultErrorLimit = 20;
  /// Warnings past this number are counted, not kept.
  static constexpr unsigned kWarningLimit = 100;

  /// `sources` must outlive the engine.
  explicit DiagnosticEngine(const SourceManager &sources, unsigned errorLimit = kDefaultErrorLimit)
      : sources(sources), errorLimit(errorLimit) {}

  DiagnosticBuilder error(SourceRange range = {});
  DiagnosticBuilder warning(SourceRange range = {});
  DiagnosticBuilder remark(SourceRange range = {});

  /// Adds a finished diagnostic. Past the limit of errors everything is dropped.
  void report(Diagnostic diagnostic);

  llvm::ArrayRef<Diagnostic> getDiagnostics() const { return diagnostics; }
  unsigned getErrorCount() const { return errorCount; }
  bool hasErrors() const { return errorCount != 0; }
  /// Whether an error was dropped: time to stop looking for more.
  bool isErrorLimitReached() const { return limitReached; }
  /// 0 means no limit.
  void setErrorLimit(unsigned limit) { errorLimit = limit; }
  const SourceManager &getSources() const { return sources; }

  /// Is told of each diagnostic that is kept, when it is reported: for messages that must be seen
  /// before what they are about has ended. The engine keeps them all the same.
  using Listener = std::function<void(const Diagnostic &)>;
  void setListener(Listener newListener) { listener = std::move(newListener); }

  /// Shows all of them, then a line about each limit that was reached.
  void render(llvm::raw_ostream &os, const RenderOptions &options = {}) const;
  /// The lines about the limits alone; for those whose listener showed the diagnostics.
  void renderLimits(llvm::raw_ostream &os) const;
  std::string renderToString(const RenderOptions &options = {}) const;

private:
  const SourceManager &sources;
  unsigned errorLimit;
  unsigned errorCount = 0;
  unsigned warningCount = 0;
  bool limitReached = false;
  Listener listener;
  std::vector<Diagnostic> diagnostics;
};

/// Shows one diagnostic and its notes:
///
///     file:line:col: error: message
///     the source line
///         ^~~~~~
void renderDiagnostic(llvm::raw_ostream &os, const SourceManager &sources,
                      const Diagnostic &diagnostic, const RenderOptions &options = {});

} // namespace tilec

#endif // TILEC_LIB_SUPPORT_DIAGNOSTICS_H
