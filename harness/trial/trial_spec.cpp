#include "trial/trial_spec.h"

#include "base/error.h"
#include "base/fields.h"
#include "trial/environment_knob.h"
#include "trial/knob_catalog.h"
#include "trial/knob_json.h"
#include "trial/rank_report.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace tune::trial {

namespace {

using nlohmann::json;

constexpr Range kCount = {0, 1'000'000'000'000};

// Specs from before these knobs ran with their defaults.
bool came_later(std::string_view knob) {
  static constexpr std::array<std::string_view, 9> kLater = {"activation_checkpointing",
                                                             "cuda_graphs",
                                                             "device_slots",
                                                             "devices",
                                                             "flush_denormal",
                                                             "fused",
                                                             "gradient_accumulation",
                                                             "sdpa",
                                                             "tf32"};
  return std::find(kLater.begin(), kLater.end(), knob) != kLater.end();
}

// Every knob of the catalogue.
void catalogue_knobs_of(Fields& fields, const char* name, KnobSettings& knobs) {
  if (fields.output() != nullptr) {
    KnobSettings written = catalogue_knobs(knobs);
    values_of(fields, name, written);
    return;
  }
  JsonObject object = fields.input()->object(name);
  for (const Knob& knob : all_knobs()) {
    const char* const its_name = knob.name.c_str();
    if (!object.has(its_name) && is_script_knob(knob)) {
      continue;  // a model has none
    }
    if (!object.has(its_name) && came_later(knob.name)) {
      knobs.emplace(knob.name, knob.default_value);
      continue;
    }
    const std::string path = object.path_of(its_name);
    KnobValue value = read_knob_value(object.any(its_name), object.where(), path);
    if (const std::string problem = complaint_about(knob, value); !problem.empty()) {
      complain(object.where(), path, problem);
    }
    knobs.emplace(knob.name, std::move(value));
  }
  object.expect_no_more();
}

// The worker asks the plug-in for their allowed values.
void plugin_knobs_of(Fields& fields, const char* name, KnobSettings& knobs) {
  KnobSettings own;
  if (fields.output() != nullptr) {
    own = plugin_knobs(knobs);
  }
  if (fields.has(name)) {  // older specs lack them
    values_of(fields, name, own);
  }
  if (fields.input() != nullptr) {
    for (const auto& [knob, value] : own) {
      fields.expect(is_plugin_knob(knob), name, "contains what is not a knob of a plug-in");
    }
    knobs.merge(own);
  }
}

// Variables of the trial's environment, each by its own name.
void environment_knobs_of(Fields& fields, const char* name, KnobSettings& knobs) {
  KnobSettings variables = environment_knobs(knobs);
  if (!fields.has(name, !variables.empty())) {  // older specs lack it
    return;
  }
  values_of(fields, name, variables);
  if (fields.input() != nullptr) {
    for (const auto& [knob, value] : variables) {
      fields.expect(is_environment_knob(knob) && std::holds_alternative<std::string>(value),
                    name,
                    "holds what is not a variable");
    }
    knobs.merge(variables);
  }
}

// null for a model of the catalogue; older specs lack it.
void own_model_of(Fields& fields, const char* name, OwnModel& model) {
  if (fields.output() != nullptr && !model.exists()) {
    (*fields.output())[name] = nullptr;
  } else if (fields.says(name)) {
    fields.record(name, model);
  }
}

}  // namespace

