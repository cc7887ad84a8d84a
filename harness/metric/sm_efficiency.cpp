#include "metric/sm_efficiency.h"

#include "metric/why_missing.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace tune::metric {

namespace {

constexpr const char* kNoBlocks = "no kernel within a step says how many blocks per SM it has";

// Of a kernel; nothing when the row does not say.
std::optional<double> blocks_per_sm(const profile::Timeline& timeline,
                                    const profile::Event& event) {
  const profile::KernelDetail* const kernel = timeline.kernel(event);
  if (kernel == nullptr || !std::isfinite(kernel->blocks_per_sm) || kernel->blocks_per_sm < 0) {
    return std::nullopt;
  }
  return kernel->blocks_per_sm;
}

// When a share of the device begins to be in use, or (negative) stops.
struct Change {
  std::int64_t time_ns = 0;
  double share = 0;
};

double used_ns(std::vector<Change>& changes) {
  std::sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
    return a.time_ns < b.time_ns;
  });
  double sum_ns = 0, in_use = 0;
  std::int64_t running = 0, since_ns = 0;
  for (const Change& change : changes) {
    sum_ns += std::clamp(in_use, 0.0, 1.0) * static_cast<double>(change.time_ns - since_ns);
    since_ns = change.time_ns;
    running += change.share < 0 ? -1 : 1;
    in_use = running == 0 ? 0 : in_use + change.share;  // no rounding is carried on
  }
  return sum_ns;
}

}  // namespace

Metric sm_efficiency(const TraceInput& input) {
  constexpr MetricName kName = {"sm_efficiency", "ratio"};
  if (const std::string why = why_no_kernels(input); !why.empty()) {
    return not_applicable(kName, why);
  }
  const profile::Timeline& timeline = input.timeline;
  std::map<std::int32_t, std::vector<Change>> devices;
  for (const std::uint32_t i : input.device_work) {
    const profile::Event& event = timeline.events[i];
    const auto blocks = blocks_per_sm(timeline, event);
    if (!blocks || input.clock.within(event) == 0) {
      continue;
    }
    auto& changes = devices[timeline.track(event).device];
    const double share = std::min(*blocks, 1.0);
    if (share > 0) {
      changes.push_back({input.clock.at(event.start_ns), share});
      changes.push_back({input.clock.at(event.end_ns()), -share});
    }
  }
  if (devices.empty()) {
    return not_applicable(kName, kNoBlocks);
  }
  const auto steps_ns = static_cast<double>(input.partition.total_ns());
  double sum = 0;
  for (auto& [device, changes] : devices) {
    sum += used_ns(changes) / steps_ns;
  }
  return over_steps(kName, sum / static_cast<double>(devices.size()), input);
}

Metric small_grid_ratio(const TraceInput& input) {
  constexpr MetricName kName = {"small_grid_ratio", "ratio"};
  if (const std::string why = why_no_kernels(input); !why.empty()) {
    return not_applicable(kName, why);
  }
  double small_ns = 0, all_ns = 0;
  for (const std::uint32_t i : input.device_work) {
    const profile::Event& event = input.timeline.events[i];
    if (const auto blocks = blocks_per_sm(input.timeline, event)) {
      const auto ns = static_cast<double>(input.clock.within(event));
      all_ns += ns;
      small_ns += *blocks < 1 ? ns : 0;
    }
  }
  return all_ns > 0 ? over_steps(kName, small_ns / all_ns, input)
                    : not_applicable(kName, kNoBlocks);
}

}  // namespace tune::metric
