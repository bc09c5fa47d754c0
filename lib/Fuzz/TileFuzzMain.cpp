// The command line of tile-fuzz, and its loop.

#include "lib/Driver/Tools.h"
#include "lib/Fuzz/Features.h"
#include "lib/Fuzz/Fuzz.h"
#include "lib/Fuzz/Generate.h"
#include "lib/Fuzz/Minimize.h"
#include "lib/Fuzz/Mutate.h"
#include "lib/Fuzz/Random.h"
#include "lib/Fuzz/Worker.h"
#include "lib/Support/OutputFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"

#include <map>
#include <set>
#include <thread>

using namespace llvm;

namespace tilec::fuzz {

static constexpr OptionSpec kOptions[] = {
    {"seed", OptionSpec::Value},         {"count", OptionSpec::Value},
    {"seconds", OptionSpec::Value},      {"features", OptionSpec::Value},
    {"device", OptionSpec::Value},       {"jobs", OptionSpec::Value},
    {"limit", OptionSpec::Value},        {"out", OptionSpec::Value},
    {"mutate", OptionSpec::Flag},        {"minimize", OptionSpec::Flag},
    {"show", OptionSpec::Flag},          {"keep-going", OptionSpec::Flag},
    {"plant", OptionSpec::Value},        {"minimize-seconds", OptionSpec::Value},
    {"list-features", OptionSpec::Flag}, {"version", OptionSpec::Flag},
    {"help", OptionSpec::Flag},          {"h", OptionSpec::Flag},
};

static constexpr StringLiteral kHelp =
    R"help(usage: tile-fuzz [options]
       tile-fuzz --mutate FILE... [options]
       tile-fuzz --minimize FILE... [options]

Runs random kernels on a device and on the reference interpreter and compares
the results. What differs, crashes or does not end is made small and kept as a
file that tile-run and lit can run.

What to run:
  (no file)             random kernels
  --mutate FILE...      the kernels of files, changed but of the same meaning;
                        each file says in a line '# RUN: tile-run %s ...' how to
                        run it, options of tile-run such as --rtol included;
                        '# tile-fuzz: tiles=NAME,...' names a -D for each axis
                        of the grid: if it is doubled, the axis is halved
  --minimize FILE...    the kernels of files, to make them small
  --features=LIST       what random kernels use: names, 'all', 'default', and
                        names to leave out, as in '-scan,-dot'
  --list-features       print the names
  --device=NAME         sim (default), cuda:N

How long:
  --seed=N              the first seed, 1 by default; every kernel has the next
  --count=N             so many kernels
  --seconds=N           so long; 10 by default if there is no count
  --limit=N             seconds for one kernel, 20 by default
  --jobs=N              processes, one a core by default
  --keep-going          go on after a finding; each kind of it is kept once

What to do with a finding:
  --out=DIR             where files go, the working directory by default
  --minimize-seconds=N  time for making it small, 60 by default; 0 keeps it
  --show                print the kernels instead of running them
  --plant=OLD:NEW       for tests of this tool: the device gets the source with
                        NEW where OLD stands
  --version, --help     and exit

The exit status is 0, or 1 after a finding or an error.

Examples:
  tile-fuzz --seconds=600 --features=-fp8
  tile-fuzz --seed=4711 --count=1 --show
  tile-fuzz --mutate test/Regression/swapped-pointers.tile --count=100
)help";

