#include "scenario/rule_setting.h"

#include "sample_scenario.h"

#include <gtest/gtest.h>

namespace tune::scenario {
namespace {

TEST(RuleSettings, AreReadWithTheirPlaces) {
  const auto settings =
      read_rule_settings(sample() +
                             "rules: {low-occupancy: off, step-variance: on,\n"
                             "  pageable-transfers: {limits: {share: 4%, count: 2}}}\n",
                         "sample.yaml");
  ASSERT_EQ(settings.size(), 3U);
  EXPECT_EQ(settings[0].id, "low-occupancy");
  EXPECT_TRUE(settings[0].is_off);
  EXPECT_FALSE(settings[1].is_off);
  ASSERT_EQ(settings[2].limits.size(), 2U);
  EXPECT_EQ(settings[2].limits[0].name, "share");
  EXPECT_EQ(settings[2].limits[0].text, "4%");
  EXPECT_EQ(settings[2].limits[0].mark, (Mark{13, 40}));
  EXPECT_EQ(settings[2].limits[1].text, "2");
  EXPECT_TRUE(read_rule_settings(sample(), "sample.yaml").empty());
}

TEST(RuleSettings, OfAnotherFormAreRefused) {
  EXPECT_EQ(complaints_about(sample() + "rules: {low-occupancy: of}\n"),
            "sample.yaml:12:24: 'rules.low-occupancy' must be on, off, or limits such as {limits: "
            "{share: 4%}} (is 'of')");
  EXPECT_EQ(complaints_about(sample() + "rules: {low-occupancy: {share: 4%}}\n"),
            "sample.yaml:12:24: the key 'rules.low-occupancy.limits' is missing\n"
            "sample.yaml:12:25: unknown key 'share' (keys of 'rules.low-occupancy': limits)");
}

}  // namespace
}  // namespace tune::scenario
