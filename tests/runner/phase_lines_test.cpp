#include "runner/phase_lines.h"

#include <gtest/gtest.h>

namespace tune::runner {
namespace {

TEST(PhaseLines, AreReadFromAnyPieces) {
  PhaseLines lines;
  EXPECT_TRUE(lines.add("se", 1).empty());
  const auto begun = lines.add("tup 12\nwarmup 34\nmea", 2);
  ASSERT_EQ(begun.size(), 2U);
  EXPECT_EQ(begun[0].phase, "setup");
  EXPECT_EQ(begun[0].worker_ns, 12);
  EXPECT_EQ(begun[0].seen_ns, 2);
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

TEST(PhaseLines, AnEndlessLineIsNotKept) {
  PhaseLines lines;
  for (int i = 0; i < 1000; ++i) {
    lines.add(std::string(1000, 'x'), 1);
  }
  EXPECT_NE(lines.problem().find("too long"), std::string::npos);
}

}  // namespace
}  // namespace tune::runner
