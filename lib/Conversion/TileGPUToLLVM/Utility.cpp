// Building blocks of the lowering.
#include "lib/Conversion/TileGPUToLLVM/Utility.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::lowering;

unsigned tilec::lowering::numWarpsOf(Operation *op) {
  for (; op; op = op->getParentOp())
    if (auto attr = op->getAttrOfType<IntegerAttr>(tilegpu::kNumWarpsAttr))
      return attr.getInt();
  return 1;
}

SharedAccess tilec::lowering::rowMajorAccess(const LinearLayout &layout, unsigned vecElems,
                                             bool ownersOnly) {
  SharedMap map;
  for (unsigned bit = 0; bit < layout.getNumElementBits(); ++bit)
    map.columns.push_back(1u << bit);
  return computeAccess(layout, map, vecElems, ownersOnly);
}

Value tilec::lowering::fromFirstThread(Operation *op, Value value, Emitter &emit) {
  unsigned warps = numWarpsOf(op);
  if (warps == 1) {
    Value all = emit.shuffleIndex(value, emit.i32(0));
    emit.barrier(1);
    return all;
  }
  auto place = op->getAttrOfType<IntegerAttr>(tilegpu::kSharedOffsetAttr);
  if (!place) {
    op->emitOpError("gives all threads what one of them got through shared memory, but has no "
                    "'tilegpu.shared_offset'; run tilegpu-allocate-shared first");
    return {};
  }
  Value base = emit.sharedAddress(place.getInt());
  int64_t bytes = bytesOf(value.getType());
  tilegpu::StOp::create(emit.builder, emit.loc, base, value, emit.ownerPredicate(31, warps - 1),
                        bytes, tile::CacheModifier::none, tile::EvictionPolicy::normal,
                        IntegerAttr());
  emit.barrier(warps);
  return tilegpu::LdOp::create(emit.builder, emit.loc, value.getType(), base, Value(), Value(),
                               bytes, tile::CacheModifier::none, tile::EvictionPolicy::normal,
                               /*is_volatile=*/false, IntegerAttr());
}

int64_t tilec::lowering::registersOf(Value vector) {
  return cast<VectorType>(vector.getType()).getNumElements();
}

int64_t tilec::lowering::bytesOf(Type element) {
  return isa<LLVM::LLVMPointerType>(element) ? 8 : (element.getIntOrFloatBitWidth() + 7) / 8;
}

Value Emitter::i32(int64_t value) {
  return LLVM::ConstantOp::create(builder, loc, builder.getI32Type(),
                                  builder.getI32IntegerAttr(value));
}

Value Emitter::threadId() { return NVVM::ThreadIdXOp::create(builder, loc, builder.getI32Type()); }

Value Emitter::lane() { return LLVM::AndOp::create(builder, loc, threadId(), i32(31)); }

Value Emitter::warp() { return LLVM::LShrOp::create(builder, loc, threadId(), i32(5)); }

Value Emitter::linear(Value value, ArrayRef<uint32_t> bases) {
  // Bits whose bases are single bits at one distance move together: one mask and one shift.
  Value result;
  auto add = [&](Value part) {
    result = result ? LLVM::XOrOp::create(builder, loc, result, part).getResult() : part;
  };
  llvm::SmallDenseMap<int, uint32_t> masksByShift;
  SmallVector<int> shifts;
  for (auto [bit, basis] : llvm::enumerate(bases)) {
    if (basis == 0)
      continue;
    if (llvm::isPowerOf2_32(basis)) {
      int shift = static_cast<int>(llvm::Log2_32(basis)) - static_cast<int>(bit);
      if (!masksByShift.count(shift))
        shifts.push_back(shift);
      masksByShift[shift] |= 1u << bit;
      continue;
    }
    Value shifted = LLVM::LShrOp::create(builder, loc, value, i32(bit));
    Value single = LLVM::AndOp::create(builder, loc, shifted, i32(1));
    add(LLVM::MulOp::create(builder, loc, single, i32(basis)));
  }
  for (int shift : shifts) {
    Value part = LLVM::AndOp::create(builder, loc, value, i32(masksByShift[shift]));
    if (shift > 0)
      part = LLVM::ShlOp::create(builder, loc, part, i32(shift));
    else if (shift < 0)
      part = LLVM::LShrOp::create(builder, loc, part, i32(-shift));
    add(part);
  }
  return result ? result : i32(0);
}

Value Emitter::ownerPredicate(uint32_t laneMask, uint32_t warpMask) {
  if (!laneMask && !warpMask)
    return {};
  Value masked =
      LLVM::AndOp::create(builder, loc, threadId(), i32(laneMask | (uint64_t(warpMask) << 5)));
  return LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, masked, i32(0));
}

Value Emitter::isOdd(Value value, uint32_t mask) {
  Value masked = LLVM::AndOp::create(builder, loc, value, i32(mask));
  if (llvm::isPowerOf2_32(mask))
    return LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, masked, i32(0));
  Value count = LLVM::CtPopOp::create(builder, loc, masked.getType(), masked);
  return LLVM::TruncOp::create(builder, loc, builder.getI1Type(), count);
}

