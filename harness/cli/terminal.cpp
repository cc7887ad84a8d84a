#include "cli/terminal.h"

#include "base/text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <iostream>
#include <sys/ioctl.h>
#include <unistd.h>
#include <utility>

namespace tune::cli {

namespace {

constexpr std::size_t kNarrowest = 40;
constexpr std::size_t kWidest = 400;

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::size_t or_variable(std::size_t size, const char* name) {
  if (size == 0) {
    const std::string_view text = variable(name);
    std::from_chars(text.data(), text.data() + text.size(), size);
  }
  return size;
}

void measure(int descriptor, Terminal& terminal) {
  winsize size{};
  if (!terminal.is_terminal || ioctl(descriptor, TIOCGWINSZ, &size) != 0) {
    size = {};
  }
  const std::size_t width = or_variable(size.ws_col, "COLUMNS");
  const std::size_t height = or_variable(size.ws_row, "LINES");
  terminal.width = width < kNarrowest || width > kWidest ? terminal.width : width;
  terminal.height = height == 0 ? terminal.height : height;
}

bool wants_color(ColorWish wish, bool is_terminal) {
  if (wish != ColorWish::automatic) {
    return wish == ColorWish::always;
  }
  if (!variable("NO_COLOR").empty()) {
    return false;
  }
  if (!variable("CLICOLOR_FORCE").empty() && variable("CLICOLOR_FORCE") != "0") {
    return true;
  }
  return is_terminal && variable("CLICOLOR") != "0";
}

std::string painted(const Terminal& terminal, const char* code, const std::string& text) {
  return terminal.has_color ? "\033[" + std::string(code) + "m" + text + "\033[0m" : text;
}

}  // namespace

Terminal look_at(int descriptor, ColorWish wish) {
  const bool dumb = variable("TERM") == "dumb" || variable("TERM").empty();
  Terminal terminal;
  terminal.is_terminal = isatty(descriptor) == 1 && !dumb;
  terminal.has_color = wants_color(wish, terminal.is_terminal);
  measure(descriptor, terminal);
  return terminal;
}

std::string fitted(const std::string& text, std::size_t width) {
  if (columns(text) <= width) {
    return text;
  }
  return width < 2 ? std::string(width, '.') : first_columns(text, width - 2) + "..";
}

std::string bold(const Terminal& terminal, const std::string& text) {
  return painted(terminal, "1", text);
}
std::string dim(const Terminal& terminal, const std::string& text) {
  return painted(terminal, "2", text);
}
std::string green(const Terminal& terminal, const std::string& text) {
  return painted(terminal, "32", text);
}
std::string yellow(const Terminal& terminal, const std::string& text) {
  return painted(terminal, "33", text);
}

namespace {

// Those of terminal.h.
constexpr std::array<std::string_view, 5> kColours = {
    "\033[0m", "\033[1m", "\033[2m", "\033[32m", "\033[33m"};

std::size_t colour_length(std::string_view text) {
  const auto found = std::find_if(kColours.begin(), kColours.end(), [&](std::string_view colour) {
    return text.starts_with(colour);
  });
  return found == kColours.end() ? 0 : found->size();
}

class SafeBuffer : public std::streambuf {
 public:
  explicit SafeBuffer(std::streambuf* behind) : behind_(behind) {}

  bool write_unchanged(std::string_view text) {
    const auto size = static_cast<std::streamsize>(text.size());
    return behind_->sputn(text.data(), size) == size;
  }

 protected:
  std::streamsize xsputn(const char* text, std::streamsize size) override {
    const bool is_written = write_unchanged(text_.add({text, static_cast<std::size_t>(size)}));
    return is_written ? size : 0;
  }
  int_type overflow(int_type letter) override {
    const char c = traits_type::to_char_type(letter);
    return traits_type::eq_int_type(letter, traits_type::eof()) || xsputn(&c, 1) == 1
               ? traits_type::not_eof(letter)
               : traits_type::eof();
  }
  int sync() override { return behind_->pubsync(); }

 private:
  std::streambuf* const behind_;
  TerminalText text_;
};

}  // namespace

std::string TerminalText::add(std::string_view piece) {
  std::string text;
  text.reserve(piece.size());
  while (!piece.empty()) {
    if (const std::size_t length = colour_length(piece); length > 0) {
      text += piece.substr(0, length);
      piece.remove_prefix(length);
      continue;
    }
    const Character character = first_character(piece);
    const bool ends_line = piece.starts_with("\r\n");  // as CSV does
    if (character.is_shown || ends_line) {
      add_shown(piece.substr(0, character.bytes), text);
    } else {
      text += escape_of(character);
      at_begin_ = false;
      last_ = ' ';
    }
    piece.remove_prefix(character.bytes);
  }
  return text;
}

void TerminalText::add_shown(std::string_view character, std::string& text) {
  const char letter = character.front();
  const bool is_plain = character.size() == 1;
  const bool begins_command =
      (letter == ':' && last_ == ':' && at_begin_) || (letter == '[' && hashes_ >= 2);
  text += begins_command ? escape_of(first_character(character)) : std::string(character);
  if (letter == '\n') {
    at_begin_ = true;
  } else if (is_plain && std::isspace(static_cast<unsigned char>(letter)) == 0 &&
             !(letter == ':' && last_ != ':')) {
    at_begin_ = false;
  }
  const bool is_word = is_plain && std::isalpha(static_cast<unsigned char>(letter)) != 0;
  hashes_ = letter == '#' ? hashes_ + 1 : hashes_ >= 2 && is_word ? hashes_ : 0;
  last_ = letter;
}

std::string terminal_text(std::string_view text) {
  return TerminalText().add(text);
}

SafeStreams::SafeStreams()
    : out_(std::make_unique<SafeBuffer>(std::cout.rdbuf())),
      err_(std::make_unique<SafeBuffer>(std::cerr.rdbuf())),
      plain_out_(std::cout.rdbuf(out_.get())),
      plain_err_(std::cerr.rdbuf(err_.get())) {}

SafeStreams::~SafeStreams() {
  std::cout.rdbuf(plain_out_);
  std::cerr.rdbuf(plain_err_);
}

void write_unchanged(std::ostream& stream, std::string_view text) {
  auto* const safe = dynamic_cast<SafeBuffer*>(stream.rdbuf());
  if (safe == nullptr) {
    stream << text;
  } else if (!safe->write_unchanged(text)) {
    stream.setstate(std::ios::badbit);
  }
}

std::string plain_row(const std::vector<std::string>& cells) {
  constexpr unsigned char kFirstPrintable = 0x20, kDelete = 0x7F;
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    line += i == 0 ? "" : "\t";
    for (const char letter : cells[i]) {
      const auto code = static_cast<unsigned char>(letter);
      line += code < kFirstPrintable || code == kDelete ? ' ' : letter;
    }
  }
  return line + "\n";
}

}  // namespace tune::cli
