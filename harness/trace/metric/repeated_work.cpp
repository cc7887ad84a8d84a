#include "trace/metric/repeated_work.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

namespace tune::metric {

namespace {

using profile::Category;
using profile::Event;
using profile::kNone;

constexpr std::array<MetricName, 7> kNames = {{{"anomaly_check_count", "count"},
                                               {"anomaly_check_ratio", "ratio"},
                                               {"cache_release_count", "count"},
                                               {"cache_release_ratio", "ratio"},
                                               {"reduced_micro_batch_count", "count"},
                                               {"forced_collection_count", "count"},
                                               {"collector_ratio", "ratio"}}};

bool is_backward(std::string_view name) {
  return name.starts_with("autograd::engine::evaluate_function:");
}

// isnan(), then whether any is, then the answer is read.
bool is_part_of_check(std::string_view name) {
  return name == "aten::isnan" || name == "aten::_is_any_true" || name == "aten::item";
}

bool releases(std::string_view name) {
  return name == "cudaFree" || name == "hipFree";
}

bool asks_for_memory(std::string_view name) {
  return name == "cudaMalloc" || name == "hipMalloc";
}

bool is_parallel_forward(std::string_view name) {
  return name == "DistributedDataParallel.forward";
}

bool updates(std::string_view name) {
  return name.starts_with("Optimizer.step#");
}

bool sums_over_ranks(std::string_view name) {
  return name.ends_with(":all_reduce") || name == "c10d::allreduce_";
}

struct Found {
  double count = 0;
  std::vector<profile::Interval> rows;
};

// Time of the rows within steps, and not within `elsewhere`.
double ratio_of(std::vector<profile::Interval> rows,
                const profile::Intervals& elsewhere,
                const TraceInput& input) {
  const profile::Intervals own = profile::subtract(profile::unite(std::move(rows)), elsewhere);
  return static_cast<double>(length_ns(profile::intersect(own, input.partition.steps.covered()))) /
         static_cast<double>(input.partition.total_ns());
}

struct Checks : Found {
  bool has_backward = false;
};

Checks anomaly_checks(const TraceInput& input) {
  const auto& events = input.timeline.events;
  NamesThat goes_back(input.timeline, is_backward);
  NamesThat checks(input.timeline, is_part_of_check);
  Checks found;
  for (std::uint32_t i = 0; i < events.size(); ++i) {
    if (!input.tree.is_row(i) || !input.begins_in_step(i)) {
      continue;
    }
    found.has_backward = found.has_backward || goes_back(events[i]);
    const std::uint32_t parent = input.tree.parent[i];
    if (parent != kNone && checks(events[i]) && goes_back(events[parent])) {
      found.rows.push_back({events[i].start_ns, events[i].end_ns()});
      found.count += input.timeline.name(events[i]) == "aten::isnan" ? 1 : 0;
    }
  }
  return found;
}

// An operator that finds no free memory gives some back before it asks again: not an empty_cache().
bool lies_in_operator(const TraceInput& input, std::uint32_t call) {
  const std::uint32_t around = enclosing_operator(input.tree, input.tree.row[call]);
  return around != kNone && input.timeline.events[around].category == Category::cpu_op;
}

// Where most memory is given back within operators, nothing is kept in the first place: not an
// empty_cache() either.
Found cache_releases(const TraceInput& input) {
  Found found;
  double all = 0;
  for (const std::uint32_t i : input.calls) {
    const Event& event = input.timeline.events[i];
    const std::string_view name = input.timeline.name(event);
    const bool gives_back = releases(name) && input.begins_in_step(i);
    const bool is_release = gives_back && !lies_in_operator(input, i);
    all += gives_back ? 1 : 0;
    found.count += is_release ? 1 : 0;
    if (is_release || asks_for_memory(name)) {
      found.rows.push_back({event.start_ns, event.end_ns()});
    }
  }
  return 2 * found.count < all ? Found() : found;
}

struct Collections : Found {
  std::string why_no_count, why_no_ratio;
};

// A frame that is not the collector's is only counted (NoteKind::python_function).
Collections collections(const TraceInput& input) {
  Collections found;
  bool has_frame = input.timeline.notes.of(profile::NoteKind::python_function).count > 0;
  for (const Event& event : input.timeline.events) {
    if (event.category != Category::python_function) {
      continue;
    }
    has_frame = true;
    const std::string_view name = input.timeline.name(event);
    if (profile::is_collection(name)) {
      found.rows.push_back({event.start_ns, event.end_ns()});
      const bool is_in_step = input.clock.runs_at(event.start_ns);
      found.count += is_in_step && profile::is_forced_collection(name) ? 1 : 0;
    }
  }
  if (!has_frame) {
    found.why_no_count = found.why_no_ratio = "Python's frames were not recorded (with_stack)";
  } else if (found.rows.empty()) {
    found.why_no_ratio = "Python's collector was not recorded (record_python_gc_info)";
  }
  return found;
}

// Below 0 where a trace does not say.
double reduced_micro_batches(const TraceInput& input) {
  const auto& events = input.timeline.events;
  NamesThat goes_forward(input.timeline, is_parallel_forward);
  NamesThat is_update(input.timeline, updates);
  NamesThat reduces(input.timeline, sums_over_ranks);
  std::int64_t updates_seen = 0, reduced = 0;
  bool has_forward = false, is_counted = true;
  for (std::uint32_t i = 0; i < events.size(); ++i) {
    const Event& event = events[i];
    const bool is_of_host =
        event.category == Category::cpu_op || event.category == Category::user_annotation;
    if (!is_of_host || !input.begins_in_step(i)) {
      continue;
    }
    if (goes_forward(event)) {
      has_forward = true;
      is_counted = false;
    } else if (reduces(event) && !is_counted) {
      is_counted = true;
      ++reduced;
    }
    updates_seen += is_update(event) ? 1 : 0;
  }
  return has_forward && reduced > 0 && updates_seen > 0
             ? static_cast<double>(reduced) / static_cast<double>(updates_seen)
             : -1;
}

}  // namespace

std::vector<Metric> repeated_work(const TraceInput& input) {
  if (const std::string why = why_no_steps(input); !why.empty()) {
    return not_applicable(kNames, why);
  }
  const Checks checks = anomaly_checks(input);
  const Found releases = cache_releases(input);
  const double reduced = reduced_micro_batches(input);
  const Collections collected = collections(input);
  std::vector<Metric> metrics =
      over_steps(kNames,
                 {per_step(checks.count, input),
                  ratio_of(checks.rows, {}, input),
                  per_step(releases.count, input),
                  ratio_of(releases.rows, input.partition.any_busy(), input),
                  std::max(0.0, reduced),
                  per_step(collected.count, input),
                  ratio_of(collected.rows, input.partition.any_busy(), input)},
                 input);
  const auto refuse = [&metrics](std::size_t i, const std::string& why) {
    metrics[i] = not_applicable(kNames[i], why);
  };
  if (!checks.has_backward) {
    refuse(0, "autograd did not run, or was not recorded");
    refuse(1, "autograd did not run, or was not recorded");
  }
  if (const std::string why = why_no_calls(input); !why.empty()) {
    refuse(2, why);
    refuse(3, why);
  }
  if (reduced < 0) {
    refuse(4, "no step has DistributedDataParallel, an all-reduce and an optimizer");
  }
  if (!collected.why_no_count.empty()) {
    refuse(5, collected.why_no_count);
  }
  if (!collected.why_no_ratio.empty()) {
    refuse(6, collected.why_no_ratio);
  }
  return metrics;
}

}  // namespace tune::metric
