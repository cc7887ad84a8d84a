#pragma once

#include "trial/knob_catalog.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tune {
class Fields;
}

namespace tune::trial {

/// A change of a script in the form in which it is handed over.
struct AppliedForm {
  std::vector<std::string> options;                ///< words at the end of the command
  std::map<std::string, std::string> environment;  ///< by name
  std::vector<std::string> files;                  ///< changed ones, from the script's folder on
  std::string copies;                              ///< absolute, the folder that holds those files

  bool operator==(const AppliedForm&) const = default;
};

void fields_of(Fields& fields, AppliedForm& form);

/// A training of the user's own in Python, run unchanged, in place of a model. Workload::model is
/// then "script:<file name>", as no model of the catalogue is called.
struct Script {
  std::vector<std::string> command;  ///< the program and its arguments; empty: there is no script
  std::string folder;                ///< absolute, where it runs
  std::string count = "steps";       ///< what a step is: `steps` of an optimizer, or `batches`
  /// By knob, options of the script's own that set it, with {} for the value: "--workers {}". They
  /// are used instead of injection.
  std::map<std::string, std::string> flags;
  /// What the script does by itself, as it was seen; of knobs that are not here, their defaults. A
  /// trial changes those whose values differ.
  KnobSettings observed;
  /// Absolute folders in which what the script writes is gone with the trial.
  std::vector<std::string> shield;
  /// The parts of a step are noted; noting them costs a few microseconds, too much for short steps.
  bool has_parts = true;
  /// Notes which files the script writes and which options it has; for the trial that only looks.
  bool is_watched = false;
  /// What ends a trial: its `window`, or the `script` by itself.
  std::string stop_after = "window";
  /// The window ends at the first line of the script's output in which this regular expression is
  /// found; "": at none.
  std::string stop_at;
  /// Runs with this change, and nothing is injected; nothing: as it is, with injection.
  std::optional<AppliedForm> applied;

  bool exists() const { return !command.empty(); }
  bool operator==(const Script&) const = default;
};

/// The script must exist.
void fields_of(Fields& fields, Script& script);

/// A knob of a trial that the script has set to something else.
struct ResistedKnob {
  std::string name, value, where;
  bool operator==(const ResistedKnob&) const = default;
};

void fields_of(Fields& fields, ResistedKnob& knob);

/// A line of the user's code that matters.
struct ScriptPlace {
  std::string what;  ///< loader | optimizer | forward | backward
  std::string file, function;
  std::int64_t line = 0;
  bool operator==(const ScriptPlace&) const = default;
};

void fields_of(Fields& fields, ScriptPlace& place);

/// What a trial saw of its script.
struct SeenScript {
  std::string python;              ///< version
  KnobSettings observed, applied;  ///< in effect after warm-up; of these, what the trial changed
  std::vector<ResistedKnob> resisted;
  std::vector<ScriptPlace> places;
  std::vector<std::string> notes;              ///< a sentence each
  std::vector<std::string> written;            ///< files and folders, where it is watched
  std::vector<std::int64_t> training_loaders;  ///< by number among all that it made
  std::int64_t ranks = 1;                      ///< processes that train
  std::int64_t evaluation_ns = 0;              ///< outside of steps, since the first one
  std::int64_t checkpoint_ns = 0, pause_ns = 0;
  std::optional<std::int64_t> ended_after_steps;  ///< by itself, before the trial ended it
  bool operator==(const SeenScript&) const = default;
};

void fields_of(Fields& fields, SeenScript& seen);

/// "train.py" of "python -u train.py --epochs 3": the first word that ends so, else the first word
/// without its folder.
std::string script_name(const std::vector<std::string>& command);

/// Settings that a trial of the script changes: those of `knobs` that are not as observed.
KnobSettings changed_settings(const Script& script, const KnobSettings& knobs);

/// What a script is given for a setting: "--workers 2" of the option "--workers {}". "" where the
/// option is a switch and the setting is not true.
std::string option_text(const std::string& option, const KnobValue& value);

/// Why a script takes no such knob: what it belongs to is tune's own; "" where it can.
std::string why_not_in_scripts(std::string_view knob);

}  // namespace tune::trial
