#include "cli/analyze_request.h"

#include "base/error.h"
#include "base/file.h"
#include "base/units.h"
#include "cli/commit.h"
#include "cli/open_run.h"
#include "cli/version.h"

#include <iostream>
#include <string_view>

namespace tune::cli {

namespace fs = std::filesystem;

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

std::string stem_of(const fs::path& trace) {
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

void write_analysis(const fs::path& directory,
                    const std::string& json,
                    const std::string& markdown) {
  std::error_code failed;
  fs::create_directories(directory, failed);
  if (failed) {
    throw Error(Error::Parts{directory.string(), "cannot be made", failed.message(), "-o DIR"});
  }
  write_file_synced(directory / "result.json", json);
  write_file_synced(directory / "report.md", markdown);
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
