#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace tune::runner {

/// The user's environment as "NAME=value", for programs that are no workers: without the variables
/// `dropped` (names), and with `added` ("NAME=value") in place of those of the same names.
std::vector<std::string> user_environment(const std::vector<std::string>& dropped,
                                          const std::vector<std::string>& added);

struct WorkerEnvironment {
  std::vector<std::string> variables;  ///< "NAME=value"
  /// Names of the user's own that would have had an effect, and what is left of one in brackets.
  std::vector<std::string> removed;
};

/// The user's environment without what would load other code into the worker or profile it behind
/// our back (of LD_LIBRARY_PATH the folders that hold CUDA's driver stay), and with TUNE_PARENT,
/// this process, without which the worker has nobody to work for. Thread settings of the user
/// (OMP_NUM_THREADS and the like) stay: they are part of what is measured, and the machine's facts
/// record them. In `library_folders` the worker looks for its libraries first.
WorkerEnvironment worker_environment(
    const char* const* environment, const std::vector<std::filesystem::path>& library_folders = {});

/// Puts the variables of a trial's settings in place of those of the same names.
void set_variables(const std::map<std::string, std::string>& set,
                   std::vector<std::string>& variables);

}  // namespace tune::runner
