// Host functions: accesses of global and shared memory, checked.
#include "lib/Simulator/Block.h"
#include "lib/Support/AtomicMemory.h"

#include <cstring>

namespace tilec::sim {

namespace {

enum class Access : uint8_t { Load, Store, Atomic };

[[noreturn]] void failAccess(FaultKind kind, uint32_t site, uint64_t address) {
  FaultRecord record;
  record.kind = kind;
  record.site = site;
  record.address = address;
  Block::current().fail(record);
}

template <Access kAccess>
char *accessGlobal(char *pointer, bool pred, uint32_t number) {
  Block &block = Block::current();
  if (!pred)
    return kAccess == Access::Load ? block.loadScratch : block.storeScratch;
  const Site &site = block.site(number);
  const SimOptions &options = block.options();
  auto address = reinterpret_cast<uintptr_t>(pointer);
  const SimBuffer *buffer = nullptr;
  if (site.arg >= 0) {
    buffer = block.launch->argumentOwners[site.arg];
    if (buffer) {
      uint64_t offset = pointer - static_cast<char *>(buffer->base);
      if (offset > buffer->size || site.bytes > buffer->size - offset)
        buffer = nullptr;
    }
  } else {
    buffer = block.findBuffer(pointer, site.bytes);
  }
  if (!buffer && options.checkBounds)
    failAccess(FaultKind::GlobalBounds, number, address);
  if (options.checkAlignment && address % site.align != 0)
    failAccess(FaultKind::GlobalMisaligned, number, address);
  if (buffer && buffer->initialised) {
    uint8_t *map = buffer->initialised + (pointer - static_cast<char *>(buffer->base));
    if (kAccess != Access::Store && options.checkUninitialisedGlobal)
      for (uint32_t i = 0; i < site.bytes; ++i)
        if (!map[i])
          failAccess(FaultKind::GlobalUninitialised, number, address + i);
    if (kAccess != Access::Load)
      memset(map, 1, site.bytes);
  }
  if (kAccess == Access::Store)
    block.noteChange();
  ++block.stats.globalAccesses;
  block.tick(number);
  return pointer;
}

[[noreturn]] void failRace(uint32_t site, uint64_t address, AccessRecord other) {
  FaultRecord record;
  record.kind = FaultKind::SharedRace;
  record.site = site;
  record.address = address;
  record.otherSite = other.site();
  record.otherThread = other.thread();
  Block::current().fail(record);
}

void noteRead(SharedShadow &shadow, AccessRecord now) {
  AccessRecord &last = shadow.reads[0];
  if (last.thread() != now.thread() || last.epoch == 0) {
    // Keep a reader of another warp: it is the one that barriers of a warp do not order.
    if (last.warp() != now.warp() || shadow.reads[1].warp() == now.warp() ||
        shadow.reads[1].epoch < last.epoch)
      shadow.reads[1] = last;
  }
  last = now;
}

template <Access kAccess>
char *accessShared(char *pointer, bool pred, uint32_t number) {
  Block &block = Block::current();
  if (!pred)
    return kAccess == Access::Load ? block.loadScratch : block.storeScratch;
  const Site &site = block.site(number);
  const SimOptions &options = block.options();
  auto address = reinterpret_cast<uintptr_t>(pointer);
  uint64_t offset = pointer - block.shared;
  bool inside = offset <= block.sharedBytes && site.bytes <= block.sharedBytes - offset;
  if (!inside && options.checkBounds)
    failAccess(FaultKind::SharedBounds, number, address);
  if (options.checkAlignment && address % site.align != 0)
    failAccess(FaultKind::SharedMisaligned, number, address);
  if (inside && (options.checkRaces || options.checkUninitialisedShared)) {
    AccessRecord now{block.epoch(), number << 10 | block.thread()};
    SharedShadow *shadow = block.shadow + offset;
    for (uint32_t i = 0; i < site.bytes; ++i, ++shadow) {
      if (kAccess != Access::Store && options.checkUninitialisedShared &&
          shadow->write.epoch < block.firstEpoch)
        failAccess(FaultKind::SharedUninitialised, number, address + i);
      if (options.checkRaces) {
        // Atomics do not race with each other.
        auto conflicts = [&](AccessRecord record) {
          return !block.isOrdered(record) &&
                 !(kAccess == Access::Atomic && block.site(record.site()).isAtomic);
        };
        if (conflicts(shadow->write))
          failRace(number, address + i, shadow->write);
        if (kAccess != Access::Load)
          for (AccessRecord read : shadow->reads)
            if (conflicts(read))
              failRace(number, address + i, read);
      }
      if (kAccess == Access::Load)
        noteRead(*shadow, now);
      else
        shadow->write = now;
    }
  }
  ++block.stats.sharedAccesses;
  block.tick(number);
  return pointer;
}

/// An atomic of global memory, by what it does and on what; the bits that stood there before, or
/// zero if the predicate is false.
uint64_t changeGlobal(char *pointer, bool pred, uint32_t site, uint32_t fn, uint32_t element,
                      uint64_t value, uint64_t cmp) {
  if (!pred)
    return 0;
  char *memory = accessGlobal<Access::Atomic>(pointer, pred, site);
  bool changed = false;
  uint64_t old = changeAtomically(memory, static_cast<AtomicFn>(fn),
                                  static_cast<AtomicElement>(element), value, cmp, &changed);
  if (changed)
    Block::current().noteChange();
  else
    Block::current().poll(site);
  return old;
}

/// Before a volatile load, which may wait for another program.
void pollGlobal(uint32_t site) { Block::current().poll(site); }

char *sharedBase() { return Block::current().shared; }

const HostSymbol kSymbols[] = {
    {"tilec_sim_global_load", reinterpret_cast<void *>(accessGlobal<Access::Load>)},
    {"tilec_sim_global_store", reinterpret_cast<void *>(accessGlobal<Access::Store>)},
    {"tilec_sim_global_atomic", reinterpret_cast<void *>(accessGlobal<Access::Atomic>)},
    {"tilec_sim_global_poll", reinterpret_cast<void *>(pollGlobal)},
    {"tilec_sim_global_change", reinterpret_cast<void *>(changeGlobal)},
    {"tilec_sim_shared_load", reinterpret_cast<void *>(accessShared<Access::Load>)},
    {"tilec_sim_shared_store", reinterpret_cast<void *>(accessShared<Access::Store>)},
    {"tilec_sim_shared_atomic", reinterpret_cast<void *>(accessShared<Access::Atomic>)},
    {"tilec_sim_shared_base", reinterpret_cast<void *>(sharedBase)},
};

} // namespace

llvm::ArrayRef<HostSymbol> getMemorySymbols() { return kSymbols; }

} // namespace tilec::sim
