#include "measure/campaign/run_trials.h"

#include "base/error.h"
#include "base/stats/log_ratio.h"
#include "base/stats/quantile.h"
#include "measure/campaign/ceiling.h"
#include "measure/campaign/cell_history.h"
#include "measure/campaign/ledger.h"
#include "measure/campaign/loader_forecast.h"
#include "measure/campaign/page_cache.h"
#include "measure/campaign/pair_form.h"
#include "measure/campaign/proposal.h"
#include "measure/campaign/taint.h"
#include "measure/campaign/warmup.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

namespace tune::campaign {

namespace {

// Which cells the first round happens to run before the baseline must not change what is proposed.
RecordedRun of_baseline(const RecordedRun& run) {
  RecordedRun part = run;
  std::erase_if(part.trials, [&](const TrialRecord& trial) {
    return trial.spec.cell != run.plan.cells.front().id;
  });
  return part;
}

// Later trials ask only for these: openings, pairs, failures and the baseline's first rounds.
bool is_asked_for(const TrialRecord& trial, const std::string& baseline) {
  return !has_completed(trial) || (trial.stage != "search" && trial.stage != "audit") ||
         (trial.spec.cell == baseline && trial.round == 1);
}

class TrialSitting {
 public:
  TrialSitting(RecordedRun& run, const TrialLoop& loop)
      : run_(run),
        loop_(loop),
        data_files_(loop.propose ? small_data_files(run.scenario.data)
                                 : std::vector<std::filesystem::path>()),
        earlier_ns_(run.ledger.elapsed_ns()) {
    take_stock();
    warmup_ = warmup_found(run.scenario, run.trials);
    if (frees_trials()) {
      std::erase_if(run_.trials, [&](const TrialRecord& trial) {
        return !is_asked_for(trial, run_.plan.cells.front().id);
      });
      run_.trials.shrink_to_fit();
    }
  }

  std::string run() {
    while (!stopped()) {
      auto slot = progress_->next(elapsed_ns());
      if (slot && !is_opening(*slot) && asks_rules() && progress_->wants_proposals()) {
        propose();
        slot = progress_->next(elapsed_ns());
      }
      if (!slot) {
        return name(progress_->end());
      }
      if (lacks_form(*slot)) {
        make_form(*slot);
        continue;  // meanwhile somebody may have told the run to stop
      }
      TrialRecord record = begin(*slot);
      run(*slot, record);
      if (record.outcome.kind == runner::OutcomeKind::interrupted) {
        return "interrupted";
      }
      if (cut_by_budget(record)) {
        return "budget";
      }
      if (gives_up_form(*slot, record)) {
        continue;  // the same slot, by injection
      }
      const bool is_last = loop_.fail_fast && is_failure(record.outcome.kind);
      finish(*slot, std::move(record));
      if (is_last) {
        return "trial-failed";
      }
      refuse_to_be_killed_again(*slot);
      if (frees_trials() && !is_asked_for(run_.trials.back(), run_.plan.cells.front().id)) {
        run_.trials.pop_back();
      }
    }
    return "interrupted";
  }

 private:
  // What does not fit into memory is an answer of the search: batches grow until then.
  static bool is_failure(runner::OutcomeKind kind) {
    return kind != runner::OutcomeKind::completed && kind != runner::OutcomeKind::out_of_memory;
  }

  static std::string name(Progress::End end) {
    switch (end) {
      case Progress::End::budget:
        return "budget";
      case Progress::End::baseline_failed:
        return "baseline-failed";
      default:
        return "finished";
    }
  }

  // Trials that a diagnosis waits for.
  static bool is_opening(const Slot& slot) {
    return slot.stage == "warmup" || slot.stage == "diagnose" || slot.stage == "ceiling";
  }

  // A shard measures no ladder: the run that continues the joined shards asks the rules.
  bool asks_rules() const { return loop_.propose && !run_.scenario.shard; }

  // Proposals make the plan grow; then stock is taken of all trials again.
  bool frees_trials() const {
    return loop_.frees_trials && !(asks_rules() && progress_->may_want_proposals());
  }

  // Brings the progress up to date with the ledger.
  void take_stock() {
    progress_.emplace(run_.scenario, run_.plan, run_.ledger.header.machine, run_.ledger.proposals);
    progress_->set_budget(loop_.budget_ns);
    if (asks_rules()) {
      progress_->diagnose_first();
    }
    if (!data_files_.empty()) {
      progress_->allow_cold();
    }
    if (run_.ledger.proposals) {  // known from the ceilings, which ran before
      progress_->favour_also(promising_cells(run_));
    }
    for (const TrialRecord& record : run_.trials) {
      progress_->add(record);
    }
  }

