// Statuses of the C interface.

#include "lib/Interpreter/AccessFault.h"
#include "lib/JIT/Handles.h"
#include "lib/Support/SourceError.h"

using namespace tilec;
using namespace tilec::jit;

//===--- Making ------------------------------------------------------------===//

tilec_code tilec::jit::report(tilec_status **out, rt::Status status) {
  tilec_code code = static_cast<tilec_code>(status.getCode());
  if (out)
    *out = status.ok() ? nullptr : new tilec_status{std::move(status), {}, {}};
  return code;
}

tilec_code tilec::jit::report(tilec_status **out, llvm::Error error) {
  if (!error)
    return reportOk(out);
  std::unique_ptr<tilec_status> made(new tilec_status);
  error = llvm::handleErrors(std::move(error), [&](std::unique_ptr<AccessFaultError> info) {
    const AccessFault &fault = info->getFault();
    if (!fault.file.empty())
      made->diagnostics.push_back({TILEC_ERROR, made->keep(fault.file), fault.line, fault.column,
                                   fault.line, fault.column, made->keep(fault.describe())});
    return llvm::Error(std::move(info));
  });
  error = llvm::handleErrors(std::move(error), [&](std::unique_ptr<SourceError> info) {
    for (const SourceError::Mistake &mistake : info->getMistakes())
      made->diagnostics.push_back({TILEC_ERROR, made->keep(mistake.file), mistake.line,
                                   mistake.column, mistake.line, mistake.column,
                                   made->keep(mistake.text)});
    return llvm::Error(std::move(info));
  });
  made->status = toStatus(std::move(error));
  tilec_code code = static_cast<tilec_code>(made->status.getCode());
  if (out)
    *out = made.release();
  return code;
}

static void addDiagnostic(tilec_status &status, const SourceManager &sources,
                          const Diagnostic &from) {
  tilec_diagnostic to = {};
  switch (from.severity) {
  case Severity::Error:
    to.severity = TILEC_ERROR;
    break;
  case Severity::Warning:
    to.severity = TILEC_WARNING;
    break;
  case Severity::Note:
    to.severity = TILEC_NOTE;
    break;
  case Severity::Remark:
    to.severity = TILEC_REMARK;
    break;
  }
  to.file = "";
  if (from.range.isValid()) {
    LineColumn begin = sources.getLineColumn(from.range.begin);
    LineColumn end = sources.getLineColumn(from.range.end);
    to.file = status.keep(sources.getName(sources.getFile(from.range.begin)));
    to.line = begin.line;
    to.column = begin.column;
    to.end_line = end.line;
    to.end_column = end.column;
  }
  to.text = status.keep(from.message);
  status.diagnostics.push_back(to);
  for (const Diagnostic &note : from.notes)
    addDiagnostic(status, sources, note);
}

tilec_code tilec::jit::report(tilec_status **out, rt::Code code,
                              const DiagnosticEngine &diagnostics) {
  if (!out)
    return static_cast<tilec_code>(code);
  *out = nullptr;
  if (code == rt::Code::Ok && diagnostics.getDiagnostics().empty())
    return TILEC_OK;
  auto *status = new tilec_status;
  std::string text = diagnostics.renderToString();
  if (llvm::StringRef(text).ends_with("\n"))
    text.pop_back();
  status->status = rt::Status(code, std::move(text));
  for (const Diagnostic &diagnostic : diagnostics.getDiagnostics())
    addDiagnostic(*status, diagnostics.getSources(), diagnostic);
  *out = status;
  return static_cast<tilec_code>(code);
}

//===--- Reading -----------------------------------------------------------===//

tilec_code tilec_status_code(const tilec_status *status) {
  return status ? static_cast<tilec_code>(status->status.getCode()) : TILEC_OK;
}

const char *tilec_status_message(const tilec_status *status) {
  return status ? status->status.getMessage().c_str() : "";
}

const char *tilec_status_driver_error(const tilec_status *status) {
  return status ? status->status.getDriverError().c_str() : "";
}

size_t tilec_status_num_diagnostics(const tilec_status *status) {
  return status ? status->diagnostics.size() : 0;
}

tilec_code tilec_status_diagnostic(const tilec_status *status, size_t index,
                                   tilec_diagnostic *diagnostic) {
  if (!status || !diagnostic || index >= status->diagnostics.size())
    return TILEC_INVALID_ARGUMENT;
  *diagnostic = status->diagnostics[index];
  return TILEC_OK;
}

void tilec_status_release(tilec_status *status) { delete status; }
