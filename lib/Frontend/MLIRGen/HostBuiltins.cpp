// What module-level code of a kernel file asks of its surroundings: the environment, the versions
// and the device. The answers are those of a machine with the GPU that is compiled for.
#include "lib/Frontend/MLIRGen/ConstEval.h"
#include "lib/Frontend/MLIRGen/Generator.h"
#include "lib/Frontend/MLIRGen/Modules.h"

#include "llvm/ADT/StringSwitch.h"

#include <cmath>

namespace tilec::frontend {

bool isHostModule(llvm::StringRef path) {
  return llvm::StringSwitch<bool>(path)
      .Cases({"torch", "torch.version", "torch.cuda", "torch.backends"}, true)
      .Cases({"os", "os.environ", "sys", "platform", "typing", "builtins"}, true)
      .Cases({"packaging", "packaging.version", "itertools", "functools"}, true)
      .Cases({"importlib", "importlib.util", "importlib.metadata", "triton.backends"}, true)
      .Case("triton.profiler", true)
      .Cases({"collections", "dataclasses", "enum"}, true)
      .Cases({"triton.runtime", "triton.runtime.driver", "triton.runtime.driver.active"}, true)
      .Default(false);
}

static Value makeRecord(llvm::StringRef name,
                        std::initializer_list<std::pair<llvm::StringRef, Value>> fields) {
  std::vector<Value> elements;
  for (const auto &[field, value] : fields) {
    elements.push_back(Value::string(field));
    elements.push_back(value);
  }
  return Value::record(name, std::move(elements));
}

static Value makeVersion(std::initializer_list<Int> parts) {
  std::vector<Value> elements;
  for (Int part : parts)
    elements.push_back(Value::integer(part));
  return Value::tuple(std::move(elements));
}

std::optional<Value> hostConstant(llvm::StringRef module, llvm::StringRef name) {
  std::string path = (module + "." + name).str();
  if (module == "torch") {
    if (name == "float" || name == "half")
      return Value::type(DType(name == "float" ? Scalar::FP32 : Scalar::FP16));
    if (name == "inf" || name == "nan")
      return Value::floating(name == "inf" ? HUGE_VAL : std::nan(""));
    if (std::optional<DType> type = parseDType(name); type && name.size() > 3 && name != "void")
      return Value::type(*type);
  }
  if (module == "math") {
    double value = llvm::StringSwitch<double>(name)
                       .Case("pi", M_PI)
                       .Case("e", M_E)
                       .Case("tau", 2 * M_PI)
                       .Case("inf", HUGE_VAL)
                       .Default(std::nan(""));
    if (!std::isnan(value) || name == "nan")
      return Value::floating(value);
    return std::nullopt;
  }
  if (path == "torch.version.hip" || path == "torch.version.xpu")
    return Value::none();
  if (path == "torch.version.cuda")
    return Value::string("13.0");
  if (path == "torch.__version__" || path == "torch.version.__version__")
    return Value::string("2.9.0");
  if (path == "triton.__version__")
    return Value::string("3.6.0");
  if (path == "triton.backends.backends")
    return Value::dict(
        {Value::string("nvidia"),
         makeRecord("triton.backends.Backend", {{"driver", makeRecord("driver", {})}})});
  if (path == "sys.platform")
    return Value::string("linux");
  if (path == "sys.version_info")
    return makeVersion({3, 12, 0});
  return std::nullopt;
}

/// The capability of the GPU, as 90 for 9.0.
static Int getCapability(Generator &g) { return g.options.computeCapability; }

static Value emitCapability(Generator &g, const CallArgs &) {
  return makeVersion({getCapability(g) / 10, getCapability(g) % 10});
}

static Value emitTarget(Generator &g, const CallArgs &) {
  return makeRecord("GPUTarget", {{"backend", Value::string("cuda")},
                                  {"arch", Value::integer(getCapability(g))},
                                  {"warp_size", Value::integer(32)}});
}

static Value emitProperties(Generator &g, const CallArgs &) {
  return makeRecord("device properties", {{"major", Value::integer(getCapability(g) / 10)},
                                          {"minor", Value::integer(getCapability(g) % 10)},
                                          {"warp_size", Value::integer(32)}});
}

static Value emitIsCapable(Generator &g, const CallArgs &args) {
  std::optional<Int> major = g.getConstInt(args, 0);
  std::optional<Int> minor = args.has(1) ? g.getConstInt(args, 1) : std::optional<Int>(0);
  return major && minor ? Value::boolean(getCapability(g) >= *major * 10 + *minor) : Value();
}

static Value emitTrue(Generator &, const CallArgs &) { return Value::boolean(true); }
static Value emitFalse(Generator &, const CallArgs &) { return Value::boolean(false); }
static Value emitLinux(Generator &, const CallArgs &) { return Value::string("Linux"); }
static Value emitMachine(Generator &, const CallArgs &) { return Value::string("x86_64"); }

/// A variable of the environment: unset, but for what -D gives.
static Value emitEnvironment(Generator &g, const CallArgs &args) {
  std::optional<std::string> name = g.getConstString(args, 0);
  if (!name)
    return Value();
  if (std::optional<Value> value = g.getDefine(*name))
    return value->isString() ? *value : Value::string(value->toPython());
  return args.given[1] ? args[1] : Value::none();
}

/// The numbers of "3.6.0" or "2.9.0+cu130" as a tuple, which compares as versions do.
static Value emitParseVersion(Generator &g, const CallArgs &args) {
  std::optional<std::string> text = g.getConstString(args, 0);
  if (!text)
    return Value();
  std::vector<Value> parts;
  llvm::StringRef rest = *text;
  rest.consume_front("v");
  while (!rest.empty() && llvm::isDigit(rest.front())) {
    unsigned number = 0;
    if (rest.consumeInteger(10, number))
      break;
    parts.push_back(Value::integer(number));
    if (!rest.consume_front("."))
      break;
  }
  // "3.0" is "3.0.0".
  while (parts.size() > 1 && !parts.back().isTruthy())
    parts.pop_back();
  return Value::tuple(std::move(parts));
}

/// Triton and PyTorch are what is installed.
static bool isInstalled(llvm::StringRef module) {
  llvm::StringRef package = module.split('.').first;
  return package == "triton" || package == "torch";
}

static Value emitFindSpec(Generator &g, const CallArgs &args) {
  std::optional<std::string> name = g.getConstString(args, 0);
  if (!name)
    return Value();
  return isInstalled(*name) ? makeRecord("ModuleSpec", {{"name", Value::string(*name)}})
                            : Value::none();
}

static Value emitInstalledVersion(Generator &g, const CallArgs &args) {
  std::optional<std::string> name = g.getConstString(args, 0);
  if (!name)
    return Value();
  if (!isInstalled(*name))
    return g.error(args.range) << "the version of '" << *name << "' is not known at compile time";
  return *hostConstant(*name, "__version__");
}

/// `itertools.product(a, b, ...)`: the last one turns fastest.
static Value emitProduct(Generator &g, const CallArgs &args) {
  std::vector<std::vector<Value>> rows(1);
  for (const Value &sequence : args[0].getElements()) {
    if (!sequence.isTuple())
      return g.error(args.ranges[0]) << "cannot iterate over " << sequence.describe();
    std::vector<std::vector<Value>> next;
    if (rows.size() * sequence.getElements().size() > kMaxSequence)
      return g.error(args.range) << "the product has more than " << kMaxSequence << " elements";
    for (const std::vector<Value> &row : rows)
      for (const Value &element : sequence.getElements()) {
        next.push_back(row);
        next.back().push_back(element);
      }
    rows = std::move(next);
  }
  std::vector<Value> result;
  for (std::vector<Value> &row : rows)
    result.push_back(Value::tuple(std::move(row)));
  return Value::tuple(std::move(result));
}

/// `triton.Config(kwargs, num_warps=, num_stages=, ...)` of an autotuner.
static Value emitConfig(Generator &g, const CallArgs &args) {
  static constexpr llvm::StringLiteral names[] = {"kwargs", "num_warps", "num_stages", "num_ctas",
                                                  "maxnreg"};
  std::vector<Value> fields;
  for (auto [index, name] : llvm::enumerate(names)) {
    Value otherwise = name == "num_warps"    ? Value::integer(4)
                      : name == "num_stages" ? Value::integer(3)
                                             : Value::none();
    if (index > 2 && !args.has(static_cast<unsigned>(index)))
      continue;
    fields.push_back(Value::string(name));
    fields.push_back(args.has(static_cast<unsigned>(index)) ? args[static_cast<unsigned>(index)]
                                                            : otherwise);
  }
  return Value::record("triton.Config", std::move(fields));
}

llvm::ArrayRef<Builtin> getHostBuiltins() {
  static constexpr Builtin table[] = {
      {"getenv", "os", "key default?", emitEnvironment},
      {"get", "os.environ", "key default?", emitEnvironment},
      {"system", "platform", "", emitLinux},
      {"machine", "platform", "", emitMachine},
      {"parse", "packaging.version", "version", emitParseVersion},
      {"Version", "packaging.version", "version", emitParseVersion},
      {"product", "itertools", "*iterables", emitProduct},
      {"find_spec", "importlib.util", "name package?", emitFindSpec},
      {"version", "importlib.metadata", "name", emitInstalledVersion},
      {"is_active", "driver", "self", emitTrue},
      {"is_available", "torch.cuda", "", emitTrue},
      {"get_device_capability", "torch.cuda", "device?", emitCapability},
      {"get_device_properties", "torch.cuda", "device?", emitProperties},
      {"get_current_target", "triton.runtime.driver.active", "", emitTarget},
      {"is_cuda_backend", "GPUTarget", "self", emitTrue},
      {"is_hip_backend", "GPUTarget", "self", emitFalse},
      {"current_target", "tl.target_info", "", emitTarget},
      {"is_cuda", "tl.target_info", "", emitTrue},
      {"is_hip", "tl.target_info", "", emitFalse},
      {"is_hip_cdna3", "tl.target_info", "", emitFalse},
      {"is_hip_cdna4", "tl.target_info", "", emitFalse},
      {"cuda_capability_geq", "tl.target_info", "major minor?", emitIsCapable},
      {"Config", "triton",
       "kwargs num_warps? num_stages? num_ctas? maxnreg? pre_hook? ir_override? *rest", emitConfig},
  };
  return table;
}

} // namespace tilec::frontend
