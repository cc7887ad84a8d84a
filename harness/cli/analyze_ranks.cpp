#include "cli/analyze_ranks.h"

#include "base/error.h"
#include "base/monotonic_clock.h"
#include "cli/show_comparison.h"
#include "metric/trace_input.h"
#include "profile/reader/read_trace.h"
#include "report/trace_comparison.h"

#include <nlohmann/json.hpp>

#include <filesystem>

namespace tune::cli {

namespace {

namespace fs = std::filesystem;

// "job" of `tune analyze job/`, "rank0-ranks" of files.
std::string name_of(const AnalyzeRequest& request) {
  const fs::path first = fs::absolute(request.traces.front()).lexically_normal();
  std::error_code unknown;
  if (request.traces.size() == 1 && fs::is_directory(first, unknown)) {
    return (first.has_filename() ? first : first.parent_path()).filename().string();
  }
  return stem_of(first) + "-ranks";
}

}  // namespace

ReadRanks read_ranks(const AnalyzeRequest& request, const std::vector<TraceFile>& files) {
  const profile::ReadOptions options = read_options(request);
  const std::int64_t start_ns = monotonic_ns();
  ReadRanks read;
  for (const TraceFile& file : files) {
    try {
      const profile::Timeline timeline = profile::read_trace(file.path, options);
      read.ranks.push_back(rank::summarise_rank(metric::examine(timeline)));
      for (const std::string& warning : timeline.notes.warnings()) {
        read.warnings.push_back(timeline.file + ": " + warning);
      }
    } catch (const Error& error) {
      if (file.is_named) {
        throw;
      }
      read.skipped.push_back({file.path.string(), error.what()});
    }
  }
  rank::order_ranks(read.ranks);
  read.elapsed_ns = monotonic_ns() - start_ns;
  return read;
}

ExitCode analyze_ranks(const AnalyzeRequest& request, const ReadRanks& read) {
  const report::TraceComparison comparison = report::compare_ranks(read.ranks, read.skipped);
  report::AnalysisRecord record = begin_record(request, name_of(request));
  record.warnings = read.warnings;
  record.elapsed_ns = read.elapsed_ns;
  return show_comparison(
      request, comparison, record, report::ranks_json(read.ranks, comparison, read.skipped));
}

}  // namespace tune::cli
