#include "rank/collective_wait_ratio.h"

#include <numeric>

namespace tune::rank {

metric::Metric collective_wait_ratio(const MatchedCollectives& matched) {
  constexpr const char* kId = "collective_wait_ratio";
  std::int64_t wait_ns = 0, transfer_ns = 0, count = 0;
  for (const MatchedGroup& group : matched.groups) {
    for (const MatchedCollective& collective : group.collectives) {
      wait_ns +=
          std::accumulate(collective.wait_ns.begin(), collective.wait_ns.end(), std::int64_t{0});
      transfer_ns += collective.transfer_ns * static_cast<std::int64_t>(group.ranks.size());
      ++count;
    }
  }
  if (wait_ns + transfer_ns == 0) {
    return metric::not_applicable(
        kId,
        "ratio",
        matched.reason.empty() ? "no matched collective has a duration" : matched.reason);
  }
  metric::Metric metric{.id = kId, .unit = "ratio"};
  metric.value = static_cast<double>(wait_ns) / static_cast<double>(wait_ns + transfer_ns);
  metric.n = count;
  metric.reason = "a share of all collectives together has no interval";
  return metric;
}

}  // namespace tune::rank
