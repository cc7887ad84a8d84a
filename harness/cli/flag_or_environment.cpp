#include "cli/flag_or_environment.h"

#include <cstdlib>

namespace tune::cli {

bool is_set(const char* variable) {
  const char* const value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

GivenValue flag_or_environment(const std::string& flag,
                               const std::string& value,
                               const char* variable) {
  if (!value.empty()) {
    return {value, flag, false};
  }
  if (!is_set(variable)) {
    return {};
  }
  return {std::getenv(variable), std::string("environment variable ") + variable, true};
}

}  // namespace tune::cli
