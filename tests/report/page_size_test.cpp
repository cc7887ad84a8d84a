// What a page loses, and in which order, when it would be too large.

#include "page_check.h"
#include "report/page_detail.h"
#include "report/run_pages.h"
#include "sample_advice.h"
#include "sample_result.h"
#include "sample_trial.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tune::report {
namespace {

constexpr const char* kData = "id=\"tune-result\"";
constexpr const char* kSteps = "The steps one by one";

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// 2,500 settings, most of them left out or failed with much to say, and a scenario as long as one
// may be: several times what a page may hold.
campaign::CampaignResult large_result() {
  auto result = diagnosed_result();
  const std::string label(300, 'a');
  const std::string lines = std::string(180, 'e') + "\n";
  for (std::size_t i = result.cells.size(); i < 2'500; ++i) {
    campaign::CellResult cell = result.cells.at(1);
    cell.cell.id = "x" + std::to_string(i);
    cell.cell.changed["cpu_affinity"] = label;
    cell.outcome = i % 5 == 0 ? "crashed" : "completed";
    cell.reason = i % 5 == 0 ? std::string(390, 'r') : "";
    result.cells.push_back(cell);
    if (i % 5 == 0) {
      campaign::TrialRecord trial{.stage = "search", .round = 1};
      trial.spec.cell = cell.cell.id;
      trial.spec.id = "r1-" + cell.cell.id;
      trial.outcome = sample_failure(
          runner::OutcomeKind::crashed, "SIGSEGV", lines + lines + lines + lines + lines + lines);
      result.trials.push_back(trial);
    }
  }
  for (int i = 0; i < 20'000; ++i) {
    result.scenario.text += "# line " + std::to_string(i) + " of a comment that goes on and on\n";
  }
  return result;
}

TEST(PageSize, ManySettingsWithLongTextsKeepToEveryLimitAndWhatIsLeftOutIsSaid) {
  const auto result = large_result();
  std::vector<std::string> pages;
  for (const std::size_t limit :
       {kPageLimitBytes, std::size_t{1'000'000}, std::size_t{300'000}, kLeastPageLimitBytes}) {
    const std::string& html = pages.emplace_back(to_html(result, limit));
    EXPECT_LE(html.size(), limit);
    expect_sound_page(html);
    EXPECT_TRUE(contains(html, "How much faster")) << limit;
  }
  const std::string& html = pages.front();
  EXPECT_TRUE(contains(html, "more settings are in result.json."));
  EXPECT_TRUE(
      contains(html, "more failed trials are left out, because this page would be too large"));
  EXPECT_TRUE(contains(html, "This is the start of the text: "));
  EXPECT_TRUE(contains(html, "that file is too large to be in this page as well"));
  EXPECT_TRUE(contains(pages.back(), "Left out, because this page would be too large"));
}

// Data, then single steps, before anything that a reader sees first.
TEST(PageSize, WhatIsLeastMissedGoesFirst) {
  const auto result = diagnosed_result();
  const std::string whole = to_html(result);
  ASSERT_TRUE(contains(whole, kData));
  ASSERT_TRUE(contains(whole, kSteps));
  const std::string without_data = to_html(result, whole.size() - 1);
  EXPECT_FALSE(contains(without_data, kData));
  EXPECT_TRUE(contains(without_data, kSteps));
  const std::string without_steps = to_html(result, without_data.size() - 1);
  EXPECT_FALSE(contains(without_steps, kSteps));
  EXPECT_TRUE(contains(without_steps, "The steps of single trials are left out"));
  EXPECT_TRUE(contains(without_steps, "aten::")) << "operators stay longer";
}

TEST(PageSize, LessenInTheOrderThatIsPromised) {
  const std::vector<PageDetail>& details = page_details();
  ASSERT_GE(details.size(), 6U);
  EXPECT_TRUE(details[0].has_data && details[0].has_single_steps);
  EXPECT_FALSE(details[1].has_data);
  EXPECT_FALSE(details[2].has_single_steps);
  EXPECT_EQ(details[3].table_rows, 50U);
  EXPECT_EQ(details[4].strips, 5U);
  EXPECT_EQ(details[5].settings, 500U);
  for (std::size_t i = 1; i < details.size(); ++i) {
    EXPECT_LE(details[i].settings, details[i - 1].settings);
    EXPECT_LE(details[i].tails, details[i - 1].tails);
    EXPECT_LE(details[i].scenario_bytes, details[i - 1].scenario_bytes);
  }
}

TEST(CutText, EndsAtALineAndNeverWithinACharacter) {
  EXPECT_EQ(cut_text("abc", 3).text, "abc");
  EXPECT_EQ(cut_text("abc", 3).remark, "");
  EXPECT_EQ(cut_text("line one\nline two\n", 12).text, "line one\n");
  EXPECT_EQ(cut_text("\xE4\xB8\xAD\xE4\xB8\xAD", 4).text, "\xE4\xB8\xAD");
  EXPECT_TRUE(contains(cut_text(std::string(2048, 'x'), 1024).remark, "1.0 KiB of 2.0 KiB") ||
              contains(cut_text(std::string(2048, 'x'), 1024).remark, "1 KiB of 2 KiB"));
}

}  // namespace
}  // namespace tune::report
