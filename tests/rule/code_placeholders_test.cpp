#include "rule/code_placeholders.h"

#include <gtest/gtest.h>

namespace tune::rule {
namespace {

TEST(CodePlaceholders, AreNamesInBraces) {
  const auto found = placeholders_in("f({batch_size}, workers={num_workers})");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].begin, 2U);
  EXPECT_EQ(found[0].size, 12U);
  EXPECT_EQ(found[0].knob, "batch_size");
  EXPECT_EQ(found[1].knob, "num_workers");
}

TEST(CodePlaceholders, AreNoOtherBraces) {
  for (const char* const code : {"{}",
                                 "{ x }",
                                 "{0, 1}",
                                 "{X}",
                                 "{1x}",
                                 "{a.b}",
                                 "if (x) {return;}",
                                 "{batch_size",
                                 "{",
                                 ""}) {
    EXPECT_TRUE(placeholders_in(code).empty()) << code;
  }
  EXPECT_EQ(placeholders_in("{{a}}").size(), 1U);
}

}  // namespace
}  // namespace tune::rule