Value Emitter::both(Value a, Value b) {
  if (!a || !b)
    return a ? a : b;
  return LLVM::AndOp::create(builder, loc, a, b);
}

Value Emitter::splat(Value scalar, int64_t count) {
  auto type = VectorType::get({count}, scalar.getType());
  Value poison = LLVM::PoisonOp::create(builder, loc, type);
  Value first = LLVM::InsertElementOp::create(builder, loc, poison, scalar, i32(0));
  if (count == 1)
    return first;
  return LLVM::ShuffleVectorOp::create(builder, loc, first, poison, SmallVector<int32_t>(count, 0));
}

Value Emitter::extract(Value vector, int64_t index) {
  return LLVM::ExtractElementOp::create(builder, loc, vector, i32(index));
}

Value Emitter::insert(Value vector, Value scalar, int64_t index) {
  return LLVM::InsertElementOp::create(builder, loc, vector, scalar, i32(index));
}

Value Emitter::permute(Value vector, ArrayRef<int32_t> indices) {
  bool identity = static_cast<int64_t>(indices.size()) == registersOf(vector);
  for (auto [to, from] : llvm::enumerate(indices))
    identity &= static_cast<int32_t>(to) == from;
  if (identity)
    return vector;
  Value poison = LLVM::PoisonOp::create(builder, loc, vector.getType());
  return LLVM::ShuffleVectorOp::create(builder, loc, vector, poison, indices);
}

Value Emitter::fromScalars(ArrayRef<Value> scalars) {
  // LLVM's scalarizer takes time by the square of a chain of insertions: build long vectors of
  // parts.
  constexpr size_t kLongestChain = 16;
  if (scalars.size() > kLongestChain && llvm::isPowerOf2_64(scalars.size())) {
    SmallVector<Value> parts;
    for (size_t i = 0; i < scalars.size(); i += kLongestChain)
      parts.push_back(fromScalars(scalars.slice(i, kLongestChain)));
    return concat(parts);
  }
  auto type = VectorType::get({static_cast<int64_t>(scalars.size())}, scalars[0].getType());
  Value vector = LLVM::PoisonOp::create(builder, loc, type);
  for (auto [index, scalar] : llvm::enumerate(scalars))
    vector = insert(vector, scalar, index);
  return vector;
}

Value Emitter::concat(ArrayRef<Value> parts) {
  if (!isa<VectorType>(parts[0].getType()))
    return fromScalars(parts);
  SmallVector<Value> level(parts);
  while (level.size() > 1) {
    SmallVector<Value> next;
    int64_t count = registersOf(level[0]) * 2;
    SmallVector<int32_t> all = indexRange(0, count);
    for (size_t i = 0; i < level.size(); i += 2)
      next.push_back(LLVM::ShuffleVectorOp::create(builder, loc, level[i], level[i + 1], all));
    level = std::move(next);
  }
  return level[0];
}

Value Emitter::constantVector(ArrayRef<int32_t> values) {
  auto type = VectorType::get({static_cast<int64_t>(values.size())}, builder.getI32Type());
  return LLVM::ConstantOp::create(builder, loc, type, DenseElementsAttr::get(type, values));
}

Value Emitter::sharedAddress(int64_t bytes) {
  auto type = LLVM::LLVMPointerType::get(builder.getContext(), 3);
  Value base = LLVM::AddressOfOp::create(builder, loc, type, tilegpu::kSharedSymbol);
  if (bytes == 0)
    return base;
  return LLVM::GEPOp::create(builder, loc, type, builder.getI8Type(), base,
                             ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(bytes)});
}

Value Emitter::offset(Value base, Type element, Value index) {
  return LLVM::GEPOp::create(builder, loc, base.getType(), element, base,
                             ArrayRef<LLVM::GEPArg>{index});
}

void Emitter::barrier(unsigned numWarps) {
  if (numWarps == 1)
    NVVM::SyncWarpOp::create(builder, loc, i32(-1));
  else
    NVVM::Barrier0Op::create(builder, loc);
}

Value Emitter::shuffle(Value value, Value offset, bool isXor) {
  Type type = value.getType(), i32Type = builder.getI32Type();
  auto word = [&](Value w) -> Value {
    return NVVM::ShflOp::create(builder, loc, i32Type, i32(-1), w, offset, i32(31),
                                isXor ? NVVM::ShflKind::bfly : NVVM::ShflKind::idx, UnitAttr());
  };
  if (isa<LLVM::LLVMPointerType>(type)) {
    Value bits = LLVM::PtrToIntOp::create(builder, loc, builder.getI64Type(), value);
    return LLVM::IntToPtrOp::create(builder, loc, type, shuffle(bits, offset, isXor));
  }
  unsigned width = type.getIntOrFloatBitWidth();
  Type integer = builder.getIntegerType(width);
  Value bits = type == integer ? value : LLVM::BitcastOp::create(builder, loc, integer, value);
  if (width < 32) {
    bits = LLVM::ZExtOp::create(builder, loc, i32Type, bits);
    bits = LLVM::TruncOp::create(builder, loc, integer, word(bits));
  } else if (width == 32) {
    bits = word(bits);
  } else {
    auto pair = VectorType::get({2}, i32Type);
    Value words = LLVM::BitcastOp::create(builder, loc, pair, bits);
    Value low = word(extract(words, 0)), high = word(extract(words, 1));
    bits = LLVM::BitcastOp::create(builder, loc, integer, fromScalars({low, high}));
  }
  return type == integer ? bits : LLVM::BitcastOp::create(builder, loc, type, bits);
}

