// Checked accesses to global memory, for the op families that make them.
#ifndef TILEC_LIB_INTERPRETER_ACCESS_H
#define TILEC_LIB_INTERPRETER_ACCESS_H

#include "lib/Interpreter/Evaluator.h"

#include "dialects/Tile/IR/Tile.h"

#include <algorithm>

namespace tilec::ref {

/// Whether no undefined element decides what an access touches or writes; `value` may be null.
inline llvm::LogicalResult checkOperands(Program &program, const Value &pointer, const Value *mask,
                                         const Value *value) {
  if (!pointer.getUndefined() && !(mask && mask->getUndefined()) &&
      !(value && value->getUndefined()))
    return llvm::success();
  for (int64_t i = 0; i < pointer.getSize(); ++i) {
    if (mask) {
      if (llvm::failed(checkDefined(program, *mask, i)))
        return llvm::failure();
      if (!mask->data()[i * mask->asInput().step])
        continue;
    }
    if (llvm::failed(checkDefined(program, pointer, i)) ||
        (value && llvm::failed(checkDefined(program, *value, i))))
      return llvm::failure();
  }
  return llvm::success();
}

/// One access operation of one program.
class Access {
public:
  enum class Mode : uint8_t { Load, Store, Atomic };

  Access(Program &program, const Step &step, mlir::Type element, Mode mode)
      : program(program), step(step), element(element), size(tile::storageBits(element) / 8),
        mode(mode) {}

  /// The host address of an element, or null if the access is a fault.
  uint8_t *resolve(uint64_t address) {
    uint64_t tag = address >> kTagShift;
    if (tag == 0 || tag > program.launch.buffers.size())
      return resolveHost(address);
    const Buffer &buffer = program.launch.buffers[tag - 1];
    return check(buffer, address, address - buffer.address);
  }

  llvm::LogicalResult fail() {
    AccessFault fault;
    fault.kind = kind;
    fault.isStore = mode != Mode::Load;
    fault.address = address;
    fault.elementType = languageName(element).str();
    if (buffer) {
      fault.argument = buffer->name;
      int64_t offset = static_cast<int64_t>(address - buffer->address), bytes = size;
      fault.index = offset / bytes - (offset % bytes < 0);
      fault.elements = static_cast<int64_t>(buffer->bytes / size);
    }
    return program.fail(step, std::move(fault));
  }

  unsigned getSize() const { return size; }

private:
  uint8_t *fault(AccessFault::Kind what, const Buffer *where, uint64_t at) {
    kind = what;
    buffer = where;
    address = at;
    return nullptr;
  }

  uint8_t *check(const Buffer &at, uint64_t address, uint64_t offset) {
    if (offset >= at.bytes || at.bytes - offset < size)
      return fault(AccessFault::Kind::OutOfBounds, &at, address);
    if (address % size != 0)
      return fault(AccessFault::Kind::Misaligned, &at, address);
    if (at.initialised) {
      uint8_t *map = at.initialised + offset;
      if (mode == Mode::Store)
        std::memset(map, 1, size);
      else if (std::find(map, map + size, 0) != map + size)
        return fault(AccessFault::Kind::Uninitialised, &at, address);
    }
    return at.host + offset;
  }

  /// An address that the program loaded from memory: a host address in some buffer.
  uint8_t *resolveHost(uint64_t address) {
    for (const Buffer &buffer : program.launch.buffers) {
      uint64_t offset = address - reinterpret_cast<uintptr_t>(buffer.host);
      if (buffer.host && offset < buffer.bytes)
        return check(buffer, buffer.address + offset, offset);
    }
    for (const Buffer &buffer : program.launch.others)
      if (address - buffer.address < buffer.bytes)
        return check(buffer, address, address - buffer.address);
    return fault(AccessFault::Kind::UnknownAddress, nullptr, address);
  }

  Program &program;
  const Step &step;
  mlir::Type element;
  unsigned size;
  Mode mode;
  AccessFault::Kind kind = AccessFault::Kind::Other;
  const Buffer *buffer = nullptr;
  uint64_t address = 0;
};

} // namespace tilec::ref

#endif // TILEC_LIB_INTERPRETER_ACCESS_H
