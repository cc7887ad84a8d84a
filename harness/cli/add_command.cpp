#include "cli/add_command.h"

#include <CLI/CLI.hpp>

namespace tune::cli {

CLI::App& add_command(CLI::App& app, const CommandText& text) {
  std::string head = "Examples:\n";
  for (const std::string& example : text.examples) {
    head += "  " + example + "\n";
  }
  CLI::App* const command = app.add_subcommand(text.name, head + "\n" + text.what);
  command->fallthrough();
  return *command;
}

}  // namespace tune::cli
