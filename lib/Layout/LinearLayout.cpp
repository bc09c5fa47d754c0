// Linear layouts: construction, access and the questions that need no other layout.
#include "lib/Layout/LinearLayout.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cassert>

using namespace llvm;

namespace tilec {

namespace {

constexpr unsigned kMaxElementBits = 31;

unsigned log2Of(int64_t extent) {
  assert(extent > 0 && isPowerOf2_64(extent) && "extents are powers of two");
  return Log2_64(extent);
}

uint64_t lowMask(unsigned bits) { return (uint64_t(1) << bits) - 1; }

/// The position in the flat index of the lowest bit of dimension `dim`.
unsigned bitOffset(ArrayRef<int64_t> shape, unsigned dim) {
  unsigned offset = 0;
  for (int64_t extent : shape.drop_front(dim + 1))
    offset += log2Of(extent);
  return offset;
}

/// Hands out the bits of each dimension's coordinate, lowest first.
class BitDealer {
public:
  explicit BitDealer(ArrayRef<int64_t> shape) {
    for (unsigned dim = 0; dim < shape.size(); ++dim) {
      next.push_back(bitOffset(shape, dim));
      end.push_back(next.back() + log2Of(shape[dim]));
    }
  }
  bool has(unsigned dim) const { return next[dim] < end[dim]; }
  /// The next bit of `dim` as a basis, or zero when there is none.
  uint64_t take(unsigned dim) { return has(dim) ? uint64_t(1) << next[dim]++ : 0; }
  /// The next bit of the first dimension in `order` that has one, or zero.
  uint64_t takeFirst(ArrayRef<unsigned> order) {
    for (unsigned dim : order)
      if (has(dim))
        return take(dim);
    return 0;
  }

private:
  SmallVector<unsigned, 4> next, end;
};

void printBases(raw_ostream &os, StringRef name, ArrayRef<Coords> bases) {
  os << ' ' << name << "=[";
  interleaveComma(bases, os, [&](const Coords &basis) {
    os << '(';
    llvm::interleave(basis, os, ",");
    os << ')';
  });
  os << ']';
}

} // namespace

LinearLayout::LinearLayout(ArrayRef<int64_t> shape, ArrayRef<uint64_t> registers,
                           ArrayRef<uint64_t> lanes, ArrayRef<uint64_t> warps)
    : shape(shape), registerBases(registers), warpBases(warps) {
  assert(lanes.size() == kLaneBits && "a warp has 32 lanes");
  llvm::copy(lanes, laneBases.begin());
  for (int64_t extent : shape)
    numElementBits += log2Of(extent);
  assert(numElementBits <= kMaxElementBits && "too many elements");
  assert(llvm::all_of(getMatrix(), [&](uint64_t b) { return b <= lowMask(numElementBits); }) &&
         "a basis leaves the shape");
}

std::optional<LinearLayout>
LinearLayout::fromCoordinates(ArrayRef<int64_t> shape, ArrayRef<Coords> registers,
                              ArrayRef<Coords> lanes, ArrayRef<Coords> warps, std::string *error) {
  auto fail = [&](const Twine &message) {
    if (error)
      *error = message.str();
    return std::nullopt;
  };
  unsigned bits = 0;
  for (auto [dim, extent] : enumerate(shape)) {
    if (extent <= 0 || !isPowerOf2_64(extent))
      return fail("extent " + Twine(extent) + " of dimension " + Twine(dim) +
                  " isn't a power of two");
    bits += Log2_64(extent);
    if (bits > kMaxElementBits)
      return fail("the shape has more than 2^" + Twine(kMaxElementBits) + " elements");
  }
  if (lanes.size() != kLaneBits)
    return fail("expected " + Twine(unsigned(kLaneBits)) + " bases for 'lane', found " +
                Twine(lanes.size()));
  if (registers.size() > kMaxElementBits || warps.size() > kMaxElementBits)
    return fail("more than " + Twine(kMaxElementBits) + " bases for one input dimension");

  Bases flat[3];
  ArrayRef<Coords> given[3] = {registers, lanes, warps};
  const char *names[3] = {"register", "lane", "warp"};
  for (unsigned in = 0; in < 3; ++in)
    for (auto [bit, basis] : enumerate(given[in])) {
      if (basis.size() != shape.size())
        return fail("basis " + Twine(bit) + " of '" + names[in] + "' has " + Twine(basis.size()) +
                    " coordinates, but the shape has " + Twine(shape.size()) + " dimensions");
      uint64_t index = 0;
      for (auto [dim, extent] : enumerate(shape)) {
        if (basis[dim] < 0 || basis[dim] >= extent)
          return fail("coordinate " + Twine(basis[dim]) + " in basis " + Twine(bit) + " of '" +
                      names[in] + "' is outside extent " + Twine(extent) + " of dimension " +
                      Twine(dim));
        index = index * extent + basis[dim];
      }
      flat[in].push_back(index);
    }
  return LinearLayout(shape, flat[0], flat[1], flat[2]);
}

SmallVector<unsigned, 4> LinearLayout::rowMajorOrder(unsigned rank) {
  SmallVector<unsigned, 4> order;
  for (unsigned i = rank; i-- > 0;)
    order.push_back(i);
  return order;
}

LinearLayout LinearLayout::blocked(ArrayRef<int64_t> shape, ArrayRef<int64_t> sizePerThread,
                                   ArrayRef<int64_t> threadsPerWarp, ArrayRef<int64_t> warpsPerCTA,
                                   ArrayRef<unsigned> order) {
  assert(sizePerThread.size() == shape.size() && threadsPerWarp.size() == shape.size() &&
         warpsPerCTA.size() == shape.size() && order.size() == shape.size() &&
         "one entry per dimension");
  BitDealer dealer(shape);
  Bases registers, lanes, warps;
  for (unsigned dim : order)
    for (unsigned i = log2Of(sizePerThread[dim]); i-- > 0 && dealer.has(dim);)
      registers.push_back(dealer.take(dim));
  for (unsigned dim : order)
    for (unsigned i = log2Of(threadsPerWarp[dim]); i-- > 0;)
      lanes.push_back(dealer.take(dim));
  for (unsigned dim : order)
    for (unsigned i = log2Of(warpsPerCTA[dim]); i-- > 0;)
      warps.push_back(dealer.take(dim));
  while (uint64_t basis = dealer.takeFirst(order))
    registers.push_back(basis);
  if (shape.empty()) // no dimension that could name the lanes
    lanes.assign(kLaneBits, 0);
  return LinearLayout(shape, registers, lanes, warps);
}

LinearLayout LinearLayout::defaultBlocked(ArrayRef<int64_t> shape, unsigned numWarps) {
  return coalesced(shape, rowMajorOrder(shape.size()), 1, numWarps);
}

LinearLayout LinearLayout::coalesced(ArrayRef<int64_t> shape, ArrayRef<unsigned> order,
                                     unsigned vecElems, unsigned numWarps) {
  assert(order.size() == shape.size() && "one entry per dimension");
  BitDealer dealer(shape);
  Bases registers, lanes, warps;
  if (!order.empty())
    for (unsigned i = log2Of(vecElems); i-- > 0 && dealer.has(order[0]);)
      registers.push_back(dealer.take(order[0]));
  for (unsigned i = 0; i < kLaneBits; ++i)
    lanes.push_back(dealer.takeFirst(order));
  for (unsigned i = log2Of(numWarps); i-- > 0;)
    warps.push_back(dealer.takeFirst(order));
  while (uint64_t basis = dealer.takeFirst(order))
    registers.push_back(basis);
  return LinearLayout(shape, registers, lanes, warps);
}

ArrayRef<uint64_t> LinearLayout::getBases(InDim dim) const {
  switch (dim) {
  case InDim::Register:
    return registerBases;
  case InDim::Lane:
    return laneBases;
  case InDim::Warp:
    return warpBases;
  }
  llvm_unreachable("all input dimensions handled");
}

Coords LinearLayout::getBasis(InDim dim, unsigned bit) const {
  return toCoords(getBases(dim)[bit]);
}

SmallVector<Coords, 8> LinearLayout::getBasesAsCoords(InDim dim) const {
  SmallVector<Coords, 8> result;
  for (uint64_t basis : getBases(dim))
    result.push_back(toCoords(basis));
  return result;
}

f2::Vectors LinearLayout::getMatrix() const {
  f2::Vectors result(ArrayRef<uint64_t>{registerBases});
  result.append(laneBases.begin(), laneBases.end());
  result.append(warpBases.begin(), warpBases.end());
  return result;
}

uint64_t LinearLayout::applyLinear(unsigned reg, unsigned lane, unsigned warp) const {
  assert(reg < numRegisters() && lane < numLanes() && warp < numWarps() && "input out of range");
  return f2::multiply(registerBases, reg) ^ f2::multiply(laneBases, lane) ^
         f2::multiply(warpBases, warp);
}

Coords LinearLayout::apply(unsigned reg, unsigned lane, unsigned warp) const {
  return toCoords(applyLinear(reg, lane, warp));
}

Coords LinearLayout::toCoords(uint64_t flat) const {
  Coords result(shape.size());
  for (unsigned dim = shape.size(); dim-- > 0;) {
    result[dim] = int32_t(flat & uint64_t(shape[dim] - 1));
    flat >>= log2Of(shape[dim]);
  }
  return result;
}

uint64_t LinearLayout::toFlat(ArrayRef<int32_t> coords) const {
  assert(coords.size() == shape.size() && "one coordinate per dimension");
  uint64_t flat = 0;
  for (auto [extent, coord] : zip_equal(shape, coords))
    flat = flat * extent + coord;
  return flat;
}

uint64_t LinearLayout::axisMask(unsigned axis) const {
  return uint64_t(shape[axis] - 1) << bitOffset(shape, axis);
}

bool LinearLayout::operator==(const LinearLayout &other) const {
  return shape == other.shape && registerBases == other.registerBases &&
         laneBases == other.laneBases && warpBases == other.warpBases;
}

hash_code hash_value(const LinearLayout &layout) {
  auto hashRange = [](const auto &range) { return hash_combine_range(range.begin(), range.end()); };
  return hash_combine(hashRange(layout.shape), hashRange(layout.registerBases),
                      hashRange(layout.laneBases), hashRange(layout.warpBases));
}

std::string LinearLayout::str() const {
  std::string text;
  raw_string_ostream os(text);
  llvm::interleave(shape, os, "x");
  printBases(os, "register", getBasesAsCoords(InDim::Register));
  printBases(os, "lane", getBasesAsCoords(InDim::Lane));
  printBases(os, "warp", getBasesAsCoords(InDim::Warp));
  return text;
}

bool LinearLayout::isSurjective() const { return f2::rank(getMatrix()) == numElementBits; }

bool LinearLayout::isInjective() const {
  f2::Vectors matrix = getMatrix();
  return f2::rank(matrix) == matrix.size();
}

InputBits LinearLayout::freeBits() const {
  uint64_t mask = f2::dependentMask(getMatrix());
  unsigned registerBits = registerBases.size();
  InputBits result;
  result.registers = uint32_t(mask & lowMask(registerBits));
  result.lanes = uint32_t(mask >> registerBits & lowMask(kLaneBits));
  result.warps = uint32_t(mask >> (registerBits + kLaneBits));
  return result;
}

uint32_t LinearLayout::freeMask(InDim dim) const {
  InputBits free = freeBits();
  return dim == InDim::Register ? free.registers : dim == InDim::Lane ? free.lanes : free.warps;
}

InputBits LinearLayout::axisBits(unsigned axis) const {
  uint64_t mask = axisMask(axis);
  auto touching = [&](ArrayRef<uint64_t> bases) {
    uint32_t bits = 0;
    for (auto [i, basis] : enumerate(bases))
      bits |= uint32_t((basis & mask) != 0) << i;
    return bits;
  };
  return {touching(registerBases), touching(laneBases), touching(warpBases)};
}

unsigned LinearLayout::contiguousPerThread(unsigned dim) const {
  unsigned offset = bitOffset(shape, dim), extentBits = log2Of(shape[dim]);
  unsigned bits = 0;
  while (bits < extentBits && bits < registerBases.size() &&
         registerBases[bits] == uint64_t(1) << (offset + bits))
    ++bits;
  // Whatever else moves an element by less than the group would break its alignment.
  f2::Vectors matrix = getMatrix();
  for (uint64_t basis : ArrayRef<uint64_t>(matrix).drop_front(bits))
    if (uint64_t inside = basis >> offset & lowMask(bits))
      bits = llvm::countr_zero(inside);
  return 1u << bits;
}

unsigned LinearLayout::vectorWidth(unsigned dim, unsigned elemBits, uint64_t contiguity,
                                   uint64_t alignment) const {
  uint64_t elemBytes = std::max(1u, elemBits / 8);
  uint64_t limit = std::min<uint64_t>(contiguousPerThread(dim), std::max<uint64_t>(contiguity, 1));
  limit = std::min(limit, std::max<uint64_t>(alignment / elemBytes, 1));
  limit = std::min(limit, std::max<uint64_t>(16 / elemBytes, 1));
  return unsigned(bit_floor(limit));
}

} // namespace tilec
