#pragma once

// Traces of ranks, written by hand.

#include "trace/metric/trace_input.h"
#include "trace/rank/rank_summary.h"
#include "trace_text.h"

#include <string>
#include <utility>

namespace tune::rank {

/// A collective of the process group "0" of `size` ranks.
inline std::string all_reduce(const std::string& ts,
                              const std::string& dur,
                              const std::string& more = "",
                              const std::string& size = "2") {
  return profile::row(
      "kernel",
      "ncclDevKernel_AllReduce_Sum_f32_RING_LL",
      ts,
      dur,
      R"("Collective name": "allreduce", "Process Group Name": "0", "Group size": )" + size + more);
}

inline std::string numbered(int sequence) {
  return R"(, "Seq": )" + std::to_string(sequence);
}

/// The trace of a rank; -1: it does not say which. 0 as base: no time of day.
inline RankSummary summary_of(int rank,
                              const std::string& events,
                              const std::string& base_time_ns = "1700000000000000000") {
  const std::string info =
      rank < 0 ? "" : R"("distributedInfo": {"rank": )" + std::to_string(rank) + "}, ";
  const profile::Timeline timeline =
      profile::read_text("{" + info + R"("baseTimeNanoseconds": )" + base_time_ns +
                         R"(, "traceEvents": [)" + events + "]}");
  return summarise_rank(metric::examine(timeline));
}

inline std::vector<RankSummary> pair_of(RankSummary first, RankSummary second) {
  std::vector<RankSummary> ranks;
  ranks.push_back(std::move(first));
  ranks.push_back(std::move(second));
  return ranks;
}

}  // namespace tune::rank
