#pragma once

#include "report/markup.h"
#include "trace/partition.h"

#include <array>
#include <optional>
#include <string>

namespace tune::report {

/// Exposed and overlapped time by role, of all steps.
struct RoleLanes {
  std::string id;  ///< unique in the page
  std::string title;
  profile::RoleTimes exposed_ns{};  ///< sum to the steps
  profile::RoleTimes overlapped_ns{};
  /// What replaces the shares: "no rows", or why a role is not available; or "".
  std::array<std::string, profile::kRoles> remarks{};
};

/// The lanes of a trace; roles that it cannot have say so.
RoleLanes lanes_of(const profile::Partition& partition,
                   const std::string& id,
                   const std::string& title);

/// A lane for each role, from 0 to all steps: what is exposed filled, what rows above hide of it
/// outlined behind. Nothing without a step.
std::optional<Markup> role_lanes(const RoleLanes& lanes);

}  // namespace tune::report
