#pragma once

#include "worker/recorder/recording.h"
#include "worker/running_trial.h"

namespace tune::worker {

constexpr const char* kTraceFile = "trace.json.gz";

Recording::Options recording_options(const trial::Profile& profile);

/// Runs further steps of the trial, records those that its profile asks for, and writes them to
/// <folder>/trace.json.gz. The reply stays as it is. Does not throw: what goes wrong is the reason
/// why there is no trace.
trial::ProfileOutcome record_profile(RunningTrial& trial, Recording& recording);

}  // namespace tune::worker
