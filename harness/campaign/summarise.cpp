#include "campaign/summarise.h"

#include "base/units.h"
#include "campaign/disturbance.h"
#include "campaign/estimate.h"
#include "campaign/progress.h"
#include "stats/median.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace tune::campaign {

namespace {

using Records = std::vector<const TrialRecord*>;

constexpr double kStallRatio = 0.01;

std::string why_missing(const LedgerContents& ledger) {
  const std::string reason = ledger.sittings.empty() ? "" : ledger.sittings.back().end_reason;
  if (reason == "budget" || reason == "interrupted") {
    return reason;
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

void add_phases(trial::PhaseSums& sum, const trial::PhaseSums& part) {
  sum.data_wait_ns += part.data_wait_ns;
  sum.transfer_ns += part.transfer_ns;
  sum.forward_ns += part.forward_ns;
  sum.backward_ns += part.backward_ns;
  sum.optimizer_ns += part.optimizer_ns;
  sum.other_ns += part.other_ns;
}

std::string failure_text(const TrialRecord& record) {
  const runner::TrialOutcome& outcome = record.outcome;
  std::string text =
      outcome.reason.empty() ? std::string(runner::name(outcome.kind)) : outcome.reason;
  return text + (record.stage == "confirm" ? " (confirming round " : " (round ") +
         std::to_string(record.round) + ")";
}

bool completed(const TrialRecord& record) {
  return record.outcome.kind == runner::OutcomeKind::completed;
}

std::vector<double> values(const std::map<std::int64_t, double>& rates) {
  std::vector<double> list;
  for (const auto& [round, rate] : rates) {
    list.push_back(rate);
  }
  return list;
}

class Summary {
 public:
  explicit Summary(const RecordedRun& run) : run_(run), progress_(run.scenario, run.plan) {
    for (const TrialRecord& record : run.trials) {
      progress_.add(record);
      records_[record.spec.cell].push_back(&record);
    }
  }

  CampaignResult make() {
    CampaignResult result = facts();
    add_cells(result);
    add_confirmation(result);
    add_completeness(result);
    add_warnings(result);
    return result;
  }

 private:
  CampaignResult facts() const {
    const LedgerHeader& header = run_.ledger.header;
    CampaignResult result;
    result.directory = run_.directory;
    result.scenario = run_.scenario;
    result.plan = run_.plan;
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
    result.trials = run_.trials;
    result.trials_failed =
        std::count_if(run_.trials.begin(), run_.trials.end(), [](const TrialRecord& record) {
          return !completed(record);
        });
    return result;
  }

  // Baseline, confirmed cell, other measured ones by gain, those without a gain, failures.
  std::vector<std::size_t> cell_order() const {
    std::vector<std::size_t> order = {0};
    const auto append = [&](std::size_t cell) {
      if (std::find(order.begin(), order.end(), cell) == order.end()) {
        order.push_back(cell);
      }
    };
    const auto confirmed = progress_.confirm_cell();
    if (confirmed && !progress_.histories()[*confirmed].confirm.rates.empty()) {
      append(*confirmed);
    }
    for (const std::size_t cell : ranking(run_.plan, progress_.histories())) {
      append(cell);
    }
    std::vector<bool> placed(run_.plan.cells.size());
    for (const std::size_t cell : order) {
      placed[cell] = true;
    }
    for (const bool failed : {false, true}) {
      for (std::size_t i = 1; i < placed.size(); ++i) {
        const StageHistory& search = progress_.histories()[i].search;
        const bool failing = search.rates.empty() && !search.finished.empty();
        if (!placed[i] && (failing || search.given_up()) == failed) {
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

  CellResult summarise_cell(std::size_t index) {
    const CellHistory& history = progress_.histories()[index];
    CellResult cell;
    cell.cell = run_.plan.cells[index];
    cell.rounds = static_cast<std::int64_t>(history.search.rates.size());
    cell.peak_memory_bytes = history.peak_memory_bytes;
    const Records& records = records_[cell.cell.id];
    const auto failed = std::find_if(
        records.begin(), records.end(), [](const auto* record) { return !completed(*record); });
    if (history.search.finished.empty()) {
      cell.outcome = "not-run";
      cell.reason = why_missing(run_.ledger);
    } else if (failed != records.end() && (cell.rounds == 0 || history.search.given_up())) {
      cell.outcome = runner::name((*failed)->outcome.kind);
      cell.reason = failure_text(**failed);
    } else {
      cell.outcome = "completed";
      const auto missing =
          run_.scenario.rounds - static_cast<std::int64_t>(history.search.finished.size());
      cell.reason = failed != records.end() ? failure_text(**failed)
                    : missing > 0
                        ? std::to_string(missing) + " of " + std::to_string(run_.scenario.rounds) +
                              " rounds not run: " + why_missing(run_.ledger)
                        : "";
    }
    add_measurements(cell, history, records);
    if (index > 0 && cell.outcome == "completed") {
      const auto gains = log_gains(history.search, progress_.histories()[0].search);
      if (!gains.empty()) {
        cell.gain = estimate_gain(gains);
      }
    }
    return cell;
  }

  static void add_measurements(CellResult& cell,
                               const CellHistory& history,
                               const Records& records) {
    if (history.search.rates.empty()) {
      return;
    }
    cell.throughput = estimate(values(history.search.rates));
    trial::PhaseSums phases;
    std::int64_t trials = 0;
    std::int64_t stalling = 0;
    for (const TrialRecord* record : records) {
      if (record->stage == "search" && record->outcome.reply) {
        ++trials;
        stalling += has_stalls(*record->outcome.reply) ? 1 : 0;
        for (const trial::Slice& slice : record->outcome.reply->slices) {
          add_phases(phases, slice.phases);
        }
      }
    }
    cell.phases = phases;
    cell.disturbed = std::any_of(records.begin(), records.end(), [](const TrialRecord* record) {
      return !disturbance_text(*record).empty();
    });
    cell.stalls = 2 * stalling > trials;
  }

  void add_confirmation(CampaignResult& result) const {
    const StageHistory& baseline = progress_.histories()[0].confirm;
    if (baseline.finished.empty() && !any_confirming()) {
      return;
    }
    Confirmation confirmation;
    confirmation.wanted = run_.scenario.confirm_rounds;
    const auto cell = progress_.confirm_cell();
    if (cell) {
      const StageHistory& best = progress_.histories()[*cell].confirm;
      const auto gains = log_gains(best, baseline);
      confirmation.cell = run_.plan.cells[*cell].id;
      confirmation.pairs = static_cast<std::int64_t>(gains.size());
      if (!gains.empty()) {
        std::vector<double> of_baseline;
        std::vector<double> of_best;
        for (const auto& [round, rate] : best.rates) {
          const auto partner = baseline.rates.find(round);
          if (partner != baseline.rates.end()) {
            of_best.push_back(rate);
            of_baseline.push_back(partner->second);
          }
        }
        confirmation.baseline = estimate(of_baseline);
        confirmation.best = estimate(of_best);
        confirmation.gain = estimate_gain(gains);
      }
    }
    result.confirmation = confirmation;
  }

  bool any_confirming() const {
    const auto& histories = progress_.histories();
    return std::any_of(histories.begin(), histories.end(), [](const CellHistory& history) {
      return !history.confirm.finished.empty();
    });
  }

  void add_completeness(CampaignResult& result) const {
    const Progress::Rest rest = progress_.rest();
    const std::string& baseline = result.cells.front().outcome;
    const bool baseline_failed =
        (baseline != "completed" && baseline != "not-run") || progress_.baseline_given_up();
    const std::int64_t pairs_missing =
        result.confirmation ? result.confirmation->wanted - result.confirmation->pairs : 0;
    result.baseline_failed = baseline_failed;
    result.trials_missing = baseline_failed ? 0 : rest.trials;
    result.complete = rest.trials == 0 && !baseline_failed && pairs_missing <= 0;
    if (result.complete) {
      return;
    }
    const std::string missing = std::to_string(rest.trials) + " of " +
                                std::to_string(rest.trials + progress_.done()) + " trials missing";
    const std::string why = why_missing(run_.ledger);
    if (baseline_failed && !result.cells.front().reason.empty()) {
      result.incomplete_reason = "the baseline failed: " + result.cells.front().reason;
    } else if (why == "budget" && !run_.ledger.sittings.empty()) {
      const std::int64_t budget_ns = run_.ledger.sittings.back().budget_ns.value_or(0);
      result.budget_wanted_ns = larger_budget(budget_ns, result.elapsed_ns, rest.ns);
      result.incomplete_reason = "budget of " + format_time(budget_ns) + " used up: " + missing;
    } else if (rest.trials == 0) {
      result.incomplete_reason = std::to_string(pairs_missing) + " of " +
                                 std::to_string(result.confirmation->wanted) +
                                 " confirming pairs are missing: their trials failed";
    } else {
      result.incomplete_reason = why + ": " + missing;
    }
  }

  void add_warnings(CampaignResult& result) const {
    std::vector<std::string> failed;
    for (std::size_t i = 1; i < result.cells.size(); ++i) {
      const CellResult& cell = result.cells[i];
      if (cell.outcome != "completed" && cell.outcome != "not-run") {
        failed.push_back(cell.cell.id + " " + cell.outcome);
      }
    }
    if (!failed.empty()) {
      constexpr std::size_t kMostNamed = 6;
      std::string text = std::to_string(failed.size()) + " of " +
                         std::to_string(result.cells.size() - 1) + " settings failed: ";
      for (std::size_t i = 0; i < std::min(failed.size(), kMostNamed); ++i) {
        text += (i > 0 ? ", " : "") + failed[i];
      }
      result.warnings.push_back(text + (failed.size() > kMostNamed ? ", ..." : ""));
    }
    for (const TrialRecord& record : run_.trials) {
      if (record.stage == "confirm" && !completed(record)) {
        result.warnings.push_back(record.spec.cell +
                                  " failed while it was confirmed: " + failure_text(record));
      }
    }
    add_disturbances(result);
  }

  void add_disturbances(CampaignResult& result) const {
    constexpr std::int64_t kMostNamed = 6;
    std::int64_t count = 0;
    for (const TrialRecord& record : run_.trials) {
      const std::string text = disturbance_text(record);
      if (!text.empty() && ++count <= kMostNamed) {
        result.warnings.push_back(text);
      }
    }
    if (count > kMostNamed) {
      result.warnings.push_back(std::to_string(count - kMostNamed) +
                                " more trials were disturbed; result.json has their slices");
    }
  }

  const RecordedRun& run_;
  Progress progress_;
  std::map<std::string, Records> records_;
};

}  // namespace

CampaignResult summarise(const RecordedRun& run) {
  return Summary(run).make();
}

ExitCode exit_code(const CampaignResult& result) {
  if (result.baseline_failed) {
    return ExitCode::negative_verdict;
  }
  return result.complete ? ExitCode::fine : ExitCode::partial;
}

}  // namespace tune::campaign
