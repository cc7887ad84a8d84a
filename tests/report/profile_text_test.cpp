#include "live_section.h"
#include "report/result_json.h"
#include "report/run_pages.h"
#include "sample_result.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace tune::report {
namespace {

using campaign::CampaignResult;
using Row = std::vector<std::string>;

std::vector<Table> tables_of(const CampaignResult& result) {
  return blocks_of<Table>(live(run_recorded_section, result));
}

std::vector<std::string> lines_of(const CampaignResult& result) {
  return blocks_of<List>(live(run_recorded_section, result)).at(0).items;
}

TEST(ProfileText, PartsOfAStepStandSideBySideAndSumToIt) {
  const Table table = tables_of(sample_result()).at(0);
  ASSERT_EQ(table.columns.size(), 5U);
  EXPECT_EQ(table.columns[1].name, "baseline");
  EXPECT_EQ(table.columns[2].name, "baseline, overlapped");
  ASSERT_EQ(table.rows.size(), 3U) << "roles that no cell has are left out";
  EXPECT_EQ(table.rows[0],
            (Row{"data_loading", "180ms (24.6 %)", "0s (0.0 %)", "1ms (0.3 %)", "0s (0.0 %)"}));
  EXPECT_EQ(table.rows[1][1], "540ms (73.8 %)");
}

TEST(ProfileText, OperatorsTellCallsAndTimeOfAStep) {
  const Table table = tables_of(sample_result()).at(1);
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
  ASSERT_EQ(tables_of(result).size(), 1U) << "no parts of a step";
  EXPECT_EQ(tables_of(result).at(0).rows.at(0).at(1), "20.0 calls");
  EXPECT_NE(lines_of(result).at(0).find("1.30 times as long"), std::string::npos);
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
  EXPECT_EQ(lines_of(result).at(0),
            "baseline: nothing recorded by confirm1-baseline: the disk is full");
  EXPECT_TRUE(tables_of(result).empty());
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
