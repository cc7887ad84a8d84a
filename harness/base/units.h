#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tune {

/// "120s", "1.5h", "7m30s" -> ns. Units: ns us ms s min m h, larger ones first; nothing when it is
/// not a time >= 0 or does not fit into int64.
std::optional<std::int64_t> parse_time_ns(std::string_view text);

/// "4GiB", "900KB", "512B" -> bytes. Units: B KB MB GB (10^3), KiB MiB GiB (2^10).
std::optional<std::int64_t> parse_bytes(std::string_view text);

/// "90%" -> 0.9; a plain number is taken as it is ("0.9" -> 0.9).
std::optional<double> parse_ratio(std::string_view text);

/// 93 s -> "1m33s", 1.54 s -> "1.54s", 0.0042 s -> "4.2ms". For people; three digits or two parts.
std::string format_time(std::int64_t ns);

/// As --time reads it, in whole seconds: 90 s -> "90s", 300 s -> "5m".
std::string typed_time(std::int64_t ns);

/// format_time() for seconds, from 0 to 1e9; less, or NaN, becomes 0.
std::string format_seconds(double seconds);

/// 1.2 GiB, 340 MiB, 12 KiB. For people.
std::string format_bytes(std::int64_t bytes);

}  // namespace tune
