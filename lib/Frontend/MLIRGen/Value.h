// What an expression of a kernel is while it is generated: a compile-time value or an SSA value.
#ifndef TILEC_LIB_FRONTEND_MLIRGEN_VALUE_H
#define TILEC_LIB_FRONTEND_MLIRGEN_VALUE_H

#include "lib/Frontend/AST.h"
#include "lib/Frontend/MLIRGen/Types.h"

#include "mlir/IR/Value.h"

#include <memory>
#include <string>
#include <vector>

namespace tilec::frontend {

struct Builtin;
struct FileScope;

/// Compile-time integers: 128 bits hold every one that a 64-bit type could take.
using Int = __int128;

std::string intToString(Int value);

class Value {
public:
  enum class Kind : uint8_t {
    Poison, ///< The result of an error that was reported.
    None,
    Bool,
    Int,
    Float,
    String,
    Type,         ///< A dtype, or the type of a tensor.
    Info,         ///< `torch.finfo(T)`, `torch.iinfo(T)`.
    Tuple,        ///< Tuples and lists.
    Dict,         ///< Keys and values by turns.
    Record,       ///< An object of Python's side: names and values of its attributes by turns.
    Object,       ///< Of a class of the file: the values of its fields.
    Function,     ///< A function of a source file.
    Builtin,      ///< A function of the language.
    Method,       ///< A method with its receiver.
    Partial,      ///< `functools.partial`: what it calls, arguments, named arguments.
    Module,       ///< An imported module, by its canonical path.
    Opaque,       ///< Something of the file that is not evaluated; the text says what.
    Tensor,       ///< A run-time value, scalar or tensor.
    BlockPointer, ///< Base, shape, strides and offsets of a block in memory [R18].
    Descriptor,   ///< Base, shape and strides of a tensor in memory [R20].
  };

  Value() = default;
  static Value none() { return Value(Kind::None); }
  static Value boolean(bool value);
  static Value integer(Int value);
  static Value floating(double value);
  static Value string(llvm::StringRef text);
  static Value type(TileType type);
  /// The type of a pointer to blocks, as a block pointer has it.
  static Value pointerToBlocks(TileType block);
  static Value info(DType type);
  static Value tuple(std::vector<Value> elements);
  /// `fields` are the names, with blanks between; `scope` is the class.
  static Value namedTuple(FileScope *scope, llvm::StringRef fields, std::vector<Value> elements);
  static Value object(FileScope *scope, llvm::StringRef fields, std::vector<Value> elements);
  static Value dict(std::vector<Value> entries);
  /// An object; `name` is what diagnostics call it.
  static Value record(llvm::StringRef name, std::vector<Value> fields);
  static Value function(const ast::FunctionDef *definition, FileScope *scope);
  /// A function whose first argument is known: a method that is written in the language.
  static Value boundFunction(const ast::FunctionDef *definition, FileScope *scope, Value receiver);
  /// A function that sees the names of the one that it stands in, as `closure` has them: a Closure.
  static Value closure(const ast::FunctionDef *definition, FileScope *scope,
                       std::shared_ptr<const void> closure);
  /// This function with another text.
  Value withDefinition(const ast::FunctionDef *definition) const;
  static Value partial(Value callee, Value args, Value named);
  static Value builtin(const Builtin *builtin);
  static Value method(const Builtin *builtin, Value receiver);
  static Value module(llvm::StringRef path);
  static Value opaque(llvm::StringRef what, SourceRange range = {});
  /// A run-time value; the shape is that of its MLIR type.
  static Value tensor(mlir::Value value, DType element);
  /// A block pointer or descriptor: the type of its blocks and its run-time parts, base first.
  static Value blocks(Kind kind, TileType block, std::vector<Value> parts,
                      bool padsWithNaN = false);

  Kind getKind() const { return kind; }
  bool is(Kind other) const { return kind == other; }
  bool isPoison() const { return kind == Kind::Poison; }
  bool isNone() const { return kind == Kind::None; }
  bool isTensor() const { return kind == Kind::Tensor; }
  bool isTuple() const { return kind == Kind::Tuple; }
  /// Something made of values that may be run-time ones: it goes through loops and branches, and in
  /// and out of functions, part by part.
  bool isAggregate() const {
    return kind == Kind::Tuple || kind == Kind::Object || kind == Kind::BlockPointer ||
           kind == Kind::Descriptor;
  }
  bool isString() const { return kind == Kind::String; }
  /// A compile-time bool, int or float.
  bool isNumber() const { return kind == Kind::Bool || kind == Kind::Int || kind == Kind::Float; }
  /// A compile-time bool or int.
  bool isIntegral() const { return kind == Kind::Bool || kind == Kind::Int; }

  Int getInt() const { return intValue; }
  bool getBool() const { return intValue != 0; }
  /// The value of a number as a double.
  double getDouble() const {
    return kind == Kind::Float ? floatValue : static_cast<double>(intValue);
  }
  llvm::StringRef getText() const { return data ? llvm::StringRef(data->text) : ""; }
  /// The parts of an aggregate; of a pointer to blocks the type of the block.
  llvm::ArrayRef<Value> getElements() const;
  /// How much there is to it: its characters and parts, and theirs. What two tuples share counts
  /// for each.
  size_t getWeight() const { return data ? data->weight : 1; }
  /// An aggregate like this one with other parts.
  Value withElements(std::vector<Value> elements) const;
  /// Of a Descriptor, whether what lies outside the tensor is loaded as NaN, not 0.
  bool padsWithNaN() const { return intValue != 0; }
  /// Of a Tensor its type, of a Type the type it stands for, of a BlockPointer or Descriptor the
  /// type of its blocks.
  const TileType &getType() const { return tileType; }
  DType getDType() const { return tileType.element; }
  mlir::Value getSSA() const { return ssa; }
  const ast::FunctionDef *getFunction() const {
    return static_cast<const ast::FunctionDef *>(pointer);
  }
  /// Of a function the file, of an object or a named tuple its class.
  FileScope *getScope() const { return scope; }
  const std::shared_ptr<const void> &getClosure() const;
  const Builtin *getBuiltin() const { return static_cast<const Builtin *>(pointer); }
  /// Of an Opaque value, where it comes from.
  SourceRange getRange() const { return range; }

  /// Whether two compile-time values are the same; tensors are if they are one SSA value.
  bool isSame(const Value &other) const;
  /// Python's truth of a compile-time value.
  bool isTruthy() const;
  /// What diagnostics call it: "fp32[128]", "constexpr 4", "'abc'", "tl.float16", "a tuple of 2".
  std::string describe() const;
  /// As Python's str() prints a compile-time value; a tensor prints as its type.
  std::string toPython(bool repr = false) const;

private:
  struct Data {
    std::string text;
    std::vector<Value> elements;
    size_t weight;
    std::shared_ptr<const void> closure;
  };
  static std::shared_ptr<Data> makeData(std::string text, std::vector<Value> elements);
  explicit Value(Kind kind) : kind(kind) {}

  Kind kind = Kind::Poison;
  Int intValue = 0;
  double floatValue = 0;
  TileType tileType;
  mlir::Value ssa;
  const void *pointer = nullptr;
  FileScope *scope = nullptr;
  SourceRange range;
  std::shared_ptr<const Data> data;
};

} // namespace tilec::frontend

#endif // TILEC_LIB_FRONTEND_MLIRGEN_VALUE_H
