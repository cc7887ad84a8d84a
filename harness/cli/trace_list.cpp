#include "cli/trace_list.h"

#include "base/error.h"
#include "base/file.h"
#include "base/units.h"
#include "campaign/ledger.h"
#include "cli/add_command.h"
#include "cli/answer.h"
#include "cli/listing.h"
#include "trial/trial_reply.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
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
  std::int64_t bytes = 0;  ///< as it lies there
  fs::path file;           ///< empty where there is none
  std::string problem;     ///< why
};

// A reply is a file: its word on where the trace is may not lead out of the trial's folder.
bool is_plain_name(const std::string& file) {
  return !file.empty() && file.find('/') == std::string::npos && !file.starts_with('.');
}

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
    if (!is_plain_name(reply.profile->file)) {
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
    std::cout << (request.as_plain ? listing_rows(list) : listing_table(list));
  }
  if (traces.empty()) {
    std::cerr << "no trial " << (request.cell.empty() ? "" : "of cell " + request.cell + " ")
              << "of " << request.run << " recorded steps (tune run --profile all records all)\n";
    return ExitCode::nothing_matched;
  }
  return ExitCode::fine;
}

}  // namespace

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

}  // namespace tune::cli
