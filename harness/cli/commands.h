#pragma once

#include "base/error.h"
#include "cli/terminal.h"

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace tune::cli {

/// What the command line asked for: the command that was named sets `run`.
struct Invocation {
  std::function<ExitCode()> run;
  std::vector<std::string> words;          ///< as typed, for the report and for the resume command
  std::vector<std::string> command;        ///< behind --: a training of the user's own
  bool quiet = false;                      ///< -q: only errors on stderr
  bool verbose = false;                    ///< -v: also what is used, and where settings come from
  ColorWish color = ColorWish::automatic;  ///< --color, else TUNE_COLOR
  bool plain_progress = false;             ///< --progress never, else TUNE_PROGRESS
};

// One subcommand each: declares its flags and, when it is named, sets invocation.run.
void add_run(CLI::App& app, Invocation& invocation);
void add_launch(CLI::App& app, Invocation& invocation);
void add_merge(CLI::App& app, Invocation& invocation);
void add_plan(CLI::App& app, Invocation& invocation);
void add_validate(CLI::App& app, Invocation& invocation);
void add_baseline(CLI::App& app, Invocation& invocation);
void add_calibrate(CLI::App& app, Invocation& invocation);
void add_gate(CLI::App& app, Invocation& invocation);
void add_analyze(CLI::App& app, Invocation& invocation);
void add_trace(CLI::App& app, Invocation& invocation);
void add_report(CLI::App& app, Invocation& invocation);
void add_verify(CLI::App& app, Invocation& invocation);
void add_apply(CLI::App& app, Invocation& invocation);
void add_rules(CLI::App& app, Invocation& invocation);
void add_history(CLI::App& app, Invocation& invocation);
void add_compare(CLI::App& app, Invocation& invocation);
void add_list(CLI::App& app, Invocation& invocation);
void add_schema(CLI::App& app, Invocation& invocation);
void add_init(CLI::App& app, Invocation& invocation);
void add_probe(CLI::App& app, Invocation& invocation);
void add_data(CLI::App& app, Invocation& invocation);
void add_doctor(CLI::App& app, Invocation& invocation);
void add_completion(CLI::App& app, Invocation& invocation);
void add_man(CLI::App& app, Invocation& invocation);
void add_help(CLI::App& app, Invocation& invocation);

}  // namespace tune::cli