  // Once, and in the ledger, so that a resumed run is the same.
  void propose() {
    run_.ledger.proposals = loop_.propose(of_baseline(run_));
    loop_.ledger.add(*run_.ledger.proposals);
    add_proposed_cells(run_);
    take_stock();
  }

  bool has_run_pairs(const std::string& cell) const {
    return std::any_of(run_.trials.begin(), run_.trials.end(), [&](const TrialRecord& trial) {
      return trial.spec.cell == cell && is_paired(trial.stage);
    });
  }

  const scenario::Cell& cell_of(const Slot& slot) const { return run_.plan.cells[slot.cell]; }

  const PairForm* form_of(const Slot& slot) const {
    return is_paired(slot.stage) && slot.cell > 0 ? run_.ledger.form_of(cell_of(slot).id) : nullptr;
  }

  bool lacks_form(const Slot& slot) const {
    return loop_.make_form && run_.scenario.workload.script.exists() && is_paired(slot.stage) &&
           slot.cell > 0 && form_of(slot) == nullptr;
  }

  void keep(PairForm form) {
    loop_.ledger.add(form);
    run_.ledger.forms.push_back(std::move(form));
  }

  void make_form(const Slot& slot) {
    const scenario::Cell& cell = cell_of(slot);
    PairForm form = has_run_pairs(cell.id)
                        ? PairForm{.cell = cell.id, .why = "its pairs had begun with injection"}
                        : loop_.make_form(run_, cell);
    if (!stopped()) {  // it may be cut short by that
      keep(std::move(form));
    }
  }

  // The first run of a form shows whether it does what it says.
  bool gives_up_form(const Slot& slot, const TrialRecord& record) {
    const PairForm* const form = form_of(slot);
    if (form == nullptr || !form->applied || has_run_pairs(form->cell) ||
        record.outcome.was_killed) {
      return false;
    }
    const std::string why = complaint_about_form(record, cell_of(slot));
    if (!why.empty()) {
      keep({.cell = form->cell, .why = why});
    }
    return !why.empty();
  }

  // What the worker is asked to do.
  trial::TrialSpec given(const Slot& slot, const trial::TrialSpec& spec) const {
    const PairForm* const form = form_of(slot);
    if (form == nullptr || !form->applied) {
      return spec;
    }
    trial::AppliedForm applied = *form->applied;
    applied.copies = (run_.directory / applied.copies).string();
    return in_applied_form(spec, run_.plan.cells.front().knobs, applied);
  }

  void run(const Slot& slot, TrialRecord& record) const {
    if (is_cold(slot)) {
      drop_from_memory(data_files_);
    }
    record.outcome = loop_.run_trial(given(slot, record.spec));
    if (is_cold(slot)) {  // every trial after it finds the files as those before it did
      read_into_memory(data_files_);
    }
  }

  // A folder's samples are its files: the scenario does not give their number.
  ColdPass cold_pass(const trial::TrialSpec& spec) const {
    const auto files = static_cast<std::int64_t>(data_files_.size());
    return {.samples = spec.data.samples > 0 ? spec.data.samples : files,
            .warm_rate = warm_loader_rate(run_.trials)};
  }

  bool stopped() const { return loop_.stop != nullptr && loop_.stop->load() != 0; }
  std::int64_t elapsed_ns() const { return earlier_ns_ + loop_.now_ns() - loop_.start_ns; }

