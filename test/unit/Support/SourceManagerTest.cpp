// Positions, lines and columns.
#include "lib/Support/SourceManager.h"

#include <gtest/gtest.h>

namespace tilec {
namespace {

TEST(SourceManager, DefaultsAreInvalid) {
  SourceManager sources;
  EXPECT_FALSE(FileID().isValid());
  EXPECT_FALSE(SourceLoc().isValid());
  EXPECT_FALSE(sources.getFile(SourceLoc()).isValid());
  EXPECT_EQ(sources.getLineColumn(SourceLoc()).line, 0u);
  EXPECT_EQ(sources.getText(SourceRange()), "");
}

TEST(SourceManager, PositionsKnowTheirFile) {
  SourceManager sources;
  FileID a = sources.addText("a.tile", "one");
  FileID empty = sources.addText("empty.tile", "");
  FileID b = sources.addText("b.tile", "two\nthree");
  EXPECT_EQ(sources.getName(b), "b.tile");
  for (FileID file : {a, empty, b})
    for (size_t i = 0; i <= sources.getText(file).size(); ++i) {
      SourceLoc loc = sources.getLoc(file, i);
      EXPECT_TRUE(loc.isValid());
      EXPECT_EQ(sources.getFile(loc), file);
      EXPECT_EQ(sources.getOffset(loc), i);
    }
  EXPECT_EQ(sources.getText({sources.getLoc(b, 4), sources.getLoc(b, 9)}), "three");
}

TEST(SourceManager, LinesEndWithAnyOfTheThreeEnds) {
  SourceManager sources;
  FileID file = sources.addText("f", "a\nbb\r\nccc\rdddd\n");
  EXPECT_EQ(sources.getLine(file, 1), "a");
  EXPECT_EQ(sources.getLine(file, 2), "bb");
  EXPECT_EQ(sources.getLine(file, 3), "ccc");
  EXPECT_EQ(sources.getLine(file, 4), "dddd");
  EXPECT_EQ(sources.getLine(file, 5), "");
  EXPECT_TRUE(sources.getLineStart(file, 5).isValid());
  EXPECT_FALSE(sources.getLineStart(file, 6).isValid());
  EXPECT_FALSE(sources.getLineStart(file, 0).isValid());
  LineColumn place = sources.getLineColumn(sources.getLoc(file, 12));
  EXPECT_EQ(place.line, 4u);
  EXPECT_EQ(place.column, 3u);
}

TEST(SourceManager, ColumnsCountCodePoints) {
  SourceManager sources;
  FileID file = sources.addText("f", "\xC3\xA9\xE4\xB8\xAD\xF0\x9F\x98\x80x\xFFy");
  auto column = [&](size_t offset) {
    return sources.getLineColumn(sources.getLoc(file, offset)).column;
  };
  EXPECT_EQ(column(0), 1u);
  EXPECT_EQ(column(2), 2u);
  EXPECT_EQ(column(5), 3u);
  EXPECT_EQ(column(9), 4u);
  EXPECT_EQ(column(10), 5u); // The byte that is no UTF-8.
  EXPECT_EQ(column(11), 6u);
}

TEST(SourceManager, ColumnsOfALongLine) {
  // Places are counted from marks in the text: each must agree with counting from the beginning,
  // and together they must not take quadratic time.
  std::string text = "\xC3\xA9\n";
  for (unsigned i = 0; i < 100000; ++i)
    text += i % 3 ? "x" : "\xE4\xB8\xAD";
  SourceManager sources;
  FileID file = sources.addText("f", text);
  unsigned column = 1;
  for (size_t offset = 3; offset < text.size(); ++column) {
    LineColumn place = sources.getLineColumn(sources.getLoc(file, offset));
    ASSERT_EQ(place.line, 2u);
    ASSERT_EQ(place.column, column);
    offset += text[offset] == 'x' ? 1 : 3;
  }
  EXPECT_EQ(sources.getLineColumn(sources.getLoc(file, text.size())).column, 100001u);
}

TEST(SourceManager, MissingFileIsAnError) {
  SourceManager sources;
  auto file = sources.addFile("/nowhere/at/all.tile");
  EXPECT_FALSE(file);
  EXPECT_EQ(file.getError(), std::errc::no_such_file_or_directory);
}

} // namespace
} // namespace tilec
