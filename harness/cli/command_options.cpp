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
      "Of a command behind --: every trial writes its files, where nothing can shield them");
  command
      .add_option("--count",
                  options.count,
                  "Of a command behind --: steps of a training (the default), or batches, where it "
                  "only computes")
      ->type_name(one_of(counts))
      ->each([counts](const std::string& word) { expect_word("--count", word, counts); });
}

}  // namespace tune::cli
