// Python's formats of compile-time values; what is expected was printed by Python.
#include "lib/Frontend/MLIRGen/Format.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace tilec;
using namespace tilec::frontend;

namespace {

std::string textOf(const Folded &folded) {
  return folded.error.empty() ? folded.value.getText().str() : "error: " + folded.error;
}

TEST(Format, SpecificationsR40) {
  struct {
    Value value;
    const char *spec, *expected;
  } table[] = {{Value::integer(5), ">6", "     5"},
               {Value::integer(5), "05d", "00005"},
               {Value::integer(5), "+d", "+5"},
               {Value::integer(5), "#x", "0x5"},
               {Value::integer(5), "_", "5"},
               {Value::integer(5), ".2%", "500.00%"},
               {Value::integer(5), "d", "5"},
               {Value::integer(5), " .1f", " 5.0"},
               {Value::integer(5), "o", "5"},
               {Value::integer(-1234567), "+d", "-1234567"},
               {Value::integer(-1234567), "#b", "-0b100101101011010000111"},
               {Value::integer(-1234567), "8.2e", "-1.23e+06"},
               {Value::integer(-1234567), "g", "-1.23457e+06"},
               {Value::integer(-1234567), ".2%", "-123456700.00%"},
               {Value::integer(-1234567), "010.3f", "-1234567.000"},
               {Value::integer(-1234567), "+.0f", "-1234567"},
               {Value::integer(-1234567), "_^+11_.2f", "-1_234_567.00"},
               {Value::boolean(true), ">6", "     1"},
               {Value::boolean(true), "+d", "+1"},
               {Value::boolean(true), "#x", "0x1"},
               {Value::boolean(true), ",", "1"},
               {Value::boolean(true), "_", "1"},
               {Value::boolean(true), ".3f", "1.000"},
               {Value::boolean(true), "8.2e", "1.00e+00"},
               {Value::boolean(true), "g", "1"},
               {Value::boolean(true), "^5", "  1  "},
               {Value::boolean(true), "010.3f", "000001.000"},
               {Value::boolean(true), "x=+9,", "+xxxxxxx1"},
               {Value::boolean(true), "c", ""},
               {Value::boolean(true), "+.0f", "+1"},
               {Value::floating(3.14159), "", "3.14159"},
               {Value::floating(3.14159), ".3f", "3.142"},
               {Value::floating(3.14159), "8.2e", "3.14e+00"},
               {Value::floating(3.14159), "g", "3.14159"},
               {Value::floating(3.14159), ".2%", "314.16%"},
               {Value::floating(3.14159), " .1f", " 3.1"},
               {Value::floating(3.14159), ".3", "3.14"},
               {Value::floating(-0.0), "", "-0.0"},
               {Value::floating(-0.0), ">6", "  -0.0"},
               {Value::floating(-0.0), "8.2e", "-0.00e+00"},
               {Value::floating(-0.0), "g", "-0"},
               {Value::floating(-0.0), ".2%", "-0.00%"},
               {Value::floating(-0.0), "<4", "-0.0"},
               {Value::floating(-0.0), " .1f", "-0.0"},
               {Value::floating(-0.0), "x=+9,", "-xxxxx0.0"},
               {Value::floating(-0.0), "+.0f", "-0"},
               {Value::floating(-0.0), "_^+11_.2f", "___-0.00___"},
               {Value::floating(1e20), "", "1e+20"},
               {Value::floating(1e20), ",", "1e+20"},
               {Value::floating(1e20), "8.2e", "1.00e+20"},
               {Value::floating(1e20), ".2%", "10000000000000000000000.00%"},
               {Value::floating(1e20), ".3", "1e+20"},
               {Value::floating(1e20), "x=+9,", "+xxx1e+20"},
               {Value::floating(1e20), "+.0f", "+100000000000000000000"},
               {Value::string("ab"), ">6", "    ab"},
               {Value::string("ab"), "*^7", "**ab***"},
               {Value::string("ab"), "^5", " ab  "},
               {Value::none(), "", "None"},
               {Value::floating(HUGE_VAL), "", "inf"},
               {Value::floating(HUGE_VAL), "*^7", "**inf**"},
               {Value::floating(HUGE_VAL), ",", "inf"},
               {Value::floating(HUGE_VAL), "8.2e", "     inf"},
               {Value::floating(HUGE_VAL), "g", "inf"},
               {Value::floating(HUGE_VAL), "<4", "inf "},
               {Value::floating(HUGE_VAL), "^5", " inf "},
               {Value::floating(HUGE_VAL), "010.3f", "0000000inf"},
               {Value::floating(HUGE_VAL), " .1f", " inf"},
               {Value::floating(HUGE_VAL), ".3", "inf"},
               {Value::floating(HUGE_VAL), "x=+9,", "+xxxxxinf"},
               {Value::floating(HUGE_VAL), "_^+11_.2f", "___+inf____"}};
  for (auto &row : table)
    EXPECT_EQ(textOf(formatValue(row.value, row.spec)), row.expected)
        << row.value.describe() << " as '" << row.spec << "'";
}

TEST(Format, PercentR40) {
  auto integer = [](Int value) { return Value::integer(value); };
  Value a = Value::string("a");
  EXPECT_EQ(textOf(formatPercent("%d|%5d|%-5d|%05d",
                                 Value::tuple({integer(7), integer(7), integer(7), integer(7)}))),
            "7|    7|7    |00007");
  EXPECT_EQ(textOf(formatPercent("%s %r %5s|%-5s|", Value::tuple({a, a, a, a}))),
            "a 'a'     a|a    |");
  EXPECT_EQ(textOf(formatPercent("%x %X %o %#x", Value::tuple({integer(255), integer(255),
                                                               integer(8), integer(255)}))),
            "ff FF 10 0xff");
  EXPECT_EQ(textOf(formatPercent("%.2f %8.3e %g %G",
                                 Value::tuple({Value::floating(1.5), Value::floating(1234.5),
                                               Value::floating(0.0001), Value::floating(1e20)}))),
            "1.50 1.234e+03 0.0001 1E+20");
  EXPECT_EQ(textOf(formatPercent("%+d % d %i %d", Value::tuple({integer(3), integer(3), integer(-3),
                                                                Value::floating(3.9)}))),
            "+3  3 -3 3");
  EXPECT_EQ(textOf(formatPercent("%c%%", integer(65))), "A%");
  EXPECT_EQ(textOf(formatPercent("%(n)d", Value::dict({Value::string("n"), integer(4)}))), "4");
  EXPECT_EQ(textOf(formatPercent("%d %d", integer(4))), "error: '%' has too few values");
  EXPECT_EQ(textOf(formatPercent("%d", Value::tuple({integer(4), integer(5)}))),
            "error: '%' does not use all of its values");
  EXPECT_EQ(textOf(formatPercent("%d", a)), "error: the format 'd' does not take the string 'a'");
}

TEST(Format, FieldsR40) {
  auto find = [](llvm::StringRef name) -> Folded {
    return name == "w" ? Folded(Value::integer(6)) : Folded(Value::string("<" + name.str() + ">"));
  };
  EXPECT_EQ(textOf(formatText("{a}{{{b!r}}}{c:{w}}|", find)), "<a>{'<b>'}<c>   |");
  EXPECT_EQ(textOf(formatText("a } b", find)), "error: a single '}' in the text of 'format'");
  EXPECT_EQ(textOf(formatText("a {b", find)), "error: a single '{' in the text of 'format'");
}

TEST(Format, SlicesR40) {
  Value text = Value::string("abcd\xC3\xA9"), none = Value::none();
  auto slice = [&](Value start, Value stop, Value step) {
    return textOf(foldSlice(text, start, stop, step));
  };
  auto at = [](Int value) { return Value::integer(value); };
  EXPECT_EQ(slice(at(1), at(3), none), "bc");
  EXPECT_EQ(slice(none, none, at(-1)), "\xC3\xA9"
                                       "dcba");
  EXPECT_EQ(slice(at(-2), none, none), "d\xC3\xA9");
  EXPECT_EQ(slice(at(10), at(-10), at(-2)), "\xC3\xA9"
                                            "ca");
  EXPECT_EQ(slice(at(3), at(1), none), "");
  EXPECT_EQ(slice(at(-9), at(9), at(4)), "a\xC3\xA9");
}

} // namespace
