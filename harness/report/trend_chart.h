#pragma once

#include "measure/history/series.h"
#include "measure/history/trend.h"
#include "report/markup.h"

#include <cstddef>
#include <optional>

namespace tune::report {

/// Runs in the drawing.
constexpr std::size_t kMostDrawnRuns = 100;

/// A series over its runs, evenly spaced: a circle a run, a thick line a level, a dashed line where
/// one begins. Colour means direction: better or worse than the level before. Nothing with fewer
/// than two runs; at most the newest kMostDrawnRuns. Needs the trend of the same series.
std::optional<Markup> trend_chart(const history::Series& series, const history::Trend& trend);

}  // namespace tune::report
