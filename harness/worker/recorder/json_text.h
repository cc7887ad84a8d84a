#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tune::worker {

/// The text as a JSON string, quotes included. Control characters, quotes and backslashes are
/// escaped; each byte that is not UTF-8 becomes U+FFFD.
void append_json(std::string& json, std::string_view text);

/// "1234.567": ns as us with three decimals, exactly. Not for negative times.
void append_us(std::string& json, std::int64_t ns);

}  // namespace tune::worker
