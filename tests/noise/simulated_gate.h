#pragma once

#include "base/stats/looks.h"
#include "base/stats/verdict.h"
#include "machine.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tune::noise {

/// How the slices of a process become its time.
enum class RateRule {
  sum,                 ///< as `tune` does: all time over all samples, so that stalls count
  sum_without_spikes,  ///< the same, where every spike was seen as taint and left out
  median,              ///< of the slices: blind to stalls
};
const char* to_string(RateRule rule);

enum class Ordering { abba, always_baseline_first };

/// A gate on one row, as measured on one machine.
struct GateSetting {
  Environment environment;
  double effect_ratio = 0;  ///< the candidate is so much slower
  stats::EffectLimits limits;
  std::size_t slices = 5;
  RateRule rate = RateRule::sum;
  Ordering ordering = Ordering::abba;
  double second_log_ratio = 0;  ///< the second process of each pair is so much slower
};

/// d = ln(time of the candidate / time of the baseline) of the pairs, one fresh process a side.
std::vector<double> simulate_pairs(const GateSetting& setting,
                                   std::size_t pairs,
                                   std::uint64_t seed);

struct GateEnd {
  stats::GateVerdict verdict = stats::GateVerdict::inconclusive;
  std::int64_t pairs = 0;
};

/// Samples until a look decides or the last one is over.
GateEnd simulate_gate(const GateSetting& setting, std::uint64_t seed);

/// The same decision on `rows` independent rows of the same setting; true where any is `regressed`.
bool any_row_regressed(const GateSetting& setting, std::size_t rows, std::uint64_t seed);

/// Shares of many gates; seeds are first_seed, first_seed + 1, ...
struct GateShares {
  double regressed = 0, inconclusive = 0, improved = 0, passed = 0, mean_pairs = 0;
};
GateShares simulate_gates(const GateSetting& setting,
                          std::size_t runs,
                          std::uint64_t first_seed = 1);

/// What not to do: one process a side, whose slices take turns, as if slices were pairs.
stats::GateVerdict gate_on_two_processes(const GateSetting& setting,
                                         std::size_t slice_pairs,
                                         std::uint64_t seed);

}  // namespace tune::noise
