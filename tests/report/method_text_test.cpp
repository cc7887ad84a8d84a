#include "report/result_json.h"
#include "report/result_of.h"
#include "report/run_pages.h"
#include "report/run_sections.h"
#include "sample_result.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace tune::report {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

campaign::CampaignResult audited_result() {
  auto result = sample_result();
  result.audit = campaign::Audit{.has_begun = true,
                                 .is_whole = true,
                                 .pick = result.cells[2].cell.id,
                                 .best = result.cells[1].cell.id,
                                 .found_ratio = 0.9812,
                                 .rounds = 3,
                                 .cells = 24,
                                 .search_trials = 18,
                                 .trials = 72,
                                 .search_ns = 30'000'000'000,
                                 .ns = 360'000'000'000};
  for (campaign::CellResult& cell : result.cells) {
    cell.stage = "audit";
  }
  return result;
}

std::string text_of_audit(const campaign::CampaignResult& result) {
  return audit_text(result_of(result));
}

nlohmann::json audit_of(const campaign::CampaignResult& result) {
  return nlohmann::json::parse(to_result_json(result)).at("method").at("audit");
}

// "at most +88.7 %" of a setting that never ran is a figure of the model, which the page explains.
TEST(MethodLines, ExplainTheModelWhereItLeftACellOut) {
  auto result = sample_result();
  const auto explains = [&] {
    const std::string page = to_markdown(result);
    return contains(page, "search's model: a regression");
  };
  EXPECT_FALSE(explains());
  result.cells.back().outcome = "not-run";
  result.cells.back().reason = "the budget is used up";
  EXPECT_FALSE(explains());
  result.cells.back().reason = "not measured: at most +88.7 %, the leader has +90.9 %";
  EXPECT_TRUE(explains());
}

TEST(AuditText, SaysWhatWasFoundForWhatAndThatTheShareIsRatherTooLow) {
  const auto result = audited_result();
  const std::string text = text_of_audit(result);
  EXPECT_TRUE(
      text.starts_with("the search found 98.1 % of the best with 25.0 % of the trials (18 "
                       "of 72) and 8.3 % of the measured seconds: "))
      << text;
  EXPECT_TRUE(contains(text, "of 24 cells in 3 rounds"));
  EXPECT_TRUE(contains(text, "rather too low"));
}

TEST(AuditText, StandsInEveryReport) {
  const auto result = audited_result();
  EXPECT_TRUE(contains(to_markdown(result), "audit: the search found 98.1 % of the best"));
  EXPECT_TRUE(contains(to_html(result), "audit: the search found 98.1 % of the best"));
  const auto audit = audit_of(result);
  EXPECT_EQ(audit.at("found_ratio"), 0.9812);
  EXPECT_EQ(audit.at("trials_ratio"), 0.25);
  EXPECT_EQ(audit.at("measured_s"), 360.0);
  EXPECT_TRUE(audit.at("found_ratio_reason").is_null());
}

TEST(AuditText, NamesTheBestWhereTheSearchFoundIt) {
  auto result = audited_result();
  result.audit->pick = result.audit->best;
  result.audit->found_ratio = 1;
  EXPECT_TRUE(text_of_audit(result).starts_with("the search found 100.0 % of the best"));
  EXPECT_TRUE(contains(text_of_audit(result), "is the fastest of 24 cells in 3 rounds"));
  EXPECT_FALSE(contains(text_of_audit(result), "too low")) << "it cannot be higher";
}

TEST(AuditText, HasNoShareWhereTheAuditIsIncomplete) {
  auto result = sample_result();
  result.audit = campaign::Audit{.reason = "the audit is incomplete: 60 of 72 trials are missing",
                                 .has_begun = true};
  EXPECT_EQ(text_of_audit(result), "the audit is incomplete: 60 of 72 trials are missing");
  const auto audit = audit_of(result);
  EXPECT_TRUE(audit.at("found_ratio").is_null());
  EXPECT_EQ(audit.at("found_ratio_reason"), text_of_audit(result));
  EXPECT_TRUE(audit.at("trials_ratio").is_null());
}

TEST(AuditText, IsEmptyWhereNoneWasAskedFor) {
  EXPECT_EQ(text_of_audit(sample_result()), "");
  EXPECT_TRUE(audit_of(sample_result()).is_null());
}

TEST(HtmlReport, ListsUnderFreshPairsOnlyFreshPairs) {
  const std::string page = to_html(audited_result());
  const auto begin = page.find("<h2>Fresh pairs</h2>");
  ASSERT_NE(begin, std::string::npos);
  const std::string section = page.substr(begin, page.find("</section>", begin) - begin);
  EXPECT_TRUE(contains(section, "CONFIRMED"));
  for (const char* const other : {"warm-up:", "search:", "audit:"}) {
    EXPECT_FALSE(contains(section, other)) << other;
    EXPECT_TRUE(contains(page, std::string("<li>") + other)) << other;
  }
}

}  // namespace
}  // namespace tune::report
