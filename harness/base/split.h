#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tune {

/// What stands between the separators, empty parts too: "a,,b" -> "a", "", "b"; of "" one part, "".
std::vector<std::string> split(std::string_view text, char separator);

}  // namespace tune
