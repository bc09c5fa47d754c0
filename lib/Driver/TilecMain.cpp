// The command line of tilec.

#include "lib/Driver/KernelReport.h"
#include "lib/Driver/Tools.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace tilec {

static constexpr OptionSpec kOptions[] = {
    {"kernel", OptionSpec::List},
    {"signature", OptionSpec::Value},
    {"D", OptionSpec::List},
    {"num-warps", OptionSpec::Value},
    {"num-stages", OptionSpec::Value},
    {"target", OptionSpec::Value},
    {"emit", OptionSpec::Value},
    {"o", OptionSpec::Value},
    {"I", OptionSpec::List},
    {"time", OptionSpec::Flag},
    {"print-ir-after-all", OptionSpec::Flag},
    {"g", OptionSpec::Flag},
    {"enable-asserts", OptionSpec::Flag},
    {"color", OptionSpec::Value},
    {"list-kernels", OptionSpec::Flag},
    {"json", OptionSpec::Flag},
    {"check", OptionSpec::Flag},
    {"list-targets", OptionSpec::Flag},
    {"version", OptionSpec::Flag},
    {"help", OptionSpec::Flag},
    {"h", OptionSpec::Flag},
};

static constexpr StringLiteral kHelp =
    R"help(usage: tilec INPUT [options]

Compiles the kernels of a .tile or .py file or a notebook (.ipynb). INPUT may be
'-', standard input.

What to compile:
  --kernel=NAME         only this kernel; may be given many times. Without it,
                        every kernel whose parameters have types
  --signature=S         the types of the kernel's parameters, in order:
                        "*fp32:16, i32, constexpr"; ':16' is divisible by 16,
                        a literal stands for a constexpr parameter
  -D NAME=VALUE         the value of a constexpr parameter or global: a number,
                        True, None, 'text', tl.float16, a tuple, a function
  -I DIR                where imported modules are looked for

How to compile:
  --target=NAME         the GPU, sm_90a by default; see --list-targets
  --num-warps=N         1, 2, 4, 8, 16 or 32; chosen by the compiler without it
  --num-stages=N        buffers of a pipelined loop; without effect so far
  -g                    source lines in the PTX
  --enable-asserts      check 'assert' and tl.device_assert when kernels run

What to write:
  --emit=STAGE          ast      the syntax tree
                        tile     the tile dialect: what the program means
                        tilegpu  the tilegpu dialect: with layouts
                        llvm     LLVM IR, optimized
                        ptx      PTX (default)
  -o FILE               the output; '-' is standard output. Without it, the name
                        of the input with .ptx (.ast, .tile.mlir, .tilegpu.mlir,
                        .ll), or standard output if the input is '-'

What to show instead:
  --list-kernels        the jit functions, their parameters, roles and
                        configurations; with --json for programs
  --check               compiles each kernel whose types are known and says
                        what the others lack

What to show:
  --time                the time of each stage
  --print-ir-after-all  the IR after each pass
  --color=WHEN          auto, always or never
  --list-targets        the GPUs that can be compiled for
  --version, --help     and exit

The exit status is 0, or 1 after an error; then no output is written.

Examples:
  tilec softmax.tile -D BLOCK=1024 -o softmax.ptx
  tilec kernels.py --kernel=add --signature="*fp32, *fp32, *fp32, i32, 1024"
  tilec softmax.tile --emit=tilegpu -o - | less
)help";

/// `dir/k.tile` gives `k.ptx`, standard input gives standard output.
static std::string getDefaultOutput(StringRef input, Stage stage) {
  if (input == "-")
    return "-";
  StringRef extension = getStages()[static_cast<size_t>(stage)].extension;
  return (sys::path::stem(input) + extension).str();
}

int tilecMain(ArrayRef<const char *> args, const ToolStreams &streams) {
  auto fail = [&](Error error) { return failTool(streams, "tilec", std::move(error)); };
  Expected<CommandLine> line = CommandLine::parse(kOptions, args);
  if (!line)
    return fail(line.takeError());
  if (answerQuestions(*line, "tilec", kHelp, streams.out))
    return 0;
  if (line->has("list-targets")) {
    printTargets(streams.out);
    return 0;
  }

  Expected<RenderOptions> rendering = getRenderOptions(*line);
  if (!rendering)
    return fail(rendering.takeError());
  Expected<CompileOptions> options = getCompileOptions(*line);
  if (!options)
    return fail(options.takeError());
  SmallVector<StringRef> stageNames;
  for (const StageInfo &stage : getStages())
    stageNames.push_back(stage.name);
  Expected<size_t> stage = line->getChoice("emit", stageNames, stageNames.size() - 1);
  if (!stage)
    return fail(stage.takeError());
  options->stage = getStages()[*stage].stage;
  options->wantText = true;
  options->wantTileModule = options->wantLoweredModule = false;
  options->printIRAfterAll = line->has("print-ir-after-all");
  options->irStream = &streams.err;

  if (line->getPositional().size() != 1)
    return failTool(streams, "tilec",
                    line->getPositional().empty()
                        ? Twine("no input file; --help shows how to call tilec")
                        : "more than one input: '" + line->getPositional()[0] + "' and '" +
                              line->getPositional()[1] + "'");
  StringRef input = line->getPositional().front();
  if (line->has("json") && !line->has("list-kernels"))
    return failTool(streams, "tilec", "'--json' belongs to '--list-kernels'");
  if (line->has("list-kernels")) {
    KernelListing listing = listFileKernels(input, *options);
    listing.diagnostics->render(streams.err, *rendering);
    if (!listing.succeeded)
      return 1;
    if (line->has("json"))
      printKernelsAsJson(streams.out, input, listing);
    else
      printKernels(streams.out, listing);
    return 0;
  }
  if (line->has("check"))
    return checkKernels(input, *options, streams, *rendering);
  std::string output = line->get("o").value_or("").str();
  if (output.empty())
    output = getDefaultOutput(input, options->stage);
  if (output != "-" && output == input)
    return failTool(streams, "tilec", "the output would replace the input '" + input + "'");

  showDiagnostics(*options, streams, *rendering);
  CompileResult result = compileFile(input, *options);
  showLimits(result, streams);
  if (line->has("time"))
    printTimes(streams.err, result.times);
  if (!result.succeeded)
    return 1;
  if (Error error = writeOutput(streams, output, result.text))
    return fail(std::move(error));
  return 0;
}

} // namespace tilec
