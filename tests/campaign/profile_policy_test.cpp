#include "campaign/profile_policy.h"

#include <gtest/gtest.h>

namespace tune::campaign {
namespace {

Slot slot(const char* stage, std::int64_t round, std::size_t cell) {
  return {.stage = stage, .round = round, .cell = cell};
}

scenario::Scenario recording(const char* cells) {
  scenario::Scenario scenario;
  scenario.profile_cells = cells;
  return scenario;
}

TEST(ProfilePolicy, BaselineRecordsItsFirstTrial) {
  scenario::Scenario scenario = recording("baseline");
  EXPECT_TRUE(is_profiled(scenario, slot("warmup", 1, 0)));
  EXPECT_FALSE(is_profiled(scenario, slot("search", 1, 0))) << "the second";
  EXPECT_FALSE(is_profiled(scenario, slot("confirm", 1, 0)));
  scenario.warmup_is_auto = false;  // nothing looks for a warm-up
  EXPECT_TRUE(is_profiled(scenario, slot("search", 1, 0)));
  EXPECT_FALSE(is_profiled(scenario, slot("search", 1, 3)));
  EXPECT_FALSE(is_profiled(scenario, slot("search", 2, 0)));
}

TEST(ProfilePolicy, BestRecordsBothSidesOfTheFirstFreshPairs) {
  const scenario::Scenario scenario = recording("best");
  EXPECT_TRUE(is_profiled(scenario, slot("warmup", 1, 0)));
  EXPECT_TRUE(is_profiled(scenario, slot("confirm", 1, 0)));
  EXPECT_TRUE(is_profiled(scenario, slot("confirm", 1, 7)));
  EXPECT_FALSE(is_profiled(scenario, slot("confirm", 2, 7)));
  EXPECT_TRUE(is_profiled(scenario, slot("ladder", 1, 0)));
  EXPECT_TRUE(is_profiled(scenario, slot("ladder", 1, 7)));
  EXPECT_FALSE(is_profiled(scenario, slot("ladder", 2, 7)));
  EXPECT_FALSE(is_profiled(scenario, slot("search", 1, 7)));
  EXPECT_EQ(profiled_in_confirmation(scenario, 2), 3);
  EXPECT_EQ(scenario::Scenario().profile_cells, "best");
}

TEST(ProfilePolicy, AllRecordsEveryCellOnceInTheSearch) {
  const scenario::Scenario scenario = recording("all");
  EXPECT_TRUE(is_profiled(scenario, slot("search", 1, 7)));
  EXPECT_FALSE(is_profiled(scenario, slot("search", 2, 7)));
  EXPECT_TRUE(is_profiled(scenario, slot("confirm", 1, 7)));
}

TEST(ProfilePolicy, ATrialForTheDiagnosisTakesThePlaceOfTheFirstOfTheSearch) {
  scenario::Scenario scenario = recording("baseline");
  scenario.warmup_is_auto = false;
  EXPECT_TRUE(is_profiled(scenario, slot("diagnose", 1, 0), true));
  EXPECT_FALSE(is_profiled(scenario, slot("search", 1, 0), true));
  EXPECT_FALSE(is_profiled(recording("none"), slot("diagnose", 1, 0), true));
  EXPECT_FALSE(is_profiled(recording("all"), slot("ceiling", 1, 0)));
  EXPECT_TRUE(is_profiled(recording("all"), slot("ladder", 1, 0)));
  EXPECT_FALSE(is_profiled(recording("baseline"), slot("ladder", 1, 0)));
}

TEST(ProfilePolicy, NoneRecordsNothingAndAuditAndEpochAreNeverRecorded) {
  for (const char* const stage : {"warmup", "search", "confirm", "ladder", "audit", "epoch"}) {
    EXPECT_FALSE(is_profiled(recording("none"), slot(stage, 1, 0))) << stage;
  }
  EXPECT_EQ(profiled_in_confirmation(recording("none"), 2), 0);
  EXPECT_EQ(profiled_in_confirmation(recording("baseline"), 2), 0);
  for (const char* const stage : {"audit", "epoch"}) {
    EXPECT_FALSE(is_profiled(recording("all"), slot(stage, 1, 0))) << stage;
  }
}

}  // namespace
}  // namespace tune::campaign
