// Whether inline PTX fits its operands.
#ifndef TILEC_LIB_CONVERSION_TILETOTILEGPU_CHECKINLINEASM_H
#define TILEC_LIB_CONVERSION_TILETOTILEGPU_CHECKINLINEASM_H

#include "dialects/Tile/IR/Tile.h"

#include <optional>

namespace tilec {

/// The int that all elements of an operand are, if it is a constant.
std::optional<llvm::APInt> constantOf(mlir::Value value);

/// The constraints describe the registers that groups of elements fill; an error says what differs.
llvm::LogicalResult checkInlineAsm(tile::InlineAsmOp op);

} // namespace tilec

#endif // TILEC_LIB_CONVERSION_TILETOTILEGPU_CHECKINLINEASM_H
