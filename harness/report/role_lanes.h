#pragma once

#include "profile/partition.h"
#include "report/markup.h"

#include <optional>

namespace tune::report {

/// A lane for each role, from 0 to all steps: what is exposed filled, what rows above hide of it
/// outlined behind. Roles that cannot be had here say so. Nothing without a step.
std::optional<Markup> role_lanes(const profile::Partition& partition);

}  // namespace tune::report
