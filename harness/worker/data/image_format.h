#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace tune::worker {

/// "" when the first bytes are those of a JPEG, else what the file is: "is a PNG", "is no JPEG
/// (begins with 3c 68 74 6d)".
std::string complaint_about_format(std::span<const std::uint8_t> file);

/// Whether the end-of-image marker stands in the last few KB; a file cut short has none there.
bool ends_with_marker(std::span<const std::uint8_t> file);

}  // namespace tune::worker
