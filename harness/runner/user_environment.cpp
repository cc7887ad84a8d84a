#include "runner/user_environment.h"

#include <algorithm>
#include <unistd.h>

namespace tune::runner {

namespace {

std::string name_of(const std::string& entry) {
  return entry.substr(0, entry.find('='));
}

}  // namespace

std::vector<std::string> user_environment(const std::vector<std::string>& dropped,
                                          const std::vector<std::string>& added) {
  std::vector<std::string> variables;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string variable = *entry;
    const std::string name = name_of(variable);
    const bool is_dropped = std::find(dropped.begin(), dropped.end(), name) != dropped.end();
    const bool is_replaced = std::any_of(added.begin(), added.end(), [&](const std::string& other) {
      return name_of(other) == name;
    });
    if (!is_dropped && !is_replaced) {
      variables.push_back(variable);
    }
  }
  variables.insert(variables.end(), added.begin(), added.end());
  return variables;
}

}  // namespace tune::runner
