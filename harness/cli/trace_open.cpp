#include "cli/trace_open.h"

#include "base/error.h"
#include "base/units.h"
#include "base/whole_number.h"
#include "cli/flags.h"
#include "cli/interruption.h"
#include "cli/run_profiles.h"
#include "cli/show_report.h"
#include "cli/trace_telemetry.h"
#include "report/viewer/perfetto_address.h"
#include "report/viewer/trace_server.h"
#include "trace/reader/read_trace.h"
#include "trace/steps.h"

#include <CLI/App.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace tune::cli {

namespace {

// What part of a trace is wanted, as typed: --step, or --from and --to.
struct RangeWish {
  std::string step;      // "6", "6-10": numbers of ProfilerStep rows
  std::string from, to;  // times since the first row, as Perfetto shows them: "0.5" s, "120ms"

  bool wanted() const { return !step.empty() || !from.empty() || !to.empty(); }
};

using viewer::VisibleRange;

std::optional<std::int64_t> whole_number(std::string_view text) {
  const auto number = parse_whole(text);
  return number && *number >= 0 ? number : std::nullopt;
}

// "6" and "6-10".
std::pair<std::int64_t, std::int64_t> wished_steps(const std::string& text) {
  const std::size_t dash = text.find('-');
  const auto first = whole_number(std::string_view(text).substr(0, dash));
  const auto last =
      dash == std::string::npos ? first : whole_number(std::string_view(text).substr(dash + 1));
  if (!first || !last || *first > *last) {
    throw Error(Error::Parts{"--step " + text,
                             "names no step",
                             "the number of a ProfilerStep row, or the first and the last",
                             "--step 6, --step 6-10"});
  }
  return {*first, *last};
}

// Seconds without a unit, for that is what Perfetto's ruler shows.
std::int64_t wished_time(const std::string& flag, const std::string& text) {
  constexpr double kMostSeconds = 1e9;
  double seconds = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (read.ec == std::errc() && read.ptr == text.data() + text.size() && seconds >= 0 &&
      seconds <= kMostSeconds) {
    return std::llround(seconds * 1e9);
  }
  if (const auto ns = parse_time_ns(text)) {
    return *ns;
  }
  throw Error(Error::Parts{flag + " " + text,
                           "is not a time",
                           "seconds since the first row, or with a unit",
                           flag + " 0.5, " + flag + " 120ms"});
}

std::string numbers_of(const profile::Steps& steps) {
  if (!steps.are_known || steps.steps.empty()) {
    return "no row of it marks a step";
  }
  const auto number = [](const profile::Step& step) {
    return step.number ? std::to_string(*step.number) : "?";
  };
  return "it has " + number(steps.steps.front()) + " to " + number(steps.steps.back());
}

VisibleRange range_of_steps(const std::string& text, const profile::Timeline& timeline) {
  const auto [first, last] = wished_steps(text);
  const profile::Steps steps = profile::find_steps(timeline);
  const auto with_number = [&](std::int64_t wanted) -> const profile::Step& {
    const auto found =
        std::find_if(steps.steps.begin(), steps.steps.end(), [&](const profile::Step& step) {
          return step.number == wanted;
        });
    if (found == steps.steps.end()) {
      throw Error(Error::Parts{"--step " + text,
                               timeline.file + " has no step " + std::to_string(wanted),
                               numbers_of(steps),
                               ""});
    }
    return *found;
  };
  return {with_number(first).interval.begin_ns, with_number(last).interval.end_ns};
}

// Over all rows, as Perfetto takes all of a trace.
VisibleRange whole_of(const profile::Timeline& timeline) {
  VisibleRange whole{std::numeric_limits<std::int64_t>::max(),
                     std::numeric_limits<std::int64_t>::min()};
  const auto take = [&](std::int64_t begin_ns, std::int64_t end_ns) {
    whole.begin_ns = std::min(whole.begin_ns, begin_ns);
    whole.end_ns = std::max(whole.end_ns, end_ns);
  };
  for (const profile::Event& event : timeline.events) {
    take(event.start_ns, event.end_ns());
  }
  for (const profile::MemoryEvent& event : timeline.memory) {
    take(event.time_ns, event.time_ns);
  }
  return whole;
}

VisibleRange range_of_times(const RangeWish& wish, const profile::Timeline& timeline) {
  const VisibleRange whole = whole_of(timeline);
  VisibleRange range = whole;
  if (!wish.from.empty()) {
    range.begin_ns = whole.begin_ns + wished_time("--from", wish.from);
  }
  if (!wish.to.empty()) {
    range.end_ns = std::min(whole.end_ns, whole.begin_ns + wished_time("--to", wish.to));
  }
  if (range.begin_ns >= range.end_ns) {
    throw Error(Error::Parts{"--from " + wish.from,
                             timeline.file + " has ended by then",
                             "it is " + format_time(whole.end_ns - whole.begin_ns) + " long",
                             ""});
  }
  return range;
}

// Throws tune::Error for what cannot be a range, whatever the trace.
void check(const RangeWish& wish) {
  if (!wish.step.empty() && (!wish.from.empty() || !wish.to.empty())) {
    throw Error(Error::Parts{"--step " + wish.step,
                             "does not go with --from and --to",
                             "both say which part is shown",
                             "one of the two"});
  }
  if (!wish.step.empty()) {
    wished_steps(wish.step);
  }
  const std::int64_t from_ns = wish.from.empty() ? 0 : wished_time("--from", wish.from);
  if (!wish.to.empty() && wished_time("--to", wish.to) <= from_ns) {
    throw Error(Error::Parts{"--to " + wish.to,
                             "is not behind " + (wish.from.empty() ? "the begin" : wish.from),
                             "both count from the first row",
                             ""});
  }
}

// Reads the trace for it; nothing where nothing is wanted. Throws tune::Error where the trace has
// no such step, or ends before.
std::optional<VisibleRange> visible_range(const RangeWish& wish,
                                          const std::filesystem::path& trace) {
  if (!wish.wanted()) {
    return std::nullopt;
  }
  profile::ReadOptions options;
  options.with_python = true;  // the first row may be a frame
  const profile::Timeline timeline = profile::read_trace(trace, options);
  return wish.step.empty() ? range_of_times(wish, timeline) : range_of_steps(wish.step, timeline);
}

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
    throw Error(Error::Parts{"--time " + request.timeout,
                             "is not a time",
                             "a number with a unit: s, min, h",
                             "--time 10m"});
  }
  const auto address = viewer::viewer_address(request.viewer);
  if (!address) {
    throw Error(Error::Parts{"--viewer " + request.viewer,
                             "is not the address of a Perfetto UI",
                             "it begins with http:// or https://",
                             std::string("--viewer ") + viewer::kPerfetto});
  }
  if (request.port < 0 || request.port > kLastPort) {
    throw Error(Error::Parts{"--port " + std::to_string(request.port),
                             "is not a port",
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

// In a run directory the trace of a cell.
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

// A copy with counter tracks where the machine was recorded with the trace; null: as it is.
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
                    "tune trace open trace.json.gz --no-browser --time 1h"}});
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
  command.add_option("--time", request->timeout, "Longest wait for the page, default 10m")
      ->type_name("TIME");
  command.add_option("--viewer", request->viewer, "Another Perfetto UI, default ui.perfetto.dev");
  command.callback([&invocation, request] {
    request->quiet = invocation.quiet;
    invocation.run = [request] { return open_trace(*request); };
  });
}

}  // namespace tune::cli
