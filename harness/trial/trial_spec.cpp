#include "trial/trial_spec.h"

#include "base/error.h"
#include "trial/json_object.h"
#include "trial/knob_catalog.h"
#include "trial/knob_json.h"
#include "trial/own_model_json.h"
#include "trial/plugin_knob.h"
#include "trial/profile_json.h"
#include "trial/time_limits.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <string_view>

namespace tune::trial {

namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr Range kCount = {0, 1'000'000'000'000};

// Specs of before these knobs ran with their defaults.
bool came_later(std::string_view knob) {
  static constexpr std::array<std::string_view, 7> kLater = {"activation_checkpointing",
                                                             "device_slots",
                                                             "flush_denormal",
                                                             "fused",
                                                             "gradient_accumulation",
                                                             "sdpa",
                                                             "tf32"};
  return std::find(kLater.begin(), kLater.end(), knob) != kLater.end();
}

KnobSettings read_knobs(JsonObject knobs) {
  KnobSettings settings;
  for (const Knob& knob : all_knobs()) {
    const char* const name = knob.name.c_str();
    if (!knobs.has(name) && came_later(knob.name)) {
      settings.emplace(knob.name, knob.default_value);
      continue;
    }
    KnobValue value = read_knob_value(knobs.any(name), knobs.where(), knobs.path_of(name));
    const std::string complaint = complaint_about(knob, value);
    if (!complaint.empty()) {
      complain(knobs.where(), knobs.path_of(name), complaint);
    }
    settings.emplace(knob.name, std::move(value));
  }
  knobs.expect_no_more();
  return settings;
}

// The worker asks the plug-in what they may be.
KnobSettings read_plugin_knobs(JsonObject& spec) {
  KnobSettings settings = read_values(spec, "plugin_knobs");
  for (const auto& [name, value] : settings) {
    if (!is_plugin_knob(name)) {
      complain(spec.where(), spec.path_of("plugin_knobs"), "holds what is no knob of a plug-in");
    }
  }
  return settings;
}

Workload read_workload(JsonObject object) {
  constexpr double kLargest = 1e6;
  Workload workload;
  workload.model = object.text("model", 512);  // of the user's own: with the name of a file
  workload.task = object.word("task", {"train", "infer"});
  workload.image_size = object.whole("image_size", {1, 16'384});
  workload.classes = object.whole("classes", {1, 10'000'000});
  workload.optimizer = object.word("optimizer", {"sgd", "adamw"});
  workload.lr = object.real("lr", 0, kLargest);
  workload.momentum = object.real("momentum", 0, kLargest);
  workload.weight_decay = object.real("weight_decay", 0, kLargest);
  workload.seed = object.seed("seed");
  workload.log_every = object.whole("log_every", kCount);
  workload.checkpoint_every = object.whole("checkpoint_every", kCount);
  // Specs of before it was a choice lack it.
  workload.device = object.has("device") ? object.word("device", {"auto", "cpu", "cuda"}) : "cpu";
  workload.params = read_values(object, "params");
  if (object.has("own") && !object.is_null("own")) {
    workload.own = read_own_model(object.object("own"));
  }
  object.expect_no_more();
  return workload;
}

Data read_data(JsonObject object) {
  Data data;
  data.source = object.word(
      "source",
      {"synthetic", "generated-jpeg", "image-folder", "generated-tokens", "token-bin", "plugin"});
  data.path = object.text("path");
  data.samples = object.whole("samples", kCount);
  data.profile = object.text("profile", 64);
  data.on_error = object.word("on_error", {"fail", "replace", "zero"});
  data.max_error_ratio = object.real("max_error_ratio", 0, 1);
  data.drop_last = object.flag("drop_last");
  data.manifest_sha256 = object.text("manifest_sha256", 64);
  object.expect_no_more();
  return data;
}

Measure read_measure(JsonObject object) {
  Measure measure;
  measure.warmup_steps = object.whole("warmup_steps", {0, 1'000'000});
  measure.warmup_ns = object.whole("warmup_ns", {0, kLongestTrialNs});
  measure.slices = object.whole("slices", {1, 1'000});
  measure.spare_slices = object.has("spare_slices") ? object.whole("spare_slices", {0, 1'000}) : 0;
  measure.fastest_core_probe_ns = object.has("fastest_core_probe_ns")
                                      ? object.whole("fastest_core_probe_ns", {0, kLongestTrialNs})
                                      : 0;
  measure.slice_ns = object.whole("slice_ns", {0, kLongestTrialNs});
  measure.slice_steps = object.whole("slice_steps", {1, 1'000'000});
  measure.find_warmup = object.flag("find_warmup");
  measure.warmup_limit_ns = object.whole("warmup_limit_ns", {0, kLongestTrialNs});
  measure.sentinel = object.flag("sentinel");
  measure.structure = object.flag("structure");
  measure.epoch = object.flag("epoch");
  measure.delay_ratio = object.real("delay_ratio", 0, 10);
  measure.loader_only = object.has("loader_only") && object.flag("loader_only");
  object.expect_no_more();
  return measure;
}

ordered_json knobs_to_json(const KnobSettings& knobs) {
  ordered_json object = ordered_json::object();
  for (const auto& [name, value] : knobs) {
    std::visit([&, &key = name](const auto& typed) { object[key] = typed; }, value);
  }
  return object;
}

}  // namespace

std::string to_json(const TrialSpec& spec) {
  const Workload& w = spec.workload;
  const Data& d = spec.data;
  const Measure& m = spec.measure;
  const ordered_json object = {{"protocol", spec.protocol},
                               {"id", spec.id},
                               {"cell", spec.cell},
                               {"workload",
                                {{"model", w.model},
                                 {"task", w.task},
                                 {"image_size", w.image_size},
                                 {"classes", w.classes},
                                 {"optimizer", w.optimizer},
                                 {"lr", w.lr},
                                 {"momentum", w.momentum},
                                 {"weight_decay", w.weight_decay},
                                 {"seed", w.seed},
                                 {"log_every", w.log_every},
                                 {"checkpoint_every", w.checkpoint_every},
                                 {"device", w.device},
                                 {"params", knobs_to_json(w.params)},
                                 {"own", to_value(w.own)}}},
                               {"data",
                                {{"source", d.source},
                                 {"path", d.path},
                                 {"samples", d.samples},
                                 {"profile", d.profile},
                                 {"on_error", d.on_error},
                                 {"max_error_ratio", d.max_error_ratio},
                                 {"drop_last", d.drop_last},
                                 {"manifest_sha256", d.manifest_sha256}}},
                               {"knobs", knobs_to_json(catalogue_knobs(spec.knobs))},
                               {"plugin_knobs", knobs_to_json(plugin_knobs(spec.knobs))},
                               {"measure",
                                {{"warmup_steps", m.warmup_steps},
                                 {"warmup_ns", m.warmup_ns},
                                 {"slices", m.slices},
                                 {"spare_slices", m.spare_slices},
                                 {"fastest_core_probe_ns", m.fastest_core_probe_ns},
                                 {"slice_ns", m.slice_ns},
                                 {"slice_steps", m.slice_steps},
                                 {"find_warmup", m.find_warmup},
                                 {"warmup_limit_ns", m.warmup_limit_ns},
                                 {"sentinel", m.sentinel},
                                 {"structure", m.structure},
                                 {"epoch", m.epoch},
                                 {"delay_ratio", m.delay_ratio},
                                 {"loader_only", m.loader_only}}},
                               {"profile", spec.profile ? to_value(*spec.profile) : json(nullptr)},
                               {"timeout_ns", spec.timeout_ns},
                               {"folder", spec.folder}};
  try {
    return object.dump(2) + "\n";
  } catch (const json::exception&) {  // a path may be any bytes, JSON may not
    throw Error({spec.id.empty() ? "trial" : spec.id,
                 "cannot be written as JSON",
                 "a path of it is not UTF-8",
                 "rename the folder"});
  }
}

TrialSpec parse_trial_spec(std::string_view text, const std::string& where) {
  const json parsed = parse_json(text, where);
  JsonObject object(parsed, where, "");
  TrialSpec spec;
  spec.protocol = static_cast<int>(object.whole("protocol", {0, 1'000'000}));
  if (spec.protocol != kProtocol) {
    complain(where, "protocol", "is " + std::to_string(spec.protocol) + ", known is 1");
  }
  spec.id = object.text("id", 256);
  spec.cell = object.text("cell", 256);
  spec.workload = read_workload(object.object("workload"));
  spec.data = read_data(object.object("data"));
  spec.knobs = read_knobs(object.object("knobs"));
  spec.knobs.merge(read_plugin_knobs(object));
  spec.measure = read_measure(object.object("measure"));
  if (!object.is_null("profile")) {
    spec.profile = read_profile(object.object("profile"));
  }
  spec.timeout_ns = object.whole("timeout_ns", {1, kLongestTrialNs});
  spec.folder = object.text("folder");
  object.expect_no_more();
  return spec;
}

}  // namespace tune::trial
