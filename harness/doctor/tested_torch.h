#pragma once

#include <string_view>

namespace tune::doctor {

/// The LibTorch that tune is tested with; harness/setup/places.sh fetches it.
constexpr std::string_view kTestedTorch = "2.11";

}  // namespace tune::doctor
