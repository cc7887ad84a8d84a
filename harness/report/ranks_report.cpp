#include "report/ranks_report.h"

#include "base/units.h"
#include "report/json_parts.h"
#include "report/number_text.h"
#include "report/role_times_json.h"
#include "report/table_json.h"
#include "trace/rank/match_collectives.h"
#include "trace/rank/rank_summary.h"
#include "trace/rank/rank_tables.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace tune::report {

namespace {

using Json = nlohmann::ordered_json;
using rank::RankSummary;

// "4 ranks, 12ms to 15ms a step", "4 traces, ..." where nothing says that they are ranks.
std::string times_text(const std::vector<RankSummary>& ranks) {
  std::int64_t least_ns = ranks.front().per_step(ranks.front().total_ns);
  std::int64_t most_ns = least_ns;
  for (const RankSummary& summary : ranks) {
    least_ns = std::min(least_ns, summary.per_step(summary.total_ns));
    most_ns = std::max(most_ns, summary.per_step(summary.total_ns));
  }
  const std::string least = format_time(least_ns);
  const std::string most = format_time(most_ns);
  return counted(static_cast<std::int64_t>(ranks.size()),
                 rank::are_of_one_job(ranks) ? "rank" : "trace") +
         ", " + (least == most ? most : least + " to " + most) + " a step";
}

std::string straggler_text(const std::vector<RankSummary>& ranks,
                           const rank::MatchedCollectives& matched) {
  const std::vector<rank::Lateness> lateness = rank::lateness_of(ranks, matched);
  const auto straggler = rank::find_straggler(lateness, matched);
  if (!straggler) {
    return "";
  }
  const rank::Lateness& late = lateness[*straggler];
  return "; " + rank_text(ranks[*straggler]) + " starts last in " +
         std::to_string(late.times_last) + " of " + counted(late.collectives, "collective") +
         ", and the others together wait " +
         format_time(ranks[*straggler].per_step(late.caused_wait_ns)) + " a step for it";
}

RoleBar bar_of(const RankSummary& summary) {
  RoleBar bar{.label = rank_text(summary) + ": " + format_time(summary.per_step(summary.total_ns))};
  for (std::size_t role = 0; role < profile::kRoles; ++role) {
    bar.exposed_ns[role] = summary.per_step(summary.exposed_ns[role]);
  }
  return bar;
}

Json rank_json(const RankSummary& summary) {
  Json json;
  json["file"] = summary.file;
  put_or_reason(json,
                "rank",
                summary.rank.rank ? Json(*summary.rank.rank) : Json(nullptr),
                "neither distributedInfo nor the file's name says");
  json["steps"] = summary.steps;
  json["marked"] = summary.are_known;
  json["total_ns"] = summary.total_ns;
  json["exposed_ns"] = to_json(summary.exposed_ns);
  json["has_device_rows"] = summary.has_device_rows;
  put_or_reason(json,
                "gpu_busy_ratio",
                summary.gpu_busy_ratio ? Json(*summary.gpu_busy_ratio) : Json(nullptr),
                summary.no_gpu_busy_reason);
  return json;
}

}  // namespace

std::string skipped_words(const SkippedFile& file) {
  return (file.is_trace ? "left out: " : "skipped, no trace: ") + file.reason;
}

TraceComparison compare_ranks(const std::vector<RankSummary>& ranks,
                              const std::vector<SkippedFile>& skipped) {
  const rank::MatchedCollectives matched = rank::match_collectives(ranks);
  TraceComparison comparison;
  const bool is_job = rank::are_of_one_job(ranks);
  comparison.title = is_job ? "Ranks of a job" : "Several traces";
  comparison.bars = {.id = "ranks", .title = "A mean step of each rank in its parts"};
  comparison.bars.bars.reserve(ranks.size());
  for (const RankSummary& summary : ranks) {
    comparison.bars.bars.push_back(bar_of(summary));
  }
  comparison.headline = times_text(ranks) + straggler_text(ranks, matched);
  comparison.metrics = {rank::compute_imbalance_ratio(ranks), rank::collective_wait_ratio(matched)};
  comparison.tables = {rank::rank_table(ranks, matched), rank::collective_table(ranks, matched)};
  comparison.remarks.reserve(skipped.size() + 1);
  if (!is_job) {
    comparison.remarks.emplace_back(
        "nothing says that these are ranks of one job: no trace names its rank (distributedInfo), "
        "and none has a collective; analyze each by itself");
  }
  for (const SkippedFile& file : skipped) {
    comparison.remarks.push_back(skipped_words(file));
  }
  return comparison;
}

Json ranks_json(const std::vector<RankSummary>& ranks,
                const TraceComparison& comparison,
                const std::vector<SkippedFile>& skipped) {
  Json list = Json::array(), left_out = Json::array();
  for (const RankSummary& summary : ranks) {
    list.push_back(rank_json(summary));
  }
  for (const SkippedFile& file : skipped) {
    left_out.push_back({{"file", file.file}, {"reason", file.reason}});
  }
  Json json;
  json["ranks"]["list"] = std::move(list);
  json["ranks"]["tables"] = to_json(comparison.tables);
  json["ranks"]["skipped"] = std::move(left_out);
  return json;
}

}  // namespace tune::report
