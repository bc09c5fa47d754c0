// tl.load and tl.store.
#include "dialects/Tile/IR/Tile.h"
#include "lib/Frontend/MLIRGen/AccessArgs.h"
#include "lib/Frontend/MLIRGen/Blocks.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace tilec::frontend {

static std::optional<tile::CacheModifier> readCache(Generator &g, const CallArgs &args,
                                                    unsigned index, bool isLoad) {
  std::optional<std::string> name = g.getOption(args, index);
  if (!name)
    return std::nullopt;
  auto loads = llvm::StringSwitch<std::optional<tile::CacheModifier>>(*name)
                   .Case("", tile::CacheModifier::none)
                   .Case(".ca", tile::CacheModifier::ca)
                   .Case(".cg", tile::CacheModifier::cg)
                   .Case(".cs", tile::CacheModifier::cs)
                   .Case(".cv", tile::CacheModifier::cv)
                   .Default(std::nullopt);
  auto stores = llvm::StringSwitch<std::optional<tile::CacheModifier>>(*name)
                    .Case("", tile::CacheModifier::none)
                    .Case(".wb", tile::CacheModifier::wb)
                    .Case(".cg", tile::CacheModifier::cg)
                    .Case(".cs", tile::CacheModifier::cs)
                    .Case(".wt", tile::CacheModifier::wt)
                    .Default(std::nullopt);
  std::optional<tile::CacheModifier> result = isLoad ? loads : stores;
  if (!result)
    g.error(args.ranges[index]) << "unknown cache modifier '" << *name << "' of a "
                                << (isLoad ? "load; known are '.ca', '.cg', '.cs' and '.cv'"
                                           : "store; known are '.wb', '.cg', '.cs' and '.wt'");
  return result;
}

static std::optional<tile::EvictionPolicy> readEviction(Generator &g, const CallArgs &args,
                                                        unsigned index) {
  std::optional<std::string> name = g.getOption(args, index);
  if (!name)
    return std::nullopt;
  auto result = llvm::StringSwitch<std::optional<tile::EvictionPolicy>>(*name)
                    .Cases({"", "evict_normal"}, tile::EvictionPolicy::normal)
                    .Case("evict_first", tile::EvictionPolicy::evict_first)
                    .Case("evict_last", tile::EvictionPolicy::evict_last)
                    .Default(std::nullopt);
  if (!result)
    g.error(args.ranges[index]) << "unknown eviction policy '" << *name
                                << "'; known are 'evict_first' and 'evict_last'";
  return result;
}

Value readPointer(Generator &g, const CallArgs &args, unsigned index) {
  const Value &pointer = args[index];
  if (pointer.isPoison())
    return pointer;
  if (pointer.isTensor() && pointer.getDType().isPointer()) {
    if (pointer.getDType().getPointee() != Scalar::Void)
      return pointer;
    return g.error(args.ranges[index])
           << "'" << args.builtin->spelling() << "' needs to know what is at the address; "
           << "cast the pointer, as in '.to(tl.pointer_type(tl.float32))'";
  }
  return g.error(args.ranges[index])
         << "'" << args.builtin->spelling() << "' takes a pointer or a tensor of pointers, not "
         << pointer.describe();
}

Value fitToPointer(Generator &g, const Value &value, const Value &pointer, SourceRange range,
                   llvm::StringRef what) {
  if (value.isPoison())
    return value;
  if (pointer.getType().isScalar() && !value.getType().isScalar())
    return g.error(range) << "the " << what << " is a tensor, " << value.describe()
                          << ", but the pointer is a scalar, " << pointer.describe();
  return g.broadcastTo(value, pointer.getType().shape, range, what);
}

Value elementOf(Generator &g, const CallArgs &args, unsigned index, DType element) {
  const Value &value = args[index];
  bool truncates = value.is(Value::Kind::Float) && element.isInt();
  if (value.isNumber() && !truncates)
    return g.toTensor(value, args.ranges[index]).isPoison() ? Value() : g.constant(element, value);
  return g.castTo(g.getTensor(args, index), element, args.ranges[index]);
}

Value readMask(Generator &g, const CallArgs &args, unsigned index, const Value &pointer) {
  Value mask = g.getTensor(args, index);
  if (mask.isPoison())
    return mask;
  if (!mask.getDType().isBool())
    return g.error(args.ranges[index])
           << "a mask must be i1, not " << mask.describe() << "; compare it, as in mask != 0";
  return fitToPointer(g, mask, pointer, args.ranges[index], "mask");
}

/// Arguments that belong to block pointers.
static bool rejectBlockArguments(Generator &g, const CallArgs &args,
                                 std::initializer_list<unsigned> indices) {
  for (unsigned index : indices) {
    const Value &value = args[index];
    bool isKnown = !value.isTensor() && !value.is(Value::Kind::Opaque);
    if (!args.given[index] || (isKnown && !value.isTruthy()))
      continue;
    g.error(args.ranges[index]) << "'boundary_check' and 'padding_option' are for block "
                                   "pointers; give a mask";
    return false;
  }
  return true;
}

/// What a load or store accesses: all of one shape, the mask and the rest poison if there is none.
struct Access {
  Value pointer, mask, other;
};

