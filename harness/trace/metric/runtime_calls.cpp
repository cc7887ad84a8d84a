#include "trace/metric/runtime_calls.h"

#include "trace/metric/metric.h"
#include "trace/metric/trace_input.h"
#include "trace/runtime_calls.h"

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

namespace {

using profile::kNone;

constexpr std::array<MetricName, 2> kFills = {
    {{"sync_memset_count", "count"}, {"sync_memset_time", "s"}}};
constexpr MetricName kRetries = {"allocator_retry_count", "count"};

bool is_waiting_fill(std::string_view name) {
  const bool is_fill = name.starts_with("cudaMemset") || name.starts_with("hipMemset") ||
                       name.starts_with("cuMemset");
  return is_fill && name.find("Async") == std::string_view::npos;
}

bool is_of_host_memory(std::string_view fill) {
  return has_in_any_case(fill, "pinned") || has_in_any_case(fill, "pageable") ||
         has_in_any_case(fill, "managed");
}

bool is_malloc(std::string_view name) {
  return name == "cudaMalloc" || name == "hipMalloc" || name == "cuMemCreate" ||
         name == "hipMemCreate";
}

bool is_free(std::string_view name) {
  return name == "cudaFree" || name == "hipFree" || name == "cuMemRelease" ||
         name == "hipMemRelease";
}

bool is_launch(std::string_view name) {
  return profile::call_kind_of(name) == profile::CallKind::launch;
}

// What a thread asked for last.
struct Asked {
  std::uint32_t operation = kNone;  // the operator around it
  bool has_malloc = false, has_free = false;
};

}  // namespace

std::vector<Metric> sync_memset_metrics(const TraceInput& input) {
  if (const std::string why = why_no_calls(input); !why.empty()) {
    return not_applicable(kFills, why);
  }
  NamesThat waits(input.timeline, is_waiting_fill);
  double count = 0, seconds = 0;
  bool is_any = false, is_joined = false;
  for (std::uint32_t i = 0; i < input.timeline.events.size(); ++i) {
    const profile::Event& call = input.timeline.events[i];
    if (!profile::is_device_call(call.category) || !waits(call) || !input.begins_in_step(i)) {
      continue;
    }
    is_any = true;
    const std::uint32_t fill = input.launches.first_work_of[i];
    is_joined = is_joined || fill != kNone;
    if (fill != kNone && is_of_host_memory(input.timeline.name(input.timeline.events[fill]))) {
      ++count;
      seconds += static_cast<double>(input.clock.within(call)) * 1e-9;
    }
  }
  return is_any && !is_joined
             ? not_applicable(kFills, "no fill that waits can be joined to what it filled")
             : over_steps(kFills, {per_step(count, input), per_step(seconds, input)}, input);
}

Metric allocator_retry_count(const TraceInput& input) {
  if (const std::string why = why_no_calls(input); !why.empty()) {
    return not_applicable(kRetries, why);
  }
  NamesThat allocates(input.timeline, is_malloc), frees(input.timeline, is_free),
      launches(input.timeline, is_launch);
  std::vector<Asked> by_track(input.timeline.tracks.size());
  double count = 0;
  for (std::uint32_t i = 0; i < input.timeline.events.size(); ++i) {
    const profile::Event& call = input.timeline.events[i];
    if (!profile::is_device_call(call.category) || !input.begins_in_step(i)) {
      continue;
    }
    Asked& asked = by_track[call.track];
    const std::uint32_t row = input.tree.row[i];
    const std::uint32_t operation = table::enclosing_operator(input.tree, row);
    if (launches(call) || operation != asked.operation) {
      asked = {.operation = operation};
    }
    if (allocates(call)) {
      count += asked.has_malloc && asked.has_free ? 1 : 0;
      asked = {.operation = operation, .has_malloc = true};
    } else if (frees(call)) {
      asked.has_free = asked.has_malloc;
    }
  }
  return over_steps(kRetries, per_step(count, input), input);
}

}  // namespace tune::metric
