// Host functions: printing, assertions, inline PTX and the clock.
#include "lib/Simulator/Block.h"

#include "lib/PtxAsm/PtxAsm.h"
#include "lib/Support/DevicePrint.h"

#include <chrono>

namespace tilec::sim {

namespace {

void print(bool pred, const uint64_t *words, uint32_t count, uint32_t site) {
  if (pred)
    writePrint(formatPrint(Block::current().site(site).what, llvm::ArrayRef(words, count)));
}

void check(bool condition, uint32_t site) {
  if (condition)
    return;
  FaultRecord record;
  record.kind = FaultKind::Assertion;
  record.site = site;
  Block::current().fail(record);
}

/// Fibers have little stack, and parsing may take more: what it needs was parsed when the kernel
/// was compiled, and is only looked up here.
void runAsm(const uint64_t *inputs, uint64_t *outputs, uint32_t number) {
  const Site &site = Block::current().site(number);
  if (!site.program)
    return;
  site.program->run(llvm::ArrayRef(inputs, site.program->getNumInputs()),
                    llvm::MutableArrayRef(outputs, site.program->getNumOutputs()));
}

void checkLoop(uint32_t site) { Block::current().checkLimits(site, /*isLoop=*/true); }

uint64_t readTimer() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

const HostSymbol kSymbols[] = {
    {"tilec_sim_print", reinterpret_cast<void *>(print)},
    {"tilec_sim_check", reinterpret_cast<void *>(check)},
    {"tilec_sim_asm", reinterpret_cast<void *>(runAsm)},
    {kAlarmSymbol.data(), &alarm},
    {"tilec_sim_loop", reinterpret_cast<void *>(checkLoop)},
    {"tilec_sim_globaltimer", reinterpret_cast<void *>(readTimer)},
};

} // namespace

llvm::ArrayRef<HostSymbol> getEffectSymbols() { return kSymbols; }

} // namespace tilec::sim
