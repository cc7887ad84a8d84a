#include "rank/compute_imbalance_ratio.h"

#include <algorithm>
#include <numeric>

namespace tune::rank {

metric::Metric compute_imbalance_ratio(const std::vector<RankSummary>& ranks) {
  constexpr const char* kId = "compute_imbalance_ratio";
  std::vector<double> times_ns;
  times_ns.reserve(ranks.size());
  for (const RankSummary& summary : ranks) {
    if (summary.kernels > 0 && summary.steps > 0) {
      times_ns.push_back(static_cast<double>(summary.exposed(profile::Role::kernel)) /
                         static_cast<double>(summary.steps));
    }
  }
  const double sum_ns = std::accumulate(times_ns.begin(), times_ns.end(), 0.0);
  if (times_ns.size() < 2 || sum_ns <= 0) {
    return metric::not_applicable(kId, "ratio", "fewer than two ranks have kernels in their steps");
  }
  const auto count = static_cast<double>(times_ns.size());
  metric::Metric metric{.id = kId, .unit = "ratio"};
  metric.value = *std::max_element(times_ns.begin(), times_ns.end()) / (sum_ns / count) - 1;
  metric.n = static_cast<std::int64_t>(times_ns.size());
  metric.reason = "a comparison of " + std::to_string(times_ns.size()) + " ranks has no interval";
  return metric;
}

}  // namespace tune::rank
