#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tune {

/// Columns of a terminal that a text takes: UTF-8 characters, of one column each.
std::size_t columns(std::string_view text);

/// The first `width` columns.
std::string first_columns(const std::string& text, std::size_t width);

/// Breaks at spaces so that lines have at most `width` columns where the words allow it; the first
/// line begins with `head`, the others below its end, and never with "::", which a CI runner would
/// obey. Ends with a line feed.
std::string wrapped(const std::string& head, const std::string& text, std::size_t width);

}  // namespace tune
