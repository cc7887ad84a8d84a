#pragma once

#include "advice/rule/fact_table.h"
#include "measure/history/series.h"
#include "trial/trial_reply.h"

#include <cstdint>
#include <optional>
#include <string>

namespace tune::campaign {

/// What earlier runs that compare with this one tell rules, by the rates of their baselines:
///
///     slowdown_ratio         median of the earlier rates ÷ the rate of this run - 1
///     history_run_count      earlier runs
///     history_spread_ratio   median of the earlier rates ÷ the least of them - 1
///
/// `series` ends with this run. Not known without an earlier one.
void add_history_facts(const std::optional<history::Series>& series, rule::FactTable& facts);

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
