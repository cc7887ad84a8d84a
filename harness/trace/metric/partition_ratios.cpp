#include "trace/metric/partition_ratios.h"

#include "trace/metric/layers.h"
#include "trace/metric/trace_input.h"

#include <algorithm>
#include <limits>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

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

namespace {

constexpr MetricName kName = {"covering_range_ratio", "ratio"};
constexpr double kOwner = 0.5;  // gpuprof: half of the gap

profile::Intervals unexplained(const TraceInput& input) {
  profile::Intervals left = input.partition.steps.covered();
  for (const profile::Intervals& covered : input.partition.covered) {
    left = profile::subtract(left, covered);
  }
  return left;
}

bool is_range(const profile::Timeline& timeline, const profile::Event& event) {
  const bool is_kind = event.category == profile::Category::user_annotation ||
                       event.category == profile::Category::python_function;
  return is_kind && event.duration_ns > 0 && !timeline.name(event).starts_with("ProfilerStep#");
}

// What the rows of one name cover, rows within each other once.
struct Covered {
  std::int64_t ns = 0, gaps_ns = 0;
  std::int64_t end_ns = std::numeric_limits<std::int64_t>::min();
};

// By StringId. Rows come in order of their begin; `gaps` is a clock that runs in gaps alone.
std::vector<Covered> covered_by_name(const TraceInput& input, const StepClock& gaps) {
  std::vector<Covered> covered(input.timeline.strings.size());
  for (const profile::Event& event : input.timeline.events) {
    if (!is_range(input.timeline, event)) {
      continue;
    }
    Covered& name = covered[event.name];
    const std::int64_t begin_ns = std::max(event.start_ns, name.end_ns);
    if (begin_ns < event.end_ns()) {
      name.ns += event.end_ns() - begin_ns;
      name.gaps_ns += gaps.at(event.end_ns()) - gaps.at(begin_ns);
      name.end_ns = event.end_ns();
    }
  }
  return covered;
}

}  // namespace

CoveringRange covering_range(const TraceInput& input) {
  profile::Intervals gaps = unexplained(input);
  const auto all_ns = static_cast<double>(length_ns(gaps));
  if (all_ns <= 0) {
    return {};
  }
  const std::vector<Covered> covered = covered_by_name(input, StepClock(std::move(gaps)));
  CoveringRange best;
  auto best_rank = std::tuple(false, 0.0, std::string_view());
  for (profile::StringId name = 0; name < covered.size(); ++name) {
    if (covered[name].gaps_ns <= 0) {
      continue;
    }
    const double ratio = static_cast<double>(covered[name].gaps_ns) / all_ns;
    const auto beside_ns = static_cast<double>(covered[name].ns);
    const std::string_view text = input.timeline.strings.text(name);
    const auto rank = std::tuple(ratio >= kOwner, ratio >= kOwner ? -beside_ns : ratio, text);
    if (best.name.empty() || rank > best_rank) {
      best_rank = rank;
      best = {std::string(text), ratio};
    }
  }
  return best;
}

Metric covering_range_ratio(const TraceInput& input) {
  if (const std::string why = why_no_steps(input); !why.empty()) {
    return not_applicable(kName, why);
  }
  const CoveringRange range = covering_range(input);
  return range.name.empty() ? not_applicable(kName,
                                             "no range of the script covers what no row explains "
                                             "(torch.profiler.record_function, or with_stack=True)")
                            : over_steps(kName, range.ratio, input);
}

Metric before_layers_ratio(const TraceInput& input) {
  constexpr MetricName kBefore = {"before_layers_ratio", "ratio"};
  if (const std::string why = why_no_marked_steps(input); !why.empty()) {
    return not_applicable(kBefore, why);
  }
  NamesThat computes(input.timeline, is_layer);
  const auto& steps = input.partition.steps.steps;
  std::vector<bool> has_layer(steps.size());
  std::vector<profile::Interval> before;
  for (std::uint32_t i = 0; i < input.timeline.events.size(); ++i) {  // by start
    const profile::Event& event = input.timeline.events[i];
    if (event.category == profile::Category::cpu_op && input.begins_in_step(i) &&
        !has_layer[input.step_of[i]] && computes(event)) {
      has_layer[input.step_of[i]] = true;
      before.push_back({steps[input.step_of[i]].interval.begin_ns, event.start_ns});
    }
  }
  const profile::Intervals gaps = unexplained(input);
  const auto all_ns = static_cast<double>(length_ns(gaps));
  if (before.empty() || all_ns <= 0) {
    return not_applicable(
        kBefore,
        before.empty() ? "no step computes a layer" : "no part of the steps is unexplained");
  }
  const profile::Intervals within = profile::intersect(gaps, profile::unite(std::move(before)));
  return over_steps(kBefore, static_cast<double>(length_ns(within)) / all_ns, input);
}

}  // namespace tune::metric
