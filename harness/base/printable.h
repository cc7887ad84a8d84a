#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tune {

/// What a text begins with.
struct Character {
  std::size_t bytes = 1;
  char32_t code = 0;      ///< of a byte that begins no UTF-8 character, the byte
  bool is_whole = false;  ///< false: such a byte
  bool is_shown = false;  ///< false also for what is obeyed in place of being shown: control
                          ///< characters, marks of another direction of writing, ends of a line
                          ///< other than a line feed. Tab and line feed are shown.
};

/// `text` must not be empty.
Character first_character(std::string_view text);

/// With `replacement` for each character that is not shown.
std::string printable(std::string_view text, std::string_view replacement);

/// "\u001b", "\xff": how people, and JSON, read what is not shown.
std::string escape_of(const Character& character);

/// With an escape for each character that is not shown. Of a JSON document the same document.
std::string escaped(std::string_view text);

/// Untrusted text within a line of a message: escaped(), line feeds and tabs too.
std::string within_a_line(std::string_view text);

}  // namespace tune
