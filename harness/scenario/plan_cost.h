#pragma once

#include "scenario/cell.h"
#include "scenario/scenario.h"

#include <cstdint>

namespace tune::scenario {

/// How much a plan is, before anything has been measured.
struct PlanCost {
  std::int64_t trials = 0;    ///< rounds x cells, and two a confirmation round
  bool is_estimated = false;  ///< the search decides on its way how much it measures
  std::int64_t confirm_rounds = 0;  ///< to the first look at one cell
  std::int64_t trial_ns = 0;  ///< at least: 1 s to start, warm-up, slices
  std::int64_t total_ns = 0;  ///< at least: trials x trial_ns; data that must be made comes on top
};

PlanCost plan_cost(const Scenario& scenario, const Plan& plan);

}  // namespace tune::scenario
