// How steps and trials spread: numbers and drawings.

#include "difficult_results.h"
#include "drawing_check.h"
#include "live_section.h"
#include "report/headline.h"
#include "report/run_charts.h"
#include "report/trial_steps.h"
#include "sample_result.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

namespace tune::report {
namespace {

trial::TrialReply reply_of(const std::vector<std::int64_t>& step_ns, std::int64_t warmup) {
  trial::TrialReply reply;
  reply.step_ns = step_ns;
  reply.warmup_steps = warmup;
  trial::Slice slice;
  slice.steps = static_cast<std::int64_t>(step_ns.size()) - warmup;
  slice.samples = slice.steps * 4;
  slice.wall_ns = 1'000'000'000;
  reply.slices = {slice};
  return reply;
}

TEST(TrialSteps, AreThoseBehindTheWarmUp) {
  EXPECT_EQ(measured_steps_ns(reply_of({900, 500, 100, 101}, 2)), (std::vector<double>{100, 101}));
  EXPECT_EQ(samples_per_step(reply_of({900, 500, 100, 101}, 2)), 4);
}

TEST(TrialSteps, DoNotTrustNumbersThatCannotBe) {
  EXPECT_TRUE(measured_steps_ns(trial::TrialReply{}).empty());
  EXPECT_FALSE(samples_per_step(trial::TrialReply{}));
  trial::TrialReply reply = reply_of({100, -5, 0, 100}, 0);
  EXPECT_EQ(measured_steps_ns(reply).size(), 2U);
  reply.warmup_steps = 1'000;
  EXPECT_TRUE(measured_steps_ns(reply).empty());
  reply.warmup_steps = -3;
  reply.slices[0].steps = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(measured_steps_ns(reply).size(), 2U);
}

TEST(StepSpread, CountsWhatLiesFarOut) {
  const campaign::CampaignResult result = sample_result();
  const auto spread = step_spread(result, *conclude(result).baseline);
  ASSERT_TRUE(spread);
  EXPECT_EQ(spread->trials, 6U) << "those of the fresh pairs";
  EXPECT_GT(spread->p99_s, spread->median_s);
  EXPECT_LT(spread->deviation_ratio, 0.02);
  EXPECT_EQ(spread->samples_per_step, 32);
  EXPECT_LE(spread->longest_s.size(), 20U);
}

TEST(StepSpread, IsNotThereWithoutSteps) {
  campaign::CampaignResult result = sample_result();
  for (campaign::TrialRecord& record : result.trials) {
    if (record.outcome.reply) {
      record.outcome.reply->step_ns.clear();
      record.outcome.reply->phases.clear();
    }
  }
  EXPECT_FALSE(step_spread(result, *conclude(result).baseline));
  EXPECT_FALSE(time_to_first_step_s(result, *conclude(result).baseline));
}

TEST(StepSpread, TheFirstStepCountsFromTheStartOfTheProcess) {
  const campaign::CampaignResult result = sample_result();
  EXPECT_NEAR(*time_to_first_step_s(result, *conclude(result).baseline), 0.74, 1e-9);
}

TEST(StepSequences, ShowTheCutAndWhatLeavesTheScale) {
  const auto drawing = step_sequences({{.label = "baseline <b>",
                                        .step_ns = {9'000, 1'000, 1'000, 1'010, 990, 30'000},
                                        .warmup_steps = 2}});
  ASSERT_TRUE(drawing);
  expect_sound_drawing(*drawing);
  const std::string text = text_of(*drawing);
  EXPECT_NE(text.find("6 steps, the first 2 to warm up"), std::string::npos) << text;
  EXPECT_EQ(elements_of(*drawing, "polygon"), 2U) << "the first and the last";
}

TEST(StepSequences, AreSoundForAnySteps) {
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  for (const std::vector<std::int64_t>& steps : {std::vector<std::int64_t>{0, 0},
                                                 std::vector<std::int64_t>{-7, 5},
                                                 std::vector<std::int64_t>{most, most},
                                                 std::vector<std::int64_t>(100'000, 5)}) {
    for (const std::size_t warmup : {std::size_t{0}, std::size_t{1}, std::size_t{1'000'000}}) {
      const auto drawing = step_sequences(
          {{.label = std::string(10'000, 'x'), .step_ns = steps, .warmup_steps = warmup}});
      ASSERT_TRUE(drawing);
      expect_sound_drawing(*drawing);
      EXPECT_LE(drawing->finished().size(), 20'000U);
    }
  }
  EXPECT_FALSE(step_sequences({}));
  EXPECT_FALSE(step_sequences({{.label = "one", .step_ns = {5}}}));
}

TEST(SpreadPlot, HasARowASetting) {
  const campaign::CampaignResult result = sample_result();
  const Conclusion conclusion = conclude(result);
  const auto drawing = spread_plot({{"baseline", *step_spread(result, *conclusion.baseline)},
                                    {"best \"one\"", *step_spread(result, *conclusion.best)}});
  ASSERT_TRUE(drawing);
  expect_sound_drawing(*drawing);
  EXPECT_EQ(elements_of(*drawing, "g"), 2U);
  EXPECT_FALSE(spread_plot({}));
}

TEST(TrialRatesPlot, LeavesOutWhatCannotBeDrawn) {
  const double nan = std::nan("");
  EXPECT_FALSE(trial_rates_plot({}));
  EXPECT_FALSE(trial_rates_plot({{"one", {{"r1", 0, 0}}}}));
  EXPECT_FALSE(trial_rates_plot({{"none", {{"r1", nan, 0}, {"r2", 0, nan}}}}));
  const auto drawing = trial_rates_plot(
      {{"two", {{"r1", 5, 0}, {"r2", 5, 0}, {"r3", 5, std::numeric_limits<double>::infinity()}}}});
  ASSERT_TRUE(drawing);
  expect_sound_drawing(*drawing);
  EXPECT_EQ(elements_of(*drawing, "circle"), 2U);
}

TEST(StabilitySection, IsSoundOnDifficultResults) {
  for (const auto& [name, result] : difficult_results()) {
    const std::string text = text_of(live_markup(run_stability_section, result));
    EXPECT_NE(text.find("How steady it was"), std::string::npos) << name;
  }
  const std::string text = text_of(live_markup(run_stability_section, sample_result()));
  EXPECT_NE(text.find("tune calibrate"), std::string::npos);
  EXPECT_EQ(elements_of(live_markup(run_stability_section, sample_result()), "svg"), 3U);
  EXPECT_NE(text_of(live_markup(run_stability_section, empty_result())).find("No trial was run"),
            std::string::npos);
}

}  // namespace
}  // namespace tune::report
