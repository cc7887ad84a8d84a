#pragma once

#include "rule/fact_table.h"
#include "trial/trial_reply.h"

#include <cstdint>
#include <string>

namespace tune::campaign {

/// One side of a comparison: the slices that count in the measured windows of its processes.
struct MeasuredSide {
  trial::PhaseSums phases;  ///< host clock
  std::int64_t samples = 0, processes = 0;

  void add(const trial::TrialReply& reply);
};

/// What a comparison with a baseline tells rules:
///
///     gate_verdict        PASS, REGRESSED, IMPROVED or INCONCLUSIVE
///     phase_shift_ratio   of the phase that moved most from one side to the other: how much its
///                         share of the step grew, and no more than its time of a sample grew ÷
///                         the step before. 0.01 is one point
///     slowdown_ratio      time of a sample after ÷ before - 1
///     history_run_count   processes of the baseline
///
/// The ratios are unknown where a side has no measured time, and where the gate is INCONCLUSIVE: it
/// cannot tell them from noise.
void add_regression_facts(const std::string& verdict,
                          const MeasuredSide& before,
                          const MeasuredSide& after,
                          rule::FactTable& facts);

/// The same facts as unknown, with the reason why nothing can have become slower.
void add_no_regression(const std::string& why, rule::FactTable& facts);

}  // namespace tune::campaign
