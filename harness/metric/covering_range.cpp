#include "metric/covering_range.h"

#include "metric/why_missing.h"

#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tune::metric {

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

}  // namespace

CoveringRange covering_range(const TraceInput& input) {
  const profile::Intervals gaps = unexplained(input);
  const auto gaps_ns = static_cast<double>(length_ns(gaps));
  std::unordered_map<profile::StringId, std::vector<profile::Interval>> by_name;
  for (const profile::Event& event : input.timeline.events) {
    if (gaps_ns > 0 && is_range(input.timeline, event)) {
      by_name[event.name].push_back({event.start_ns, event.end_ns()});
    }
  }
  CoveringRange best;
  auto best_rank = std::tuple(false, 0.0, std::string());
  for (auto& [name, rows] : by_name) {
    const profile::Intervals range = profile::unite(std::move(rows));
    const double ratio = static_cast<double>(length_ns(profile::intersect(range, gaps))) / gaps_ns;
    const auto beside_ns = static_cast<double>(length_ns(range));
    std::string text(input.timeline.strings.text(name));
    auto rank = std::tuple(ratio >= kOwner, ratio >= kOwner ? -beside_ns : ratio, text);
    if (ratio > 0 && (best.name.empty() || rank > best_rank)) {
      best_rank = std::move(rank);
      best = {std::move(text), ratio};
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

}  // namespace tune::metric
