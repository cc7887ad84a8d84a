#pragma once

#include "trial/knob_catalog.h"
#include "trial/trial_spec.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tune::trial {

/// The kind of one input sample: an image with its class, a sequence of tokens with some of them
/// hidden, or a sequence in which each next token is to be predicted.
enum class SampleKind { image, masked_tokens, next_tokens };

/// A number that shapes a model, which `workload: {params: ...}` may change.
struct ModelParam {
  std::string name;
  KnobValue default_value;  ///< a whole number or a real one: the published model's
  double min = 0, max = 0;  ///< inclusive
  std::string summary;      ///< a few words
};

/// A model that the worker can build: harness/worker/workload/<name>.cpp, with _ for -.
struct WorkloadEntry {
  std::string name;
  std::string summary;             ///< one line for `tune list workloads`
  std::vector<std::string> tasks;  ///< train, infer
  bool has_convolutions = false;   ///< channels_last can matter
  bool has_attention = false;      ///< sdpa and fused can matter
  bool has_blocks = false;         ///< activation_checkpointing can matter
  SampleKind samples = SampleKind::image;
  std::vector<ModelParam> params = {};  ///< sorted by name

  bool reads_tokens() const { return samples != SampleKind::image; }
};

/// All models, sorted by name.
const std::vector<WorkloadEntry>& all_workloads();

/// Null when there is no such model.
const WorkloadEntry* find_workload(std::string_view name);

/// Whether the model is known and reads tokens.
bool reads_tokens(std::string_view name);

/// A number of the workload's model: from its params, else from the catalogue. The model must be in
/// the catalogue and have that number.
std::int64_t whole_param(const Workload& workload, std::string_view name);
double real_param(const Workload& workload, std::string_view name);

/// Whether its samples are sequences of tokens: a model of the catalogue is known by its name, the
/// user's own by its input_type.
bool reads_tokens(const Workload& workload);

/// For a workload that reads tokens: how many a sample has, and how many different ones exist.
/// Numbers of the catalogue's model; `input` and `classes` of the user's own model, at most 65,536,
/// because a token has 16 bits.
std::int64_t sequence_length(const Workload& workload);
std::int64_t vocabulary(const Workload& workload);

/// A problem with one of the params.
struct ParamComplaint {
  std::string param;  ///< its name, as written
  std::string problem, why, suggestion;
};

/// "params.heads: does not divide 768 (...)": as a worker reports it.
std::string to_sentence(const ParamComplaint& complaint);

/// Names that the model does not have, values of another type or out of range, heads that do not
/// divide the width. Empty when everything is right.
std::vector<ParamComplaint> complaints_about(const WorkloadEntry& model,
                                             const KnobSettings& params);

}  // namespace tune::trial
