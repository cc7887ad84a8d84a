#pragma once

#include "campaign/loader_forecast.h"
#include "scenario/plan.h"

#include <optional>
#include <string>
#include <vector>

namespace tune::cli {

/// {scenario, grid_cells, cells: [{id, knobs, changed, predicted_rate, predicted_is_bound}],
/// collapsed: [{knob, reason, cells}], forbidden: [{text, cells}], notes, trials, trial_s_at_least,
/// total_s_at_least, budget_s}. Additive.
std::string plan_to_json(const scenario::Scenario& scenario,
                         const scenario::Plan& plan,
                         const scenario::PlanCost& cost,
                         const std::vector<std::optional<campaign::CellForecast>>& forecasts = {});

}  // namespace tune::cli
