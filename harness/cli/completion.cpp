#include "cli/add_command.h"
#include "cli/command_tree.h"
#include "cli/commands.h"
#include "cli/completion_script.h"
#include "cli/expect_word.h"
#include "cli/parser_tree.h"

#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>
#include <string>
#include <vector>

namespace tune::cli {

namespace {

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
