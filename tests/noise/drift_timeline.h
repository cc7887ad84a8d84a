#pragma once

#include "machine.h"

#include <cstdint>
#include <vector>

namespace tune::noise {

/// The drift of a machine as a function of its seed and of the time alone: whoever asks, in
/// whatever order and from whichever process, sees the same machine. One step of the autoregression
/// a second, which is the time of a slice.
class DriftTimeline {
 public:
  DriftTimeline(const Environment& environment, std::uint64_t seed);

  /// ln(time of a step at `machine_ns` since the machine began / without drift).
  double at(std::int64_t machine_ns);

 private:
  RandomStream random_;
  Drift drift_;
  std::vector<double> seconds_;
};

}  // namespace tune::noise
