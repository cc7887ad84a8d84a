#include "worker/plugin/plugin_workload.h"

#include "base/did_you_mean.h"
#include "trial/plugin_knob.h"
#include "worker/data/loader_options.h"
#include "worker/plugin/guarded_call.h"
#include "worker/plugin/plugin_loader.h"
#include "worker/plugin/plugin_model.h"

#include <ATen/Context.h>

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <variant>

namespace tune::worker {

namespace {

plugin::Values to_values(const trial::KnobSettings& settings) {
  plugin::Values values;
  for (const auto& [name, value] : settings) {
    std::visit([&, &key = name](const auto& plain) { values.emplace(key, plain); }, value);
  }
  return values;
}

[[noreturn]] void refuse_knob(const std::string& name, const LoadedPlugin& library) {
  std::vector<std::string> names;
  std::string list;
  for (const trial::Knob& knob : library.knobs()) {
    names.push_back(knob.name);
    list += (list.empty() ? "" : ", ") + knob.name;
  }
  const std::string near = did_you_mean(name, names);
  throw std::invalid_argument("knobs." + name + ": " + library.name() + " has no such knob (" +
                              (list.empty() ? "it has none" : "its knobs: " + list) + ")" +
                              (near.empty() ? "" : " " + near + "?"));
}

// What the cell says, and else the plug-in's defaults; without the prefix.
plugin::Values knobs_of(const trial::TrialSpec& spec, const LoadedPlugin& library) {
  trial::KnobSettings settings;
  for (const trial::Knob& knob : library.knobs()) {
    settings.emplace(knob.name.substr(trial::kPluginKnob.size()), knob.default_value);
  }
  for (const auto& [name, value] : trial::plugin_knobs(spec.knobs)) {
    const auto knob = std::find_if(library.knobs().begin(),
                                   library.knobs().end(),
                                   [&key = name](const auto& each) { return each.name == key; });
    if (knob == library.knobs().end()) {
      refuse_knob(name, library);
    }
    if (const std::string problem = complaint_about(*knob, value); !problem.empty()) {
      std::string what = "knobs.";
      what.append(name).append(": ").append(problem).append(" (is ").append(trial::to_text(value));
      throw std::invalid_argument(what.append(", says ").append(library.name()).append(")"));
    }
    settings[name.substr(trial::kPluginKnob.size())] = value;
  }
  return to_values(settings);
}

plugin::Setup setup_of(const trial::TrialSpec& spec,
                       const LoadedPlugin& library,
                       const std::string& device) {
  const trial::Workload& workload = spec.workload;
  plugin::Setup setup;
  setup.task = workload.task;
  setup.device = device;
  setup.batch_size = read_loader_options(spec.knobs).batch_size;
  setup.input = workload.own.takes_images()
                    ? std::vector<std::int64_t>{3, workload.image_size, workload.image_size}
                    : workload.own.input;
  setup.classes = workload.classes;
  setup.seed = workload.seed;
  setup.params = to_values(workload.params);
  setup.knobs = knobs_of(spec, library);
  return setup;
}

}  // namespace

PluginWorkload::PluginWorkload(const trial::TrialSpec& spec, const std::string& device)
    : spec_(spec), plugin_(spec.workload.own.path) {
  const plugin::Setup setup = setup_of(spec, plugin_, device);
  at::manual_seed(spec.workload.seed);
  made_ = &plugin_.make(setup);
}

std::unique_ptr<Model> PluginWorkload::make_model() const {
  return make_plugin_model(*made_, plugin_.name(), spec_.workload.task == "train");
}

std::unique_ptr<Loader> PluginWorkload::make_loader() const {
  auto source = guarded(plugin_.name(), "data_source()", [&] { return made_->data_source(); });
  if (source == nullptr) {
    throw std::invalid_argument("data.source: " + plugin_.name() +
                                " has no data of its own (its data_source() is null) synthetic?");
  }
  return make_plugin_loader(std::move(source), plugin_.name(), spec_);
}

}  // namespace tune::worker
