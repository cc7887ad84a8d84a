#include "cli/analyze_diff.h"

#include "base/clock.h"
#include "base/error.h"
#include "cli/show_comparison.h"
#include "cli/standard_input.h"
#include "metric/trace_input.h"
#include "report/diff_report.h"
#include "table/diff_tables.h"

#include <nlohmann/json.hpp>

namespace tune::cli {

namespace {

// Its timeline is gone before the next is read.
table::TraceSide read_side(const AnalyzeRequest& request,
                           const std::string& file,
                           std::vector<std::string>& warnings) {
  const profile::Timeline timeline = read_named_trace(file, read_options(request));
  for (const std::string& warning : timeline.notes.warnings()) {
    warnings.push_back(timeline.file + ": " + warning);
  }
  const metric::TraceInput input = metric::examine(timeline);
  return table::take_side(metric::table_input(input));
}

}  // namespace

ExitCode analyze_diff(const AnalyzeRequest& request) {
  if (request.traces.size() != 2) {
    throw Error(Error::Parts{"--diff",
                             "compares two traces",
                             std::to_string(request.traces.size()) + " named",
                             "tune analyze --diff BEFORE AFTER"});
  }
  const std::int64_t start_ns = monotonic_ns();
  std::vector<std::string> warnings;
  const table::TraceSide before = read_side(request, request.traces.front(), warnings);
  const table::TraceSide after = read_side(request, request.traces.back(), warnings);
  const report::TraceComparison comparison = report::compare_sides(before, after);
  report::AnalysisRecord record = begin_record(request, stem_of(request.traces.back()) + "-diff");
  record.warnings = std::move(warnings);
  record.elapsed_ns = monotonic_ns() - start_ns;
  return show_comparison(request, comparison, record, report::diff_json(before, after, comparison));
}

}  // namespace tune::cli
