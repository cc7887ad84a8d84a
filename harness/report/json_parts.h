#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace tune::report {

/// The text, or null when it is empty.
nlohmann::ordered_json text_or_null(const std::string& text);

/// Puts `value`, and next to it its reason when it is null: <name>_reason.
void put_or_reason(nlohmann::ordered_json& object,
                   const std::string& name,
                   nlohmann::ordered_json value,
                   const std::string& reason);

}  // namespace tune::report
