#include "scenario/irrelevant_knobs.h"

#include "trial/own_model.h"
#include "trial/workload_catalog.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace tune::scenario {

namespace {

struct Situation {
  const trial::KnobSettings& settings;
  const Scenario& scenario;
  const machine::MachineFacts& machine;
};

bool on_the_cpu(const Situation& at) {
  return at.machine.device == "cpu";
}

bool resident(const Situation& at) {
  return at.scenario.data.source == "synthetic";
}

bool mapped(const Situation& at) {
  const std::string& source = at.scenario.data.source;
  return source == "generated-tokens" || source == "token-bin";
}

bool reads_tokens(const Situation& at) {
  return trial::reads_tokens(at.scenario.workload.model);
}

bool no_loader_threads(const Situation& at) {
  return at.settings.at("num_workers") == trial::KnobValue(std::int64_t{0});
}

bool loader_keeps_threads(const Situation& at) {
  return at.settings.at("loader") == trial::KnobValue("libtorch");
}

bool no_image(const Situation& at) {
  return !at.scenario.workload.own.takes_images();
}

bool own_data(const Situation& at) {
  return at.scenario.data.source == "plugin";
}

// Inference uses the whole frame, so that `roi` is `full`; `roi-scaled` still decodes less.
bool whole_frame(const Situation& at) {
  const trial::KnobValue scaled("roi-scaled");
  return at.scenario.workload.task == "infer" && at.settings.at("decode") != scaled &&
         at.scenario.baseline.at("decode") != scaled;
}

bool no_convolutions(const Situation& at) {
  const trial::WorkloadEntry* const entry = trial::find_workload(at.scenario.workload.model);
  return entry != nullptr && !entry->has_convolutions;
}

bool no_attention(const Situation& at) {
  const trial::WorkloadEntry* const entry = trial::find_workload(at.scenario.workload.model);
  return entry != nullptr && !entry->has_attention;
}

bool no_blocks(const Situation& at) {
  const trial::WorkloadEntry* const entry = trial::find_workload(at.scenario.workload.model);
  return entry != nullptr && !entry->has_blocks;
}

bool composed(const Situation& at) {
  return !at.scenario.workload.own.exists() && at.settings.at("fused") == trial::KnobValue(false);
}

// The knob tf32 sets both of LibTorch's switches, also the one that matmul_precision would set.
bool tf32_decides(const Situation& at) {
  return !on_the_cpu(at) && at.settings.at("tf32") != trial::KnobValue("convolutions");
}

bool nothing_trained(const Situation& at) {
  return at.scenario.workload.task == "infer";
}

// LibTorch lets oneDNN use bfloat16 for float32 products from AVX-512 on, also where it is
// emulated.
bool no_bf16_products(const Situation& at) {
  static constexpr std::array<std::string_view, 4> kSuffice = {
      "avx512bw", "avx512_bf16", "amx_bf16", "bf16"};
  const auto& flags = at.machine.cpu_flags;
  return on_the_cpu(at) && std::none_of(flags.begin(), flags.end(), [](const std::string& flag) {
           return std::find(kSuffice.begin(), kSuffice.end(), flag) != kSuffice.end();
         });
}

struct Rule {
  const char* knob;
  bool (*applies)(const Situation&);
  const char* reason;
};

constexpr const char* kOnTheCpu = "the trials run on the CPU";
constexpr const char* kResident = "synthetic batches stay in memory, nothing is loaded";
constexpr const char* kMapped = "tokens are read through a memory map by the training thread";
constexpr const char* kNoThreads = "with num_workers 0 there are no loader threads";

constexpr std::array<Rule, 37> kRules = {
    {{"pin_memory", on_the_cpu, kOnTheCpu},
     {"non_blocking", on_the_cpu, kOnTheCpu},
     {"cudnn_benchmark", on_the_cpu, kOnTheCpu},
     {"device_slots", on_the_cpu, kOnTheCpu},
     {"tf32", on_the_cpu, kOnTheCpu},
     {"num_workers", resident, kResident},
     {"prefetch_factor", resident, kResident},
     {"persistent_workers", resident, kResident},
     {"in_order", resident, kResident},
     {"worker_nice", resident, kResident},
     {"loader", resident, kResident},
     {"decode", resident, kResident},
     {"num_workers", mapped, kMapped},
     {"prefetch_factor", mapped, kMapped},
     {"persistent_workers", mapped, kMapped},
     {"in_order", mapped, kMapped},
     {"worker_nice", mapped, kMapped},
     {"loader", mapped, kMapped},
     {"decode", mapped, kMapped},
     {"dtype", reads_tokens, "tokens are whole numbers in every batch"},
     {"prefetch_factor", no_loader_threads, kNoThreads},
     {"persistent_workers", no_loader_threads, kNoThreads},
     {"in_order", no_loader_threads, kNoThreads},
     {"worker_nice", no_loader_threads, kNoThreads},
     {"persistent_workers",
      loader_keeps_threads,
      "torch::data::DataLoader always keeps its threads between epochs"},
     {"decode", whole_frame, "task infer needs the whole frame"},
     {"channels_last", no_convolutions, "the model has no convolutions"},
     {"cudnn_benchmark", no_convolutions, "the model has no convolutions"},
     {"sdpa", no_attention, "the model has no attention"},
     {"sdpa", composed, "with fused false attention is composed of single operators"},
     {"fused", no_attention, "the model has neither attention nor layer norms"},
     {"activation_checkpointing", no_blocks, "the model has no blocks"},
     {"activation_checkpointing", nothing_trained, "task infer keeps no activations"},
     {"gradient_accumulation", nothing_trained, "task infer has no optimizer"},
     {"matmul_precision", tf32_decides, "tf32 says it for matrix products too"},
     {"optimizer_impl", nothing_trained, "task infer has no optimizer"},
     {"matmul_precision",
      no_bf16_products,
      "this CPU computes float32 products in one precision only"}}};

}  // namespace

std::vector<IrrelevantKnob> irrelevant_knobs(const trial::KnobSettings& settings,
                                             const Scenario& scenario,
                                             const machine::MachineFacts& machine) {
  std::vector<IrrelevantKnob> irrelevant;
  const Situation at{settings, scenario, machine};
  const auto add = [&](std::string_view knob, const char* reason) {
    const bool is_named =
        std::any_of(irrelevant.begin(), irrelevant.end(), [&](const IrrelevantKnob& each) {
          return each.knob == knob;
        });
    if (!is_named) {
      irrelevant.push_back({std::string(knob), reason});
    }
  };
  if (own_data(at)) {
    for (const std::string_view knob : trial::kLoaderKnobs) {
      add(knob, "the plug-in makes its own batches");
    }
  }
  if (scenario.workload.own.exists()) {
    add("fused", "only models of tune can be composed");
    add("activation_checkpointing", "tune does not know the blocks of your own model");
  }
  if (no_image(at)) {
    add("dtype", "only images are delivered as bytes");
  }
  for (const Rule& rule : kRules) {
    if (rule.applies(at)) {
      add(rule.knob, rule.reason);
    }
  }
  return irrelevant;
}

}  // namespace tune::scenario
