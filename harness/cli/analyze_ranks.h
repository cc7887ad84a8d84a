#pragma once

#include "base/error.h"
#include "cli/analyze_request.h"
#include "cli/trace_files.h"
#include "rank/rank_summary.h"
#include "report/ranks_report.h"
#include "rule/fact_table.h"

#include <map>
#include <string>
#include <vector>

namespace tune::cli {

/// What could be read of the files, one timeline at a time.
struct ReadRanks {
  std::vector<rank::RankSummary> ranks;          ///< by rank
  std::map<std::string, rule::FactTable> facts;  ///< by file: what rules may ask of its trace
  std::vector<report::SkippedFile> skipped;
  std::vector<std::string> warnings;
  std::int64_t elapsed_ns = 0;
};

/// Of a file that the user named a complaint ends everything; of one that lies in a directory it is
/// the reason why it is skipped. Throws tune::Error also when two files claim one rank.
ReadRanks read_ranks(const AnalyzeRequest& request, const std::vector<TraceFile>& files);

/// Several traces as ranks of one job: overview, collectives across ranks, and what the rules say
/// of the rank that sets the pace and of all of them together. Needs two ranks.
ExitCode analyze_ranks(const AnalyzeRequest& request, const ReadRanks& read);

}  // namespace tune::cli
