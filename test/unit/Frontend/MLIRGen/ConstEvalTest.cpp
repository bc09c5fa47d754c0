// Arithmetic on compile-time values against values computed by Python.
#include "lib/Frontend/MLIRGen/ConstEval.h"

#include <gtest/gtest.h>

using namespace tilec;
using namespace tilec::frontend;
using ast::BinaryOp;

namespace {

std::string fold(Value lhs, BinaryOp op, Value rhs) {
  Folded result = foldBinary(op, lhs, rhs);
  return result.error.empty() ? result.value.toPython() : "error: " + result.error;
}
std::string fold(Int lhs, BinaryOp op, Int rhs) {
  return fold(Value::integer(lhs), op, Value::integer(rhs));
}

TEST(ConstEval, DivisionFloorsR7) {
  struct {
    int lhs, rhs, quotient, rest;
  } table[] = {{7, 2, 3, 1},   {-7, 2, -4, 1}, {7, -2, -4, -1}, {-7, -2, 3, -1},
               {6, 3, 2, 0},   {-6, 3, -2, 0}, {6, -3, -2, 0},  {0, -5, 0, 0},
               {1, -1, -1, 0}, {5, 7, 0, 5},   {-5, 7, -1, 2},  {5, -7, -1, -2}};
  for (auto &row : table) {
    EXPECT_EQ(fold(row.lhs, BinaryOp::FloorDiv, row.rhs), std::to_string(row.quotient));
    EXPECT_EQ(fold(row.lhs, BinaryOp::Mod, row.rhs), std::to_string(row.rest));
  }
  EXPECT_EQ(fold(Value::floating(-7.5), BinaryOp::FloorDiv, Value::integer(2)), "-4.0");
  EXPECT_EQ(fold(Value::floating(-7.5), BinaryOp::Mod, Value::integer(2)), "0.5");
  EXPECT_EQ(fold(7, BinaryOp::Div, 2), "3.5");
  EXPECT_EQ(fold(7, BinaryOp::FloorDiv, 0), "error: division of a constant by zero");
  EXPECT_EQ(fold(7, BinaryOp::Mod, 0), "error: division of a constant by zero");
}

TEST(ConstEval, IntegersAreExact) {
  Int big = Int(1) << 100;
  EXPECT_EQ(fold(big, BinaryOp::Add, 1), "1267650600228229401496703205377");
  EXPECT_EQ(fold(Int(1), BinaryOp::LShift, Int(64)), "18446744073709551616");
  EXPECT_EQ(fold(-3, BinaryOp::LShift, 5), "-96");
  EXPECT_EQ(fold(-3, BinaryOp::LShift, 126), "error: integer constant does not fit in 128 bits");
  EXPECT_EQ(fold(2, BinaryOp::Pow, 126), "85070591730234615865843651857942052864");
  EXPECT_EQ(fold(2, BinaryOp::Pow, 127), "error: integer constant does not fit in 128 bits");
  EXPECT_EQ(fold(1, BinaryOp::LShift, 127), "error: integer constant does not fit in 128 bits");
  EXPECT_EQ(fold(big, BinaryOp::Mul, big), "error: integer constant does not fit in 128 bits");
  EXPECT_EQ(fold(2, BinaryOp::Pow, -2), "0.25");
  EXPECT_EQ(fold(-1, BinaryOp::RShift, 200), "-1");
  EXPECT_EQ(fold(-5, BinaryOp::RShift, 1), "-3");
  EXPECT_EQ(fold(-1, BinaryOp::BitAnd, 255), "255");
}

TEST(ConstEval, SequencesRepeatAndJoin) {
  Value pair = Value::tuple({Value::integer(1), Value::string("a")});
  EXPECT_EQ(fold(pair, BinaryOp::Mul, Value::integer(2)), "(1, 'a', 1, 'a')");
  EXPECT_EQ(fold(pair, BinaryOp::Add, Value::tuple({Value::none()})), "(1, 'a', None)");
  EXPECT_EQ(fold(Value::string("ab"), BinaryOp::Mul, Value::integer(3)), "ababab");
  EXPECT_EQ(fold(pair, BinaryOp::Mul, Value::integer(1 << 20)),
            "error: the tuple has more than the 65536 elements that are made at compile time");
  EXPECT_EQ(fold(Value::string("ab"), BinaryOp::Mul, Value::integer(Int(1) << 60)),
            "error: the string has more than the 65536 characters that are made at compile time");
  EXPECT_EQ(fold(pair, BinaryOp::Sub, pair),
            "error: cannot apply '-' to a tuple of 2 and a tuple of 2");
}

TEST(ConstEval, FloatsPrintAsInPython) {
  EXPECT_EQ(Value::floating(0.1).toPython(), "0.1");
  EXPECT_EQ(Value::floating(1e22).toPython(), "1e+22");
  EXPECT_EQ(Value::floating(2).toPython(), "2.0");
  EXPECT_EQ(Value::floating(-HUGE_VAL).toPython(), "-inf");
}

TEST(ConstEval, WhatIsNotDefinedIsAnError) {
  EXPECT_FALSE(foldMath("sqrt", {Value::integer(-1)}).error.empty());
  EXPECT_FALSE(foldMath("ceil", {Value::floating(HUGE_VAL)}).error.empty());
  EXPECT_EQ(foldMath("ceil", {Value::floating(2.1)}).value.toPython(), "3");
  EXPECT_EQ(foldMath("log2", {Value::integer(1024)}).value.toPython(), "10.0");
  EXPECT_FALSE(foldSubscript(Value::tuple({}), Value::integer(0)).error.empty());
  EXPECT_EQ(foldSubscript(Value::string("abc"), Value::integer(-1)).value.toPython(), "c");
}

} // namespace
