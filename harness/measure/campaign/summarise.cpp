#include "measure/campaign/summarise.h"

#include "advice/attribution.h"
#include "base/stats/quantile.h"
#include "base/units.h"
#include "measure/campaign/audit.h"
#include "measure/campaign/ceiling.h"
#include "measure/campaign/cell_history.h"
#include "measure/campaign/confirmation_result.h"
#include "measure/campaign/epoch_check.h"
#include "measure/campaign/ladder.h"
#include "measure/campaign/ledger.h"
#include "measure/campaign/measured_facts.h"
#include "measure/campaign/measured_parts.h"
#include "measure/campaign/objective.h"
#include "measure/campaign/page_cache.h"
#include "measure/campaign/progress.h"
#include "measure/campaign/run_warnings.h"
#include "measure/campaign/warmup.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace tune::campaign {

namespace {

using Records = std::vector<const TrialRecord*>;

constexpr double kStallRatio = 0.01;

std::string why_missing(const RecordedRun& run) {
  const auto& sittings = run.ledger.sittings;
  std::string reason = sittings.empty() ? "" : sittings.back().end_reason;
  if (!sittings.empty() && sittings.back().shard > 0) {
    return "the shards were joined, and nothing is confirmed yet";
  }
  if (reason == "budget" || reason == "interrupted") {
    return reason;
  }
  if (reason == kStillRunning) {
    return "the run is in progress";
  }
  if (reason == "finished" && has_lost_trials(run)) {
    return "replies were lost";
  }
  if (reason == "finished" && !run.ledger.left_out.empty()) {
    return "lines of the ledger are left out";
  }
  if (reason == "finished") {  // the search gave way to the pairs, and they were decided
    return "the rest of the budget was kept for fresh pairs";
  }
  if (reason == "trial-failed") {
    return "a trial failed (--fail-fast)";
  }
  return reason == "baseline-failed" ? "the baseline failed" : "the run was cut off";
}

// Enough for the rest with a margin, in units that a person would write.
std::int64_t larger_budget(std::int64_t budget_ns, std::int64_t elapsed_ns, std::int64_t rest_ns) {
  constexpr double kMargin = 1.25;
  constexpr std::int64_t kSecondNs = 1'000'000'000;
  constexpr std::int64_t kMinuteNs = 60 * kSecondNs;
  const double wanted =
      kMargin * std::max(static_cast<double>(budget_ns), static_cast<double>(elapsed_ns + rest_ns));
  const auto ns = static_cast<std::int64_t>(wanted);
  const std::int64_t unit_ns = ns < kMinuteNs ? kSecondNs : kMinuteNs;
  return (ns / unit_ns + 1) * unit_ns;
}

// One slow slice in five moves the rate, not the median: the sign of a stall.
bool has_stalls(const trial::TrialReply& reply) {
  std::vector<double> rates;
  for (const trial::Slice& slice : reply.slices) {
    rates.push_back(static_cast<double>(slice.samples) * 1e9 / static_cast<double>(slice.wall_ns));
  }
  const auto rate = trial::throughput(reply);
  return rate && !rates.empty() &&
         std::abs(stats::median(std::move(rates)) / *rate - 1) > kStallRatio;
}

// With a warm-up of the length that was found, and slices.
bool is_measured(const TrialRecord& record) {
  return record.stage == "search" || record.stage == "audit" || is_paired(record.stage);
}

class Summary {
 public:
  explicit Summary(RecordedRun run)
      : run_(std::move(run)),
        progress_(run_.scenario, run_.plan, run_.ledger.header.machine, run_.ledger.proposals) {
    if (!run_.ledger.sittings.empty()) {  // what was confirmed depends on it
      progress_.set_budget(run_.ledger.sittings.back().budget_ns);
    }
    for (const TrialRecord& record : run_.trials) {
      progress_.add(record);
      if (record.stage != "ceiling") {  // no work of the cell
        records_[record.spec.cell].push_back(&record);
      }
    }
    confirmations_ = confirmation_results(run_, progress_.confirmation(), progress_.histories());
  }

