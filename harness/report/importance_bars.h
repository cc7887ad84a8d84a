#pragma once

#include "report/explored_grid.h"
#include "report/markup.h"

#include <optional>

namespace tune::report {

constexpr std::size_t kMostImportantKnobs = 16;

/// A bar a knob, the most important first: its share of the differences between settings, and what
/// its best value gives over its worst. Nothing when the importance is not known. At most
/// kMostImportantKnobs.
std::optional<Markup> importance_bars(const ExploredGrid& grid, const Importance& importance);

}  // namespace tune::report
