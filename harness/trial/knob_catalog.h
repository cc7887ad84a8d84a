#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tune::trial {

/// One value of a knob, with the type that the catalogue says.
using KnobValue = std::variant<bool, std::int64_t, double, std::string>;

/// Knob name -> value, sorted by name: two equal settings are equal maps.
using KnobSettings = std::map<std::string, KnobValue>;

/// As a scenario writes it: true, 32, 0.5, bf16.
std::string to_text(const KnobValue& value);

/// "amp=bf16 batch_size=32": for people and logs.
std::string to_text(const KnobSettings& settings);

/// A case in which some knobs make no difference, whatever their value: knob_relevance.cpp has the
/// condition and the wording.
enum class Idle {
  no_script,
  plugin_data,
  own_operators,
  own_blocks,
  compiled,
  no_image,
  on_the_cpu,
  resident,
  mapped,
  tokens,
  no_threads,
  threads_kept,
  whole_frame,
  no_convolutions,
  no_attention,
  composed,
  nothing_to_compose,
  no_blocks,
  no_activations,
  no_optimizer,
  untrained,
  accumulating,
  averaging,
  recomputing,
  reads_finite,
  counts_on_host,
  tf32_decides,
  one_precision
};

/// The values that a scenario may give to one knob. The worker applies it in
/// harness/worker/knob/<name>.cpp.
struct Knob {
  enum class Kind { boolean, integer, choice, cpu_list };

  std::string name;  ///< PyTorch's name where PyTorch has one
  Kind kind = Kind::boolean;
  KnobValue default_value;           ///< what PyTorch does when nothing is set
  std::int64_t min = 0, max = 0;     ///< for integers, inclusive
  std::vector<std::string> choices;  ///< for choices
  std::string summary;               ///< one line for `tune list knobs`
  bool preserves_numerics = true;    ///< false: the loss may differ in more than the last digits
  std::vector<Idle> idle = {};       ///< cases in which it cannot matter

  bool operator==(const Knob&) const = default;
};

/// All knobs, sorted by name.
const std::vector<Knob>& all_knobs();

/// Null for an unknown name.
const Knob* find_knob(std::string_view name);

/// A knob of tune's loaders: ignored when a plug-in brings its own data.
bool is_loader_knob(std::string_view name);

/// A knob that only the user's script supports: the worker of models does not have it.
bool is_script_knob(const Knob& knob);

/// Every knob at its default: those of models, or those that a script supports as well.
KnobSettings default_settings(bool of_script = false);

/// Why the value does not fit the knob ("must be from 0 to 256"), or "" when it fits.
std::string complaint_about(const Knob& knob, const KnobValue& value);

/// A knob `width` that the user's plug-in declares is `plugin.width` in scenarios, cells and
/// expressions: it can never clash with a present or future knob of the catalogue.
constexpr std::string_view kPluginKnob = "plugin.";

/// "plugin." and then small letters, digits and _, a letter first.
bool is_plugin_knob(std::string_view name);

/// The settings of a plug-in's knobs, and the others.
KnobSettings plugin_knobs(const KnobSettings& settings);
KnobSettings catalogue_knobs(const KnobSettings& settings);

/// Why `value` cannot replace `usual`, whose type a plug-in's knob is assumed to have until the
/// plug-in was asked ("must be a whole number, as in the baseline"); "" when it can.
std::string type_complaint(const KnobValue& usual, const KnobValue& value);

}  // namespace tune::trial
