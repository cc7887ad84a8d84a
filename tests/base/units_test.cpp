#include "base/units.h"

#include <gtest/gtest.h>

#include <cmath>

namespace {

TEST(Units, ReadsTimes) {
  EXPECT_EQ(tune::parse_time_ns("120s"), 120'000'000'000);
  EXPECT_EQ(tune::parse_time_ns("1.5h"), 5'400'000'000'000);
  EXPECT_EQ(tune::parse_time_ns("10m"), tune::parse_time_ns("600 s"));
  EXPECT_EQ(tune::parse_time_ns("7m30s"), 450'000'000'000);
  EXPECT_EQ(tune::parse_time_ns("1h 05m"), 3'900'000'000'000);
  EXPECT_EQ(tune::parse_time_ns("0s"), 0);
  EXPECT_EQ(tune::parse_time_ns("0h30m"), tune::parse_time_ns("30min"));
}

TEST(Units, ReadsSizesAndRatios) {
  EXPECT_EQ(tune::parse_bytes("4GiB"), std::int64_t{4} << 30);
  EXPECT_EQ(tune::parse_bytes("900KB"), 900'000);
  EXPECT_DOUBLE_EQ(*tune::parse_ratio("90%"), 0.9);
  EXPECT_DOUBLE_EQ(*tune::parse_ratio("0.25"), 0.25);
}

TEST(Units, RefusesWhatIsNotOne) {
  for (const char* text : {"",
                           "s",
                           "10",
                           "-1s",
                           "1e300s",
                           "nans",
                           "infs",
                           "10 parsecs",
                           "0x10s",
                           "7m30",
                           "30s7m",
                           "7m m",
                           "7m, 30s",
                           "1h-5m"}) {
    EXPECT_FALSE(tune::parse_time_ns(text)) << text;
  }
  EXPECT_FALSE(tune::parse_bytes("10000000000GiB"));
  EXPECT_FALSE(tune::parse_ratio("5 percent"));
}

TEST(Units, AreWrittenForPeople) {
  EXPECT_EQ(tune::format_time(93'000'000'000), "1m33s");
  EXPECT_EQ(tune::format_time(59'990'000'000), "1m00s");
  EXPECT_EQ(tune::format_time(4'200'000), "4.2ms");
  EXPECT_EQ(tune::format_time(1'540'000'000), "1.54s");
  EXPECT_EQ(tune::format_time(12'340'000'000), "12.3s");
  EXPECT_EQ(tune::format_time(5'000'000'000), "5s");
  EXPECT_EQ(tune::format_time(0), "0s");
  EXPECT_EQ(tune::format_time(3'660'000'000'000), "1h01m");
  EXPECT_EQ(tune::format_seconds(1.54), "1.54s");
  EXPECT_EQ(tune::format_seconds(-3), "0s");
  EXPECT_EQ(tune::format_seconds(std::nan("")), "0s");
  EXPECT_EQ(tune::format_seconds(1e300), "277777h46m");
  EXPECT_EQ(tune::format_bytes(1'288'490'189), "1.20 GiB");
  EXPECT_EQ(tune::format_bytes(340LL << 20), "340 MiB");
}

}  // namespace
