#include "trace/metric/device_use.h"

#include "trace/metric/trace_input.h"
#include "trace/role.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

namespace tune::metric {

Metric gpu_busy_ratio(const TraceInput& input) {
  constexpr const char* kId = "gpu_busy_ratio";
  if (const std::string why = why_no_device_work(input); !why.empty()) {
    return not_applicable(kId, "ratio", why);
  }
  const auto& devices = input.partition.device_busy;
  const profile::Intervals steps = input.partition.steps.covered();
  const auto total_ns = static_cast<double>(input.partition.total_ns());
  std::vector<double> ratios;
  ratios.reserve(devices.size());
  for (const auto& [device, busy] : devices) {
    ratios.push_back(static_cast<double>(length_ns(profile::intersect(steps, busy))) / total_ns);
  }
  const auto count = static_cast<double>(ratios.size());
  Metric metric(kId, {.unit = "ratio"});
  metric.value = std::accumulate(ratios.begin(), ratios.end(), 0.0) / count;
  metric.n = static_cast<std::int64_t>(input.partition.steps.steps.size());
  metric.reason = "a share of all steps together has no interval";
  if (ratios.size() > 1) {
    metric.reason = "the mean of " + std::to_string(ratios.size()) + " devices";
  }
  label_steps(metric, input);
  return metric;
}

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

Metric device_tail_time(const TraceInput& input) {
  constexpr MetricName kName = {"device_tail_time", "s"};
  std::string why = why_no_device_work(input);
  if (why.empty()) {
    why = why_no_marked_steps(input);
  }
  if (!why.empty()) {
    return not_applicable(kName, why);
  }
  return over_steps(kName, static_cast<double>(input.partition.device_tail_ns) * 1e-9, input);
}

Metric occupancy(const TraceInput& input) {
  constexpr MetricName kName = {"occupancy", "ratio"};
  if (const std::string why = why_no_kernels(input); !why.empty()) {
    return not_applicable(kName, why);
  }
  double weighted_ns = 0, all_ns = 0;
  for (const std::uint32_t i : input.device_work) {
    const profile::Event& event = input.timeline.events[i];
    const profile::KernelDetail* const kernel = input.timeline.kernel(event);
    if (kernel != nullptr && std::isfinite(kernel->occupancy_ratio)) {
      const auto ns = static_cast<double>(input.clock.within(event));
      weighted_ns += static_cast<double>(kernel->occupancy_ratio) * ns;
      all_ns += ns;
    }
  }
  return all_ns > 0 ? over_steps(kName, weighted_ns / all_ns, input)
                    : not_applicable(kName, "no kernel within a step has an estimated occupancy");
}

namespace {

constexpr const char* kNoBlocks =
    "no kernel that computes within a step says how many blocks per SM it has";

// Blocks per multiprocessor of the kernels that compute: those of NCCL have few by design, and a
// larger batch gives them no more.
class BlocksPerSm {
 public:
  explicit BlocksPerSm(const profile::Timeline& timeline)
      : timeline_(timeline), role_of_(timeline) {}

  // Nothing when the row does not say.
  std::optional<double> operator()(const profile::Event& event) const {
    const profile::KernelDetail* const kernel = timeline_.kernel(event);
    if (kernel == nullptr || !std::isfinite(kernel->blocks_per_sm) || kernel->blocks_per_sm < 0 ||
        role_of_(event) == profile::Role::communication) {
      return std::nullopt;
    }
    return kernel->blocks_per_sm;
  }

 private:
  const profile::Timeline& timeline_;
  profile::RoleOfEvent role_of_;
};

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
  const BlocksPerSm blocks_per_sm(timeline);
  std::map<std::int32_t, std::vector<Change>> devices;
  for (const std::uint32_t i : input.device_work) {
    const profile::Event& event = timeline.events[i];
    const auto blocks = blocks_per_sm(event);
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
  const BlocksPerSm blocks_per_sm(input.timeline);
  double small_ns = 0, all_ns = 0;
  for (const std::uint32_t i : input.device_work) {
    const profile::Event& event = input.timeline.events[i];
    if (const auto blocks = blocks_per_sm(event)) {
      const auto ns = static_cast<double>(input.clock.within(event));
      all_ns += ns;
      small_ns += *blocks < 1 ? ns : 0;
    }
  }
  return all_ns > 0 ? over_steps(kName, small_ns / all_ns, input)
                    : not_applicable(kName, kNoBlocks);
}

}  // namespace tune::metric
