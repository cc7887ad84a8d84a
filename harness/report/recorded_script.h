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

namespace tune::report {

/// A line of the user's own code in which its training thread was seen.
struct BusyLine {
  std::string file, function;
  std::string text;  ///< of the line, as the file has it
  std::string part;  ///< data_wait | forward | backward | optimizer | other
  std::int64_t line = 0, samples = 0;
};

/// The lines that steps of a script are in, the busiest first; found by looking at it now and then
/// in steps that nobody records.
struct BusyLines {
  std::vector<BusyLine> lines;
  std::int64_t samples = 0;  ///< of all looks; some find none of the user's own lines
  std::int64_t steps = 0;
};

void fields_of(Fields& fields, BusyLines& lines);

/// Throws tune::Error naming `where`: the script may have written anything.
BusyLines parse_busy_lines(std::string_view text, const std::string& where);

/// A script whose steps were recorded, beside its trace.
struct RecordedScript {
  result::Script script;
  std::int64_t wanted_steps = 0, recorded_steps = 0;
  std::int64_t trace_bytes = 0;
  std::optional<double> measured_step_s, recorded_step_s;  ///< medians, in the same process
  std::optional<double> dilation;                          ///< trial::profiler_dilation()
  BusyLines busy;
  std::string measure_command;  ///< what would measure recommendations
};

/// What reports say of a script; `seen` may be null.
result::Script script_of(const trial::Script& script, const trial::SeenScript* seen);

/// The file from the folder on, where it lies in it.
std::string short_file(const std::string& file, const std::string& folder);

/// "5 steps recorded; recording made a step 1.31 times as long (9.1ms before, 11.9ms recorded)".
std::string recording_words(const RecordedScript& recorded);

/// "train.py:42 loss.item()".
std::string line_words(const BusyLine& line);

}  // namespace tune::report
