#pragma once

#include "report/markup.h"
#include "report/pareto_front.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace tune::report {

constexpr std::size_t kMostParetoPoints = 500;

/// Scatter of throughput against peak memory, a mark a setting: full diamonds on the Pareto front,
/// which a stepped line joins, circles below it, crosses for settings that break a constraint.
/// Nothing of less than two points. At most kMostParetoPoints, the first. `points` are those of the
/// result.
std::optional<Markup> pareto_plot(const result::Result& result, std::vector<RateAndMemory> points);

}  // namespace tune::report
