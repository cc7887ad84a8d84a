#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace tune::cli {

/// What a run that Slurm measures was asked for, and which job it waits for: whoever continues
/// reads it from <run directory>/slurm/state.json.
struct SlurmState {
  std::string scenario;                ///< absolute
  std::vector<std::string> overrides;  ///< "key=value"
  std::vector<std::string> arguments;  ///< of sbatch, verbatim (--slurm-arg)
  std::string rules;                   ///< --rules, absolute, or ""
  bool fail_fast = false;
  std::vector<std::string> command;  ///< as typed
  std::int64_t shards = 1;
  std::string job;  ///< that was handed in last, "17", or ""
};

/// <run directory>/slurm, with scripts and logs of the jobs.
std::filesystem::path slurm_folder(const std::filesystem::path& run);

/// Throws tune::Error when it cannot be written.
void write_slurm_state(const std::filesystem::path& run, const SlurmState& state);

/// Throws tune::Error when the run directory has none, or a damaged one.
SlurmState read_slurm_state(const std::filesystem::path& run);

/// As it is kept, and back. Throws tune::Error naming `where` when the text is not one.
std::string to_json(const SlurmState& state);
SlurmState parse_slurm_state(std::string_view text, const std::string& where);

}  // namespace tune::cli
