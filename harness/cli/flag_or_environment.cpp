#include "cli/flag_or_environment.h"

#include <cstdlib>

namespace tune::cli {

GivenValue flag_or_environment(const std::string& flag,
                               const std::string& value,
                               const char* variable) {
  if (!value.empty()) {
    return {value, flag, false};
  }
  const char* const set = std::getenv(variable);
  if (set == nullptr || *set == '\0') {
    return {};
  }
  return {set, std::string("environment variable ") + variable, true};
}

}  // namespace tune::cli
