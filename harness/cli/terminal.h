#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tune::cli {

/// What one output stream can show.
struct Terminal {
  bool is_terminal = false;  ///< a person looks at it, and the cursor can be moved
  bool has_color = false;
  std::size_t width = 100;  ///< columns
  std::size_t height = 24;  ///< lines
};

enum class ColorWish { automatic, always, never };

/// Looks at the stream and at TERM, NO_COLOR, CLICOLOR and CLICOLOR_FORCE. What a stream that
/// is no terminal does not say is 100 columns and 24 lines, or what COLUMNS and LINES say.
Terminal look_at(int descriptor, ColorWish wish);

/// Columns that a text takes: UTF-8 characters, of one column each.
std::size_t columns(std::string_view text);

/// The first `width` columns.
std::string first_columns(const std::string& text, std::size_t width);

/// The first `width` columns, the last two of them ".." when something was cut off.
std::string fitted(const std::string& text, std::size_t width);

std::string bold(const Terminal& terminal, const std::string& text);
std::string dim(const Terminal& terminal, const std::string& text);
std::string green(const Terminal& terminal, const std::string& text);
std::string yellow(const Terminal& terminal, const std::string& text);

}  // namespace tune::cli
