#pragma once

#include "base/error.h"
#include "scenario/scenario.h"

#include <string>

namespace tune::cli {

struct PlanShown {
  bool as_json = false;
  bool as_plain = false;                   ///< a line a cell: id, what it changes
  std::string budget_source = "scenario";  ///< where the budget comes from: "--time", ...
};

/// Prints what a run of the scenario would measure on this machine: `tune plan`, `tune run -n`.
ExitCode show_plan(const scenario::Scenario& scenario, const PlanShown& how);

}  // namespace tune::cli
