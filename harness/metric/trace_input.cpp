#include "metric/trace_input.h"

#include <utility>

namespace tune::metric {

TraceInput examine(const profile::Timeline& timeline) {
  TraceInput input{.timeline = timeline};
  input.partition = profile::partition_steps(timeline);
  input.launches = profile::find_launches(timeline);
  input.runtime = profile::split_runtime(timeline, input.partition, input.launches);
  return input;
}

std::string why_no_steps(const TraceInput& input) {
  return input.partition.total_ns() > 0 ? "" : "the trace has no row with a duration";
}

void label_steps(Metric& metric, const TraceInput& input) {
  if (!input.partition.steps.are_marked) {
    metric.warnings.emplace_back(kNoStepMarks);
  }
  if (input.partition.steps.steps.size() == 1) {
    metric.warnings.emplace_back(kOneStep);
  }
  if (input.timeline.cut_at_ns) {
    metric.warnings.emplace_back(kCutByMemory);
  }
}

Metric share_of_steps(std::string id, std::int64_t ns, const TraceInput& input) {
  Metric share{.id = std::move(id), .unit = "ratio"};
  share.value = static_cast<double>(ns) / static_cast<double>(input.partition.total_ns());
  share.n = static_cast<std::int64_t>(input.partition.steps.steps.size());
  share.reason = "a share of all steps together has no interval";
  label_steps(share, input);
  return share;
}

}  // namespace tune::metric
