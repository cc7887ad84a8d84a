#include "trial/knob_json.h"

#include "trial/json_object.h"

#include <nlohmann/json.hpp>

#include <limits>

namespace tune::trial {

KnobValue read_knob_value(const nlohmann::json& value,
                          const std::string& where,
                          const std::string& path) {
  if (value.is_boolean()) {
    return value.get<bool>();
  }
  if (value.is_number_integer()) {
    constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
    return read_whole(value, {-kMost, kMost}, where, path);
  }
  if (value.is_number_float()) {
    return value.get<double>();
  }
  if (value.is_string()) {
    return value.get<std::string>();
  }
  complain(where, path, "is not a knob's value");
}

}  // namespace tune::trial
