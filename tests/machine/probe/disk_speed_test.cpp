#include "machine/probe/disk_speed.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <limits>
#include <unistd.h>

namespace tune::probe {
namespace {

namespace fs = std::filesystem;

constexpr Effort kQuick{.is_quick = true, .deadline_ns = std::numeric_limits<std::int64_t>::max()};

TEST(DiskSpeed, MeasuresOrSaysWhyNotAndLeavesNothingBehind) {
  const fs::path folder = fs::path(testing::TempDir()) / ("tune-disk-" + std::to_string(getpid()));
  fs::create_directories(folder);
  const auto numbers = disk_speed(folder, kQuick);
  ASSERT_EQ(numbers.size(), 2U);
  for (const Number& number : numbers) {
    EXPECT_EQ(number.id, "disk_read_rate");
    EXPECT_NE(number.value.has_value(), !number.reason.empty()) << number.reason;
  }
  EXPECT_TRUE(fs::is_empty(folder));
  fs::remove_all(folder);
}

TEST(DiskSpeed, NamesAFolderThatCannotBeUsed) {
  const auto numbers = disk_speed("/no/such/folder", kQuick);
  ASSERT_EQ(numbers.size(), 2U);
  EXPECT_EQ(numbers[0].reason, "/no/such/folder: no file can be made: No such file or directory");
  EXPECT_EQ(numbers[1].label, "128 KiB anywhere");
  EXPECT_EQ(disk_speed("/no/such/folder", {.is_quick = true})[0].reason,
            "the probe ran out of time");
}

}  // namespace
}  // namespace tune::probe
