#pragma once

#include "base/error.h"

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

/// Throws tune::Error, with the nearest as suggestion, when `word` is none of `words`.
void expect_word(const std::string& where,
                 const std::string& word,
                 const std::vector<std::string>& words);

/// "{a,b,c}": what help, completion and man page show of an option that takes one of these words.
std::string one_of(const std::vector<std::string>& words);

/// A value of the command line or of the environment, and where it comes from. A flag wins over the
/// environment, the environment over the scenario, the scenario over the default.
struct GivenValue {
  std::string value;   ///< "" when nothing is given
  std::string source;  ///< "--time", "environment variable TUNE_TIME"; "" when nothing is given
  bool from_environment = false;
};

/// `value` is what the flag said, "" when it was not there. An empty variable is not given.
GivenValue flag_or_environment(const std::string& flag,
                               const std::string& value,
                               const char* variable);

/// Whether the variable of the environment is there and not empty.
bool is_set(const char* variable);

/// What --port says: 1 to 65535, or 0 for any that is free, which no flag ("") means as well.
/// Throws tune::Error.
int port_of(const std::string& flag);

/// Says on standard error that nothing can listen there, and returns "not available".
ExitCode refuse_port(int port, const std::string& why);

}  // namespace tune::cli
