#pragma once

#include "campaign/campaign_result.h"
#include "campaign/ledger_record.h"
#include "scenario/cell.h"
#include "scenario/scenario.h"

#include <filesystem>
#include <string>
#include <vector>

namespace tune::campaign {

/// A run directory, read: what was asked, and every trial that finished.
struct RecordedRun {
  std::filesystem::path directory;  ///< absolute
  LedgerContents ledger;
  scenario::Scenario scenario;  ///< of the ledger's text, overrides applied, data as made then
  scenario::Plan plan;
  std::vector<TrialRecord> trials;  ///< with their replies
};

/// Throws tune::Error when the ledger or a reply is damaged, or when this version of tune plans
/// other cells from the same scenario.
RecordedRun read_recorded_run(const std::filesystem::path& directory);

/// What identifies the cells of a plan.
std::string plan_hash(const scenario::Plan& plan);

/// What the worker is asked for one trial of a run.
trial::TrialSpec make_spec(const scenario::Scenario& scenario,
                           const scenario::Cell& cell,
                           const std::string& id,
                           const std::filesystem::path& run_directory);

}  // namespace tune::campaign
