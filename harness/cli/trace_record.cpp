#include "cli/trace_record.h"

#include "base/error.h"
#include "base/text.h"
#include "cli/analyze_request.h"
#include "cli/answer.h"
#include "cli/ask_rules.h"
#include "cli/machine_lock.h"
#include "cli/observe_script.h"
#include "cli/open_run.h"
#include "cli/record_script.h"
#include "cli/script_scenario.h"
#include "cli/standard_streams.h"

#include <CLI/App.hpp>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tune::cli {

namespace {

namespace fs = std::filesystem;

struct RecordRequest {
  std::string file;
  std::vector<std::string> command;
  std::int64_t steps = 5;
  bool with_stack = false, dry_run = false, waits = false;
  CommandOptions options;
  AnalyzeRequest analyze;
};

// Long enough that the median step is one, short beside what a script takes to begin.
constexpr trial::Measure kWindow = {.warmup_steps = 3,
                                    .warmup_ns = 1'000'000'000,
                                    .slices = 3,
                                    .slice_ns = 1'000'000'000,
                                    .slice_steps = 2};

const std::vector<std::string> kCommands = {"list", "open", "export"};

void check(const RecordRequest& request) {
  constexpr std::int64_t kMostSteps = 1'000;
  if (request.file.empty() && request.command.empty()) {
    throw Error(Error::Parts{"tune trace",
                             "names nothing to record",
                             "a scenario with a script, or its command behind --; or list, open, "
                             "export",
                             "tune trace -- python train.py"});
  }
  if (!request.file.empty() && !request.command.empty()) {
    throw Error(Error::Parts{"--",
                             "does not go with a scenario",
                             "either says what is recorded",
                             "tune trace " + request.file});
  }
  if (request.steps < 1 || request.steps > kMostSteps) {
    throw Error(Error::Parts{"--steps " + std::to_string(request.steps),
                             "is out of range",
                             "1 to " + std::to_string(kMostSteps),
                             "--steps 5"});
  }
}

// A misspelt command reads as a file that does not exist.
void expect_file(const std::string& file) {
  std::error_code failed;
  const std::string command = did_you_mean(file, kCommands);
  if (!is_standard_input(file) && !command.empty() && !fs::exists(file, failed)) {
    throw Error(Error::Parts{
        "tune trace", "unknown command '" + file + "'", "see `tune trace --help`", command});
  }
}

RecordingWish wish_of_scenario(const std::string& file) {
  expect_file(file);
  const scenario::Scenario scenario = read_named_scenario(file);
  if (!scenario.workload.script.exists()) {
    throw Error(Error::Parts{file,
                             "has no script",
                             "tune trace records Python trainings; tune run records what tune "
                             "trains itself",
                             "tune run " + file + " --profile baseline"});
  }
  RecordingWish wish{.workload = scenario.workload, .knobs = scenario.baseline, .measure = kWindow};
  wish.measure.warmup_ns = std::min(kWindow.warmup_ns, scenario.measure.warmup_ns);
  wish.measure.slice_ns = std::min(kWindow.slice_ns, scenario.measure.slice_ns);
  wish.measure.slices = std::min(kWindow.slices, scenario.measure.slices);
  wish.timeout_ns = scenario.trial_timeout_ns;
  return wish;
}

RecordingWish wish_of_command(const std::vector<std::string>& command,
                              const CommandOptions& options) {
  constexpr std::int64_t kLongestNs = 1'800'000'000'000;  // some take minutes to their first step
  return {.workload = workload_of(command, options),
          .knobs = trial::default_settings(true),
          .measure = kWindow,
          .timeout_ns = kLongestNs};
}

ExitCode record(RecordRequest request) {
  check(request);
  read_rules(request.analyze.rules);  // complains before anything runs
  read_options(request.analyze);
  RecordingWish wish = request.command.empty() ? wish_of_scenario(request.file)
                                               : wish_of_command(request.command, request.options);
  wish.steps = request.steps;
  wish.with_stack = request.with_stack;
  wish.quiet = request.analyze.quiet;
  const fs::path folder =
      request.analyze.output.empty()
          ? choose_run_directory(RunRequest{}, "trace-" + scenario_name(wish.workload), utc_now())
          : fs::absolute(request.analyze.output).lexically_normal();
  if (request.dry_run) {
    std::cout << "would record " << request.steps << " steps of "
              << command_line(wish.workload.script) << " into " << typed_path(folder) << "\n";
    return ExitCode::fine;
  }
  auto lock = lock_machine(folder, request.waits);
  if (!lock) {
    return ExitCode::not_available;
  }
  Recording recording = record_script(wish, folder);
  lock.reset();
  recording.trial.script.measure_command =
      request.command.empty() ? "tune run " + typed_path(fs::path(request.file))
                              : "tune run -- " + command_line(wish.workload.script);
  request.analyze.output = folder.string();
  return analyze_trace(request.analyze, recording.trace.string(), &recording.trial);
}

}  // namespace

void add_trace_record(CLI::App& trace, Invocation& invocation) {
  const auto request = std::make_shared<RecordRequest>();
  trace.add_option("FILE", request->file, "Scenario with a script, - is standard input");
  trace
      .add_option(
          "--steps", request->steps, "Steps to record, default 5; fewer where they take 20 s")
      ->type_name("N");
  trace.add_flag("--with-stack",
                 request->with_stack,
                 "Python's calls in the trace, too; steps of many calls take longer");
  trace.add_flag("-n,--dry-run", request->dry_run, "Say what would be recorded, run nothing");
  add_wait_flag(trace, request->waits);
  add_command_options(trace, request->options);
  trace.add_option("-o,--output", request->analyze.output, "Folder for trace and reports")
      ->type_name("DIR");
  trace.add_flag("--json", request->analyze.as_json, "Print result.json instead of the overview");
  add_rules_folder(trace, request->analyze.rules);
  trace.callback([&trace, &invocation, request] {
    if (!trace.get_subcommands().empty()) {
      return;
    }
    request->command = invocation.command;
    request->analyze.words = invocation.words;
    request->analyze.quiet = invocation.quiet;
    invocation.run = [&invocation, request] {
      request->analyze.color = invocation.color;
      return record(*request);
    };
  });
}

}  // namespace tune::cli
