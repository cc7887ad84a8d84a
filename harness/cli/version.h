#pragma once

#include <string_view>

namespace tune::cli {

/// Of this program, e.g. "0.1.0".
std::string_view version();

}  // namespace tune::cli