void fields_of(Fields& fields, Workload& workload) {
  constexpr double kLargest = 1e6;
  fields.text("model", workload.model, 512);  // the user's own: with the name of a file
  fields.word("task", workload.task, {"train", "infer"});
  fields.whole("image_size", workload.image_size, {1, 16'384});
  fields.whole("classes", workload.classes, {1, 10'000'000});
  fields.word("optimizer", workload.optimizer, {"sgd", "adamw"});
  fields.real("lr", workload.lr, 0, kLargest);
  fields.real("momentum", workload.momentum, 0, kLargest);
  fields.real("weight_decay", workload.weight_decay, 0, kLargest);
  fields.seed("seed", workload.seed);
  fields.whole("log_every", workload.log_every, kCount);
  fields.whole("checkpoint_every", workload.checkpoint_every, kCount);
  if (fields.has("device")) {
    fields.word("device", workload.device, {"auto", "cpu", "cuda"});
  } else {  // a spec from before it was a choice
    workload.device = "cpu";
  }
  if (fields.has("params")) {  // older specs lack them
    values_of(fields, "params", workload.params);
  }
  own_model_of(fields, "own", workload.own);
  if (fields.has("script", workload.script.exists())) {  // only for a script
    fields.record("script", workload.script);
  }
}

void fields_of(Fields& fields, Data& data) {
  fields.word("source",
              data.source,
              {"synthetic",
               "generated-jpeg",
               "image-folder",
               "generated-tokens",
               "token-bin",
               "plugin",
               "script"});
  fields.text("path", data.path);
  fields.whole("samples", data.samples, kCount);
  fields.text("profile", data.profile, 64);
  fields.word("on_error", data.on_error, {"fail", "replace", "zero"});
  fields.real("max_error_ratio", data.max_error_ratio, 0, 1);
  fields.flag("drop_last", data.drop_last);
  fields.text("manifest_sha256", data.manifest_sha256, 64);
}

void fields_of(Fields& fields, Measure& measure) {
  constexpr Range kTime = {0, kLongestTrialNs};
  fields.whole("warmup_steps", measure.warmup_steps, {0, 1'000'000});
  fields.whole("warmup_ns", measure.warmup_ns, kTime);
  fields.whole("slices", measure.slices, {1, 1'000});
  if (fields.has("spare_slices")) {
    fields.whole("spare_slices", measure.spare_slices, {0, 1'000});
  }
  if (fields.has("fastest_core_probe_ns")) {
    fields.whole("fastest_core_probe_ns", measure.fastest_core_probe_ns, kTime);
  }
  fields.whole("slice_ns", measure.slice_ns, kTime);
  fields.whole("slice_steps", measure.slice_steps, {1, 1'000'000});
  fields.flag("find_warmup", measure.find_warmup);
  fields.whole("warmup_limit_ns", measure.warmup_limit_ns, kTime);
  fields.flag("sentinel", measure.sentinel);
  fields.flag("structure", measure.structure);
  if (fields.has("instructions", measure.instructions)) {
    fields.flag("instructions", measure.instructions);
  }
  fields.flag("epoch", measure.epoch);
  fields.real("delay_ratio", measure.delay_ratio, 0, 10);
  if (fields.has("loader_only")) {
    fields.flag("loader_only", measure.loader_only);
  }
}

void fields_of(Fields& fields, TrialSpec& spec) {
  protocol_of(fields, spec.protocol);
  fields.text("id", spec.id, 256);
  fields.text("cell", spec.cell, 256);
  fields.record("workload", spec.workload);
  fields.record("data", spec.data);
  catalogue_knobs_of(fields, "knobs", spec.knobs);
  plugin_knobs_of(fields, "plugin_knobs", spec.knobs);
  environment_knobs_of(fields, "environment", spec.knobs);
  fields.record("measure", spec.measure);
  fields.record("profile", spec.profile);
  fields.whole("timeout_ns", spec.timeout_ns, {1, kLongestTrialNs});
  fields.text("folder", spec.folder);
  if (fields.has("rank", spec.rank > 0)) {
    fields.whole("rank", spec.rank, {0, kMostRanks - 1});
  }
}

void protocol_of(Fields& fields, int& protocol) {
  fields.whole("protocol", protocol, {0, 1'000'000});
  fields.expect(
      protocol == kProtocol, "protocol", "is " + std::to_string(protocol) + ", known is 1");
}

std::int64_t rank_count(const TrialSpec& spec) {
  const auto devices = spec.knobs.find("devices");
  const auto* const count =
      devices == spec.knobs.end() ? nullptr : std::get_if<std::int64_t>(&devices->second);
  return count == nullptr ? 1 : *count;
}

std::string to_json(const TrialSpec& spec) {
  try {
    return to_value(spec).dump(2) + "\n";
  } catch (const json::exception&) {  // a path may be any bytes, JSON may not
    throw Error({spec.id.empty() ? "trial" : spec.id,
                 "cannot be written as JSON",
                 "one of its paths is not UTF-8",
                 "rename the folder"});
  }
}

TrialSpec parse_trial_spec(std::string_view text, const std::string& where) {
  const json parsed = parse_json(text, where);
  return read_record<TrialSpec>(JsonObject(parsed, where, ""), Fields::Unknown::refused);
}

}  // namespace tune::trial
