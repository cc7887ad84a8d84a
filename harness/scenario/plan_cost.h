#pragma once

#include "scenario/cell.h"
#include "scenario/scenario.h"

#include <cstdint>
#include <string>

namespace tune::scenario {

/// How much a plan is, before anything has been measured.
struct PlanCost {
  std::int64_t trials = 0;          ///< rounds x cells, the audit, and two a confirmation round
  bool is_estimated = false;        ///< the search decides on its way how much it measures
  std::int64_t audit_trials = 0;    ///< of `trials`: every cell again, in full, to judge the search
  std::int64_t confirm_rounds = 0;  ///< to the first look at one cell; 0: nothing is confirmed
  std::int64_t trial_ns = 0;        ///< at least: 1 s to start, warm-up, slices
  std::int64_t total_ns = 0;  ///< at least: trials x trial_ns; data that must be made comes on top
};

PlanCost plan_cost(const Scenario& scenario, const Plan& plan);

/// A guided search measures grids with fewer cells whole: a model of so few saves nothing.
constexpr std::int64_t kSmallestGuided = 16;

/// Why an audit of the search (`exhaustive`) would measure nothing new, "strategy grid measures
/// every cell whole"; "" where it would.
std::string nothing_to_audit(const Scenario& scenario, const Plan& plan);

}  // namespace tune::scenario
