#pragma once

#include "trial/profile.h"
#include "worker/recorder/recording.h"
#include "worker/recorder/trace_rows.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace tune::worker {

/// What recording asks of the trial; tests give their own.
struct RecordedParts {
  std::function<std::int64_t()> step;  ///< runs one; returns its ns
  std::function<void()> listen;        ///< operators are recorded from here on
  std::function<void()> ignore;        ///< and no longer
};

struct RecordedSteps {
  std::vector<TraceWindow> windows;   ///< one for each cycle
  std::vector<std::int64_t> step_ns;  ///< of the steps that are kept
  bool cap_reached = false;           ///< not all of them came
};

/// Runs the steps of the profile's cycles and records those that it asks for. Step N, counted from
/// the first one here, is the range "ProfilerStep#N", as torch.profiler counts. The window ends
/// early with the step after which the trace may have limit_bytes.
RecordedSteps record_steps(const trial::Profile& profile,
                           Recording& recording,
                           const RecordedParts& parts);

}  // namespace tune::worker
