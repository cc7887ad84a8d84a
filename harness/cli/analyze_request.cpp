#include "cli/analyze_request.h"

#include "base/error.h"
#include "base/file.h"
#include "base/units.h"
#include "cli/commit.h"
#include "cli/open_run.h"
#include "cli/standard_input.h"
#include "cli/version.h"

#include <iostream>
#include <string_view>

namespace tune::cli {

namespace fs = std::filesystem;

namespace {

// Of the memory for all of it what rows may take. The program, its buffers and the text at hand
// need the first part; what is made of the rows (nesting, launches, intervals, tables) up to as
// much again as they do: tests/bench/README.md.
constexpr std::int64_t kBesideRows = 24 << 20;
constexpr double kShareOfRows = 0.45;
constexpr const char* kUsualMemory = "2GiB";

std::int64_t for_rows(std::int64_t bytes) {
  return static_cast<std::int64_t>(static_cast<double>(bytes - kBesideRows) * kShareOfRows);
}

}  // namespace

profile::ReadOptions read_options(const AnalyzeRequest& request) {
  profile::ReadOptions options;
  options.with_python = request.with_python;
  options.with_call_stacks = request.with_stacks;
  keep_what_is_needed(request.table, options);
  constexpr std::int64_t kLeast = 64 << 20;
  const auto bytes = parse_bytes(request.memory.empty() ? kUsualMemory : request.memory);
  if (!bytes || *bytes < kLeast) {
    throw Error(Error::Parts{"--memory " + request.memory,
                             bytes ? "is too little" : "is no size",
                             "at least 64MiB, with a unit: B, KB, MB, GB, KiB, MiB, GiB",
                             "--memory 2GiB"});
  }
  options.memory_limit_bytes = for_rows(*bytes);
  return options;
}

std::string stem_of(const fs::path& trace) {
  if (is_standard_input(trace)) {
    return "standard-input";
  }
  std::string name = trace.filename().string();
  for (const std::string_view ending : {".gz", ".zst", ".json", ".trace", ".pt"}) {
    if (name.ends_with(ending) && name.size() > ending.size()) {
      name.resize(name.size() - ending.size());
    }
  }
  return name;
}

report::AnalysisRecord begin_record(const AnalyzeRequest& request, const std::string& name) {
  report::AnalysisRecord record;
  record.started_utc = utc_now();
  record.tune_version = version();
  record.commit = commit();
  record.command = request.words;
  const fs::path directory =
      request.output.empty()
          ? choose_run_directory(RunRequest{}, "analyze-" + name, record.started_utc)
          : fs::absolute(request.output).lexically_normal();
  record.directory = directory.string();
  return record;
}

void write_analysis(const fs::path& directory, const AnalysisFiles& files) {
  std::error_code failed;
  fs::create_directories(directory, failed);
  if (failed) {
    throw Error(Error::Parts{directory.string(), "cannot be made", failed.message(), "-o DIR"});
  }
  write_file_synced(directory / "result.json", files.json);
  write_file_synced(directory / "report.md", files.markdown);
  write_file_synced(directory / "report.html", files.html);
}

void print_warnings(const AnalyzeRequest& request, const std::vector<std::string>& warnings) {
  if (request.quiet) {
    return;
  }
  for (const std::string& warning : warnings) {
    std::cerr << warning << '\n';
  }
}

}  // namespace tune::cli
