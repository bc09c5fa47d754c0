// The command line of tile-run.

#include "lib/Driver/Notebook.h"
#include "lib/Driver/Run.h"
#include "lib/Driver/RunReport.h"
#include "lib/Driver/Tools.h"
#include "lib/Frontend/ASTContext.h"
#include "lib/Frontend/Parser.h"
#include "lib/Interpreter/AccessFault.h"
#include "lib/Support/SourceError.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace tilec {

static constexpr OptionSpec kOptions[] = {
    {"kernel", OptionSpec::Value},     {"device", OptionSpec::Value},
    {"grid", OptionSpec::Value},       {"arg", OptionSpec::List},
    {"D", OptionSpec::List},           {"num-warps", OptionSpec::Value},
    {"num-stages", OptionSpec::Value}, {"save", OptionSpec::List},
    {"bench", OptionSpec::Flag},       {"compare", OptionSpec::Value},
    {"rtol", OptionSpec::Value},       {"atol", OptionSpec::Value},
    {"seed", OptionSpec::Value},       {"signature", OptionSpec::Value},
    {"specialize", OptionSpec::Value}, {"target", OptionSpec::Value},
    {"misalign", OptionSpec::Value},   {"I", OptionSpec::List},
    {"timeout", OptionSpec::Value},    {"enable-asserts", OptionSpec::Flag},
    {"time", OptionSpec::Flag},        {"color", OptionSpec::Value},
    {"version", OptionSpec::Flag},     {"help", OptionSpec::Flag},
    {"h", OptionSpec::Flag},
};

static constexpr StringLiteral kHelp =
    R"help(usage: tile-run INPUT --kernel=NAME --device=DEVICE --grid=X[,Y[,Z]]
                --arg NAME=VALUE... [options]

Compiles a kernel, runs it and shows what became of its tensors.

What to run:
  --kernel=NAME         the kernel; not needed if the file has only one
  --device=DEVICE       ref     the reference interpreter of the language
                        sim     a simulated GPU that checks every access
                        cuda:N  GPU number N; 'cuda' is the first
  --grid=X[,Y[,Z]]      the number of programs along each axis
  --arg NAME=VALUE      the value of a parameter:
                          3, -1.5, True, 3:i64       a number, with its type
                          @x.npy, @x.npy:bf16        a file, converted
                          randn(1823,781):fp16       normal random numbers
                          randint(0,9,100), rand(4)  uniform random numbers
                          zeros(4,4), ones(4), full(4,2.5), arange(8)
                          empty(1000)                memory that nothing wrote
  --seed=N              of the random numbers, 0 by default
  -D NAME=VALUE         the value of a constexpr parameter or global
  --signature=S         types as for tilec, instead of those of the values
  --specialize=WHAT     what the compiler may learn of the values: none, align
                        (that 16 divides them; default), full (also equal to 1)
  --misalign=N          begin every tensor N elements past an aligned address
  --num-warps=N, --num-stages=N, --target=NAME, -I DIR, --enable-asserts
                        as for tilec

  --timeout=SECONDS     give up a launch on ref or sim that takes longer; 600 by
                        default, 0 is never

What to do with the result:
  --compare=ref         run on 'ref' too, compare every tensor, fail if apart
  --rtol=R, --atol=A    tolerances of the comparison, by type without these
  --save NAME=FILE.npy  write a tensor
  --bench               time repeated launches, show bandwidth
  --time                the time of each stage of the compiler
  --color=WHEN          auto, always or never
  --version, --help     and exit

The exit status is 0, or 1 after an error or a failed comparison.

Examples:
  tile-run add.tile --kernel=add --device=sim --grid=8 -D BLOCK=128 \
      --arg x="randn(1000)" --arg y="randn(1000)" --arg out="empty(1000)" \
      --arg n=1000 --compare=ref
)help";

