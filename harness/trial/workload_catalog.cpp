#include "trial/workload_catalog.h"

#include "base/assert.h"
#include "base/text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <optional>
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
                     whole("heads", kHeads, "of attention; hidden is a multiple of it"),
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
                     whole("heads", kHeads, "of attention; hidden is a multiple of it"),
                     whole("hidden", kHidden, "width"),
                     whole("layers", kLayers, "blocks of attention and two products"),
                     whole("sequence_length", {1024, 8, 1024}, "tokens of a sample"),
                     whole("vocabulary", {50'257, 128, kMostTokens}, "different tokens")}};
}

std::vector<WorkloadEntry> make_catalog() {
  return {bert_base(),
          gpt_small(),
          {.name = "mlp",
           .summary = "eight small linear layers: bound by operator overhead, not by arithmetic",
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

namespace {

const ModelParam* find_param(const WorkloadEntry& model, std::string_view name) {
  const auto found = std::find_if(model.params.begin(),
                                  model.params.end(),
                                  [&](const ModelParam& param) { return param.name == name; });
  return found == model.params.end() ? nullptr : &*found;
}

const KnobValue& value_of(const Workload& workload, std::string_view name) {
  const auto written = workload.params.find(std::string(name));
  if (written != workload.params.end()) {
    return written->second;
  }
  const WorkloadEntry* const model = find_workload(workload.model);
  const ModelParam* const param = model == nullptr ? nullptr : find_param(*model, name);
  TUNE_ASSERT(param != nullptr);
  return param->default_value;
}

std::optional<double> number_in(const KnobValue& value) {
  if (const auto* const whole = std::get_if<std::int64_t>(&value)) {
    return static_cast<double>(*whole);
  }
  const auto* const real = std::get_if<double>(&value);
  return real == nullptr ? std::nullopt : std::optional(*real);
}

std::string short_text(double number) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.10g", number);
  return text.data();
}

ParamComplaint unknown_param(const WorkloadEntry& model, const std::string& name) {
  std::vector<std::string> names;
  std::string list;
  for (const ModelParam& param : model.params) {
    names.push_back(param.name);
    list += (list.empty() ? "" : ", ") + param.name;
  }
  return {.param = name,
          .problem = model.name + (names.empty() ? " has no params" : " has no such number"),
          .why = names.empty() ? "it has one shape" : "params of " + model.name + ": " + list,
          .suggestion = did_you_mean(name, names)};
}

// "" when the value fits.
std::string misfit(const ModelParam& param, const KnobValue& value) {
  const bool is_whole = std::holds_alternative<std::int64_t>(param.default_value);
  const auto number = number_in(value);
  const bool fits = number && *number >= param.min && *number <= param.max &&
                    (!is_whole || std::holds_alternative<std::int64_t>(value));
  return fits ? ""
              : std::string(is_whole ? "must be a whole number from " : "must be a number from ") +
                    short_text(param.min) + " to " + short_text(param.max);
}

std::int64_t whole_in(const WorkloadEntry& model,
                      const KnobSettings& params,
                      const std::string& name) {
  const auto written = params.find(name);
  return std::get<std::int64_t>(written == params.end() ? find_param(model, name)->default_value
                                                        : written->second);
}

// Both are of the right type and range.
void add_misfit_of_heads(const WorkloadEntry& model,
                         const KnobSettings& params,
                         std::vector<ParamComplaint>& complaints) {
  if (find_param(model, "heads") == nullptr) {
    return;
  }
  const std::int64_t heads = whole_in(model, params, "heads");
  const std::int64_t hidden = whole_in(model, params, "hidden");
  if (hidden % heads != 0) {
    const bool is_written = params.contains("heads");
    complaints.push_back({.param = is_written ? "heads" : "hidden",
                          .problem = std::to_string(heads) + " heads do not divide a width of " +
                                     std::to_string(hidden),
                          .why = "each head gets an equal part of hidden",
                          .suggestion = ""});
  }
}

}  // namespace

std::int64_t whole_param(const Workload& workload, std::string_view name) {
  return std::get<std::int64_t>(value_of(workload, name));
}

double real_param(const Workload& workload, std::string_view name) {
  return number_in(value_of(workload, name)).value_or(0);
}

bool reads_tokens(const Workload& workload) {
  return workload.own.exists() ? workload.own.takes_tokens() : reads_tokens(workload.model);
}

std::int64_t sequence_length(const Workload& workload) {
  if (!workload.own.exists()) {
    return whole_param(workload, "sequence_length");
  }
  TUNE_ASSERT(workload.own.input.size() == 1);
  return workload.own.input.front();
}

std::int64_t vocabulary(const Workload& workload) {
  constexpr std::int64_t kDifferentTokens = 65'536;
  return workload.own.exists() ? std::min(workload.classes, kDifferentTokens)
                               : whole_param(workload, "vocabulary");
}

std::string to_sentence(const ParamComplaint& complaint) {
  std::string text = "workload.params." + complaint.param + ": " + complaint.problem;
  text += complaint.why.empty() ? "" : " (" + complaint.why + ")";
  text += complaint.suggestion.empty() ? "" : " " + complaint.suggestion + "?";
  return text;
}

std::vector<ParamComplaint> complaints_about(const WorkloadEntry& model,
                                             const KnobSettings& params) {
  std::vector<ParamComplaint> complaints;
  for (const auto& [name, value] : params) {
    const ModelParam* const param = find_param(model, name);
    if (param == nullptr) {
      complaints.push_back(unknown_param(model, name));
      continue;
    }
    if (const std::string problem = misfit(*param, value); !problem.empty()) {
      complaints.push_back(
          {.param = name, .problem = problem, .why = "is " + to_text(value), .suggestion = ""});
    }
  }
  if (complaints.empty()) {
    add_misfit_of_heads(model, params, complaints);
  }
  return complaints;
}

}  // namespace tune::trial
