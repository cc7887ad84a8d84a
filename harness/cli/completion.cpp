#include "base/text.h"
#include "cli/command_tree.h"
#include "cli/commands.h"
#include "cli/embedded_texts.h"
#include "cli/flags.h"
#include "cli/shell_words.h"

#include <CLI/App.hpp>

#include <algorithm>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

namespace tune::cli {

namespace {

std::string assignment(const char* name, const std::string& value) {
  return std::string(" ") + name + "=" + quoted_for_sh(value);
}

std::string bash_line(const CommandNode& node, const CommandNode& root) {
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

// Scripts that complete commands, flags and their values, made of the parser's own tree. They ask
// tune nothing while they complete: a key press must not start a build.
std::string bash_completion(const CommandNode& root) {
  std::string paths;
  for (const CommandNode* const node : all_commands(root)) {
    paths += bash_line(*node, root);
  }
  return filled_in(filled_in(kCompletionBashText, "paths", paths), "values", value_cases(root));
}

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

std::string zsh_line(const CommandNode& node, const CommandNode& root) {
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

std::string zsh_completion(const CommandNode& root) {
  std::string paths;
  for (const CommandNode* const node : all_commands(root)) {
    paths += zsh_line(*node, root);
  }
  return filled_in(filled_in(kCompletionZshText, "paths", paths), "values", value_cases(root));
}

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

std::string fish_completion(const CommandNode& root) {
  std::string lines;
  for (const CommandNode* const node : all_commands(root)) {
    lines += lines_of(*node, root);
  }
  std::string script = filled_in(kCompletionFishText, "commands", command_cases(root));
  script = filled_in(script, "valued", valued_cases(root));
  return filled_in(script, "completions", lines);
}

const std::vector<std::string>& shells() {
  static const std::vector<std::string> names = {"bash", "zsh", "fish"};
  return names;
}

ExitCode print_script(const CLI::App& app, const std::string& shell) {
  expect_word("tune completion", shell, shells());
  const CommandNode root = parser_tree(app);
  std::cout << (shell == "bash"  ? bash_completion(root)
                : shell == "zsh" ? zsh_completion(root)
                                 : fish_completion(root));
  return ExitCode::fine;
}

}  // namespace

void add_completion(CLI::App& app, Invocation& invocation) {
  CLI::App& command = add_command(
      app,
      {"completion",
       "Prints a script that completes commands, flags and their values in your shell; made of the "
       "parser itself. It works for tune and ./tune, and starts neither while it completes.",
       {"source <(tune completion bash)",
        "tune completion zsh > ~/.zfunc/_tune",
        "tune completion fish > ~/.config/fish/completions/tune.fish"}});
  const auto shell = std::make_shared<std::string>();
  command.add_option("SHELL", *shell, "Which shell")->required()->type_name(one_of(shells()));
  command.callback([&app, &invocation, shell] {
    invocation.run = [&app, shell] { return print_script(app, *shell); };
  });
}

}  // namespace tune::cli
