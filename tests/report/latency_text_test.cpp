#include "report/latency_text.h"

#include "page_check.h"
#include "report/result_json.h"
#include "report/run_pages.h"
#include "sample_result.h"
#include "schema_complaint.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tune::report {
namespace {

// Steps of 1, 2, 3, ... ms from the batch to its result, in three of the baseline's fresh pairs,
// and waits for the batch that must not count. Steps of the search must not count either.
campaign::CampaignResult inference(std::int64_t steps_of_each_trial) {
  campaign::CampaignResult result = sample_result();
  result.scenario.workload.task = "infer";
  for (campaign::TrialRecord& trial : result.trials) {
    if (trial.spec.cell != "baseline" || !trial.outcome.reply) {
      continue;
    }
    trial.outcome.reply->step_phases.clear();
    if (trial.stage != "confirm") {
      trial.outcome.reply->step_phases.push_back({.forward_ns = 99'000'000'000});
      continue;
    }
    if (trial.round > 3) {
      continue;
    }
    for (std::int64_t step = 1; step <= steps_of_each_trial; ++step) {
      trial.outcome.reply->step_phases.push_back({.data_wait_ns = 77'000'000,
                                                  .transfer_ns = 400'000,
                                                  .forward_ns = step * 1'000'000 - 400'000});
    }
  }
  return result;
}

std::vector<LatencyPercentile> of_baseline(const campaign::CampaignResult& result) {
  return latency_percentiles(result, "baseline");
}

TEST(LatencyText, TakesTheStepsOfAllRounds) {
  const auto found = of_baseline(inference(101));  // 3 pairs
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].steps, 303);
  EXPECT_DOUBLE_EQ(found[0].seconds.value_or(0), 0.051);
  EXPECT_DOUBLE_EQ(found[1].seconds.value_or(0), 0.091);
  EXPECT_NEAR(found[2].seconds.value_or(0), 0.1, 1e-9);
  EXPECT_STREQ(found[2].id, "latency_p99");
}

TEST(LatencyText, DoesNotTellAPercentileOfTooFewSteps) {
  const auto found = of_baseline(inference(40));
  ASSERT_EQ(found.size(), 3U);
  EXPECT_TRUE(found[0].seconds && found[1].seconds);
  EXPECT_FALSE(found[2].seconds);
  EXPECT_EQ(too_few_steps(found[2]), "120 steps, and it takes 299");
}

TEST(LatencyText, ATrainingHasNone) {
  campaign::CampaignResult result = inference(101);
  result.scenario.workload.task = "train";
  EXPECT_TRUE(of_baseline(result).empty());
  EXPECT_TRUE(latency_lines(result).empty());
  EXPECT_TRUE(latency_percentiles(inference(101), "no such cell").empty());
  EXPECT_TRUE(of_baseline(inference(0)).empty());
}

TEST(LatencyText, OfAGpuCountsTheTimesBetweenItsEvents) {
  campaign::CampaignResult result = inference(101);
  for (campaign::TrialRecord& trial : result.trials) {
    if (trial.outcome.reply) {
      trial.outcome.reply->facts.device = "cuda";
      trial.outcome.reply->device_steps.assign(
          200, {.idle_ns = 5'000'000, .transfer_ns = 1'000'000, .forward_ns = 2'000'000});
    }
  }
  EXPECT_DOUBLE_EQ(of_baseline(result).at(2).seconds.value_or(0), 0.003);
}

TEST(LatencyText, StandsInAllReports) {
  for (const std::int64_t steps : {40, 101}) {
    const campaign::CampaignResult result = inference(steps);
    const auto json = nlohmann::json::parse(to_result_json(result));
    EXPECT_EQ(complaint(json), "");
    const auto& metrics = json["metrics"];
    const auto p99 = std::find_if(metrics.begin(), metrics.end(), [](const auto& each) {
      return each["id"] == "latency_p99" && each["cell"] == "baseline";
    });
    ASSERT_NE(p99, metrics.end());
    EXPECT_EQ((*p99)["value"].is_null(), steps == 40);
    EXPECT_FALSE((*p99)["reason"].is_null());
    ASSERT_FALSE(latency_lines(result).empty());
    const std::string line = latency_lines(result)[0];
    EXPECT_EQ(line.find("no p99 (120 steps, and it takes 299)") != std::string::npos, steps == 40)
        << line;
    EXPECT_NE(to_markdown(result).find("- latency of "), std::string::npos);
    const std::string page = to_html(result);
    EXPECT_NE(page.find("latency of "), std::string::npos);
    expect_sound_page(page);
  }
}

}  // namespace
}  // namespace tune::report
