#include "trace/metric/data_loading.h"

#include "base/stats/quantile.h"
#include "trace/metric/trace_input.h"
#include "trace/role.h"
#include "trace/steps.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

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

namespace {

using profile::kNone;

// enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__, or _MultiProcessingDataLoaderIter.
bool is_python_loader(std::string_view name) {
  return name.starts_with("enumerate(DataLoader)#_");
}

// Their workers are processes.
constexpr std::string_view kFromWorkers = "enumerate(DataLoader)#_MultiProcessingDataLoaderIter";

bool is_loader_with_workers(std::string_view name) {
  return name.starts_with(kFromWorkers);
}

using StartsByRow = std::unordered_map<std::uint32_t, std::vector<std::int64_t>>;

// Most rows take one batch.
std::size_t operators_of_batch(const StartsByRow& starts_in) {
  const auto fewest =
      std::min_element(starts_in.begin(), starts_in.end(), [](const auto& a, const auto& b) {
        return a.second.size() < b.second.size();
      });
  return fewest->second.size();
}

// Where another worker's batch comes first, the row takes that one, puts it aside and waits on for
// its own: only the last one is known to be unpacked without a wait.
std::int64_t received_ns(const TraceInput& input,
                         const profile::Event& row,
                         const std::vector<std::int64_t>& starts_ns,
                         std::size_t operators_of_batch) {
  const std::size_t batches = starts_ns.size() / operators_of_batch;
  const std::int64_t last_ns = starts_ns[starts_ns.size() - operators_of_batch];
  return static_cast<std::int64_t>(batches) *
         (input.clock.at(row.end_ns()) - input.clock.at(last_ns));
}

}  // namespace

Metric loader_receive_ratio(const TraceInput& input) {
  constexpr MetricName kName = {"loader_receive_ratio", "ratio"};
  if (const std::string why = why_no_loader(input); !why.empty()) {
    return not_applicable(kName, why);
  }
  NamesThat loads(input.timeline, is_loader_with_workers);
  const profile::RoleOfEvent role_of(input.timeline);
  const std::vector<profile::Event>& events = input.timeline.events;
  const std::vector<std::uint32_t> loader_of =
      table::innermost_that(input.tree, [&](std::uint32_t row) { return loads(events[row]); });
  StartsByRow starts_in;                               // when operators begin
  for (std::uint32_t i = 0; i < events.size(); ++i) {  // in order of their begin
    const std::uint32_t row = loader_of[i];
    if (row != kNone && row != i && role_of(events[i]) == profile::Role::cpu_op) {
      starts_in[row].push_back(events[i].start_ns);
    }
  }
  if (starts_in.empty()) {
    return not_applicable(kName, "the training thread takes no tensor from a worker");
  }
  const std::size_t operators = operators_of_batch(starts_in);
  std::int64_t ns = 0;
  for (const auto& [row, starts_ns] : starts_in) {
    ns += received_ns(input, events[row], starts_ns, operators);
  }
  return share_of_steps(std::string(kName.id), ns, input);
}

Metric loader_operator_count(const TraceInput& input) {
  constexpr MetricName kName = {"loader_operator_count", "count"};
  if (const std::string why = why_no_loader(input); !why.empty()) {
    return not_applicable(kName, why);
  }
  const profile::RoleOfEvent role_of(input.timeline);
  const std::uint32_t thread = profile::marking_track(input.timeline);
  std::vector<bool> is_loading(input.timeline.events.size());  // by event: in a loader's row
  double count = 0;
  for (std::uint32_t i = 0; i < is_loading.size(); ++i) {  // parents before their children
    if (!input.tree.is_row(i)) {
      continue;
    }
    const profile::Event& event = input.timeline.events[i];
    const std::uint32_t parent = input.tree.parent[i];
    const bool is_within = parent != kNone && is_loading[parent];
    is_loading[i] = is_within || role_of(event) == profile::Role::data_loading;
    const bool counts = is_within && role_of(event) == profile::Role::cpu_op &&
                        (thread == kNone || event.track == thread);
    count += counts && input.begins_in_step(i) ? 1 : 0;
  }
  return over_steps(kName, per_step(count, input), input);
}

Metric loader_batch_time(const TraceInput& input) {
  constexpr MetricName kName = {"loader_batch_time", "s"};
  if (const std::string why = why_no_loader(input); !why.empty()) {
    return not_applicable(kName, why);
  }
  NamesThat loads(input.timeline, is_python_loader);
  const std::uint32_t thread = profile::marking_track(input.timeline);
  std::vector<double> seconds;
  seconds.reserve(input.partition.steps.steps.size());
  for (std::uint32_t i = 0; i < input.timeline.events.size(); ++i) {
    const profile::Event& event = input.timeline.events[i];
    const bool counts = loads(event) && input.tree.is_row(i) && input.begins_in_step(i) &&
                        (thread == kNone || event.track == thread);
    if (counts) {
      seconds.push_back(static_cast<double>(event.duration_ns) * 1e-9);
    }
  }
  return seconds.empty() ? not_applicable(kName, "no step fetches from PyTorch's Python loader")
                         : over_steps(kName, stats::median(std::move(seconds)), input);
}

}  // namespace tune::metric
