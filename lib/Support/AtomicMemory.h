// Atomic changes of host memory, as the GPU's atomic instructions make them. What the interpreter
// and the simulator share.
#ifndef TILEC_LIB_SUPPORT_ATOMICMEMORY_H
#define TILEC_LIB_SUPPORT_ATOMICMEMORY_H

#include "lib/Support/FloatFormats.h"

#include <algorithm>

namespace tilec {

/// What an atomic does. The numbers before Cas are those of the tile dialect's AtomicKind.
enum class AtomicFn : uint32_t { Add, FAdd, And, Or, Xor, Xchg, Max, Min, UMax, UMin, Cas };

/// What an element is.
enum class AtomicElement : uint32_t { Int16, Int32, Int64, F16, BF16, F32, F64 };

namespace atomics {

template <class Bits>
inline Bits addFloats(AtomicElement element, Bits a, Bits b) {
  if constexpr (sizeof(Bits) == 2) {
    // The sum of two halves is exact in a double.
    if (element == AtomicElement::F16)
      return encodeFP16(decodeFP16(a) + decodeFP16(b));
    return encodeBF16(decodeBF16(a) + decodeBF16(b));
  } else if constexpr (sizeof(Bits) == 4) {
    return bitCast<uint32_t>(bitCast<float>(a) + bitCast<float>(b));
  } else {
    return bitCast<uint64_t>(bitCast<double>(a) + bitCast<double>(b));
  }
}

template <class Bits, class Signed>
inline Bits combine(AtomicFn fn, AtomicElement element, Bits old, Bits value) {
  switch (fn) {
  case AtomicFn::Add:
    return static_cast<Bits>(old + value);
  case AtomicFn::FAdd:
    return addFloats<Bits>(element, old, value);
  case AtomicFn::And:
    return old & value;
  case AtomicFn::Or:
    return old | value;
  case AtomicFn::Xor:
    return old ^ value;
  case AtomicFn::Max:
    return static_cast<Bits>(std::max(static_cast<Signed>(old), static_cast<Signed>(value)));
  case AtomicFn::Min:
    return static_cast<Bits>(std::min(static_cast<Signed>(old), static_cast<Signed>(value)));
  case AtomicFn::UMax:
    return std::max(old, value);
  case AtomicFn::UMin:
    return std::min(old, value);
  case AtomicFn::Xchg:
  case AtomicFn::Cas:
    return value;
  }
  return value;
}

template <class Bits, class Signed>
inline uint64_t change(void *address, AtomicFn fn, AtomicElement element, uint64_t value,
                       uint64_t cmp, bool *changed) {
  auto *memory = static_cast<Bits *>(address);
  Bits old = __atomic_load_n(memory, __ATOMIC_SEQ_CST);
  while (fn != AtomicFn::Cas || old == static_cast<Bits>(cmp)) {
    Bits next = combine<Bits, Signed>(fn, element, old, static_cast<Bits>(value));
    if (__atomic_compare_exchange_n(memory, &old, next, /*weak=*/false, __ATOMIC_SEQ_CST,
                                    __ATOMIC_SEQ_CST)) {
      if (changed)
        *changed = next != old;
      break;
    }
  }
  return old;
}

} // namespace atomics

/// Changes the element at `address`, which is a multiple of its size, and returns the bits that
/// stood there before. `cmp` is for Cas only. `changed`, if given, becomes whether memory is
/// another now; it starts false.
inline uint64_t changeAtomically(void *address, AtomicFn fn, AtomicElement element, uint64_t value,
                                 uint64_t cmp = 0, bool *changed = nullptr) {
  switch (element) {
  case AtomicElement::Int16:
  case AtomicElement::F16:
  case AtomicElement::BF16:
    return atomics::change<uint16_t, int16_t>(address, fn, element, value, cmp, changed);
  case AtomicElement::Int32:
  case AtomicElement::F32:
    return atomics::change<uint32_t, int32_t>(address, fn, element, value, cmp, changed);
  case AtomicElement::Int64:
  case AtomicElement::F64:
    break;
  }
  return atomics::change<uint64_t, int64_t>(address, fn, element, value, cmp, changed);
}

} // namespace tilec

#endif // TILEC_LIB_SUPPORT_ATOMICMEMORY_H
