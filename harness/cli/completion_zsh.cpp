#include "base/text.h"
#include "cli/completion_script.h"
#include "cli/help_texts.h"
#include "cli/shell_words.h"

#include <algorithm>

namespace tune::cli {

namespace {

// A word and what it is, as _describe reads them: "--set:Change a knob".
std::string described(const std::string& word, const std::string& help) {
  return " " + quoted_for_sh(word + ":" + short_help(help));
}

std::string flags_of(const CommandNode& node, const CommandNode& root) {
  std::string text;
  for (const std::string& name : flag_names(node, root, Which::all)) {
    for (const CommandNode* const from : {&node, &root}) {
      const auto flag =
          std::find_if(from->flags.begin(), from->flags.end(), [&](const CommandWord& word) {
            return std::find(word.names.begin(), word.names.end(), name) != word.names.end();
          });
      if (flag != from->flags.end()) {
        text += described(name, flag->help);
        break;
      }
    }
  }
  return text;
}

std::string path_line(const CommandNode& node, const CommandNode& root) {
  std::string commands, arguments;
  for (const CommandNode& below : node.commands) {
    commands += described(below.name, below.summary);
  }
  for (const CommandWord& argument : node.arguments) {
    arguments += " " + quoted_for_sh(offer_of(argument));
  }
  return "    (" + quoted_for_sh(node.path) + ")\n      commands=(" + commands +
         " )\n      flags=(" + flags_of(node, root) + " )\n      valued=( " +
         joined(flag_names(node, root, Which::with_value), " ") + " )\n      arguments=(" +
         arguments + " )\n      ;;\n";
}

}  // namespace

std::string zsh_completion(const CommandNode& root) {
  std::string paths;
  for (const CommandNode* const node : all_commands(root)) {
    paths += path_line(*node, root);
  }
  return filled_in(filled_in(kCompletionZshText, "paths", paths), "values", value_cases(root));
}

}  // namespace tune::cli
