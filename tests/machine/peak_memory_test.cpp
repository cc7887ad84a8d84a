#include "machine/peak_memory.h"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <string>
#include <sys/mman.h>

namespace tune::machine {
namespace {

constexpr std::int64_t kMiB = 1 << 20;

TEST(PeakMemory, SeesABlockThatIsGoneAgainAndForgetsItAfterARestart) {
  const std::int64_t before = peak_memory_bytes();
  // Not from the heap: a sanitizer would keep it.
  constexpr std::size_t kBytes = 64 * kMiB;
  void* const block =
      mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(block, MAP_FAILED);
  std::memset(block, 'x', kBytes);
  munmap(block, kBytes);
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