  CampaignResult make() && {
    CampaignResult result = facts();
    add_cells(result);
    add_confirmation(result);
    add_completeness(result);
    result.warnings = run_warnings(run_, result);
    if (std::string text = unconfirmed_text(run_.plan, progress_); !text.empty()) {
      result.warnings.push_back(std::move(text));
    }
    result.plan = std::move(run_.plan);
    result.trials = std::move(run_.trials);
    return result;
  }

 private:
  CampaignResult facts() {
    const LedgerHeader& header = run_.ledger.header;
    CampaignResult result;
    result.directory = run_.directory;
    result.scenario = run_.scenario;
    result.machine = header.machine;
    result.tune_version = header.tune_version;
    result.commit = header.commit;
    result.started_utc = header.started_utc;
    result.elapsed_ns = run_.ledger.elapsed_ns();
    result.command = header.command;
    result.seed = header.seed;
    result.overrides = header.overrides;
    result.data = header.data;
    result.worker = header.worker;
    result.worker_sha256 = header.worker_sha256;
    result.sittings = static_cast<std::int64_t>(run_.ledger.sittings.size());
    for (TrialRecord& trial : run_.trials) {
      if (has_completed(trial) && trial.outcome.reply && is_measured(trial)) {
        trial.steadiness = steadiness(*trial.outcome.reply);
        result.steadiness.add(trial.spec.id, *trial.steadiness);
      }
    }
    result.parts = measured_parts(run_);
    result.trials_failed =
        std::count_if(run_.trials.begin(), run_.trials.end(), [](const TrialRecord& record) {
          return !has_completed(record);
        });
    return result;
  }

  // Baseline, confirmed cell, other measured ones by gain, those that break a constraint or have no
  // gain, failures.
  std::vector<std::size_t> cell_order() const {
    std::vector<std::size_t> order = {0};
    const auto append = [&](std::size_t cell) {
      if (progress_.histories()[cell].broken().empty() &&
          std::find(order.begin(), order.end(), cell) == order.end()) {
        order.push_back(cell);
      }
    };
    for (const Confirmation& confirmation : confirmations_) {
      const auto& cells = run_.plan.cells;
      const auto found = std::find_if(cells.begin(), cells.end(), [&](const auto& cell) {
        return cell.id == confirmation.cell;
      });
      append(static_cast<std::size_t>(found - cells.begin()));
    }
    for (const std::size_t cell : progress_.search_ranking()) {
      append(cell);
    }
    std::vector<bool> placed(run_.plan.cells.size());
    for (const std::size_t cell : order) {
      placed[cell] = true;
    }
    for (const bool failed : {false, true}) {
      for (std::size_t i = 1; i < placed.size(); ++i) {
        const CellHistory& history = progress_.histories()[i];
        const StageHistory& ranked = history.stage(stage_of(history));
        const bool failing = ranked.rates.empty() && !ranked.finished.empty();
        if (!placed[i] && (failing || has_given_up(history)) == failed) {
          order.push_back(i);
        }
      }
    }
    return order;
  }

  void add_cells(CampaignResult& result) {
    for (const std::size_t index : cell_order()) {
      result.cells.push_back(summarise_cell(index));
    }
  }

  std::string stage_of(const CellHistory& history) const {
    return history.ranked_stage(progress_.audit_is_whole());
  }

  static bool has_given_up(const CellHistory& history) {
    return history.search.given_up() || history.audit.given_up();
  }

