#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tune {

/// The candidate nearest to what was written (Damerau-Levenshtein distance at most a third of its
/// length, at least 1), or "" when none is near.
std::string did_you_mean(std::string_view written, const std::vector<std::string>& candidates);

}  // namespace tune
