#include "report/format/core_metric.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace tune::report {

namespace {

constexpr std::array<std::string_view, 5> kMetrics = {
    "throughput", "step_time", "epoch_time", "data_wait_ratio", "peak_memory_bytes"};

bool is_core(const std::string& metric) {
  return std::find(kMetrics.begin(), kMetrics.end(), metric) != kMetrics.end();
}

// A later number of the same setting is of a window that says more: search, then audit or fresh
// pairs.
void put(CoreMetric metric, std::vector<CoreMetric>& found) {
  metric.better = metric.metric == "throughput" ? Better::bigger : Better::smaller;
  for (CoreMetric& other : found) {
    if (other.setting == metric.setting && other.metric == metric.metric) {
      other.number = metric.number;
      return;
    }
  }
  found.push_back(std::move(metric));
}

}  // namespace

std::vector<CoreMetric> core_metrics(const result::Result& result) {
  std::vector<CoreMetric> found;
  for (const result::Metric& metric : result.metrics) {
    if (is_core(metric.id) && metric.number.value && !metric.cell.empty()) {
      put({.setting = result.setting_of(metric.cell), .metric = metric.id, .number = metric.number},
          found);
    }
  }
  if (!result.gate) {
    return found;
  }
  for (const result::GateRow& row : result.gate->rows) {
    if (is_core(row.metric) && row.is_measured && row.baseline.low && row.candidate.low) {
      put({.setting = "baseline",
           .metric = row.metric,
           .number = {.value = row.baseline.low, .n = row.pairs, .unit = row.unit}},
          found);
      put({.setting = "candidate",
           .metric = row.metric,
           .number = {.value = row.candidate.low, .n = row.pairs, .unit = row.unit}},
          found);
    }
  }
  return found;
}

}  // namespace tune::report
