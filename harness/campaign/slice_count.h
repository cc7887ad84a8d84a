#pragma once

#include <cstdint>

namespace tune::campaign {

/// What became of the slices of one side of a comparison.
struct SliceCount {
  std::int64_t clean = 0, tainted = 0;
  std::int64_t tainted_by_core = 0;  ///< of the tainted: core probes alone saw it
  bool has_core_probes = false;      ///< in any slice

  std::int64_t all() const { return clean + tainted; }
};

SliceCount& operator+=(SliceCount& sum, const SliceCount& more);

/// As rare as this by chance alone, the machine did not treat both sides alike.
constexpr double kTaintLevel = 0.01;

/// p for "both sides lost slices alike" (stats/counts.h); 1 where a side has none. What core
/// probes saw counts only where both sides made some: a side without them cannot lose slices to
/// what it does not see.
double taint_imbalance(const SliceCount& one, const SliceCount& other);

}  // namespace tune::campaign
