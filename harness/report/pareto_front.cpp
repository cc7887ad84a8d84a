#include "report/pareto_front.h"

#include "report/chart_scale.h"
#include "report/run_words.h"

#include <algorithm>
#include <cstddef>

namespace tune::report {

std::vector<RateAndCost> rates_and_costs(const result::Result& result, Cost cost) {
  const MetricByCell costs(result,
                           cost == Cost::energy ? "energy_per_sample" : "peak_memory_bytes",
                           MetricByCell::Window::ranking);
  const auto is_positive = [](double value) { return is_drawable(value) && value > 0; };
  std::vector<RateAndCost> all;
  for (const result::Cell& cell : result.cells) {
    const result::Number* const number = costs.find(cell.id);
    const double rate = cell.throughput.value.value_or(0);
    if (number != nullptr && is_positive(rate) && is_positive(*number->value)) {
      all.push_back({.cell = &cell, .rate = rate, .cost = *number->value});
    }
  }
  std::vector<RateAndCost*> order;
  order.reserve(all.size());
  for (RateAndCost& each : all) {
    if (each.cell->broken_constraints.empty()) {
      order.push_back(&each);
    }
  }
  std::stable_sort(order.begin(), order.end(), [](const auto* a, const auto* b) {
    return a->cost != b->cost ? a->cost < b->cost : a->rate > b->rate;
  });
  double fastest = 0;
  for (RateAndCost* const each : order) {
    each->is_on_front = each->rate > fastest;
    fastest = std::max(fastest, each->rate);
  }
  return all;
}

}  // namespace tune::report
