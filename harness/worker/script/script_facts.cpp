#include "worker/script/script_facts.h"

#include "base/fields.h"
#include "trial/knob_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace tune::script {

namespace {

constexpr Range kNumber = {0, 1'000'000'000'000}, kBytes = {0, 1'000'000'000'000'000};
constexpr Range kVersion = {1, 1}, kRank = {0, 1'000'000};
constexpr std::size_t kMost = 10'000, kMostNamed = 100;
constexpr std::size_t kLongest = 16'384;

}  // namespace

void fields_of(Fields& fields, Place& place) {
  fields.text("file", place.file, kLongest);
  fields.text("function", place.function, kLongest);
  fields.whole("line", place.line, kNumber);
}

void fields_of(Fields& fields, LoaderFacts& loader) {
  fields.record("place", loader.place);
  if (!loader.place) {
    fields.record("library", loader.place);
  }
  fields.text("class", loader.type, kLongest);
  fields.text("dataset", loader.dataset, kLongest);
  fields.whole("batch_size", loader.batch_size, kNumber);
  fields.whole("num_workers", loader.num_workers, kNumber);
  fields.whole("dataset_length", loader.dataset_length);
  fields.whole("epoch_samples", loader.epoch_samples);
  fields.whole_if_said("prefetch_factor", loader.prefetch_factor, kNumber);
  fields.flag_if_said("pin_memory", loader.pin_memory);
  fields.flag_if_said("persistent_workers", loader.persistent_workers);
  fields.flag_if_said("in_order", loader.in_order);
  fields.flag("iterable", loader.is_stream);
  fields.flag("fetches_batches", loader.fetches_batches);
}

void place_of(Fields& fields, const char* name, std::optional<Place>& place) {
  if (fields.says(name)) {
    fields.record(name, place);
  }
}

void fields_of(Fields& fields, OptimizerFacts& optimizer) {
  place_of(fields, "place", optimizer.place);
  fields.text("class", optimizer.type, kLongest);
  fields.flag_if_said("fused", optimizer.fused);
  fields.flag_if_said("foreach", optimizer.foreach);
}

void text_if_said(Fields& fields, const char* name, std::string& value) {
  if (fields.says(name)) {
    fields.text(name, value, kLongest);
  }
}

void fields_of(Fields& fields, ModelFacts& model) {
  fields.text("class", model.type, kLongest);
  fields.text_or_null("device", model.device, kLongest);
  text_if_said(fields, "dtype", model.dtype);
  fields.whole("parameters", model.parameters, kNumber);
  fields.flag_if_said("channels_last", model.channels_last);
  fields.flag_if_said("compiled", model.compiled);
  fields.real_if_said("denormal_ratio", model.denormal_ratio, 0, 1);
  fields.real_if_said("unused_gradient_ratio", model.unused_gradient_ratio, 0, 1);
}

void observed_of(Fields& fields, ScriptFacts& facts) {
  ObservedFlags& flags = facts.flags;
  fields.flag_if_said("cudnn_benchmark", flags.cudnn_benchmark);
  fields.flag_if_said("deterministic", flags.deterministic);
  fields.whole_if_said("intra_op_threads", flags.intra_op_threads, kNumber);
  fields.whole_if_said("inter_op_threads", flags.inter_op_threads, kNumber);
  text_if_said(fields, "tf32", flags.tf32);
  text_if_said(fields, "matmul_precision", flags.matmul_precision);
  text_if_said(fields, "sdpa", flags.sdpa);
  text_if_said(fields, "amp", flags.amp);
  text_if_said(fields, "compile", flags.compile);
  if (fields.says("environment")) {
    fields.object("environment", [&](Fields& inner) {
      text_if_said(inner, "ONEDNN_MAX_CPU_ISA", facts.onednn_isa);
    });
  }
  if (fields.says("optimizers")) {
    fields.list("optimizers", facts.optimizers, kMostNamed);
  }
  if (fields.says("models")) {
    fields.list("models", facts.models, kMostNamed);
  }
}

void fields_of(Fields& fields, GpuParts& parts) {
  fields.whole("steps", parts.steps, {1, kNumber.max});
  fields.whole("data_wait_ns", parts.phases.data_wait_ns, kNumber);
  fields.whole("transfer_ns", parts.phases.transfer_ns, kNumber);
  fields.whole("forward_ns", parts.phases.forward_ns, kNumber);
  fields.whole("backward_ns", parts.phases.backward_ns, kNumber);
  fields.whole("optimizer_ns", parts.phases.optimizer_ns, kNumber);
  fields.whole("other_ns", parts.phases.other_ns, kNumber);
}

void fields_of(Fields& fields, CollectorFacts& collector) {
  fields.whole("collections", collector.collections, kNumber);
  fields.whole("took_ns", collector.took_ns, kNumber);
  fields.whole("of_ns", collector.of_ns, kNumber);
}

void fields_of(Fields& fields, ImageFacts& jpegs) {
  fields.whole("images", jpegs.images, kNumber);
  fields.whole("took_ns", jpegs.took_ns, kNumber);
  fields.whole("of_ns", jpegs.of_ns, kNumber);
  fields.whole("pixels", jpegs.pixels, kBytes);
  fields.whole("kept_pixels", jpegs.kept_pixels, kBytes);
}

void fields_of(Fields& fields, SeenLoss& loss) {
  fields.whole("backward", loss.backward, kNumber);
  fields.any_real("value", loss.value);
}

// An object of path and how many times.
void written_of(Fields& fields, std::vector<std::string>& written) {
  const nlohmann::json& all = fields.input()->any("written");
  fields.expect(all.is_object() && all.size() <= kMost, "written", "is not an object");
  for (const auto& [path, times] : all.items()) {
    written.push_back(path);
  }
}

void profiled_of(Fields& fields, std::vector<bool>& profiled) {
  const nlohmann::json& all = fields.input()->any("profiled");
  fields.expect(all.is_array() && all.size() <= kMost, "profiled", "is not a list");
  for (const nlohmann::json& each : all) {
    fields.expect(each.is_boolean(), "profiled", "is not a list of true and false");
    profiled.push_back(each.get<bool>());
  }
}

void fields_of(Fields& fields, ScriptFacts& facts) {
  std::int64_t version = kVersion.max;
  fields.whole("facts", version, kVersion);
  fields.word("how", facts.how, {"measuring", "measured", "ended", "no-step"});
  fields.word("attached", facts.attached, {"sitecustomize", "torch.backends"});
  fields.text("python", facts.python, 256);
  fields.text_or_null("torch", facts.torch, 256);
  fields.text("executable", facts.executable, kLongest);
  fields.text("folder", facts.folder, kLongest);
  fields.whole("rank", facts.rank, kRank);
  fields.whole("world", facts.world, {1, kRank.max});
  fields.whole("peak_memory_bytes", facts.peak_memory_bytes, kBytes);
  fields.list("loaders", facts.loaders, kMost);
  trial::values_of(fields, "applied", facts.applied);
  const auto ignored = [](Fields& inner, trial::IgnoredKnob& knob) {
    inner.text("name", knob.name, 64);
    inner.text("reason", knob.reason, kLongest);
  };
  fields.list("ignored", facts.ignored, kMostNamed, ignored);
  fields.list("resisted", facts.resisted, kMostNamed);
  fields.object("observed", [&](Fields& inner) { observed_of(inner, facts); });
  fields.object("places", [&](Fields& inner) {
    place_of(inner, "forward", facts.forward);
    place_of(inner, "backward", facts.backward);
  });
  written_of(fields, facts.written);
  if (fields.says("profile")) {
    fields.object("profile", [&](Fields& inner) {
      text_if_said(inner, "file", facts.trace);
      text_if_said(inner, "reason", facts.no_trace);
    });
  }
  fields.list("losses", facts.losses, kMostNamed);
  if (fields.says("gpu_parts")) {
    fields.object("gpu_parts", [&](Fields& inner) { fields_of(inner, facts.gpu_parts.emplace()); });
  }
  if (fields.says("collector")) {
    fields.object("collector", [&](Fields& inner) { fields_of(inner, facts.collector.emplace()); });
  }
  if (fields.says("jpegs")) {
    fields.object("jpegs", [&](Fields& inner) { fields_of(inner, facts.jpegs.emplace()); });
  }
  if (fields.says("profiled")) {
    profiled_of(fields, facts.profiled);
  }
  const auto failure = [](Fields& inner, trial::Failure& failed) {
    inner.word("kind", failed.kind, {"out-of-memory", "threw"});
    inner.whole_text("message", failed.message, kLongest);  // the reply takes more
  };
  fields.record("failure", facts.failure, failure);
  fields.text_list("problems", facts.problems, kMostNamed);
}

ScriptFacts parse_script_facts(std::string_view text, const std::string& where) {
  return parse_record<ScriptFacts>(text, where);
}

const LoaderFacts* training_loader(const ScriptFacts& facts,
                                   const std::vector<std::int64_t>& training_loaders) {
  const auto count = static_cast<std::int64_t>(facts.loaders.size());
  for (const std::int64_t number : training_loaders) {
    if (number >= 0 && number < count) {
      return &facts.loaders[static_cast<std::size_t>(number)];
    }
  }
  return count == 1 ? &facts.loaders.front() : nullptr;
}

namespace {

class InEffect {
 public:
  // What the catalogue does not allow is left out: nobody could ask for it.
  template <class Value>
  void add(const char* name, const std::optional<Value>& value) {
    const trial::Knob* const knob = trial::find_knob(name);
    if (knob != nullptr && value && trial::complaint_about(*knob, *value).empty()) {
      settings_.emplace(name, *value);
    }
  }

