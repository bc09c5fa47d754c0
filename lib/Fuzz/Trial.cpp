// Compiles both kernels of a trial, runs them and compares their tensors.

#include "lib/Fuzz/Trial.h"
#include "lib/Driver/Run.h"
#include "lib/Frontend/ASTContext.h"
#include "lib/Frontend/Parser.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace llvm;

namespace tilec::fuzz {

//===--- Bytes --------------------------------------------------------------===//

static void put(std::string &bytes, StringRef part) {
  bytes += std::to_string(part.size()) + ":" + part.str();
}

static std::string take(StringRef &bytes) {
  auto [length, rest] = bytes.split(':');
  size_t size = 0;
  length.getAsInteger(10, size);
  bytes = rest.drop_front(std::min(size, rest.size()));
  return rest.take_front(size).str();
}

static void putCase(std::string &bytes, const Case &c) {
  put(bytes, c.name);
  put(bytes, c.format(""));
}

static Case takeCase(StringRef &bytes) {
  std::string name = take(bytes), text = take(bytes);
  return cantFail(parseCases(name, text)).front();
}

std::string Trial::serialize() const {
  std::string bytes;
  putCase(bytes, expected);
  put(bytes, tested ? "1" : "");
  if (tested)
    putCase(bytes, *tested);
  for (const std::string *text : {&device, &plantOld, &plantNew})
    put(bytes, *text);
  return bytes;
}

Trial Trial::deserialize(StringRef bytes) {
  Trial trial;
  trial.expected = takeCase(bytes);
  if (!take(bytes).empty())
    trial.tested = takeCase(bytes);
  for (std::string *text : {&trial.device, &trial.plantOld, &trial.plantNew})
    *text = take(bytes);
  return trial;
}

std::string Outcome::serialize() const { return std::to_string(kind) + ":" + message; }

Outcome Outcome::deserialize(StringRef bytes) {
  auto [kind, message] = bytes.split(':');
  unsigned number = 0;
  kind.getAsInteger(10, number);
  return {static_cast<Kind>(number), message.str()};
}

std::string Outcome::describe() const {
  static constexpr StringLiteral kTexts[] = {"equal",
                                             "the front end refuses it",
                                             "the compiler fails",
                                             "the reference stops",
                                             "the device stops",
                                             "results differ",
                                             "the process ended",
                                             "no end within the time limit",
                                             "there is no device"};
  return kTexts[kind].str() + (message.empty() ? "" : ": " + message);
}

std::string Outcome::getClass() const {
  std::string result = std::to_string(kind);
  if (kind == Mismatch || kind == Pass || kind == Timeout)
    return result;
  // Types in errors of the front end count, for it is types that they are about.
  bool isQuoted = false, isShape = false;
  for (char c : StringRef(message).split('\n').first.split(" (line ").first) {
    isQuoted ^= c == '\'';
    isShape = c == '[' || (isShape && c != ']');
    if (!isQuoted && !isShape && (kind == Rejected || !isDigit(c)))
      result += c;
  }
  return result;
}

//===--- Running ------------------------------------------------------------===//

namespace {

using Tensors = std::vector<std::pair<std::string, HostTensor>>;

/// A case compiled for one device or two, with its arguments.
struct Compiled {
  CompileResult result;
  std::vector<ArgumentValue> args;
};

/// The first error of a compilation in one line.
std::string getFirstError(const CompileResult &result) {
  for (const Diagnostic &diagnostic : result.diagnostics->getDiagnostics()) {
    if (diagnostic.severity != Severity::Error)
      continue;
    LineColumn place = result.sources->getLineColumn(diagnostic.range.begin);
    return diagnostic.message + " (line " + std::to_string(place.line) + ")";
  }
  return "no error is reported";
}

/// A kernel's name and the signature that tile-run would infer, or an error.
Expected<std::pair<std::string, std::string>> getSignature(const Case &c,
                                                           ArrayRef<ArgumentValue> args) {
  SourceManager sources;
  DiagnosticEngine diags(sources);
  ast::ASTContext context;
  FileID file = sources.addText(c.name, c.text);
  const ast::Module *module = parseModule(sources, file, diags, context);
  if (diags.hasErrors())
    return createStringError(inconvertibleErrorCode(), diags.getDiagnostics().front().message);
  std::vector<KernelInfo> kernels = listKernels(*module);
  auto kernel = find_if(kernels, [&](const KernelInfo &info) {
    return c.kernel.empty() ? kernels.size() == 1 : info.name == c.kernel;
  });
  if (kernel == kernels.end())
    return createStringError(inconvertibleErrorCode(),
                             c.kernel.empty() ? "more than one kernel, and none is named"
                                              : "no kernel '" + c.kernel + "'");
  Specialize mode = c.specialize == "none"   ? Specialize::None
                    : c.specialize == "full" ? Specialize::Full
                                             : Specialize::Align;
  auto signature = inferSignature(*kernel, args, c.defines, mode, c.misalign);
  if (!signature)
    return signature.takeError();
  return std::pair(kernel->name, *signature);
}

std::optional<Outcome> compile(const Case &c, bool forRef, const Device *device, Compiled &out) {
  for (const std::string &text : c.args) {
    Expected<ArgumentValue> value = parseArgument(text, c.seed);
    if (!value)
      return Outcome{Outcome::Rejected, toString(value.takeError())};
    out.args.push_back(std::move(*value));
  }
  auto signature = getSignature(c, out.args);
  if (!signature)
    return Outcome{Outcome::Rejected, toString(signature.takeError())};
  CompileOptions options;
  options.kernels = {signature->first};
  options.signature = signature->second;
  options.defines = c.defines;
  options.numWarps = c.numWarps;
  options.numStages = c.numStages;
  options.wantPtx = options.wantLoweredModule = false;
  if (device)
    adjustForDevice(options, *device, /*targetIsGiven=*/false);
  else
    options.stage = Stage::Tile;
  options.wantTileModule = forRef;
  out.result = compileText(c.name, c.text, options);
  if (out.result.succeeded)
    return std::nullopt;
  // What a later stage says is never the program's fault.
  return Outcome{out.result.artifact.kernels.empty() ? Outcome::Rejected : Outcome::CompileError,
                 getFirstError(out.result)};
}

Expected<Tensors> run(std::shared_ptr<Device> device, const Compiled &compiled, const Case &c) {
  Expected<std::unique_ptr<PreparedRun>> prepared = PreparedRun::create(
      std::move(device), compiled.result.artifact, c.kernel, compiled.args, c.misalign);
  if (!prepared)
    return prepared.takeError();
  if (Error error = (*prepared)->run({c.grid[0], c.grid[1], c.grid[2]}))
    return std::move(error);
  return (*prepared)->readTensors();
}

/// "x[3] is 4, expected 5", or nothing if the two are alike.
std::optional<std::string> compare(StringRef name, const HostTensor &got, const HostTensor &want,
                                   const Case &c) {
  Tolerance tolerance = getDefaultTolerance(want.dtype);
  if (name.starts_with(kLoosePrefix))
    tolerance = {kLooseTolerance, kLooseTolerance};
  else if (name.starts_with(kExactPrefix))
    tolerance = {0, 0};
  if (c.rtol >= 0)
    tolerance.relative = c.rtol;
  if (c.atol >= 0)
    tolerance.absolute = c.atol;
  Comparison comparison =
      cantFail(compareTensors(got, want, tolerance.relative, tolerance.absolute));
  if (comparison.equal)
    return std::nullopt;
  std::string text;
  raw_string_ostream os(text);
  os << name << '[' << comparison.firstMismatch << "] is ";
  if (isFloat(want.dtype))
    os << format("%.9g, expected %.9g", comparison.got, comparison.want);
  else
    os << got.getInt(comparison.firstMismatch) << ", expected "
       << want.getInt(comparison.firstMismatch);
  os << " (" << comparison.mismatches << " of " << want.getNumElements() << " elements differ)";
  return text;
}

} // namespace

Outcome runTrial(const Trial &trial) {
  DeviceOptions oneThread;
  oneThread.numThreads = 1;
  Expected<std::shared_ptr<Device>> ref = openDevice("ref", oneThread),
                                    device = openDevice(trial.device, oneThread);
  if (!ref || !device) {
    std::string message = ref ? "" : toString(ref.takeError());
    return {Outcome::NoDevice, device ? message : message + toString(device.takeError())};
  }
  Case tested = trial.getTested();
  for (size_t at = 0; !trial.plantOld.empty();) {
    at = tested.text.find(trial.plantOld, at);
    if (at == std::string::npos)
      break;
    tested.text.replace(at, trial.plantOld.size(), trial.plantNew);
    at += trial.plantNew.size();
  }
  // One compilation gives both programs if they are one.
  bool isOne = tested == trial.expected;
  Compiled first, second;
  if (auto outcome =
          compile(trial.expected, /*forRef=*/true, isOne ? device->get() : nullptr, first))
    return *outcome;
  if (!isOne)
    if (auto outcome = compile(tested, /*forRef=*/false, device->get(), second))
      return *outcome;

  Expected<Tensors> want = run(*ref, first, trial.expected);
  if (!want)
    return {Outcome::RefFault, toString(want.takeError())};
  Expected<Tensors> got = run(*device, isOne ? first : second, tested);
  if (!got)
    return {Outcome::DeviceFault, toString(got.takeError())};
  for (const auto &[name, tensor] : *want)
    for (const auto &[otherName, other] : *got)
      if (name == otherName && tensor.shape == other.shape)
        if (auto difference = compare(name, other, tensor, tested))
          return {Outcome::Mismatch, *difference};
  return {};
}

} // namespace tilec::fuzz
