#include "live_section.h"
#include "page_check.h"
#include "report/quantity_text.h"
#include "report/result_json.h"
#include "report/run_pages.h"
#include "sample_result.h"
#include "schema_complaint.h"

#include <gtest/gtest.h>

#include <limits>

namespace tune::report {
namespace {

campaign::CampaignResult with_limits() {
  campaign::CampaignResult result = sample_result();
  campaign::LimitUse limits;
  limits.probed_utc = "2026-03-01T10:15:00Z";
  limits.rows = {{"operator_time", "add of one element", "s", 0.01, 0.002, 0.2, ""},
                 {"disk_read_rate", "", "B/s", std::nullopt, 2e9, std::nullopt, "no <disk>"}};
  result.diagnosis.emplace().trial = "r1-baseline";
  result.diagnosis->limits = limits;
  return result;
}

Section limits_of(const campaign::CampaignResult& result) {
  return live(run_limits_section, result);
}

TEST(LimitsText, SaysHowCloseAndWhatIsNotKnown) {
  const Table table = blocks_of<Table>(limits_of(with_limits())).at(0);
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(table.rows[0][1], "10ms");
  EXPECT_EQ(table.rows[0][2], "2ms");
  EXPECT_EQ(table.rows[0][3], "20.0 %");
  const auto lines = blocks_of<List>(limits_of(with_limits())).at(0).items;
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0], "not known: read from disks: no <disk>");
  EXPECT_NE(lines[1].find("r1-baseline; limits measured by tune probe, 2026-03-01"),
            std::string::npos);
}

TEST(LimitsText, AMachineThatWasNotProbedGetsTheCommand) {
  campaign::CampaignResult result = with_limits();
  result.diagnosis->limits = campaign::LimitUse{.reason = campaign::StoredProbe().reason};
  const Section section = limits_of(result);
  EXPECT_TRUE(blocks_of<Table>(section).empty());
  ASSERT_EQ(blocks_of<List>(section).at(0).items.size(), 1U);
  EXPECT_NE(blocks_of<List>(section)[0].items[0].find("tune probe"), std::string::npos);
  EXPECT_TRUE(limits_of(sample_result()).blocks.empty()) << "no rule was asked";
}

TEST(LimitsText, StandsInAllReports) {
  const campaign::CampaignResult result = with_limits();
  const auto json = nlohmann::json::parse(to_result_json(result));
  EXPECT_EQ(complaint(json), "");
  EXPECT_EQ(json["limits"]["rows"][0]["ratio"], 0.2);
  EXPECT_EQ(json["limits"]["rows"][1]["reason"], "no <disk>");
  EXPECT_TRUE(json["limits_reason"].is_null());
  EXPECT_TRUE(nlohmann::json::parse(to_result_json(sample_result()))["limits"].is_null());
  const std::string page = to_markdown(result);
  EXPECT_NE(page.find("<summary>How close to the limit</summary>"), std::string::npos);
  EXPECT_EQ(page.find("<disk>"), std::string::npos) << "escaped";
  EXPECT_NE(to_html(result).find("How close to the limit"), std::string::npos);
  expect_sound_page(to_html(result));
}

TEST(QuantityText, HasTheUnitThatPeopleExpect) {
  EXPECT_EQ(quantity_text(380'100, "1/s"), "380.1 k/s");
  EXPECT_EQ(quantity_text(1800, "1/s"), "1800/s");
  EXPECT_EQ(quantity_text(5e10, "FLOP/s"), "50.0 GFLOP/s");
  EXPECT_EQ(quantity_text(0.117, "J"), "117.0 mJ");
  EXPECT_EQ(quantity_text(2, "J"), "2.00 J");
  EXPECT_EQ(quantity_text(4.5e-7, "s"), "0.45us");
  EXPECT_EQ(quantity_text(5.7, "us/KB"), "5.70 us/KB");
  EXPECT_EQ(quantity_text(0.123, "ratio"), "12.3 %");
  EXPECT_EQ(quantity_text(2.5e9, "Hz"), "2500 MHz");
  EXPECT_EQ(quantity_text(250, "W"), "250.0 W");
  EXPECT_EQ(quantity_text(-1, "B"), quantity_text(0, "B"));
  EXPECT_EQ(quantity_text(std::numeric_limits<double>::infinity(), "B/s"), "not measured");
}

}  // namespace
}  // namespace tune::report
