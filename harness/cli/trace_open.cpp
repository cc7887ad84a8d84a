#include "cli/trace_open.h"

#include "base/error.h"
#include "base/units.h"
#include "cli/add_command.h"
#include "cli/browser.h"
#include "cli/interruption.h"
#include "cli/recorded_trace.h"
#include "cli/trace_range.h"
#include "cli/trace_telemetry.h"
#include "viewer/trace_server.h"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>

namespace tune::cli {

namespace {

using viewer::Ending;

constexpr std::int64_t kNsPerSecond = 1'000'000'000;

struct OpenRequest {
  std::string trace, cell, timeout = "10m", viewer = viewer::kPerfetto;
  RangeWish range;
  int port = viewer::kPerfettoPort;
  bool no_browser = false, no_telemetry = false, quiet = false;
};

viewer::ShowSettings settings_of(const OpenRequest& request) {
  constexpr int kLastPort = 65535;
  const auto limit_ns = parse_time_ns(request.timeout);
  if (!limit_ns) {
    throw Error(Error::Parts{"--timeout " + request.timeout,
                             "is no time",
                             "a number with a unit: s, min, h",
                             "--timeout 10m"});
  }
  const auto address = viewer::viewer_address(request.viewer);
  if (!address) {
    throw Error(Error::Parts{"--viewer " + request.viewer,
                             "is no address of a Perfetto UI",
                             "it begins with http:// or https://",
                             std::string("--viewer ") + viewer::kPerfetto});
  }
  if (request.port < 0 || request.port > kLastPort) {
    throw Error(Error::Parts{"--port " + std::to_string(request.port),
                             "is no port",
                             "1 to 65535; 0 is any that is free",
                             "--port 9001"});
  }
  return {.viewer = *address,
          .port = request.port,
          .patience = {.limit_ns = *limit_ns, .linger_ns = 2 * kNsPerSecond}};
}

// The address is the result; how to get there are messages.
void bring_there(const OpenRequest& request, const std::string& address, int port) {
  std::cout << address << '\n' << std::flush;
  const std::string why = request.no_browser ? "--no-browser" : open_in_browser(address);
  if (request.quiet) {
    return;
  }
  if (!why.empty()) {
    std::cerr << "no browser was opened (" << why
              << "): open the address on this machine, or elsewhere after  ssh -L "
              << viewer::kPerfettoPort << ":127.0.0.1:" << port << " <this machine>\n";
  }
  const bool is_perfettos = request.viewer == viewer::kPerfetto;
  if (is_perfettos && port != viewer::kPerfettoPort) {
    std::cerr << "ui.perfetto.dev itself fetches from port " << viewer::kPerfettoPort
              << " only: forward that one, or name a Perfetto of your own with --viewer\n";
  }
  std::cerr << "the page may ask whether it may reach this machine: it has to; ends once it has "
               "the trace, or after "
            << request.timeout << "; Ctrl-C ends it now\n";
}

ExitCode no_port(const OpenRequest& request, const std::string& why) {
  std::cerr << to_sentence({"127.0.0.1:" + std::to_string(request.port),
                            "cannot be listened on",
                            why,
                            "end what listens there (another `tune trace open`, or Perfetto's "
                            "trace_processor), or --port N"})
            << '\n';
  return ExitCode::not_available;
}

// Of a run directory the trace of a cell.
void choose_trace(OpenRequest& request) {
  if (is_run_directory(request.trace)) {
    const std::string cell = request.cell.empty() ? "baseline" : request.cell;
    request.trace = recorded_trace(request.trace, cell).string();
  } else if (!request.cell.empty()) {
    throw Error(Error::Parts{"--cell " + request.cell,
                             "is about a run directory",
                             request.trace + " is none",
                             "tune trace open tune-runs/latest --cell " + request.cell});
  }
}

// A copy with counter tracks where the machine was recorded beside the trace; null: as it is.
std::unique_ptr<const TraceWithCounters> with_counters(const OpenRequest& request) {
  if (request.no_telemetry) {
    return nullptr;
  }
  TraceCounters counters = counters_of(request.trace);
  std::unique_ptr<const TraceWithCounters> copy;
  try {
    if (!counters.rows.empty()) {
      copy = std::make_unique<const TraceWithCounters>(request.trace, counters.rows);
    }
  } catch (const Error& error) {
    counters.reason = error.what();
  }
  if (!request.quiet && !counters.reason.empty()) {
    std::cerr << request.trace << ": shown without the machine's telemetry: " << counters.reason
              << '\n';
  }
  return copy;
}

ExitCode open_trace(OpenRequest request) {
  viewer::ShowSettings settings = settings_of(request);
  check(request.range);
  choose_trace(request);
  settings.visible = visible_range(request.range, request.trace);
  const Interruption interruption;
  const auto copy = with_counters(request);
  const viewer::Shown shown = viewer::serve_trace(
      copy ? copy->file() : std::filesystem::path(request.trace),
      settings,
      [&request](const std::string& address, int port) { bring_there(request, address, port); },
      interruption.level());
  if (shown.ending == Ending::no_port) {
    return no_port(request, shown.trouble);
  }
  if (!shown.trouble.empty()) {
    std::cerr << request.trace << ": " << shown.trouble << '\n';
  }
  if (shown.ending == Ending::timed_out) {
    std::cerr << request.trace << ": was not fetched within " << request.timeout
              << "; Perfetto, speedscope and chrome://tracing open the file itself, too\n";
    return ExitCode::partial;
  }
  return shown.ending == Ending::fetched ? ExitCode::fine : interruption.exit_code();
}

}  // namespace

void add_trace_open(CLI::App& trace, Invocation& invocation) {
  CLI::App& command =
      add_command(trace,
                  {"open",
                   "Shows a trace in Perfetto (ui.perfetto.dev), which fetches it from this "
                   "machine: nothing is uploaded. Serves this one file on 127.0.0.1, read-only, "
                   "until it was fetched. Of a run directory it takes the trace that the report of "
                   "the run shows of a cell.",
                   {"tune trace open trace.json.gz",
                    "tune trace open tune-runs/latest --cell c07 --step 6-10",
                    "tune trace open trace.json.gz --from 0.5 --to 0.7",
                    "tune trace open trace.json.gz --no-browser --timeout 1h"}});
  const auto request = std::make_shared<OpenRequest>();
  command.add_option("FILE", request->trace, "Trace file: plain, gzip or zstd; or a run directory")
      ->required();
  command.add_option("--cell", request->cell, "Of a run directory: baseline (the default), c07")
      ->type_name("CELL");
  command.add_option("--step", request->range.step, "Show this step, or these: 6, 6-10")
      ->type_name("N");
  command
      .add_option("--from", request->range.from, "Show from here on: seconds since the first row")
      ->type_name("TIME");
  command.add_option("--to", request->range.to, "Show up to here")->type_name("TIME");
  command.add_flag("--no-browser", request->no_browser, "Only print the address");
  command.add_flag("--no-telemetry",
                   request->no_telemetry,
                   "Without counter tracks of the machine, which a run's trace gets");
  command.add_option("--port",
                     request->port,
                     "Port on 127.0.0.1, default 9001: the only one from which ui.perfetto.dev "
                     "may fetch; 0: any that is free");
  command.add_option("--timeout", request->timeout, "Longest wait for the page, default 10m");
  command.add_option("--viewer", request->viewer, "Another Perfetto UI, default ui.perfetto.dev");
  command.callback([&invocation, request] {
    request->quiet = invocation.quiet;
    invocation.run = [request] { return open_trace(*request); };
  });
}

}  // namespace tune::cli
