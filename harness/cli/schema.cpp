#include "cli/add_command.h"
#include "cli/commands.h"
#include "cli/expect_word.h"
#include "scenario/check_schema.h"

#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>

namespace tune::cli {

void add_schema(CLI::App& app, Invocation& invocation) {
  CLI::App& command =
      add_command(app,
                  {"schema",
                   "Prints a JSON Schema (draft-07), for editors and scripts.",
                   {"tune schema scenario", "tune schema scenario > scenario.schema.json"}});
  const auto what = std::make_shared<std::string>("scenario");
  command.add_option("WHAT", *what, "scenario (default)");
  command.callback([&invocation, what] {
    invocation.run = [what] {
      expect_word("tune schema", *what, {"scenario"});
      std::cout << scenario_schema_text;
      return ExitCode::fine;
    };
  });
}

}  // namespace tune::cli
