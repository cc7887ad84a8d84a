#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

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

/// Valid UTF-8 without control characters: what is neither becomes U+FFFD. Tab and
/// line feed stay, a carriage return before a line feed goes.
std::string printable(std::string_view text);

/// printable(), with a space for each tab and line feed.
std::string one_line(std::string_view text);

/// The first `limit` characters of one_line(), with "..." when there were more.
std::string shortened(std::string_view text, std::size_t limit);

/// The text, if it has at most `limit` characters; a longer one is cut and ends with a part of its
/// hash, so that two stay two. Needs a limit of at least 20.
std::string shortened_distinctly(const std::string& text, std::size_t limit);

/// A text that anybody may have written, as one line of at most 10,000 characters.
std::string cleaned(std::string_view text);

/// "\u001b", "\xff": how people, and JSON, read what is not shown.
std::string escape_of(const Character& character);

/// With an escape for each character that is not shown. Of a JSON document the same document.
std::string escaped(std::string_view text);

/// Untrusted text within a line of a message: escaped(), line feeds and tabs too.
std::string within_a_line(std::string_view text);

/// What stands between the separators, empty parts too: "a,,b" -> "a", "", "b"; of "" one part, "".
std::vector<std::string> split(std::string_view text, char separator);

/// "a, b, c"; what is empty leaves no separator at the beginning.
std::string joined(const std::vector<std::string>& words, std::string_view separator = ", ");

/// The candidate nearest to what was written (Damerau-Levenshtein distance at most a third of its
/// length, at least 1), or "" when none is near.
std::string did_you_mean(std::string_view written, const std::vector<std::string>& candidates);

}  // namespace tune
