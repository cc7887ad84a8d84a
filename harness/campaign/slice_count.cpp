#include "campaign/slice_count.h"

#include "stats/counts.h"

namespace tune::campaign {

SliceCount& operator+=(SliceCount& sum, const SliceCount& more) {
  sum.clean += more.clean;
  sum.tainted += more.tainted;
  sum.tainted_by_core += more.tainted_by_core;
  sum.has_core_probes = sum.has_core_probes || more.has_core_probes;
  return sum;
}

double taint_imbalance(const SliceCount& one, const SliceCount& other) {
  if (one.all() == 0 || other.all() == 0) {
    return 1;
  }
  const bool cores_count = one.has_core_probes && other.has_core_probes;
  const auto hits = [&](const SliceCount& side) -> stats::HitCount {
    return {side.tainted - (cores_count ? 0 : side.tainted_by_core), side.all()};
  };
  return stats::fisher_exact(hits(one), hits(other));
}

}  // namespace tune::campaign
