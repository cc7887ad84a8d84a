#include "trace/decimal_time.h"

#include <gtest/gtest.h>

#include <limits>

namespace tune::profile {
namespace {

std::int64_t ns(std::string_view text) {
  const DecimalTime time = microseconds_to_ns(text);
  EXPECT_FALSE(time.error.has_value()) << text;
  return time.ns;
}

TEST(DecimalTime, KeepsEveryDigitOfAllThreeGenerations) {
  EXPECT_EQ(ns("1623142623460111"), 1623142623460111000);
  EXPECT_EQ(ns("1719853884123456.789"), 1719853884123456789);  // a double has no room for it
  EXPECT_EQ(ns("4397826070101.238"), 4397826070101238);
  EXPECT_EQ(ns("-0.001"), -1);
  EXPECT_EQ(ns("0"), 0);
  EXPECT_EQ(ns("000.5"), 500);
}

TEST(DecimalTime, RoundsHalvesAwayFromZero) {
  EXPECT_EQ(ns("1500.0005"), 1500001);
  EXPECT_EQ(ns("1500.00049999"), 1500000);
  EXPECT_EQ(ns("0.0005"), 1);
  EXPECT_EQ(ns("-0.0005"), -1);
  EXPECT_EQ(ns("0.00049"), 0);
  EXPECT_EQ(ns("9.9999"), 10000);
}

TEST(DecimalTime, TakesExponents) {
  EXPECT_EQ(ns("1.694039968955744e15"), 1694039968955744000);
  EXPECT_EQ(ns("2E3"), 2000000);
  EXPECT_EQ(ns("15e-4"), 2);
  EXPECT_EQ(ns("1e-400"), 0);
  EXPECT_EQ(ns("0e400"), 0);
}

TEST(DecimalTime, KnowsWhatDoesNotFit) {
  EXPECT_EQ(ns("9223372036854775.807"), std::numeric_limits<std::int64_t>::max());
  for (const char* const text : {"9223372036854775.808", "1e30", "99999999999999999999", "-1e17"}) {
    EXPECT_EQ(microseconds_to_ns(text).error, DecimalError::out_of_range) << text;
  }
}

TEST(DecimalTime, KnowsWhatIsNoNumber) {
  for (const char* const text :
       {"", "-", ".", "nan", "inf", "N/A", "1.2.3", "1e", "1e+", "0x10", "1 "}) {
    EXPECT_EQ(microseconds_to_ns(text).error, DecimalError::not_a_number) << text;
  }
}

}  // namespace
}  // namespace tune::profile
