#pragma once

#include "report/explored_grid.h"
#include "report/markup.h"

#include <array>
#include <cstddef>
#include <optional>

namespace tune::report {

/// Values of a knob that a heat map has room for, on either side.
constexpr std::size_t kMostHeatValues = 16;

/// The strongest tint of a box; its number stands on it in ink, so that the contrast of both
/// schemes holds (a test computes it).
constexpr double kStrongestTint = 0.4;

/// The two knobs that a heat map shows: the most important ones with 2 to kMostHeatValues values,
/// by name where the importance is not known. Nothing when there are no two.
std::optional<std::array<std::size_t, 2>> heat_map_knobs(const ExploredGrid& grid,
                                                         const Importance& importance);

/// A box for each pair of values of two knobs, with the throughput of the fastest setting that has
/// both: the stronger the tint the further from the baseline, faster or slower. Pairs whose
/// settings all failed, or that no setting has, say so. `baseline_rate` in samples/s; nothing where
/// it is not known, and then no box is tinted. Nothing when no pair was measured.
std::optional<Markup> heat_map(const ExploredGrid& grid,
                               const std::array<std::size_t, 2>& knobs,
                               std::optional<double> baseline_rate);

}  // namespace tune::report
