#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tune::report {

struct MarkdownSection {
  std::string heading;    ///< "" of the first
  std::string text;       ///< "": it is left out, without a word
  bool is_folded = true;  ///< it opens by a click
};

/// The sections below each other. The first and the last always stay; above the limit, which is at
/// least 2,000 bytes, the others go whole, the last first, with a line that says so.
std::string markdown_page(std::vector<MarkdownSection> sections, std::size_t limit_bytes);

/// The invisible first line that names the scenario, by which a comment is found and replaced.
std::string comment_marker(const std::string& scenario);

}  // namespace tune::report