/// The pointers of a block pointer, whose bounds are the mask [R18]. False after an error.
static bool readBlock(Generator &g, const CallArgs &args, Access &access) {
  bool isLoad = args.builtin->name == "load";
  for (unsigned index = isLoad ? 1 : 2; index <= 2; ++index)
    if (args.has(index)) {
      g.error(args.ranges[index]) << args[0].describe() << " takes no mask; give 'boundary_check'";
      return false;
    }
  DType element = args[0].getDType();
  std::optional<bool> padsWithNaN =
      isLoad ? readPadding(g, args, 4, element) : std::optional<bool>(false);
  std::optional<BlockAccess> block = accessBlockPointer(g, args, 3);
  if (!padsWithNaN || !block)
    return false;
  access.pointer = block->pointers;
  access.mask = block->mask;
  if (*padsWithNaN && block->mask.isTensor())
    access.other = g.constant(element, Value::floating(std::nan("")), args[0].getType().shape);
  return true;
}

/// Stretches the pointers of a load by what its mask or `other` has more, where that fits [R15].
static void stretchPointers(Generator &g, const Value &by, SourceRange range, Value &pointer) {
  if (!by.isTensor() || by.getType().isScalar() || pointer.getType().isScalar())
    return;
  llvm::SmallVector<int64_t> shape(pointer.getType().shape);
  llvm::ArrayRef<int64_t> other = by.getType().shape;
  if (other.size() > shape.size())
    shape.insert(shape.begin(), other.size() - shape.size(), 1);
  for (auto [extent, wanted] : llvm::zip(llvm::reverse(shape), llvm::reverse(other)))
    if (extent == 1)
      extent = wanted;
    else if (wanted != extent && wanted != 1)
      return;
  if (shape == pointer.getType().shape || !g.checkShape(shape, range))
    return;
  while (pointer.getType().shape.size() < shape.size())
    pointer = g.expandDims(pointer, 0);
  pointer = g.broadcastTo(pointer, shape, range, "pointer");
}

static bool readPointers(Generator &g, const CallArgs &args, Access &access) {
  bool isLoad = args.builtin->name == "load";
  access.pointer = readPointer(g, args, 0);
  if (access.pointer.isPoison() || !rejectBlockArguments(g, args, {3}) ||
      (isLoad && !rejectBlockArguments(g, args, {4})))
    return false;
  unsigned maskIndex = isLoad ? 1 : 2;
  if (isLoad && args.has(2) && !args.has(1)) {
    // [R15]
    g.error(args.ranges[2]) << "'other' has no meaning without 'mask'";
    return false;
  }
  if (isLoad)
    for (unsigned index : {1u, 2u})
      if (args.has(index))
        stretchPointers(g, args[index], args.ranges[index], access.pointer);
  if (args.has(maskIndex)) {
    access.mask = readMask(g, args, maskIndex, access.pointer);
    if (access.mask.isPoison())
      return false;
  }
  if (!isLoad || !args.has(2))
    return true;
  DType element = access.pointer.getDType().getPointee();
  access.other = elementOf(g, args, 2, element);
  access.other = fitToPointer(g, access.other, access.pointer, args.ranges[2], "value of 'other'");
  if (!access.other.isPoison() && element.isBool())
    access.other = g.castTo(access.other, Scalar::I8, args.ranges[2]);
  return !access.other.isPoison();
}

static bool readAccess(Generator &g, const CallArgs &args, Access &access) {
  return args[0].is(Value::Kind::BlockPointer) ? readBlock(g, args, access)
                                               : readPointers(g, args, access);
}

static Value emitLoad(Generator &g, const CallArgs &args) {
  Access access;
  if (!readAccess(g, args, access))
    return Value();
  auto cache = readCache(g, args, 5, /*isLoad=*/true);
  auto eviction = readEviction(g, args, 6);
  auto isVolatile = g.getConstBool(args, 7, false);
  if (!cache || !eviction || !isVolatile)
    return Value();
  auto load = tile::LoadOp::create(g.builder, g.loc(), access.pointer.getSSA(),
                                   access.mask.getSSA(), access.other.getSSA());
  load.setCache(*cache);
  load.setEvict(*eviction);
  load.setIsVolatile(*isVolatile);
  DType element = access.pointer.getDType().getPointee();
  if (!element.isBool())
    return Value::tensor(load.getResult(), element);
  // Booleans lie in memory as bytes [R13].
  return g.castTo(Value::tensor(load.getResult(), Scalar::I8), Scalar::I1, args.range);
}

static Value emitStore(Generator &g, const CallArgs &args) {
  Access access;
  if (!readAccess(g, args, access))
    return Value();
  DType element = access.pointer.getDType().getPointee();
  // The value takes the pointer's shape and the pointee's type [R14].
  Value value = elementOf(g, args, 1, element);
  value = fitToPointer(g, value, access.pointer, args.ranges[1], "value");
  if (!value.isPoison() && element.isBool())
    value = g.castTo(value, Scalar::I8, args.ranges[1]);
  auto cache = readCache(g, args, 4, /*isLoad=*/false);
  auto eviction = readEviction(g, args, 5);
  if (value.isPoison() || !cache || !eviction)
    return Value();
  tile::StoreOp::create(g.builder, g.loc(), access.pointer.getSSA(), value.getSSA(),
                        access.mask.getSSA(), *cache, *eviction);
  return Value::none();
}

llvm::ArrayRef<Builtin> getMemoryBuiltins() {
  static constexpr Builtin table[] = {
      {"load", "tl",
       "pointer mask? other? boundary_check? padding_option? cache_modifier? eviction_policy? "
       "volatile?",
       emitLoad},
      {"store", "tl", "pointer value mask? boundary_check? cache_modifier? eviction_policy?",
       emitStore},
  };
  return table;
}

} // namespace tilec::frontend
