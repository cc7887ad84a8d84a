#include "base/unified_diff.h"

#include <gtest/gtest.h>

namespace {

using tune::unified_diff;

TEST(UnifiedDiff, OfEqualTextsIsEmpty) {
  EXPECT_EQ(unified_diff("a\nb\n", "a\nb\n", "x"), "");
  EXPECT_EQ(unified_diff("", "", "x"), "");
}

TEST(UnifiedDiff, ShowsThreeLinesAroundAChange) {
  EXPECT_EQ(unified_diff("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n", "f.yaml"),
            "--- f.yaml\n"
            "+++ f.yaml\n"
            "@@ -2,7 +2,7 @@\n"
            " 2\n"
            " 3\n"
            " 4\n"
            "-5\n"
            "+five\n"
            " 6\n"
            " 7\n"
            " 8\n");
}

TEST(UnifiedDiff, CountsLinesThatAreAdded) {
  EXPECT_EQ(unified_diff("a\nb\n", "a\nnew\nb\n", "x"),
            "--- x\n+++ x\n@@ -1,2 +1,3 @@\n a\n+new\n b\n");
  EXPECT_EQ(unified_diff("", "a\n", "x"), "--- x\n+++ x\n@@ -0,0 +1 @@\n+a\n");
  EXPECT_EQ(unified_diff("a\n", "", "x"), "--- x\n+++ x\n@@ -1 +0,0 @@\n-a\n");
}

TEST(UnifiedDiff, KeepsLineEndsAndSaysWhereTheLastOneIsMissing) {
  EXPECT_EQ(unified_diff("a\r\nb\r\n", "a\r\nc\r\n", "x"),
            "--- x\n+++ x\n@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r\n");
  EXPECT_EQ(unified_diff("a\nb", "a\nb\nc", "x"),
            "--- x\n+++ x\n@@ -1,2 +1,3 @@\n a\n-b\n\\ No newline at end of file\n+b\n+c\n"
            "\\ No newline at end of file\n");
}

TEST(UnifiedDiff, SplitsChangesThatAreFarApart) {
  const std::string before = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n";
  EXPECT_EQ(unified_diff(before, "one\n2\n3\n4\n5\n6\n7\n8\n9\n10\neleven\n", "x"),
            "--- x\n+++ x\n"
            "@@ -1,4 +1,4 @@\n-1\n+one\n 2\n 3\n 4\n"
            "@@ -8,4 +8,4 @@\n 8\n 9\n 10\n-11\n+eleven\n");
  EXPECT_EQ(unified_diff("1\n2\n3\n4\n5\n6\n7\n8\n", "one\n2\n3\n4\n5\n6\n7\neight\n", "x"),
            "--- x\n+++ x\n"
            "@@ -1,8 +1,8 @@\n-1\n+one\n 2\n 3\n 4\n 5\n 6\n 7\n-8\n+eight\n");
}

TEST(UnifiedDiff, KeepsWhatStandsBetweenTwoChanges) {
  EXPECT_EQ(unified_diff("a\nkeep\nb\n", "A\nkeep\nB\n", "x"),
            "--- x\n+++ x\n@@ -1,3 +1,3 @@\n-a\n+A\n keep\n-b\n+B\n");
}

TEST(UnifiedDiff, OfLargeTextsTakesNoTable) {
  std::string before;
  std::string after;
  for (int i = 0; i < 5000; ++i) {
    before += "a" + std::to_string(i) + "\n";
    after += "b" + std::to_string(i) + "\n";
  }
  const std::string diff = unified_diff(before, after, "x");
  EXPECT_TRUE(diff.starts_with("--- x\n+++ x\n@@ -1,5000 +1,5000 @@\n-a0\n")) << diff.substr(0, 99);
  EXPECT_TRUE(diff.ends_with("+b4999\n"));
}

}  // namespace
