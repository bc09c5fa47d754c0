// Names of kinds and operators.
#include "lib/Frontend/AST.h"

namespace tilec::ast {

llvm::APInt IntLiteral::getValue() const {
  unsigned bits = unsigned(words.size()) * 64;
  if (words.back() >> 63)
    bits += 64;
  return llvm::APInt(bits, words);
}

llvm::StringRef getSpelling(UnaryOp op) {
  constexpr llvm::StringLiteral kNames[] = {"+", "-", "~", "not"};
  return kNames[size_t(op)];
}

llvm::StringRef getSpelling(BoolOpKind op) { return op == BoolOpKind::And ? "and" : "or"; }

llvm::StringRef getSpelling(BinaryOp op) {
  constexpr llvm::StringLiteral kNames[] = {"+",  "-",  "*",  "@", "/", "//", "%",
                                            "**", "<<", ">>", "&", "|", "^"};
  return kNames[size_t(op)];
}

llvm::StringRef getSpelling(CompareOp op) {
  constexpr llvm::StringLiteral kNames[] = {"==", "!=", "<",      "<=", ">",
                                            ">=", "is", "is not", "in", "not in"};
  return kNames[size_t(op)];
}

llvm::StringRef getKindName(NodeKind kind) {
#define CASE(KIND, NAME)                                                                           \
  case NodeKind::KIND:                                                                             \
    return NAME
  switch (kind) {
    CASE(Name, "NameExpr");
    CASE(IntLiteral, "IntLiteral");
    CASE(FloatLiteral, "FloatLiteral");
    CASE(ImaginaryLiteral, "ImaginaryLiteral");
    CASE(StringLiteral, "StringLiteral");
    CASE(BytesLiteral, "BytesLiteral");
    CASE(BoolLiteral, "BoolLiteral");
    CASE(NoneLiteral, "NoneLiteral");
    CASE(EllipsisLiteral, "EllipsisLiteral");
    CASE(JoinedStr, "JoinedStr");
    CASE(FormattedValue, "FormattedValue");
    CASE(Unary, "UnaryExpr");
    CASE(Binary, "BinaryExpr");
    CASE(BoolOp, "BoolOpExpr");
    CASE(Compare, "CompareExpr");
    CASE(Call, "CallExpr");
    CASE(Attribute, "AttributeExpr");
    CASE(Subscript, "SubscriptExpr");
    CASE(Slice, "SliceExpr");
    CASE(Lambda, "LambdaExpr");
    CASE(Conditional, "ConditionalExpr");
    CASE(Tuple, "TupleExpr");
    CASE(List, "ListExpr");
    CASE(Set, "SetExpr");
    CASE(Dict, "DictExpr");
    CASE(Comprehension, "ComprehensionExpr");
    CASE(NamedExpr, "NamedExpr");
    CASE(Starred, "StarredExpr");
    CASE(Await, "AwaitExpr");
    CASE(Yield, "YieldExpr");
    CASE(YieldFrom, "YieldFromExpr");
    CASE(ExprStmt, "ExprStmt");
    CASE(AssignStmt, "AssignStmt");
    CASE(AugAssignStmt, "AugAssignStmt");
    CASE(AnnAssignStmt, "AnnAssignStmt");
    CASE(IfStmt, "IfStmt");
    CASE(ForStmt, "ForStmt");
    CASE(WhileStmt, "WhileStmt");
    CASE(WithStmt, "WithStmt");
    CASE(TryStmt, "TryStmt");
    CASE(MatchStmt, "MatchStmt");
    CASE(FunctionDef, "FunctionDef");
    CASE(ClassDef, "ClassDef");
    CASE(ReturnStmt, "ReturnStmt");
    CASE(PassStmt, "PassStmt");
    CASE(BreakStmt, "BreakStmt");
    CASE(ContinueStmt, "ContinueStmt");
    CASE(RaiseStmt, "RaiseStmt");
    CASE(AssertStmt, "AssertStmt");
    CASE(DeleteStmt, "DeleteStmt");
    CASE(GlobalStmt, "GlobalStmt");
    CASE(NonlocalStmt, "NonlocalStmt");
    CASE(ImportStmt, "ImportStmt");
    CASE(ImportFromStmt, "ImportFromStmt");
    CASE(TypeAliasStmt, "TypeAliasStmt");
    CASE(ValuePattern, "ValuePattern");
    CASE(AsPattern, "AsPattern");
    CASE(OrPattern, "OrPattern");
    CASE(SequencePattern, "SequencePattern");
    CASE(StarPattern, "StarPattern");
    CASE(MappingPattern, "MappingPattern");
    CASE(ClassPattern, "ClassPattern");
    CASE(Param, "Param");
    CASE(Keyword, "Keyword");
    CASE(ForClause, "ForClause");
    CASE(ExceptHandler, "ExceptHandler");
    CASE(WithItem, "WithItem");
    CASE(Alias, "Alias");
    CASE(TypeParam, "TypeParam");
    CASE(MatchCase, "MatchCase");
    CASE(Module, "Module");
  }
#undef CASE
  return "";
}

} // namespace tilec::ast
