#include "base/error.h"
#include "base/file.h"
#include "cli/add_command.h"
#include "cli/commands.h"
#include "cli/tensorboard_copy.h"
#include "cli/trace_list.h"
#include "cli/trace_open.h"
#include "cli/trace_telemetry.h"
#include "metric/trace_input.h"
#include "profile/reader/read_trace.h"
#include "table/folded_stacks.h"

#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>

namespace tune::cli {

namespace {

struct ExportRequest {
  std::string trace, output, tensorboard;
  bool folded = false, device = false, telemetry = false, quiet = false;
};

void check(const ExportRequest& request) {
  const int formats = static_cast<int>(request.folded) + static_cast<int>(request.telemetry) +
                      static_cast<int>(!request.tensorboard.empty());
  if (formats != 1) {
    throw Error(
        Error::Parts{"tune trace export",
                     formats > 1 ? "more than one format is asked for" : "a format is missing",
                     "--folded, --tensorboard DIR or --telemetry",
                     "tune trace export trace.json --folded"});
  }
  if (!request.folded && request.device) {
    throw Error(Error::Parts{
        "--device", "says nothing without --folded", "it is about folded stacks", "--folded"});
  }
  if (request.telemetry && request.output.empty()) {
    throw Error(
        Error::Parts{"--telemetry", "needs a file", "it is written unpacked", "-o trace.json"});
  }
  if (!request.tensorboard.empty() && !request.output.empty()) {
    throw Error(Error::Parts{
        "-o", "says nothing with --tensorboard", "the name follows from the trace", "--folded"});
  }
}

std::string folded_stacks(const profile::Timeline& timeline, bool device) {
  const metric::TraceInput input = metric::examine(timeline);
  const table::TableInput nested = metric::table_input(input);
  std::string stacks =
      device ? table::folded_device_stacks(nested) : table::folded_host_stacks(nested);
  if (stacks.empty()) {
    throw Error(Error::Parts{
        timeline.file,
        device ? "has no device work to draw" : "has no row of the host to draw",
        device ? "no kernel or copy was recorded" : "no operator, annotation or call was recorded",
        device ? "without --device" : "--device"});
  }
  return stacks;
}

ExitCode export_with_telemetry(const ExportRequest& request) {
  const TraceCounters counters = counters_of(request.trace);
  if (counters.rows.empty()) {
    throw Error(Error::Parts{
        request.trace,
        "has no telemetry to add",
        counters.reason.empty() ? "there is no telemetry.json beside it" : counters.reason,
        "the trace.json.gz of a trial of `tune run`"});
  }
  write_with_counters(request.trace, counters.rows, request.output);
  std::cout << request.output << '\n';
  return ExitCode::fine;
}

ExitCode export_trace(const ExportRequest& request) {
  check(request);
  if (request.telemetry) {
    return export_with_telemetry(request);
  }
  const profile::Timeline timeline = profile::read_trace(request.trace);
  if (!request.folded) {
    std::cout << copy_for_tensorboard(timeline, request.tensorboard).string() << '\n';
  } else if (request.output.empty()) {
    std::cout << folded_stacks(timeline, request.device);
  } else {
    write_file_synced(request.output, folded_stacks(timeline, request.device));
  }
  if (!request.quiet) {
    for (const std::string& warning : timeline.notes.warnings()) {
      std::cerr << timeline.file << ": " << warning << '\n';
    }
  }
  return ExitCode::fine;
}

void add_export(CLI::App& trace, Invocation& invocation) {
  CLI::App& command = add_command(
      trace,
      {"export",
       "Writes a trace for other programs: folded stacks for flame graphs (self time in us), or a "
       "copy that TensorBoard's profiler plugin finds, or with counter tracks of the machine.",
       {"tune trace export trace.json.gz --folded > trace.folded",
        "tune trace export trace.json.gz --folded --device -o kernels.folded",
        "tune trace export trace.json.gz --tensorboard logs",
        "tune trace export run/trials/r1-baseline/trace.json.gz --telemetry -o trace.json"}});
  const auto request = std::make_shared<ExportRequest>();
  command.add_option("FILE", request->trace, "Trace file")->required();
  command.add_flag("--folded", request->folded, "Folded stacks of the host's rows");
  command.add_flag("--device", request->device, "Folded stacks of device work instead");
  command.add_option("--tensorboard", request->tensorboard, "Folder for TensorBoard (--logdir)");
  command.add_flag("--telemetry",
                   request->telemetry,
                   "A run's trace with what the machine did meanwhile as counter tracks");
  command.add_option(
      "-o,--output", request->output, "File; of folded stacks the default is standard output");
  command.callback([&invocation, request] {
    request->quiet = invocation.quiet;
    invocation.run = [request] { return export_trace(*request); };
  });
}

}  // namespace

void add_trace(CLI::App& app, Invocation& invocation) {
  CLI::App& trace =
      add_command(app,
                  {"trace",
                   "Traces of a run, and traces for other programs: list, open, export.",
                   {"tune trace open trace.json.gz",
                    "tune trace export trace.json.gz --folded > trace.folded",
                    "tune trace export trace.json.gz --tensorboard logs",
                    "tune trace list tune-runs/latest"}});
  // Not require_subcommand(): it would answer a misspelt command with "required".
  trace.callback([&trace, &invocation] {
    if (trace.get_subcommands().empty()) {
      invocation.run = []() -> ExitCode {
        throw Error(Error::Parts{
            "tune trace", "a command is missing", "list, open, export", "tune trace open --help"});
      };
    }
  });
  add_trace_list(trace, invocation);
  add_trace_open(trace, invocation);
  add_export(trace, invocation);
}

}  // namespace tune::cli
