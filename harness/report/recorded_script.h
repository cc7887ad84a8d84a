#pragma once

#include "result/script.h"
#include "trial/script.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tune {
class Fields;
}

namespace tune::campaign {
struct CampaignResult;
}

namespace tune::report {

/// A line of the user's own code in which its training thread was seen so often.
struct SampledLine {
  result::BusyLine line;
  std::int64_t samples = 0;
};

/// The lines that steps of a script are in, the busiest first; found by looking at it now and then
/// in steps that nobody records.
struct SampledLines {
  std::vector<SampledLine> lines;
  std::int64_t samples = 0;           ///< of all looks; some find none of the user's own lines
  std::vector<std::int64_t> step_ns;  ///< of the steps that were looked at
};

void fields_of(Fields& fields, SampledLines& sampled);

/// Throws tune::Error naming `where`: the script may have written anything.
SampledLines parse_sampled_lines(std::string_view text, const std::string& where);

/// A script whose steps were recorded, in addition to its trace.
struct RecordedScript {
  result::Script script;
  std::int64_t wanted_steps = 0, recorded_steps = 0;
  std::int64_t trace_bytes = 0;
  /// Medians, in the same process: before recording, while it lasted, after it.
  std::optional<double> step_before_s, recorded_step_s, step_after_s;
  /// How many times as long as the longer of the other two a recorded step was. Others on the
  /// machine make steps longer, too: those of both sides must be shorter before recording is
  /// blamed.
  std::optional<double> dilation;
  std::int64_t samples = 0, sampled_steps = 0;  ///< looks at the training thread
  std::string measure_command;                  ///< what would measure recommendations
};

/// What reports say of a script; `seen` may be null.
result::Script script_of(const trial::Script& script, const trial::SeenScript* seen);

/// What the baseline's first trial saw of the script, else the first that saw it; null where none
/// did.
const trial::SeenScript* typical_script(const campaign::CampaignResult& run);

/// The file as seen from the folder, where it is inside.
std::string short_file(const std::string& file, const std::string& folder);

/// "5 steps recorded; recording made a step 1.31 times as long (9.1ms before, 11.9ms recorded)".
std::string recording_words(const RecordedScript& recorded);

}  // namespace tune::report
