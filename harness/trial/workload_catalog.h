#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tune::trial {

/// A model that the worker can build: harness/worker/workload/<name>.cpp.
struct WorkloadEntry {
  std::string name;
  std::string summary;             ///< one line for `tune list workloads`
  std::vector<std::string> tasks;  ///< train, infer
  bool has_convolutions = false;   ///< channels_last can matter
  bool has_attention = false;      ///< sdpa can matter
};

/// All models, sorted by name.
const std::vector<WorkloadEntry>& all_workloads();

/// Null when there is no such model.
const WorkloadEntry* find_workload(std::string_view name);

}  // namespace tune::trial
