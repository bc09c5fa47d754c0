// Lists the kernels of a file.

#include "lib/Driver/KernelReport.h"
#include "lib/Driver/ContextPool.h"
#include "lib/Driver/Notebook.h"
#include "lib/Frontend/ASTContext.h"
#include "lib/Frontend/Parser.h"
#include "lib/Target/NVPTX/NVPTX.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace tilec {

KernelListing listFileKernels(StringRef path, const CompileOptions &options) {
  KernelListing listing;
  listing.sources = std::make_unique<SourceManager>();
  listing.diagnostics = std::make_unique<DiagnosticEngine>(*listing.sources);
  const TargetInfo *target = lookupTarget(options.target);
  if (!target) {
    listing.diagnostics->error() << unknownTargetMessage(options.target);
    return listing;
  }
  std::optional<FileID> file = addSourceFile(*listing.sources, path, *listing.diagnostics);
  if (!file)
    return listing;
  ast::ASTContext astContext;
  ast::Module *tree = parseModule(*listing.sources, *file, *listing.diagnostics, astContext);
  if (listing.diagnostics->hasErrors())
    return listing;
  PooledContext context;
  FrontendOptions frontend;
  frontend.defines = options.defines;
  frontend.includeDirs = options.includeDirs;
  frontend.computeCapability = target->computeCapability;
  listing.kernels =
      describeKernels(*context, *tree, *listing.sources, *listing.diagnostics, frontend);
  listing.succeeded = !listing.diagnostics->hasErrors();
  return listing;
}

static std::string spell(const LiteralInfo &literal) {
  return literal.kind == LiteralInfo::Kind::String ? "'" + literal.text + "'" : literal.text;
}

/// The text on one line, shortened.
static std::string onOneLine(StringRef text) {
  constexpr size_t kMost = 100;
  std::string line;
  for (char c : text)
    if (!isSpace(c))
      line += c;
    else if (!line.empty() && line.back() != ' ')
      line += ' ';
  return line.size() <= kMost ? line : line.substr(0, kMost) + " ...";
}

void printKernels(raw_ostream &os, const KernelListing &listing) {
  for (const KernelDescription &kernel : listing.kernels) {
    LineColumn place = listing.sources->getLineColumn(kernel.range.begin);
    os << kernel.name << ": " << (kernel.isKernel() ? "kernel" : "helper") << ", line "
       << place.line;
    for (const std::string &caller : kernel.callers)
      os << (&caller == &kernel.callers.front() ? ", called by " : ", ") << caller;
    os << '\n';
    size_t width = 0;
    for (const ParamDescription &param : kernel.params)
      width = std::max(width, param.name.size());
    for (const ParamDescription &param : kernel.params) {
      std::string line = "  " + param.name + std::string(width - param.name.size() + 2, ' ');
      raw_string_ostream(line) << left_justify(getRoleName(param.role), 9);
      if (!param.type.empty())
        line += " " + param.type;
      if (!param.defaultText.empty())
        line += " = " + onOneLine(param.defaultText);
      if (param.doNotSpecialize)
        line += " (not specialized)";
      os << StringRef(line).rtrim() << '\n';
    }
    for (const ConfigDescription &config : kernel.configs) {
      os << "  config ";
      bool first = true;
      for (const auto *list : {&config.values, &config.options})
        for (const auto &[name, value] : *list) {
          os << (first ? "" : ", ") << name << '=' << spell(value);
          first = false;
        }
      os << '\n';
    }
    if (!kernel.configsText.empty())
      os << "  configs not evaluated: " << onOneLine(kernel.configsText) << '\n';
    for (const std::string &key : kernel.key)
      os << (&key == &kernel.key.front() ? "  tuned by " : ", ") << key;
    if (!kernel.key.empty())
      os << '\n';
    for (const auto &[name, text] : kernel.heuristics)
      os << "  heuristic " << name << (name.empty() ? "" : " = ") << onOneLine(text) << '\n';
  }
}

static void writeLiteral(json::OStream &json, const LiteralInfo &literal) {
  double number = 0;
  int64_t integer = 0;
  StringRef text = literal.text;
  switch (literal.kind) {
  case LiteralInfo::Kind::None:
    return json.value(nullptr);
  case LiteralInfo::Kind::Bool:
    return json.value(text == "True");
  case LiteralInfo::Kind::Number:
    if (!text.getAsInteger(10, integer))
      return json.value(integer);
    // JSON has no infinity.
    if (!text.contains("inf") && !text.contains("nan") && !text.getAsDouble(number))
      return json.value(number);
    return json.value(text);
  default:
    return json.value(text);
  }
}

static void writeTuning(json::OStream &json, const KernelDescription &kernel) {
  json.attributeObject("autotune", [&] {
    json.attributeArray("configs", [&] {
      for (const ConfigDescription &config : kernel.configs)
        json.object([&] {
          json.attributeObject("kwargs", [&] {
            for (const auto &[name, value] : config.values) {
              json.attributeBegin(name);
              writeLiteral(json, value);
              json.attributeEnd();
            }
          });
          for (const auto &[name, value] : config.options) {
            json.attributeBegin(name);
            writeLiteral(json, value);
            json.attributeEnd();
          }
        });
    });
    if (!kernel.configsText.empty())
      json.attribute("not_evaluated", kernel.configsText);
    json.attributeArray("key", [&] {
      for (const std::string &name : kernel.key)
        json.value(name);
    });
  });
}

void printKernelsAsJson(raw_ostream &os, StringRef path, const KernelListing &listing) {
  json::OStream json(os, /*IndentSize=*/2);
  json.object([&] {
    json.attribute("version", 1);
    json.attribute("file", path);
    json.attributeArray("kernels", [&] {
      for (const KernelDescription &kernel : listing.kernels)
        json.object([&] {
          LineColumn place = listing.sources->getLineColumn(kernel.range.begin);
          json.attribute("name", kernel.name);
          json.attribute("line", place.line);
          json.attribute("kernel", kernel.isKernel());
          json.attribute("returns_value", kernel.returnsValue);
          json.attributeArray("called_by", [&] {
            for (const std::string &caller : kernel.callers)
              json.value(caller);
          });
          json.attributeArray("parameters", [&] {
            for (const ParamDescription &param : kernel.params)
              json.object([&] {
                auto text = [&](StringRef name, StringRef value) {
                  json.attribute(name, value.empty() ? json::Value(nullptr) : json::Value(value));
                };
                json.attribute("name", param.name);
                json.attribute("role", getRoleName(param.role));
                text("type", param.type);
                text("annotation", param.annotation);
                text("default", param.defaultText);
                json.attribute("do_not_specialize", param.doNotSpecialize);
              });
          });
          if (!kernel.configs.empty() || !kernel.configsText.empty())
            writeTuning(json, kernel);
          json.attributeArray("heuristics", [&] {
            for (const auto &[name, value] : kernel.heuristics)
              json.object([&, name = name, value = value] {
                json.attribute("name", name);
                json.attribute("text", value);
              });
          });
        });
    });
  });
  os << '\n';
}

} // namespace tilec
