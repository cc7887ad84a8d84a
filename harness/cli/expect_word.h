#pragma once

#include <string>
#include <vector>

namespace tune::cli {

/// Throws tune::Error, with the nearest as suggestion, when `word` is none of `words`.
void expect_word(const std::string& where,
                 const std::string& word,
                 const std::vector<std::string>& words);

/// "{a,b,c}": what help, completion and man page show of an option that takes one of these words.
std::string one_of(const std::vector<std::string>& words);

}  // namespace tune::cli
