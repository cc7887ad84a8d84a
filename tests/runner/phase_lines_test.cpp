#include "runner/phase_lines.h"

#include <gtest/gtest.h>

namespace tune::runner {
namespace {

TEST(PhaseLines, AreReadFromAnyPieces) {
  PhaseLines lines;
  EXPECT_TRUE(lines.add("se", 1).empty());
  const auto begun = lines.add("tup 12\nwarmup 34\nmea", 40);
  ASSERT_EQ(begun.size(), 2U);
  EXPECT_EQ(begun[0].phase, "setup");
  EXPECT_EQ(begun[0].worker_ns, 12);
  EXPECT_EQ(begun[0].seen_ns, 40);
  EXPECT_EQ(begun[1].phase, "warmup");
  EXPECT_EQ(lines.phase(), "warmup");
  EXPECT_EQ(lines.problem(), "");
}

TEST(PhaseLines, NonsenseIsKeptAsTheProblemAndEndsTheReading) {
  for (const char* text : {"setup\n",
                           "setup -1\n",
                           "setup 1x\n",
                           "setup 99999999999999999999\n",
                           "\n",
                           "nap 1\n",
                           " setup 1\n",
                           "setup 1\nsetup 2\n",
                           "write 1\nsetup 2\n"}) {
    PhaseLines lines;
    lines.add(text, 1);
    EXPECT_NE(lines.problem(), "") << text;
    EXPECT_TRUE(lines.add("done 5\n", 2).empty()) << text;
  }
}

// The clock is one for all processes: what a line tells of is over, and in order.
TEST(PhaseLines, ATimeThatCannotBeIsNonsense) {
  for (const char* text : {"setup 9223372036854775807\n",
                           "setup 1000000000000000001\n",
                           "setup 101\n",
                           "setup 50\nwarmup 49\n"}) {
    PhaseLines lines;
    for (const PhaseArrival& arrival : lines.add(text, 100)) {
      EXPECT_LE(arrival.worker_ns, arrival.seen_ns) << text;
    }
    EXPECT_NE(lines.problem().find("a time that cannot be"), std::string::npos) << text;
  }
  PhaseLines lines;
  EXPECT_EQ(lines.add("setup 100\nwarmup 100\n", 100).size(), 2U);
}

TEST(PhaseLines, AnEndlessLineIsNotKept) {
  PhaseLines lines;
  for (int i = 0; i < 1000; ++i) {
    lines.add(std::string(1000, 'x'), 1);
  }
  EXPECT_NE(lines.problem().find("too long"), std::string::npos);
}

}  // namespace
}  // namespace tune::runner
