#pragma once

#include "metric/trace_input.h"
#include "profile/partition.h"
#include "profile/timeline.h"
#include "rank/collectives.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tune::rank {

/// What is kept of the trace of one rank, so that the next can be read in its place.
struct RankSummary {
  std::string file;
  profile::RankInfo rank;
  std::int64_t steps = 0, total_ns = 0;  ///< of all steps together
  bool are_marked = false;
  bool has_device_rows = false;
  profile::RoleTimes exposed_ns{};  ///< of all steps together; sums to total_ns
  std::int64_t kernels = 0;         ///< that compute
  std::optional<double> gpu_busy_ratio;
  std::string no_gpu_busy_reason;
  Collectives collectives;
  std::int64_t begin_ns = 0;  ///< of the first step, as in the trace

  std::int64_t exposed(profile::Role role) const {
    return exposed_ns[static_cast<std::size_t>(role)];
  }
  std::int64_t per_step(std::int64_t ns) const { return steps > 0 ? ns / steps : 0; }
};

RankSummary summarise_rank(const metric::TraceInput& input);

/// "rank 2", or the name of the file where the rank is not known.
std::string rank_text(const RankSummary& summary);

/// By rank; those whose rank is not known last, by file. Throws tune::Error when two files claim
/// the same rank.
void order_ranks(std::vector<RankSummary>& ranks);

}  // namespace tune::rank
