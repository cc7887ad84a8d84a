#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tune::rule {

/// `{num_workers}` in the code of a rule: stands for the value that is proposed for the knob, else
/// for the one that it has.
struct Placeholder {
  std::size_t begin = 0, size = 0;  ///< in the text, with the braces
  std::string knob;
};

/// In the order of the text: a name of small letters, digits and `_` between braces without a
/// space. Other braces are code.
std::vector<Placeholder> placeholders_in(std::string_view code);

}  // namespace tune::rule
