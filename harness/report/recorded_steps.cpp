#include "report/recorded_steps.h"

#include <algorithm>
#include <cstdint>

namespace tune::report {

const profile::Partition* recorded_steps(const campaign::CampaignResult& result,
                                         const std::string& cell) {
  const auto found = std::find_if(
      result.profiles.begin(), result.profiles.end(), [&](const campaign::ProfiledCell& each) {
        return each.cell == cell && each.trace && each.trace->partition &&
               !each.trace->partition->parts.empty();
      });
  return found == result.profiles.end() ? nullptr : &*found->trace->partition;
}

profile::RoleTimes mean_exposed_ns(const profile::Partition& partition) {
  profile::RoleTimes mean_ns = partition.total.exposed_ns;
  const auto steps = std::max<std::int64_t>(1, static_cast<std::int64_t>(partition.parts.size()));
  for (std::int64_t& ns : mean_ns) {
    ns /= steps;
  }
  return mean_ns;
}

}  // namespace tune::report
