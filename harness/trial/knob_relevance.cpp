#include "trial/knob_relevance.h"

#include "trial/environment_knob.h"
#include "trial/numerics.h"
#include "trial/workload_catalog.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace tune::trial {

namespace {

bool is_set(const KnobSituation& at, const char* knob, const KnobValue& value) {
  return at.settings.at(knob) == value;
}

bool own_model(const KnobSituation& at) {
  return at.workload.own.exists();
}

bool is_package(const KnobSituation& at) {
  return at.workload.own.kind == OwnModel::Kind::package;
}

bool on_the_cpu(const KnobSituation& at) {
  return at.on_cpu;
}

// Inference uses the whole frame, so that `roi` is `full`; `roi-scaled` still decodes less.
bool whole_frame(const KnobSituation& at) {
  const KnobValue scaled("roi-scaled");
  return at.workload.task == "infer" && !is_set(at, "decode", scaled) &&
         at.usual.at("decode") != scaled;
}

// Whether the catalogue knows the model and says that it does not have this part.
template <bool WorkloadEntry::*has>
bool lacks(const KnobSituation& at) {
  const WorkloadEntry* const entry = find_workload(at.workload.model);
  return entry != nullptr && !(entry->*has);
}

bool nothing_trained(const KnobSituation& at) {
  return at.workload.task == "infer";
}

// LibTorch lets oneDNN use bfloat16 for float32 products from AVX-512 on, even when it is emulated.
bool no_bf16_products(const KnobSituation& at) {
  static constexpr std::array<std::string_view, 4> kSuffice = {
      "avx512bw", "avx512_bf16", "amx_bf16", "bf16"};
  return at.on_cpu && at.cpu_flags != nullptr &&
         std::none_of(at.cpu_flags->begin(), at.cpu_flags->end(), [](const std::string& flag) {
           return std::find(kSuffice.begin(), kSuffice.end(), flag) != kSuffice.end();
         });
}

// The two optimizers besides fused do some of their work on the host, which a replayed graph leaves
// out.
bool is_unfused(const KnobSituation& at) {
  return !is_set(at, "optimizer_impl", "fused");
}

struct IdleCase {
  Idle idle;
  bool (*applies)(const KnobSituation&);
  const char* reason;
};

using At = const KnobSituation&;

// The order matters: the first case that applies to a knob is reported.
constexpr std::array<IdleCase, 28> kCases = {
    {{Idle::no_script,
      [](At at) { return !at.workload.script.exists(); },
      "only a script of your own supports it"},
     {Idle::plugin_data,
      [](At at) { return at.data_source == "plugin"; },
      "the plug-in makes its own batches"},
     {Idle::own_operators, own_model, "only tune's models can be composed"},
     {Idle::own_blocks, own_model, "tune does not know the blocks of your own model"},
     {Idle::compiled, is_package, "the package was compiled with its own"},
     {Idle::no_image,
      [](At at) { return !at.workload.own.takes_images(); },
      "only images are delivered as bytes"},
     {Idle::on_the_cpu, on_the_cpu, "the trials run on the CPU"},
     {Idle::resident,
      [](At at) { return at.data_source == "synthetic"; },
      "synthetic batches stay in memory: nothing is loaded"},
     {Idle::mapped,
      [](At at) { return at.data_source == "generated-tokens" || at.data_source == "token-bin"; },
      "tokens are read through a memory map by the training thread"},
     {Idle::tokens,
      [](At at) { return reads_tokens(at.workload.model); },
      "tokens are whole numbers in every batch"},
     {Idle::no_threads,
      [](At at) { return is_set(at, "num_workers", std::int64_t{0}); },
      "with num_workers 0 there are no loader threads"},
     {Idle::threads_kept,
      [](At at) { return is_set(at, "loader", "libtorch"); },
      "torch::data::DataLoader always keeps its threads between epochs"},
     {Idle::whole_frame, whole_frame, "task infer needs the whole frame"},
     {Idle::no_convolutions,
      lacks<&WorkloadEntry::has_convolutions>,
      "the model has no convolutions"},
     {Idle::no_attention, lacks<&WorkloadEntry::has_attention>, "the model has no attention"},
     {Idle::composed,
      [](At at) { return !own_model(at) && is_set(at, "fused", false); },
      "with fused false attention is composed of single operators"},
     {Idle::nothing_to_compose,
      lacks<&WorkloadEntry::has_attention>,
      "the model has neither attention nor layer norms"},
     {Idle::no_blocks, lacks<&WorkloadEntry::has_blocks>, "the model has no blocks"},
     {Idle::no_activations, nothing_trained, "task infer keeps no activations"},
     {Idle::no_optimizer, nothing_trained, "task infer has no optimizer"},
     {Idle::untrained, nothing_trained, "only a training step is captured"},
     {Idle::accumulating,
      [](At at) { return !is_set(at, "gradient_accumulation", std::int64_t{1}); },
      "with gradient_accumulation a step waits for further batches"},
     {Idle::averaging,
      [](At at) { return !is_set(at, "devices", std::int64_t{1}); },
      "with several devices the host starts the averaging of gradients"},
     {Idle::recomputing,
      [](At at) { return is_set(at, "activation_checkpointing", true); },
      "activation_checkpointing restores random numbers on the host"},
     {Idle::reads_finite,
      [](At at) { return is_set(at, "amp", "fp16") && is_unfused(at); },
      "with fp16 the host reads whether gradients are finite, unless optimizer_impl is fused"},
     {Idle::counts_on_host,
      [](At at) { return at.workload.optimizer == "adamw" && is_unfused(at); },
      "AdamW counts its steps on the host, unless optimizer_impl is fused"},
     // The knob tf32 sets both of LibTorch's switches, also the one that matmul_precision would.
     {Idle::tf32_decides,
      [](At at) { return !at.on_cpu && !is_set(at, "tf32", "convolutions"); },
      "tf32 already sets it for matrix products"},
     {Idle::one_precision,
      no_bf16_products,
      "this CPU computes float32 products in only one precision"}}};

bool names(const Knob& knob, Idle idle) {
  return std::find(knob.idle.begin(), knob.idle.end(), idle) != knob.idle.end();
}

// A variable that only one library reads, which LD_PRELOAD brings.
struct Read {
  std::string_view begin, library;
  const char* reason;
};

// Whether it sets nothing but glibc's own allocator.
// A script's torch may be linked with Intel's runtime itself, as conda's is.
void add_idle_variables(At at, std::vector<IgnoredKnob>& found) {
  constexpr std::array<Read, 2> kReads = {
      {{"environment.KMP_", "iomp5", "only Intel's OpenMP runtime reads it (LD_PRELOAD: iomp5)"},
       {"environment.MALLOC_CONF", "jemalloc", "only jemalloc reads it (LD_PRELOAD: jemalloc)"}}};
  const auto preload = at.settings.find("environment.LD_PRELOAD");
  const std::string loaded = preload == at.settings.end() ? "" : to_text(preload->second);
  const auto is_loaded = [&](std::string_view library) {
    return loaded.find(library) != std::string::npos;
  };
  for (const auto& [name, value] : at.settings) {
    if (name == "environment.GLIBC_TUNABLES" && (is_loaded("jemalloc") || is_loaded("tcmalloc")) &&
        to_text(value) != kVariableAsItIs && is_of_malloc(to_text(value))) {
      found.push_back({name, "LD_PRELOAD replaces glibc's allocator"});
    }
    for (const Read& read : kReads) {
      const bool may_be_linked = read.library == "iomp5" && at.workload.script.exists();
      if (!loaded.empty() && name.starts_with(read.begin) && !may_be_linked &&
          !is_loaded(read.library) && to_text(value) != kVariableAsItIs) {
        found.push_back({name, read.reason});
      }
    }
  }
}

}  // namespace

std::vector<IgnoredKnob> idle_knobs(const KnobSituation& situation) {
  std::vector<IgnoredKnob> found;
  for (const IdleCase& each : kCases) {
    if (!each.applies(situation)) {
      continue;
    }
    for (const Knob& knob : all_knobs()) {
      const bool is_told = std::any_of(found.begin(), found.end(), [&](const IgnoredKnob& told) {
        return told.name == knob.name;
      });
      if (names(knob, each.idle) && !is_told) {
        found.push_back({knob.name, each.reason});
      }
    }
  }
  add_idle_variables(situation, found);
  return found;
}

}  // namespace tune::trial
