// What the files about loops and branches share.
#ifndef TILEC_LIB_FRONTEND_MLIRGEN_LOOP_H
#define TILEC_LIB_FRONTEND_MLIRGEN_LOOP_H

#include "lib/Frontend/MLIRGen/Generator.h"

namespace tilec::frontend {

/// A name that a loop carries from one iteration to the next.
struct Generator::Carried {
  llvm::StringRef name;
  /// Its value before the loop; all its numbers are run-time values.
  Value init;
  SourceRange range;
  /// An error was reported about it.
  bool isPoison = false;
};

/// The arguments of `range`.
struct Generator::LoopBounds {
  Value start, stop, step;
  bool isStatic = false;
  /// The step is negative: the loop counts up from what is `stop` in the source.
  bool isMirrored = false;
  SourceRange range;
  llvm::SmallVector<mlir::NamedAttribute, 2> hints;
};

/// What becomes of a loop's variable after the loop.
struct Generator::LoopVariable {
  /// Something but the loops that have it as their variable reads it.
  bool isRead = false;
  /// The body assigns it, so that it is carried as other names are.
  bool isCarried = false;
  /// If it is carried: the body leaves it with its type.
  bool keepsType = true;
  /// Its value before the loop, if that has its type; else poison.
  Value before;
};

/// The value with its numbers as run-time scalars, inside aggregates too.
Value makeRunTime(Generator &generator, const Value &value, SourceRange range);

/// Adds the run-time values inside a value, aggregates opened.
void flattenValue(const Value &value, llvm::SmallVectorImpl<mlir::Value> &values);

/// The value with its run-time parts replaced by those at the front of `values`.
Value rebuildValue(const Value &like, mlir::ValueRange &values);

} // namespace tilec::frontend

#endif // TILEC_LIB_FRONTEND_MLIRGEN_LOOP_H
