#pragma once

#include "trial/trial_spec.h"

#include <string>

namespace tune::worker {

/// "" when a loader reads and decodes samples in this trial.
std::string why_nothing_is_loaded(const trial::TrialSpec& spec);

/// "" when loader threads load samples in this trial.
std::string why_no_thread_loads(const trial::TrialSpec& spec);

}  // namespace tune::worker
