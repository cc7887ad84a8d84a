#pragma once

#include "report/cell_times.h"
#include "report/markup.h"

#include <string>
#include <vector>

namespace tune::report {

/// One bar: the time of one sample, in parts.
struct PhaseBar {
  std::string label;
  PhaseSplit split;
};

/// Stacked bars on one scale of ms per sample: shorter is faster. Parts differ by colour, hatch and
/// label. Needs at least one bar.
Markup phase_bars(const std::vector<PhaseBar>& bars);

}  // namespace tune::report
