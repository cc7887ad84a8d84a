#include "report/format/json_value.h"

#include "report/markup.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace tune::report {

using nlohmann::json;

const json& json_member(const json& object, const char* key) {
  static const json nothing;
  if (!object.is_object()) {
    return nothing;
  }
  const auto found = object.find(key);
  return found == object.end() ? nothing : *found;
}

std::string json_text(const json& value) {
  return value.is_string() ? shortened(value.get_ref<const std::string&>(), kLongestJsonText) : "";
}

std::optional<double> json_number(const json& value) {
  if (!value.is_number()) {
    return std::nullopt;
  }
  const auto number = value.get<double>();
  return std::isfinite(number) ? std::optional(number) : std::nullopt;
}

std::int64_t json_count(const json& value) {
  const bool is_huge =
      value.is_number_unsigned() && !std::in_range<std::int64_t>(value.get<std::uint64_t>());
  return value.is_number_integer() && !is_huge
             ? std::max<std::int64_t>(value.get<std::int64_t>(), 0)
             : 0;
}

}  // namespace tune::report
