#include "base/text.h"
#include "cli/completion_script.h"
#include "cli/help_texts.h"
#include "cli/shell_words.h"

namespace tune::cli {

namespace {

std::string assignment(const char* name, const std::string& value) {
  return std::string(" ") + name + "=" + quoted_for_sh(value);
}

std::string path_line(const CommandNode& node, const CommandNode& root) {
  std::vector<std::string> commands, arguments;
  for (const CommandNode& below : node.commands) {
    commands.push_back(below.name);
  }
  for (const CommandWord& argument : node.arguments) {
    arguments.push_back(offer_of(argument));
  }
  return "    " + quoted_for_sh(node.path) + ")" + assignment("commands", joined(commands, " ")) +
         assignment("flags", joined(flag_names(node, root, Which::all), " ")) +
         assignment("valued", joined(flag_names(node, root, Which::with_value), " ")) +
         assignment("arguments", joined(arguments, " ")) + " ;;\n";
}

}  // namespace

std::string bash_completion(const CommandNode& root) {
  std::string paths;
  for (const CommandNode* const node : all_commands(root)) {
    paths += path_line(*node, root);
  }
  return filled_in(filled_in(kCompletionBashText, "paths", paths), "values", value_cases(root));
}

}  // namespace tune::cli
