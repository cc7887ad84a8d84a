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

/// A change of a script, ready to be passed to it.
struct AppliedForm {
  std::vector<std::string> options;                ///< words at the end of the command
  std::map<std::string, std::string> environment;  ///< by name
  std::vector<std::string> files;  ///< changed ones, relative to the script's folder
  std::string copies;              ///< absolute folder with those files

  bool operator==(const AppliedForm&) const = default;
};

void fields_of(Fields& fields, AppliedForm& form);

/// The user's own training in Python, run unchanged, in place of a model. Workload::model is then
/// "script:<file name>"; no model of the catalogue has such a name.
struct Script {
  std::vector<std::string> command;  ///< the program and its arguments; empty: there is no script
  std::string folder;                ///< absolute, where it runs
  std::string count = "steps";  ///< what counts as a step: `steps` of an optimizer, or `batches`
  /// By knob, the script's own options that set it, with {} for the value: "--workers {}". They are
  /// used instead of injection.
  std::map<std::string, std::string> flags;
  /// What the script was seen to do by itself; knobs that are missing here have their defaults. A
  /// trial changes the knobs whose values differ.
  KnobSettings observed;
  /// From its start to its first step, as seen; 0: nobody has looked. For plans, not for workers.
  std::int64_t setup_ns = 0;
  /// Absolute folders whose files, written by the script, are discarded after the trial.
  std::vector<std::string> shield;
  /// Record the parts of a step; this costs a few microseconds, too much for short steps.
  bool has_parts = true;
  /// Record which files the script writes and which options it has; for the trial that only
  /// observes.
  bool is_watched = false;
  /// What ends a trial: its `window`, or the `script` itself.
  std::string stop_after = "window";
  /// The window ends at the first line of the script's output that this regular expression matches;
  /// "": at none.
  std::string stop_at;
  /// Run with this change and without injection; nothing: unchanged, with injection.
  std::optional<AppliedForm> applied;

  bool exists() const { return !command.empty(); }
  bool operator==(const Script&) const = default;
};

/// The script must exist.
void fields_of(Fields& fields, Script& script);

/// `where` of a knob that was found to be something else after the warm-up.
inline constexpr const char* kReadBack = "?";

/// A knob of a trial that the script has set to another value.
struct ResistedKnob {
  std::string name, value, where;
  bool operator==(const ResistedKnob&) const = default;
};

void fields_of(Fields& fields, ResistedKnob& knob);

/// A relevant line of the user's code.
struct ScriptPlace {
  std::string what;  ///< loader | optimizer | forward | backward
  std::string file, function;
  std::int64_t line = 0;
  bool operator==(const ScriptPlace&) const = default;
};

void fields_of(Fields& fields, ScriptPlace& place);

/// What a trial learned about its script.
struct SeenScript {
  std::string python;              ///< version
  KnobSettings observed, applied;  ///< in effect after warm-up; the part that the trial changed
  std::vector<ResistedKnob> resisted;
  std::vector<ScriptPlace> places;
  std::string optimizer;   ///< class of all its optimizers; "": not known
  std::string no_preload;  ///< why its loader cannot be preloaded; "": it can, or there is none
  std::string onednn_isa;  ///< ONEDNN_MAX_CPU_ISA of its process; "" without it
  std::vector<std::string> notes;              ///< a sentence each
  std::vector<std::string> written;            ///< files and folders, if watched
  std::vector<std::int64_t> training_loaders;  ///< by number, among all loaders that it made
  std::optional<std::int64_t> epoch_samples;   ///< that its loaders give, over all ranks
  std::int64_t ranks = 1;                      ///< processes that train
  std::int64_t evaluation_ns = 0;              ///< outside steps, since the first one
  /// Evaluation's share of the time from the end of one to the end of a later one.
  std::optional<double> evaluation_ratio;
  std::optional<bool> evaluates_with_gradients;  ///< the model keeps what a backward pass needs
  std::int64_t checkpoint_ns = 0, pause_ns = 0;
  std::optional<double> collector_ratio;         ///< of the window, in Python's garbage collector
  std::optional<double> jpeg_time_ratio;         ///< of the window, in decoding and resizing JPEGs
  std::optional<double> kept_pixel_ratio;        ///< of the pixels that were resized
  std::optional<double> double_parameter_ratio;  ///< of its models' numbers, those in float64
  std::optional<double> denormal_ratio;  ///< of the numbers of the model that has most of them
  /// Share of the numbers with gradients that no optimizer updates, in the worst model.
  std::optional<double> unused_gradient_ratio;
  /// Share of the looks at both ends of the window that found the script's own profiler running.
  std::optional<double> profiler_ratio;
  std::optional<std::int64_t> ended_after_steps;  ///< by itself, before the trial ended it
  bool operator==(const SeenScript&) const = default;
};

void fields_of(Fields& fields, SeenScript& seen);

/// "train.py" of "python -u train.py --epochs 3": the first word that ends in .py, else the first
/// word without its folder.
std::string script_name(const std::vector<std::string>& command);

/// Settings that a trial of the script changes: those of `knobs` that differ from the observed
/// ones.
KnobSettings changed_settings(const Script& script, const KnobSettings& knobs);

/// The words that a script gets for a setting: "--workers 2" for the option "--workers {}". "" when
/// the option is a switch and the setting is not true.
std::string option_text(const std::string& option, const KnobValue& value);

/// Why a script does not support the knob: it belongs to a part of tune; "" when it does.
std::string why_not_in_scripts(std::string_view knob);

}  // namespace tune::trial
