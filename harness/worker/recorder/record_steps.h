#pragma once

#include "trial/profile.h"
#include "worker/recorder/recording.h"
#include "worker/recorder/trace_rows.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tune::worker {

/// Of a trial: where it computes, and what.
struct RecordedTrial {
  bool has_gpu = false;
  bool has_own_model = false;  ///< the user's own: its modules do not say when they run
};

/// The words of the profile that cannot be had here, each with its reason. What is about operators
/// cannot be had where a GPU's rows are recorded alone.
std::vector<trial::RefusedOption> refused_options(const trial::Profile& profile,
                                                  RecordedTrial trial);

/// Why nothing at all can be recorded or kept, "" when it can: of the activities none is left, or
/// the disk has less than the trace may need.
std::string why_no_profile(const trial::Profile& profile, bool has_gpu, std::int64_t free_bytes);

/// What recording asks of the trial; tests give their own.
struct RecordedParts {
  std::function<std::int64_t()> step;  ///< runs one; returns its ns
  std::function<void()> listen;        ///< operators are recorded from here on
  std::function<void()> ignore;        ///< and no longer
  /// With a GPU: the next step is the first that is kept of this cycle.
  std::function<void()> warmed_up = nullptr;
  /// With a GPU: waits until it has done the last step of a window; returns the ns that it took.
  std::function<std::int64_t()> finish = nullptr;
  /// Whether the last step did as much as most steps do. Null: it always has.
  std::function<bool()> was_alike = nullptr;
};

struct RecordedSteps {
  std::vector<TraceWindow> windows;   ///< one for each cycle
  std::vector<std::int64_t> step_ns;  ///< of the steps that are kept
  std::vector<std::int64_t> edges;    ///< begins of the kept steps and the ends of windows
  bool cap_reached = false;           ///< not all of them came
  bool are_alike = true;              ///< each of them did as much as the others
};

/// The edges of steps that lie next to one another and are alike; else those of the whole, for then
/// there is nothing to compare: between two windows lie steps that were not kept.
std::vector<std::int64_t> comparable_edges(const RecordedSteps& steps);

/// Runs the steps of the profile's cycles and records those that it asks for. Step N, counted from
/// the first one here, is the range "ProfilerStep#N", as torch.profiler counts. The window ends
/// early with the step after which the trace may have limit_bytes. What a GPU still has to
/// do then is waited for, and belongs to the last step of the window.
RecordedSteps record_steps(const trial::Profile& profile,
                           Recording& recording,
                           const RecordedParts& parts);

}  // namespace tune::worker
