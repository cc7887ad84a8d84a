#include "report/format/scenario_lines.h"

#include <gtest/gtest.h>

namespace tune::report {
namespace {

constexpr const char* kText = R"(# a comment
tune: 1
name: a
baseline: {num_workers: 0,
  amp: none}
grid:
  num_workers: [0, 2]
  pin_memory: [false, true]
gate:
  metrics:
    - epoch_time
    - throughput
)";

TEST(ScenarioLines, AreThoseOfTheKnobThatARemarkIsAbout) {
  const ScenarioLines lines(kText);
  EXPECT_EQ(lines.of_baseline("num_workers"), 4);
  EXPECT_EQ(lines.of_baseline("amp"), 5);
  EXPECT_EQ(lines.of_baseline("pin_memory"), 8) << "the baseline leaves it out";
  EXPECT_EQ(lines.of_baseline("channels_last"), 4);
  EXPECT_EQ(lines.of_grid("num_workers"), 7);
  EXPECT_EQ(lines.of_grid("amp"), 6);
  EXPECT_EQ(lines.of_gate("throughput"), 12);
  EXPECT_EQ(lines.of_gate("peak_memory_bytes"), 10);
  EXPECT_EQ(lines.of_name(), 3);
}

TEST(ScenarioLines, OfATextThatIsNoScenarioAreTheFirst) {
  for (const char* text : {"", "{{{", "- 1\n- 2\n", "\x01\xFF", "a: &x 1\nb: *x\n", "name"}) {
    const ScenarioLines lines(text);
    EXPECT_EQ(lines.of_baseline("amp"), 1) << text;
    EXPECT_EQ(lines.of_grid("amp"), 1) << text;
    EXPECT_EQ(lines.of_gate("throughput"), 1) << text;
    EXPECT_EQ(lines.of_name(), 1) << text;
  }
}

}  // namespace
}  // namespace tune::report
