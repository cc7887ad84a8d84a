#pragma once

#include "cli/analyze_trace.h"
#include "trial/trial_spec.h"

#include <cstdint>
#include <filesystem>

namespace tune::cli {

/// Which steps of a script are recorded, and how.
struct RecordingWish {
  trial::Workload workload;
  trial::KnobSettings knobs;
  trial::Measure measure;  ///< the window before, against which the cost of recording is measured
  std::int64_t timeout_ns = 0;
  std::int64_t steps = 5;
  bool with_stack = false;
  bool quiet = false;
};

struct Recording {
  RecordedTrial trial;
  std::filesystem::path trace;
};

/// Runs the script once, measures a short window, then records. The trace goes to
/// <folder>/trace.json.gz; whatever else the trial left is removed. Without a trace it throws
/// tune::Error with the script's own words, and PreparationInterrupted when it is interrupted; the
/// folder is then as it was.
Recording record_script(const RecordingWish& wish, const std::filesystem::path& folder);

}  // namespace tune::cli
