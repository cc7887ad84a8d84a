#include "cli/run_profiles.h"

#include "base/error.h"
#include "metric/trace_input.h"
#include "metric/trace_metrics.h"
#include "profile/reader/read_trace.h"
#include "table/tables.h"

namespace tune::cli {

namespace {

campaign::TraceNumbers numbers_of(const profile::Timeline& timeline) {
  const metric::TraceInput input = metric::examine(timeline);
  campaign::TraceNumbers numbers;
  numbers.partition = input.partition;
  numbers.metrics = metric::trace_metrics(input);
  numbers.tables = table::all_tables(metric::table_input(input));
  numbers.warnings = timeline.notes.warnings();
  if (input.partition.parts.empty()) {
    numbers.partition.reset();
    numbers.partition_reason = metric::why_no_steps(input);
  }
  return numbers;
}

// Whether the same cell ran the same kernels twice; a CPU has none, so that its repeat is not read.
void compare_with_repeat(campaign::ProfiledCell& cell) {
  campaign::KernelSets own = campaign::compare_kernels(cell.trace->tables, cell.trace->tables);
  if (cell.repeat.empty() || !own.distance) {
    cell.kernels = std::move(own);
    if (cell.kernels->distance) {
      cell.kernels = campaign::KernelSets{.reason = "the cell was recorded but once"};
    }
    return;
  }
  try {
    cell.kernels = campaign::compare_kernels(cell.trace->tables,
                                             numbers_of(profile::read_trace(cell.repeat)).tables);
  } catch (const Error& error) {
    cell.kernels = campaign::KernelSets{.reason = error.what()};
  }
}

}  // namespace

void read_profiles(campaign::CampaignResult& result) {
  for (campaign::ProfiledCell& cell : result.profiles) {
    if (cell.file.empty()) {
      continue;
    }
    try {
      cell.trace = numbers_of(profile::read_trace(cell.file));
      campaign::refuse_stretched_times(*cell.trace, cell.dilation);
      compare_with_repeat(cell);
    } catch (const Error& error) {
      cell.reason = error.what();
    }
  }
}

}  // namespace tune::cli
