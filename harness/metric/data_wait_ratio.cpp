#include "metric/data_wait_ratio.h"

#include "metric/why_missing.h"

namespace tune::metric {

Metric data_wait_ratio(const TraceInput& input) {
  constexpr auto kLoading = static_cast<std::size_t>(profile::Role::data_loading);
  if (const std::string why = why_no_loader(input); !why.empty()) {
    return not_applicable("data_wait_ratio", "ratio", why);
  }
  const auto& total = input.partition.total;
  return share_of_steps(
      "data_wait_ratio", total.exposed_ns[kLoading] + total.overlapped_ns[kLoading], input);
}

}  // namespace tune::metric
