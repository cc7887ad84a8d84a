#pragma once

#include <string>
#include <vector>

namespace tune::cli {

/// Throws tune::Error, with the nearest as suggestion, when `word` is none of `words`.
void expect_word(const std::string& where,
                 const std::string& word,
                 const std::vector<std::string>& words);

}  // namespace tune::cli
