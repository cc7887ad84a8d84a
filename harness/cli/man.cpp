#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/add_command.h"
#include "cli/commands.h"
#include "cli/man_page.h"
#include "cli/parser_tree.h"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <iostream>
#include <memory>
#include <system_error>

namespace tune::cli {

namespace {

namespace fs = std::filesystem;

// The command of these words: {"rules", "show"}.
const CommandNode& named(const CommandNode& root, const std::vector<std::string>& words) {
  const CommandNode* node = &root;
  for (const std::string& word : words) {
    const CommandNode* found = nullptr;
    std::vector<std::string> names;
    for (const CommandNode& below : node->commands) {
      names.push_back(below.name);
      found = below.name == word ? &below : found;
    }
    if (found == nullptr) {
      const std::string where = "tune man" + (node->path.empty() ? "" : " " + node->path);
      throw Error(Error::Parts{where,
                               "there is no command '" + word + "'",
                               "commands are listed by 'tune --help'",
                               did_you_mean(word, names)});
    }
    node = found;
  }
  return *node;
}

ExitCode write_pages(const CommandNode& root, const fs::path& folder) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) {
    throw Error(Error::Parts{folder.string(), "cannot be made", failed.message(), ""});
  }
  std::size_t count = 0;
  for (const CommandNode* const node : all_commands(root)) {
    write_file_synced(folder / (page_name(*node) + ".1"), man_page(*node, root));
    ++count;
  }
  std::cout << folder.string() << ": " << count << " pages\n";
  return ExitCode::fine;
}

}  // namespace

void add_man(CLI::App& app, Invocation& invocation) {
  CLI::App& command = add_command(
      app,
      {"man",
       "Prints the manual page of tune or of one of its commands, made of the parser itself; with "
       "-o writes all of them into a folder.",
       {"tune man run | man -l -", "tune man -o ~/.local/share/man/man1"}});
  const auto words = std::make_shared<std::vector<std::string>>();
  const auto folder = std::make_shared<std::string>();
  command.add_option("COMMAND", *words, "Which command; default: tune itself");
  command.add_option("-o,--output", *folder, "Folder for the pages of all commands")
      ->type_name("DIR");
  command.callback([&app, &invocation, words, folder] {
    invocation.run = [&app, words, folder]() -> ExitCode {
      const CommandNode root = parser_tree(app);
      if (!folder->empty()) {
        return write_pages(root, *folder);
      }
      std::cout << man_page(named(root, *words), root);
      return ExitCode::fine;
    };
  });
}

}  // namespace tune::cli
