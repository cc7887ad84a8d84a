#include "stats/steady_check.h"

#include "base/assert.h"
#include "stats/robust_deviation.h"
#include "stats/steady_state.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tune::stats {

namespace {

constexpr double kStandardErrors = 4;

// Not winsorised as for the search: the median of the jumps hardly sees single spikes.
double noise_of(const std::vector<double>& times_ns) {
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
  check.sigma_ratio = noise_of(tail_times_ns);
  check.steps_to_trust = points_to_trust(check.sigma_ratio);
  check.guard_ratio = steady_guard_ratio(tail_times_ns);
  const auto third = static_cast<double>(std::max<std::size_t>(1, check.steps / 3));
  const double scatter = kStandardErrors * std::sqrt(std::numbers::pi / third) * check.sigma_ratio;
  check.limit_ratio = std::max(steady_guard_limit(check.sigma_ratio), scatter);
  return check;
}

}  // namespace tune::stats
