#include "trial/knob_catalog.h"

#include "trial/environment_knob.h"
#include "trial/rank_report.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <iterator>

namespace tune::trial {

std::string to_text(const KnobValue& value) {
  if (const auto* const flag = std::get_if<bool>(&value)) {
    return *flag ? "true" : "false";
  }
  if (const auto* const whole = std::get_if<std::int64_t>(&value)) {
    return std::to_string(*whole);
  }
  if (const auto* const real = std::get_if<double>(&value)) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.9g", *real);
    return text.data();
  }
  return std::get<std::string>(value);
}

std::string to_text(const KnobSettings& settings) {
  std::string text;
  for (const auto& [name, value] : settings) {
    text += (text.empty() ? "" : " ") + name + "=" + to_text(value);
  }
  return text;
}

namespace {

Knob flag(std::string name, bool default_value, std::string summary) {
  Knob knob{.name = std::move(name), .kind = Knob::Kind::boolean, .default_value = default_value};
  knob.summary = std::move(summary);
  return knob;
}

struct ValueRange {
  std::int64_t default_value, min, max;
};

Knob integer(std::string name, ValueRange range, std::string summary) {
  Knob knob{
      .name = std::move(name), .kind = Knob::Kind::integer, .default_value = range.default_value};
  knob.min = range.min;
  knob.max = range.max;
  knob.summary = std::move(summary);
  return knob;
}

// The first choice is the default.
Knob choice(std::string name, std::vector<std::string> choices, std::string summary) {
  Knob knob{.name = std::move(name), .kind = Knob::Kind::choice, .default_value = choices.front()};
  knob.choices = std::move(choices);
  knob.summary = std::move(summary);
  return knob;
}

Knob changing_numerics(Knob knob) {
  knob.preserves_numerics = false;
  return knob;
}

Knob idle_in(std::vector<Idle> cases, Knob knob) {
  knob.idle = std::move(cases);
  return knob;
}

// Knobs that the agent in a script applies (worker/python), not a worker of models.
std::vector<Knob> script_knobs() {
  using enum Idle;
  const std::vector<Idle> of_scripts = {no_script};
  return {
      idle_in(of_scripts,
              flag("batch_fetch",
                   false,
                   "a TensorDataset gives whole batches (__getitems__), not single samples")),
      idle_in(of_scripts,
              changing_numerics(choice("compile",
                                       {"none", "default", "reduce-overhead", "max-autotune"},
                                       "torch.compile of the model, in this mode"))),
      idle_in(of_scripts,
              choice("gc",
                     {"auto", "freeze", "manual"},
                     "Python's garbage collector after warm-up: gc.freeze(), or gc.disable()")),
      idle_in(of_scripts,
              integer("inter_op_threads",
                      {0, 0, 1024},
                      "threads for concurrent operators (torch.set_num_interop_threads); 0: "
                      "torch's choice")),
      idle_in({no_script, no_threads},
              choice("multiprocessing_context",
                     {"default", "fork", "spawn", "forkserver"},
                     "how loader workers are started")),
      idle_in(of_scripts,
              flag("preload", false, "the dataset's samples are computed once and kept in memory")),
      idle_in(of_scripts,
              flag("set_to_none", true, "zero_grad() sets gradients to None instead of zero")),
  };
}

// Knobs of tune's loaders.
std::vector<Knob> loader_knobs() {
  using enum Idle;
  const std::vector<Idle> nothing_loaded = {plugin_data, resident, mapped};
  const std::vector<Idle> no_thread_loads = {plugin_data, resident, mapped, no_threads};
  return {
      idle_in({plugin_data, resident, mapped, whole_frame},
              changing_numerics(
                  choice("decode",
                         {"full", "roi", "roi-scaled"},
                         "JPEG: whole frame, the crop only, or the crop at a smaller DCT scale"))),
      idle_in({plugin_data, no_image, tokens},
              choice("dtype",
                     {"u8", "f32"},
                     "what the loader delivers: bytes, or normalised floats made by the workers")),
      idle_in(no_thread_loads,
              flag("in_order",
                   true,
                   "batches come in the order of the sampler; false: as soon as they are ready")),
      idle_in(nothing_loaded,
              choice("loader", {"ring", "libtorch"}, "tune's loader, or torch::data::DataLoader")),
      idle_in(nothing_loaded,
              integer("num_workers", {0, 0, 256}, "loader threads; 0: the training thread loads")),
      idle_in({plugin_data, resident, mapped, no_threads, threads_kept},
              flag("persistent_workers", false, "keep loader threads between epochs")),
      idle_in(
          no_thread_loads,
          integer(
              "prefetch_factor", {2, 1, 64}, "batches loaded ahead; loader: libtorch: per worker")),
      idle_in(no_thread_loads,
              integer("worker_nice",
                      {0, 0, 19},
                      "niceness of loader threads: a higher value leaves the CPU to the model")),
  };
}

std::vector<Knob> computing_knobs() {
  using enum Idle;
  Knob cpu_affinity{
      .name = "cpu_affinity", .kind = Knob::Kind::cpu_list, .default_value = std::string()};
  cpu_affinity.summary = "CPUs that the trial may use, e.g. 0-1,4; empty: all";
  return {
      idle_in({own_blocks, no_blocks, no_activations},
              flag("activation_checkpointing",
                   false,
                   "keep only the inputs of blocks, recompute the rest in the backward pass")),
      idle_in({compiled},
              changing_numerics(choice("amp",
                                       {"none", "bf16", "fp16"},
                                       "automatic mixed precision: autocast to this type"))),
      changing_numerics(integer("batch_size", {1, 1, 65536}, "samples per step")),
      idle_in({compiled, no_convolutions},
              flag("channels_last", false, "model and images in NHWC memory format")),
      std::move(cpu_affinity),
      flag("deterministic", false, "deterministic algorithms only"),
      changing_numerics(integer("devices",
                                {1, 1, kMostRanks},
                                "processes that train together and average their gradients, one "
                                "per GPU; batch_size and num_workers are those of one")),
      changing_numerics(flag("flush_denormal",
                             false,
                             "denormal numbers count as zero (torch.set_flush_denormal; CPU)")),
      idle_in({own_operators, nothing_to_compose},
              flag("fused",
                   true,
                   "layer norms and attention as one operator each; false: composed of single "
                   "ones")),
      idle_in({no_optimizer},
              changing_numerics(
                  integer("gradient_accumulation",
                          {1, 1, 1024},
                          "batches whose gradients are accumulated for one optimizer step"))),
      integer("intra_op_threads",
              {0, 0, 1024},
              "threads per operator (torch.set_num_threads); 0: LibTorch's choice"),
      idle_in({tf32_decides, one_precision},
              changing_numerics(choice(
                  "matmul_precision",
                  {"highest", "high", "medium"},
                  "precision of float32 matrix products (torch.set_float32_matmul_precision)"))),
      idle_in({no_optimizer},
              choice("optimizer_impl",
                     {"loop", "foreach", "fused"},
                     "torch::optim's loop, or one call for all parameters")),
      idle_in({compiled, no_attention, composed},
              choice("sdpa",
                     {"auto", "flash", "mem_efficient", "math", "cudnn"},
                     "backend of scaled_dot_product_attention; auto: LibTorch's choice")),
  };
}

std::vector<Knob> gpu_knobs() {
  using enum Idle;
  return {
      idle_in({on_the_cpu,
               untrained,
               accumulating,
               averaging,
               recomputing,
               reads_finite,
               counts_on_host},
              flag("cuda_graphs", false, "the training step is captured once and replayed (GPU)")),
      idle_in({on_the_cpu, no_convolutions},
              flag("cudnn_benchmark", false, "cuDNN tries its convolution algorithms first (GPU)")),
      idle_in({on_the_cpu},
              integer("device_slots",
                      {1, 1, 8},
                      "batches on the device: the one in use and those copied ahead (GPU)")),
      idle_in({on_the_cpu}, flag("non_blocking", false, "asynchronous copies to the device (GPU)")),
      idle_in({on_the_cpu}, flag("pin_memory", false, "batches in page-locked memory (GPU)")),
      idle_in({on_the_cpu},
              changing_numerics(
                  choice("tf32",
                         {"convolutions", "none", "all"},
                         "float32 work that may use TF32; all: matrix products too (GPU)"))),
  };
}

// If PyTorch has the knob, the default is PyTorch's, so that a baseline that sets nothing is what
// users run today. `decode`, `dtype`, `loader` and `worker_nice` are tune's own: their defaults are
// those of tune's loader.
std::vector<Knob> make_catalog() {
  std::vector<Knob> knobs;
  for (const auto family : {loader_knobs, computing_knobs, gpu_knobs, script_knobs}) {
    std::vector<Knob> some = family();
    std::move(some.begin(), some.end(), std::back_inserter(knobs));
  }
  std::sort(
      knobs.begin(), knobs.end(), [](const Knob& a, const Knob& b) { return a.name < b.name; });
  return knobs;
}

std::string one_of(const std::vector<std::string>& choices) {
  std::string text = "must be ";
  for (std::size_t i = 0; i < choices.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == choices.size() ? " or " : ", ") + choices[i];
  }
  return text;
}

