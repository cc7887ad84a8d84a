#include "cli/wrapped_text.h"

#include "cli/terminal.h"

#include <algorithm>

namespace tune::cli {

std::string wrapped(const std::string& head, const std::string& text, std::size_t width) {
  std::string lines = head;
  std::size_t used = columns(head);
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    if (used + columns(word) + 1 > width && used > columns(head)) {
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

}  // namespace tune::cli
