#pragma once

#include "cli/analyze_request.h"
#include "cli/trace_files.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tune::cli {

/// What --rank says; nothing for "". Throws tune::Error when it is no whole number from 0 on.
std::optional<std::int64_t> wished_rank(const std::string& text);

struct RankSearch {
  std::string file;     ///< the trace of the rank, or ""
  std::string problem;  ///< why there is none: which ranks there are
};

/// Looks for the trace of request.rank by what each file says of itself; a file's name counts where
/// the file says nothing. Of a file that the user named a complaint ends everything; one in a
/// folder that is no trace is passed over. Throws tune::Error also when two files claim the rank.
RankSearch find_rank(const AnalyzeRequest& request, const std::vector<TraceFile>& files);

}  // namespace tune::cli
