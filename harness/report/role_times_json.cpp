#include "report/role_times_json.h"

#include <nlohmann/json.hpp>

namespace tune::report {

nlohmann::ordered_json to_json(const profile::RoleTimes& times) {
  nlohmann::ordered_json json;
  for (std::size_t role = 0; role < profile::kRoles; ++role) {
    json[std::string(profile::role_name(static_cast<profile::Role>(role)))] = times[role];
  }
  return json;
}

}  // namespace tune::report
