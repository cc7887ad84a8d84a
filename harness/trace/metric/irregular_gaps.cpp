#include "trace/metric/irregular_gaps.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace tune::metric {

namespace {

using profile::Event;
using profile::Interval;
using profile::Intervals;

constexpr std::int64_t kLeastNs = 1'000'000;
constexpr std::size_t kLeastSteps = 2;

// By part: whether a row of the host begins within it.
std::vector<bool> parts_with_rows(const TraceInput& input, const Intervals& parts) {
  std::vector<bool> has_row(parts.size());
  std::size_t at = 0;  // the last part that begins before the row
  for (const Event& event : input.timeline.events) {
    if (profile::is_device_work(event.category) ||
        profile::marks_step(input.timeline.name(event))) {
      continue;
    }
    while (at < parts.size() && parts[at].end_ns <= event.start_ns) {
      ++at;
    }
    if (at == parts.size()) {
      break;
    }
    has_row[at] = has_row[at] || event.start_ns >= parts[at].begin_ns;
  }
  return has_row;
}

// At least two steps, not all, at different distances; or at one, after which one more was due. The
// first and the last step may have lost theirs to what the profiler does. `steps`: in order.
bool follow_no_pattern(const std::vector<std::size_t>& steps, std::size_t of) {
  if (steps.size() < kLeastSteps || steps.size() >= of) {
    return false;
  }
  const std::size_t distance = steps[1] - steps[0];
  for (std::size_t i = 2; i < steps.size(); ++i) {
    if (steps[i] - steps[i - 1] != distance) {
      return true;
    }
  }
  return steps.front() > distance || steps.back() + distance + 1 < of;
}

}  // namespace

std::int64_t take_irregular_gaps(const TraceInput& input, Intervals& outside) {
  const std::vector<bool> has_row = parts_with_rows(input, outside);
  std::vector<std::size_t> steps;  // with a gap, each once
  std::vector<bool> is_gap(outside.size());
  std::int64_t longest_ns = 0, longest_short_ns = 0, all_ns = 0;
  const auto& all_steps = input.partition.steps.steps;
  std::size_t step = 0;
  for (std::size_t i = 0; i < outside.size(); ++i) {
    const std::int64_t ns = outside[i].length_ns();
    if (has_row[i] || ns < kLeastNs) {
      longest_short_ns = has_row[i] ? longest_short_ns : std::max(longest_short_ns, ns);
      continue;
    }
    while (step + 1 < all_steps.size() &&
           all_steps[step + 1].interval.begin_ns <= outside[i].begin_ns) {
      ++step;
    }
    if (steps.empty() || steps.back() != step) {
      steps.push_back(step);
    }
    is_gap[i] = true;
    longest_ns = std::max(longest_ns, ns);
    all_ns += ns;
  }
  if (4 * longest_short_ns >= longest_ns || !follow_no_pattern(steps, all_steps.size())) {
    return 0;
  }
  std::size_t at = 0;
  std::erase_if(outside, [&](const Interval&) { return is_gap[at++]; });
  return all_ns;
}

}  // namespace tune::metric
