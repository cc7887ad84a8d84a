#pragma once

#include <string>
#include <vector>

namespace tune::cli {

/// `words`, what was typed behind "tune", with flags and commands that had another name before
/// called as they are now: "run --budget 10m" -> "run --time 10m". Old words still work, but no
/// help, manual page or completion shows them.
std::vector<std::string> in_new_words(std::vector<std::string> words);

}  // namespace tune::cli
