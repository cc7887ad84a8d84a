#include "advice/rule/read_rule.h"
#include "cli/commands.h"
#include "cli/flags.h"
#include "report/result_json.h"
#include "scenario/check_schema.h"

#include <CLI/App.hpp>

#include <iostream>
#include <memory>

namespace tune::cli {

void add_schema(CLI::App& app, Invocation& invocation) {
  CLI::App& command = add_command(
      app,
      {"schema",
       "Prints a JSON Schema (draft-07), for editors and scripts.",
       {"tune schema scenario", "tune schema result > result.schema.json", "tune schema rule"}});
  const auto what = std::make_shared<std::string>("scenario");
  command.add_option("WHAT", *what, "scenario (default), rule or result")
      ->type_name(one_of({"scenario", "rule", "result"}));
  command.callback([&invocation, what] {
    invocation.run = [what] {
      expect_word("tune schema", *what, {"scenario", "rule", "result"});
      std::cout << (*what == "result" ? kResultSchemaText
                    : *what == "rule" ? kRuleSchemaText
                                      : kScenarioSchemaText);
      return ExitCode::fine;
    };
  });
}

}  // namespace tune::cli
