#include "base/stats/steady_state.h"

#include "base/assert.h"
#include "base/stats/levels.h"
#include "base/stats/log_ratio.h"
#include "base/stats/quantile.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace tune::stats {

namespace {

using Numbers = std::vector<double>;

constexpr double kPenaltyFactor = 15;
constexpr double kSameLevelRatio = 0.005;
constexpr double kGuardRatio = 0.01;
constexpr double kTailShare = 0.4;
constexpr std::size_t kTailSlices = 5;
constexpr std::size_t kShortestThird = 8;
constexpr double kTrustedPoints = 200, kTrustedSigmaRatio = 0.01, kMostTrusted = 1e15;

std::ptrdiff_t offset(std::size_t place) {
  return static_cast<std::ptrdiff_t>(place);
}

Numbers part(const Numbers& all, std::size_t first, std::size_t end) {
  return {all.begin() + offset(first), all.begin() + offset(end)};
}

double mean(const Numbers& all, std::size_t first, std::size_t end) {
  return std::accumulate(all.begin() + offset(first), all.begin() + offset(end), 0.0) /
         static_cast<double>(end - first);
}

// Sums of adjacent steps; steps after the last whole sum are ignored.
Numbers sums_of(const Numbers& times, std::size_t count) {
  Numbers sums(times.size() / count, 0);
  for (std::size_t i = 0; i < sums.size() * count; ++i) {
    sums[i / count] += times[i];
  }
  return sums;
}

Numbers winsorized_logs(const Numbers& times) {
  Numbers logs = winsorize(times);
  for (double& value : logs) {
    value = std::log(value);
  }
  return logs;
}

double noise_of(const Numbers& logs) {
  Numbers steps(logs.size());
  std::adjacent_difference(logs.begin(), logs.end(), steps.begin());
  return robust_deviation(part(steps, 1, steps.size())) / std::numbers::sqrt2;
}

double same_level_ratio(double sigma_ratio) {
  return std::max(kSameLevelRatio, sigma_ratio / 2);
}

// The start of the levels that are equal to the last one.
std::size_t start_of_tail(const Numbers& logs, double sigma_ratio) {
  const double penalty = kPenaltyFactor * std::log(static_cast<double>(logs.size()));
  const std::vector<std::size_t> ends = segment_by_level(logs, penalty).ends;
  const auto begin_of = [&](std::size_t segment) { return segment == 0 ? 0 : ends[segment - 1]; };
  std::size_t first = ends.size() - 1;
  const double last_level = mean(logs, begin_of(first), ends[first]);
  while (first > 0 && std::abs(mean(logs, begin_of(first - 1), ends[first - 1]) - last_level) <=
                          same_level_ratio(sigma_ratio)) {
    --first;
  }
  return begin_of(first);
}

SteadyReason judge(const SteadyState& state, std::size_t cut_points, std::size_t steps_per_slice) {
  const auto all = static_cast<double>(state.points);
  const std::size_t tail = state.points - cut_points;
  if (static_cast<double>(tail) < kTailShare * all ||
      tail * state.steps_per_point < kTailSlices * steps_per_slice) {
    return SteadyReason::tail;
  }
  if (state.guard_ratio > steady_guard_limit(state.sigma_ratio)) {
    return SteadyReason::guard;
  }
  return SteadyReason::steady;
}

void add_warnings(SteadyState& state, const Numbers& points, std::size_t cut) {
  if (cut > 0) {
    const double slowdown =
        std::log(median(part(points, cut, points.size()))) - std::log(median(part(points, 0, cut)));
    if (slowdown > same_level_ratio(state.sigma_ratio)) {
      state.warnings.push_back("slowdown: steady steps take " + percent_text(std::expm1(slowdown)) +
                               " longer than those before (heat or clocks?)");
    }
  }
  const std::size_t wanted = points_to_trust(state.sigma_ratio);
  state.is_weak = state.points < wanted;
  if (state.is_weak) {
    state.warnings.push_back("weak: saw " + std::to_string(state.points) + " points of " +
                             percent_text(state.sigma_ratio) + " noise; a slow drift shows from " +
                             std::to_string(wanted));
  }
}

}  // namespace

