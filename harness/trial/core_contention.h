#pragma once

#include "trial/trial_reply.h"

#include <optional>
#include <vector>

namespace tune::trial {

/// Core probes (trial::Disturbance) that take more than this many times the fastest, in the mean
/// over a slice, had to share their core for a third of the time or more. On a virtual machine of
/// two hardware threads whose neighbours belonged to others, the steps of a small MLP in 580 slices
/// of 48 processes spread by 20 %, those of the 155 slices within this limit of the fastest of all
/// by 7.5 %. Compared with the fastest of their own process alone they still spread by 20 %: it may
/// have had a busy neighbour all the time.
constexpr double kMostCoreRatio = 1.3;

/// The fastest core probe that these slices know of, ns; nothing where none was made.
inline std::optional<std::int64_t> fastest_core_ns(const std::vector<Slice>& slices) {
  std::optional<std::int64_t> fastest;
  for (const Slice& slice : slices) {
    const auto seen = slice.disturbance.fastest_core_probe_ns;
    if (seen && (!fastest || *seen < *fastest)) {
      fastest = seen;
    }
  }
  return fastest;
}

/// How many times as long as the fastest the slice's core probes took; 1 where that is not known.
inline double core_ratio(const Slice& slice, const std::optional<std::int64_t>& fastest_ns) {
  const auto mean_ns = slice.disturbance.core_probe_ns;
  return mean_ns && fastest_ns && *fastest_ns > 0
             ? static_cast<double>(*mean_ns) / static_cast<double>(*fastest_ns)
             : 1;
}

}  // namespace tune::trial
