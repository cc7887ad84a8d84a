#include "report/json_parts.h"

#include <nlohmann/json.hpp>

#include <utility>

namespace tune::report {

using nlohmann::ordered_json;

ordered_json text_or_null(const std::string& text) {
  return text.empty() ? ordered_json(nullptr) : ordered_json(text);
}

void put_or_reason(ordered_json& object,
                   const std::string& name,
                   ordered_json value,
                   const std::string& reason) {
  const bool is_known = !value.is_null();
  object[name] = std::move(value);
  object[name + "_reason"] = is_known ? ordered_json(nullptr) : ordered_json(reason);
}

}  // namespace tune::report
