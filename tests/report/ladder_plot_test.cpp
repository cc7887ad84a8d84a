
#include "difficult_results.h"
#include "drawing_check.h"
#include "report/result_of.h"
#include "report/run_charts.h"
#include "sample_advice.h"
#include "sample_result.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace tune::report {
namespace {

TEST(LadderPlot, GoesFromTheBaselineUpAndKeepsWhatWasNotMeasured) {
  const auto drawing = ladder_plot(result_of(diagnosed_result()));
  ASSERT_TRUE(drawing);
  expect_sound_drawing(*drawing);
  EXPECT_EQ(elements_of(*drawing, "g"), 3U);
  const std::string text = text_of(*drawing);
  EXPECT_NE(text.find("+22.0 % [+20.0, +24.0] %"), std::string::npos) << text;
  EXPECT_NE(text.find("not measured"), std::string::npos);
}

TEST(LadderPlot, IsNotThereWithoutAGain) {
  EXPECT_FALSE(ladder_plot(result_of(sample_result())));
  campaign::CampaignResult result = diagnosed_result();
  for (campaign::LadderRung& rung : result.ladder) {
    rung.pairs.reset();
  }
  EXPECT_FALSE(ladder_plot(result_of(result)));
}

TEST(LadderPlot, IsSoundWithNumbersThatAreNone) {
  for (const double value : {std::numeric_limits<double>::quiet_NaN(),
                             std::numeric_limits<double>::infinity(),
                             -0.4,
                             1e300}) {
    campaign::CampaignResult result = diagnosed_result();
    result.ladder.front().pairs->gain.value = value;
    result.ladder.front().pairs->gain.upper = value;
    result.ladder.front().rules = {std::string(10'000, 'r')};
    const auto drawing = ladder_plot(result_of(result));
    ASSERT_TRUE(drawing) << value;
    expect_sound_drawing(*drawing);
  }
}

}  // namespace
}  // namespace tune::report
