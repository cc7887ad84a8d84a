#pragma once

#include <string_view>

namespace tune::cli {

/// Of the clone that this program was built from, 12 digits; "unknown" without a clone.
std::string_view commit();

}  // namespace tune::cli
