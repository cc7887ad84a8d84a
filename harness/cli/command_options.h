#pragma once

#include <string>

namespace CLI {
class App;
}

namespace tune::cli {

/// What is said of a command behind --.
struct CommandOptions {
  bool no_shield = false;       ///< its files are written by every trial
  std::string count = "steps";  ///< what a step is: `steps` of an optimizer, or `batches`
};

/// Adds their flags. `options` must outlive the command.
void add_command_options(CLI::App& command, CommandOptions& options);

}  // namespace tune::cli
