// The verifier of matrix products.
#include "dialects/Tile/IR/OpSupport.h"

using namespace mlir;
using namespace tilec::tile;

static bool isFloat8(Type type) { return isa<FloatType>(type) && type.getIntOrFloatBitWidth() == 8; }

LogicalResult DotOp::verify() {
  SmallVector<int64_t> a = shapeOf(getLhs().getType()), b = shapeOf(getRhs().getType()),
                       c = shapeOf(getType());
  size_t rank = c.size();
  if (rank < 2 || rank > 3 || a.size() != rank || b.size() != rank)
    return emitOpError() << "lhs " << getLhs().getType() << ", rhs " << getRhs().getType()
                         << " and acc " << getType() << " must all have two dimensions, or three";
  int64_t m = a[rank - 2], k = a[rank - 1], n = b[rank - 1];
  if (b[rank - 2] != k)
    return emitOpError() << "lhs " << getLhs().getType() << " has " << k << " columns and rhs "
                         << getRhs().getType() << " has " << b[rank - 2] << " rows";
  if (c[rank - 2] != m || c[rank - 1] != n || (rank == 3 && (a[0] != c[0] || b[0] != c[0])))
    return emitOpError() << "acc " << getType() << " must have the shape of the product of lhs "
                         << getLhs().getType() << " and rhs " << getRhs().getType();
  Type lhs = elementTypeOf(getLhs().getType()), rhs = elementTypeOf(getRhs().getType()),
       acc = elementTypeOf(getType());
  if (lhs != rhs && !(isFloat8(lhs) && isFloat8(rhs)))
    return emitOpError() << "lhs and rhs must have one element type, got " << lhs << " and " << rhs;
  bool fits = lhs.isInteger(8)               ? acc.isInteger(32)
              : lhs.isF64()                  ? acc.isF64()
              : lhs.isF32() || lhs.isBF16()  ? acc.isF32()
              : lhs.isF16() || isFloat8(lhs) ? acc.isF32() || acc.isF16()
                                             : false;
  if (!fits)
    return emitOpError() << "products of " << lhs << " cannot be summed in " << acc;
  return success();
}
