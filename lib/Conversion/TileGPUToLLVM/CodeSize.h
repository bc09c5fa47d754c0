// How much code a kernel becomes, before it is made.
#ifndef TILEC_LIB_CONVERSION_TILEGPUTOLLVM_CODESIZE_H
#define TILEC_LIB_CONVERSION_TILEGPUTOLLVM_CODESIZE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tilec::lowering {

/// Reports a kernel in the tilegpu dialect that would become so much code that compiling it takes
/// minutes and gigabytes, and warns of one that takes many seconds.
llvm::LogicalResult checkCodeSize(mlir::func::FuncOp kernel);

} // namespace tilec::lowering

#endif // TILEC_LIB_CONVERSION_TILEGPUTOLLVM_CODESIZE_H
