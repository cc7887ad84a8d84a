#include "cli/terminal.h"

#include <charconv>
#include <cstdlib>
#include <sys/ioctl.h>
#include <unistd.h>

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

bool begins_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
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

std::size_t columns(std::string_view text) {
  std::size_t count = 0;
  for (const char byte : text) {
    count += begins_character(byte) ? 1 : 0;
  }
  return count;
}

std::string first_columns(const std::string& text, std::size_t width) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    count += begins_character(text[i]) ? 1 : 0;
    if (count > width) {
      return text.substr(0, i);
    }
  }
  return text;
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

}  // namespace tune::cli
