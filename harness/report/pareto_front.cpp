#include "report/pareto_front.h"

#include "report/chart_scale.h"

#include <algorithm>
#include <cstddef>

namespace tune::report {

std::vector<RateAndMemory> rates_and_memory(const campaign::CampaignResult& result) {
  std::vector<RateAndMemory> all;
  for (const campaign::CellResult& cell : result.cells) {
    const bool is_known = cell.throughput && is_drawable(cell.throughput->value) &&
                          cell.throughput->value > 0 && cell.peak_memory_bytes &&
                          *cell.peak_memory_bytes > 0;
    if (is_known) {
      all.push_back({.cell = &cell,
                     .rate = cell.throughput->value,
                     .memory_bytes = static_cast<double>(*cell.peak_memory_bytes)});
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
