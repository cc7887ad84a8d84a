#pragma once

#include "report/markup.h"
#include "result/result.h"

#include <optional>

namespace tune::report {

/// Waterfall of the cumulative path: a row a rung, whose bar goes from the gain of the rung below
/// it to its own, with the interval of its fresh pairs as a whisker. Rungs that were not measured
/// have no bar and say why. Nothing where no rung has a gain.
std::optional<Markup> ladder_plot(const result::Result& result);

}  // namespace tune::report
