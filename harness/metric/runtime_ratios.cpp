#include "metric/runtime_ratios.h"

#include "metric/why_missing.h"

#include <array>

namespace tune::metric {

namespace {

constexpr std::array<MetricName, profile::kCallKinds + 3> kNames = {
    {{"launch_exposed_ratio", "ratio"},  // in the order of profile::CallKind
     {"allocation_exposed_ratio", "ratio"},
     {"copy_call_exposed_ratio", "ratio"},
     {"blocking_exposed_ratio", "ratio"},
     {"other_call_exposed_ratio", "ratio"},
     {"blocked_by_kernels_ratio", "ratio"},
     {"blocked_by_copies_ratio", "ratio"},
     {"blocked_by_nothing_ratio", "ratio"}}};

}  // namespace

std::vector<Metric> runtime_ratios(const TraceInput& input) {
  std::string why = why_no_calls(input);
  if (why.empty()) {
    why = why_no_device_work(input);
  }
  if (!why.empty()) {
    return not_applicable(kNames, why);
  }
  const profile::RuntimeSplit& runtime = input.runtime;
  std::vector<std::int64_t> parts_ns(runtime.exposed_ns.begin(), runtime.exposed_ns.end());
  parts_ns.push_back(runtime.blocked_during_kernels_ns);
  parts_ns.push_back(runtime.blocked_during_copies_ns);
  parts_ns.push_back(runtime.blocked_for_nothing_ns);
  std::vector<Metric> metrics;
  metrics.reserve(kNames.size());
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    metrics.push_back(share_of_steps(std::string(kNames[i].id), parts_ns[i], input));
  }
  return metrics;
}

Metric device_allocation_count(const TraceInput& input) {
  constexpr MetricName kName = {"device_allocation_count", "count"};
  if (const std::string why = why_no_calls(input); !why.empty()) {
    return not_applicable(kName, why);
  }
  constexpr auto kAllocation = static_cast<std::size_t>(profile::CallKind::allocation);
  const auto calls = static_cast<double>(input.runtime.calls[kAllocation]);
  return over_steps(kName, per_step(calls, input), input);
}

}  // namespace tune::metric
