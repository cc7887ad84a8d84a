#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tune::profile {

/// One line of a file of patterns: "yes nvjet_".
struct NamePattern {
  std::string verdict;
  std::string text;  ///< in small letters
};

/// Lines of a verdict, a space, and what is found in a name, in any case; * stands for any
/// characters. Lines that begin with # are comments.
std::vector<NamePattern> read_name_patterns(std::string_view file);

/// The verdict of the first pattern that fits the name, or "".
std::string_view first_verdict(const std::vector<NamePattern>& patterns, std::string_view name);

/// True when the pattern is found in the text, in any case; * stands for any characters.
bool matches_pattern(std::string_view text, std::string_view pattern);

}  // namespace tune::profile