bool is_cpu_list(const std::string& text) {
  return text.find_first_not_of("0123456789-,") == std::string::npos;
}

}  // namespace

const std::vector<Knob>& all_knobs() {
  static const std::vector<Knob> knobs = make_catalog();
  return knobs;
}

const Knob* find_knob(std::string_view name) {
  const auto& knobs = all_knobs();
  const auto found =
      std::find_if(knobs.begin(), knobs.end(), [&](const Knob& knob) { return knob.name == name; });
  return found == knobs.end() ? nullptr : &*found;
}

bool is_loader_knob(std::string_view name) {
  const Knob* const knob = find_knob(name);
  return knob != nullptr &&
         std::find(knob->idle.begin(), knob->idle.end(), Idle::plugin_data) != knob->idle.end();
}

KnobSettings default_settings(bool of_script) {
  KnobSettings settings;
  for (const Knob& knob : all_knobs()) {
    if (of_script || !is_script_knob(knob)) {
      settings.emplace(knob.name, knob.default_value);
    }
  }
  return settings;
}

bool is_script_knob(const Knob& knob) {
  return std::find(knob.idle.begin(), knob.idle.end(), Idle::no_script) != knob.idle.end();
}

std::string complaint_about(const Knob& knob, const KnobValue& value) {
  switch (knob.kind) {
    case Knob::Kind::boolean:
      return std::holds_alternative<bool>(value) ? "" : "must be true or false";
    case Knob::Kind::integer: {
      const auto* const number = std::get_if<std::int64_t>(&value);
      const bool fits = number != nullptr && *number >= knob.min && *number <= knob.max;
      return fits ? ""
                  : "must be a whole number from " + std::to_string(knob.min) + " to " +
                        std::to_string(knob.max);
    }
    case Knob::Kind::choice: {
      const auto* const word = std::get_if<std::string>(&value);
      const bool fits =
          word != nullptr &&
          std::find(knob.choices.begin(), knob.choices.end(), *word) != knob.choices.end();
      return fits ? "" : one_of(knob.choices);
    }
    case Knob::Kind::cpu_list: {
      const auto* const list = std::get_if<std::string>(&value);
      return list != nullptr && is_cpu_list(*list) ? "" : "must be a CPU list such as \"0-1,4\"";
    }
  }
  return "";
}

