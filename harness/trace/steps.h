#pragma once

#include "trace/intervals.h"
#include "trace/timeline.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tune::profile {

/// One step of a training or of a server.
struct Step {
  std::string name;                    ///< "ProfilerStep#6", "step 6"; "trace" for all of it
  std::optional<std::int64_t> number;  ///< 6
  Interval interval;
};

/// The steps of a trace, in order, none overlapping another. Those that rows mark cover exactly the
/// union of these rows.
struct Steps {
  std::vector<Step> steps;
  bool are_known = false;     ///< false: one step, from the first row to the last (`no-step-marks`)
  std::string inferred_from;  ///< "the replays of a CUDA graph", where no row marks them; else ""
  bool are_passed_over = false;  ///< marked, but devices do next to none of their work in them
  /// Marked, but cut off by the memory limit or the end of a file that is cut; not among `steps`.
  std::int64_t unfinished = 0;

  std::vector<Interval> intervals() const;
  Intervals covered() const;
  std::int64_t total_ns() const;
};

/// Rows of the host whose name begins with ProfilerStep#; their copies on device rows
/// (gpu_user_annotation) mark nothing. Where two overlap (one mark a thread, or times rounded to
/// us), the later one begins where the earlier ends, and what is covered altogether marks nothing.
///
/// Without such a row: infer_steps(); where that finds none, one step from the first start to the
/// last end of all rows but gpu_user_annotation, spans of the profiler, Python frames and overhead.
/// Empty without any of those rows.
Steps find_steps(const Timeline& timeline);
/// The one step of a trace without such rows.
Steps whole_trace(const Timeline& timeline);

/// True for the name of a row that marks a step.
bool marks_step(std::string_view name);

/// The track of the first row of the host that marks a step: the thread that trains. kNone without
/// one.
std::uint32_t marking_track(const Timeline& timeline);

}  // namespace tune::profile
