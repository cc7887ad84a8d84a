#pragma once

#include "report/markup.h"
#include "result/result.h"

#include <optional>

namespace tune::report {

/// Interval dot plot: the gain of every cell over the baseline in the order of the result, the
/// fresh pairs on top. A cell of one round has no interval and a mark of its own. Nothing when no
/// cell has a gain. At most kMostPlotted cells.
std::optional<Markup> gain_plot(const result::Result& result);

constexpr std::size_t kMostPlotted = 100;  ///< more would be a page of their own

/// Steps between the ticks of an axis of this length: 1, 2 or 5 times a power of ten, so that at
/// most `most` of them fit.
double tick_step(double length, int most);

}  // namespace tune::report
