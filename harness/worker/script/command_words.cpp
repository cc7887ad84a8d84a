#include "worker/script/command_words.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <sstream>
#include <variant>

namespace tune::script {

namespace {

std::string quoted_for_sh(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) {
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return quoted + "'";
}

bool is_shell(const std::vector<std::string>& words) {
  return words.size() == 3 && words[0] == "/bin/sh" && words[1] == "-c";
}

}  // namespace

void add_option(const std::string& option,
                const trial::KnobValue& value,
                std::vector<std::string>& words) {
  if (is_shell(words)) {
    const bool is_flag = std::holds_alternative<bool>(value);
    const std::string text = trial::option_text(
        option, is_flag ? value : trial::KnobValue(quoted_for_sh(trial::to_text(value))));
    words[2] += text.empty() ? "" : " " + text;
    return;
  }
  const std::string text = trial::option_text(option, value);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    if (end > begin) {
      words.push_back(text.substr(begin, end - begin));
    }
    begin = end + 1;
  }
}

void add_word(const std::string& word, std::vector<std::string>& words) {
  if (is_shell(words)) {
    words[2] += " " + quoted_for_sh(word);
  } else {
    words.push_back(word);
  }
}

std::vector<std::string> plain_words(const std::vector<std::string>& words) {
  if (!is_shell(words)) {
    return words;
  }
  std::istringstream line(words[2]);
  return {std::istream_iterator<std::string>(line), {}};
}

}  // namespace tune::script
