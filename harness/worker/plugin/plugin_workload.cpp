#include "worker/plugin/plugin_workload.h"

#include "base/text.h"
#include "trial/knob_catalog.h"
#include "trial/trial_spec.h"
#include "worker/data/loader.h"
#include "worker/data/loader_options.h"
#include "worker/plugin/loaded_plugin.h"
#include "worker/plugin/workload.h"
#include "worker/workload/model.h"

#include <ATen/Context.h>

#include <algorithm>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

namespace tune::worker {

namespace {

class PluginLoader final : public Loader {
 public:
  PluginLoader(std::unique_ptr<plugin::DataSource> source,
               const std::string& name,
               const trial::TrialSpec& spec)
      : source_(std::move(source)), name_(name) {
    const std::int64_t samples = guarded(name_, "samples()", [&] { return source_->samples(); });
    if (spec.data.samples > 0 && spec.data.samples != samples) {
      throw std::invalid_argument("data.samples: " + std::to_string(spec.data.samples) + ", but " +
                                  name_ + " has " + std::to_string(samples) +
                                  " (it may be left out for source plugin)");
    }
    batches_ = count_batches(spec, samples);
  }

  Batch next() override {
    plugin::Batch given = guarded(name_, "batch()", [&] {
      return source_->batch(delivered_ / batches_, delivered_ % batches_);
    });
    if (!given.input.defined() || !given.labels.defined() || given.input.dim() == 0 ||
        given.labels.dim() == 0 || given.labels.size(0) < 1 ||
        given.input.size(0) != given.labels.size(0)) {
      throw PluginThrew(name_ +
                        ": batch() returns tensors whose first dimensions differ or are "
                        "empty (it is the number of samples)");
    }
    Batch batch;
    batch.images = std::move(given.input);
    batch.labels = std::move(given.labels);
    batch.epoch = delivered_ / batches_;
    batch.index = delivered_ % batches_;
    ++delivered_;
    report_.samples += batch.labels.size(0);
    return batch;
  }

  std::int64_t batches_per_epoch() const override { return batches_; }
  std::int64_t samples_ahead() const override { return 0; }  // what it makes ahead is unknown
  trial::LoaderReport report() const override { return report_; }

 private:
  std::unique_ptr<plugin::DataSource> source_;
  std::string name_;
  std::int64_t batches_ = 1, delivered_ = 0;
  trial::LoaderReport report_;
};

// A plug-in's own data as a loader without workers: it may have its own threads. Throws
// std::invalid_argument with a sentence for the user when its samples do not fill a batch, or are
// not as many as the spec says.
std::unique_ptr<Loader> make_plugin_loader(std::unique_ptr<plugin::DataSource> source,
                                           const std::string& name,
                                           const trial::TrialSpec& spec) {
  return std::make_unique<PluginLoader>(std::move(source), name, spec);
}

std::string description(const at::Tensor& tensor) {
  if (!tensor.defined()) {
    return "an undefined tensor";
  }
  std::ostringstream text;
  text << "a tensor of " << tensor.sizes()
       << (tensor.requires_grad() ? "" : " that requires no gradient");
  return text.str();
}

class PluginModel final : public Model {
 public:
  PluginModel(plugin::Workload& workload, const std::string& name, bool is_trained)
      : workload_(workload), name_(name) {
    tensors_ = split_tensors(guarded(name_, "parameters()", [&] { return workload_.parameters(); }),
                             guarded(name_, "buffers()", [&] { return workload_.buffers(); }));
    if (is_trained && tensors_.trained.empty()) {
      throw std::invalid_argument("workload.plugin: " + name_ +
                                  " has nothing to train (none of its parameters() requires a "
                                  "gradient) task: infer?");
    }
    for (const at::Tensor& tensor : tensors_.trained) {
      if (is_trained && !tensor.is_leaf()) {
        throw std::invalid_argument("workload.plugin: " + name_ + ": parameters() holds " +
                                    description(tensor) +
                                    " that an operator made (only a leaf is trained) detach()?");
      }
    }
  }

  at::Tensor forward(const at::Tensor& input) override {
    at::Tensor result = step({input, {}});
    if (!result.defined()) {
      throw std::invalid_argument(name_ + ": step() returns " + description(result) +
                                  " (task infer needs the result, any tensor)");
    }
    return result;
  }

  at::Tensor loss(const at::Tensor& input, const at::Tensor& labels) override {
    at::Tensor result = step({input, labels});
    if (!result.defined() || result.numel() != 1 || !result.requires_grad()) {
      throw std::invalid_argument(name_ + ": step() returns " + description(result) +
                                  " (task train needs the loss, one number that requires a "
                                  "gradient)");
    }
    return result;
  }

  void backward(const at::Tensor& loss) override {
    guarded(name_, "backward", [&] { loss.backward(); });
  }

  std::vector<at::Tensor> parameters() const override { return tensors_.trained; }
  std::vector<at::Tensor> buffers() const override { return tensors_.kept; }

 private:
  at::Tensor step(const plugin::Batch& batch) {
    return guarded(name_, "step()", [&] { return workload_.step(batch); });
  }

  plugin::Workload& workload_;
  std::string name_;
  TrainedTensors tensors_;
};

// A plug-in's model behind our interface; `workload` must outlive it, `name` is the library's.
// Throws std::invalid_argument with a sentence for the user when there is nothing to train.
std::unique_ptr<Model> make_plugin_model(plugin::Workload& workload,
                                         const std::string& name,
                                         bool is_trained) {
  return std::make_unique<PluginModel>(workload, name, is_trained);
}

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

// The cell's values, else the plug-in's defaults; without the prefix.
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
