#include "base/error.h"
#include "base/file.h"
#include "base/units.h"
#include "cli/analyze_request.h"
#include "cli/answer.h"
#include "cli/commands.h"
#include "cli/flags.h"
#include "cli/list.h"
#include "cli/terminal.h"
#include "cli/trace_open.h"
#include "cli/trace_record.h"
#include "cli/trace_telemetry.h"
#include "measure/campaign/ledger.h"
#include "measure/campaign/profiled_cell.h"
#include "trace/metric/trace_input.h"
#include "trace/reader/byte_source.h"
#include "trace/reader/read_trace.h"
#include "trace/table/folded_stacks.h"
#include "trace/timeline.h"
#include "trial/trial_reply.h"

#include <CLI/App.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace tune::cli {

namespace {

namespace fs = std::filesystem;

using Json = nlohmann::ordered_json;

struct TraceListRequest {
  std::string run, cell;
  bool as_json = false, as_plain = false;
};

struct RecordedTrace {
  std::string cell, trial;
  std::size_t steps = 0;
  std::int64_t bytes = 0;  ///< on disk
  fs::path file;           ///< empty where there is none
  std::string problem;     ///< why
};

// A reply is a file: its word on where the trace is may not lead out of the trial's folder.
// Nothing for a trial that was not asked to record.
std::optional<RecordedTrace> trace_of(const campaign::LoggedTrial& trial, const fs::path& run) {
  const fs::path reply_file = run / trial.reply;
  RecordedTrace trace{.cell = trial.cell, .trial = trial.id};
  try {
    const trial::TrialReply reply =
        trial::parse_trial_reply(read_file(reply_file), reply_file.string());
    if (!reply.profile) {
      return std::nullopt;
    }
    trace.steps = reply.profile->step_ns.size();
    trace.problem = reply.profile->reason;
    if (!campaign::is_plain_name(reply.profile->file)) {
      trace.problem = trace.problem.empty() ? "the worker names no trace" : trace.problem;
      return trace;
    }
    trace.file = reply_file.parent_path() / reply.profile->file;
  } catch (const Error& error) {
    trace.problem = error.what();
    return trace;
  }
  std::error_code failed;
  const auto bytes = fs::file_size(trace.file, failed);
  if (failed) {
    trace.problem = trace.file.string() + ": " + failed.message();
    trace.file.clear();
  } else {
    trace.bytes = static_cast<std::int64_t>(bytes);
  }
  return trace;
}

std::vector<RecordedTrace> recorded_traces(const TraceListRequest& request) {
  std::vector<RecordedTrace> traces;
  for (const campaign::LoggedTrial& trial : campaign::read_ledger(request.run).trials) {
    if (trial.reply.empty() || (!request.cell.empty() && trial.cell != request.cell)) {
      continue;
    }
    if (auto trace = trace_of(trial, request.run)) {
      traces.push_back(std::move(*trace));
    }
  }
  return traces;
}

Json text_or_nothing(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

Json in_full(const RecordedTrace& trace) {
  return {{"cell", trace.cell},
          {"trial", trace.trial},
          {"steps", trace.steps},
          {"bytes", trace.bytes},
          {"path", text_or_nothing(trace.file.string())},
          {"problem", text_or_nothing(trace.problem)}};
}

// For people: one column for the path, or for why there is none.
Json shown(const RecordedTrace& trace) {
  return {{"cell", trace.cell},
          {"trial", trace.trial},
          {"steps", trace.steps},
          {"size", trace.file.empty() ? "-" : format_bytes(trace.bytes)},
          {"trace", trace.file.empty() ? "none: " + trace.problem : short_path(trace.file)}};
}

ExitCode list_traces(const TraceListRequest& request) {
  const std::vector<RecordedTrace> traces = recorded_traces(request);
  Json list = Json::array();
  const bool for_people = !request.as_json && !request.as_plain;
  for (const RecordedTrace& trace : traces) {
    list.push_back(for_people ? shown(trace) : in_full(trace));
  }
  if (request.as_json) {
    std::cout << Json{{"traces", list}}.dump(1, ' ', false, Json::error_handler_t::replace) << '\n';
  } else {
    std::cout << (request.as_plain
                      ? listing_rows(list)
                      : listing_table(list, look_at(STDOUT_FILENO, ColorWish::never).width));
  }
  if (traces.empty()) {
    std::cerr << "no trial " << (request.cell.empty() ? "" : "of cell " + request.cell + " ")
              << "of " << request.run << " recorded steps (tune run --profile all records all)\n";
    return ExitCode::nothing_matched;
  }
  return ExitCode::fine;
}

// `tune trace list`: the traces that the trials of a run recorded.
void add_trace_list(CLI::App& trace, Invocation& invocation) {
  CLI::App& command = add_command(
      trace,
      {"list",
       "Lists the traces that the trials of a run recorded, in the order measured.",
       {"tune trace list tune-runs/latest", "tune trace list tune-runs/latest --cell baseline"}});
  const auto request = std::make_shared<TraceListRequest>();
  command.add_option("RUN", request->run, "Run directory")->required();
  command.add_option("--cell", request->cell, "Only those of this cell: baseline, c07");
  CLI::Option* const json = command.add_flag("--json", request->as_json, "One JSON document");
  command
      .add_flag("--plain",
                request->as_plain,
                "Tab-separated: cell, trial, steps, bytes, path, why there is none")
      ->excludes(json);
  command.callback(
      [&invocation, request] { invocation.run = [request] { return list_traces(*request); }; });
}

constexpr std::string_view kEnding = ".pt.trace.json";

// "<worker>.<digits>.pt.trace.json", with or without .gz.
bool is_tensorboard_name(std::string_view name) {
  if (name.ends_with(".gz")) {
    name.remove_suffix(3);
  }
  if (!name.ends_with(kEnding)) {
    return false;
  }
  name.remove_suffix(kEnding.size());
  const std::size_t dot = name.rfind('.');
  const std::string_view digits = dot == std::string_view::npos ? "" : name.substr(dot + 1);
  return dot > 0 && !digits.empty() && std::all_of(digits.begin(), digits.end(), [](char c) {
           return std::isdigit(static_cast<unsigned char>(c)) != 0;
         });
}

// A packed file keeps its bytes.
std::unique_ptr<profile::ByteSource> bytes_of(const profile::Timeline& timeline) {
  return timeline.cost.compression == "zstd" ? profile::open_trace_text(timeline.file)
                                             : profile::open_file(timeline.file);
}

void copy_bytes(profile::ByteSource& source, const fs::path& target) {
  std::ofstream file(target, std::ios::binary);
  std::array<char, 1 << 16> block{};
  for (std::size_t size = 0; file && (size = source.read(block.data(), block.size())) > 0;) {
    file.write(block.data(), static_cast<std::streamsize>(size));
  }
  file.close();
  if (!file) {
    const std::string why = std::strerror(errno);
    std::error_code ignored;
    fs::remove(target, ignored);
    throw Error(Error::Parts{target.string(), "cannot be written", why, ""});
  }
}

// Name of the trace as torch.profiler.tensorboard_trace_handler writes it, by which TensorBoard's
// profiler plugin finds it: `<worker>.<ns>.pt.trace.json`, with .gz when it is packed so. A file
// that is called so already keeps its name; else the worker is the file's name without its
// endings, and ns is when the trace begins, or 0 where it does not say.
std::string tensorboard_name(const profile::Timeline& timeline) {
  std::string name = fs::path(timeline.file).filename().string();
  const bool is_gzip = timeline.cost.compression == "gzip";
  if (is_tensorboard_name(name) && name.ends_with(".gz") == is_gzip) {
    return name;
  }
  std::string worker = stem_of(name);
  std::replace(worker.begin(), worker.end(), '.', '_');
  const std::int64_t first_ns = timeline.events.empty() ? 0 : timeline.events.front().start_ns;
  const std::int64_t begin_ns = std::max<std::int64_t>(0, timeline.base_time_ns + first_ns);
  std::string copy = worker + "." + std::to_string(begin_ns);
  copy += kEnding;
  copy += is_gzip ? ".gz" : "";
  return copy;
}

// Puts a copy of the trace into the folder, which is made where it is missing; zstd is unpacked,
// because the plugin knows gzip and plain text only. Returns the path. Throws tune::Error, also
// where a file of that name exists.
fs::path copy_for_tensorboard(const profile::Timeline& timeline, const fs::path& directory) {
  make_folders(directory);
  std::error_code failed;
  fs::path target = directory / tensorboard_name(timeline);
  if (fs::exists(target, failed)) {
    throw Error(
        Error::Parts{target.string(), "exists already", "it is not replaced", "another folder"});
  }
  fs::path part = target;  // TensorBoard must not see half a file
  part += ".part";
  copy_bytes(*bytes_of(timeline), part);
  fs::rename(part, target, failed);
  if (failed) {
    throw Error(Error::Parts{target.string(), "cannot be written", failed.message(), ""});
  }
  return target;
}

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
    throw Error(
        Error::Parts{request.trace,
                     "has no telemetry to add",
                     counters.reason.empty() ? "its folder has no telemetry.json" : counters.reason,
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
                   "Records a few steps of a Python training as it is, with torch.profiler, and "
                   "says where their time goes and what the rules recommend, as tune analyze "
                   "does. Its subcommands list, open and export the traces of a run, or any "
                   "trace.",
                   {"tune trace -- python train.py",
                    "tune trace mine.yaml --steps 3 -o traced",
                    "tune trace open trace.json.gz",
                    "tune trace export trace.json.gz --folded > trace.folded",
                    "tune trace list tune-runs/latest"}});
  add_trace_record(trace, invocation);
  add_trace_list(trace, invocation);
  add_trace_open(trace, invocation);
  add_export(trace, invocation);
}

}  // namespace tune::cli
