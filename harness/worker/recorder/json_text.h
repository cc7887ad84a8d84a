#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tune::worker {

/// The text as a JSON string, quotes included. Control characters, quotes and backslashes are
/// escaped; bytes that are no UTF-8 become U+FFFD, one for each.
void append_json(std::string& json, std::string_view text);

/// "1234.567": ns as us with three decimals, exactly. Not for negative times.
void append_us(std::string& json, std::int64_t ns);

}  // namespace tune::worker
