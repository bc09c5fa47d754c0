// From what a fiber noted to the fault that is reported.
#include "lib/Simulator/Block.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

namespace tilec::sim {

namespace {

std::string placeOf(const Site &site) {
  if (site.file.empty())
    return "an unknown place";
  return site.file + ":" + std::to_string(site.line) + ":" + std::to_string(site.column);
}

/// "the barrier at add.tile:9:3"
std::string operationAt(const Site &site) { return "the " + site.what + " at " + placeOf(site); }

const char *preposition(const Site &site) { return site.what == "load" ? " of " : " to "; }

/// The argument that an address was derived from: the one the site names, or the one that points
/// into the buffer nearest to it. -1 if there is none.
int findArgument(const Site &site, const Launch &launch, uint64_t address) {
  if (site.arg >= 0)
    return site.arg;
  int nearest = -1;
  uint64_t least = UINT64_MAX;
  for (unsigned i = 0; i < launch.argumentOwners.size(); ++i) {
    const SimBuffer *buffer = launch.argumentOwners[i];
    if (!buffer)
      continue;
    auto begin = reinterpret_cast<uintptr_t>(buffer->base);
    uint64_t end = begin + buffer->size;
    uint64_t distance = address < begin ? begin - address : address >= end ? address - end + 1 : 0;
    if (distance < least) {
      least = distance;
      nearest = static_cast<int>(i);
    }
  }
  return nearest;
}

/// Fills in what is known about the place of an access. False if no buffer is.
bool describeGlobal(AccessFault &result, const FaultRecord &fault, const Site &site,
                    const Launch &launch) {
  result.address = fault.address;
  uint64_t elementBytes = site.elementBytes;
  result.elementType = site.elementType;
  int arg = findArgument(site, launch, fault.address);
  const SimBuffer *owner = arg < 0 ? nullptr : launch.argumentOwners[arg];
  if (arg >= 0)
    result.argument = launch.kernel->parameters[arg].name;
  // An argument that points nowhere: there is no buffer to count elements in.
  if (!owner)
    return false;
  const SimBuffer &view = launch.argumentBuffers[arg];
  auto begin = reinterpret_cast<uintptr_t>(view.base);
  auto offset = static_cast<int64_t>(fault.address - begin);
  auto elements = static_cast<int64_t>(view.size / elementBytes);
  // Rounds towards minus infinity.
  auto size = static_cast<int64_t>(elementBytes);
  int64_t index = offset >= 0 ? offset / size : -((-offset + size - 1) / size);
  // Of a vector, the first element that is outside.
  if (fault.kind == FaultKind::GlobalBounds && index >= 0 && index < elements &&
      offset + static_cast<int64_t>(site.bytes) > static_cast<int64_t>(view.size))
    index = elements;
  result.index = index;
  result.elements = elements;
  return true;
}

std::string hex(uint64_t value) { return "0x" + llvm::utohexstr(value, /*LowerCase=*/true); }

/// "load of 'x_ptr' at index 7", or with the address where no buffer is known.
std::string accessOf(const AccessFault &fault, const Site &site, bool hasBuffer) {
  if (hasBuffer)
    return site.what + preposition(site) + "'" + fault.argument + "' at index " +
           std::to_string(fault.index);
  return site.what + preposition(site) + "address " + hex(fault.address);
}

std::string describeStuck(const FaultRecord &fault, const Site &site, const Site &other) {
  std::string waiter = "thread " + std::to_string(fault.thread);
  std::string awaited = "thread " + std::to_string(fault.otherThread);
  std::string text = site.what + " is not reached by all threads: " + waiter + " waits here, but ";
  if (fault.thread == fault.otherThread)
    return text + "too few threads arrive";
  if (fault.otherExited)
    return text + awaited + " has exited at " + placeOf(other);
  return text + awaited + " waits in " + operationAt(other);
}

} // namespace

AccessFault describeFault(const FaultRecord &fault, const Launch &launch, uint64_t block,
                          uint64_t sharedBase) {
  AccessFault result;
  result.kernel = launch.kernel->name;
  result.program = {static_cast<int64_t>(block % launch.grid[0]),
                    static_cast<int64_t>(block / launch.grid[0] % launch.grid[1]),
                    static_cast<int64_t>(block / launch.grid[0] / launch.grid[1])};
  const Site none;
  const std::vector<Site> &sites = *launch.sites;
  const Site &site = fault.site < sites.size() ? sites[fault.site] : none;
  const Site &other = fault.otherSite < sites.size() ? sites[fault.otherSite] : none;
  result.file = site.file;
  result.line = site.line;
  result.column = site.column;
  result.isStore = site.what != "load";
  std::string thread = "thread " + std::to_string(fault.thread);
  std::string byte = std::to_string(fault.address - sharedBase);
  auto say = [&](std::string text) {
    result.kind = AccessFault::Kind::Other;
    result.detail = std::move(text);
  };
  auto sayWithThread = [&](std::string text) { say(std::move(text) + " (" + thread + ")"); };
  std::string sharedAccess = site.what + preposition(site) + "shared memory at byte " + byte;

  switch (fault.kind) {
  case FaultKind::GlobalBounds:
  case FaultKind::GlobalUninitialised:
  case FaultKind::GlobalMisaligned: {
    bool hasBuffer = describeGlobal(result, fault, site, launch);
    if (fault.kind == FaultKind::GlobalMisaligned) {
      sayWithThread(accessOf(result, site, hasBuffer) + " is misaligned (address " +
                    hex(fault.address) + " is not a multiple of " + std::to_string(site.align) +
                    ")");
    } else if (!hasBuffer) {
      sayWithThread(accessOf(result, site, hasBuffer) +
                    (result.argument.empty()
                         ? std::string(", which no buffer holds")
                         : " through '" + result.argument + "', which points to no buffer"));
    } else {
      result.kind = fault.kind == FaultKind::GlobalBounds ? AccessFault::Kind::OutOfBounds
                                                          : AccessFault::Kind::Uninitialised;
      result.detail = thread;
    }
    break;
  }
  case FaultKind::SharedBounds:
    sayWithThread(sharedAccess.substr(0, sharedAccess.find(" at byte")) + " at byte " +
                  std::to_string(static_cast<int64_t>(fault.address - sharedBase)) +
                  " is out of bounds (" + std::to_string(launch.kernel->sharedBytes) + " bytes)");
    break;
  case FaultKind::SharedMisaligned:
    sayWithThread(sharedAccess + " is misaligned (not a multiple of " + std::to_string(site.align) +
                  ")");
    break;
  case FaultKind::SharedUninitialised:
    sayWithThread(sharedAccess + " reads memory that nothing has written; is a barrier missing?");
    break;
  case FaultKind::SharedRace:
    say(sharedAccess + " by " + thread + " races with " + operationAt(other) + " by thread " +
        std::to_string(fault.otherThread) + ": no barrier orders them");
    break;
  case FaultKind::BarrierPlaces:
    say("barrier is not reached by all threads: " + thread + " waits here, but thread " +
        std::to_string(fault.otherThread) + " waits in " + operationAt(other));
    break;
  case FaultKind::BarrierNumber:
    sayWithThread("barrier " + std::to_string(fault.value) + " does not exist; there are 0 to 15");
    break;
  case FaultKind::BarrierCount:
    sayWithThread("barrier for " + std::to_string(fault.value) +
                  " threads: expected a multiple of 32 that is at most " +
                  std::to_string(launch.kernel->numThreads));
    break;
  case FaultKind::Stuck:
    say(describeStuck(fault, site, other));
    break;
  case FaultKind::NotInMask:
    sayWithThread(site.what + " with mask " + hex(fault.value) +
                  " by a lane that the mask leaves out");
    break;
  case FaultKind::ShuffleSource:
    sayWithThread("shuffle reads lane " + std::to_string(fault.value) +
                  ", which does not take part");
    break;
  case FaultKind::Assumption:
    result.kind = AccessFault::Kind::FalseAssume;
    result.detail = thread;
    break;
  case FaultKind::Assertion:
    result.kind = AccessFault::Kind::FalseAssert;
    result.message = site.what;
    result.detail = thread;
    break;
  case FaultKind::Trap:
    sayWithThread("trap");
    break;
  case FaultKind::Livelock:
    say("all programs wait for memory that none of them changes");
    break;
  case FaultKind::Timeout:
    result.kind = AccessFault::Kind::Timeout;
    result.seconds = launch.options->timeoutSeconds;
    result.message = site.what;
    if (!site.what.empty())
      result.detail = thread;
    break;
  }
  return result;
}

} // namespace tilec::sim
