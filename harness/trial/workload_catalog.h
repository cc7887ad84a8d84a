#pragma once

#include "trial/knob_value.h"

#include <string>
#include <string_view>
#include <vector>

namespace tune::trial {

/// What one sample of a model's input is: an image with its class, a sequence of tokens of which
/// some are hidden, or one of which each is followed by the token to predict.
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

/// The model is known and reads tokens.
bool reads_tokens(std::string_view name);

}  // namespace tune::trial
