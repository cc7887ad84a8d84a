#include "campaign/core_reference.h"

namespace tune::campaign {

std::int64_t fastest_core_probe_ns(const std::vector<TrialRecord>& trials,
                                   const std::string& cell,
                                   const std::string& stage) {
  constexpr int kProcesses = 4;
  std::int64_t fastest_ns = 0;
  int looked_at = 0;
  for (auto record = trials.rbegin(); record != trials.rend() && looked_at < kProcesses; ++record) {
    if (record->spec.cell != cell || record->stage != stage || !record->outcome.reply) {
      continue;
    }
    ++looked_at;
    for (const trial::Slice& slice : record->outcome.reply->slices) {
      const std::int64_t seen_ns = slice.disturbance.core_probe_ns.value_or(0);
      if (seen_ns > 0 && (fastest_ns == 0 || seen_ns < fastest_ns)) {
        fastest_ns = seen_ns;
      }
    }
  }
  return fastest_ns;
}

}  // namespace tune::campaign
