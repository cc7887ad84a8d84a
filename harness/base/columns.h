#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tune {

/// How many columns of a terminal a text takes: one per UTF-8 character.
std::size_t columns(std::string_view text);

/// The first `width` columns.
std::string first_columns(const std::string& text, std::size_t width);

/// Breaks the text at spaces into lines of at most `width` columns where the words allow it. The
/// first line begins with `head`; the others are indented to its end and never begin with "::",
/// which a CI runner would obey. Ends with a line feed.
std::string wrapped(const std::string& head, const std::string& text, std::size_t width);

}  // namespace tune