namespace {

bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}

template <class IsMeant>
KnobSettings those(const KnobSettings& settings, IsMeant is_meant) {
  KnobSettings found;
  std::copy_if(settings.begin(),
               settings.end(),
               std::inserter(found, found.end()),
               [&](const auto& setting) { return is_meant(setting.first); });
  return found;
}

}  // namespace

bool is_plugin_knob(std::string_view name) {
  if (!name.starts_with(kPluginKnob)) {
    return false;
  }
  name.remove_prefix(kPluginKnob.size());
  return !name.empty() && is_lower(name.front()) &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return is_lower(c) || (c >= '0' && c <= '9') || c == '_';
         });
}

KnobSettings plugin_knobs(const KnobSettings& settings) {
  return those(settings, [](const std::string& name) { return is_plugin_knob(name); });
}

KnobSettings catalogue_knobs(const KnobSettings& settings) {
  return those(settings, [](const std::string& name) { return !is_knob_of_the_user(name); });
}

std::string type_complaint(const KnobValue& usual, const KnobValue& value) {
  if (usual.index() == value.index()) {
    return "";
  }
  const bool is_flag = std::holds_alternative<bool>(usual);
  const bool is_whole = std::holds_alternative<std::int64_t>(usual);
  return std::string(is_flag    ? "must be true or false"
                     : is_whole ? "must be a whole number"
                                : "must be a word") +
         ", as in the baseline";
}

}  // namespace tune::trial
