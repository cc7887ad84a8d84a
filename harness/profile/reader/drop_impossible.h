#pragma once

#include "profile/timeline.h"

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

}  // namespace tune::profile
