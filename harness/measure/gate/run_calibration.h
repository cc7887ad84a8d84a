#pragma once

#include "measure/gate/calibration.h"
#include "measure/gate/gate_result.h"
#include "measure/gate/run_process.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tune::gate {

/// The gate of two commits of which everything is the same that decides what is measured: nothing
/// is judged, `result` passes. With `takes_sample` one pair of fresh processes is measured, A/A,
/// and is in result.pairs afterwards unless other work disturbed it; one that fails is a warning.
/// Only an interruption ends it otherwise.
void conclude_equal_sides(GateResult& result, const GateLoop& loop, bool takes_sample);

/// What is launched.
struct CalibrationPlan {
  std::int64_t launches = 40;           ///< equal ones
  std::vector<double> injected_ratios;  ///< slowdowns, each in so many launches:
  std::int64_t injected_launches = 10;
  double min_effect_ratio = 0.01;
};

/// How it ended.
struct CalibrationRun {
  Calibration calibration;
  bool is_complete = false;
  std::string end_reason;  ///< "interrupted", or how a process failed
};

/// Launches equal processes and, between them in random order, slowed ones; `record` is a gate's
/// record whose two sides are equal. The equal launches are measured in the order of time, so that
/// neighbours are as far apart as the processes of a pair.
CalibrationRun run_calibration(GateResult& record,
                               const CalibrationPlan& plan,
                               const GateLoop& loop);

}  // namespace tune::gate
