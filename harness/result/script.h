#pragma once

#include "result/number.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tune::result {

/// A line of the user's code that is relevant to a run.
struct ScriptPlace {
  std::string what;            ///< loader, optimizer, forward, backward
  std::string file, function;  ///< the file, relative to the script's folder if inside it
  std::int64_t line = 0;
};

/// "train.py:14".
std::string place_text(const ScriptPlace& place);

/// The outcome of a knob in the trials of a cell: one entry per outcome.
struct TriedKnob {
  std::string cell, knob;
  std::optional<trial::KnobValue> value;
  /// applied: in effect. option: set by an option of the script. resisted: in effect although the
  /// script set something else. ignored: not in effect. unseen: unknown.
  std::string state;
  std::string why;
  std::int64_t trials = 0;
};

/// Seconds since the first step, summed over some trials.
struct ScriptTime {
  std::int64_t trials = 0;
  std::optional<double> steps, evaluation, checkpoints, pauses;
};

/// A line of the user's code in which its training thread was seen.
struct BusyLine {
  std::string file, function;  ///< the file as that of a place
  std::string text;            ///< of the line, as the file has it
  std::string part;            ///< data_wait, forward, backward, optimizer, other
  std::int64_t line = 0;
  double ratio = 0;  ///< of the time of steps
};

/// The user's own training, if a run measured one.
struct Script {
  std::vector<std::string> command;
  std::string folder, count, python;
  std::int64_t ranks = 1;                                    ///< processes that train
  std::vector<std::pair<std::string, std::string>> options;  ///< its own, by knob: "--workers {}"
  Setting observed;                                          ///< by itself
  std::vector<ScriptPlace> places;
  std::vector<BusyLine> lines;  ///< the busiest first; if they were recorded
  std::vector<TriedKnob> knobs;
  ScriptTime time;  ///< of the baseline
  std::vector<std::string> notes;

  /// The command as it is typed; a shell line stays as it is.
  std::string command_words() const;
  /// "train.py:14, eval.py:3" for a kind of place; "" when none is known.
  std::string places_of(const std::string& what) const;
};

void fields_of(Fields& fields, Script& script);

}  // namespace tune::result
