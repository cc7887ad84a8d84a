#include "trace/stream_waits.h"

#include <gtest/gtest.h>

namespace tune::profile {

namespace {

using Streams = std::vector<std::uint32_t>;

// Two streams of device 0, one of device 1, and one without work.
class TwoDevices : public testing::Test {
 protected:
  TwoDevices() {
    ends.set(0, 100);
    ends.set(1, 300);
    ends.set(2, 200);
  }

  std::vector<Track> tracks = {{.device = 0}, {.device = 0}, {.device = 1}, {.device = 1}};
  StreamEnds ends{tracks};
};

TEST_F(TwoDevices, TellThoseThatEndLast) {
  EXPECT_EQ(ends.latest(-1, 16), (Streams{0, 1, 2}));
  EXPECT_EQ(ends.latest(-1, 2), (Streams{1, 2}));
  EXPECT_EQ(ends.latest(0, 1), (Streams{1}));
  EXPECT_EQ(ends.latest(1, 16), (Streams{2}));
  EXPECT_EQ(ends.latest(7, 16), Streams{});
}

TEST_F(TwoDevices, TellTheLastWithinATime) {
  EXPECT_EQ(ends.last_within({100, 250}), 2U);
  EXPECT_EQ(ends.last_within({99, 100}), 0U);
  EXPECT_EQ(ends.last_within({100, 199}), kNone);
  EXPECT_EQ(ends.last_within({0, 50}), kNone);
}

TEST_F(TwoDevices, GoByTheLastWorkOfAStream) {
  EXPECT_EQ(ends.latest(-1, 1), (Streams{1}));
  ends.set(0, 400);
  ends.set(0, 500);
  ends.set(3, 350);
  EXPECT_EQ(ends.latest(-1, 2), (Streams{0, 3}));
  EXPECT_EQ(ends.last_within({0, 499}), 3U);
}

}  // namespace

}  // namespace tune::profile
