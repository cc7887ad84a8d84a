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
  /// With a GPU: the next step is the first that is kept of this cycle, counted from 0.
  std::function<void(std::int64_t cycle)> warmed_up = nullptr;
  /// With a GPU: waits until it has done the last step of a window; returns the ns that it took.
  std::function<std::int64_t()> finish = nullptr;
};

struct RecordedSteps {
  std::vector<TraceWindow> windows;   ///< one for each cycle
  std::vector<std::int64_t> step_ns;  ///< of the steps that are kept
  std::vector<std::int64_t> edges;    ///< begins of the kept steps and the ends of windows
  bool cap_reached = false;           ///< not all of them came
};

/// Runs the steps of the profile's cycles and records those that it asks for. Step N, counted from
/// the first one here, is the range "ProfilerStep#N", as torch.profiler counts. The window ends
/// early with the step after which the trace may have limit_bytes. What a GPU still has to
/// do then is waited for, and belongs to the last step of the window.
RecordedSteps record_steps(const trial::Profile& profile,
                           Recording& recording,
                           const RecordedParts& parts);

}  // namespace tune::worker
