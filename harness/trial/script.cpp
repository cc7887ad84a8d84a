#include "trial/script.h"

#include "base/fields.h"
#include "trial/environment_knob.h"
#include "trial/knob_json.h"

#include <algorithm>
#include <array>
#include <filesystem>

namespace tune::trial {

namespace {

constexpr std::size_t kLongest = 16'384, kMostNamed = 100, kMostFiles = 1'000;

}  // namespace

void fields_of(Fields& fields, AppliedForm& form) {
  fields.text_list("options", form.options, kMostFiles);
  KnobSettings environment(form.environment.begin(), form.environment.end());
  values_of(fields, "environment", environment);
  if (fields.input() != nullptr) {
    for (const auto& [name, value] : environment) {
      form.environment[name] = to_text(value);
    }
  }
  fields.text_list("files", form.files, kMostFiles);
  fields.text("copies", form.copies);
}

void fields_of(Fields& fields, Script& script) {
  constexpr std::size_t kMostWords = 4096;
  constexpr std::size_t kLongestFlag = 256;
  fields.text_list("command", script.command, kMostWords);
  fields.text("folder", script.folder);
  fields.word("count", script.count, {"steps", "batches"});
  KnobSettings flags;
  for (const auto& [knob, flag] : script.flags) {
    flags.emplace(knob, flag);
  }
  values_of(fields, "flags", flags);
  if (fields.input() != nullptr) {
    for (const auto& [knob, flag] : flags) {
      const auto* const text = std::get_if<std::string>(&flag);
      fields.expect(text != nullptr && text->size() <= kLongestFlag, "flags", "has no option");
      script.flags.emplace(knob, *text);
    }
  }
  values_of(fields, "observed", script.observed);
  fields.text_list("shield", script.shield, kMostNamed);
  fields.flag("has_parts", script.has_parts);
  fields.flag("is_watched", script.is_watched);
  if (fields.has("stop_after", script.stop_after != "window")) {
    fields.word("stop_after", script.stop_after, {"window", "script"});
  }
  if (fields.has("stop_at", !script.stop_at.empty())) {
    fields.text("stop_at", script.stop_at);
  }
  fields.record_if_any("applied", script.applied);
}

void fields_of(Fields& fields, ResistedKnob& knob) {
  fields.text("name", knob.name, 64);
  fields.text("value", knob.value, kLongest);
  fields.text("where", knob.where, kLongest);
}

void fields_of(Fields& fields, ScriptPlace& place) {
  fields.word("what", place.what, {"loader", "optimizer", "forward", "backward"});
  fields.text("file", place.file, kLongest);
  fields.text("function", place.function, kLongest);
  fields.whole("line", place.line, {0, 1'000'000'000});
}

void fields_of(Fields& fields, SeenScript& seen) {
  constexpr Range kTime = {0, 86'400'000'000'000};
  fields.text("python", seen.python, 256);
  values_of(fields, "observed", seen.observed);
  values_of(fields, "applied", seen.applied);
  fields.list("resisted", seen.resisted, kMostNamed);
  fields.list("places", seen.places, kMostNamed);
  if (fields.has("optimizer", !seen.optimizer.empty())) {
    fields.text("optimizer", seen.optimizer, kLongest);
  }
  if (fields.has("no_preload", !seen.no_preload.empty())) {
    fields.text("no_preload", seen.no_preload, kLongest);
  }
  if (fields.has("onednn_isa", !seen.onednn_isa.empty())) {
    fields.text("onednn_isa", seen.onednn_isa, kLongest);
  }
  fields.text_list("notes", seen.notes, kMostNamed);
  fields.text_list("written", seen.written, kMostFiles);
  if (fields.has("training_loaders")) {
    fields.whole_list("training_loaders", seen.training_loaders, kMostFiles);
  }
  fields.whole_if_any("epoch_samples", seen.epoch_samples);
  fields.whole("ranks", seen.ranks, {1, 1'000'000});
  fields.whole("evaluation_ns", seen.evaluation_ns, kTime);
  fields.real_if_said("evaluation_ratio", seen.evaluation_ratio, 0, 1);
  fields.flag_if_any("evaluates_with_gradients", seen.evaluates_with_gradients);
  fields.whole("checkpoint_ns", seen.checkpoint_ns, kTime);
  fields.whole("pause_ns", seen.pause_ns, kTime);
  fields.real_if_said("collector_ratio", seen.collector_ratio, 0, 1);
  fields.real_if_said("jpeg_time_ratio", seen.jpeg_time_ratio, 0, 1);
  fields.real_if_said("kept_pixel_ratio", seen.kept_pixel_ratio, 0, 1);
  fields.real_if_said("double_parameter_ratio", seen.double_parameter_ratio, 0, 1);
  fields.real_if_said("denormal_ratio", seen.denormal_ratio, 0, 1);
  fields.real_if_said("unused_gradient_ratio", seen.unused_gradient_ratio, 0, 1);
  fields.real_if_said("profiler_ratio", seen.profiler_ratio, 0, 1);
  fields.whole_if_any("ended_after_steps", seen.ended_after_steps);
}

std::string script_name(const std::vector<std::string>& command) {
  const auto file = std::find_if(command.begin(), command.end(), [](const std::string& word) {
    return word.ends_with(".py");
  });
  const std::string& word = file == command.end() ? command.front() : *file;
  return std::filesystem::path(word).filename().string();
}

KnobSettings changed_settings(const Script& script, const KnobSettings& knobs) {
  KnobSettings changed;
  for (const auto& [name, value] : knobs) {
    const Knob* const knob = find_knob(name);
    const auto seen = script.observed.find(name);
    const bool is_usual = seen != script.observed.end() ? seen->second == value
                          : knob != nullptr
                              ? knob->default_value == value
                              : is_environment_knob(name) && to_text(value) == kVariableAsItIs;
    if (!is_usual) {
      changed.emplace(name, value);
    }
  }
  return changed;
}

std::string option_text(const std::string& option, const KnobValue& value) {
  const std::size_t place = option.find("{}");
  if (place == std::string::npos) {
    return value == KnobValue(true) ? option : "";
  }
  return std::string(option).replace(place, 2, to_text(value));
}

std::string why_not_in_scripts(std::string_view knob) {
  static constexpr std::array<std::string_view, 4> kLoader = {
      "decode", "device_slots", "dtype", "loader"};
  static constexpr std::array<std::string_view, 4> kModel = {
      "activation_checkpointing", "cuda_graphs", "fused", "gradient_accumulation"};
  if (knob == "devices") {
    return "its launcher decides it (torchrun --nproc-per-node)";
  }
  if (std::find(kLoader.begin(), kLoader.end(), knob) != kLoader.end()) {
    return "it belongs to tune's own loader";
  }
  return std::find(kModel.begin(), kModel.end(), knob) != kModel.end()
             ? "a script can only be given it by an edit"
             : "";
}

}  // namespace tune::trial
