#pragma once

#include <cstddef>
#include <string>

namespace tune::cli {

/// Breaks at spaces so that lines have at most `width` columns where the words allow it; the first
/// line begins with `head`, the others below its end. Ends with a line feed.
std::string wrapped(const std::string& head, const std::string& text, std::size_t width);

}  // namespace tune::cli
