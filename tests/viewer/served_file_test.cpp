#include "viewer/served_file.h"

#include "base/error.h"
#include "trace_file.h"

namespace tune::viewer {
namespace {

class LookAtFile : public TraceFiles {};

TEST_F(LookAtFile, SaysHowLargeItIsAndWhatItIsCalled) {
  const ServedFile file = look_at_file(write("my trace.json", "[{}]"));
  EXPECT_EQ(file.name, "my_trace.json");
  EXPECT_EQ(file.bytes, 4);
  EXPECT_FALSE(file.is_unpacked);
}

TEST_F(LookAtFile, SeesZstdByItsBytesAndDropsItsEnding) {
  const ServedFile file = look_at_file(write("t.json.zst", packed_with_zstd("[{}]")));
  EXPECT_TRUE(file.is_unpacked);
  EXPECT_EQ(file.name, "t.json");
  EXPECT_EQ(look_at_file(write("u.json", packed_with_zstd("[{}]"))).name, "u.json");
  EXPECT_EQ(look_at_file(write("plain.zst", "[{}]")).name, "plain.zst");
}

TEST_F(LookAtFile, ComplainsOfWhatCannotBeShown) {
  EXPECT_THROW(look_at_file(write("empty.json", "")), Error);
  EXPECT_THROW(look_at_file(folder_ / "none.json"), Error);
  EXPECT_THROW(look_at_file(folder_), Error);
}

}  // namespace
}  // namespace tune::viewer
