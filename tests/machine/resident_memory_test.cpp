#include "machine/resident_memory.h"

#include "changing_root.h"

#include <vector>

namespace tune::machine {
namespace {

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