Value Emitter::shuffleXor(Value value, uint32_t laneXor) {
  return shuffle(value, i32(laneXor), /*isXor=*/true);
}

Value Emitter::shuffleIndex(Value value, Value sourceLane) {
  return shuffle(value, sourceLane, /*isXor=*/false);
}

Type Emitter::memoryType(Type element) {
  return element.isInteger(1) ? builder.getI8Type() : element;
}

Value Emitter::toMemory(Value vector) {
  auto type = cast<VectorType>(vector.getType());
  if (!type.getElementType().isInteger(1))
    return vector;
  return LLVM::ZExtOp::create(builder, loc, type.clone(builder.getI8Type()), vector);
}

Value Emitter::fromMemory(Value vector, Type element) {
  if (!element.isInteger(1))
    return vector;
  auto type = cast<VectorType>(vector.getType());
  return LLVM::TruncOp::create(builder, loc, type.clone(element), vector);
}

Value Emitter::threadOffset(const SharedAccess &access) {
  Value lanes = linear(lane(), access.laneBases);
  if (llvm::all_of(access.warpBases, [](uint32_t basis) { return basis == 0; }))
    return lanes;
  return LLVM::XOrOp::create(builder, loc, lanes, linear(warp(), access.warpBases));
}

void Emitter::storeShared(const SharedAccess &access, Value base, Value registers,
                          Value predicate) {
  Value memory = toMemory(registers);
  Type element = cast<VectorType>(memory.getType()).getElementType();
  Value thread = threadOffset(access);
  Value pred = both(predicate, ownerPredicate(access.laneMask, access.warpMask));
  ArrayRef<int32_t> all = access.registers;
  for (auto [index, constant] : llvm::enumerate(access.offsets)) {
    ArrayRef<int32_t> some = all.slice(index * access.vecElems, access.vecElems);
    Value value = access.vecElems == 1 ? extract(memory, some[0]) : permute(memory, some);
    Value where = constant ? LLVM::XOrOp::create(builder, loc, thread, i32(constant)) : thread;
    tilegpu::StOp::create(builder, loc, offset(base, element, where), value, pred,
                          access.vecElems * bytesOf(element), tile::CacheModifier::none,
                          tile::EvictionPolicy::normal, IntegerAttr());
  }
}

Value Emitter::loadShared(const SharedAccess &access, Value base, Type element,
                          int64_t numRegisters, Value offsetXor) {
  Type stored = memoryType(element);
  Value thread = threadOffset(access);
  if (offsetXor)
    thread = LLVM::XOrOp::create(builder, loc, thread, offsetXor);
  SmallVector<Value> scalars(numRegisters);
  ArrayRef<int32_t> all = access.registers;
  SmallVector<Value> parts;
  bool inOrder = static_cast<int64_t>(all.size()) == numRegisters;
  for (auto [to, from] : llvm::enumerate(all))
    inOrder &= static_cast<int32_t>(to) == from;
  for (auto [index, constant] : llvm::enumerate(access.offsets)) {
    Value where = constant ? LLVM::XOrOp::create(builder, loc, thread, i32(constant)) : thread;
    Type type = access.vecElems == 1 ? stored : VectorType::get({access.vecElems}, stored);
    Value value = tilegpu::LdOp::create(builder, loc, type, offset(base, stored, where), Value(),
                                        Value(), access.vecElems * bytesOf(stored),
                                        tile::CacheModifier::none, tile::EvictionPolicy::normal,
                                        /*is_volatile=*/false, IntegerAttr());
    parts.push_back(value);
    if (inOrder)
      continue;
    for (unsigned i = 0; i < access.vecElems; ++i)
      scalars[all[index * access.vecElems + i]] = access.vecElems == 1 ? value : extract(value, i);
  }
  if (inOrder)
    return fromMemory(concat(parts), element);
  Value undefined;
  for (Value &scalar : scalars) {
    if (scalar)
      continue;
    if (!undefined)
      undefined = LLVM::PoisonOp::create(builder, loc, stored);
    scalar = undefined;
  }
  return fromMemory(fromScalars(scalars), element);
}

SmallVector<int32_t> tilec::lowering::indexRange(int32_t begin, int32_t end) {
  return llvm::to_vector(llvm::seq(begin, end));
}
