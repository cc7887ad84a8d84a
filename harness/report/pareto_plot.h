#pragma once

#include "campaign/campaign_result.h"
#include "report/markup.h"

#include <cstddef>
#include <optional>

namespace tune::report {

constexpr std::size_t kMostParetoPoints = 500;

/// Scatter of throughput against peak memory, a mark a setting: full diamonds on the Pareto front,
/// which a stepped line joins, circles below it, crosses for settings that break a constraint.
/// Nothing when less than two settings have both numbers. At most kMostParetoPoints of them, the
/// first of the result.
std::optional<Markup> pareto_plot(const campaign::CampaignResult& result);

}  // namespace tune::report
