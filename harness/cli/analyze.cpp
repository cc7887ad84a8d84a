#include "base/error.h"
#include "base/file.h"
#include "base/monotonic_clock.h"
#include "base/units.h"
#include "cli/add_command.h"
#include "cli/commands.h"
#include "cli/commit.h"
#include "cli/open_run.h"
#include "cli/table_request.h"
#include "cli/terminal.h"
#include "cli/trace_answer.h"
#include "cli/version.h"
#include "metric/trace_metrics.h"
#include "profile/reader/read_trace.h"
#include "report/table_json.h"
#include "report/table_text.h"
#include "report/trace_json.h"
#include "report/trace_markdown.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <iostream>
#include <memory>
#include <unistd.h>

namespace tune::cli {

namespace {

namespace fs = std::filesystem;

struct AnalyzeRequest {
  std::string trace, output, memory;
  bool with_python = false;
  bool with_stacks = false;
  bool as_json = false;
  bool quiet = false;
  TableRequest table;
  std::vector<std::string> words;
};

profile::ReadOptions read_options(const AnalyzeRequest& request) {
  profile::ReadOptions options;
  options.with_python = request.with_python;
  options.with_call_stacks = request.with_stacks;
  keep_what_is_needed(request.table, options);
  if (!request.memory.empty()) {
    constexpr std::int64_t kLeast = 16 << 20;
    const auto bytes = parse_bytes(request.memory);
    if (!bytes || *bytes < kLeast) {
      throw Error(Error::Parts{"--memory " + request.memory,
                               bytes ? "is too little" : "is no size",
                               "at least 16MiB, with a unit: B, KB, MB, GB, KiB, MiB, GiB",
                               "--memory 2GiB"});
    }
    options.memory_limit_bytes = *bytes;
  }
  return options;
}

// The file's name without what tells its format, for the folder of its reports.
std::string stem_of(const fs::path& trace) {
  std::string name = trace.filename().string();
  for (const std::string_view ending : {".gz", ".zst", ".json", ".trace", ".pt"}) {
    if (name.ends_with(ending) && name.size() > ending.size()) {
      name.resize(name.size() - ending.size());
    }
  }
  return name;
}

// Reports of an earlier analysis may be replaced; anything else in a folder is left alone.
fs::path choose_directory(const AnalyzeRequest& request, const std::string& utc) {
  if (!request.output.empty()) {
    return fs::absolute(request.output).lexically_normal();
  }
  return choose_run_directory(RunRequest{}, "analyze-" + stem_of(request.trace), utc);
}

void write_reports(const report::TraceAnalysis& analysis, const fs::path& directory) {
  std::error_code failed;
  fs::create_directories(directory, failed);
  if (failed) {
    throw Error(Error::Parts{directory.string(), "cannot be made", failed.message(), "-o DIR"});
  }
  write_file_synced(directory / "result.json", report::to_trace_json(analysis));
  write_file_synced(directory / "report.md", report::to_trace_markdown(analysis));
}

table::TableInput table_input(const metric::TraceInput& input) {
  return {input.timeline,
          input.partition,
          input.launches,
          input.runtime,
          input.tree,
          input.issuing_row};
}

// Of a table that was asked for by name nothing is written into files.
ExitCode print_table(const AnalyzeRequest& request) {
  const profile::Timeline timeline = profile::read_trace(request.trace, read_options(request));
  const metric::TraceInput input = metric::examine(timeline);
  const table::Table table = requested_table(request.table, table_input(input));
  const Terminal terminal = look_at(STDOUT_FILENO, ColorWish::automatic);
  if (request.as_json) {
    std::cout << report::to_json(table).dump(
                     1, ' ', false, nlohmann::ordered_json::error_handler_t::replace)
              << '\n';
  } else {
    std::cout << report::to_lines(table, terminal.is_terminal ? terminal.width : report::kAnyWidth);
  }
  return ExitCode::fine;
}

ExitCode analyze(const AnalyzeRequest& request) {
  check(request.table);
  if (request.table.is_asked()) {
    return print_table(request);
  }
  const std::string utc = utc_now();
  const profile::ReadOptions options = read_options(request);
  const std::int64_t start_ns = monotonic_ns();
  const profile::Timeline timeline = profile::read_trace(request.trace, options);
  const std::int64_t read_ns = monotonic_ns();
  const metric::TraceInput input = metric::examine(timeline);
  report::TraceAnalysis analysis{.input = input,
                                 .metrics = metric::trace_metrics(input),
                                 .tables = table::all_tables(table_input(input))};
  analysis.read_ns = read_ns - start_ns;
  analysis.examine_ns = monotonic_ns() - read_ns;
  analysis.tune_version = version();
  analysis.commit = commit();
  analysis.command = request.words;
  analysis.started_utc = utc;
  const fs::path directory = choose_directory(request, utc);
  analysis.directory = directory.string();
  write_reports(analysis, directory);
  if (request.as_json) {
    std::cout << report::to_trace_json(analysis);
  } else {
    std::cout << trace_answer(analysis, look_at(STDOUT_FILENO, ColorWish::automatic));
  }
  if (!request.quiet) {
    for (const std::string& warning : timeline.notes.warnings()) {
      std::cerr << request.trace << ": " << warning << '\n';
    }
  }
  return ExitCode::fine;
}

}  // namespace

void add_analyze(CLI::App& app, Invocation& invocation) {
  CLI::App& command = add_command(
      app,
      {"analyze",
       "Reads the trace of any PyTorch profiler (.json, .json.gz, .json.zst) and says where the "
       "time "
       "goes. Writes result.json and report.md into tune-runs/analyze-<name>-<UTC>, or where -o "
       "says.",
       {"tune analyze trace.json.gz",
        "tune analyze trace.json --json -o analysis",
        "tune analyze trace.json --table operators --group-by shape --sort self_cpu_time_total "
        "--top 20"}});
  const auto request = std::make_shared<AnalyzeRequest>();
  command.add_option("TRACE", request->trace, "Trace file")->required();
  command.add_option("-o,--output", request->output, "Folder for the reports");
  command.add_option("--memory",
                     request->memory,
                     "Most memory for the rows, default 2GiB; of a larger trace the beginning is "
                     "analysed, and the answer says so");
  command.add_flag("--python", request->with_python, "Keep Python frames (with_stack traces)");
  command.add_flag("--stacks", request->with_stacks, "Keep call stacks of operators");
  command.add_flag(
      "--json", request->as_json, "Print result.json instead of the overview, or the table");
  add_table_options(command, request->table);
  command.callback([&invocation, request] {
    request->words = invocation.words;
    request->quiet = invocation.quiet;
    invocation.run = [request] { return analyze(*request); };
  });
}

}  // namespace tune::cli
