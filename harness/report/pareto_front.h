#pragma once

#include "result/result.h"

#include <vector>

namespace tune::report {

/// A setting by what it gives and what it costs.
struct RateAndMemory {
  const result::Cell* cell = nullptr;
  double rate = 0;          ///< samples/s
  double memory_bytes = 0;  ///< at most, of the process or the GPU
  /// No other setting that keeps the constraints is as fast with as little memory, and better in
  /// one of the two. Of equal ones the first; never one that breaks a constraint.
  bool is_on_front = false;
};

/// The settings of which both are known, in the result's order. Refers to the result.
std::vector<RateAndMemory> rates_and_memory(const result::Result& result);

}  // namespace tune::report
