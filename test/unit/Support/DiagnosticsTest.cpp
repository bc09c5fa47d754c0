// Collecting and rendering diagnostics; the text is compared whole.
#include "lib/Support/Diagnostics.h"

#include <gtest/gtest.h>

namespace tilec {
namespace {

struct DiagnosticsTest : testing::Test {
  SourceManager sources;
  DiagnosticEngine diags{sources};
  FileID file;

  void setText(llvm::StringRef text) { file = sources.addText("k.tile", text); }
  SourceRange range(size_t begin, size_t end) {
    return {sources.getLoc(file, begin), sources.getLoc(file, end)};
  }
  std::string render(RenderOptions options = {}) { return diags.renderToString(options); }
};

llvm::LogicalResult failWith(DiagnosticEngine &diags) { return diags.error() << "no " << 1; }

TEST_F(DiagnosticsTest, AnErrorIsAFailure) {
  EXPECT_TRUE(llvm::failed(failWith(diags)));
  EXPECT_TRUE(diags.hasErrors());
  EXPECT_EQ(render(), "error: no 1\n");
}

TEST_F(DiagnosticsTest, MarksTheRangeOnItsLine) {
  setText("x = 1\ny = load(x)\n");
  diags.error(range(10, 14)) << "cannot load "
                             << "from 'x'";
  EXPECT_EQ(render(), "k.tile:2:5: error: cannot load from 'x'\n"
                      "y = load(x)\n"
                      "    ^~~~\n");
}

TEST_F(DiagnosticsTest, NotesFollowTheirError) {
  setText("a = b\nc = d\n");
  (diags.error(range(4, 5)) << "one").note(range(10, 11)) << "two";
  diags.warning(range(0, 1)) << "three";
  EXPECT_EQ(render(), "k.tile:1:5: error: one\na = b\n    ^\n"
                      "k.tile:2:5: note: two\nc = d\n    ^\n"
                      "k.tile:1:1: warning: three\na = b\n^\n");
}

TEST_F(DiagnosticsTest, AListenerIsToldAtOnceOfWhatIsKept) {
  std::string told;
  diags.setErrorLimit(1);
  diags.setListener([&](const Diagnostic &diagnostic) { told += diagnostic.message + ";"; });
  (diags.warning() << "one").note() << "of it";
  EXPECT_EQ(told, "one;");
  diags.error() << "two";
  diags.error() << "beyond the limit";
  EXPECT_EQ(told, "one;two;");
  EXPECT_EQ(render(), "warning: one\nnote: of it\nerror: two\n"
                      "too many errors emitted, stopping now\n");
  std::string limits;
  llvm::raw_string_ostream os(limits);
  diags.renderLimits(os);
  EXPECT_EQ(limits, "too many errors emitted, stopping now\n");
}

TEST_F(DiagnosticsTest, LongTextsLoseTheirMiddle) {
  diags.error() << std::string(8192, 'a');
  diags.error() << "b" + std::string(99999, 'c') + "d";
  // A cut never halves a character.
  diags.error().note() << "e" + std::string([] {
                            std::string text;
                            for (int i = 0; i < 10000; ++i)
                              text += "\u00e9";
                            return text;
                          }());
  llvm::ArrayRef<Diagnostic> all = diags.getDiagnostics();
  EXPECT_EQ(all[0].message.size(), 8192u);
  EXPECT_EQ(all[1].message, "b" + std::string(4095, 'c') + " [... 94881 bytes ...] " +
                                std::string(1023, 'c') + "d");
  const std::string &note = all[2].notes[0].message;
  EXPECT_EQ(note.substr(4091, 10), "\u00e9\u00e9 [... ");
  EXPECT_EQ(note.substr(note.find(" ...] "), 8), " ...] \u00e9");
}

TEST_F(DiagnosticsTest, NoteTextGoesToTheNoteBegunLast) {
  auto builder = diags.error();
  builder << "message";
  builder.note() << "first";
  builder.note() << "second" << 2;
  diags.report([] {
    Diagnostic remark;
    remark.severity = Severity::Remark;
    remark.message = "before";
    return remark;
  }());
  EXPECT_EQ(render(), "remark: before\n");
  { auto finished = std::move(builder); }
  EXPECT_EQ(render(), "remark: before\nerror: message\nnote: first\nnote: second2\n");
}

TEST_F(DiagnosticsTest, ARangeOverLinesIsMarkedToTheEndOfItsFirst) {
  setText("f(a,\n  b)\n");
  diags.error(range(0, 9)) << "m";
  EXPECT_EQ(render(), "k.tile:1:1: error: m\nf(a,\n^~~~\n");
}

TEST_F(DiagnosticsTest, APointBehindTheLineHasACaret) {
  setText("if x\n");
  diags.error(range(4, 4)) << "m";
  EXPECT_EQ(render(), "k.tile:1:5: error: m\nif x\n    ^\n");
  setText("");
  DiagnosticEngine other(sources);
  other.error(SourceRange(sources.getLoc(file, 0))) << "empty";
  EXPECT_EQ(other.renderToString(), "k.tile:1:1: error: empty\n\n^\n");
}

TEST_F(DiagnosticsTest, TabsAndWideCharactersKeepTheCaretInPlace) {
  setText("\tx\xE4\xB8\xAD\xE4\xB8\xAD = y\n");
  diags.error(range(5, 8)) << "m";
  EXPECT_EQ(render(), "k.tile:1:4: error: m\n    x\xE4\xB8\xAD\xE4\xB8\xAD = y\n       ^~\n");
}

TEST_F(DiagnosticsTest, BytesThatCannotBeShownAreNamed) {
  setText("a\x01\xFF\xE2\x80\xAE+\n");
  diags.error(range(6, 7)) << "m";
  EXPECT_EQ(render(), "k.tile:1:5: error: m\na<01><FF><U+202E>+\n                 ^\n");
}

TEST_F(DiagnosticsTest, LongLinesAreCutAroundTheCaret) {
  setText(std::string(300, 'a') + "bcd" + std::string(300, 'e') + "\n");
  diags.error(range(300, 303)) << "m";
  RenderOptions options;
  options.maxColumns = 30;
  EXPECT_EQ(render(options), "k.tile:1:301: error: m\n..." + std::string(10, 'a') + "bcd" +
                                 std::string(17, 'e') + "...\n" + std::string(13, ' ') + "^~~\n");
  options.maxColumns = 0;
  EXPECT_NE(render(options).find(std::string(300, 'a') + "bcd" + std::string(300, 'e')),
            std::string::npos);
}

TEST_F(DiagnosticsTest, StopsAtTheLimit) {
  diags.setErrorLimit(2);
  diags.error() << "1";
  diags.warning() << "w";
  diags.error() << "2";
  EXPECT_FALSE(diags.isErrorLimitReached());
  diags.error().note() << "dropped with its error";
  EXPECT_TRUE(diags.isErrorLimitReached());
  diags.warning() << "dropped";
  EXPECT_EQ(diags.getErrorCount(), 2u);
  EXPECT_EQ(render(), "error: 1\nwarning: w\nerror: 2\ntoo many errors emitted, stopping now\n");
}

TEST_F(DiagnosticsTest, TheLimitIsTwentyUnlessSet) {
  for (int i = 0; i < 25; ++i)
    diags.error() << i;
  EXPECT_EQ(diags.getErrorCount(), 20u);
  DiagnosticEngine unlimited(sources, 0);
  for (int i = 0; i < 25; ++i)
    unlimited.error() << i;
  EXPECT_EQ(unlimited.getErrorCount(), 25u);
}

TEST_F(DiagnosticsTest, CountsTheWarningsItDoesNotKeep) {
  for (unsigned i = 0; i < DiagnosticEngine::kWarningLimit + 3; ++i)
    diags.warning() << "w";
  EXPECT_EQ(diags.getDiagnostics().size(), DiagnosticEngine::kWarningLimit);
  EXPECT_TRUE(llvm::StringRef(render()).ends_with("warning: w\n3 more warnings are not shown\n"));
}

TEST_F(DiagnosticsTest, ColorsOnlyOnDemand) {
  setText("x\n");
  diags.error(range(0, 1)) << "m";
  RenderOptions options;
  options.color = ColorMode::Auto; // A string is no terminal.
  EXPECT_EQ(render(options).find('\x1b'), std::string::npos);
  options.color = ColorMode::Always;
  EXPECT_EQ(render(options),
            "\x1b[1mk.tile:1:1: \x1b[0m\x1b[1;31merror: \x1b[0m\x1b[1mm\x1b[0m\nx\n"
            "\x1b[1;32m^\x1b[0m\n");
}

} // namespace
} // namespace tilec
