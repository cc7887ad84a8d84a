#include "page_check.h"
#include "report/run_pages.h"
#include "sample_result.h"
#include "sample_trial.h"

#include <gtest/gtest.h>

#include <string>

namespace tune::report {
namespace {

constexpr int kLeftOut = 98'000, kFailed = 1'976;  // with the sample's 24: 100,000 cells

campaign::CellResult large_cell(int number, const std::string& outcome, const std::string& reason) {
  campaign::CellResult cell{.outcome = outcome, .reason = reason};
  cell.cell.id = "x" + std::to_string(number);
  // Few knobs: what they cost in memory is not what is tested.
  cell.cell.knobs["num_workers"] = cell.cell.changed["num_workers"] = std::int64_t{number % 300};
  cell.cell.changed["cpu_affinity"] = std::string(120, 'a');
  return cell;
}

campaign::CampaignResult large_result() {
  auto result = sample_result();
  for (int i = 0; i < kLeftOut; ++i) {
    result.cells.push_back(
        large_cell(i, "not-run", "not measured: at most +88.7 %, the leader has +90.9 %"));
  }
  const std::string lines = std::string(180, 'e') + "\n";
  for (int i = kLeftOut; i < kLeftOut + kFailed; ++i) {
    result.cells.push_back(large_cell(i, "crashed", std::string(380, 'r')));
    campaign::TrialRecord trial{.stage = "search", .round = 1};
    trial.spec.cell = result.cells.back().cell.id;
    trial.spec.id = "r1-" + trial.spec.cell;
    trial.outcome = sample_failure(
        runner::OutcomeKind::crashed, "SIGSEGV", lines + lines + lines + lines + lines + lines);
    result.trials.push_back(trial);
  }
  return result;
}

// A grid may have a hundred thousand cells; a page of all of them opens in no browser.
TEST(LargeResult, StaysAPageThatABrowserOpens) {
  const auto result = large_result();
  ASSERT_EQ(result.cells.size(), 100'000U);
  const std::string html = to_html(result);
  EXPECT_LT(html.size(), 5'000'000U);
  expect_sound_page(html);
  for (const char* const rest : {"98,000 more settings are in result.json.",     // ranked
                                 "96,000 more settings are in result.json."}) {  // not measured
    EXPECT_NE(html.find(rest), std::string::npos) << rest;
  }
}

TEST(LargeResult, TheCommentPointsToTheFileThatHasAll) {
  const std::string page = to_markdown(large_result());
  EXPECT_LE(page.size(), kMarkdownLimitBytes);
  EXPECT_NE(page.find(" more of 100000 are in result.json."), std::string::npos);
}

}  // namespace
}  // namespace tune::report
