#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace tune::report {

/// Values of a result.json that anybody may have written, of any version of tune: what is missing,
/// or of another type, reads as nothing.

/// Null where `object` is none or has no such member.
const nlohmann::json& json_member(const nlohmann::json& object, const char* key);

constexpr std::size_t kLongestJsonText = 9'997;  ///< characters, and three dots

/// "" where it is no text; no longer than that.
std::string json_text(const nlohmann::json& value);

/// Finite.
std::optional<double> json_number(const nlohmann::json& value);

/// A whole number from 0; 0 where it is none.
std::int64_t json_count(const nlohmann::json& value);

}  // namespace tune::report
