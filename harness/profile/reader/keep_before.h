#pragma once

#include "profile/timeline.h"

#include <cstddef>
#include <cstdint>

namespace tune::profile {

/// Memory that the rows take, bytes; room that was made for later ones is not touched yet.
std::size_t rows_held_bytes(const Timeline& timeline);

/// Half of the rows start before it. Needs a row.
std::int64_t median_start_ns(const Timeline& timeline);

/// Drops every row that starts at or after `cut_ns`, with its details, and remembers the cut. A
/// profiler writes operators before kernels: only a cut in time keeps both sides of what is left.
void keep_before(Timeline& timeline, std::int64_t cut_ns);

}  // namespace tune::profile
