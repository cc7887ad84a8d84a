#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tune::stats {

enum class SteadyReason {
  steady,
  tail,     ///< the last level has not lasted long enough: it changed late, or keeps changing
  guard,    ///< the last level still moves from its first third to its last
  too_few,  ///< too few steps to say anything
};
const char* to_string(SteadyReason reason);

struct SteadyStateRules {
  std::size_t discarded_steps =
      3;  ///< always left out: lazy initialisation, the allocator's growth
  std::size_t steps_per_slice = 1;  ///< the steady tail must hold at least five slices
};

/// Longer series are reduced to sums of adjacent steps, so that any number of steps stays fast.
inline constexpr std::size_t kMostSteadyPoints = 4096;

struct SteadyState {
  SteadyReason reason = SteadyReason::too_few;
  std::size_t cut_steps = 0;        ///< steps before the steady tail, the discarded ones included
  double time_to_steady_ns = 0;     ///< what they took in total
  std::size_t steps_per_point = 1;  ///< adjacent steps that were summed; 1 up to kMostSteadyPoints
  std::size_t points = 0;           ///< that were looked at
  double sigma_ratio = 0;           ///< noise of one point, blind to levels; 0.01 is 1 %
  /// The distance between the last and the first third of the tail, in logarithms of their medians;
  /// none when a third has fewer than eight points.
  std::optional<double> guard_ratio;
  bool is_weak = false;               ///< too few points for this noise to be trusted
  std::vector<std::string> warnings;  ///< sentences for the report

  bool is_steady() const { return reason == SteadyReason::steady; }
};

/// Where the step times (ns, of one process, from its first step) become steady, if they do:
/// winsorised, as logarithms, cut into levels (levels.h, 15 ln n a level); adjacent levels at the
/// end that differ by at most max(0.5 %, sigma / 2) are one tail; it must hold at least 40 % of the
/// points and five slices, and its last third must lie within max(1 %, sigma) of its first.
///
/// Assumes near-normal logarithms except for single spikes. The cut is exact to about five points.
/// With fewer points than 200 max(1, (sigma / 1 %)^2) a slow drift may pass: `is_weak`. Source: the
/// method of Barrett et al. (OOPSLA 2017), constants from our simulation.
///
/// Every time must be finite and above 0.
SteadyState find_steady_state(const std::vector<double>& step_times_ns,
                              const SteadyStateRules& rules = {});

/// Only the guard, for a tail whose cut is known: the value of `guard_ratio`.
std::optional<double> steady_guard_ratio(const std::vector<double>& tail_times_ns);

/// Its upper limit in a steady tail: max(1 %, sigma).
double steady_guard_limit(double sigma_ratio);

/// The points needed to see a slow drift in this noise: 200 max(1, (sigma / 1 %)^2), at most 1e15.
std::size_t points_to_trust(double sigma_ratio);

/// How steady the steps are after a warm-up of known length.
struct SteadyCheck {
  std::size_t steps = 0;
  double sigma_ratio = 0;             ///< noise of one step, blind to levels
  std::optional<double> guard_ratio;  ///< steady_guard_ratio(); none below 24 steps
  double limit_ratio = 0;             ///< that it may reach
  std::size_t steps_to_trust = 0;     ///< the steps needed to see a slow drift in this noise

  bool holds() const { return !guard_ratio || *guard_ratio <= limit_ratio; }
  bool is_weak() const { return steps < steps_to_trust; }
};

/// The guard of find_steady_state() on a tail whose cut is known: the last third of the steps lies
/// within max(1 %, sigma) of the first. A trial may have far fewer steps than a search for the
/// warm-up, and the medians of thirds of h steps scatter anyway, so the limit is at least four
/// standard errors of their distance, 4 sqrt(pi / h) sigma, more than sigma below h = 50.
/// We added this part: without it a quarter of the steady trials of 24 steps with 2 % of noise
/// (neighbours correlate with .3) fail, with it fewer than 2 % at any length.
///
/// The times (ns) must be finite and above 0.
SteadyCheck check_steady(const std::vector<double>& tail_times_ns);

}  // namespace tune::stats
