#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tune {

/// "a, b, c"; what is empty leaves no separator at the beginning.
std::string joined(const std::vector<std::string>& words, std::string_view separator = ", ");

}  // namespace tune
