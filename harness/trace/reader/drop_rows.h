#pragma once

#include "trace/timeline.h"

#include <cstddef>
#include <cstdint>

namespace tune::profile {

/// Drops, and counts in the notes, rows whose time cannot be true:
///
/// - at time 0, while everything else is more than a day later (device records that were never
///   filled in, kineto#109);
/// - work or calls longer than the whole trace and longer than 1 s, and any row longer than 7 days
///   (the limit of HolisticTraceAnalysis). The length of the trace is what its annotations, the
///   profiler's own span and window marks, and the starts of all rows cover; where none of these
///   says more than starts do, calls count too. Below 1 s nothing is dropped: a few rows cut out of
///   a trace by hand may end behind everything else.
void drop_impossible(Timeline& timeline);

/// Memory that the rows take, bytes; room that was made for later ones is not touched yet.
std::size_t rows_held_bytes(const Timeline& timeline);

/// Half of the rows start before it. Needs a row.
std::int64_t median_start_ns(const Timeline& timeline);

/// Drops every row that starts at or after `cut_ns`, with its details, and remembers the cut. A
/// profiler writes operators before kernels: only a cut in time keeps both sides of what is left.
void keep_before(Timeline& timeline, std::int64_t cut_ns);

}  // namespace tune::profile