namespace {

/// What the command line asks for.
struct Request {
  enum Mode : uint8_t { Generate, MutateFiles, MinimizeFiles } mode = Generate;
  FeatureSet features;
  std::string device = "sim", out = ".", plantOld, plantNew;
  std::vector<std::string> files;
  uint64_t seed = 1, count = 0, seconds = 10, limit = 20, jobs = 1, minimizeSeconds = 60;
  bool show = false, keepGoing = false;
};

Expected<Request> readRequest(const CommandLine &line) {
  Request request;
  Expected<FeatureSet> features = parseFeatures(line.get("features").value_or(""));
  if (!features)
    return features.takeError();
  request.features = *features;
  struct Number {
    StringRef name;
    uint64_t low, high;
    uint64_t *field;
  };
  request.jobs = std::max(1u, std::thread::hardware_concurrency());
  for (const Number &number :
       {Number{"seed", 0, INT64_MAX, &request.seed}, Number{"count", 1, INT64_MAX, &request.count},
        Number{"seconds", 1, 1u << 30, &request.seconds}, Number{"limit", 1, 3600, &request.limit},
        Number{"jobs", 1, 256, &request.jobs},
        Number{"minimize-seconds", 0, 1u << 30, &request.minimizeSeconds}}) {
    auto value = line.getNumber(number.name, number.low, number.high);
    if (!value)
      return value.takeError();
    if (*value)
      *number.field = **value;
  }
  if (line.has("count") && !line.has("seconds"))
    request.seconds = 1u << 30;
  request.device = line.get("device").value_or("sim").str();
  request.out = line.get("out").value_or(".").str();
  request.show = line.has("show");
  request.keepGoing = line.has("keep-going");
  if (std::optional<StringRef> plant = line.get("plant")) {
    auto [before, after] = plant->split(':');
    if (before.empty() || !plant->contains(':'))
      return createStringError(inconvertibleErrorCode(),
                               "'" + *plant + "' is no value of '--plant'; it takes OLD:NEW");
    request.plantOld = before.str();
    request.plantNew = after.str();
  }
  for (StringRef file : line.getPositional())
    request.files.push_back(file.str());
  if (line.has("mutate") && line.has("minimize"))
    return createStringError(inconvertibleErrorCode(),
                             "'--mutate' and '--minimize' are given both; give one");
  if (line.has("mutate"))
    request.mode = Request::MutateFiles;
  if (line.has("minimize"))
    request.mode = Request::MinimizeFiles;
  if (request.mode == Request::Generate && !request.files.empty())
    return createStringError(inconvertibleErrorCode(),
                             "a file, but neither '--mutate' nor '--minimize' for it");
  if (request.mode != Request::Generate && request.files.empty())
    return createStringError(inconvertibleErrorCode(), "no input file");
  return request;
}

/// Runs trials in parallel and keeps what they find.
class Fuzzer {
public:
  Fuzzer(const Request &request, const ToolStreams &streams) : request(request), streams(streams) {}
  int run();

private:
  using Clock = Worker::Clock;

  Trial makeTrial(uint64_t seed);
  int show();
  int minimizeFiles();
  void loop();
  void report(uint64_t seed, const Trial &trial, const Outcome &outcome);
  void keep(const Trial &trial, const Outcome &outcome, StringRef name, StringRef origin);
  void progress(bool isLast);

