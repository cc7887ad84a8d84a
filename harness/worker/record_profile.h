#pragma once

#include "worker/recorder/recording.h"
#include "worker/running_trial.h"

namespace tune::worker {

constexpr const char* kTraceFile = "trace.json.gz";

Recording::Options recording_options(const trial::Profile& profile);

/// Runs more steps of the trial, records those that its profile selects, and writes them to
/// <folder>/trace.json.gz. Does not change the reply. Does not throw: a failure becomes the reason
/// why there is no trace.
trial::ProfileOutcome record_profile(RunningTrial& trial, Recording& recording);

}  // namespace tune::worker
