#pragma once

#include "measure/campaign/campaign_result.h"
#include "measure/campaign/recorded_run.h"
#include "scenario/scenario.h"
#include "trial/trial_reply.h"
#include "trial/trial_spec.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tune::campaign {

/// What a process said of its steady state (Measure::find_warmup), and what its step times say. The
/// worker and we use the same pure functions (stats::find_steady_state), so that both agree unless
/// one of the two is wrong.
struct WarmupCheck {
  trial::SteadyRecord record;     ///< recomputed; where that is not possible, the worker's word
  bool is_weak = false;           ///< too few steps for their noise; false where not recomputed
  bool is_recomputed = false;     ///< false: the reply keeps fewer steps than were looked at
  std::string disagreement = {};  ///< "the worker says steady after ...", or ""

  /// Steady, and nobody says otherwise.
  bool is_steady() const { return record.steady && disagreement.empty(); }
};

/// Nothing where the process did not look for a steady state. A reply keeps at most 100,000 steps:
/// of a longer look the worker's word stands.
std::optional<WarmupCheck> check_warmup(const trial::TrialReply& reply);

/// How long the warm-up of every trial is, as the first trial of the baseline found it; computed
/// again from the times of its steps. Nothing where the scenario says it, or no such trial has
/// completed.
std::optional<WarmupFound> warmup_found(const scenario::Scenario& scenario,
                                        const std::vector<TrialRecord>& trials);

/// What one trial measures: the stage "warmup" looks for the steady state, all others warm up for
/// as many steps as it found, so that both sides of a pair do the same.
trial::Measure measure_of(const scenario::Scenario& scenario,
                          const Slot& slot,
                          const std::optional<WarmupFound>& warmup,
                          std::optional<std::int64_t> budget_ns);

}  // namespace tune::campaign
