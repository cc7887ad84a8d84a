#pragma once

#include "scenario/plan_cost.h"

#include <string>

namespace tune::cli {

/// {scenario, grid_cells, cells: [{id, knobs, changed}], collapsed: [{knob, reason, cells}],
/// forbidden: [{text, cells}], notes, trials, trial_s_at_least, total_s_at_least, budget_s}.
/// Additive.
std::string plan_to_json(const scenario::Scenario& scenario,
                         const scenario::Plan& plan,
                         const scenario::PlanCost& cost);

}  // namespace tune::cli
