#include "scenario/read_parts.h"

#include "sample_scenario.h"

#include <gtest/gtest.h>

namespace tune::scenario {

namespace {

TEST(BuildOrder, IsTheCommandAndWhatMayNameFiles) {
  const BuildOrder order = read_build_order(
      sample("workload: {model: resnet18}\ndata: {source: generated-jpeg}",
             "workload: {model: resnet18, task: train, build: \"cmake --build build\"}\n"
             "data: {source: image-folder, path: images}"),
      "sample.yaml");
  EXPECT_EQ(order.command, "cmake --build build");
  EXPECT_EQ(order.data_path, "images");
  EXPECT_TRUE(order.paths.empty()) << "words that are no files, and the command";
}

TEST(BuildOrder, IsEmptyWhereNothingHasToBeMade) {
  const BuildOrder order = read_build_order(sample(), "sample.yaml");
  EXPECT_EQ(order.command, "");
  EXPECT_EQ(order.data_path, "");
}

TEST(BuildOrder, DoesNotAskWhetherFilesAreThere) {
  EXPECT_NO_THROW(read_build_order(
      sample("data: {source: generated-jpeg}", "data: {source: image-folder, path: nowhere}"),
      "sample.yaml"));
}

TEST(BuildOrder, OfAnInvalidScenarioIsRefusedWithItsPlace) {
  try {
    read_build_order(sample("model: resnet18", "model: resnet18, build: 7"), "a.yaml");
    FAIL() << "it was read";
  } catch (const Error& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with("a.yaml:3:")) << error.what();
  }
  EXPECT_NE(complaints_with("model: resnet18", "model: resnet18, build: \"\""), "");
  EXPECT_EQ(
      read_scenario(sample("model: resnet18", "model: resnet18, build: make"), "sample.yaml").build,
      "make");
}

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
