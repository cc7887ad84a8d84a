#pragma once

#include "campaign/campaign_result.h"
#include "campaign/slot.h"
#include "scenario/scenario.h"
#include "trial/trial_spec.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace tune::campaign {

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
