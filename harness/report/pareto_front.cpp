#include "report/pareto_front.h"

#include "report/chart_scale.h"
#include "report/run_words.h"

#include <algorithm>
#include <cstddef>

namespace tune::report {

std::vector<RateAndMemory> rates_and_memory(const result::Result& result) {
  const MetricByCell peaks(result, "peak_memory_bytes");
  const auto is_positive = [](double value) { return is_drawable(value) && value > 0; };
  std::vector<RateAndMemory> all;
  for (const result::Cell& cell : result.cells) {
    const result::Number* const peak = peaks.find(cell.id);
    const double rate = cell.throughput.value.value_or(0);
    if (peak != nullptr && is_positive(rate) && is_positive(*peak->value)) {
      all.push_back({.cell = &cell, .rate = rate, .memory_bytes = *peak->value});
    }
  }
  std::vector<RateAndMemory*> order;
  order.reserve(all.size());
  for (RateAndMemory& each : all) {
    if (each.cell->broken_constraints.empty()) {
      order.push_back(&each);
    }
  }
  std::stable_sort(order.begin(), order.end(), [](const auto* a, const auto* b) {
    return a->memory_bytes != b->memory_bytes ? a->memory_bytes < b->memory_bytes
                                              : a->rate > b->rate;
  });
  double fastest = 0;
  for (RateAndMemory* const each : order) {
    each->is_on_front = each->rate > fastest;
    fastest = std::max(fastest, each->rate);
  }
  return all;
}

}  // namespace tune::report
