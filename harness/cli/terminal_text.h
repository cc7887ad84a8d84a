#pragma once

#include <iosfwd>
#include <memory>
#include <streambuf>
#include <string>
#include <string_view>

namespace tune::cli {

/// Makes text safe for a terminal and for the log of a CI job, whoever it comes from and however it
/// was wrapped. What a terminal obeys (escape sequences but the colours of terminal.h, carriage
/// returns, marks of another direction of writing) and what begins a command of a CI runner ("::"
/// at the begin of a line, "##[" and "##vso[" anywhere) is written as "\u001b": to be read by
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

}  // namespace tune::cli
