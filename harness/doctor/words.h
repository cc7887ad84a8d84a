#pragma once

#include <string>
#include <vector>

namespace tune::doctor {

/// 0.0312 -> "3.1 %".
std::string percent(double ratio);

/// 1.2499 -> "1.25".
std::string two_places(double value);

}  // namespace tune::doctor
