// A distributed tensor layout as a linear map over F2: from the bits of (register, lane, warp) to
// the bits of the tensor's index. See docs/design/layouts.md.
#ifndef TILEC_LIB_LAYOUT_LINEARLAYOUT_H
#define TILEC_LIB_LAYOUT_LINEARLAYOUT_H

#include "lib/Layout/F2Matrix.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace tilec {

/// The input dimensions of a layout. Their order is also the order of ownership: see freeMask.
enum class InDim : uint8_t { Register, Lane, Warp };

/// Coordinates in the tensor, one per dimension.
using Coords = llvm::SmallVector<int32_t, 4>;

/// Which bits of each input dimension a question concerns.
struct InputBits {
  uint32_t registers = 0, lanes = 0, warps = 0;
  bool operator==(const InputBits &o) const {
    return registers == o.registers && lanes == o.lanes && warps == o.warps;
  }
};

/// An immutable value, cheap to copy and safe to share between threads. Extents are powers of two;
/// their product is at most 2^31. Rank 0 (a scalar that every thread holds) is allowed.
///
/// A basis is stored as the row-major flat index (last dimension minor) of the element that the
/// input bit leads to. As extents are powers of two, the flat index is the concatenation of the
/// coordinates' bits, so xor of flat indices is xor of coordinates.
class LinearLayout {
public:
  static constexpr unsigned kLaneBits = 5;
  using Bases = llvm::SmallVector<uint64_t, 8>;

  /// A scalar in one warp.
  LinearLayout() { laneBases.fill(0); }
  /// From flat bases. `lanes` has five; the number of warps is 2^warps.size(). Inputs must be valid
  /// (asserted); for untrusted ones see fromCoordinates.
  LinearLayout(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<uint64_t> registers,
               llvm::ArrayRef<uint64_t> lanes, llvm::ArrayRef<uint64_t> warps);

  /// From bases given as coordinates. Returns nothing and fills `error` (when given) with a
  /// diagnostic if extents aren't powers of two, a basis has the wrong rank or leaves the shape, or
  /// there aren't five lane bases.
  static std::optional<LinearLayout> fromCoordinates(llvm::ArrayRef<int64_t> shape,
                                                     llvm::ArrayRef<Coords> registers,
                                                     llvm::ArrayRef<Coords> lanes,
                                                     llvm::ArrayRef<Coords> warps,
                                                     std::string *error = nullptr);

  // --- Builders. `order` lists the dimensions from the fastest changing to the slowest. ---

  /// Triton's blocked layout: a tile of sizePerThread x threadsPerWarp x warpsPerCTA elements, each
  /// factor a power of two, laid out in `order`. Where the tile exceeds the shape, lanes and warps
  /// repeat data (zero bases; registers are left out instead); where the shape exceeds the tile,
  /// further register bits repeat the tile. The product of threadsPerWarp is 32.
  static LinearLayout blocked(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> sizePerThread,
                              llvm::ArrayRef<int64_t> threadsPerWarp,
                              llvm::ArrayRef<int64_t> warpsPerCTA, llvm::ArrayRef<unsigned> order);
  /// One element per thread, row-major: lanes, then warps, then registers fill the tensor.
  static LinearLayout defaultBlocked(llvm::ArrayRef<int64_t> shape, unsigned numWarps);
  /// For memory accesses: `vecElems` consecutive elements a thread along order[0], then lanes, then
  /// warps, each spilling into the next dimension of `order` when one is full; what remains becomes
  /// registers. Lanes and warps that find no element left repeat data.
  static LinearLayout coalesced(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<unsigned> order,
                                unsigned vecElems, unsigned numWarps);
  /// Row-major order of a rank: {rank-1, ..., 0}.
  static llvm::SmallVector<unsigned, 4> rowMajorOrder(unsigned rank);

  // --- Access ---

  llvm::ArrayRef<int64_t> getShape() const { return shape; }
  unsigned getRank() const { return shape.size(); }
  int64_t numElements() const { return int64_t(1) << numElementBits; }
  unsigned getNumElementBits() const { return numElementBits; }

  unsigned numRegisters() const { return 1u << registerBases.size(); }
  unsigned numLanes() const { return 1u << kLaneBits; }
  unsigned numWarps() const { return 1u << warpBases.size(); }

  /// Bases of an input dimension as flat indices.
  llvm::ArrayRef<uint64_t> getBases(InDim dim) const;
  /// Basis `bit` of an input dimension as coordinates.
  Coords getBasis(InDim dim, unsigned bit) const;
  /// All bases of an input dimension as coordinates, as fromCoordinates takes them.
  llvm::SmallVector<Coords, 8> getBasesAsCoords(InDim dim) const;
  /// The matrix of the whole map: register columns, then lane, then warp ones.
  f2::Vectors getMatrix() const;

  /// Coordinates of the element that a thread's register holds.
  Coords apply(unsigned reg, unsigned lane, unsigned warp) const;
  /// The same as a row-major flat index.
  uint64_t applyLinear(unsigned reg, unsigned lane, unsigned warp) const;

