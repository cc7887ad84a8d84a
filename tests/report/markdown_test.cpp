#include "approved.h"
#include "report/headline.h"
#include "report/run_pages.h"
#include "sample_result.h"

#include <gtest/gtest.h>

#include <sstream>

namespace tune::report {
namespace {

TEST(Markdown, IsTheApprovedPageForTheSample) {
  expect_approved("tests/golden/report/sample.md", to_markdown(sample_result()));
}

TEST(Markdown, IsTheApprovedPageWhenEverythingFailed) {
  expect_approved("tests/golden/report/all-failed.md", to_markdown(all_failed_result()));
}

TEST(Markdown, IsTheApprovedPageWhenNothingIsConfirmed) {
  expect_approved("tests/golden/report/unconfirmed.md", to_markdown(unconfirmed_result()));
}

TEST(Markdown, FitsIntoACommentWhateverTheRunFound) {
  auto huge = hostile_result();
  for (auto& cell : huge.cells) {
    cell.cell.changed["cpu_affinity"] = std::string(100'000, '<');
    cell.outcome = cell.reason = std::string(100'000, '`');
  }
  huge.scenario.notes.assign(1000, std::string(10'000, '|'));
  huge.command.assign(1000, std::string(1000, '&'));
  for (const auto& result : {huge, result_with_cells(500), empty_result()}) {
    EXPECT_LE(to_markdown(result).size(), kMarkdownLimitBytes);
  }
}

TEST(Markdown, KeepsToAnyLimitAndTellsOfWhatIsLeftOut) {
  for (const std::size_t limit : {std::size_t{2'000}, std::size_t{3'000}, std::size_t{20'000}}) {
    const std::string page = to_markdown(sample_result(), limit);
    EXPECT_LE(page.size(), limit);
    EXPECT_TRUE(page.starts_with("<!-- tune-report: resnet18 -->\n")) << "found and replaced";
    EXPECT_NE(page.find(headline(sample_result()).substr(0, 30)), std::string::npos);
  }
  EXPECT_NE(to_markdown(sample_result(), 3'000).find("eft out"), std::string::npos);
}

TEST(Markdown, AStepSummaryListsEverySetting) {
  const auto result = result_with_cells(300);
  const std::string comment = to_markdown(result);
  const std::string summary = to_markdown(result, kStepSummaryLimitBytes);
  EXPECT_LE(comment.size(), kMarkdownLimitBytes);
  EXPECT_LE(summary.size(), kStepSummaryLimitBytes);
  EXPECT_NE(comment.find("more of 300 are in report.html"), std::string::npos);
  EXPECT_EQ(summary.find("are in report.html"), std::string::npos);
}

TEST(Markdown, EscapesWhatWouldFormatOrBreakARow) {
  EXPECT_EQ(escape_markdown("a|b`c\nd<e> & *f*"), "a\\|b\\`c d&lt;e&gt; &amp; \\*f\\*");
  EXPECT_EQ(escape_markdown("batch_size=32"), "batch_size=32");
  EXPECT_EQ(escape_markdown("_x_"), "\\_x\\_");
}

TEST(Markdown, EveryTableRowHasTheColumnsOfItsHead) {
  for (const auto& result : {sample_result(), hostile_result(), all_failed_result()}) {
    std::istringstream lines(to_markdown(result));
    std::size_t columns = 0;
    for (std::string line; std::getline(lines, line);) {
      std::size_t bars = 0;
      for (std::size_t i = 0; i < line.size(); ++i) {
        bars += line[i] == '|' && (i == 0 || line[i - 1] != '\\') ? 1 : 0;
      }
      if (line.starts_with("| ") && columns == 0) {
        columns = bars;
      }
      if (line.starts_with("|")) {
        EXPECT_EQ(bars, columns) << line;
      } else {
        columns = 0;
      }
    }
  }
}

TEST(Markdown, BeginsWithAMarkerThatNamesTheScenario) {
  EXPECT_TRUE(to_markdown(sample_result()).starts_with("<!-- tune-report: resnet18 -->\n"));
  auto result = sample_result();
  result.scenario.name = "a-->b--c-";
  EXPECT_TRUE(to_markdown(result).starts_with("<!-- tune-report: a-b-c -->\n"));
}

}  // namespace
}  // namespace tune::report
