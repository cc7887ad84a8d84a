#include "metric/busiest_stream.h"

#include <algorithm>
#include <vector>

namespace tune::metric {

std::uint32_t busiest_stream(const TraceInput& input) {
  std::vector<std::int64_t> work_ns(input.timeline.tracks.size());
  for (const std::uint32_t i : input.device_work) {
    const profile::Event& event = input.timeline.events[i];
    work_ns[event.track] += input.clock.within(event);
  }
  const auto most = std::max_element(work_ns.begin(), work_ns.end());
  return most == work_ns.end() || *most <= 0 ? profile::kNone
                                             : static_cast<std::uint32_t>(most - work_ns.begin());
}

}  // namespace tune::metric
