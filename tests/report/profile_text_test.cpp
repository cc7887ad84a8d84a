#include "report/profile_text.h"

#include "report/html.h"
#include "report/markdown.h"
#include "report/result_json.h"
#include "sample_result.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace tune::report {
namespace {

using Row = std::vector<std::string>;

TEST(ProfileText, PartsOfAStepStandSideBySideAndSumToIt) {
  const TextTable table = recorded_partition(sample_result());
  ASSERT_EQ(table.heading.size(), 5U);
  EXPECT_EQ(table.heading[1], "baseline");
  EXPECT_EQ(table.heading[2], "baseline, overlapped");
  ASSERT_EQ(table.rows.size(), 3U) << "roles that no cell has are left out";
  EXPECT_EQ(table.rows[0],
            (Row{"data_loading", "180ms (24.6 %)", "0s (0.0 %)", "1ms (0.3 %)", "0s (0.0 %)"}));
  EXPECT_EQ(table.rows[1][1], "540ms (73.8 %)");
}

TEST(ProfileText, OperatorsTellCallsAndTimeOfAStep) {
  const TextTable table = recorded_operators(sample_result());
  ASSERT_EQ(table.rows.size(), 3U);
  EXPECT_EQ(table.rows[0],
            (Row{"aten::mkldnn_convolution", "20.0 calls, 210ms", "20.0 calls, 121ms"}));
  EXPECT_EQ(table.rows[2][2], "-") << "the best cell does not call it";
}

TEST(ProfileText, StretchedStepsGiveCountsOnly) {
  auto result = sample_result();
  for (campaign::ProfiledCell& cell : result.profiles) {
    cell.dilation = 1.3;
    campaign::refuse_stretched_times(*cell.trace, cell.dilation);
  }
  EXPECT_TRUE(recorded_partition(result).rows.empty());
  EXPECT_EQ(recorded_operators(result).rows.at(0).at(1), "20.0 calls");
  EXPECT_NE(recording_lines(result).at(0).find("1.30 times as long"), std::string::npos);
  const auto json = nlohmann::json::parse(to_result_json(result));
  EXPECT_TRUE(json["profiles"][0]["partition"].is_null());
  EXPECT_TRUE(json["profiles"][0]["metrics"][0]["value"].is_null());
}

TEST(ProfileText, WhereNothingWasRecordedTheReasonStands) {
  auto result = sample_result();
  result.profiles.resize(1);
  result.profiles[0].trace.reset();
  result.profiles[0].file.clear();
  result.profiles[0].reason = "the disk is full";
  EXPECT_EQ(recording_lines(result).at(0),
            "baseline: nothing recorded by confirm1-baseline: the disk is full");
  EXPECT_TRUE(recorded_partition(result).rows.empty());
  EXPECT_TRUE(recorded_operators(result).rows.empty());
  const auto json = nlohmann::json::parse(to_result_json(result));
  EXPECT_EQ(json["profiles"][0]["partition_reason"], "the disk is full");
}

TEST(ProfileText, ARunThatRecordsNothingHasNoSuchSection) {
  auto result = sample_result();
  result.profiles.clear();
  EXPECT_EQ(to_markdown(result).find("What a step consists of"), std::string::npos);
  EXPECT_EQ(to_html(result).find("What a step consists of"), std::string::npos);
  EXPECT_NE(to_html(sample_result()).find("What a step consists of"), std::string::npos);
}

}  // namespace
}  // namespace tune::report
