#pragma once

#include <optional>

namespace tune::advice {

/// Amdahl on exposed time: 1/(1 - share x removable) - 1. share: the part of the step that nothing
/// hides, 0-1; removable: how much of it the change takes away, 0-1. Both are clamped; nothing when
/// the whole step would go. An upper bound: overlapped time gains nothing.
std::optional<double> amdahl_gain(double share, double removable);

/// DS-Analyzer (VLDB 2021): samples/s with resident batches, with cached and with cold files. A run
/// is as fast as the slowest of the three.
struct DifferentialRates {
  double synthetic = 0, cached = 0, cold = 0;

  double now() const;                ///< min of the three
  double prep_stall_ratio() const;   ///< 1 - cached/synthetic: what decoding and copying cost
  double fetch_stall_ratio() const;  ///< 1 - cold/cached: what reading costs
};

}  // namespace tune::advice
