#pragma once

#include "measure/campaign/campaign_result.h"
#include "report/markup.h"

#include <string>
#include <vector>

namespace tune::report {

/// Curves of the machine during one trial of the baseline and one of the best other cell
/// (`telemetry` of the result), side by side and with equal scales; one drawing each for CPUs,
/// memory, pressure, disk, clock and, where there is one, GPU. The measured window is shaded,
/// recorded steps are marked below it. Only what some trial has is drawn.
std::vector<Markup> machine_curves(const campaign::CampaignResult& result);

/// What is not drawn, one line a reason: "not applicable: GPU in use, GPU memory: no driver".
std::vector<std::string> curves_not_drawn(const campaign::CampaignResult& result);

}  // namespace tune::report
