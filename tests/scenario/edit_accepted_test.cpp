#include "base/error.h"
#include "scenario/edit_scenario.h"

#include <gtest/gtest.h>

#include <string>

namespace tune::scenario {
namespace {

const std::string kHead =
    "tune: 1\nname: sample\nworkload: {model: resnet18}\ndata: {source: synthetic}\n"
    "baseline: {batch_size: 8}\ngrid: {batch_size: [8, 16]}\n";
const AcceptedRow kAccepted = {.row = "throughput",
                               .max_ratio = 0.06,
                               .until = "2027-01-31",
                               .reason = "a \"better\" crop: #12"};
const std::string kItem =
    R"({row: throughput, max: 6%, until: 2027-01-31, reason: "a \"better\" crop: #12"})";

// What becomes of the gate section behind a head that must stay as it is.
std::string edited(const std::string& gate) {
  const std::string text = with_accepted(kHead + gate, "sample.yaml", kAccepted);
  EXPECT_TRUE(text.starts_with(kHead)) << text;
  return text.substr(kHead.size());
}

TEST(EditAccepted, MakesASectionThatIsMissing) {
  EXPECT_EQ(edited(""), "gate:\n  accepted:\n    - " + kItem + "\n");
  EXPECT_EQ(edited("# the end"), "# the end\ngate:\n  accepted:\n    - " + kItem + "\n");
}

TEST(EditAccepted, WritesIntoASectionInItsOwnStyle) {
  EXPECT_EQ(edited("gate: {budget: 3%}  # tight\n"),
            "gate: {accepted: [" + kItem + "], budget: 3%}  # tight\n");
  EXPECT_EQ(edited("gate: {}\n"), "gate: {accepted: [" + kItem + "]}\n");
  EXPECT_EQ(edited("gate:\n    # tight\n    budget: 3%\n    metrics: [throughput]\n"),
            "gate:\n    # tight\n    accepted: [" + kItem +
                "]\n    budget: 3%\n    metrics: [throughput]\n");
}

TEST(EditAccepted, PutsAnEntryBeforeTheOthers) {
  const std::string other = "{row: epoch_time, max: 4%, until: 2026-12-31, reason: x}";
  EXPECT_EQ(edited("gate: {accepted: [" + other + "]}\n"),
            "gate: {accepted: [" + kItem + ", " + other + "]}\n");
  EXPECT_EQ(edited("gate:\n  accepted:\n  - " + other + "  # agreed\n  budget: 3%\n"),
            "gate:\n  accepted:\n  - " + kItem + "\n  - " + other + "  # agreed\n  budget: 3%\n");
  EXPECT_EQ(edited("gate: {accepted: []}\n"), "gate: {accepted: [" + kItem + "]}\n");
}

TEST(EditAccepted, SaysWhatToWriteWhereItCannot) {
  std::string indented;  // a section at the margin would be another document
  for (const char letter : "\n" + kHead.substr(0, kHead.size() - 1)) {
    indented += letter == '\n' ? "\n  " : std::string(1, letter);
  }
  try {
    with_accepted(indented + "\n", "sample.yaml", kAccepted);
    FAIL();
  } catch (const Error& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("write by hand, under gate: accepted: - " + kItem), std::string::npos)
        << text;
  }
  EXPECT_THROW(with_accepted("tune: [", "sample.yaml", kAccepted), Error);
}

TEST(GateSection, ADateIsADayOfTheCalendar) {
  for (const char* const day : {"2026-11-24", "2028-02-29", "0001-01-01"}) {
    EXPECT_TRUE(is_date(day)) << day;
  }
  for (const char* const other : {"",
                                  "2026",
                                  "2026-11",
                                  "2026-11-2",
                                  "2026-13-01",
                                  "2026-02-29",
                                  "2026-1-01",
                                  "26-11-24",
                                  "2026-11-240",
                                  "2026/11/24",
                                  "2026-11--4",
                                  "2026-11-2 ",
                                  " 026-11-24"}) {
    EXPECT_FALSE(is_date(other)) << other;
  }
}

}  // namespace
}  // namespace tune::scenario
