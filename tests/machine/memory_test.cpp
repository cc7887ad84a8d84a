#include "machine/memory.h"

#include "changing_root.h"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <string>
#include <sys/mman.h>
#include <vector>

namespace tune::machine {

namespace {

class MemoryStateTest : public ChangingRoot {};

TEST_F(MemoryStateTest, ReadsMemorySwapAndHugePages) {
  write("proc/meminfo",
        "MemTotal:       16000000 kB\nMemAvailable:    2000 kB\nSwapTotal:       4000 kB\n"
        "SwapFree:        1000 kB\n");
  write("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
  write("sys/kernel/mm/transparent_hugepage/defrag", "[always] defer madvise never\n");
  const MemoryState state = read_memory_state(root_);
  EXPECT_EQ(state.available_bytes, 2000 * 1024);
  EXPECT_EQ(state.swap_bytes, 4000 * 1024);
  EXPECT_EQ(state.swap_used_bytes, 3000 * 1024);
  EXPECT_EQ(state.huge_pages, "madvise");
  EXPECT_EQ(state.huge_pages_defrag, "always");
}

TEST_F(MemoryStateTest, AnEmptyRootSaysNothing) {
  const MemoryState state = read_memory_state(root_);
  EXPECT_FALSE(state.available_bytes.has_value());
  EXPECT_FALSE(state.swap_used_bytes.has_value());
  EXPECT_EQ(state.huge_pages, "");
}

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

constexpr std::int64_t kMiB = 1 << 20;

TEST(PeakMemory, SeesABlockThatIsGoneAgainAndForgetsItAfterARestart) {
  const std::int64_t before = peak_memory_bytes();
  // Not from the heap: a sanitizer would not release it.
  constexpr std::size_t kBytes = 64 * kMiB;
  void* const block =
      mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(block, MAP_FAILED);
  std::memset(block, 'x', kBytes);
  munmap(block, kBytes);
  EXPECT_GE(peak_memory_bytes(), before + 32 * kMiB);
  if (!restart_peak_memory()) {
    GTEST_SKIP() << "this kernel cannot reset the peak";
  }
  EXPECT_LT(peak_memory_bytes(), before + 32 * kMiB);
}

TEST(PeakMemory, ReadsTheFileOfTheGivenRoot) {
  const std::filesystem::path root = testing::TempDir() + "peak_memory";
  std::filesystem::create_directories(root / "proc/self");
  std::ofstream(root / "proc/self/status") << "VmPeak:\t  100 kB\nVmHWM:\t    2048 kB\n";
  EXPECT_EQ(peak_memory_bytes(root), 2 * kMiB);
}

TEST(PeakMemory, FallsBackToWhatTheKernelCountsSinceTheBeginning) {
  EXPECT_GT(peak_memory_bytes("/nowhere"), kMiB);
  EXPECT_FALSE(restart_peak_memory("/nowhere"));
}

using ResidentMemoryTest = ChangingRoot;

TEST_F(ResidentMemoryTest, CountsResidentPagesAsTheyAreNow) {
  write("proc/self/statm", "765 445 416 5 0 123 0\n");
  ResidentMemoryReader reader(root_);
  EXPECT_EQ(reader.read_bytes(), 445 * sysconf(_SC_PAGESIZE));
  write("proc/self/statm", "765 446 416 5 0 123 0\n");
  EXPECT_EQ(reader.read_bytes(), 446 * sysconf(_SC_PAGESIZE));
}

TEST_F(ResidentMemoryTest, IsUnknownWhereTheFileIsMissingOrDamaged) {
  EXPECT_FALSE(ResidentMemoryReader("/no/such/root").read_bytes().has_value());
  for (const char* const text : {"", "765", "765 ", "765 x 1", "765 -4 1", "1 9999999999999 1"}) {
    write("proc/self/statm", text);
    EXPECT_FALSE(ResidentMemoryReader(root_).read_bytes().has_value()) << text;
  }
}

TEST(ResidentMemory, GrowsWithWhatIsWritten) {
  constexpr std::size_t kBytes = 64 << 20;
  ResidentMemoryReader reader;
  const auto before = reader.read_bytes();
  const std::vector<char> block(kBytes, 'x');
  const auto after = reader.read_bytes();
  ASSERT_TRUE(before && after);
  EXPECT_GT(*after - *before, static_cast<std::int64_t>(block.size()) * 9 / 10);
}

}  // namespace

}  // namespace tune::machine
