// What the verifiers and the custom syntax of the tile dialect's operations share. Not for other folders.
#ifndef TILEC_DIALECTS_TILE_IR_OPSUPPORT_H
#define TILEC_DIALECTS_TILE_IR_OPSUPPORT_H

#include "dialects/Tile/IR/Tile.h"

#include <optional>

namespace tilec::tile {

/// The extents of a tensor; none for a scalar.
llvm::SmallVector<int64_t> shapeOf(mlir::Type type);
/// Shape and layout of `type` agree with those of `like` (both scalars agree).
llvm::LogicalResult verifySameShape(mlir::Operation *op, llvm::StringRef name, mlir::Type type,
                                    llvm::StringRef likeName, mlir::Type like);
llvm::LogicalResult verifySameElement(mlir::Operation *op, mlir::Type source, mlir::Type result);
/// What a pointer, or a tensor of pointers, points to, and the mask of an access through it.
mlir::Type pointeesOf(mlir::Type ptr);
mlir::Type maskOf(mlir::Type ptr);

// Custom syntax.
using OptionalOperand = std::optional<mlir::OpAsmParser::UnresolvedOperand>;

mlir::ParseResult parseCombiner(mlir::OpAsmParser &parser, mlir::Region &combiner);
void printCombiner(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::Region &combiner);

// The types of the results are those of the operands.
mlir::ParseResult parseSameTypes(mlir::OpAsmParser &parser,
                                 llvm::SmallVectorImpl<mlir::Type> &operands,
                                 llvm::SmallVectorImpl<mlir::Type> &results);
void printSameTypes(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::TypeRange operands,
                    mlir::TypeRange results);

// The pointer's type gives the others.
mlir::ParseResult parseLoadTypes(mlir::OpAsmParser &parser, OptionalOperand maskOperand,
                                 OptionalOperand otherOperand, mlir::Type &ptr, mlir::Type &mask,
                                 mlir::Type &other, mlir::Type &result);
void printLoadTypes(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::Value maskOperand,
                    mlir::Value otherOperand, mlir::Type ptr, mlir::Type mask, mlir::Type other,
                    mlir::Type result);
mlir::ParseResult parseStoreTypes(mlir::OpAsmParser &parser, OptionalOperand maskOperand,
                                  mlir::Type &ptr, mlir::Type &value, mlir::Type &mask);
void printStoreTypes(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::Value maskOperand,
                     mlir::Type ptr, mlir::Type value, mlir::Type mask);
mlir::ParseResult parseAtomicTypes(mlir::OpAsmParser &parser, OptionalOperand maskOperand,
                                   mlir::Type &ptr, mlir::Type &value, mlir::Type &mask,
                                   mlir::Type &result);
void printAtomicTypes(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::Value maskOperand,
                      mlir::Type ptr, mlir::Type value, mlir::Type mask, mlir::Type result);
mlir::ParseResult parseCASTypes(mlir::OpAsmParser &parser, mlir::Type &ptr, mlir::Type &cmp,
                                mlir::Type &value, mlir::Type &result);
void printCASTypes(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::Type ptr,
                   mlir::Type cmp, mlir::Type value, mlir::Type result);

} // namespace tilec::tile

#endif // TILEC_DIALECTS_TILE_IR_OPSUPPORT_H
