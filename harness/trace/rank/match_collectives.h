#pragma once

#include "trace/metric/metric.h"
#include "trace/rank/rank_summary.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tune::rank {

/// One collective, over the ranks that took part.
struct MatchedCollective {
  std::string_view name;         ///< a text of the first rank's Collectives::names
  std::int64_t transfer_ns = 0;  ///< the shortest duration: of the rank that nobody kept waiting
  std::vector<std::int64_t> wait_ns;  ///< by MatchedGroup::ranks: duration less transfer
  std::optional<std::size_t> last;    ///< in MatchedGroup::ranks: who started last; not all at once
};

/// The collectives of one process group.
struct MatchedGroup {
  std::string group;
  std::vector<std::size_t> ranks;  ///< indexes of summaries, at least two
  std::vector<MatchedCollective> collectives;
  std::vector<std::string> notes;  ///< what could not be matched, and why
};

struct MatchedCollectives {
  std::vector<MatchedGroup> groups;
  std::string reason;           ///< why there is no group; "" when there are
  std::string no_order_reason;  ///< why nobody can be told to start last; "" when it can
  std::int64_t point_to_point = 0;
};

/// Matches collectives of the same process group: by their sequence numbers where every row has one
/// of its own, else by index, as long as all ranks do the same at an index.
///
///     transfer  the shortest duration over the ranks  [tb_plugin]
///     wait      duration less transfer                [tb_plugin]
///     last      the rank that starts last: the straggler  [HolisticTraceAnalysis]
///
/// Who starts last is known only where all traces have times of day and these agree: no rank can
/// finish an allreduce before another has begun it. Where that happens in more than 5 % (our
/// limit), the clocks of the hosts differ, or the windows of the traces do.
MatchedCollectives match_collectives(const std::vector<RankSummary>& ranks);

/// What one rank is responsible for.
struct Lateness {
  std::int64_t collectives = 0;     ///< matched, that it took part in
  std::int64_t wait_ns = 0;         ///< that it waited
  std::int64_t times_last = 0;      ///< how often it started last
  std::int64_t caused_wait_ns = 0;  ///< that others waited when it did
};

/// By summary.
std::vector<Lateness> lateness_of(const std::vector<RankSummary>& ranks,
                                  const MatchedCollectives& matched);

/// The index of the summary that made others wait longest; none where the order is not known or
/// nobody waited.
std::optional<std::size_t> find_straggler(const std::vector<Lateness>& lateness,
                                          const MatchedCollectives& matched);

/// `collective_wait_ratio`: of the time that ranks spend in matched collectives, ranks added up,
/// the part in which they wait for the last of them; the rest is the transfer. Not applicable where
/// nothing is matched.
metric::Metric collective_wait_ratio(const MatchedCollectives& matched);

}  // namespace tune::rank
