#include "metric/data_wait_ratio.h"

namespace tune::metric {

Metric data_wait_ratio(const TraceInput& input) {
  constexpr auto kLoading = static_cast<std::size_t>(profile::Role::data_loading);
  if (const std::string why = why_no_steps(input); !why.empty()) {
    return not_applicable("data_wait_ratio", "ratio", why);
  }
  if (input.partition.rows[kLoading] == 0) {
    return not_applicable(
        "data_wait_ratio",
        "ratio",
        "no row is called enumerate(DataLoader)#: the loader is not PyTorch's, ran "
        "outside of the trace, or does not exist");
  }
  const auto& total = input.partition.total;
  return share_of_steps(
      "data_wait_ratio", total.exposed_ns[kLoading] + total.overlapped_ns[kLoading], input);
}

}  // namespace tune::metric
