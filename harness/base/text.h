#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tune {

/// The first character of a text.
struct Character {
  std::size_t bytes = 1;
  char32_t code = 0;      ///< the byte, when it does not begin a UTF-8 character
  bool is_whole = false;  ///< false: such a byte
  bool is_shown = false;  ///< false also for what terminals obey instead of showing it: control
                          ///< characters, marks of another direction of writing, ends of a line
                          ///< other than a line feed. Tab and line feed are shown.
};

/// `text` must not be empty.
Character first_character(std::string_view text);

/// The text with `replacement` for each character that is not shown.
std::string printable(std::string_view text, std::string_view replacement);

/// Valid UTF-8 without control characters: everything else becomes U+FFFD. Tab and
/// line feed stay, a carriage return before a line feed goes.
std::string printable(std::string_view text);

/// printable(), with a space for each tab and line feed.
std::string one_line(std::string_view text);

/// The first `limit` characters of one_line(), with "..." when there were more.
std::string shortened(std::string_view text, std::size_t limit);

/// The text, if it has at most `limit` characters; a longer one is cut and ends with a part of its
/// hash, so that two different texts stay different. Needs a limit of at least 20.
std::string shortened_distinctly(const std::string& text, std::size_t limit);

/// An untrusted text as one line of at most 10,000 characters.
std::string cleaned(std::string_view text);

/// "\u001b", "\xff": the escape of a character that is not shown, as in JSON.
std::string escape_of(const Character& character);

/// The text with an escape for each character that is not shown. A JSON document keeps its meaning.
std::string escaped(std::string_view text);

/// Untrusted text within a line of a message: escaped(), line feeds and tabs too.
std::string within_a_line(std::string_view text);

/// The parts between the separators, empty ones included: "a,,b" -> "a", "", "b"; "" has one part,
/// "".
std::vector<std::string> split(std::string_view text, char separator);

/// "a, b, c"; an empty first part leaves no separator at the beginning.
std::string joined(const std::vector<std::string>& words, std::string_view separator = ", ");

/// "SIGKILL"; "signal 70" of one without a name.
std::string signal_name(int signal);

/// The candidate nearest to the word (Damerau-Levenshtein distance at most a third of its length,
/// at least 1), or "" when none is near.
std::string did_you_mean(std::string_view written, const std::vector<std::string>& candidates);

}  // namespace tune
