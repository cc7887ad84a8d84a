#include "rank/rank_summary.h"

#include "base/error.h"
#include "metric/gpu_busy_ratio.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <tuple>

namespace tune::rank {

RankSummary summarise_rank(const metric::TraceInput& input) {
  const profile::Partition& partition = input.partition;
  RankSummary summary;
  summary.file = input.timeline.file;
  summary.rank = input.timeline.rank;
  summary.steps = static_cast<std::int64_t>(partition.steps.steps.size());
  summary.total_ns = partition.total_ns();
  summary.are_marked = partition.steps.are_marked;
  summary.has_device_rows = partition.has_device_rows;
  summary.exposed_ns = partition.total.exposed_ns;
  summary.kernels = partition.rows[static_cast<std::size_t>(profile::Role::kernel)];
  const metric::Metric busy = metric::gpu_busy_ratio(input);
  summary.gpu_busy_ratio = busy.value;
  summary.no_gpu_busy_reason = busy.is_applicable() ? "" : busy.reason;
  summary.collectives = find_collectives(input.timeline);
  const auto& steps = partition.steps.steps;
  summary.begin_ns = steps.empty() ? 0 : steps.front().interval.begin_ns;
  return summary;
}

std::string rank_text(const RankSummary& summary) {
  return summary.rank.rank ? "rank " + std::to_string(*summary.rank.rank)
                           : std::filesystem::path(summary.file).filename().string();
}

void order_ranks(std::vector<RankSummary>& ranks) {
  const auto place = [](const RankSummary& summary) {
    constexpr std::int64_t kLast = std::numeric_limits<std::int64_t>::max();
    return std::tuple(summary.rank.rank.value_or(kLast), summary.file);
  };
  std::sort(ranks.begin(), ranks.end(), [&place](const RankSummary& a, const RankSummary& b) {
    return place(a) < place(b);
  });
  const auto twice = std::adjacent_find(
      ranks.begin(), ranks.end(), [](const RankSummary& a, const RankSummary& b) {
        return a.rank.rank && a.rank.rank == b.rank.rank;
      });
  if (twice != ranks.end()) {
    const RankSummary& other = *std::next(twice);
    throw Error(Error::Parts{
        other.file,
        "claims rank " + std::to_string(*other.rank.rank) + ", as " + twice->file + " does",
        "by " + other.rank.source + " and by " + twice->rank.source +
            "; one trace a rank is needed",
        "--diff compares two traces of one rank"});
  }
}

}  // namespace tune::rank
