#include "cli/rank_wish.h"

#include "base/error.h"
#include "base/whole_number.h"
#include "cli/standard_input.h"

#include <set>

namespace tune::cli {

namespace {

/// A trace that could be read, without its rows.
struct FoundTrace {
  std::string file;
  profile::RankInfo rank;
};

std::vector<FoundTrace> look_at_traces(const AnalyzeRequest& request,
                                       const std::vector<TraceFile>& files) {
  std::vector<FoundTrace> found;
  for (const TraceFile& file : files) {
    try {
      const profile::Timeline timeline = read_named_trace(file.path, read_options(request));
      found.push_back({file.path.string(), timeline.rank});
    } catch (const Error&) {
      if (file.is_named) {
        throw;
      }
    }
  }
  return found;
}

// "0, 1 and 2 traces that do not say theirs", "none".
std::string ranks_of(const std::vector<FoundTrace>& traces) {
  std::set<std::int64_t> ranks;
  std::size_t silent = 0;
  for (const FoundTrace& trace : traces) {
    if (trace.rank.rank) {
      ranks.insert(*trace.rank.rank);
    } else {
      ++silent;
    }
  }
  std::string text;
  for (const std::int64_t rank : ranks) {
    text += (text.empty() ? "" : ", ") + std::to_string(rank);
  }
  if (silent > 0) {
    text += (text.empty() ? "" : " and ") + std::to_string(silent) +
            (silent == 1 ? " trace that does not say its rank" : " traces that do not say theirs");
  }
  return text.empty() ? "none" : text;
}

}  // namespace

std::optional<std::int64_t> wished_rank(const std::string& text) {
  if (text.empty()) {
    return std::nullopt;
  }
  const auto rank = parse_whole(text);
  if (!rank || *rank < 0) {
    throw Error(
        Error::Parts{"--rank " + text, "is no rank", "a whole number from 0 on", "--rank 0"});
  }
  return rank;
}

RankSearch find_rank(const AnalyzeRequest& request, const std::vector<TraceFile>& files) {
  const auto wanted = wished_rank(request.rank);
  const std::vector<FoundTrace> traces = look_at_traces(request, files);
  RankSearch search;
  for (const FoundTrace& trace : traces) {
    if (trace.rank.rank != wanted) {
      continue;
    }
    if (!search.file.empty()) {
      throw Error(Error::Parts{"--rank " + request.rank,
                               "two traces are of it",
                               search.file + " and " + trace.file,
                               "name one of them"});
    }
    search.file = trace.file;
  }
  if (search.file.empty()) {
    search.problem =
        "--rank " + request.rank + ": no trace is of that rank; there is " + ranks_of(traces);
  }
  return search;
}

}  // namespace tune::cli
