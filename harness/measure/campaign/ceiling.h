#pragma once

#include "advice/rule/fact_table.h"
#include "measure/campaign/campaign_result.h"
#include "measure/campaign/cell_history.h"
#include "measure/campaign/recorded_run.h"

#include <optional>
#include <string>
#include <vector>

namespace tune::campaign {

// What the parts of the baseline can do alone, each measured once in a short trial before the
// search (DS-Analyzer, VLDB 2021): the model on batches that stay in memory, and the loader without
// a model.

/// The next such trial, stage "ceiling": in round 1 the model, in round 2 the loader, and in round
/// 3 the loader again, on files that the page cache was asked to forget, where `may_be_cold` and
/// the loader completed before. Nothing where the data are synthetic (then a run is its own
/// ceiling) or all have had their try.
std::optional<Slot> next_ceiling(const scenario::Scenario& scenario,
                                 const CellHistory& baseline,
                                 bool may_be_cold);

/// Whether files are to be dropped from memory before this trial, and read again after it.
bool is_cold(const Slot& slot);
bool is_cold(const TrialRecord& record);

/// How large the data are and how fast the loader was on files in memory: what a cold trial, which
/// has one pass alone, is measured by.
struct ColdPass {
  std::int64_t samples = 0;
  double warm_rate = 0;  ///< samples per second; 0: not known
};

/// Makes the spec of a trial of the baseline one of that round. A cold one measures within its
/// first pass over the data, for about a second's work of the warm loader.
void make_ceiling(trial::TrialSpec& spec, std::int64_t round, const ColdPass& pass = {});

/// Rate of the loader of the baseline on files in memory, where it was measured.
double warm_loader_rate(const std::vector<TrialRecord>& trials);

/// "compute_ceiling", "data_ceiling" and "cold_ceiling", as far as they were tried.
std::vector<Ceiling> ceilings_of(const std::vector<TrialRecord>& trials);

/// The names that gain models use: `synthetic_rate` is the ceiling of the model, `loader_rate` that
/// of the loader, and `cached_rate`, too, where the files were in the page cache; `cold_rate` that
/// of the loader where they were not.
void add_ceiling_facts(const std::vector<Ceiling>& ceilings, rule::FactTable& facts);

}  // namespace tune::campaign
