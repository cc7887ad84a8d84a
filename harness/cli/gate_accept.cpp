#include "cli/gate_accept.h"

#include "base/error.h"
#include "base/file.h"
#include "base/unified_diff.h"
#include "base/units.h"
#include "cli/add_command.h"
#include "cli/answer.h"
#include "cli/commands.h"
#include "cli/expect_word.h"
#include "cli/open_run.h"
#include "gate/metric.h"
#include "scenario/edit_scenario.h"

#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>
#include <string>

namespace tune::cli {

namespace {

constexpr std::int64_t kLargestScenario = 1 << 20;

struct AcceptRequest {
  std::string row, file, max, until, reason;
  bool dry_run = false;
};

scenario::AcceptedRow read_row(const AcceptRequest& request) {
  expect_word("tune gate accept", request.row, gate::all_metric_names());
  const auto ratio = parse_ratio(request.max);
  if (!ratio || *ratio <= 0 || *ratio >= 1) {
    throw Error(
        Error::Parts{"--max " + request.max, "is no share", "above 0 and below 100%", "--max 6%"});
  }
  const std::string today = utc_now().substr(0, 10);
  if (!scenario::is_date(request.until) || request.until < today) {
    throw Error(Error::Parts{"--until " + request.until,
                             "is no day to come",
                             "must read YYYY-MM-DD; today is " + today,
                             ""});
  }
  if (request.reason.find_first_not_of(' ') == std::string::npos) {
    throw Error(
        Error::Parts{"--reason", "says nothing", "whoever reviews the change wants to know", ""});
  }
  // As it will be read again.
  return {request.row, *parse_ratio(scenario::share_text(*ratio)), request.until, request.reason};
}

ExitCode accept(const AcceptRequest& request) {
  const scenario::AcceptedRow row = read_row(request);
  const std::string before = read_file(request.file, kLargestScenario);
  const std::string after = scenario::with_accepted(before, request.file, row);
  std::cout << unified_diff(before, after, short_path(request.file));
  if (request.dry_run) {
    return ExitCode::fine;
  }
  replace_file_synced(request.file, after);
  std::cerr << "written: " << quoted(request.file)
            << "; commit it with the change that it is for\n";
  return ExitCode::fine;
}

}  // namespace

void add_gate_accept(CLI::App& gate, Invocation& invocation) {
  CLI::App& command = add_command(
      gate,
      {"accept",
       "Writes into a scenario that a gated row may get worse until a day: a change that the team "
       "wants although it costs. The entry is reviewed with the change, every verdict names it, "
       "and "
       "it ends by itself. Comments and order of the file stay; the difference is printed.",
       {"tune gate accept throughput scenarios/mlp.yaml --max 6% --until 2999-01-31 --reason \"a "
        "larger model\"",
        "tune gate accept peak_memory_bytes scenarios/mlp.yaml --max 10% --until 2999-01-31 "
        "--reason \"a cache\" -n"}});
  const auto request = std::make_shared<AcceptRequest>();
  command.add_option("ROW", request->row, "throughput, epoch_time, ...")->required();
  command.add_option("FILE", request->file, "Scenario")->required();
  command.add_option("--max", request->max, "How much worse, e.g. 6%")
      ->type_name("SHARE")
      ->required();
  command.add_option("--until", request->until, "The last day, YYYY-MM-DD (UTC)")
      ->type_name("DATE")
      ->required();
  command.add_option("--reason", request->reason, "Why, for those who review it")
      ->type_name("TEXT")
      ->required();
  command.add_flag("-n,--dry-run", request->dry_run, "Print the difference only");
  command.callback(
      [&invocation, request] { invocation.run = [request] { return accept(*request); }; });
}

}  // namespace tune::cli