  void add(const char* name, const std::string& value) {
    add(name, value.empty() ? std::nullopt : std::optional(value));
  }

  trial::KnobSettings take() { return std::move(settings_); }

 private:
  trial::KnobSettings settings_;
};

std::string amp_name(const std::string& type) {
  return type == "bfloat16" ? "bf16" : type == "float16" ? "fp16" : "";
}

// Several optimizers must all be alike. Where nobody asks, torch loops on a CPU and takes
// foreach on a GPU.
std::string optimizer_impl(const ScriptFacts& facts, bool is_on_gpu) {
  std::string found;
  for (const OptimizerFacts& each : facts.optimizers) {
    const std::string impl = each.fused.value_or(false)         ? "fused"
                             : each.foreach.value_or(is_on_gpu) ? "foreach"
                                                                : "loop";
    if (!found.empty() && found != impl) {
      return "";
    }
    found = impl;
  }
  return found;
}

}  // namespace

std::string why_not_preloaded(const LoaderFacts* loader) {
  return loader == nullptr                                ? ""
         : loader->is_stream                              ? "its dataset is a stream"
         : !loader->batch_size || loader->fetches_batches ? "its dataset makes whole batches itself"
         : !loader->dataset_length                        ? "its dataset has no length"
                                                          : "";
}

trial::KnobSettings settings_in_effect(const ScriptFacts& facts,
                                       const std::vector<std::int64_t>& training_loaders) {
  InEffect effect;
  if (const LoaderFacts* const loader = training_loader(facts, training_loaders)) {
    effect.add("batch_size", loader->batch_size);
    effect.add("num_workers", loader->num_workers);
    effect.add("prefetch_factor", loader->prefetch_factor);
    effect.add("pin_memory", loader->pin_memory);
    effect.add("persistent_workers", loader->persistent_workers);
    effect.add("in_order", loader->in_order);
    if (loader->dataset == "TensorDataset" && loader->batch_size) {
      effect.add("batch_fetch", std::optional(loader->fetches_batches));
    }
    if (why_not_preloaded(loader).empty()) {
      effect.add("preload", std::optional(false));
    }
  }
  const ObservedFlags& flags = facts.flags;
  effect.add("cudnn_benchmark", flags.cudnn_benchmark);
  effect.add("deterministic", flags.deterministic);
  effect.add("intra_op_threads", flags.intra_op_threads);
  effect.add("tf32", flags.tf32);
  effect.add("matmul_precision", flags.matmul_precision);
  effect.add("sdpa", flags.sdpa);
  effect.add("amp", amp_name(flags.amp));
  effect.add("inter_op_threads", flags.inter_op_threads);
  const bool is_on_gpu =
      std::any_of(facts.models.begin(), facts.models.end(), [](const ModelFacts& model) {
        return model.device.starts_with("cuda");
      });
  effect.add("optimizer_impl", optimizer_impl(facts, is_on_gpu));
  effect.add("compile", flags.compile);
  for (const ModelFacts& model : facts.models) {
    effect.add("channels_last", model.channels_last);
    if (model.compiled.value_or(false)) {
      effect.add("compile", std::string("default"));  // unless the script has said how
    }
  }
  return effect.take();
}

std::optional<double> double_parameter_ratio(const std::vector<ModelFacts>& models) {
  double all = 0, in_double = 0;
  for (const ModelFacts& model : models) {
    const auto parameters = static_cast<double>(model.parameters);
    all += model.dtype.empty() ? 0 : parameters;
    in_double += model.dtype == "torch.float64" ? parameters : 0;
  }
  return all > 0 ? std::optional(in_double / all) : std::nullopt;
}

}  // namespace tune::script
