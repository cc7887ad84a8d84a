#pragma once

#include "search/standings.h"

#include <cstddef>
#include <vector>

namespace tune::search {

/// Of cells that were never measured and may beat the leader, the `count` to measure next: the most
/// expected improvement, where each choice takes away what it would tell about the others.
std::vector<std::size_t> explore(const Field& field,
                                 const std::vector<Standing>& unmeasured,
                                 std::size_t count);

}  // namespace tune::search
