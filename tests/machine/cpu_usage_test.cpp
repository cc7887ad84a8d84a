#include "machine/cpu_usage.h"

#include <gtest/gtest.h>

#include <unistd.h>

namespace tune::machine {
namespace {

namespace fs = std::filesystem;

fs::path root(const char* name) {
  return fs::path(SOURCE_DIR) / "tests/machine" / name;
}

std::int64_t tick_ns() {
  return 1'000'000'000 / sysconf(_SC_CLK_TCK);
}

TEST(CpuUsage, CountsOnlyTheAskedCpusAndNeitherIdleNorGuestTime) {
  CpuUsageReader first({0}, root("root_v2"));
  const auto usage = first.read();
  ASSERT_TRUE(usage.has_value());
  EXPECT_EQ(usage->busy_ns, (10 + 1 + 20 + 2 + 3) * tick_ns());
  EXPECT_EQ(usage->steal_ns, 4 * tick_ns());
  CpuUsageReader both({2, 1}, root("root_v2"));
  ASSERT_TRUE(both.read().has_value());
  EXPECT_EQ(both.read()->busy_ns, (25 + 35) * tick_ns());
}

TEST(CpuUsage, IsUnknownWhenACpuOrTheFileIsMissing) {
  EXPECT_FALSE(CpuUsageReader({0, 9}, root("root_v2")).read().has_value());
  EXPECT_FALSE(CpuUsageReader({}, root("root_v2")).read().has_value());
  EXPECT_FALSE(CpuUsageReader({0}, "/no/such/root").read().has_value());
  EXPECT_FALSE(CpuUsageReader({0}, root("root_hostile")).read().has_value());
  EXPECT_FALSE(CpuUsageReader({1}, root("root_hostile")).read().has_value());
}

TEST(CpuUsage, WhatOthersTookIsNeverNegative) {
  const CpuUsage before{1000, 10};
  const CpuUsage after{5000, 30};
  EXPECT_EQ(other_cpu_ns(before, after, 1500), 2500);
  EXPECT_EQ(other_cpu_ns(before, after, 9000), 0);
  EXPECT_EQ(steal_ns(before, after), 20);
  EXPECT_FALSE(other_cpu_ns(std::nullopt, after, 0).has_value());
  EXPECT_FALSE(steal_ns(before, std::nullopt).has_value());
}

}  // namespace
}  // namespace tune::machine
