#include "cli/shell_words.h"

#include "base/assert.h"
#include "base/text.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace tune::cli {

std::string quoted_for_sh(const std::string& text) {
  std::string quoted = "'";
  for (const char letter : text) {
    quoted += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  }
  return quoted + "'";
}

namespace {

// As bash and zsh read it: one line, whatever the name is made of.
std::string in_ansi_quotes(std::string_view path) {
  std::string text = "$'";
  while (!path.empty()) {
    const Character character = first_character(path);
    for (const char letter : path.substr(0, character.bytes)) {
      std::array<char, 8> octal{};
      (void)std::snprintf(octal.data(), octal.size(), "\\%03o", static_cast<unsigned char>(letter));
      const bool is_special = letter == '\'' || letter == '\\' || letter == '\n' || letter == '\t';
      text += character.is_shown && !is_special ? std::string(1, letter) : octal.data();
    }
    path.remove_prefix(character.bytes);
  }
  return text + "'";
}

}  // namespace

std::string word_of_sh(const std::string& text) {
  const bool plain = text.find_first_not_of(
                         "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                         "0123456789_-./+,:@%") == std::string::npos;
  if (plain) {
    return text;
  }
  return within_a_line(text) == text ? quoted_for_sh(text) : in_ansi_quotes(text);
}

std::string quoted_for_fish(const std::string& text) {
  std::string quoted = "'";
  for (const char letter : text) {
    quoted += letter == '\'' || letter == '\\' ? "\\" : "";
    quoted += letter;
  }
  return quoted + "'";
}

std::string offer_of(const CommandWord& word) {
  std::string offer = "any";
  switch (word.kind) {
    case ValueKind::other:
      break;
    case ValueKind::file:
      offer = "file";
      break;
    case ValueKind::folder:
      offer = "dir";
      break;
    case ValueKind::run:
      offer = "run";
      break;
    case ValueKind::words:
      offer = "words:";
      for (const std::string& choice : word.choices) {
        offer += (offer.back() == ':' ? "" : ",") + choice;
      }
  }
  const bool stands_alone = !word.names.empty() && word.names.front().front() != '-';
  return stands_alone && word.repeats ? offer + "+" : offer;
}

std::vector<std::string> flag_names(const CommandNode& node, const CommandNode& root, Which which) {
  std::vector<std::string> names;
  for (const CommandNode* const from : {&node, &root}) {
    for (const CommandWord& flag : from->flags) {
      if (which == Which::with_value && !flag.takes_value) {
        continue;
      }
      for (const std::string& name : flag.names) {
        // -h is a flag of every command, and --version of the root alone.
        const bool is_inherited = from == &node || name != "--version";
        if (is_inherited && std::find(names.begin(), names.end(), name) == names.end()) {
          names.push_back(name);
        }
      }
    }
  }
  return names;
}

std::string value_cases(const CommandNode& root) {
  std::string own, everywhere;
  for (const CommandNode* const node : all_commands(root)) {
    const bool is_root = node == &root;
    for (const CommandWord& flag : node->flags) {
      if (!flag.takes_value) {
        continue;
      }
      for (const std::string& name : flag.names) {
        const std::string key =
            is_root ? "*" + quoted_for_sh("|" + name) : quoted_for_sh(node->path + "|" + name);
        (is_root ? everywhere : own) +=
            "    (" + key + ") value=" + quoted_for_sh(offer_of(flag)) + " ;;\n";
      }
    }
  }
  return own + everywhere;
}

std::string short_help(const std::string& text) {
  constexpr std::size_t kMost = 72;
  std::string line = text.substr(0, text.find('\n'));
  if (line.size() > kMost) {
    line.resize(std::min(line.rfind(' ', kMost), kMost));
  }
  return line;
}

std::string filled_in(std::string_view text, const std::string& marker, const std::string& lines) {
  const std::string line = "# <" + marker + ">\n";
  std::string filled(text);
  const std::size_t at = filled.find(line);
  TUNE_ASSERT(at != std::string::npos);
  return filled.replace(at, line.size(), lines);
}

}  // namespace tune::cli
