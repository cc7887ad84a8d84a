#pragma once

#include "base/text.h"

#include <string>
#include <string_view>

namespace tune::report {

/// What whoever writes a name, a message or a plug-in can put into it to be obeyed in place of
/// being shown: markup of every kind, escape sequences and their eight-bit forms, other directions
/// of writing, ends of lines, formulas, commands to the runners of CI, broken UTF-8.
inline const std::string& hostile_words() {
  static const std::string all =
      "<script>alert('1')</script> & \"q\" `b` | row\nnext\x1b[31m \x1b]0;title\x07 \xc2\x9b"
      "2J \xff\xfe ]]> --> {{body}} _x_ @all \xe2\x80\xae"
      "cba \xe2\x81\xa6 \xe2\x80\x8f \xd8\x9c \xe2\x80\xa8 \xef\xbf\xbf over\rwritten\n"
      "::error file=a,line=1::x\n  ::stop-commands::y ##[error]z ##vso[task.setvariable]w\n"
      "=cmd|' /C calc'!A0 %0A::warning::v \\\"} 1\n# EOF";
  return all;
}

/// The first character that is not shown but obeyed, as its escape; "" where there is none.
inline std::string obeyed_character(std::string_view text) {
  while (!text.empty()) {
    const Character character = first_character(text);
    if (!character.is_shown && !text.starts_with("\r\n")) {
      return escape_of(character);
    }
    text.remove_prefix(character.bytes);
  }
  return "";
}

/// The first line that a runner of CI takes for a command, as those of GitHub and Azure read it; ""
/// where there is none.
inline std::string command_line(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = text.find_first_of("\r\n");
    const std::string_view line = text.substr(0, end);
    const std::size_t begin = line.find_first_not_of(" \t\v\f");
    const bool is_command = begin != std::string_view::npos && line.substr(begin).starts_with("::");
    if (is_command || line.find("##[") != std::string_view::npos ||
        line.find("##vso[") != std::string_view::npos) {
      return std::string(line);
    }
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return "";
}

}  // namespace tune::report
