#include "base/text.h"
#include "cli/completion_script.h"
#include "cli/help_texts.h"
#include "cli/shell_words.h"

namespace tune::cli {

namespace {

constexpr const char* kFolders = "'(__fish_complete_directories)'";
constexpr const char* kRuns = "'(__tune_runs) (__fish_complete_directories)'";

std::string case_line(const std::string& pattern, const std::vector<std::string>& words) {
  return "        case " + quoted_for_fish(pattern) + "\n            printf '%s\\n' " +
         joined(words, " ") + "\n";
}

std::string command_cases(const CommandNode& root) {
  std::string text;
  for (const CommandNode* const node : all_commands(root)) {
    std::vector<std::string> names;
    for (const CommandNode& below : node->commands) {
      names.push_back(below.name);
    }
    text += names.empty() ? "" : case_line(node->path, names);
  }
  return text;
}

std::string valued_cases(const CommandNode& root) {
  std::string text;
  for (const CommandNode* const node : all_commands(root)) {
    text += case_line(node->path, flag_names(*node, root, Which::with_value));
  }
  return text;
}

// What may stand where a value is: fish's own words for it.
std::string value_words(const CommandWord& word) {
  switch (word.kind) {
    case ValueKind::words:
      return " -x -a " + quoted_for_fish(joined(word.choices, " "));
    case ValueKind::folder:
      return std::string(" -x -a ") + kFolders;
    case ValueKind::run:
      return std::string(" -x -a ") + kRuns;
    case ValueKind::file:
      return " -r -F";
    case ValueKind::other:
      break;
  }
  return " -x";
}

std::string names_of(const CommandWord& flag) {
  std::string text;
  for (const std::string& name : flag.names) {
    const bool is_long = name.starts_with("--");
    text += (is_long ? " -l " : " -s ") + name.substr(is_long ? 2 : 1);
  }
  return text;
}

std::string argument_words(const CommandWord& argument) {
  switch (argument.kind) {
    case ValueKind::words:
      return " -a " + quoted_for_fish(joined(argument.choices, " "));
    case ValueKind::folder:
      return std::string(" -a ") + kFolders;
    case ValueKind::run:
      return std::string(" -a ") + kRuns;
    case ValueKind::file:
      return " -F";
    case ValueKind::other:
      break;
  }
  return "";
}

std::string lines_of(const CommandNode& node, const CommandNode& root) {
  // Flags of the root stand anywhere.
  const std::string here =
      "complete -c tune -n " + quoted_for_fish("__tune_is " + quoted_for_fish(node.path));
  std::string text;
  for (const CommandNode& below : node.commands) {
    text += here + " -a " + below.name + " -d " + quoted_for_fish(short_help(below.summary)) + "\n";
  }
  for (const CommandWord& flag : node.flags) {
    text += (&node == &root ? "complete -c tune" : here) + names_of(flag) +
            (flag.takes_value ? value_words(flag) : "") + " -d " +
            quoted_for_fish(short_help(flag.help)) + "\n";
  }
  for (const CommandWord& argument : node.arguments) {
    const std::string words = argument_words(argument);
    text += words.empty() ? "" : here + words + "\n";
  }
  return text;
}

}  // namespace

std::string fish_completion(const CommandNode& root) {
  std::string lines;
  for (const CommandNode* const node : all_commands(root)) {
    lines += lines_of(*node, root);
  }
  std::string script = filled_in(kCompletionFishText, "commands", command_cases(root));
  script = filled_in(script, "valued", valued_cases(root));
  return filled_in(script, "completions", lines);
}

}  // namespace tune::cli
