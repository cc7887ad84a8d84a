#pragma once

#include "base/columns.h"

#include <algorithm>
#include <cstddef>
#include <iosfwd>
#include <memory>
#include <streambuf>
#include <string>
#include <string_view>
#include <vector>

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
/// is not a terminal does not say is 100 columns and 24 lines, or what COLUMNS and LINES say.
Terminal look_at(int descriptor, ColorWish wish);

/// The first `width` columns, the last two of them ".." when something was cut off.
std::string fitted(const std::string& text, std::size_t width);

std::string bold(const Terminal& terminal, const std::string& text);
std::string dim(const Terminal& terminal, const std::string& text);
std::string green(const Terminal& terminal, const std::string& text);
std::string yellow(const Terminal& terminal, const std::string& text);

/// Makes text safe for a terminal and for the log of a CI job, whoever it comes from and however it
/// was wrapped. What a terminal obeys (escape sequences but the colours above, carriage
/// returns, marks of another direction of writing) and what begins a command of a CI runner ("::"
/// at the start of a line, "##[" and "##vso[" anywhere) is written as "\u001b": to be read by
/// people, and the same value in a JSON document. A text may come in pieces, but no character in
/// two.
class TerminalText {
 public:
  std::string add(std::string_view piece);

 private:
  void add_shown(std::string_view character, std::string& text);

  bool at_begin_ = true;  ///< of a line: nothing stands on it that a runner would not trim
  char last_ = '\n';
  std::size_t hashes_ = 0;  ///< of "##", and "##vso"
};

std::string terminal_text(std::string_view text);

/// While it lives, all that goes to std::cout and std::cerr is made safe. There is one, in main().
class SafeStreams {
 public:
  SafeStreams();
  ~SafeStreams();
  SafeStreams(const SafeStreams&) = delete;
  SafeStreams& operator=(const SafeStreams&) = delete;

 private:
  std::unique_ptr<std::streambuf> out_, err_;
  std::streambuf* const plain_out_;
  std::streambuf* const plain_err_;
};

/// To the stream behind, as it stands: for movements of the cursor, and for commands to a CI runner
/// that are meant.
void write_unchanged(std::ostream& stream, std::string_view text);

/// With spaces behind it up to `width` bytes, one at least: a cell of a column of ASCII.
inline std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(text.size() + 1, width), ' ');
  return text;
}

/// A line of --plain: the cells with a tab between them, for cut, awk and while read. Tabs, line
/// ends and other control characters in a cell become spaces; nothing is cut off or padded.
std::string plain_row(const std::vector<std::string>& cells);

}  // namespace tune::cli