  const Request &request;
  ToolStreams streams;
  std::vector<Case> cases;
  std::vector<std::unique_ptr<Worker>> workers;
  std::set<std::string> classes;
  uint64_t done = 0, findings = 0, inapplicable = 0;
  Clock::time_point begin = Clock::now(), lastProgress = begin;
};

Trial Fuzzer::makeTrial(uint64_t seed) {
  Trial trial;
  Random random(seed * 7919 + 13);
  if (request.mode == Request::Generate)
    trial.expected = generateCase(seed, request.features);
  else
    trial.expected = cases[seed % cases.size()];
  // A quarter of the random kernels are held against a kernel that means the same.
  if (request.mode == Request::MutateFiles || random.chance(25))
    trial.tested = mutateCase(trial.expected, random);
  trial.device = request.device;
  trial.plantOld = request.plantOld;
  trial.plantNew = request.plantNew;
  return trial;
}

int Fuzzer::show() {
  uint64_t count = request.count ? request.count : 1;
  for (uint64_t seed = request.seed; seed != request.seed + count; ++seed) {
    Trial trial = makeTrial(seed);
    std::string comment = "tile-fuzz --seed=" + std::to_string(seed) + " --count=1";
    streams.out << trial.expected.format(comment) << '\n';
    if (trial.tested)
      streams.out << trial.tested->format("The same, changed.") << '\n';
  }
  return 0;
}

void Fuzzer::progress(bool isLast) {
  Clock::time_point now = Clock::now();
  if (!isLast && now - lastProgress < std::chrono::seconds(10))
    return;
  lastProgress = now;
  double seconds = std::chrono::duration<double>(now - begin).count();
  streams.err << format("tile-fuzz: %.0f s, ", seconds) << done << " kernels"
              << format(" (%.1f a second), ", double(done) / std::max(seconds, 1e-3)) << findings
              << (findings == 1 ? " finding" : " findings");
  if (inapplicable)
    streams.err << ", " << inapplicable << " changes that did not apply";
  streams.err << '\n';
}

void Fuzzer::loop() {
  struct Job {
    uint64_t seed;
    Trial trial;
  };
  std::map<Worker *, Job> jobs;
  for (uint64_t i = 0; i != request.jobs; ++i)
    workers.push_back(std::make_unique<Worker>(double(request.limit)));
  Clock::time_point end = begin + std::chrono::seconds(request.seconds);
  uint64_t next = request.seed;
  bool isOver = false;
  for (;;) {
    for (const auto &worker : workers) {
      isOver |= Clock::now() >= end || (request.count && next == request.seed + request.count) ||
                (findings && !request.keepGoing);
      if (isOver || worker->isBusy())
        continue;
      Job job = {next, makeTrial(next)};
      ++next;
      worker->begin(job.trial);
      jobs[worker.get()] = std::move(job);
    }
    Worker *ready = waitForAny(workers, Clock::now() + std::chrono::seconds(1));
    progress(/*isLast=*/false);
    if (!ready) {
      if (isOver && none_of(workers, [](const auto &worker) { return worker->isBusy(); }))
        return;
      continue;
    }
    Outcome outcome = ready->finish();
    Job job = std::move(jobs[ready]);
    ++done;
    if (outcome.isFinding())
      report(job.seed, job.trial, outcome);
  }
}

void Fuzzer::report(uint64_t seed, const Trial &trial, const Outcome &outcome) {
  // A change may be against the rules of types; then it says nothing.
  if (trial.tested && outcome.kind == Outcome::Rejected) {
    Trial plain = trial;
    plain.tested.reset();
    Worker worker(double(request.limit));
    if (worker.run(plain).kind != Outcome::Rejected) {
      ++inapplicable;
      return;
    }
  }
  ++findings;
  streams.err << "tile-fuzz: seed " << seed << ": " << trial.expected.name << ": "
              << outcome.describe() << '\n';
  if (!classes.insert(outcome.getClass()).second)
    return;
  std::string origin = "tile-fuzz --seed=" + std::to_string(seed) + " --count=1";
  if (request.mode == Request::MutateFiles)
    origin += " --mutate " + trial.expected.name;
  keep(trial, outcome, "seed-" + std::to_string(seed) + ".tile", origin);
}

void Fuzzer::keep(const Trial &trial, const Outcome &outcome, StringRef name, StringRef origin) {
  Trial small = trial;
  Outcome last = outcome;
  if (request.minimizeSeconds)
    small =
        minimize(trial, last, double(request.minimizeSeconds), double(request.limit), streams.err);
  std::string comment = last.describe() + "\nFrom: " + origin.str();
  SmallString<128> path(request.out);
  sys::path::append(path, name);
  std::string text = small.getTested().format(comment);
  if (small.tested)
    text =
        small.expected.format(comment + "\nHeld against the same kernel changed, which follows.") +
        "\n" + small.tested->format("The changed kernel.");
  if (Error error = writeFile(path, text))
    failTool(streams, "tile-fuzz", "cannot write '" + path + "': " + toString(std::move(error)));
  else
    streams.err << "tile-fuzz: kept in '" << path << "'\n";
}

int Fuzzer::minimizeFiles() {
  for (const Case &c : cases) {
    Trial trial;
    trial.expected = c;
    trial.device = request.device;
    trial.plantOld = request.plantOld;
    trial.plantNew = request.plantNew;
    Worker worker(double(request.limit));
    Outcome outcome = worker.run(trial);
    streams.err << "tile-fuzz: " << c.name << ": " << outcome.describe() << '\n';
    if (!outcome.isFinding())
      continue;
    ++findings;
    std::string name = (sys::path::stem(c.name) + ".min.tile").str();
    keep(trial, outcome, name, "tile-fuzz --minimize " + sys::path::filename(c.name).str());
  }
  return findings ? 1 : 0;
}

int Fuzzer::run() {
  for (const std::string &file : request.files) {
    Expected<std::vector<Case>> read = readCases(file);
    if (!read)
      return failTool(streams, "tile-fuzz", read.takeError());
    cases.insert(cases.end(), read->begin(), read->end());
  }
  if (request.show)
    return show();
  // Whether there is the device is asked in a process of its own, as trials run in.
  Trial nothing;
  nothing.device = request.device;
  if (Outcome outcome = Worker(double(request.limit)).run(nothing);
      outcome.kind == Outcome::NoDevice)
    return failTool(streams, "tile-fuzz", outcome.message);
  if (std::error_code code = sys::fs::create_directories(request.out))
    return failTool(streams, "tile-fuzz", "cannot make '" + request.out + "': " + code.message());
  if (request.mode == Request::MinimizeFiles)
    return minimizeFiles();
  loop();
  progress(/*isLast=*/true);
  return findings ? 1 : 0;
}

void printFeatures(raw_ostream &os) {
  for (const FeatureInfo &info : getFeatures())
    os << left_justify(info.name, 10) << ' ' << info.description
       << (info.isDefault ? "" : " (not by default)") << '\n';
}

} // namespace

int tileFuzzMain(ArrayRef<const char *> args, const ToolStreams &streams) {
  Expected<CommandLine> line = CommandLine::parse(kOptions, args);
  if (!line)
    return failTool(streams, "tile-fuzz", line.takeError());
  if (answerQuestions(*line, "tile-fuzz", kHelp, streams.out))
    return 0;
  if (line->has("list-features")) {
    printFeatures(streams.out);
    return 0;
  }
  Expected<Request> request = readRequest(*line);
  if (!request)
    return failTool(streams, "tile-fuzz", request.takeError());
  return Fuzzer(*request, streams).run();
}

} // namespace tilec::fuzz
