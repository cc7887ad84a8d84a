#pragma once

#include "report/explored_grid.h"
#include "report/markup.h"

#include <cstddef>
#include <optional>

namespace tune::report {

constexpr std::size_t kMostSlicedKnobs = 12;
constexpr std::size_t kMostSliceValues = 40;  ///< of a knob that are drawn; evenly thinned beyond

/// A panel a knob, the most important first, with equal scales: for each value the slowest, the
/// median and the fastest setting that has it, and joined circles for the slice through `centre`:
/// the settings that differ from it in this knob alone. Nothing without a knob, or where less than
/// two settings were measured.
std::optional<Markup> knob_slices(const ExploredGrid& grid,
                                  const Importance& importance,
                                  const result::Cell* centre);

}  // namespace tune::report
