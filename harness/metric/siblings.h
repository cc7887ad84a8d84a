#pragma once

#include "profile/timeline.h"
#include "table/host_tree.h"

#include <cstdint>
#include <vector>

namespace tune::metric {

/// By event, of operators and annotations: the operator or annotation before it in the same row, or
/// at the top of the same thread; kNone for the first, and for everything else. Calls into a
/// device's library are left out.
std::vector<std::uint32_t> previous_siblings(const profile::Timeline& timeline,
                                             const table::HostTree& tree);

}  // namespace tune::metric
