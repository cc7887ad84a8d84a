#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace tune::cli {

/// What `tune <name> --help` begins with.
struct CommandText {
  std::string name, what;
  std::vector<std::string> examples;
};

/// A subcommand in which global flags may stand too.
CLI::App& add_command(CLI::App& app, const CommandText& text);

}  // namespace tune::cli
