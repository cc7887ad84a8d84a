#include "measure/campaign/audit.h"

#include "base/stats/quantile.h"
#include "scenario/plan.h"

#include <cmath>

namespace tune::campaign {

namespace {

// ln of the rate against the baseline's, medians over the audit; nothing for a cell that may not be
// recommended.
std::optional<double> audited_gain(const std::vector<CellHistory>& histories, std::size_t cell) {
  const CellHistory& history = histories[cell];
  const auto gains = log_gains(history.audit, histories[0].audit);
  if (gains.empty() || history.audit.given_up() || !history.broken_constraints.empty()) {
    return std::nullopt;
  }
  return stats::median(gains);
}

void add_cost(const RecordedRun& run, Audit& audit) {
  for (const TrialRecord& record : run.trials) {
    if (record.stage != "search" && record.stage != "audit") {
      continue;
    }
    const bool is_audit = record.stage == "audit";
    (is_audit ? audit.trials : audit.search_trials) += 1;
    if (record.outcome.reply) {
      for (const trial::Slice& slice : record.outcome.reply->slices) {
        (is_audit ? audit.ns : audit.search_ns) += slice.wall_ns;
      }
    }
  }
}

void compare(const RecordedRun& run, const Progress& progress, Audit& audit) {
  const auto& histories = progress.histories();
  const auto& candidates = progress.decision().candidates;
  const std::size_t pick = candidates.empty() ? 0 : candidates.front();
  std::size_t best = 0;
  double most = 0;
  for (std::size_t cell = 0; cell < histories.size(); ++cell) {
    audit.cells += histories[cell].audit.rates.empty() ? 0 : 1;
    if (const auto gain = audited_gain(histories, cell); gain && *gain > most) {
      best = cell;
      most = *gain;
    }
  }
  audit.pick = run.plan.cells[pick].id;
  audit.best = run.plan.cells[best].id;
  if (const auto gain = audited_gain(histories, pick)) {
    audit.found_ratio = std::exp(*gain - most);
  } else {
    audit.reason = audit.pick + " failed in the audit, or breaks a constraint";
  }
}

}  // namespace

std::optional<Audit> audit_of(const RecordedRun& run, const Progress& progress) {
  if (!run.scenario.exhaustive) {
    return std::nullopt;
  }
  Audit audit;
  audit.reason = scenario::nothing_to_audit(run.scenario, run.plan);
  if (!audit.reason.empty()) {
    audit.reason = "nothing to audit: " + audit.reason;
    return audit;
  }
  audit.rounds = run.scenario.rounds;
  audit.is_whole = progress.audit_is_whole();
  audit.trials_missing = progress.audit_left();
  add_cost(run, audit);
  audit.has_begun = audit.trials > 0;
  if (audit.is_whole) {
    compare(run, progress, audit);
  } else {
    audit.reason = "the audit is incomplete: " + std::to_string(audit.trials_missing) + " of " +
                   std::to_string(audit.trials + audit.trials_missing) + " trials are missing";
  }
  return audit;
}

}  // namespace tune::campaign
