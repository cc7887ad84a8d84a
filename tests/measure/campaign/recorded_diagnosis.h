#pragma once

// What the rules that came with tune say of recordings: run directories and traces.

#include "advice/diagnosis.h"
#include "advice/rule/rank_facts.h"
#include "advice/rule/trace_facts.h"
#include "base/file.h"
#include "machine/probe/probe_record.h"
#include "measure/campaign/profiled_cell.h"
#include "measure/campaign/recorded_run.h"
#include "measure/campaign/run_diagnosis.h"
#include "measure/campaign/telemetry_facts.h"
#include "trace/metric/trace_metrics.h"
#include "trace/rank/rank_summary.h"
#include "trace/reader/read_trace.h"

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tune::campaign {

inline std::shared_ptr<const rule::Catalog> shipped_catalog() {
  static const auto catalog =
      std::make_shared<const rule::Catalog>(rule::read_catalog(rule::shipped_rules()));
  return catalog;
}

inline void read_recorded_steps(ProfiledCell& cell) {
  const profile::Timeline timeline = profile::read_trace(cell.file, {});
  const metric::TraceInput input = metric::examine(timeline);
  TraceNumbers numbers;
  numbers.metrics = metric::trace_metrics(input);
  refuse_stretched_times(numbers, cell.dilation);
  cell.trace = std::move(numbers);
}

/// As `tune report` asks the rules: with the recorded steps, the telemetry and the probe of the
/// run. Nothing when no trial of its baseline completed.
inline std::optional<advice::Diagnosis> diagnose_recorded_run(const std::filesystem::path& folder) {
  CampaignResult result = load_campaign(folder);
  for (ProfiledCell& cell : result.profiles) {
    if (std::filesystem::exists(cell.file)) {  // recordings keep those of the baseline
      read_recorded_steps(cell);
    }
  }
  result.telemetry = read_telemetry(result);
  StoredProbe probe;
  const std::filesystem::path probe_file = folder / "probe.json";
  if (std::filesystem::exists(probe_file)) {
    probe.record = probe::parse_probe(read_file(probe_file), probe_file.string());
  }
  auto found = diagnose_run(result, shipped_catalog(), probe);
  return found ? std::optional(std::move(found->diagnosis)) : std::nullopt;
}

/// As `tune analyze` asks them of one trace, or of those of several ranks.
inline advice::Diagnosis diagnose_recorded_traces(const std::vector<std::filesystem::path>& files) {
  std::vector<rank::RankSummary> ranks;
  std::map<std::string, rule::FactTable> facts_of;
  for (const std::filesystem::path& file : files) {
    const profile::Timeline timeline = profile::read_trace(file.string(), {});
    const metric::TraceInput input = metric::examine(timeline);
    ranks.push_back(rank::summarise_rank(input));
    facts_of.insert_or_assign(ranks.back().file,
                              rule::facts_of_trace(input, metric::trace_metrics(input)));
  }
  rank::order_ranks(ranks);
  rule::FactTable facts = facts_of.at(ranks[rule::pacing_rank(ranks)].file);
  if (ranks.size() > 1) {
    rule::add_rank_facts(ranks, facts);
  }
  return advice::diagnose(*shipped_catalog(), std::move(facts));
}

}  // namespace tune::campaign