namespace {

/// What the command line asks for.
struct Request {
  std::string input, deviceName;
  CompileOptions compile;
  Grid grid;
  std::vector<ArgumentValue> args;
  std::vector<std::pair<std::string, std::string>> saves;
  Specialize specialize = Specialize::Align;
  std::optional<double> rtol, atol;
  double timeout = 600;
  unsigned misalign = 0;
  bool compare = false, bench = false, time = false, targetIsGiven = false;
  RenderOptions rendering;
};

Expected<Grid> parseGrid(StringRef text) {
  SmallVector<StringRef> parts;
  text.split(parts, ',');
  Grid grid;
  uint64_t *extents[] = {&grid.x, &grid.y, &grid.z};
  bool isBad = parts.size() > 3;
  for (size_t i = 0; i != parts.size() && !isBad; ++i)
    isBad = parts[i].trim().getAsInteger(10, *extents[i]);
  if (isBad)
    return makeError(rt::Code::InvalidArgument,
                     "'" + text + "' is no value of '--grid'; it takes X, X,Y or X,Y,Z");
  return grid;
}

Expected<std::optional<double>> parseTolerance(const CommandLine &line, StringRef name) {
  std::optional<StringRef> text = line.get(name);
  double value = 0;
  if (!text)
    return std::optional<double>();
  if (text->getAsDouble(value) || !(value >= 0))
    return makeError(rt::Code::InvalidArgument, "'" + *text + "' is no value of '" +
                                                    spellOption(name) +
                                                    "'; it takes a number from 0 up");
  return std::optional<double>(value);
}

/// Reads the part of the command line that getCompileOptions does not.
Error readRequest(const CommandLine &line, Request &request) {
  if (line.getPositional().size() != 1)
    return makeError(rt::Code::InvalidArgument,
                     line.getPositional().empty()
                         ? "no input file; --help shows how to call tile-run"
                         : "more than one input file");
  request.input = line.getPositional().front().str();
  if (!line.has("device"))
    return makeError(rt::Code::InvalidArgument,
                     "no device: give '--device' as 'ref', 'sim' or 'cuda:N'");
  request.deviceName = line.get("device")->str();
  if (!line.has("grid"))
    return makeError(rt::Code::InvalidArgument, "no grid: give '--grid' as X, X,Y or X,Y,Z");
  Expected<Grid> grid = parseGrid(*line.get("grid"));
  if (!grid)
    return grid.takeError();
  request.grid = *grid;

  Expected<std::optional<uint64_t>> seed = line.getNumber("seed", 0, UINT64_MAX);
  if (!seed)
    return seed.takeError();
  for (const std::string &text : line.getAll("arg")) {
    Expected<ArgumentValue> value = parseArgument(text, seed->value_or(0));
    if (!value)
      return value.takeError();
    if (any_of(request.args, [&](const ArgumentValue &arg) { return arg.name == value->name; }))
      return makeError(rt::Code::InvalidArgument, "argument '" + value->name + "' is given twice");
    request.args.push_back(std::move(*value));
  }

  auto saves = line.getPairs("save", "NAME=FILE.npy");
  if (!saves)
    return saves.takeError();
  request.saves = std::move(*saves);
  for (const auto &[name, path] : request.saves)
    if (none_of(request.args, [&, &name = name](const ArgumentValue &arg) {
          return arg.name == name && arg.kind == ArgumentValue::Kind::Tensor;
        }))
      return makeError(rt::Code::InvalidArgument,
                       "cannot save '" + name + "': no tensor argument has that name");

  Expected<size_t> specialize =
      line.getChoice("specialize", {"none", "align", "full"}, size_t(Specialize::Align));
  if (!specialize)
    return specialize.takeError();
  request.specialize = static_cast<Specialize>(*specialize);
  auto misalign = line.getNumber("misalign", 0, 1024);
  if (!misalign)
    return misalign.takeError();
  request.misalign = misalign->value_or(0);
  if (Expected<size_t> compare = line.getChoice("compare", {"ref"}, 0); !compare)
    return compare.takeError();
  request.compare = line.has("compare");
  auto rtol = parseTolerance(line, "rtol"), atol = parseTolerance(line, "atol");
  if (!rtol || !atol)
    return joinErrors(rtol ? Error::success() : rtol.takeError(),
                      atol ? Error::success() : atol.takeError());
  request.rtol = *rtol;
  request.atol = *atol;
  if (std::optional<StringRef> text = line.get("timeout"))
    if (text->getAsDouble(request.timeout) || !(request.timeout >= 0 && request.timeout <= 1e9))
      return makeError(rt::Code::InvalidArgument,
                       "'" + *text + "' is no value of '--timeout'; it takes a number of seconds");
  request.bench = line.has("bench");
  request.time = line.has("time");
  request.targetIsGiven = line.has("target");
  return Error::success();
}

/// Runs a request; the exit status.
class Runner {
public:
  Runner(Request request, const ToolStreams &streams)
      : request(std::move(request)), streams(streams) {}
  int run();

private:
  DeviceOptions getDeviceOptions() const {
    DeviceOptions options;
    options.timeoutSeconds = request.timeout;
    return options;
  }
  int fail(Error error) { return failTool(streams, "tile-run", std::move(error)); }
  Error chooseSignature();
  std::optional<CompileResult> compile();
  bool showAt(const CompileResult &compiled, StringRef file, LineColumn place, std::string message);
  int failLaunch(Error error, const CompileResult &compiled);
  Expected<std::vector<std::pair<std::string, HostTensor>>> runReference();
  bool compare(const std::vector<std::pair<std::string, HostTensor>> &got,
               const std::vector<std::pair<std::string, HostTensor>> &want);