  CellResult summarise_cell(std::size_t index) {
    const CellHistory& history = progress_.histories()[index];
    CellResult cell;
    cell.cell = run_.plan.cells[index];
    cell.stage = stage_of(history);
    const StageHistory& ranked = history.stage(cell.stage);
    cell.rounds = static_cast<std::int64_t>(ranked.rates.size());
    cell.peak_memory_bytes = history.peak_memory_bytes;
    const Records& records = records_[cell.cell.id];
    const auto failed = std::find_if(
        records.begin(), records.end(), [](const auto* record) { return !has_completed(*record); });
    const bool has_run = !ranked.finished.empty();
    const bool has_failed =
        failed != records.end() &&
        (history.warmup.given_up() || has_given_up(history) || (has_run && cell.rounds == 0));
    if (has_failed) {
      cell.outcome = runner::name((*failed)->outcome.kind);
      cell.reason = failure_text(**failed);
    } else if (!has_run) {
      cell.outcome = "not-run";
      cell.reason = why_not_run(index);
    } else {
      cell.outcome = "completed";
      const bool is_opening = cell.stage != "search" && cell.stage != "audit";
      const bool is_whole = run_.scenario.strategy == "grid" || cell.stage == "audit";
      const auto missing =
          is_whole ? run_.scenario.rounds - static_cast<std::int64_t>(ranked.finished.size()) : 0;
      cell.reason = failed != records.end() ? failure_text(**failed)
                    : is_opening            ? "a first short trial only: " + why_missing(run_)
                    : missing > 0
                        ? std::to_string(missing) + " of " + std::to_string(run_.scenario.rounds) +
                              " rounds not run: " + why_missing(run_)
                        : "";
    }
    cell.steadiness = ranked.steadiness;
    cell.broken_constraints = history.broken();
    if (cell.outcome == "completed" && cell.reason.empty()) {
      cell.reason = constraint_text(cell.broken_constraints);
    }
    add_measurements(cell, history, records);
    cell.cold_trials = std::count_if(records.begin(), records.end(), [&](const auto* record) {
      return began_cold(*record, usual_residency_);
    });
    if (index > 0 && cell.outcome == "completed") {
      const auto gains = reported_gains(progress_.histories(), index, progress_.audit_is_whole());
      if (!gains.empty()) {
        cell.gain = stats::gain_of_samples(gains);
      } else if (cell.reason.empty()) {
        cell.reason = "the baseline did not complete its round, or stalled in it";
      }
    }
    return cell;
  }

  // A search that ended by itself leaves a cell out for a reason of its own.
  std::string why_not_run(std::size_t index) const {
    for (const search::Dropped& dropped : progress_.decision().dropped) {
      if (dropped.cell == index) {
        return dropped.reason;
      }
    }
    return why_missing(run_);
  }

  static void add_measurements(CellResult& cell,
                               const CellHistory& history,
                               const Records& records) {
    const StageHistory& ranked = history.stage(cell.stage);
    if (ranked.rates.empty()) {
      return;
    }
    cell.throughput = stats::number_of_samples(values(ranked.rates));
    advice::PhaseTotals totals;
    for (const TrialRecord* const record : window_trials(records, cell.stage)) {
      for (const trial::Slice& slice : record->outcome.reply->slices) {
        totals += slice;
      }
    }
    std::int64_t trials = 0, stalling = 0;
    for (const TrialRecord* record : records) {
      if (record->stage == cell.stage && record->outcome.reply) {
        ++trials;
        stalling += has_stalls(*record->outcome.reply) ? 1 : 0;
      }
    }
    cell.phases = totals.has_graph ? std::nullopt : std::optional(totals.phases);
    cell.disturbed = std::any_of(records.begin(), records.end(), [](const TrialRecord* record) {
      return !disturbance_text(*record).empty();
    });
    cell.stalls = 2 * stalling > trials;
  }

  void add_confirmation(CampaignResult& result) const {
    result.warmup = warmup_found(run_.scenario, run_.trials);
    result.search_ended = progress_.decision().finished;
    result.audit = audit_of(run_, progress_);
    result.profiles = profiled_cells(run_);
    result.confirmations = confirmations_;
    result.proposals = run_.ledger.proposals;
    result.ceilings = ceilings_of(run_.trials);
    add_ladder(result);
    result.epochs =
        epoch_results(run_.scenario, run_.plan, progress_.confirmation(), progress_.histories());
    if (!result.confirmations.empty() && result.confirmations.front().broken_constraints.empty()) {
      result.confirmation = result.confirmations.front();
    }
  }

