// The parser of command lines, and the help against the tables.

#include "lib/Driver/Tools.h"

#include "gtest/gtest.h"

using namespace tilec;

namespace {

constexpr OptionSpec kTable[] = {
    {"emit", OptionSpec::Value}, {"o", OptionSpec::Value}, {"D", OptionSpec::List},
    {"time", OptionSpec::Flag},  {"g", OptionSpec::Flag},  {"num-warps", OptionSpec::Value},
    {"num", OptionSpec::Value},
};

llvm::Expected<CommandLine> parse(std::vector<const char *> args) {
  // The result refers to the words, which are literals.
  return CommandLine::parse(kTable, args);
}

std::string getError(std::vector<const char *> args) {
  auto line = parse(std::move(args));
  return line ? "" : toString(line.takeError());
}

TEST(CommandLineTest, Spellings) {
  CommandLine line = llvm::cantFail(
      parse({"in.tile", "--emit=ast", "-o", "out", "-DA=1", "-D", "B=2", "-g", "-"}));
  EXPECT_EQ(line.get("emit"), llvm::StringRef("ast"));
  EXPECT_EQ(line.get("o"), llvm::StringRef("out"));
  EXPECT_EQ(line.getAll("D"), (std::vector<std::string>{"A=1", "B=2"}));
  EXPECT_TRUE(line.has("g"));
  EXPECT_FALSE(line.has("time"));
  EXPECT_EQ(line.getPositional(), (llvm::ArrayRef<llvm::StringRef>{"in.tile", "-"}));
}

TEST(CommandLineTest, LastValueCounts) {
  CommandLine line = llvm::cantFail(parse({"--emit=ast", "--emit", "ptx", "-oa", "-o", "b"}));
  EXPECT_EQ(line.get("emit"), llvm::StringRef("ptx"));
  EXPECT_EQ(line.get("o"), llvm::StringRef("b"));
}

TEST(CommandLineTest, ValuesMayLookLikeOptions) {
  CommandLine line = llvm::cantFail(parse({"-D", "-x=-1", "--emit=", "--num", "-5"}));
  EXPECT_EQ(line.getAll("D"), (std::vector<std::string>{"-x=-1"}));
  EXPECT_EQ(line.get("emit"), llvm::StringRef(""));
  EXPECT_EQ(line.get("num"), llvm::StringRef("-5"));
}

TEST(CommandLineTest, OptionsEnd) {
  CommandLine line = llvm::cantFail(parse({"--", "--emit", "-g"}));
  EXPECT_EQ(line.getPositional().size(), 2u);
  EXPECT_FALSE(line.has("g"));
}

TEST(CommandLineTest, OneNameMayBeginAnother) {
  CommandLine line = llvm::cantFail(parse({"--num-warps=4", "--num=3"}));
  EXPECT_EQ(line.get("num-warps"), llvm::StringRef("4"));
  EXPECT_EQ(line.get("num"), llvm::StringRef("3"));
}

TEST(CommandLineTest, Errors) {
  EXPECT_EQ(getError({"--emti=x"}), "unknown option '--emti'; did you mean '--emit'?");
  EXPECT_EQ(getError({"--nonsense"}), "unknown option '--nonsense'; --help lists the options");
  EXPECT_EQ(getError({"-z"}), "unknown option '-z'; --help lists the options");
  EXPECT_EQ(getError({"-gx"}), "unknown option '-gx'; --help lists the options");
  EXPECT_EQ(getError({"--emit"}), "'--emit' needs a value");
  EXPECT_EQ(getError({"-o"}), "'-o' needs a value");
  EXPECT_EQ(getError({"--time=1"}), "'--time' takes no value");
}

TEST(CommandLineTest, Numbers) {
  CommandLine line = llvm::cantFail(parse({"--num=12", "--emit=x", "-o", "-3"}));
  EXPECT_EQ(*llvm::cantFail(line.getNumber("num", 1, 12)), 12u);
  EXPECT_FALSE(llvm::cantFail(line.getNumber("num-warps", 1, 12)).has_value());
  for (const char *name : {"emit", "o"}) {
    auto number = line.getNumber(name, 0, 99);
    EXPECT_FALSE(bool(number));
    llvm::consumeError(number.takeError());
  }
  auto low = line.getNumber("num", 13, 20);
  ASSERT_FALSE(bool(low));
  EXPECT_EQ(toString(low.takeError()),
            "'12' is no value of '--num'; it takes a number from 13 to 20");
}

TEST(CommandLineTest, Pairs) {
  CommandLine line = llvm::cantFail(parse({"-D", "A=1=2", "-D", "B="}));
  auto pairs = llvm::cantFail(line.getPairs("D"));
  ASSERT_EQ(pairs.size(), 2u);
  EXPECT_EQ(pairs[0], (std::pair<std::string, std::string>{"A", "1=2"}));
  EXPECT_EQ(pairs[1], (std::pair<std::string, std::string>{"B", ""}));
  for (const char *bad : {"A", "=1", ""}) {
    CommandLine line = llvm::cantFail(parse({"-D", bad}));
    auto pairs = line.getPairs("D");
    EXPECT_FALSE(bool(pairs)) << bad;
    llvm::consumeError(pairs.takeError());
  }
}

} // namespace
