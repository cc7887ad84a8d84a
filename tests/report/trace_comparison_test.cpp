#include "report/trace_comparison.h"

#include "report/analysis_json.h"
#include "report/diff_report.h"
#include "report/ranks_report.h"
#include "schema_complaint.h"
#include "trace/metric/trace_input.h"
#include "trace/table/table_input.h"
#include "trace_text.h"

#include <gtest/gtest.h>

namespace tune::report {
namespace {

using profile::read_events;
using profile::row;

table::TraceSide side_of(const std::string& events) {
  const profile::Timeline timeline = read_events(events);
  const metric::TraceInput input = metric::examine(timeline);
  return table::take_side(metric::table_input(input));
}

std::vector<rank::RankSummary> ranks_of(const std::vector<std::string>& traces) {
  std::vector<rank::RankSummary> ranks;
  ranks.reserve(traces.size());
  for (const std::string& events : traces) {
    const profile::Timeline timeline = read_events(events);
    ranks.push_back(rank::summarise_rank(metric::examine(timeline)));
  }
  return ranks;
}

nlohmann::json document(const TraceComparison& comparison, nlohmann::ordered_json trace) {
  AnalysisRecord record{.headline = comparison.headline, .metrics = comparison.metrics};
  record.started_utc = "2026-11-22T00:00:00Z";
  return nlohmann::json::parse(to_analysis_json(record, std::move(trace)));
}

const std::string kOp = row("cpu_op", "aten::mm", "10", "50");
const std::string kDevice = kOp + "," + row("kernel", "gemm", "20", "10");

TEST(DiffReport, FitsTheSchemaAlsoWhereNothingCompares) {
  for (const std::string& other : {kOp, row("user_annotation", "ProfilerStep#1", "0", "90")}) {
    const auto before = side_of(kDevice), after = side_of(other);
    const TraceComparison comparison = compare_sides(before, after);
    const auto json = document(comparison, diff_json(before, after, comparison));
    EXPECT_EQ(complaint(json), "");
    EXPECT_EQ(json["trace"]["diff"]["tables"].size(), 3U);
  }
}

TEST(DiffReport, TheHeadlineNamesWhatChangedMost) {
  const auto before = side_of(kDevice);
  const auto after = side_of(kOp + "," + row("kernel", "gemm", "20", "30"));
  EXPECT_EQ(compare_sides(before, after).headline,
            "A step takes 50.000us after 50.000us, +0.0 %: kernel +20.000us, cpu_op -20.000us");
}

TEST(RanksReport, FitsTheSchema) {
  const auto ranks = ranks_of({kDevice, kOp});
  const std::vector<SkippedFile> skipped = {{"notes.txt", "notes.txt: byte 0: is not JSON"}};
  const TraceComparison comparison = compare_ranks(ranks, skipped);
  const auto json = document(comparison, ranks_json(ranks, comparison, skipped));
  EXPECT_EQ(complaint(json), "");
  EXPECT_EQ(json["trace"]["ranks"]["list"][1]["gpu_busy_ratio"], nullptr);
  EXPECT_EQ(json["trace"]["ranks"]["skipped"][0]["file"], "notes.txt");
}

TEST(TraceComparison, SaysWhatIsNotKnownAndFormatsNothingOfTheTrace) {
  const auto side = side_of(row("cpu_op", "<b>|x", "1", "1"));
  const std::string text = to_markdown(compare_sides(side, side));
  EXPECT_EQ(text.find("<b>|x"), std::string::npos);
  EXPECT_NE(text.find("Not known: "), std::string::npos);
  const auto ranks = ranks_of({kOp, kOp});
  EXPECT_NE(to_markdown(compare_ranks(ranks, {})).find("is not known: "), std::string::npos);
}

}  // namespace
}  // namespace tune::report
