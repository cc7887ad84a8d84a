#pragma once

#include <string>

namespace tune::cli {

/// A value of the command line or of the environment, and where it comes from. A flag wins over the
/// environment, the environment over the scenario, the scenario over the default.
struct GivenValue {
  std::string value;   ///< "" when nothing is given
  std::string source;  ///< "--budget", "environment variable TUNE_BUDGET"; "" when nothing is given
  bool from_environment = false;
};

/// `value` is what the flag said, "" when it was not there. An empty variable is not given.
GivenValue flag_or_environment(const std::string& flag,
                               const std::string& value,
                               const char* variable);

/// Whether the variable of the environment is there and not empty.
bool is_set(const char* variable);

}  // namespace tune::cli
