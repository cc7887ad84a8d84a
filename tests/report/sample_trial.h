#pragma once

#include "measure/campaign/campaign_result.h"

#include <cstdint>
#include <string>

namespace tune::report {

/// The next trial of an invented campaign: of this cell, in a round of the stage "search" or
/// "confirm". Rates follow from the knobs, with a little noise from the trial's id; c11 runs out of
/// memory, c21 crashes.
campaign::TrialRecord sample_trial(const campaign::CampaignResult& result,
                                   const scenario::Cell& cell,
                                   const std::string& stage,
                                   std::int64_t round);

/// How a trial ends that fails while it warms up.
runner::TrialOutcome sample_failure(runner::OutcomeKind kind,
                                    std::string reason,
                                    std::string stderr_tail);

}  // namespace tune::report
