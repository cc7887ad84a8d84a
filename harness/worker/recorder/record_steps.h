#pragma once

#include "trial/profile.h"
#include "worker/recorder/recording.h"
#include "worker/recorder/trace_rows.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tune::worker {

/// Where a trial computes, and what.
struct RecordedTrial {
  bool has_gpu = false;
  bool has_own_model = false;  ///< the user's own model: its modules do not report when they run
};

/// The profile's options that are not available here, each with its reason. Options about operators
/// are not available when only a GPU's rows are recorded.
std::vector<trial::RefusedOption> refused_options(const trial::Profile& profile,
                                                  RecordedTrial trial);

/// Why nothing at all can be recorded or stored: no activity is left, or the disk has less space
/// than the trace may need; else "".
std::string why_no_profile(const trial::Profile& profile, bool has_gpu, std::int64_t free_bytes);

/// What recording needs from the trial; tests pass their own.
struct RecordedParts {
  std::function<std::int64_t()> step;  ///< runs one; returns its ns
  std::function<void()> listen;        ///< operators are recorded from here on
  std::function<void()> ignore;        ///< operators are no longer recorded
  /// With a GPU: the next step is the first recorded one of this cycle.
  std::function<void()> warmed_up = nullptr;
  /// With a GPU: waits until it has done the last step of a window; returns the time in ns.
  std::function<std::int64_t()> finish = nullptr;
  /// Whether the last step did as much work as most steps. Null: always true.
  std::function<bool()> was_alike = nullptr;
};

struct RecordedSteps {
  std::vector<TraceWindow> windows;   ///< one for each cycle
  std::vector<std::int64_t> step_ns;  ///< of the steps that are kept
  std::vector<std::int64_t> edges;    ///< starts of the kept steps and the ends of windows
  bool cap_reached = false;           ///< not all steps were recorded
  bool are_alike = true;              ///< all of them did the same work
};

/// The edges of the steps when they are consecutive and alike; else only those of the whole,
/// because nothing can be compared then: between two windows there are steps that were not kept.
std::vector<std::int64_t> comparable_edges(const RecordedSteps& steps);

/// Runs the steps of the profile's cycles and records the requested ones. Step N, counted from the
/// first one here, is the range "ProfilerStep#N", as torch.profiler counts. The window ends early
/// with the step after which the trace may have limit_bytes. Remaining work of a GPU is waited for,
/// and belongs to the last step of the window.
RecordedSteps record_steps(const trial::Profile& profile,
                           Recording& recording,
                           const RecordedParts& parts);

}  // namespace tune::worker