  TrialRecord begin(const Slot& slot) {
    const scenario::Cell& cell = run_.plan.cells[slot.cell];
    TrialRecord record;
    record.stage = slot.stage;
    record.round = slot.round;
    record.position = slot.position;
    record.attempt = slot.attempt;
    record.sitting = run_.ledger.sittings.size();
    record.spec = make_spec(run_.scenario,
                            cell,
                            trial_id(slot.stage, slot.round, cell.id, slot.attempt),
                            run_.directory);
    if (progress_->is_recorded(slot)) {
      record.spec.profile = run_.scenario.profile;
    }
    record.spec.measure = measure_of(run_.scenario, slot, warmup_, loop_.budget_ns);
    if (is_paired(slot.stage) && slot.attempt < kMostAttempts) {  // the last one has to count
      record.spec.measure.fastest_core_probe_ns =
          fastest_core_probe_ns(run_.trials, cell.id, slot.stage);
    }
    if (slot.stage == "ceiling") {
      make_ceiling(record.spec, slot.round, cold_pass(record.spec));
    }
    if (loop_.budget_ns) {  // a trial that hangs must not take the campaign over its budget
      constexpr double kLatest = 1.04;
      const auto latest =
          static_cast<std::int64_t>(static_cast<double>(*loop_.budget_ns) * kLatest);
      const std::int64_t left = std::max<std::int64_t>(1'000'000'000, latest - elapsed_ns());
      record.spec.timeout_ns = std::min(record.spec.timeout_ns, left);
    }
    loop_.ledger.check_place();  // before the trial's folder would create the directory again
    make_trial_folder(record.spec.folder);
    loop_.watcher.trial_begins(standpoint(slot));
    return record;
  }

  // Killed because the budget was over, not because it hung: it says nothing about the cell.
  bool cut_by_budget(const TrialRecord& record) const {
    return record.outcome.kind == runner::OutcomeKind::timed_out &&
           record.spec.timeout_ns < run_.scenario.trial_timeout_ns;
  }

  void finish(const Slot& slot, TrialRecord record) {
    loop_.ledger.add(logged(record));
    progress_->add(record);
    run_.trials.push_back(std::move(record));
    if (slot.stage == "warmup") {  // the steps are looked at once, not before every trial
      warmup_ = warmup_found(run_.scenario, run_.trials);
    }
    loop_.watcher.trial_ended(standpoint(slot), run_.trials.back());
  }

  // Twice in its place in one sitting: the next one would be killed, too.
  void refuse_to_be_killed_again(const Slot& slot) const {
    const CellHistory& history = progress_->histories()[slot.cell];
    const TrialRecord& last = run_.trials.back();
    const auto kills =
        std::count_if(run_.trials.begin(), run_.trials.end(), [&](const TrialRecord& trial) {
          return trial.sitting == last.sitting && trial.spec.cell == last.spec.cell &&
                 trial.stage == last.stage && trial.round == last.round && trial.outcome.was_killed;
        });
    if (kills > 1 && was_killed_from_outside(history, last)) {
      throw MachineError({last.spec.folder,
                          "the worker was killed twice (" + last.outcome.reason + ")",
                          "the baseline has run before, so something outside kills it",
                          ""});
    }
  }

  Standpoint standpoint(const Slot& slot) const {
    Progress::Rest rest = progress_->rest();
    if (rest.trials == 0) {
      rest = progress_->rest_on_ladder();
    }
    Standpoint point;
    point.done = progress_->done();
    point.total = point.done + rest.trials;
    point.total_is_known = rest.is_known;
    point.elapsed_ns = elapsed_ns();
    point.remaining_ns = rest.ns;
    if (loop_.budget_ns) {
      const std::int64_t left_ns = std::max<std::int64_t>(0, *loop_.budget_ns - point.elapsed_ns);
      point.remaining_ns = rest.is_known ? std::min(left_ns, rest.ns) : left_ns;
    }
    point.has_budget = loop_.budget_ns.has_value();
    point.slot = slot;
    point.cell = &run_.plan.cells[slot.cell];
    const auto& histories = progress_->histories();
    for (const std::size_t cell : progress_->provisional_ranking()) {
      if (point.ranking.size() == Standpoint::kMostPlaces) {
        break;
      }
      auto gains = ranked_gains(histories, cell, progress_->audit_is_whole());
      const auto rounds = static_cast<std::int64_t>(gains.size());
      const double gain = stats::gain_of(stats::median(std::move(gains)));
      point.ranking.push_back({&run_.plan.cells[cell], gain, rounds});
    }
    return point;
  }

  RecordedRun& run_;
  const TrialLoop& loop_;
  const std::vector<std::filesystem::path> data_files_;  // that may be dropped from memory
  std::optional<Progress> progress_;  // refers to the plan: built again when that grows
  std::int64_t earlier_ns_;
  std::optional<WarmupFound> warmup_;
};

}  // namespace

std::string run_trials(RecordedRun& run, const TrialLoop& loop) {
  try {
    forget_damaged(run, loop.ledger);
    return TrialSitting(run, loop).run();
  } catch (const Error&) {
    loop.ledger.check_place();  // in a directory that was removed anything may fail
    throw;
  }
}

}  // namespace tune::campaign
