#pragma once

#include "report/trace_comparison.h"
#include "trace/rank/match_collectives.h"
#include "trace/rank/rank_summary.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace tune::report {

/// A file that is not in the comparison.
struct SkippedFile {
  std::string file, reason;
  bool is_trace = false;  ///< of which too little is left to be compared
};

/// "skipped, no trace: notes.txt: byte 0 of the JSON: is not JSON".
std::string skipped_words(const SkippedFile& file);

/// Ranks of one job: overview by rank, collectives across ranks, imbalance, who is late.
TraceComparison compare_ranks(const std::vector<rank::RankSummary>& ranks,
                              const std::vector<SkippedFile>& skipped);

/// Member `trace` of result.json: {"ranks": {list, tables, skipped}}; times in `list` are whole ns.
nlohmann::ordered_json ranks_json(const std::vector<rank::RankSummary>& ranks,
                                  const TraceComparison& comparison,
                                  const std::vector<SkippedFile>& skipped);

}  // namespace tune::report
