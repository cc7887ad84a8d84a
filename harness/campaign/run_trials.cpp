#include "campaign/run_trials.h"

#include "base/error.h"
#include "stats/log_ratio.h"
#include "stats/median.h"

#include <algorithm>
#include <filesystem>

namespace tune::campaign {

namespace {

std::string trial_id(const Slot& slot, const scenario::Cell& cell) {
  return (slot.stage == "search" ? "r" : "confirm") + std::to_string(slot.round) + "-" + cell.id;
}

// A trial that was begun and abandoned leaves a folder; nothing of it may mix with the new one.
void prepare_folder(const std::filesystem::path& folder) {
  std::error_code failed;
  std::filesystem::remove_all(folder, failed);
  if (!failed) {
    std::filesystem::create_directories(folder, failed);
  }
  if (failed) {
    throw Error({folder.string(), "cannot be made anew", failed.message(), ""});
  }
}

class TrialSitting {
 public:
  TrialSitting(RecordedRun& run, const TrialLoop& loop)
      : run_(run),
        loop_(loop),
        progress_(run.scenario, run.plan),
        earlier_ns_(run.ledger.elapsed_ns()) {
    progress_.set_budget(loop.budget_ns);
    for (const TrialRecord& record : run.trials) {
      progress_.add(record);
    }
  }

  std::string run() {
    while (!stopped()) {
      const auto slot = progress_.next(elapsed_ns());
      if (!slot) {
        return name(progress_.end());
      }
      TrialRecord record = begin(*slot);
      record.outcome = loop_.run_trial(record.spec);
      if (record.outcome.kind == runner::OutcomeKind::interrupted) {
        return "interrupted";
      }
      if (cut_by_budget(record)) {
        return "budget";
      }
      finish(*slot, std::move(record));
    }
    return "interrupted";
  }

 private:
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

  bool stopped() const { return loop_.stop != nullptr && loop_.stop->load() != 0; }
  std::int64_t elapsed_ns() const { return earlier_ns_ + loop_.now_ns() - loop_.start_ns; }

  TrialRecord begin(const Slot& slot) {
    const scenario::Cell& cell = run_.plan.cells[slot.cell];
    TrialRecord record;
    record.stage = slot.stage;
    record.round = slot.round;
    record.position = slot.position;
    record.spec = make_spec(run_.scenario, cell, trial_id(slot, cell), run_.directory);
    if (loop_.budget_ns) {  // a trial that hangs must not take the campaign over its budget
      constexpr double kLatest = 1.04;
      const auto latest =
          static_cast<std::int64_t>(static_cast<double>(*loop_.budget_ns) * kLatest);
      const std::int64_t left = std::max<std::int64_t>(1'000'000'000, latest - elapsed_ns());
      record.spec.timeout_ns = std::min(record.spec.timeout_ns, left);
    }
    prepare_folder(record.spec.folder);
    loop_.watcher.trial_begins(standpoint(slot));
    return record;
  }

  // Killed because the budget was over, not because it hung: it says nothing about the cell.
  bool cut_by_budget(const TrialRecord& record) const {
    return record.outcome.kind == runner::OutcomeKind::timed_out &&
           record.spec.timeout_ns < run_.scenario.trial_timeout_ns;
  }

  void finish(const Slot& slot, TrialRecord record) {
    LoggedTrial logged;
    logged.id = record.spec.id;
    logged.stage = record.stage;
    logged.cell = record.spec.cell;
    logged.round = record.round;
    logged.position = record.position;
    logged.timeout_ns = record.spec.timeout_ns;
    logged.outcome = record.outcome;
    logged.outcome.reply.reset();
    if (record.outcome.kind == runner::OutcomeKind::completed) {
      logged.reply = "trials/" + record.spec.id + "/reply.json";
    }
    loop_.ledger.add(logged);
    progress_.add(record);
    run_.trials.push_back(std::move(record));
    loop_.watcher.trial_ended(standpoint(slot), run_.trials.back());
  }

  Standpoint standpoint(const Slot& slot) const {
    const Progress::Rest rest = progress_.rest();
    Standpoint point;
    point.done = progress_.done();
    point.total = point.done + rest.trials;
    point.elapsed_ns = elapsed_ns();
    point.remaining_ns = rest.ns;
    if (loop_.budget_ns) {
      point.remaining_ns =
          std::clamp<std::int64_t>(*loop_.budget_ns - point.elapsed_ns, 0, rest.ns);
    }
    point.slot = slot;
    point.cell = &run_.plan.cells[slot.cell];
    if (const auto best = progress_.provisional_best()) {
      const auto& histories = progress_.histories();
      auto gains = log_gains(histories[*best].search, histories[0].search);
      point.best = &run_.plan.cells[*best];
      point.best_rounds = static_cast<std::int64_t>(gains.size());
      point.best_gain = stats::gain_of(stats::median(std::move(gains)));
    }
    return point;
  }

  RecordedRun& run_;
  const TrialLoop& loop_;
  Progress progress_;
  std::int64_t earlier_ns_;
};

}  // namespace

std::string run_trials(RecordedRun& run, const TrialLoop& loop) {
  return TrialSitting(run, loop).run();
}

}  // namespace tune::campaign
