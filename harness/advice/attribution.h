#pragma once

#include "trial/trial_reply.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tune::advice {

/// Measured time of one setting by phase, and the samples that it took.
struct PhaseTotals {
  trial::PhaseSums phases;
  std::int64_t samples = 0;
  bool has_graph = false;  ///< a replayed CUDA graph: one launch for all its phases

  PhaseTotals& operator+=(const trial::Slice& slice);
};

/// One phase's part of a gain. Times are seconds per sample.
struct PhaseChange {
  std::string_view id, label;  ///< "data_wait", "waiting for data"
  double before_s = 0, after_s = 0;
  double saved_s = 0;  ///< before - after: below 0 the phase became longer
  double share = 0;    ///< of everything saved; below 0, or above 1, where phases went both ways
  double gain = 0;     ///< share x the measured gain; 0.05 is five percentage points of it
};

/// Where a measured gain comes from: the phases of a step in their order. Savings sum to `saved_s`,
/// shares to 1, gains to the measured gain.
struct Attribution {
  std::array<PhaseChange, 6> phases;
  double before_s = 0, after_s = 0, saved_s = 0;
};

/// Attributes the gain (ratio - 1) by the host's clock of the measured windows. Nothing where a
/// side has no samples or replays a graph, or where the time of a sample did not change the way the
/// gain says (a gain of the size of its noise).
std::optional<Attribution> attribute(const PhaseTotals& before,
                                     const PhaseTotals& after,
                                     double gain);

}  // namespace tune::advice
