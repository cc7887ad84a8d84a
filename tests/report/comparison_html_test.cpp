#include "page_check.h"
#include "report/diff_report.h"
#include "report/ranks_report.h"
#include "report/trace_comparison.h"
#include "trace/metric/trace_input.h"
#include "trace/table/table_input.h"
#include "trace_text.h"
#include "xml_check.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace tune::report {
namespace {

using profile::read_text;
using profile::row;

const std::string kStep = row("user_annotation", "ProfilerStep#1", "0", "100");
const std::string kOp = row("cpu_op", "aten::mm", "10", "50");

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

AnalysisRecord record_of(std::vector<std::string> warnings = {}) {
  AnalysisRecord record;
  record.warnings = std::move(warnings);
  record.tune_version = "0.1.0";
  record.command = {"tune", "analyze", "job/"};
  record.started_utc = "2026-11-22T00:00:00Z";
  return record;
}

table::TraceSide side_of(const std::string& events) {
  const profile::Timeline timeline = read_text(R"({"traceEvents": [)" + events + "]}");
  const metric::TraceInput input = metric::examine(timeline);
  return table::take_side(metric::table_input(input));
}

rank::RankSummary rank_of(int rank, const std::string& kernel_us) {
  const profile::Timeline timeline = read_text(
      R"({"distributedInfo": {"rank": )" + std::to_string(rank) + R"(}, "traceEvents": [)" + kStep +
      "," + row("kernel", "gemm", "10", kernel_us) + "]}");
  return rank::summarise_rank(metric::examine(timeline));
}

TEST(ComparisonHtml, DrawsBeforeAndAfterOnOneScale) {
  const auto before = side_of(kStep + "," + kOp + "," + row("kernel", "gemm", "20", "30"));
  const auto after = side_of(kStep + "," + kOp + "," + row("kernel", "gemm", "20", "60"));
  const std::string page = to_comparison_html(compare_sides(before, after), record_of());
  expect_sound_page(page);
  EXPECT_TRUE(contains(page, "before: 100us, kernel: 30us, 30.0 %"));
  EXPECT_TRUE(contains(page, "after: 100us, kernel: 60us, 60.0 %"));
  EXPECT_TRUE(contains(page, "tune analyze job/"));
}

TEST(ComparisonHtml, SaysWhyTracesCannotBeCompared) {
  const std::string page =
      to_comparison_html(compare_sides(side_of(kStep), side_of(kOp)), record_of());
  expect_sound_page(page);
  EXPECT_FALSE(contains(page, "<svg"));
  EXPECT_TRUE(contains(page, "Not known: "));
}

TEST(ComparisonHtml, DrawsRanksAndSaysWhatWasLeftOut) {
  std::vector<rank::RankSummary> ranks;
  ranks.push_back(rank_of(0, "20"));
  ranks.push_back(rank_of(1, "80"));
  const std::vector<SkippedFile> skipped = {{"<b>notes</b>", "<b>notes</b>: is not JSON"}};
  const std::string page =
      to_comparison_html(compare_ranks(ranks, skipped), record_of({"rank0.json: ends early"}));
  expect_sound_page(page);
  EXPECT_TRUE(contains(page, "rank 1: 100us, kernel: 80us, 80.0 %"));
  EXPECT_FALSE(contains(page, "<b>notes"));
  const std::string text = read_xml(page).text;
  EXPECT_LT(text.find("rank0.json: ends early"), text.find("Where the time of a step goes"));
  EXPECT_TRUE(contains(text, "skipped, no trace: <b>notes</b>: is not JSON"));
}

TEST(ComparisonHtml, DrawsTheFirstOfManyRanks) {
  std::vector<rank::RankSummary> ranks;
  ranks.reserve(70);
  for (int i = 0; i < 70; ++i) {
    ranks.push_back(rank_of(i, "20"));
  }
  const std::string page = to_comparison_html(compare_ranks(ranks, {}), record_of());
  expect_sound_page(page);
  EXPECT_TRUE(contains(page, "The first 64 are drawn"));
}

}  // namespace
}  // namespace tune::report
