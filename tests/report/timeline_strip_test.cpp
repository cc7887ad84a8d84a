#include "report/timeline_strip.h"

#include "drawing_check.h"
#include "live_section.h"
#include "report/recorded_steps.h"
#include "sample_result.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace tune::report {
namespace {

using profile::Role;

std::vector<profile::Step> steps_of(const std::vector<std::int64_t>& lengths_ns) {
  std::vector<profile::Step> steps;
  std::int64_t now_ns = 0;
  for (const std::int64_t length_ns : lengths_ns) {
    steps.push_back({.name = "ProfilerStep#" + std::to_string(steps.size()),
                     .interval = {now_ns, now_ns + length_ns}});
    now_ns += length_ns;
  }
  return steps;
}

profile::Intervals& covered(profile::Partition& partition, Role role) {
  return partition.covered[static_cast<std::size_t>(role)];
}

TEST(TypicalSteps, AreThoseNearestToTheMedian) {
  const auto steps = steps_of({900, 100, 100, 102, 100, 500});
  EXPECT_EQ(typical_steps(steps, 1), 1U);
  EXPECT_EQ(typical_steps(steps, 3), 1U);
  EXPECT_EQ(typical_steps(steps, 6), 0U);
}

TEST(TimelineStrips, HaveALaneForEachRoleOfEachSetting) {
  const campaign::CampaignResult result = sample_result();
  const std::string best = result.confirmation->cell;
  const auto drawing = timeline_strips(
      {.id = "strips",
       .strips = {{.label = "before", .partition = recorded_steps(result, "baseline")},
                  {.label = "after", .partition = recorded_steps(result, best)}}});
  ASSERT_TRUE(drawing);
  expect_sound_drawing(*drawing);
  const std::string text = text_of(*drawing);
  EXPECT_NE(text.find("before: 5 steps of 5, 3.66s"), std::string::npos) << text;
  EXPECT_NE(text.find("data_loading in 24.6 %"), std::string::npos) << text;
  EXPECT_EQ(text.find("kernel"), std::string::npos) << "no row has that role";
}

TEST(TimelineStrips, JoinBlocksSoThatTheyStaySmall) {
  profile::Partition partition;
  partition.steps.steps = steps_of({1'000'000});
  for (std::int64_t ns = 0; ns < 1'000'000; ns += 10) {
    covered(partition, Role::kernel).push_back({ns, ns + 5});
    covered(partition, Role::cpu_op).push_back({ns + 1, ns + 6});
  }
  const auto drawing = timeline_strips({.id = "many", .strips = {{"many", &partition}}});
  ASSERT_TRUE(drawing);
  expect_sound_drawing(*drawing);
  EXPECT_LE(drawing->finished().size(), kStripBytes + 6'000) << "with frame and patterns";
}

TEST(TimelineStrips, AreNotThereWithoutStepsOrRows) {
  profile::Partition empty;
  EXPECT_FALSE(timeline_strips({.id = "none", .strips = {}}));
  EXPECT_FALSE(timeline_strips({.id = "none", .strips = {{"no partition", nullptr}}}));
  EXPECT_FALSE(timeline_strips({.id = "none", .strips = {{"empty", &empty}}}));
  empty.steps.steps = steps_of({100});
  EXPECT_FALSE(timeline_strips({.id = "none", .strips = {{"no rows", &empty}}}));
  empty.steps.steps = steps_of({0, 0});
  covered(empty, Role::kernel).push_back({0, 10});
  EXPECT_FALSE(timeline_strips({.id = "none", .strips = {{"no time", &empty}}}));
}

TEST(TimelineStrips, TakeLabelsAsText) {
  profile::Partition partition;
  partition.steps.steps = steps_of({100, 100});
  covered(partition, Role::kernel).push_back({10, 40});
  const auto drawing = timeline_strips(
      {.id = "labels", .strips = {{std::string(10'000, '<') + "\"'&\xff", &partition}}});
  ASSERT_TRUE(drawing);
  expect_sound_drawing(*drawing);
}

TEST(RecordedSection, DrawsMeanStepsAndStrips) {
  const Markup section = live_markup(run_recorded_section, sample_result());
  EXPECT_EQ(elements_of(section, "svg"), 4U) << "mean steps, strips, and lanes of both cells";
  campaign::CampaignResult stretched = sample_result();
  for (campaign::ProfiledCell& cell : stretched.profiles) {
    cell.trace->partition.reset();
  }
  EXPECT_EQ(elements_of(live_markup(run_recorded_section, stretched), "svg"), 0U);
}

}  // namespace
}  // namespace tune::report
