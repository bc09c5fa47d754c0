// Compiles what can be compiled of a file, and says what the rest lacks.

#include "lib/Driver/KernelReport.h"
#include "lib/Driver/Tools.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace tilec {

static bool lacksType(const ParamDescription &param) {
  return param.type.empty() && param.role != ParamRole::Constexpr && param.defaultText.empty();
}

/// A signature of the kernel with guesses for the types that it does not say.
static std::string guessSignature(const KernelDescription &kernel) {
  std::string signature;
  for (const ParamDescription &param : kernel.params) {
    StringRef entry = lacksType(param)     ? guessType(param.role, param.annotation)
                      : param.type.empty() ? StringRef("constexpr")
                                           : StringRef(param.type);
    signature += (signature.empty() ? "" : ", ") + entry.str();
  }
  return signature;
}

/// What one kernel lacks before it can be compiled, a line each.
static std::vector<std::string> findMissing(const KernelDescription &kernel,
                                            const CompileOptions &options) {
  std::vector<std::string> missing;
  for (const ParamDescription &param : kernel.params) {
    auto isParam = [&](const auto &pair) { return pair.first == param.name; };
    bool isGiven = any_of(options.defines, isParam) || !param.defaultText.empty();
    if (isGiven || !param.type.empty())
      continue;
    if (param.role != ParamRole::Constexpr) {
      missing.push_back("'" + param.name + "' has no type" +
                        (param.role == ParamRole::Pointer ? "; it is used as a pointer" : ""));
      continue;
    }
    std::string line =
        "constexpr '" + param.name + "' has no value; give -D " + param.name + "=VALUE";
    for (const auto &[name, text] : kernel.heuristics)
      if (name == param.name)
        line += ", which the file computes by " + text;
    missing.push_back(line);
  }
  return missing;
}

int checkKernels(StringRef path, const CompileOptions &options, const ToolStreams &streams,
                 const RenderOptions &rendering) {
  KernelListing listing = listFileKernels(path, options);
  listing.diagnostics->render(streams.err, rendering);
  if (!listing.succeeded)
    return 1;
  if (listing.kernels.empty())
    return failTool(streams, "tilec",
                    "'" + path + "' has no jit function; decorate a kernel with @triton.jit");
  unsigned good = 0, bad = 0, unchecked = 0, helpers = 0;
  for (const KernelDescription &kernel : listing.kernels) {
    bool isNamed = is_contained(options.kernels, kernel.name);
    if (!options.kernels.empty() && !isNamed)
      continue;
    if (!kernel.isKernel() && !isNamed) {
      ++helpers;
      continue;
    }
    CompileOptions one = options;
    showDiagnostics(one, streams, rendering);
    one.kernels = {kernel.name};
    one.stage = Stage::PTX;
    // The first configuration of an autotuner gives values that nothing else does.
    if (!kernel.configs.empty())
      for (const auto &[name, value] : kernel.configs.front().values)
        if (none_of(options.defines, [name = name](auto &pair) { return pair.first == name; }))
          one.defines.push_back({name, value.kind == LiteralInfo::Kind::String
                                           ? "'" + value.text + "'"
                                           : value.text});
    if (std::vector<std::string> missing =
            options.signature.empty() ? findMissing(kernel, one) : std::vector<std::string>();
        !missing.empty()) {
      streams.out << kernel.name << ": not checked\n";
      for (const std::string &line : missing)
        streams.out << "  " << line << '\n';
      if (any_of(kernel.params, lacksType))
        streams.out << "  give types, as in --kernel=" << kernel.name << " --signature=\""
                    << guessSignature(kernel) << "\"\n";
      ++unchecked;
      continue;
    }
    CompileResult result = compileFile(path, one);
    showLimits(result, streams);
    streams.out << kernel.name << (result.succeeded ? ": ok\n" : ": failed\n");
    ++(result.succeeded ? good : bad);
  }
  streams.out << good << " ok, " << bad << " failed, " << unchecked << " not checked";
  if (helpers)
    streams.out << ", " << helpers << (helpers == 1 ? " helper" : " helpers");
  streams.out << '\n';
  return bad ? 1 : 0;
}

} // namespace tilec
