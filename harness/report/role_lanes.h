#pragma once

#include "report/markup.h"
#include "trace/partition.h"

#include <optional>
#include <string>

namespace tune::report {

/// Exposed and overlapped time by role, of all steps.
struct RoleLanes {
  std::string id;  ///< unique in the page
  std::string title;
  profile::RoleTimes exposed_ns{};  ///< sum to the steps
  profile::RoleTimes overlapped_ns{};
};

/// A lane for each role that has time, from 0 to all steps: what is exposed filled, what rows above
/// hide of it outlined behind. Nothing without a step.
std::optional<Markup> role_lanes(const RoleLanes& lanes);

}  // namespace tune::report
