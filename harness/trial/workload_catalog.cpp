#include "trial/workload_catalog.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace tune::trial {

namespace {

struct Whole {
  std::int64_t default_value, min, max;
};

ModelParam whole(std::string name, const Whole& range, std::string summary) {
  ModelParam param{.name = std::move(name), .default_value = range.default_value};
  param.min = static_cast<double>(range.min);
  param.max = static_cast<double>(range.max);
  param.summary = std::move(summary);
  return param;
}

ModelParam dropout(std::string name, std::string summary) {
  constexpr double kUsual = 0.1, kMost = 0.9;
  ModelParam param{.name = std::move(name), .default_value = kUsual};
  param.max = kMost;
  param.summary = std::move(summary);
  return param;
}

constexpr Whole kHeads = {12, 1, 64}, kHidden = {768, 8, 4096}, kLayers = {12, 1, 96};
constexpr std::int64_t kMostTokens = 65'536;  // a token has 16 bits

// Devlin et al. (2019): "BERT BASE (L=12, H=768, A=12, Total Parameters=110M)". The number is that
// of transformers' BertForMaskedLM of bert-base-uncased: without pooler, its decoder tied to the
// word embeddings.
WorkloadEntry bert_base() {
  return {.name = "bert-base",
          .summary = "BERT base (Devlin et al. 2019), masked tokens, 109,514,298 parameters",
          .tasks = {"train", "infer"},
          .has_attention = true,
          .has_blocks = true,
          .samples = SampleKind::masked_tokens,
          .params = {dropout("attention_dropout", "of the weights of attention"),
                     dropout("dropout", "of embeddings and what layers add"),
                     whole("heads", kHeads, "of attention; they divide hidden"),
                     whole("hidden", kHidden, "width"),
                     whole("intermediate", {3072, 8, 16'384}, "width within a layer"),
                     whole("layers", kLayers, "blocks of attention and two products"),
                     whole("sequence_length", {128, 8, 512}, "tokens of a sample"),
                     whole("vocabulary", {30'522, 128, kMostTokens}, "different tokens")}};
}

// Radford et al. (2019), its smallest model; the paper says 117M, which its authors' repository
// corrects to 124M. The number is that of transformers' GPT2LMHeadModel of gpt2: the head is tied
// to the word embeddings.
WorkloadEntry gpt_small() {
  return {.name = "gpt-small",
          .summary = "GPT-2 small (Radford et al. 2019), next tokens, 124,439,808 parameters",
          .tasks = {"train", "infer"},
          .has_attention = true,
          .has_blocks = true,
          .samples = SampleKind::next_tokens,
          .params = {dropout("attention_dropout", "of the weights of attention"),
                     dropout("dropout", "of embeddings and what layers add"),
                     whole("heads", kHeads, "of attention; they divide hidden"),
                     whole("hidden", kHidden, "width"),
                     whole("layers", kLayers, "blocks of attention and two products"),
                     whole("sequence_length", {1024, 8, 1024}, "tokens of a sample"),
                     whole("vocabulary", {50'257, 128, kMostTokens}, "different tokens")}};
}

std::vector<WorkloadEntry> make_catalog() {
  return {bert_base(),
          gpt_small(),
          {.name = "mlp",
           .summary = "eight small linear layers: bound by operators, not by arithmetic",
           .tasks = {"train", "infer"}},
          {.name = "resnet18",
           .summary = "ResNet-18 (He et al. 2015), 11,689,512 parameters at 1,000 classes",
           .tasks = {"train", "infer"},
           .has_convolutions = true,
           .has_blocks = true},
          {.name = "resnet50",
           .summary = "ResNet-50 v1.5 (He et al. 2015), 25,557,032 parameters at 1,000 classes",
           .tasks = {"train", "infer"},
           .has_convolutions = true,
           .has_blocks = true}};
}

}  // namespace

const std::vector<WorkloadEntry>& all_workloads() {
  static const std::vector<WorkloadEntry> workloads = make_catalog();
  return workloads;
}

const WorkloadEntry* find_workload(std::string_view name) {
  const auto& workloads = all_workloads();
  const auto found = std::find_if(workloads.begin(),
                                  workloads.end(),
                                  [&](const WorkloadEntry& entry) { return entry.name == name; });
  return found == workloads.end() ? nullptr : &*found;
}

bool reads_tokens(std::string_view name) {
  const WorkloadEntry* const entry = find_workload(name);
  return entry != nullptr && entry->reads_tokens();
}

}  // namespace tune::trial