  Request request;
  ToolStreams streams;
  std::shared_ptr<Device> device;
  std::string text, name;
};

/// Finds the kernel in the file and the types of its parameters for the arguments. A file with
/// errors is left to the compiler, which tells them.
Error Runner::chooseSignature() {
  SourceManager sources;
  DiagnosticEngine diags(sources);
  ast::ASTContext context;
  ast::Module *module = parseModule(sources, sources.addText(name, text), diags, context);
  if (diags.hasErrors())
    return Error::success();

  std::vector<KernelInfo> kernels = listKernels(*module);
  const KernelInfo *kernel = nullptr;
  std::string known;
  for (const KernelInfo &candidate : kernels) {
    known += (known.empty() ? "'" : ", '") + candidate.name + "'";
    if (!request.compile.kernels.empty() && candidate.name == request.compile.kernels.front())
      kernel = &candidate;
  }
  if (request.compile.kernels.empty())
    if (std::optional<size_t> only = findOnlyKernel(*module))
      kernel = &kernels[*only];
  if (kernels.empty())
    return makeError(rt::Code::NotFound,
                     "'" + name + "' has no jit function; decorate a kernel with @triton.jit");
  if (!kernel)
    return makeError(rt::Code::NotFound,
                     request.compile.kernels.empty()
                         ? "name a kernel of '" + name + "' with '--kernel': " + known
                         : "no kernel '" + request.compile.kernels.front() + "' in '" + name +
                               "'; it has " + known);
  request.compile.kernels = {kernel->name};
  if (!request.compile.signature.empty())
    return Error::success();
  Expected<std::string> signature = inferSignature(*kernel, request.args, request.compile.defines,
                                                   request.specialize, request.misalign);
  if (!signature)
    return signature.takeError();
  request.compile.signature = std::move(*signature);
  return Error::success();
}

std::optional<CompileResult> Runner::compile() {
  CompileOptions options = request.compile;
  showDiagnostics(options, streams, request.rendering);
  CompileResult result = compileText(name, text, options);
  showLimits(result, streams);
  if (request.time)
    printTimes(streams.err, result.times);
  if (!result.succeeded)
    return std::nullopt;
  return result;
}

/// Shows an error at its place in the source; false if there is none.
bool Runner::showAt(const CompileResult &compiled, StringRef file, LineColumn place,
                    std::string message) {
  SourceLoc loc = compiled.sources->findLoc(file, place);
  if (!loc.isValid())
    return false;
  Diagnostic diagnostic;
  diagnostic.range = SourceRange(loc);
  diagnostic.message = std::move(message);
  renderDiagnostic(streams.err, *compiled.sources, diagnostic, request.rendering);
  return true;
}

/// A fault of the kernel, or what the device cannot run, is shown at its place in the source.
int Runner::failLaunch(Error error, const CompileResult &compiled) {
  error = handleErrors(
      std::move(error),
      [&](std::unique_ptr<AccessFaultError> info) -> Error {
        const AccessFault &fault = info->getFault();
        std::string message;
        raw_string_ostream(message)
            << fault.describe() << ", in program (" << fault.program[0] << ", " << fault.program[1]
            << ", " << fault.program[2] << ") of kernel '" << fault.kernel << "'";
        if (fault.kind == AccessFault::Kind::Timeout)
          message += "; --timeout=SECONDS sets the limit";
        if (!showAt(compiled, fault.file, {fault.line, fault.column}, std::move(message)))
          return Error(std::move(info));
        return Error::success();
      },
      [&](std::unique_ptr<SourceError> info) -> Error {
        bool isShown = true;
        for (const SourceError::Mistake &mistake : info->getMistakes())
          isShown &= showAt(compiled, mistake.file, {mistake.line, mistake.column}, mistake.text);
        return isShown ? Error::success() : Error(std::move(info));
      });
  return error ? fail(std::move(error)) : 1;
}

Expected<std::vector<std::pair<std::string, HostTensor>>> Runner::runReference() {
  Expected<std::shared_ptr<Device>> reference = openDevice("ref", getDeviceOptions());
  if (!reference)
    return reference.takeError();
  CompileOptions options = request.compile;
  adjustForDevice(options, **reference, /*targetIsGiven=*/true);
  // The program compiled once already, so that this cannot fail for the user's reasons.
  CompileResult compiled = compileText(name, text, options);
  if (!compiled.succeeded)
    return makeError(rt::Code::CompileError, compiled.diagnostics->renderToString());
  Expected<std::unique_ptr<PreparedRun>> run = PreparedRun::create(
      *reference, compiled.artifact, options.kernels.front(), request.args, request.misalign);
  if (!run)
    return run.takeError();
  if (Error error = (*run)->run(request.grid))
    return std::move(error);
  return (*run)->readTensors();
}

bool Runner::compare(const std::vector<std::pair<std::string, HostTensor>> &got,
                     const std::vector<std::pair<std::string, HostTensor>> &want) {
  std::vector<ComparisonRow> rows;
  bool equal = true;
  for (auto [result, reference] : zip_equal(got, want)) {
    Tolerance tolerance = getDefaultTolerance(result.second.dtype);
    ComparisonRow row;
    row.name = result.first;
    row.tolerance = {request.rtol.value_or(tolerance.relative),
                     request.atol.value_or(tolerance.absolute)};
    row.comparison = cantFail(compareTensors(result.second, reference.second,
                                             row.tolerance.relative, row.tolerance.absolute));
    row.shape = result.second.shape;
    equal &= row.comparison.equal;
    rows.push_back(std::move(row));
  }
  printComparison(streams.out, rows);
  return equal;
}

int Runner::run() {
  SourceManager sources;
  DiagnosticEngine diags(sources);
  std::optional<FileID> file = addSourceFile(sources, request.input, diags);
  if (!file)
    return failTool(streams, "tile-run", diags.getDiagnostics().front().message);
  name = sources.getName(*file).str();
  text = sources.getText(*file).str();

  Expected<std::shared_ptr<Device>> opened = openDevice(request.deviceName, getDeviceOptions());
  if (!opened)
    return fail(opened.takeError());
  device = std::move(*opened);
  adjustForDevice(request.compile, *device, request.targetIsGiven);
  if (Error error = chooseSignature())
    return fail(std::move(error));
  std::optional<CompileResult> compiled = compile();
  if (!compiled)
    return 1;

  Expected<std::unique_ptr<PreparedRun>> prepared =
      PreparedRun::create(device, compiled->artifact,
                          request.compile.kernels.empty() ? "" : request.compile.kernels.front(),
                          request.args, request.misalign);
  if (!prepared)
    return failLaunch(prepared.takeError(), *compiled);
  PreparedRun &run = **prepared;
  if (Error error = run.run(request.grid))
    return failLaunch(std::move(error), *compiled);
  auto tensors = run.readTensors();
  if (!tensors)
    return fail(tensors.takeError());

  printLaunch(streams.out, *device, run.getMetadata(), request.grid);
  printTensors(streams.out, *tensors);
  for (const auto &[name, path] : request.saves)
    for (const auto &[tensorName, tensor] : *tensors)
      if (tensorName == name)
        if (Error error = writeNpy(path, tensor))
          return fail(std::move(error));
  bool equal = true;
  if (request.compare) {
    auto reference = runReference();
    if (!reference)
      return failLaunch(reference.takeError(), *compiled);
    equal = compare(*tensors, *reference);
  }
  if (request.bench) {
    Expected<BenchResult> result = run.bench(request.grid);
    if (!result)
      return fail(result.takeError());
    uint64_t bytes = 0;
    for (const auto &[name, tensor] : *tensors)
      bytes += tensor.bytes.size();
    printBench(streams.out, *result, bytes);
  }
  return equal ? 0 : 1;
}

} // namespace

int tileRunMain(ArrayRef<const char *> args, const ToolStreams &streams) {
  auto fail = [&](Error error) { return failTool(streams, "tile-run", std::move(error)); };
  Expected<CommandLine> line = CommandLine::parse(kOptions, args);
  if (!line)
    return fail(line.takeError());
  if (answerQuestions(*line, "tile-run", kHelp, streams.out))
    return 0;
  Request request;
  Expected<RenderOptions> rendering = getRenderOptions(*line);
  if (!rendering)
    return fail(rendering.takeError());
  request.rendering = *rendering;
  Expected<CompileOptions> options = getCompileOptions(*line);
  if (!options)
    return fail(options.takeError());
  request.compile = std::move(*options);
  if (Error error = readRequest(*line, request))
    return fail(std::move(error));
  Runner runner(std::move(request), streams);
  return runner.run();
}

} // namespace tilec
