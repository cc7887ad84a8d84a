#pragma once

#include "trace/timeline.h"

#include <cstdint>
#include <vector>

namespace tune::profile {

/// Joins device work with the calls that issued it, by correlation id. (Flow arrows say the same
/// where they are written, which is not everywhere.)
struct Launches {
  /// By event: for device work the call that issued it, else kNone. Many kernels of one graph
  /// launch have the same call. kNone also when the call is not in the trace (launched before it
  /// began, recorded without the host, correlation missing or 0).
  std::vector<std::uint32_t> call_of;
  /// By event: for a call the first device work that it issued, else kNone.
  std::vector<std::uint32_t> first_work_of;
};

/// Where two calls have the same correlation (runtime and driver), the one that started last before
/// the work counts.
Launches find_launches(const Timeline& timeline);

}  // namespace tune::profile
