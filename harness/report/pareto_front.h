#pragma once

#include "result/result.h"

#include <vector>

namespace tune::report {

/// What a setting costs: a metric of which less is better.
enum class Cost {
  memory,  ///< bytes at most, of the process or the GPU
  energy   ///< joules of the GPU a sample
};

/// A setting by what it gives and what it costs.
struct RateAndCost {
  const result::Cell* cell = nullptr;
  double rate = 0;  ///< samples/s
  double cost = 0;
  /// No other setting that keeps the constraints is as fast at as little cost, and better in one of
  /// the two. Of equal ones the first; never one that breaks a constraint.
  bool is_on_front = false;
};

/// The settings of which both are known, in the result's order. Refers to the result.
std::vector<RateAndCost> rates_and_costs(const result::Result& result, Cost cost);

}  // namespace tune::report
