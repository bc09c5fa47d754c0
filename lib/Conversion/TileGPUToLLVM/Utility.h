// Building blocks of the lowering: vectors, thread numbers, linear maps, shared memory.
#ifndef TILEC_LIB_CONVERSION_TILEGPUTOLLVM_UTILITY_H
#define TILEC_LIB_CONVERSION_TILEGPUTOLLVM_UTILITY_H

#include "dialects/TileGPU/IR/TileGPU.h"
#include "lib/Layout/SharedMap.h"
#include "mlir/IR/Builders.h"

namespace tilec::lowering {

/// Emits operations at one place of a kernel.
class Emitter {
public:
  Emitter(mlir::OpBuilder &builder, mlir::Location loc) : builder(builder), loc(loc) {}

  mlir::OpBuilder &builder;
  mlir::Location loc;

  mlir::Value i32(int64_t value);
  /// The thread's number in the program, its lane and its warp.
  mlir::Value threadId();
  mlir::Value lane();
  mlir::Value warp();

  /// The xor of the bases of the bits set in `value` (i32).
  mlir::Value linear(mlir::Value value, llvm::ArrayRef<uint32_t> bases);
  /// True (i1) when none of the bits of the masks is set in the thread's lane and warp; null when
  /// the masks are empty, for every thread is meant then.
  mlir::Value ownerPredicate(uint32_t laneMask, uint32_t warpMask);
  /// True (i1) when an odd number of the bits of `mask`, which has some, is set in `value` (i32).
  mlir::Value isOdd(mlir::Value value, uint32_t mask);
  /// Conjunction of two predicates, either of which may be null.
  mlir::Value both(mlir::Value a, mlir::Value b);

  // Vectors of one thread's registers.
  mlir::Value splat(mlir::Value scalar, int64_t count);
  mlir::Value extract(mlir::Value vector, int64_t index);
  mlir::Value insert(mlir::Value vector, mlir::Value scalar, int64_t index);
  /// Register i of the result is register indices[i] of `vector`.
  mlir::Value permute(mlir::Value vector, llvm::ArrayRef<int32_t> indices);
  /// One vector of all parts' elements; parts are of one power-of-two size or scalars.
  mlir::Value concat(llvm::ArrayRef<mlir::Value> parts);
  mlir::Value fromScalars(llvm::ArrayRef<mlir::Value> scalars);
  mlir::Value constantVector(llvm::ArrayRef<int32_t> values);

  /// The address `bytes` into the program's shared memory.
  mlir::Value sharedAddress(int64_t bytes);
  /// The address `index` elements of `element` from `base`.
  mlir::Value offset(mlir::Value base, mlir::Type element, mlir::Value index);
  /// Orders the threads of a program of `numWarps`.
  void barrier(unsigned numWarps);
  /// shfl.sync.bfly or .idx over the full warp for values of 1 to 64 bits and pointers.
  mlir::Value shuffleXor(mlir::Value value, uint32_t laneXor);
  mlir::Value shuffleIndex(mlir::Value value, mlir::Value sourceLane);

  /// How a register's element is kept in shared memory: booleans become bytes.
  mlir::Type memoryType(mlir::Type element);
  mlir::Value toMemory(mlir::Value vector);
  mlir::Value fromMemory(mlir::Value vector, mlir::Type element);

  /// The part of the element offsets of `access` that depends on the thread (i32).
  mlir::Value threadOffset(const SharedAccess &access);
  /// Writes registers to shared memory, and reads them, as `access` says; `base` is the address of
  /// the tensor's first element.
  void storeShared(const SharedAccess &access, mlir::Value base, mlir::Value registers,
                   mlir::Value predicate);
  /// The registers named by access.registers, `numRegisters` in all; others are undefined.
  /// `offsetXor` (i32), if given, changes the offset of every access.
  mlir::Value loadShared(const SharedAccess &access, mlir::Value base, mlir::Type element,
                         int64_t numRegisters, mlir::Value offsetXor = {});

private:
  mlir::Value shuffle(mlir::Value value, mlir::Value offset, bool isXor);
};

/// The accesses of a layout to a tensor that lies in shared memory in row-major order, of up to
/// `vecElems` elements each.
SharedAccess rowMajorAccess(const LinearLayout &layout, unsigned vecElems, bool ownersOnly);

/// Number of warps of the kernel that holds `op`.
unsigned numWarpsOf(mlir::Operation *op);

/// What the program's first thread holds in `value`, a scalar, for all threads, through the scratch
/// of `op`; null after an error. What the first thread acquired before is acquired for all.
mlir::Value fromFirstThread(mlir::Operation *op, mlir::Value value, Emitter &emit);

/// Bytes of a scalar in memory: a boolean takes one, a pointer eight.
int64_t bytesOf(mlir::Type element);

/// Elements of a lowered tensor in a thread.
int64_t registersOf(mlir::Value vector);

/// begin, begin + 1, ..., end - 1.
llvm::SmallVector<int32_t> indexRange(int32_t begin, int32_t end);

} // namespace tilec::lowering

#endif // TILEC_LIB_CONVERSION_TILEGPUTOLLVM_UTILITY_H
