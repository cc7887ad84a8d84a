#include "metric/partition_ratio.h"

namespace tune::metric {

Metric partition_ratio(const TraceInput& input, profile::Role role) {
  const std::string id = "partition_" + std::string(profile::role_name(role)) + "_ratio";
  if (const std::string why = why_no_steps(input); !why.empty()) {
    return not_applicable(id, "ratio", why);
  }
  if (role < profile::kFirstHostRole && !input.partition.has_device_rows) {
    return not_applicable(
        id, "ratio", "the trace has rows of the CPU alone: no kernel, copy or call into a device");
  }
  const auto index = static_cast<std::size_t>(role);
  Metric ratio = share_of_steps(id, input.partition.total.exposed_ns[index], input);
  if (role != profile::Role::other && input.partition.rows[index] == 0) {
    ratio.warnings.insert(ratio.warnings.begin(), kNoRows);
  }
  return ratio;
}

}  // namespace tune::metric
