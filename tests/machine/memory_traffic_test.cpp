#include "machine/memory_traffic.h"

#include "changing_root.h"

namespace tune::machine {
namespace {

using MemoryTrafficTest = ChangingRoot;

TEST_F(MemoryTrafficTest, TellsWhatIsFreeNow) {
  write("proc/meminfo", "MemTotal:  2000 kB\nMemFree: 5 kB\nMemAvailable:     1234 kB\n");
  AvailableMemoryReader reader(root_);
  EXPECT_EQ(reader.read_bytes(), 1234 * 1024);
  write("proc/meminfo", "MemAvailable: 1 kB\n");
  EXPECT_EQ(reader.read_bytes(), 1024);
}

TEST_F(MemoryTrafficTest, CountsSwapInBytes) {
  write("proc/vmstat", "nr_free_pages 5\nxpswpin 9\npswpin 3\npswpout 40\n");
  SwapTrafficReader reader(root_);
  const auto traffic = reader.read();
  ASSERT_TRUE(traffic.has_value());
  EXPECT_EQ(traffic->in_bytes, 3 * sysconf(_SC_PAGESIZE));
  EXPECT_EQ(traffic->out_bytes, 40 * sysconf(_SC_PAGESIZE));
}

TEST_F(MemoryTrafficTest, SaysNothingWhereTheFilesDoNot) {
  AvailableMemoryReader missing(root_);
  EXPECT_FALSE(missing.read_bytes().has_value());
  EXPECT_NE(missing.problem(), "");
  for (const char* const text : {"MemTotal: 5 kB\n",
                                 "MemAvailable:\n",
                                 "MemAvailable: x kB\n",
                                 "MemAvailable: -5 kB\n",
                                 "MemAvailable: 999999999999999999 kB\n"}) {
    write("proc/meminfo", text);
    EXPECT_FALSE(AvailableMemoryReader(root_).read_bytes().has_value()) << text;
  }
  write("proc/vmstat", "pswpin 3\n");
  EXPECT_FALSE(SwapTrafficReader(root_).read().has_value());
}

}  // namespace
}  // namespace tune::machine
