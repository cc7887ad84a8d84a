#include "machine/peak_memory.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

namespace tune::machine {
namespace {

constexpr std::int64_t kMiB = 1 << 20;

TEST(PeakMemory, SeesABlockThatIsGoneAgainAndForgetsItAfterARestart) {
  const std::int64_t before = peak_memory_bytes();
  {
    std::vector<char> block(64 * kMiB, 'x');
    EXPECT_EQ(block[block.size() / 2], 'x');
  }
  EXPECT_GE(peak_memory_bytes(), before + 32 * kMiB);
  if (!restart_peak_memory()) {
    GTEST_SKIP() << "this kernel does not forget the peak";
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

}  // namespace
}  // namespace tune::machine
