// Layouts derived from others by shape operations, and the register maps between them.
#include "lib/Layout/LinearLayout.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cassert>

using namespace llvm;

namespace tilec {

using RegisterMap = std::optional<SmallVector<int32_t>>;

LinearLayout LinearLayout::mapBases(ArrayRef<int64_t> newShape,
                                    function_ref<uint64_t(uint64_t)> map) const {
  auto mapAll = [&](ArrayRef<uint64_t> bases) {
    Bases result;
    for (uint64_t basis : bases)
      result.push_back(map(basis));
    return result;
  };
  return LinearLayout(newShape, mapAll(registerBases), mapAll(laneBases), mapAll(warpBases));
}

LinearLayout LinearLayout::slice(unsigned axis, bool dropRegisters) const {
  assert(axis < shape.size() && "no such dimension");
  uint64_t low = (axisMask(axis) & -axisMask(axis)) - 1; // all ones for extent 1
  SmallVector<int64_t, 4> newShape(shape);
  newShape.erase(newShape.begin() + axis);
  unsigned extentBits = Log2_64(shape[axis]);
  LinearLayout result =
      mapBases(newShape, [&](uint64_t flat) { return (flat & low) | (flat >> extentBits & ~low); });
  return dropRegisters ? result.dropFreeRegisters() : result;
}

LinearLayout LinearLayout::expandDims(unsigned axis) const {
  assert(axis <= shape.size() && "no such position");
  SmallVector<int64_t, 4> newShape(shape);
  newShape.insert(newShape.begin() + axis, 1);
  return reshape(newShape);
}

LinearLayout LinearLayout::transpose(ArrayRef<unsigned> perm) const {
  assert(perm.size() == shape.size() && "one entry per dimension");
  SmallVector<int64_t, 4> newShape;
  for (unsigned dim : perm)
    newShape.push_back(shape[dim]);
  return mapBases(newShape, [&](uint64_t flat) {
    Coords coords = toCoords(flat);
    uint64_t result = 0;
    for (unsigned dim : perm)
      result = result * shape[dim] + coords[dim];
    return result;
  });
}

LinearLayout LinearLayout::reshape(ArrayRef<int64_t> newShape) const {
  LinearLayout result(newShape, registerBases, laneBases, warpBases);
  assert(result.numElementBits == numElementBits && "a reshape keeps the number of elements");
  return result;
}

LinearLayout LinearLayout::broadcastSource(ArrayRef<int64_t> srcShape, bool dropRegisters) const {
  assert(srcShape.size() == shape.size() && "a broadcast keeps the rank");
  LinearLayout result = mapBases(srcShape, [&](uint64_t flat) {
    Coords coords = toCoords(flat);
    uint64_t index = 0;
    for (auto [extent, coord] : zip_equal(srcShape, coords))
      index = index * extent + (extent == 1 ? 0 : coord);
    return index;
  });
  return dropRegisters ? result.dropFreeRegisters() : result;
}

LinearLayout LinearLayout::joined() const {
  SmallVector<int64_t, 4> newShape(shape);
  newShape.push_back(2);
  LinearLayout result = mapBases(newShape, [](uint64_t flat) { return flat << 1; });
  result.registerBases.insert(result.registerBases.begin(), 1);
  return result;
}

LinearLayout LinearLayout::halved() const {
  assert(!shape.empty() && shape.back() == 2 && "there must be two halves");
  LinearLayout result = slice(shape.size() - 1);
  // The bit of a lane or warp that tells the halves apart may lead elsewhere now.
  auto refill = [&](MutableArrayRef<uint64_t> bases, ArrayRef<uint64_t> old) {
    for (auto [basis, before] : zip_equal(bases, old))
      if (before == 1 && basis == 0 && !result.registerBases.empty())
        basis = result.registerBases.pop_back_val();
  };
  refill(result.laneBases, laneBases);
  refill(result.warpBases, warpBases);
  return result;
}

LinearLayout LinearLayout::dropFreeRegisters() const {
  uint64_t free = f2::dependentMask(registerBases);
  if (!free)
    return *this;
  LinearLayout result = *this;
  result.registerBases.clear();
  for (auto [bit, basis] : enumerate(registerBases))
    if (!(free >> bit & 1))
      result.registerBases.push_back(basis);
  return result;
}

LinearLayout LinearLayout::selectRegisterBits(ArrayRef<unsigned> bits) const {
  LinearLayout result = *this;
  result.registerBases.clear();
  for (unsigned bit : bits)
    result.registerBases.push_back(registerBases[bit]);
  return result;
}

RegisterMap registerMap(const LinearLayout &dst, const LinearLayout &src) {
  // The register may depend on the destination's register alone, so lanes and warps must agree.
  if (dst.getShape() != src.getShape() || dst.getBases(InDim::Lane) != src.getBases(InDim::Lane) ||
      dst.getBases(InDim::Warp) != src.getBases(InDim::Warp))
    return std::nullopt;
  f2::Span span(src.getBases(InDim::Register));
  SmallVector<int32_t> result = {0};
  for (uint64_t basis : dst.getBases(InDim::Register)) {
    std::optional<uint64_t> from = span.solve(basis);
    if (!from)
      return std::nullopt;
    for (unsigned i = 0, e = result.size(); i < e; ++i)
      result.push_back(result[i] ^ int32_t(*from));
  }
  return result;
}

RegisterMap expandDimsRegisterMap(const LinearLayout &dst, const LinearLayout &src, unsigned axis) {
  if (axis > src.getRank())
    return std::nullopt;
  return registerMap(dst, src.expandDims(axis));
}

RegisterMap broadcastRegisterMap(const LinearLayout &dst, const LinearLayout &src) {
  if (dst.getRank() != src.getRank())
    return std::nullopt;
  for (auto [from, to] : zip_equal(src.getShape(), dst.getShape()))
    if (from != to && from != 1)
      return std::nullopt;
  return registerMap(dst.broadcastSource(src.getShape(), /*dropRegisters=*/false), src);
}

RegisterMap transposeRegisterMap(const LinearLayout &dst, const LinearLayout &src,
                                 ArrayRef<unsigned> perm) {
  if (perm.size() != src.getRank())
    return std::nullopt;
  return registerMap(dst, src.transpose(perm));
}

RegisterMap reshapeRegisterMap(const LinearLayout &dst, const LinearLayout &src) {
  if (dst.numElements() != src.numElements())
    return std::nullopt;
  return registerMap(dst, src.reshape(dst.getShape()));
}

} // namespace tilec
