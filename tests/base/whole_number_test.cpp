#include "base/whole_number.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <optional>

namespace tune {

namespace {

TEST(WholeNumber, IsTheWholeText) {
  EXPECT_EQ(parse_whole("0"), 0);
  EXPECT_EQ(parse_whole("-12"), -12);
  EXPECT_EQ(parse_whole("9223372036854775807"), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(parse_whole<std::uint64_t>("18446744073709551615"),
            std::numeric_limits<std::uint64_t>::max());
  for (const char* const text :
       {"", " 1", "1 ", "+1", "1.0", "1e3", "0x10", "9223372036854775808", "one"}) {
    EXPECT_EQ(parse_whole(text), std::nullopt) << text;
  }
  EXPECT_EQ(parse_whole<std::uint64_t>("-1"), std::nullopt);
}

}  // namespace

}  // namespace tune

namespace {

TEST(SaturatedSum, StopsAtWhatInt64Has) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  EXPECT_EQ(tune::saturated_sum(2, -5), -3);
  EXPECT_EQ(tune::saturated_sum(kMost, kLeast), -1);
  EXPECT_EQ(tune::saturated_sum(kMost - 1, 1), kMost);
  EXPECT_EQ(tune::saturated_sum(kMost, 1), kMost);
  EXPECT_EQ(tune::saturated_sum(kLeast, -1), -kMost) << "the least number means unknown";
}

}  // namespace