const char* to_string(SteadyReason reason) {
  switch (reason) {
    case SteadyReason::steady:
      return "steady";
    case SteadyReason::tail:
      return "tail";
    case SteadyReason::guard:
      return "guard";
    case SteadyReason::too_few:
      return "too-few";
  }
  return "";
}

std::optional<double> steady_guard_ratio(const std::vector<double>& tail_times_ns) {
  const std::size_t n = tail_times_ns.size();
  const std::size_t third = n / 3;
  if (third < kShortestThird) {
    return std::nullopt;
  }
  return std::abs(std::log(median(part(tail_times_ns, n - third, n))) -
                  std::log(median(part(tail_times_ns, 0, third))));
}

double steady_guard_limit(double sigma_ratio) {
  return std::max(kGuardRatio, sigma_ratio);
}

std::size_t points_to_trust(double sigma_ratio) {
  const double noise = std::max(1.0, sigma_ratio / kTrustedSigmaRatio);
  return static_cast<std::size_t>(
      std::llround(std::min(std::ceil(kTrustedPoints * noise * noise), kMostTrusted)));
}

SteadyState find_steady_state(const std::vector<double>& step_times_ns,
                              const SteadyStateRules& rules) {
  for (const double time : step_times_ns) {
    TUNE_ASSERT(std::isfinite(time) && time > 0);
  }
  SteadyState state;
  state.cut_steps = std::min(rules.discarded_steps, step_times_ns.size());
  const Numbers times = part(step_times_ns, state.cut_steps, step_times_ns.size());
  const std::size_t slices = kTailSlices * rules.steps_per_slice;
  if (times.size() >= std::max(2 * kShortestSegment, slices)) {
    state.steps_per_point = (times.size() + kMostSteadyPoints - 1) / kMostSteadyPoints;
    const Numbers points = sums_of(times, state.steps_per_point);
    state.points = points.size();
    const Numbers logs = winsorized_logs(points);
    state.sigma_ratio = noise_of(logs);
    const std::size_t cut = start_of_tail(logs, state.sigma_ratio);
    state.cut_steps += cut * state.steps_per_point;
    state.guard_ratio = steady_guard_ratio(part(points, cut, points.size()));
    state.reason = judge(state, cut, rules.steps_per_slice);
    add_warnings(state, points, cut);
  } else {
    state.points = times.size();
    state.is_weak = true;
    state.warnings.push_back("too few steps to find a steady state: " +
                             std::to_string(step_times_ns.size()));
  }
  state.time_to_steady_ns =
      std::accumulate(step_times_ns.begin(), step_times_ns.begin() + offset(state.cut_steps), 0.0);
  return state;
}

namespace {

constexpr double kStandardErrors = 4;

// Not winsorised, unlike in the search: the median of the jumps is robust against single spikes.
double noise_of_step(const std::vector<double>& times_ns) {
  std::vector<double> jumps;
  jumps.reserve(times_ns.size());
  for (std::size_t i = 1; i < times_ns.size(); ++i) {
    jumps.push_back(std::log(times_ns[i] / times_ns[i - 1]));
  }
  return jumps.empty() ? 0 : robust_deviation(jumps) / std::numbers::sqrt2;
}

}  // namespace

SteadyCheck check_steady(const std::vector<double>& tail_times_ns) {
  for (const double time : tail_times_ns) {
    TUNE_ASSERT(std::isfinite(time) && time > 0);
  }
  SteadyCheck check;
  check.steps = tail_times_ns.size();
  check.sigma_ratio = noise_of_step(tail_times_ns);
  check.steps_to_trust = points_to_trust(check.sigma_ratio);
  check.guard_ratio = steady_guard_ratio(tail_times_ns);
  const auto third = static_cast<double>(std::max<std::size_t>(1, check.steps / 3));
  const double scatter = kStandardErrors * std::sqrt(std::numbers::pi / third) * check.sigma_ratio;
  check.limit_ratio = std::max(steady_guard_limit(check.sigma_ratio), scatter);
  return check;
}

}  // namespace tune::stats
