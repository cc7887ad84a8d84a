#include "base/clock.h"
#include "base/error.h"
#include "base/text.h"
#include "cli/analyze_ranks.h"
#include "cli/analyze_request.h"
#include "cli/analyze_run.h"
#include "cli/analyze_trace.h"
#include "cli/commands.h"
#include "cli/flags.h"
#include "cli/standard_streams.h"
#include "cli/terminal.h"
#include "cli/trace_answer.h"
#include "report/diff_report.h"
#include "report/table_json.h"
#include "report/table_text.h"
#include "trace/metric/trace_input.h"
#include "trace/table/diff_tables.h"

#include <CLI/App.hpp>
#include <nlohmann/json.hpp>

#include <iostream>
#include <memory>
#include <unistd.h>

namespace tune::cli {

namespace {

// Its timeline is gone before the next is read.
table::TraceSide read_side(const AnalyzeRequest& request,
                           const std::string& file,
                           std::vector<std::string>& warnings) {
  const profile::Timeline timeline = read_named_trace(file, read_options(request));
  for (const std::string& warning : timeline.notes.warnings()) {
    warnings.push_back(timeline.file + ": " + warning);
  }
  const metric::TraceInput input = metric::examine(timeline);
  return table::take_side(metric::table_input(input));
}

// The first trace is before, the second after. Throws tune::Error unless two are named.
ExitCode analyze_diff(const AnalyzeRequest& request) {
  if (request.traces.size() != 2) {
    throw Error(Error::Parts{"--diff",
                             "compares two traces",
                             std::to_string(request.traces.size()) + " named",
                             "tune analyze --diff BEFORE AFTER"});
  }
  const std::int64_t start_ns = monotonic_ns();
  std::vector<std::string> warnings;
  const table::TraceSide before = read_side(request, request.traces.front(), warnings);
  const table::TraceSide after = read_side(request, request.traces.back(), warnings);
  const report::TraceComparison comparison = report::compare_sides(before, after);
  report::AnalysisRecord record = begin_record(request, stem_of(request.traces.back()) + "-diff");
  record.warnings = std::move(warnings);
  record.elapsed_ns = monotonic_ns() - start_ns;
  return show_comparison(request, comparison, record, report::diff_json(before, after, comparison));
}

// A table that was asked for by name is printed, and no file is written.
ExitCode print_table(const AnalyzeRequest& request, const std::string& trace) {
  const profile::Timeline timeline = read_named_trace(trace, read_options(request));
  const metric::TraceInput input = metric::examine(timeline);
  const table::Table table = requested_table(request.table, metric::table_input(input));
  const Terminal terminal = look_at(STDOUT_FILENO, request.color);
  if (request.as_json) {
    std::cout << report::to_json(table).dump(
                     1, ' ', false, nlohmann::ordered_json::error_handler_t::replace)
              << '\n';
  } else {
    std::cout << report::to_lines(table, terminal.is_terminal ? terminal.width : report::kAnyWidth);
  }
  return ExitCode::fine;
}

ExitCode analyze_one(const AnalyzeRequest& request, const std::string& trace) {
  return request.table.is_asked() ? print_table(request, trace) : analyze_trace(request, trace);
}

// In a folder, files that are not traces are named and left out; a single trace is not a rank.
ExitCode analyze_several(const AnalyzeRequest& request, const std::vector<TraceFile>& files) {
  const ReadRanks read = read_ranks(request, files);
  if (read.ranks.size() > 1) {
    return analyze_ranks(request, read);
  }
  std::vector<std::string> skipped;
  skipped.reserve(read.skipped.size());
  for (const report::SkippedFile& file : read.skipped) {
    skipped.push_back(report::skipped_words(file));
  }
  print_warnings(request, skipped);
  if (read.ranks.empty()) {
    throw Error(Error::Parts{
        joined(request.traces, " "),
        "holds no trace of a PyTorch profiler",
        files.empty() ? "it is empty"
                      : "files in it: " + std::to_string(files.size()) + ", none of them is one",
        "name a folder that torch.profiler's tensorboard_trace_handler wrote into"});
  }
  return analyze_one(request, read.ranks.front().file);
}

// The file that says that it is of this rank. All are read to find it, and it is read again.
ExitCode analyze_rank(const AnalyzeRequest& request, const std::vector<TraceFile>& files) {
  for (const TraceFile& file : files) {
    std::error_code failed;
    const auto kind = std::filesystem::status(file.path, failed).type();
    if (file.path == "-" || kind == std::filesystem::file_type::fifo ||
        kind == std::filesystem::file_type::character) {
      throw Error(Error::Parts{"--rank " + request.rank,
                               "needs files",
                               file.path.string() + " can be read once only",
                               "name the files"});
    }
  }
  const RankSearch search = find_rank(request, files);
  if (!search.file.empty()) {
    return analyze_one(request, search.file);
  }
  std::cerr << search.problem << '\n';
  return ExitCode::nothing_matched;
}

void refuse_what_if(const std::string& why) {
  throw Error(Error::Parts{"--what-if",
                           "is about the overview of one trace",
                           why,
                           "tune analyze TRACE --what-if 'launch=0'"});
}

void check_flags(const AnalyzeRequest& request) {
  check(request.table);
  read_options(request);  // complains about flags before any file is read
  parse_what_if(request.what_if);
  wished_rank(request.rank);
  if (!request.what_if.empty() && (request.diff || request.table.is_asked())) {
    refuse_what_if(request.diff ? "--diff compares two" : "--table prints one table");
  }
  if (request.table.is_asked() && request.diff) {
    throw Error(Error::Parts{"--table " + request.table.table,
                             "does not fit --diff",
                             "a comparison has tables of its own",
                             "leave one of them out"});
  }
  if (!request.rank.empty() && request.diff) {
    throw Error(Error::Parts{"--rank " + request.rank,
                             "does not fit --diff",
                             "that compares the two files that are named",
                             "name the traces of that rank"});
  }
}

ExitCode analyze(const AnalyzeRequest& request) {
  check_flags(request);
  if (const auto run = find_run(request.traces)) {
    return analyze_run(request, *run);
  }
  if (request.diff) {
    return analyze_diff(request);
  }
  const std::vector<TraceFile> files = find_trace_files(request.traces);
  if (!request.rank.empty()) {
    return analyze_rank(request, files);
  }
  if (files.size() == 1 && files.front().is_named) {
    return analyze_one(request, files.front().path.string());
  }
  if (request.table.is_asked() && files.size() > 1) {
    throw Error(Error::Parts{"--table " + request.table.table,
                             "is of one trace",
                             std::to_string(files.size()) + " files are named",
                             "name one file, or --rank 0"});
  }
  if (!request.what_if.empty() && files.size() > 1) {
    refuse_what_if(std::to_string(files.size()) + " files are named");
  }
  return analyze_several(request, files);
}

}  // namespace

void add_analyze(CLI::App& app, Invocation& invocation) {
  CLI::App& command = add_command(
      app,
      {"analyze",
       "Reads the trace of any PyTorch profiler (.json, .json.gz, .json.zst) and says where the "
       "time goes, and what the rules recommend. Several traces, or a folder, are the ranks of one "
       "job: who is late, who waits, how evenly they compute; with --rank one of them alone. "
       "Writes "
       "result.json, report.md and report.html into tune-runs/analyze-<name>-<UTC>, or where -o "
       "says. For a run directory of tune run it asks the rules again, from its files alone, and "
       "writes nothing unless -o names a folder.",
       {"tune analyze trace.json.gz",
        "tune analyze trace.json --json -o analysis",
        "tune analyze rank0.json.gz rank1.json.gz",
        "tune analyze --diff before.json after.json",
        "tune analyze trace.json --what-if 'launch=0' --what-if 'kernel gemm=0.5'",
        "tune analyze trace.json --table operators --group-by shape --sort count --top 20",
        "tune analyze job/ --rank 3",
        "tune analyze tune-runs/latest --rules my-rules --only my-rule",
        "zcat trace.json.gz | tune analyze -"}});
  const auto request = std::make_shared<AnalyzeRequest>();
  command
      .add_option("TRACE",
                  request->traces,
                  "Trace files, - is standard input; a folder of them; or a run directory")
      ->required();
  command.add_flag(
      "--diff",
      request->diff,
      "Compare two traces, before and after, by part of the step, operator and kernel");
  command
      .add_option("--rank", request->rank, "The one of several traces that says it is of this rank")
      ->type_name("N");
  command.add_option("-o,--output", request->output, "Folder for the reports");
  command.add_flag("-n,--dry-run", request->dry_run, "Print the answer only, write no reports");
  command.add_option("--memory",
                     request->memory,
                     "Most memory for the analysis, default 2GiB; a larger trace is analysed up to "
                     "where it fits, and the answer says so");
  command.add_flag("--python", request->with_python, "Keep Python frames (with_stack traces)");
  command.add_flag("--stacks", request->with_stacks, "Keep call stacks of operators");
  command.add_flag(
      "--json", request->as_json, "Print result.json instead of the overview, or the table");
  add_what_if_option(command, request->what_if);
  add_table_options(command, request->table);
  add_rule_options(command, request->rules);
  command.callback([&invocation, request] {
    request->words = invocation.words;
    request->quiet = invocation.quiet;
    request->verbose = invocation.verbose;
    invocation.run = [&invocation, request] {
      request->color = invocation.color;
      return analyze(*request);
    };
  });
}

}  // namespace tune::cli
