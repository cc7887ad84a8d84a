#include "cli/command_options.h"

#include "cli/flags.h"

#include <CLI/App.hpp>

#include <vector>

namespace tune::cli {

void add_command_options(CLI::App& command, CommandOptions& options) {
  const std::vector<std::string> counts = {"steps", "batches"};
  command.add_flag(
      "--no-shield",
      options.no_shield,
      "With a command after --: let every trial write its files where nothing can shield them");
  command
      .add_option(
          "--count",
          options.count,
          "With a command after --: count steps of a training (the default), or batches where "
          "nothing is trained")
      ->type_name(one_of(counts))
      ->each([counts](const std::string& word) { expect_word("--count", word, counts); });
}

}  // namespace tune::cli
