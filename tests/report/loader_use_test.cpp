#include "report/loader_use.h"

#include "difficult_results.h"
#include "drawing_check.h"
#include "live_section.h"
#include "report/headline.h"
#include "sample_result.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace tune::report {
namespace {

TEST(LoaderUse, IsThatOfASample) {
  const campaign::CampaignResult result = sample_result();
  const auto use = loader_use(result, *conclude(result).best);
  ASSERT_TRUE(use);
  EXPECT_EQ(use->trials, 6);
  EXPECT_EQ(use->workers, 2);
  EXPECT_NEAR(use->cpu_ms(), 4.8, 1e-9);
  EXPECT_NEAR(*use->most_rate(), 2e3 / 4.8, 1e-9);
  EXPECT_NEAR(use->bytes_per_sample, 112'000, 1e-6);
  EXPECT_EQ(use->stock.size(), 10U) << "both edges of five slices";
  EXPECT_EQ(use->least_resident, 1);
}

TEST(LoaderUse, OfTheTrainingThreadHasNoMost) {
  const campaign::CampaignResult result = sample_result();
  EXPECT_FALSE(loader_use(result, *conclude(result).baseline)->most_rate());
}

TEST(LoaderBars, NameTheirStages) {
  const campaign::CampaignResult result = sample_result();
  const Conclusion conclusion = conclude(result);
  const std::vector<NamedLoader> loaders = {
      {"baseline <i>", *loader_use(result, *conclusion.baseline)},
      {std::string(10'000, 'b'), *loader_use(result, *conclusion.best)}};
  const auto bars = loader_bars(loaders);
  ASSERT_TRUE(bars);
  expect_sound_drawing(*bars);
  EXPECT_NE(text_of(*bars).find("4.8ms of CPU per sample, read 210us, decode 3.65ms, resize 940us"),
            std::string::npos);
  const auto stock = stock_plot(loaders);
  ASSERT_TRUE(stock);
  expect_sound_drawing(*stock);
}

TEST(LoaderBars, AreNotThereWhereNothingWasSpent) {
  EXPECT_FALSE(loader_bars({}));
  EXPECT_FALSE(stock_plot({}));
  EXPECT_FALSE(loader_bars({{"synthetic", LoaderUse{.trials = 1}}}));
  LoaderUse bad{.trials = 1, .read_ms = std::numeric_limits<double>::infinity()};
  bad.stock = {{0, -5}, {1, std::numeric_limits<std::int64_t>::max()}};
  EXPECT_FALSE(loader_bars({{"bad", bad}}));
  EXPECT_FALSE(stock_plot({{"bad", bad}}));
}

TEST(PipelineSection, IsSoundOnDifficultResults) {
  for (const auto& [name, result] : difficult_results()) {
    EXPECT_NE(text_of(live_markup(run_pipeline_section, result)).find("Data pipeline"),
              std::string::npos)
        << name;
  }
  EXPECT_NE(text_of(live_markup(run_pipeline_section, empty_result())).find("Not measured"),
            std::string::npos);
  campaign::CampaignResult result = sample_result();
  result.data.source = "synthetic";
  for (campaign::TrialRecord& record : result.trials) {
    if (record.outcome.reply) {
      record.outcome.reply->loader = trial::LoaderReport{};
    }
  }
  EXPECT_NE(text_of(live_markup(run_pipeline_section, result)).find("The data is synthetic"),
            std::string::npos);
}

}  // namespace
}  // namespace tune::report
