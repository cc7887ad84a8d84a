#include "cli/old_words.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace tune::cli {

namespace {

struct OldWord {
  std::string_view command, old_word, new_word;
};

constexpr std::array<OldWord, 15> kOldWords = {{{"run", "--budget", "--time"},
                                                {"plan", "--budget", "--time"},
                                                {"verify", "--budget", "--time"},
                                                {"apply", "--budget", "--time"},
                                                {"gate", "--max-time", "--time"},
                                                {"trace", "--timeout", "--time"},
                                                {"doctor", "--for", "--time"},
                                                {"gate", "--plan", "--dry-run"},
                                                {"run", "--live", "--watch"},
                                                {"compare", "--anyway", "--force"},
                                                {"run", "--format", "--files"},
                                                {"merge", "--format", "--files"},
                                                {"gate", "--format", "--files"},
                                                {"history", "ls", "list"},
                                                {"ls", "ls", "list"}}};

// Global flags whose value is the next word.
constexpr std::array<std::string_view, 3> kValuedFlags = {"-C", "--color", "--progress"};

// The place of the command's name; words.size() where there is none.
std::size_t command_place(const std::vector<std::string>& words) {
  std::size_t place = 0;
  while (place < words.size() && words[place].starts_with('-')) {
    const bool has_value =
        std::find(kValuedFlags.begin(), kValuedFlags.end(), words[place]) != kValuedFlags.end();
    place += has_value ? 2 : 1;
  }
  return std::min(place, words.size());
}

// "--budget=10m" has its value behind it.
std::string renamed(const std::string& word, std::string_view command) {
  const std::string name = word.starts_with("--") ? word.substr(0, word.find('=')) : word;
  for (const OldWord& each : kOldWords) {
    if (each.command == command && each.old_word == name) {
      return std::string(each.new_word) + word.substr(name.size());
    }
  }
  return word;
}

}  // namespace

std::vector<std::string> in_new_words(std::vector<std::string> words) {
  const std::size_t place = command_place(words);
  if (place == words.size()) {
    return words;
  }
  const std::string command = words[place];
  words[place] = renamed(words[place], command);
  for (std::size_t i = place + 1; i < words.size(); ++i) {
    const bool is_command = i == place + 1;
    if (words[i].starts_with("--") || is_command) {
      words[i] = renamed(words[i], command);
    }
  }
  return words;
}

}  // namespace tune::cli
