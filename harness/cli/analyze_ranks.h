#pragma once

#include "advice/rule/fact_table.h"
#include "base/error.h"
#include "cli/analyze_request.h"
#include "report/ranks_report.h"
#include "trace/rank/rank_summary.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tune::cli {

/// A file that may be a trace.
struct TraceFile {
  std::filesystem::path path;
  bool is_named = true;  ///< by the user; false: it is in a folder that was
};

/// What the words name: files as they are, of a directory all files in it (not below), by name.
std::vector<TraceFile> find_trace_files(const std::vector<std::string>& words);

/// What --rank says; nothing for "". Throws tune::Error unless it is a whole number from 0 on.
std::optional<std::int64_t> wished_rank(const std::string& text);

struct RankSearch {
  std::string file;     ///< the trace of the rank, or ""
  std::string problem;  ///< why there is none: which ranks there are
};

/// Looks for the trace of request.rank by what each file says of itself; a file's name counts where
/// the file says nothing. A complaint about a file that the user named ends everything; a file
/// in a folder that holds no trace is passed over. Throws tune::Error also when two files claim the
/// rank.
RankSearch find_rank(const AnalyzeRequest& request, const std::vector<TraceFile>& files);

/// What could be read of the files, one timeline at a time.
struct ReadRanks {
  std::vector<rank::RankSummary> ranks;          ///< by rank
  std::map<std::string, rule::FactTable> facts;  ///< by file: what rules may ask of its trace
  std::vector<report::SkippedFile> skipped;
  std::vector<std::string> warnings;
  std::int64_t elapsed_ns = 0;
};

/// A complaint about a file that the user named ends everything; about one in a folder it is
/// the reason why it is skipped. A trace without a whole step is left out where another has one.
/// Throws tune::Error also when two files claim one rank.
ReadRanks read_ranks(const AnalyzeRequest& request, const std::vector<TraceFile>& files);

/// Several traces as ranks of one job: overview, collectives across ranks, and what the rules say
/// of the rank that sets the pace and of all of them together. Needs two ranks.
ExitCode analyze_ranks(const AnalyzeRequest& request, const ReadRanks& read);

}  // namespace tune::cli
