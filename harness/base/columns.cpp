#include "base/columns.h"

#include <algorithm>

namespace tune {

namespace {

bool begins_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
}

}  // namespace

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

std::string wrapped(const std::string& head, const std::string& text, std::size_t width) {
  std::string lines = head;
  std::size_t used = columns(head);
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    const bool is_command =
        word.starts_with("::");  // a command to a CI runner, at the start of a line
    if (used + columns(word) + 1 > width && used > columns(head) && !is_command) {
      lines += "\n" + std::string(columns(head), ' ');
      used = columns(head);
    } else if (used > columns(head)) {
      lines += ' ';
      ++used;
    }
    lines += word;
    used += columns(word);
    begin = end + 1;
  }
  return lines + "\n";
}

}  // namespace tune
