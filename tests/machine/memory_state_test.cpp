#include "machine/memory_state.h"

#include "changing_root.h"

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

}  // namespace
}  // namespace tune::machine
