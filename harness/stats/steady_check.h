#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace tune::stats {

/// What the steps after a warm-up of known length say about it.
struct SteadyCheck {
  std::size_t steps = 0;
  double sigma_ratio = 0;             ///< noise of one step, blind to levels
  std::optional<double> guard_ratio;  ///< steady_guard_ratio(); none below 24 steps
  double limit_ratio = 0;             ///< that it may reach
  std::size_t steps_to_trust = 0;     ///< so many show a slow drift in this noise

  bool holds() const { return !guard_ratio || *guard_ratio <= limit_ratio; }
  bool is_weak() const { return steps < steps_to_trust; }
};

/// The guard of find_steady_state() on a tail whose cut is known: the last third of the steps lies
/// within max(1 %, sigma) of the first. A trial may have far fewer steps than a search for the
/// warm-up, and the medians of thirds of h steps scatter by themselves: so the limit is at least
/// four standard errors of their distance, 4 sqrt(pi / h) sigma, more than sigma below h = 50.
/// This part is our own: without it a quarter of the steady trials of 24 steps with 2 % of noise
/// (neighbours correlate with .3) fail, with it fewer than 2 % at any length.
///
/// The times (ns) must be finite and above 0.
SteadyCheck check_steady(const std::vector<double>& tail_times_ns);

}  // namespace tune::stats
