#pragma once

#include "measure/campaign/campaign_result.h"
#include "measure/campaign/ledger.h"
#include "scenario/plan.h"
#include "scenario/scenario.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace tune::campaign {

/// One trial to be run.
struct Slot {
  std::string stage;          ///< "warmup", "diagnose", "ceiling", "search", "audit", "confirm",
                              ///< "ladder" or "epoch"
  std::int64_t round = 0;     ///< from 1
  std::int64_t position = 0;  ///< in the round's order, from 0
  std::size_t cell = 0;       ///< index into the plan
  std::int64_t slices = 0;
  std::int64_t attempt = 1;  ///< above 1: others disturbed the one before too much, or killed it
  bool operator==(const Slot&) const = default;
};

/// A run directory, read: what was asked, and every trial that finished.
struct RecordedRun {
  std::filesystem::path directory;  ///< absolute
  LedgerContents ledger;
  scenario::Scenario scenario;      ///< of the ledger's text, overrides applied, data as made then
  scenario::Plan plan;              ///< with the cells that the ledger's proposals add
  std::vector<TrialRecord> trials;  ///< with their replies
  /// Trials whose reply was lost since: not in `trials`, as if they had not run. The ledger does
  /// not know yet.
  std::vector<ForgottenTrial> damaged;

  // Compiled once, in recorded_run.cpp: they are long, and many files hold one.
  RecordedRun();
  RecordedRun(const RecordedRun&);
  RecordedRun(RecordedRun&&) noexcept;
  RecordedRun& operator=(const RecordedRun&);
  RecordedRun& operator=(RecordedRun&&) noexcept;
  ~RecordedRun();
};

/// Leaves out lines of the ledger that cannot be read or fit nowhere (`ledger.left_out`). Throws
/// tune::Error when its header is damaged, or when this version of tune plans other cells from the
/// same scenario; MachineError when something of it cannot be read now: no trial is lost
/// for that.
RecordedRun read_recorded_run(const std::filesystem::path& directory);

/// Writes into the ledger that the damaged trials count as not run, so that they may run again.
void forget_damaged(RecordedRun& run, Ledger& ledger);

/// What identifies the cells of a plan by these knobs; by all when none is named. A run remembers
/// the knobs that there were: one that came later is at its default in all of its cells.
std::string plan_hash(const scenario::Plan& plan, const std::vector<std::string>& knobs = {});

/// "r1-c07", "confirm2-baseline", the second attempt "confirm2-baseline.2": also the name of the
/// trial's folder.
std::string trial_id(const std::string& stage,
                     std::int64_t round,
                     const std::string& cell,
                     std::int64_t attempt = 1);

/// What the worker is asked for one trial of a run.
trial::TrialSpec make_spec(const scenario::Scenario& scenario,
                           const scenario::Cell& cell,
                           const std::string& id,
                           const std::filesystem::path& run_directory);

/// Rebuilds the result of a run from its directory alone. Throws tune::Error.
CampaignResult load_campaign(const std::filesystem::path& directory);

}  // namespace tune::campaign