  void add_ladder(CampaignResult& result) const {
    if (!run_.scenario.confirms() || !run_.ledger.proposals ||
        !progress_.confirmation().finished() || progress_.search_is_missing()) {
      return;  // before that nobody knows what it would be made of
    }
    const ConfirmStanding standing = progress_.confirmation();
    const bool has_budget =
        !run_.ledger.sittings.empty() && run_.ledger.sittings.back().budget_ns.has_value();
    result.ladder = ladder_results(run_,
                                   progress_.ladder_ground(standing),
                                   confirmations_,
                                   has_budget ? "the budget had no time left for its pairs"
                                              : "the run ended before its pairs");
  }

  void add_completeness(CampaignResult& result) const {
    const Progress::Rest rest = progress_.rest();
    const std::string& baseline = result.cells.front().outcome;
    const bool baseline_failed =
        (baseline != "completed" && baseline != "not-run") || progress_.baseline_given_up();
    const bool unjudged = std::any_of(result.confirmations.begin(),
                                      result.confirmations.end(),
                                      [](const Confirmation& row) { return row.verdict.empty(); });
    // A budget that ends between two looks leaves the verdict of the last one.
    const bool cut_short =
        run_.ledger.sittings.empty() || run_.ledger.sittings.back().end_reason != "budget";
    const bool unconfirmed = !progress_.confirmation().finished() &&
                             (result.confirmations.empty() || unjudged || cut_short);
    const bool all_failed = result.confirmations.empty() && progress_.confirmation_begun();
    result.baseline_failed = baseline_failed;
    result.complete = !progress_.search_is_missing() && !unconfirmed && !baseline_failed &&
                      !(result.confirmations.empty() && rest.trials > 0) && !all_failed;
    result.trials_missing = baseline_failed || result.complete ? 0 : rest.trials;
    if (result.complete) {
      return;
    }
    const std::string missing = std::to_string(rest.trials) + " of " +
                                std::to_string(rest.trials + progress_.done()) + " trials missing";
    const std::string why = why_missing(run_);
    const std::string& reason = result.cells.front().reason;
    if (baseline_failed && !reason.empty()) {
      result.incomplete_reason = reason == why ? why : "the baseline failed: " + reason;
    } else if (why == "budget" && !run_.ledger.sittings.empty()) {
      const std::int64_t budget_ns = run_.ledger.sittings.back().budget_ns.value_or(0);
      // One trial takes longer than this budget, where none ended in it.
      const std::int64_t least_ns = run_.trials.empty() ? rest.trials * result.elapsed_ns : 0;
      result.budget_wanted_ns =
          larger_budget(budget_ns, result.elapsed_ns, std::max(rest.ns, least_ns));
      result.incomplete_reason = "budget of " + format_time(budget_ns) + " used up: " + missing;
    } else if (rest.trials == 0 && all_failed) {
      result.incomplete_reason = "no setting could be confirmed: the confirming trials failed";
    } else {
      result.incomplete_reason = why + ": " + missing;
    }
  }

  RecordedRun run_;
  Progress progress_;
  std::map<std::string, Records> records_;
  std::optional<double> usual_residency_ = usual_residency(run_.trials);
  std::vector<Confirmation> confirmations_;
};

}  // namespace

CampaignResult summarise(RecordedRun run) {
  return Summary(std::move(run)).make();
}

ExitCode exit_code(const CampaignResult& result) {
  if (result.baseline_failed) {
    return ExitCode::negative_verdict;
  }
  return result.complete ? ExitCode::fine : ExitCode::partial;
}

CampaignResult::CampaignResult() = default;
CampaignResult::CampaignResult(const CampaignResult&) = default;
CampaignResult::CampaignResult(CampaignResult&&) noexcept = default;
CampaignResult& CampaignResult::operator=(const CampaignResult&) = default;
CampaignResult& CampaignResult::operator=(CampaignResult&&) noexcept = default;
CampaignResult::~CampaignResult() = default;

const CellResult* CampaignResult::find_cell(const std::string& id) const {
  const auto found = std::ranges::find(cells, id, [](const auto& cell) { return cell.cell.id; });
  return found == cells.end() ? nullptr : &*found;
}

}  // namespace tune::campaign