  Coords toCoords(uint64_t flat) const;
  uint64_t toFlat(llvm::ArrayRef<int32_t> coords) const;
  /// The bits of the flat index that hold the coordinate of `axis`.
  uint64_t axisMask(unsigned axis) const;

  bool operator==(const LinearLayout &other) const;
  bool operator!=(const LinearLayout &other) const { return !(*this == other); }
  friend llvm::hash_code hash_value(const LinearLayout &layout);
  /// One line for debugging and test failures.
  std::string str() const;

  // --- Questions ---

  /// Every element is held by some thread.
  bool isSurjective() const;
  /// No element is held twice.
  bool isInjective() const;

  /// Bits of the input dimension whose basis depends on the bases before it, in the order
  /// registers, lanes, warps. The (register, lane, warp) triples with `index & freeMask == 0` in
  /// all three hold every element of the image exactly once: they are its owners.
  uint32_t freeMask(InDim dim) const;
  InputBits freeBits() const;

  /// Bits of registers, lanes and warps whose basis changes the coordinate of `axis`.
  InputBits axisBits(unsigned axis) const;

  /// The largest 2^k such that registers 0 .. 2^k-1 (and every aligned group of 2^k registers) hold
  /// consecutive, 2^k-aligned elements along `dim`.
  unsigned contiguousPerThread(unsigned dim) const;
  /// Elements per memory access along `dim`: a power of two bounded by contiguousPerThread, by
  /// `contiguity` consecutive elements in memory, by `alignment` of the address in bytes, by 16
  /// bytes. `elemBits` is the size in memory (i1 counts as 8).
  unsigned vectorWidth(unsigned dim, unsigned elemBits, uint64_t contiguity,
                       uint64_t alignment) const;

  // --- Derived layouts. All keep lanes and warps; registers stay unless said otherwise. ---

  /// Without dimension `axis`: what a reduction leaves, what expand_dims reads. Registers that then
  /// repeat others are dropped when `dropRegisters`.
  LinearLayout slice(unsigned axis, bool dropRegisters = true) const;
  /// With a new dimension of extent 1 before `axis`.
  LinearLayout expandDims(unsigned axis) const;
  /// Dimension i of the result is dimension perm[i] of this.
  LinearLayout transpose(llvm::ArrayRef<unsigned> perm) const;
  /// The same elements in row-major order under another shape with as many elements.
  LinearLayout reshape(llvm::ArrayRef<int64_t> newShape) const;
  /// For the source of a broadcast to this layout: `srcShape` has extent 1 in the broadcast
  /// dimensions and equals this shape elsewhere.
  LinearLayout broadcastSource(llvm::ArrayRef<int64_t> srcShape, bool dropRegisters = true) const;
  /// With a last dimension of extent 2, whose bit is the lowest of the register's number.
  LinearLayout joined() const;
  /// For a tensor whose last dimension of extent 2 is to go: the layout of the halves that is
  /// nearest to slicing this one. If the last dimension divides lanes or warps, they get elements
  /// of a register instead, or else repeat data.
  LinearLayout halved() const;
  /// Without the register bits of freeMask(Register).
  LinearLayout dropFreeRegisters() const;
  /// Register bit i of the result is register bit bits[i] of this; others are left out.
  LinearLayout selectRegisterBits(llvm::ArrayRef<unsigned> bits) const;

private:
  LinearLayout mapBases(llvm::ArrayRef<int64_t> newShape,
                        llvm::function_ref<uint64_t(uint64_t)> map) const;

  llvm::SmallVector<int64_t, 4> shape;
  Bases registerBases;
  std::array<uint64_t, kLaneBits> laneBases;
  llvm::SmallVector<uint64_t, 5> warpBases;
  unsigned numElementBits = 0;
};

/// For each register of `dst`, the register of `src` that holds the same element in the same lane
/// and warp. Nothing when data would have to move between threads, or shapes or warps differ.
std::optional<llvm::SmallVector<int32_t>> registerMap(const LinearLayout &dst,
                                                      const LinearLayout &src);

// The same for shape changing operations: for each register of the result's layout, the register of
// the operand's layout. They cost nothing at run time when there is an answer.
std::optional<llvm::SmallVector<int32_t>>
expandDimsRegisterMap(const LinearLayout &dst, const LinearLayout &src, unsigned axis);
std::optional<llvm::SmallVector<int32_t>> broadcastRegisterMap(const LinearLayout &dst,
                                                               const LinearLayout &src);
std::optional<llvm::SmallVector<int32_t>> transposeRegisterMap(const LinearLayout &dst,
                                                               const LinearLayout &src,
                                                               llvm::ArrayRef<unsigned> perm);
std::optional<llvm::SmallVector<int32_t>> reshapeRegisterMap(const LinearLayout &dst,
                                                             const LinearLayout &src);

} // namespace tilec

#endif // TILEC_LIB_LAYOUT_LINEARLAYOUT_H
