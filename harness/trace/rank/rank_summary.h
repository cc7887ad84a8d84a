#pragma once

#include "trace/metric/metric.h"
#include "trace/metric/trace_input.h"
#include "trace/partition.h"
#include "trace/timeline.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tune::rank {

/// One collective as one rank saw it: a communication kernel.
struct Collective {
  std::string_view name;  ///< "allreduce"; a text of Collectives::names
  std::int64_t sequence = profile::kUnknownNumber;
  std::int64_t start_ns = 0;  ///< since 1970 where the trace says when it began
  std::int64_t duration_ns = 0;

  std::int64_t end_ns() const { return start_ns + duration_ns; }
};

/// What a rank did within one process group.
struct GroupCalls {
  std::int64_t size = profile::kUnknownNumber;  ///< ranks in the group
  std::vector<Collective> calls;                ///< by start
};

/// All collectives of one trace.
struct Collectives {
  profile::StringPool names;
  /// By a text that is the same on all members of a group: "0, 4 ranks [0, 1, 2, 3]", or
  /// kGroupNotRecorded.
  std::map<std::string, GroupCalls> groups;
  std::int64_t point_to_point = 0;  ///< sends and receives: other ranks do not make the same call
  /// Starts are times of day, one time for all ranks as far as the clocks of their hosts agree.
  bool has_time_of_day = false;
};

constexpr std::string_view kGroupNotRecorded = "not recorded";

/// Kernels of NCCL, RCCL, oneCCL and HCCL, by name as in the partition; their process group and
/// what they do by the arguments of the row ("Process Group Name", "Group size", "Process Group
/// Ranks", "Collective name"), else by the kernel's name.
Collectives find_collectives(const profile::Timeline& timeline);

/// True for collectives that no rank can leave before all have come: allreduce, allgather,
/// reduce_scatter, all_to_all, barrier.
bool waits_for_all(std::string_view collective);

/// What is kept of the trace of one rank, so that the next can be read in its place.
struct RankSummary {
  std::string file;
  profile::RankInfo rank;
  std::int64_t steps = 0, total_ns = 0;  ///< of all steps together
  bool are_known = false;
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

/// Whether anything says that the traces are ranks of one job: the rank of one, or a collective. A
/// folder may hold recordings that have nothing to do with each other.
bool are_of_one_job(const std::vector<RankSummary>& ranks);

/// `compute_imbalance_ratio`: the most time per step that any rank computes ÷ the mean over the
/// ranks, less 1; computing is the part `kernel` of the partition, in which no communication is.
/// 0 is perfect balance; what the slowest rank needs beyond the mean the others wait. Not
/// applicable unless two ranks have kernels.
metric::Metric compute_imbalance_ratio(const std::vector<RankSummary>& ranks);

}  // namespace tune::rank
